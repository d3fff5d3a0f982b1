
/*
 * The instance: one `campfire` location with its storage, secrets and zone.
 *
 * Everything mutable hangs on it.  Configuration is in the cycle pool and
 * constant after start; what is opened after fork belongs to one worker.
 */

#ifndef _NGX_CAMPFIRE_H_INCLUDED_
#define _NGX_CAMPFIRE_H_INCLUDED_


#include <ngx_config.h>
#include <ngx_core.h>
#include <ngx_thread_pool.h>

#include "base/ngx_campfire_base.h"
#include "base/ngx_campfire_base_buf.h"
#include "rails/ngx_campfire_rails_keys.h"
#include "rails/ngx_campfire_rails_verifier.h"


typedef struct ngx_campfire_instance_s  ngx_campfire_instance_t;
typedef struct ngx_campfire_db_s        ngx_campfire_db_t;
typedef struct ngx_campfire_db_conn_s   ngx_campfire_db_conn_t;
typedef struct ngx_campfire_db_stmt_s   ngx_campfire_db_stmt_t;
typedef struct ngx_campfire_tx_s        ngx_campfire_tx_t;
typedef struct ngx_campfire_job_s       ngx_campfire_job_t;
typedef struct ngx_campfire_writer_s    ngx_campfire_writer_t;
typedef struct ngx_campfire_cable_s     ngx_campfire_cable_t;
typedef struct ngx_campfire_ctx_s       ngx_campfire_ctx_t;
typedef struct ngx_campfire_sh_s        ngx_campfire_sh_t;


/*
 * Prepared signing contexts.  One thread at a time may use a set, so there
 * is one for the event loop and one for the writer.
 */
typedef struct {
    ngx_campfire_rails_verifier_t   signed_cookie;
    ngx_campfire_rails_verifier_t   signed_id;
    ngx_campfire_rails_verifier_t   signed_global_id;
    ngx_campfire_rails_verifier_t   active_storage;
    ngx_campfire_rails_verifier_t   turbo_stream;
} ngx_campfire_signers_t;


struct ngx_campfire_instance_s {
    /* configuration */

    ngx_uint_t                  index;          /* in the array of all */
    ngx_str_t                   storage;        /* absolute, no last slash */
    ngx_str_t                   database;       /* .../db/production.sqlite3 */
    ngx_str_t                   files;          /* .../files */
    ngx_str_t                   prefix;         /* "" or "/chat" */
    dev_t                       dev;
    ino_t                       ino;
    u_char                     *file;           /* where it stands */
    ngx_uint_t                  line;

    ngx_str_t                   secret_key_base;
    ngx_str_t                   vapid_public_key;
    ngx_str_t                   vapid_private_key;
    ngx_str_t                   version;        /* X-Version */
    ngx_str_t                   revision;       /* X-Rev, may be empty */
    ngx_flag_t                  ssl;            /* plain http redirects */
    ngx_flag_t                  behind_tls;     /* a proxy terminates TLS */
    ngx_str_t                   zone_name;
    size_t                      zone_size;
    size_t                      form_limit;     /* bytes of a form body */

    ngx_campfire_rails_keys_t   keys;
    ngx_shm_zone_t             *zone;
    ngx_thread_pool_t          *threads;

    /* of this worker, after fork */

    ngx_campfire_sh_t          *sh;             /* root of the zone */
    ngx_campfire_signers_t      signers;        /* event loop */
    ngx_campfire_signers_t      thread_signers; /* writer thread */
    ngx_campfire_db_t          *db;             /* NULL: unavailable, 503 */
    ngx_campfire_writer_t      *writer;
    ngx_campfire_cable_t       *cable;
};


/* The instances of a cycle, for the worker's hooks; set in init_module. */
typedef struct {
    ngx_campfire_instance_t   **elts;
    ngx_uint_t                  nelts;
} ngx_campfire_instances_t;


extern ngx_module_t  ngx_campfire_module;


/* All of a cycle, or NULL without an http block. */
ngx_campfire_instances_t *ngx_campfire_instances(ngx_cycle_t *cycle);


#endif /* _NGX_CAMPFIRE_H_INCLUDED_ */
