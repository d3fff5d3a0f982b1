
/*
 * Directives, configuration checks and hooks.  No product logic.
 *
 * An instance is one location with `campfire STORAGE_PATH`.  Everything
 * mutable hangs on it; `nginx -t` checks paths and secrets and touches
 * nothing.  What needs the database is opened in the workers, which start in
 * any case and try again each second: a locked or missing database is 503,
 * never a server that does not come up.
 */

#include "ngx_campfire.h"
#include "ngx_campfire_secrets.h"

#include <ngx_http.h>
#include <ndk.h>

#include "cable/ngx_campfire_cable.h"
#include "db/ngx_campfire_db_writer.h"
#include "http/ngx_campfire_http.h"
#include "http/ngx_campfire_http_log.h"
#include "http/ngx_campfire_http_status.h"
#include "shm/ngx_campfire_shm.h"


#define NGX_CAMPFIRE_TLS_OFF       0     /* plain HTTP is all there is */
#define NGX_CAMPFIRE_TLS_ON        1     /* plain listeners redirect */
#define NGX_CAMPFIRE_TLS_UPSTREAM  2     /* ended by a proxy in front */

#define NGX_CAMPFIRE_ZONE_SIZE     (64 * 1024 * 1024)
#define NGX_CAMPFIRE_ZONE_MIN      (16 * 1024 * 1024)
#define NGX_CAMPFIRE_FORM_LIMIT    (1024 * 1024)
#define NGX_CAMPFIRE_RETRY         1000  /* ms between tries to open */


typedef struct {
    ngx_array_t                instances;  /* of ngx_campfire_instance_t * */
    ngx_campfire_instances_t   list;       /* the same, for the hooks */
} ngx_campfire_main_conf_t;


typedef struct {
    ngx_campfire_instance_t   *instance;
    ngx_str_t                  zone_name;
    size_t                     zone_size;
    ngx_str_t                  secrets_file;
    ngx_uint_t                 tls;
    size_t                     form_limit;
} ngx_campfire_loc_conf_t;


typedef struct {
    ngx_campfire_instance_t   *instance;
    ngx_event_t                timer;
    ngx_thread_task_t          task;
} ngx_campfire_opener_t;


static char *ngx_campfire(ngx_conf_t *cf, ngx_command_t *cmd, void *conf);
static char *ngx_campfire_zone(ngx_conf_t *cf, ngx_command_t *cmd,
    void *conf);
static char *ngx_campfire_secrets_file(ngx_conf_t *cf, ngx_command_t *cmd,
    void *conf);
static char *ngx_campfire_status(ngx_conf_t *cf, ngx_command_t *cmd,
    void *conf);
static ngx_int_t ngx_campfire_preconfiguration(ngx_conf_t *cf);
static ngx_int_t ngx_campfire_postconfiguration(ngx_conf_t *cf);
static void *ngx_campfire_create_main_conf(ngx_conf_t *cf);
static void *ngx_campfire_create_loc_conf(ngx_conf_t *cf);
static char *ngx_campfire_merge_loc_conf(ngx_conf_t *cf, void *parent,
    void *child);
static char *ngx_campfire_init_instance(ngx_conf_t *cf,
    ngx_campfire_loc_conf_t *lcf);
static ngx_int_t ngx_campfire_path(ngx_conf_t *cf,
    ngx_campfire_instance_t *in, const char *name, ngx_str_t *path);
static ngx_int_t ngx_campfire_init_module(ngx_cycle_t *cycle);
static ngx_int_t ngx_campfire_init_process(ngx_cycle_t *cycle);
static void ngx_campfire_exit_process(ngx_cycle_t *cycle);
static ngx_campfire_main_conf_t *ngx_campfire_main_conf(ngx_cycle_t *cycle);
static ngx_int_t ngx_campfire_init_signers(ngx_campfire_instance_t *in,
    ngx_campfire_signers_t *signers);
static void ngx_campfire_open(ngx_campfire_instance_t *in, ngx_log_t *log);
static void ngx_campfire_retry(ngx_event_t *ev);
static void ngx_campfire_retry_thread(void *data, ngx_log_t *log);
static void ngx_campfire_retry_done(ngx_event_t *ev);


static ngx_conf_enum_t  ngx_campfire_tls_modes[] = {
    { ngx_string("off"), NGX_CAMPFIRE_TLS_OFF },
    { ngx_string("on"), NGX_CAMPFIRE_TLS_ON },
    { ngx_string("upstream"), NGX_CAMPFIRE_TLS_UPSTREAM },
    { ngx_null_string, 0 }
};


static ndk_set_var_t  ngx_campfire_set_route = {
    NDK_SET_VAR_VALUE,
    (void *) ngx_campfire_http_log_route,
    1,
    NULL
};


static ngx_command_t  ngx_campfire_commands[] = {

    { ngx_string("campfire"),
      NGX_HTTP_LOC_CONF|NGX_CONF_TAKE1,
      ngx_campfire,
      NGX_HTTP_LOC_CONF_OFFSET,
      0,
      NULL },

    { ngx_string("campfire_zone"),
      NGX_HTTP_LOC_CONF|NGX_CONF_TAKE2,
      ngx_campfire_zone,
      NGX_HTTP_LOC_CONF_OFFSET,
      0,
      NULL },

    { ngx_string("campfire_secrets_file"),
      NGX_HTTP_MAIN_CONF|NGX_HTTP_SRV_CONF|NGX_HTTP_LOC_CONF|NGX_CONF_TAKE1,
      ngx_campfire_secrets_file,
      NGX_HTTP_LOC_CONF_OFFSET,
      0,
      NULL },

    { ngx_string("campfire_tls"),
      NGX_HTTP_MAIN_CONF|NGX_HTTP_SRV_CONF|NGX_HTTP_LOC_CONF|NGX_CONF_TAKE1,
      ngx_conf_set_enum_slot,
      NGX_HTTP_LOC_CONF_OFFSET,
      offsetof(ngx_campfire_loc_conf_t, tls),
      &ngx_campfire_tls_modes },

    { ngx_string("campfire_form_limit"),
      NGX_HTTP_MAIN_CONF|NGX_HTTP_SRV_CONF|NGX_HTTP_LOC_CONF|NGX_CONF_TAKE1,
      ngx_conf_set_size_slot,
      NGX_HTTP_LOC_CONF_OFFSET,
      offsetof(ngx_campfire_loc_conf_t, form_limit),
      NULL },

    { ngx_string("campfire_status"),
      NGX_HTTP_LOC_CONF|NGX_CONF_NOARGS,
      ngx_campfire_status,
      NGX_HTTP_LOC_CONF_OFFSET,
      0,
      NULL },

    { ngx_string("campfire_set_route"),
      NGX_HTTP_SRV_CONF|NGX_HTTP_SIF_CONF|NGX_HTTP_LOC_CONF|NGX_HTTP_LIF_CONF
                       |NGX_CONF_TAKE2,
      ndk_set_var_value,
      0,
      0,
      &ngx_campfire_set_route },

      ngx_null_command
};


static ngx_http_module_t  ngx_campfire_module_ctx = {
    ngx_campfire_preconfiguration,         /* preconfiguration */
    ngx_campfire_postconfiguration,        /* postconfiguration */

    ngx_campfire_create_main_conf,         /* create main configuration */
    NULL,                                  /* init main configuration */

    NULL,                                  /* create server configuration */
    NULL,                                  /* merge server configuration */

    ngx_campfire_create_loc_conf,          /* create location configuration */
    ngx_campfire_merge_loc_conf            /* merge location configuration */
};


ngx_module_t  ngx_campfire_module = {
    NGX_MODULE_V1,
    &ngx_campfire_module_ctx,              /* module context */
    ngx_campfire_commands,                 /* module directives */
    NGX_HTTP_MODULE,                       /* module type */
    NULL,                                  /* init master */
    ngx_campfire_init_module,              /* init module */
    ngx_campfire_init_process,             /* init process */
    NULL,                                  /* init thread */
    NULL,                                  /* exit thread */
    ngx_campfire_exit_process,             /* exit process */
    NULL,                                  /* exit master */
    NGX_MODULE_V1_PADDING
};


ngx_campfire_instance_t *
ngx_campfire_instance(ngx_http_request_t *r)
{
    ngx_campfire_loc_conf_t  *lcf;

    lcf = ngx_http_get_module_loc_conf(r, ngx_campfire_module);

    return lcf->instance;
}


/*
 * Two locations over one storage would be two sets of caches that do not see
 * each other's writes, so the same folder by any name is refused.
 */
static char *
ngx_campfire(ngx_conf_t *cf, ngx_command_t *cmd, void *conf)
{
    ngx_campfire_loc_conf_t *lcf = conf;

    ngx_str_t                  *value;
    ngx_uint_t                  i;
    ngx_file_info_t             fi;
    ngx_campfire_instance_t    *in, **other, **slot;
    ngx_campfire_main_conf_t   *cmcf;
    ngx_http_core_loc_conf_t   *clcf;

    if (lcf->instance) {
        return "is duplicate";
    }

    value = cf->args->elts;

    if (value[1].len == 0) {
        return "needs the path of a storage directory";
    }

    clcf = ngx_http_conf_get_module_loc_conf(cf, ngx_http_core_module);

    if (clcf->noname || clcf->named || clcf->exact_match
#if (NGX_PCRE)
        || clcf->regex
#endif
        || clcf->name.len == 0 || clcf->name.data[0] != '/')
    {
        return "must stand in a location with a prefix, such as \"/\"";
    }

    in = ngx_pcalloc(cf->pool, sizeof(ngx_campfire_instance_t));
    if (in == NULL) {
        return NGX_CONF_ERROR;
    }

    in->storage = value[1];
    in->file = cf->conf_file->file.name.data;
    in->line = cf->conf_file->line;

    in->prefix = clcf->name;
    while (in->prefix.len && in->prefix.data[in->prefix.len - 1] == '/') {
        in->prefix.len--;
    }

    if (ngx_conf_full_name(cf->cycle, &in->storage, 0) != NGX_OK) {
        return NGX_CONF_ERROR;
    }

    while (in->storage.len > 1
           && in->storage.data[in->storage.len - 1] == '/')
    {
        in->storage.data[--in->storage.len] = '\0';
    }

    if (ngx_file_info(in->storage.data, &fi) == NGX_FILE_ERROR) {
        ngx_conf_log_error(NGX_LOG_EMERG, cf, ngx_errno,
                           "campfire: storage directory \"%V\" cannot be "
                           "used, create it and give it to the worker user",
                           &in->storage);
        return NGX_CONF_ERROR;
    }

    if (!ngx_is_dir(&fi)) {
        ngx_conf_log_error(NGX_LOG_EMERG, cf, 0,
                           "campfire: \"%V\" is not a directory",
                           &in->storage);
        return NGX_CONF_ERROR;
    }

    if (access((char *) in->storage.data, R_OK|W_OK|X_OK) != 0) {
        ngx_conf_log_error(NGX_LOG_EMERG, cf, ngx_errno,
                           "campfire: storage directory \"%V\" is not "
                           "readable and writable",
                           &in->storage);
        return NGX_CONF_ERROR;
    }

    in->dev = fi.st_dev;
    in->ino = fi.st_ino;

    cmcf = ngx_http_conf_get_module_main_conf(cf, ngx_campfire_module);

    other = cmcf->instances.elts;

    for (i = 0; i < cmcf->instances.nelts; i++) {
        if (other[i]->dev == in->dev && other[i]->ino == in->ino) {
            ngx_conf_log_error(NGX_LOG_EMERG, cf, 0,
                               "campfire: storage directory \"%V\" is "
                               "already served by the location in %s:%ui",
                               &in->storage, other[i]->file, other[i]->line);
            return NGX_CONF_ERROR;
        }
    }

    in->index = cmcf->instances.nelts;

    slot = ngx_array_push(&cmcf->instances);
    if (slot == NULL) {
        return NGX_CONF_ERROR;
    }

    *slot = in;
    lcf->instance = in;

    clcf->handler = ngx_campfire_http_handler;

    return NGX_CONF_OK;
}


static char *
ngx_campfire_zone(ngx_conf_t *cf, ngx_command_t *cmd, void *conf)
{
    ngx_campfire_loc_conf_t *lcf = conf;

    ssize_t     size;
    ngx_str_t  *value;

    if (lcf->zone_name.data) {
        return "is duplicate";
    }

    value = cf->args->elts;
    size = ngx_parse_size(&value[2]);

    if (value[1].len == 0 || size == NGX_ERROR) {
        return "needs a name and a size, such as \"chat 64m\"";
    }

    if (size < NGX_CAMPFIRE_ZONE_MIN) {
        return "is too small, 16m is the least";
    }

    lcf->zone_name = value[1];
    lcf->zone_size = size;

    return NGX_CONF_OK;
}


static char *
ngx_campfire_secrets_file(ngx_conf_t *cf, ngx_command_t *cmd, void *conf)
{
    ngx_campfire_loc_conf_t *lcf = conf;

    ngx_str_t  *value;

    if (lcf->secrets_file.data) {
        return "is duplicate";
    }

    value = cf->args->elts;
    lcf->secrets_file = value[1];

    if (ngx_conf_full_name(cf->cycle, &lcf->secrets_file, 1) != NGX_OK) {
        return NGX_CONF_ERROR;
    }

    return NGX_CONF_OK;
}


static char *
ngx_campfire_status(ngx_conf_t *cf, ngx_command_t *cmd, void *conf)
{
    ngx_http_core_loc_conf_t  *clcf;

    clcf = ngx_http_conf_get_module_loc_conf(cf, ngx_http_core_module);
    clcf->handler = ngx_campfire_http_status_handler;

    return NGX_CONF_OK;
}


static ngx_int_t
ngx_campfire_preconfiguration(ngx_conf_t *cf)
{
    return ngx_campfire_http_log_variables(cf);
}


/* The array is complete now; hooks and the status page walk the list. */
static ngx_int_t
ngx_campfire_postconfiguration(ngx_conf_t *cf)
{
    ngx_campfire_main_conf_t  *cmcf;

    cmcf = ngx_http_conf_get_module_main_conf(cf, ngx_campfire_module);

    cmcf->list.elts = cmcf->instances.elts;
    cmcf->list.nelts = cmcf->instances.nelts;

    return NGX_OK;
}


static void *
ngx_campfire_create_main_conf(ngx_conf_t *cf)
{
    ngx_campfire_main_conf_t  *cmcf;

    cmcf = ngx_pcalloc(cf->pool, sizeof(ngx_campfire_main_conf_t));
    if (cmcf == NULL) {
        return NULL;
    }

    if (ngx_array_init(&cmcf->instances, cf->pool, 2,
                       sizeof(ngx_campfire_instance_t *))
        != NGX_OK)
    {
        return NULL;
    }

    return cmcf;
}


static void *
ngx_campfire_create_loc_conf(ngx_conf_t *cf)
{
    ngx_campfire_loc_conf_t  *lcf;

    lcf = ngx_pcalloc(cf->pool, sizeof(ngx_campfire_loc_conf_t));
    if (lcf == NULL) {
        return NULL;
    }

    lcf->tls = NGX_CONF_UNSET_UINT;
    lcf->form_limit = NGX_CONF_UNSET_SIZE;

    return lcf;
}


static char *
ngx_campfire_merge_loc_conf(ngx_conf_t *cf, void *parent, void *child)
{
    ngx_campfire_loc_conf_t *prev = parent;
    ngx_campfire_loc_conf_t *conf = child;

    char                      *disable;
    ngx_http_core_loc_conf_t  *clcf;

    disable = getenv("DISABLE_SSL");

    ngx_conf_merge_str_value(conf->secrets_file, prev->secrets_file, "");
    ngx_conf_merge_size_value(conf->form_limit, prev->form_limit,
                              NGX_CAMPFIRE_FORM_LIMIT);
    ngx_conf_merge_uint_value(conf->tls, prev->tls,
                              (disable && *disable) ? NGX_CAMPFIRE_TLS_OFF
                                                    : NGX_CAMPFIRE_TLS_ON);

    clcf = ngx_http_conf_get_module_loc_conf(cf, ngx_http_core_module);

    if (conf->instance == NULL) {

        /* `if` blocks stay in the location they stand in */

        if (clcf->noname && prev->instance) {
            conf->instance = prev->instance;
            clcf->handler = ngx_campfire_http_handler;
        }

        if (conf->zone_name.data) {
            ngx_log_error(NGX_LOG_EMERG, cf->log, 0,
                          "campfire_zone: the location \"%V\" has no "
                          "\"campfire\" directive", &clcf->name);
            return NGX_CONF_ERROR;
        }

        return NGX_CONF_OK;
    }

    return ngx_campfire_init_instance(cf, conf);
}


static ngx_int_t
ngx_campfire_path(ngx_conf_t *cf, ngx_campfire_instance_t *in,
    const char *name, ngx_str_t *path)
{
    path->len = in->storage.len + ngx_strlen(name);
    path->data = ngx_pnalloc(cf->pool, path->len + 1);

    if (path->data == NULL) {
        return NGX_ERROR;
    }

    (void) ngx_sprintf(path->data, "%V%s%Z", &in->storage, name);

    return NGX_OK;
}


static char *
ngx_campfire_init_instance(ngx_conf_t *cf, ngx_campfire_loc_conf_t *lcf)
{
    char                     *version, *revision;
    ngx_campfire_instance_t  *in;

    in = lcf->instance;

    in->ssl = (lcf->tls != NGX_CAMPFIRE_TLS_OFF);
    in->behind_tls = (lcf->tls == NGX_CAMPFIRE_TLS_UPSTREAM);
    in->form_limit = lcf->form_limit;

    if (ngx_campfire_path(cf, in, "/db/production.sqlite3", &in->database)
        != NGX_OK
        || ngx_campfire_path(cf, in, "/files", &in->files) != NGX_OK)
    {
        return NGX_CONF_ERROR;
    }

    version = getenv("APP_VERSION");
    revision = getenv("GIT_REVISION");

    if (version == NULL) {
        version = revision ? revision : "0";
    }

    if (revision == NULL) {
        revision = "";
    }

    in->version.len = ngx_strlen(version);
    in->version.data = (u_char *) version;
    in->version.data = ngx_pstrdup(cf->pool, &in->version);

    in->revision.len = ngx_strlen(revision);
    in->revision.data = (u_char *) revision;
    in->revision.data = ngx_pstrdup(cf->pool, &in->revision);

    if (in->version.data == NULL || in->revision.data == NULL) {
        return NGX_CONF_ERROR;
    }

    if (ngx_campfire_secrets_load(cf, in, &lcf->secrets_file) != NGX_OK) {
        return NGX_CONF_ERROR;
    }

    in->zone_size = lcf->zone_size ? lcf->zone_size : NGX_CAMPFIRE_ZONE_SIZE;

    if (lcf->zone_name.data) {
        in->zone_name = lcf->zone_name;

    } else {
        in->zone_name.len = sizeof("campfire:") - 1 + in->storage.len;
        in->zone_name.data = ngx_pnalloc(cf->pool, in->zone_name.len);
        if (in->zone_name.data == NULL) {
            return NGX_CONF_ERROR;
        }

        ngx_sprintf(in->zone_name.data, "campfire:%V", &in->storage);
    }

    in->zone = ngx_shared_memory_add(cf, &in->zone_name, in->zone_size,
                                     &ngx_campfire_module);
    if (in->zone == NULL) {
        return NGX_CONF_ERROR;
    }

    if (in->zone->data) {
        ngx_log_error(NGX_LOG_EMERG, cf->log, 0,
                      "campfire_zone: \"%V\" in %s:%ui is in use by another "
                      "location, each needs its own", &in->zone_name,
                      in->file, in->line);
        return NGX_CONF_ERROR;
    }

    in->zone->data = in;
    in->zone->init = ngx_campfire_shm_init_zone;

    if (ngx_thread_pool_add(cf, NULL) == NULL) {
        return NGX_CONF_ERROR;
    }

    return NGX_CONF_OK;
}


/* NULL without an http block. */
static ngx_campfire_main_conf_t *
ngx_campfire_main_conf(ngx_cycle_t *cycle)
{
    if (ngx_get_conf(cycle->conf_ctx, ngx_http_module) == NULL) {
        return NULL;
    }

    return ngx_http_cycle_get_module_main_conf(cycle, ngx_campfire_module);
}


ngx_campfire_instances_t *
ngx_campfire_instances(ngx_cycle_t *cycle)
{
    ngx_campfire_main_conf_t  *cmcf;

    cmcf = ngx_campfire_main_conf(cycle);

    return cmcf ? &cmcf->list : NULL;
}


static ngx_int_t
ngx_campfire_init_module(ngx_cycle_t *cycle)
{
    ngx_campfire_main_conf_t  *cmcf;

    cmcf = ngx_campfire_main_conf(cycle);

    if (ngx_test_config || cmcf == NULL || cmcf->list.nelts == 0) {
        return NGX_OK;
    }

    return ngx_campfire_shm_slots_create(cycle);
}


static ngx_int_t
ngx_campfire_init_process(ngx_cycle_t *cycle)
{
    ngx_uint_t                 i;
    ngx_slab_pool_t           *shpool;
    ngx_campfire_instance_t   *in;
    ngx_campfire_main_conf_t  *cmcf;
    static ngx_str_t           pool = ngx_string("default");

    if (ngx_process != NGX_PROCESS_WORKER && ngx_process != NGX_PROCESS_SINGLE)
    {
        return NGX_OK;
    }

    cmcf = ngx_campfire_main_conf(cycle);

    if (cmcf == NULL || cmcf->list.nelts == 0) {
        return NGX_OK;
    }

    for (i = 0; i < cmcf->list.nelts; i++) {
        in = cmcf->list.elts[i];

        shpool = (ngx_slab_pool_t *) in->zone->shm.addr;
        in->sh = shpool->data;
        in->threads = ngx_thread_pool_get(cycle, &pool);

        if (ngx_campfire_init_signers(in, &in->signers) != NGX_OK
            || ngx_campfire_init_signers(in, &in->thread_signers) != NGX_OK)
        {
            ngx_log_error(NGX_LOG_ALERT, cycle->log, 0,
                          "campfire: OpenSSL offers no HMAC, the location in "
                          "%s:%ui answers 503", in->file, in->line);
            continue;
        }

        ngx_campfire_open(in, cycle->log);
    }

    return ngx_campfire_cable_init_process(cycle, &cmcf->list);
}


static void
ngx_campfire_exit_process(ngx_cycle_t *cycle)
{
    ngx_uint_t                 i;
    ngx_campfire_main_conf_t  *cmcf;

    if (ngx_process != NGX_PROCESS_WORKER && ngx_process != NGX_PROCESS_SINGLE)
    {
        return;
    }

    cmcf = ngx_campfire_main_conf(cycle);

    if (cmcf == NULL || cmcf->list.nelts == 0) {
        return;
    }

    ngx_campfire_cable_exit_process(cycle, &cmcf->list);

    for (i = 0; i < cmcf->list.nelts; i++) {
        ngx_campfire_db_cleanup(cmcf->list.elts[i]);
    }
}


static ngx_int_t
ngx_campfire_init_signers(ngx_campfire_instance_t *in,
    ngx_campfire_signers_t *signers)
{
    ngx_uint_t                 i;
    ngx_campfire_rails_keys_t *keys = &in->keys;

    struct {
        ngx_campfire_rails_verifier_t  *verifier;
        const char                     *digest;
        ngx_campfire_base64_e           form;
        u_char                         *key;
        size_t                          len;
    } all[] = {
        { &signers->signed_cookie, "SHA1", NGX_CAMPFIRE_BASE64,
          keys->signed_cookie, sizeof(keys->signed_cookie) },
        { &signers->signed_id, "SHA256", NGX_CAMPFIRE_BASE64_URL,
          keys->signed_id, sizeof(keys->signed_id) },
        { &signers->signed_global_id, "SHA1", NGX_CAMPFIRE_BASE64_URL_PAD,
          keys->signed_global_id, sizeof(keys->signed_global_id) },
        { &signers->active_storage, "SHA1", NGX_CAMPFIRE_BASE64,
          keys->active_storage, sizeof(keys->active_storage) },
        { &signers->turbo_stream, "SHA256", NGX_CAMPFIRE_BASE64,
          keys->turbo_stream, sizeof(keys->turbo_stream) }
    };

    for (i = 0; i < sizeof(all) / sizeof(all[0]); i++) {
        if (ngx_campfire_rails_verifier_init(all[i].verifier, all[i].digest,
                                             all[i].form, all[i].key,
                                             all[i].len)
            != NGX_OK)
        {
            return NGX_ERROR;
        }
    }

    return NGX_OK;
}


/*
 * The database and its writer; when it fails, again and again in a thread:
 * what makes it fail may also make it slow.
 */
static void
ngx_campfire_open(ngx_campfire_instance_t *in, ngx_log_t *log)
{
    ngx_campfire_opener_t  *opener;

    if (ngx_campfire_db_init(in, log) == NGX_OK
        && ngx_campfire_db_writer_init(in, log) == NGX_OK)
    {
        return;
    }

    opener = ngx_pcalloc(ngx_cycle->pool, sizeof(ngx_campfire_opener_t));
    if (opener == NULL) {
        return;
    }

    opener->instance = in;
    opener->timer.handler = ngx_campfire_retry;
    opener->timer.data = opener;
    opener->timer.log = log;
    opener->timer.cancelable = 1;
    opener->task.ctx = in;
    opener->task.handler = ngx_campfire_retry_thread;
    opener->task.event.handler = ngx_campfire_retry_done;
    opener->task.event.data = opener;

    ngx_add_timer(&opener->timer, NGX_CAMPFIRE_RETRY);
}


static void
ngx_campfire_retry(ngx_event_t *ev)
{
    ngx_campfire_opener_t  *opener = ev->data;

    if (ngx_exiting) {
        return;
    }

    if (ngx_thread_task_post(opener->instance->threads, &opener->task)
        != NGX_OK)
    {
        ngx_add_timer(ev, NGX_CAMPFIRE_RETRY);
    }
}


static void
ngx_campfire_retry_thread(void *data, ngx_log_t *log)
{
    ngx_campfire_instance_t  *in = data;

    if (in->db == NULL) {
        (void) ngx_campfire_db_init(in, log);
    }
}


static void
ngx_campfire_retry_done(ngx_event_t *ev)
{
    ngx_campfire_opener_t    *opener = ev->data;
    ngx_campfire_instance_t  *in = opener->instance;

    if (in->db && ngx_campfire_db_writer_init(in, opener->timer.log) == NGX_OK)
    {
        ngx_log_error(NGX_LOG_NOTICE, opener->timer.log, 0,
                      "campfire: \"%V\" can be used now", &in->database);
        return;
    }

    ngx_add_timer(&opener->timer, NGX_CAMPFIRE_RETRY);
}
