
/*
 * What every template sees.  A view never queries: it gets filled structs
 * and appends to `out`.
 */

#ifndef _NGX_CAMPFIRE_VIEW_H_INCLUDED_
#define _NGX_CAMPFIRE_VIEW_H_INCLUDED_


#include "models/ngx_campfire_model.h"


typedef struct {
    ngx_campfire_instance_t   *instance;
    ngx_pool_t                *pool;
    ngx_campfire_signers_t    *signers;    /* of this thread */
    ngx_str_t                  base_url;   /* "https://chat.example.com" */
    ngx_str_t                  prefix;     /* mount point: "" or "/chat" */

    /* of pages only; NULL or empty in broadcasts */
    ngx_campfire_account_t    *account;    /* NULL before first run */
    ngx_campfire_user_t       *viewer;     /* NULL on open anon pages */
    ngx_str_t                  csrf_token; /* session-stable, 86 characters */
    ngx_str_t                  notice;
    ngx_str_t                  alert;
    ngx_uint_t                 frame;      /* a Turbo-Frame request */
    ngx_str_t                  vapid_public_key;
} ngx_campfire_view_ctx_t;


#endif /* _NGX_CAMPFIRE_VIEW_H_INCLUDED_ */
