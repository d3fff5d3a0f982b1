
/*
 * The life of a request: body, context, route, before steps, action, answer;
 * and the two ways to wait, for the writer and for a thread.
 *
 * While a request waits, `blocked` keeps nginx from freeing it and a plain
 * (not cancelable) timer keeps a quitting worker alive until the answer is
 * out: a committed post must not lose its answer to a reload.
 */

#include "http/ngx_campfire_http.h"
#include "base/ngx_campfire_base_browser.h"
#include "http/ngx_campfire_http_request.h"
#include "http/ngx_campfire_http_route.h"
#include "http/ngx_campfire_http_session.h"
#include "models/ngx_campfire_model_account.h"
#include "models/ngx_campfire_model_ban.h"
#include "shm/ngx_campfire_shm.h"
#include "views/ngx_campfire_view_pages.h"


#define NGX_CAMPFIRE_HTTP_HOLD        60000    /* ms */
#define NGX_CAMPFIRE_HTTP_RETURN_MAX  2000     /* bytes of a return URL */


static void ngx_campfire_http_body_handler(ngx_http_request_t *r);
static ngx_int_t ngx_campfire_http_too_large(ngx_http_request_t *r);
static ngx_int_t ngx_campfire_http_process(ngx_http_request_t *r);
static ngx_campfire_ctx_t *ngx_campfire_http_create_ctx(ngx_http_request_t *r);
static ngx_int_t ngx_campfire_http_dispatch(ngx_campfire_ctx_t *ctx);
static ngx_int_t ngx_campfire_http_tls(ngx_campfire_ctx_t *ctx);
static ngx_int_t ngx_campfire_http_before(ngx_campfire_ctx_t *ctx);
static ngx_int_t ngx_campfire_http_unsupported(ngx_campfire_ctx_t *ctx);
static ngx_int_t ngx_campfire_http_sign_in_first(ngx_campfire_ctx_t *ctx);
static ngx_int_t ngx_campfire_http_finish(ngx_campfire_ctx_t *ctx,
    ngx_int_t rc);
static void ngx_campfire_http_suspend(ngx_campfire_ctx_t *ctx);
static void ngx_campfire_http_resume(ngx_campfire_ctx_t *ctx, ngx_int_t rc);
static void ngx_campfire_http_written(ngx_campfire_job_t *job);
static void ngx_campfire_http_free_job(void *data);
static void ngx_campfire_http_thread_run(void *data, ngx_log_t *log);
static void ngx_campfire_http_thread_done(ngx_event_t *ev);
static void ngx_campfire_http_hold_handler(ngx_event_t *ev);


ngx_int_t
ngx_campfire_http_handler(ngx_http_request_t *r)
{
    ngx_int_t                 rc;
    ngx_campfire_instance_t  *in;

    in = ngx_campfire_instance(r);

    if (r->method & (NGX_HTTP_GET|NGX_HTTP_HEAD)) {

        rc = ngx_http_discard_request_body(r);
        if (rc != NGX_OK) {
            return rc;
        }

        rc = ngx_campfire_http_process(r);

        if (rc == NGX_AGAIN) {
            r->main->count++;
            return NGX_DONE;
        }

        return rc;
    }

    if (r->headers_in.content_length_n > (off_t) in->form_limit
        && !ngx_campfire_http_request_is_type(r, "multipart/form-data"))
    {
        return ngx_campfire_http_too_large(r);
    }

    r->request_body_in_single_buf = 1;

    rc = ngx_http_read_client_request_body(r, ngx_campfire_http_body_handler);

    if (rc >= NGX_HTTP_SPECIAL_RESPONSE) {
        return rc;
    }

    return NGX_DONE;
}


/* The rest of the body is thrown away for a while, then the line is cut. */
static ngx_int_t
ngx_campfire_http_too_large(ngx_http_request_t *r)
{
    ngx_int_t            rc;
    ngx_campfire_ctx_t  *ctx;

    ctx = ngx_campfire_http_create_ctx(r);
    if (ctx == NULL) {
        return NGX_HTTP_INTERNAL_SERVER_ERROR;
    }

    r->keepalive = 0;

    rc = ngx_http_discard_request_body(r);
    if (rc != NGX_OK) {
        return rc;
    }

    ngx_campfire_http_request_formats(ctx);

    return ngx_campfire_http_error(ctx, NGX_HTTP_REQUEST_ENTITY_TOO_LARGE);
}


static void
ngx_campfire_http_body_handler(ngx_http_request_t *r)
{
    ngx_int_t  rc;

    rc = ngx_campfire_http_process(r);

    if (rc != NGX_AGAIN) {
        ngx_http_finalize_request(r, rc);
    }
}


/* NGX_AGAIN: the request waits; anything else finalizes it. */
static ngx_int_t
ngx_campfire_http_process(ngx_http_request_t *r)
{
    ngx_int_t            rc;
    ngx_campfire_ctx_t  *ctx;

    ctx = ngx_campfire_http_create_ctx(r);
    if (ctx == NULL) {
        return NGX_HTTP_INTERNAL_SERVER_ERROR;
    }

    rc = ngx_campfire_http_request_parse(ctx);
    if (rc != NGX_OK) {
        return ngx_campfire_http_finish(ctx, rc);
    }

    ctx->view.base_url = ctx->base_url;

    if (ctx->instance->sh) {
        ngx_campfire_shm_count(ctx->instance->sh,
                               NGX_CAMPFIRE_COUNTER_REQUESTS);
    }

    return ngx_campfire_http_finish(ctx, ngx_campfire_http_dispatch(ctx));
}


static ngx_campfire_ctx_t *
ngx_campfire_http_create_ctx(ngx_http_request_t *r)
{
    struct timeval            tv;
    ngx_campfire_ctx_t       *ctx;
    ngx_campfire_instance_t  *in;

    ctx = ngx_pcalloc(r->pool, sizeof(ngx_campfire_ctx_t));
    if (ctx == NULL) {
        return NULL;
    }

    in = ngx_campfire_instance(r);

    ngx_gettimeofday(&tv);

    ctx->request = r;
    ctx->instance = in;
    ctx->pool = r->pool;
    ctx->log = r->connection->log;
    ctx->now = (int64_t) tv.tv_sec * 1000000 + tv.tv_usec;
    ctx->method = r->method;

    ctx->view.instance = in;
    ctx->view.pool = r->pool;
    ctx->view.signers = &in->signers;
    ctx->view.prefix = in->prefix;
    ctx->view.vapid_public_key = in->vapid_public_key;

    ngx_http_set_ctx(r, ctx, ngx_campfire_module);

    return ctx;
}


ngx_campfire_ctx_t *
ngx_campfire_http_ctx(ngx_http_request_t *r)
{
    return ngx_http_get_module_ctx(r, ngx_campfire_module);
}


static ngx_int_t
ngx_campfire_http_dispatch(ngx_campfire_ctx_t *ctx)
{
    ngx_int_t  rc;

    rc = ngx_campfire_http_tls(ctx);
    if (rc != NGX_OK || ctx->answered) {
        return rc;
    }

    rc = ngx_campfire_http_route_find(ctx);
    if (rc != NGX_OK) {
        return rc;
    }

    if (ctx->instance->writer) {
        ctx->conn = ctx->instance->db->read;

        ngx_campfire_db_writer_watch(ctx->instance);
        rc = ngx_campfire_db_begin_read(ctx->conn);
        if (rc != NGX_OK) {
            return rc;
        }
    }

    if (!(ctx->route->flags & NGX_CAMPFIRE_ROUTE_BARE)) {
        rc = ctx->conn ? ngx_campfire_http_before(ctx) : NGX_BUSY;
    }

    if (rc == NGX_OK && !ctx->answered) {
        rc = ctx->route->action(ctx);
    }

    if (ctx->conn) {
        ngx_campfire_db_end_read(ctx->conn);
    }

    return rc;
}


/* A plain listener only redirects, unless the operator said otherwise. */
static ngx_int_t
ngx_campfire_http_tls(ngx_campfire_ctx_t *ctx)
{
    u_char              *p;
    ngx_str_t            url;
    ngx_http_request_t  *r;

    if (ctx->https || !ctx->instance->ssl) {
        return NGX_OK;
    }

    r = ctx->request;

    url.len = ctx->base_url.len + 1 + r->unparsed_uri.len;
    url.data = ngx_pnalloc(ctx->pool, url.len);
    if (url.data == NULL) {
        return NGX_ERROR;
    }

    p = ngx_cpymem(url.data, "https", 5);
    p = ngx_cpymem(p, ctx->base_url.data + 4, ctx->base_url.len - 4);
    ngx_memcpy(p, r->unparsed_uri.data, r->unparsed_uri.len);

    return ngx_campfire_http_redirect_status(ctx,
                              (r->method & (NGX_HTTP_GET|NGX_HTTP_HEAD))
                              ? NGX_HTTP_MOVED_PERMANENTLY
                              : NGX_HTTP_PERMANENT_REDIRECT, &url);
}


/* auth.md §11.1, in its order.  NGX_OK with ctx->answered: it is over. */
static ngx_int_t
ngx_campfire_http_before(ngx_campfire_ctx_t *ctx)
{
    ngx_int_t   rc;
    ngx_uint_t  flags, reads;

    flags = ctx->route->flags;
    reads = (ctx->method == NGX_HTTP_GET || ctx->method == NGX_HTTP_HEAD);

    if (!reads) {
        rc = ngx_campfire_model_ban_exists(ctx->conn, &ctx->address);

        if (rc == NGX_OK) {
            return ngx_campfire_http_send_head(ctx,
                                               NGX_HTTP_TOO_MANY_REQUESTS);
        }

        if (rc != NGX_DECLINED) {
            return rc;
        }
    }

    if (!(flags & NGX_CAMPFIRE_ROUTE_OPEN)) {

        rc = ngx_campfire_http_session_find(ctx);

        if (rc == NGX_DECLINED && !(flags & NGX_CAMPFIRE_ROUTE_GUEST)) {
            return ngx_campfire_http_sign_in_first(ctx);
        }

        if (rc != NGX_OK && rc != NGX_DECLINED) {
            return rc;
        }

        if (ctx->bot && !(flags & NGX_CAMPFIRE_ROUTE_BOT)) {
            return ngx_campfire_http_send_head(ctx, NGX_HTTP_FORBIDDEN);
        }
    }

    if (!reads && !ctx->bot && !(flags & NGX_CAMPFIRE_ROUTE_NO_CSRF)) {
        rc = ngx_campfire_http_session_verify_csrf(ctx);
        if (rc != NGX_OK) {
            return rc;
        }
    }

    if (!ngx_campfire_base_browser_supported(&ctx->user_agent)) {
        return ngx_campfire_http_unsupported(ctx);
    }

    if ((flags & NGX_CAMPFIRE_ROUTE_GUEST) && ctx->user) {
        return ngx_campfire_http_redirect(ctx, "/");
    }

    return NGX_OK;
}


/* 200 whatever was asked for: it is the browser that has to change. */
static ngx_int_t
ngx_campfire_http_unsupported(ngx_campfire_ctx_t *ctx)
{
    ngx_int_t           rc;
    ngx_str_t           body;
    ngx_campfire_buf_t  out;

    rc = ngx_campfire_http_view_init(ctx);
    if (rc != NGX_OK) {
        return rc;
    }

    ngx_campfire_base_buf_init(&out, ctx->pool, 8192);

    if (ngx_campfire_view_pages_unsupported(&ctx->view, &ctx->user_agent,
                                            &out)
        != NGX_OK
        || ngx_campfire_base_buf_done(&out, &body) != NGX_OK)
    {
        return NGX_ERROR;
    }

    return ngx_campfire_http_send(ctx, NGX_HTTP_OK,
                                  "text/html; charset=utf-8", &body);
}


/* The way to the sign-in page, remembering where a person wanted to go. */
static ngx_int_t
ngx_campfire_http_sign_in_first(ngx_campfire_ctx_t *ctx)
{
    size_t               len;
    u_char              *p;
    ngx_str_t           *uri, *suffix;
    ngx_http_request_t  *r;
    static ngx_str_t     refresh = ngx_string("/refresh");

    r = ctx->request;
    uri = &r->unparsed_uri;
    suffix = &ctx->path;
    len = ctx->base_url.len + uri->len;

    if ((ctx->method == NGX_HTTP_GET || ctx->method == NGX_HTTP_HEAD)
        && !ctx->frame && !ctx->xhr
        && !(ctx->route->flags & NGX_CAMPFIRE_ROUTE_BOT)
        && len <= NGX_CAMPFIRE_HTTP_RETURN_MAX
        && ngx_campfire_http_format(ctx, NGX_CAMPFIRE_FORMAT_HTML)
        && !(suffix->len >= refresh.len
             && ngx_memcmp(suffix->data + suffix->len - refresh.len,
                           refresh.data, refresh.len) == 0))
    {
        if (ngx_campfire_http_session_load(ctx) != NGX_OK) {
            return NGX_ERROR;
        }

        p = ngx_pnalloc(ctx->pool, len);
        if (p == NULL) {
            return NGX_ERROR;
        }

        ctx->cookie.return_to.data = p;
        ctx->cookie.return_to.len = len;
        p = ngx_cpymem(p, ctx->base_url.data, ctx->base_url.len);
        ngx_memcpy(p, uri->data, uri->len);

        ctx->session_changed = 1;
    }

    return ngx_campfire_http_redirect(ctx, "/session/new");
}


ngx_int_t
ngx_campfire_http_view_init(ngx_campfire_ctx_t *ctx)
{
    ngx_int_t                rc;
    ngx_campfire_account_t  *account;

    account = ngx_pcalloc(ctx->pool, sizeof(ngx_campfire_account_t));
    if (account == NULL) {
        return NGX_ERROR;
    }

    rc = ngx_campfire_model_account_find(ctx->conn, ctx->pool, account);

    if (rc == NGX_OK) {
        ctx->account = account;

    } else if (rc != NGX_DECLINED) {
        return rc;
    }

    ctx->view.account = ctx->account;
    ctx->view.viewer = ctx->user;
    ctx->view.frame = ctx->frame;

    return ngx_campfire_http_session_view(ctx);
}


/* Every action's result comes here exactly once, or again after a wait. */
static ngx_int_t
ngx_campfire_http_finish(ngx_campfire_ctx_t *ctx, ngx_int_t rc)
{
    if (!ctx->answered) {

        if (rc == NGX_AGAIN) {
            return NGX_AGAIN;
        }

        rc = ngx_campfire_http_error(ctx, rc);
    }

    /* what is buffered goes out by itself: nobody waits for it here */

    return (rc == NGX_AGAIN) ? NGX_OK : rc;
}


ngx_int_t
ngx_campfire_http_write(ngx_campfire_ctx_t *ctx, ngx_campfire_write_pt write,
    void *args, ngx_campfire_answer_pt answer, ngx_campfire_http_done_pt done)
{
    ngx_pool_cleanup_t  *cln;
    ngx_campfire_job_t  *job;

    cln = ngx_pool_cleanup_add(ctx->pool, 0);
    if (cln == NULL) {
        return NGX_ERROR;
    }

    job = ngx_campfire_db_writer_job(ctx->instance);
    if (job == NULL) {
        return NGX_ERROR;
    }

    job->write = write;
    job->args = args;
    job->answer = answer;
    job->done = ngx_campfire_http_written;
    job->data = ctx;
    job->base_url = ctx->base_url;

    if (ngx_campfire_db_writer_post(job) != NGX_OK) {
        return NGX_BUSY;
    }

    /* the answer's bytes lie in the job until they are sent */
    cln->handler = ngx_campfire_http_free_job;
    cln->data = job;

    ctx->job = job;
    ctx->done = done;

    ngx_campfire_http_suspend(ctx);

    return NGX_AGAIN;
}


static void
ngx_campfire_http_written(ngx_campfire_job_t *job)
{
    ngx_campfire_http_resume(job->data, job->rc);
}


static void
ngx_campfire_http_free_job(void *data)
{
    ngx_campfire_db_writer_free(data);
}


ngx_int_t
ngx_campfire_http_thread(ngx_campfire_ctx_t *ctx,
    ngx_campfire_http_work_pt work, void *data,
    ngx_campfire_http_done_pt done)
{
    ngx_thread_task_t  *task;

    task = ngx_thread_task_alloc(ctx->pool, sizeof(ngx_campfire_ctx_t *));
    if (task == NULL) {
        return NGX_ERROR;
    }

    *(ngx_campfire_ctx_t **) task->ctx = ctx;

    ctx->work = work;
    ctx->data = data;
    ctx->done = done;

    task->handler = ngx_campfire_http_thread_run;
    task->event.handler = ngx_campfire_http_thread_done;
    task->event.data = ctx;

    if (ngx_thread_task_post(ctx->instance->threads, task) != NGX_OK) {
        return NGX_BUSY;
    }

    ngx_campfire_http_suspend(ctx);

    return NGX_AGAIN;
}


static void
ngx_campfire_http_thread_run(void *data, ngx_log_t *log)
{
    ngx_campfire_ctx_t  *ctx = *(ngx_campfire_ctx_t **) data;

    ctx->work(ctx->data);
}


static void
ngx_campfire_http_thread_done(ngx_event_t *ev)
{
    ngx_campfire_http_resume(ev->data, NGX_OK);
}


static void
ngx_campfire_http_suspend(ngx_campfire_ctx_t *ctx)
{
    ngx_http_request_t  *r;

    r = ctx->request;

    r->main->blocked++;
    r->read_event_handler = ngx_http_block_reading;
    r->write_event_handler = ngx_http_request_empty_handler;

    ngx_memzero(&ctx->hold, sizeof(ngx_event_t));
    ctx->hold.handler = ngx_campfire_http_hold_handler;
    ctx->hold.data = ctx;
    ctx->hold.log = ngx_cycle->log;

    ngx_add_timer(&ctx->hold, NGX_CAMPFIRE_HTTP_HOLD);
}


static void
ngx_campfire_http_hold_handler(ngx_event_t *ev)
{
    ngx_add_timer(ev, NGX_CAMPFIRE_HTTP_HOLD);
}


static void
ngx_campfire_http_resume(ngx_campfire_ctx_t *ctx, ngx_int_t rc)
{
    ngx_connection_t    *c;
    ngx_http_request_t  *r;

    r = ctx->request;
    c = r->connection;

    r->main->blocked--;
    ngx_del_timer(&ctx->hold);

    if (rc == NGX_OK) {
        rc = ngx_campfire_db_begin_read(ctx->conn);

        if (rc == NGX_OK) {
            rc = ctx->done(ctx);

            if (ctx->conn) {
                ngx_campfire_db_end_read(ctx->conn);
            }
        }
    }

    if (rc == NGX_DECLINED && ctx->refused) {
        rc = ngx_campfire_http_send_head(ctx, ctx->refused);
    }

    rc = ngx_campfire_http_finish(ctx, rc);

    if (rc != NGX_AGAIN) {
        ngx_http_finalize_request(r, rc);
    }

    ngx_http_run_posted_requests(c);
}
