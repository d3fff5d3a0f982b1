
/*
 * Directives, configuration checks and hooks.  No product logic.
 *
 * An instance is one location with `campfire STORAGE_PATH`.  Everything
 * mutable will hang on it; `nginx -t` checks its paths and touches nothing.
 */

#include <ngx_config.h>
#include <ngx_core.h>
#include <ngx_http.h>


typedef struct {
    ngx_str_t    storage;        /* absolute, without a trailing slash */
    dev_t        dev;
    ino_t        ino;
    u_char      *file;           /* where it stands, for messages */
    ngx_uint_t   line;
} ngx_campfire_instance_t;


typedef struct {
    ngx_array_t  instances;      /* of ngx_campfire_instance_t * */
} ngx_campfire_main_conf_t;


typedef struct {
    ngx_campfire_instance_t  *instance;
} ngx_campfire_loc_conf_t;


static ngx_int_t ngx_campfire_handler(ngx_http_request_t *r);
static char *ngx_campfire(ngx_conf_t *cf, ngx_command_t *cmd, void *conf);
static void *ngx_campfire_create_main_conf(ngx_conf_t *cf);
static void *ngx_campfire_create_loc_conf(ngx_conf_t *cf);


static ngx_command_t  ngx_campfire_commands[] = {

    { ngx_string("campfire"),
      NGX_HTTP_LOC_CONF|NGX_CONF_TAKE1,
      ngx_campfire,
      NGX_HTTP_LOC_CONF_OFFSET,
      0,
      NULL },

      ngx_null_command
};


static ngx_http_module_t  ngx_campfire_module_ctx = {
    NULL,                                  /* preconfiguration */
    NULL,                                  /* postconfiguration */

    ngx_campfire_create_main_conf,         /* create main configuration */
    NULL,                                  /* init main configuration */

    NULL,                                  /* create server configuration */
    NULL,                                  /* merge server configuration */

    ngx_campfire_create_loc_conf,          /* create location configuration */
    NULL                                   /* merge location configuration */
};


ngx_module_t  ngx_campfire_module = {
    NGX_MODULE_V1,
    &ngx_campfire_module_ctx,              /* module context */
    ngx_campfire_commands,                 /* module directives */
    NGX_HTTP_MODULE,                       /* module type */
    NULL,                                  /* init master */
    NULL,                                  /* init module */
    NULL,                                  /* init process */
    NULL,                                  /* init thread */
    NULL,                                  /* exit thread */
    NULL,                                  /* exit process */
    NULL,                                  /* exit master */
    NGX_MODULE_V1_PADDING
};


/* The health check; no other route is served yet. */
static ngx_int_t
ngx_campfire_handler(ngx_http_request_t *r)
{
    ngx_int_t          rc;
    ngx_buf_t         *b;
    ngx_chain_t        out;
    static ngx_str_t   up = ngx_string("/up");
    static ngx_str_t   body = ngx_string("<!DOCTYPE html><html><body style=\""
                                         "background-color: green\"></body>"
                                         "</html>");

    rc = ngx_http_discard_request_body(r);
    if (rc != NGX_OK) {
        return rc;
    }

    if (r->uri.len != up.len
        || ngx_strncmp(r->uri.data, up.data, up.len) != 0
        || !(r->method & (NGX_HTTP_GET|NGX_HTTP_HEAD)))
    {
        return NGX_HTTP_NOT_FOUND;
    }

    r->headers_out.status = NGX_HTTP_OK;
    r->headers_out.content_length_n = body.len;
    ngx_str_set(&r->headers_out.content_type, "text/html; charset=utf-8");
    r->headers_out.content_type_len = r->headers_out.content_type.len;

    rc = ngx_http_send_header(r);
    if (rc == NGX_ERROR || rc > NGX_OK || r->header_only) {
        return rc;
    }

    b = ngx_calloc_buf(r->pool);
    if (b == NULL) {
        return NGX_ERROR;
    }

    b->pos = body.data;
    b->last = body.data + body.len;
    b->memory = 1;
    b->last_buf = (r == r->main) ? 1 : 0;
    b->last_in_chain = 1;

    out.buf = b;
    out.next = NULL;

    return ngx_http_output_filter(r, &out);
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

    in = ngx_pcalloc(cf->pool, sizeof(ngx_campfire_instance_t));
    if (in == NULL) {
        return NGX_CONF_ERROR;
    }

    in->storage = value[1];
    in->file = cf->conf_file->file.name.data;
    in->line = cf->conf_file->line;

    if (ngx_conf_full_name(cf->cycle, &in->storage, 0) != NGX_OK) {
        return NGX_CONF_ERROR;
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

    slot = ngx_array_push(&cmcf->instances);
    if (slot == NULL) {
        return NGX_CONF_ERROR;
    }

    *slot = in;
    lcf->instance = in;

    clcf = ngx_http_conf_get_module_loc_conf(cf, ngx_http_core_module);
    clcf->handler = ngx_campfire_handler;

    return NGX_CONF_OK;
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
    return ngx_pcalloc(cf->pool, sizeof(ngx_campfire_loc_conf_t));
}
