
/*
 * The request context and what actions do with it.
 *
 * An action is `ngx_int_t f(ngx_campfire_ctx_t *ctx)`.  It answers by
 * returning what a send function returned, or NGX_DECLINED (404 page),
 * NGX_BUSY (503), NGX_ERROR (500), an HTTP status (an error page or an empty
 * body, routes.md §2.12), or NGX_AGAIN when it handed work to the writer or
 * a thread and its `done` function will answer.
 */

#ifndef _NGX_CAMPFIRE_HTTP_H_INCLUDED_
#define _NGX_CAMPFIRE_HTTP_H_INCLUDED_


#include "ngx_campfire.h"

#include <ngx_http.h>

#include "base/ngx_campfire_base_form.h"
#include "rails/ngx_campfire_rails_session.h"
#include "db/ngx_campfire_db_writer.h"
#include "models/ngx_campfire_model.h"
#include "views/ngx_campfire_view.h"


#define NGX_CAMPFIRE_HTTP_PARAMS   4


/* What $campfire_cache says of an answer. */
typedef enum {
    NGX_CAMPFIRE_HTTP_CACHE_NONE = 0,      /* nothing of it is kept */
    NGX_CAMPFIRE_HTTP_CACHE_HIT,
    NGX_CAMPFIRE_HTTP_CACHE_MISS
} ngx_campfire_http_cache_e;


/* Statuses that nginx has no name for. */
#define NGX_CAMPFIRE_HTTP_NOT_ACCEPTABLE  406


typedef ngx_int_t (*ngx_campfire_action_pt)(ngx_campfire_ctx_t *ctx);

/* After a committed write or a finished thread: answers the request. */
typedef ngx_int_t (*ngx_campfire_http_done_pt)(ngx_campfire_ctx_t *ctx);

/* In a thread: no request, no pool of the request, only its own data. */
typedef void (*ngx_campfire_http_work_pt)(void *data);


/* Representations, in the mask an action can produce. */
#define NGX_CAMPFIRE_FORMAT_HTML     0x01
#define NGX_CAMPFIRE_FORMAT_STREAM   0x02
#define NGX_CAMPFIRE_FORMAT_JSON     0x04
#define NGX_CAMPFIRE_FORMAT_JS       0x08
#define NGX_CAMPFIRE_FORMAT_SVG      0x10
#define NGX_CAMPFIRE_FORMAT_OTHER    0x20    /* asked for, not known to us */
#define NGX_CAMPFIRE_FORMAT_ANY      0x40    /* the client takes anything */


/* Policy bits of a route. */
#define NGX_CAMPFIRE_ROUTE_OPEN      0x01    /* authentication is skipped */
#define NGX_CAMPFIRE_ROUTE_GUEST     0x02    /* signed in: 302 to / */
#define NGX_CAMPFIRE_ROUTE_BOT       0x04    /* a bot key may call it */
#define NGX_CAMPFIRE_ROUTE_NO_CSRF   0x08
#define NGX_CAMPFIRE_ROUTE_BARE      0x10    /* none of the before steps */


typedef struct {
    ngx_uint_t                      method;     /* NGX_HTTP_GET, ... */
    ngx_str_t                       pattern;    /* "/rooms/:room_id/refresh" */
    ngx_campfire_action_pt          action;     /* NULL: 404 */
    ngx_uint_t                      flags;
} ngx_campfire_route_t;


struct ngx_campfire_ctx_s {
    ngx_http_request_t             *request;
    ngx_campfire_instance_t        *instance;
    ngx_pool_t                     *pool;
    ngx_log_t                      *log;
    ngx_campfire_db_conn_t         *conn;       /* the loop's, in a snapshot */
    int64_t                         now;        /* microseconds */

    /* the request, parsed */

    const ngx_campfire_route_t     *route;
    ngx_uint_t                      method;     /* after _method */
    ngx_str_t                       path;       /* normalised, no prefix */
    ngx_str_t                       suffix;     /* "json" of ".json" */
    ngx_str_t                       params[NGX_CAMPFIRE_HTTP_PARAMS];
    ngx_str_t                       body;       /* raw, in one piece */
    ngx_campfire_base_form_t        form;       /* parameters of the body */
    ngx_campfire_base_form_t        query;
    ngx_uint_t                      formats[8]; /* wanted, in order */
    ngx_uint_t                      nformats;
    ngx_str_t                       base_url;
    ngx_str_t                       address;    /* of the client */
    ngx_str_t                       user_agent;

    unsigned                        https:1;
    unsigned                        frame:1;
    unsigned                        xhr:1;
    unsigned                        vary_accept:1;
    unsigned                        bot:1;      /* authenticated by key */
    unsigned                        session_loaded:1;
    unsigned                        session_changed:1;
    unsigned                        set_session_token:1;
    unsigned                        clear_session_token:1;
    unsigned                        session_token_old:1;
    unsigned                        multipart:1;
    unsigned                        answered:1;

    ngx_uint_t                      nfiles;     /* chosen in the form */

    /* who */

    ngx_campfire_session_t          session;    /* id 0: none */
    ngx_campfire_user_t            *user;       /* NULL: anonymous */
    ngx_campfire_account_t         *account;    /* NULL: before first run */
    ngx_campfire_rails_session_t    cookie;     /* _campfire_session */
    int64_t                         last_room;  /* cookie to set, or 0 */

    /* how it is answered */

    ngx_campfire_view_ctx_t         view;
    ngx_campfire_http_cache_e       cache;
    ngx_campfire_job_t             *job;        /* of the write under way */
    ngx_campfire_http_done_pt       done;
    ngx_campfire_http_work_pt       work;
    void                           *data;       /* of the action */
    ngx_uint_t                      refused;    /* status for a write's
                                                   NGX_DECLINED; 0: 404 */
    ngx_event_t                     hold;       /* keeps a quitting worker */
};


/* The content handler of every `campfire` location. */
ngx_int_t ngx_campfire_http_handler(ngx_http_request_t *r);

/* The instance whose location this request is in, or NULL. */
ngx_campfire_instance_t *ngx_campfire_instance(ngx_http_request_t *r);

/* The context of a request, or NULL if it is not ours. */
ngx_campfire_ctx_t *ngx_campfire_http_ctx(ngx_http_request_t *r);


/*
 * Parameters.  body before query; the last value of a repeated scalar wins.
 * NULL: absent (or a list or hash stands in its place).
 */
ngx_str_t *ngx_campfire_http_param(ngx_campfire_ctx_t *ctx, const char *name);

/* True if any parameter is `name[...]` with something in it. */
ngx_uint_t ngx_campfire_http_param_hash(ngx_campfire_ctx_t *ctx,
    const char *name);

/*
 * Number n of the path, an id of 1 to 18 digits.  NGX_DECLINED otherwise, so
 * that the answer is 404.
 */
ngx_int_t ngx_campfire_http_id(ngx_campfire_ctx_t *ctx, ngx_uint_t n,
    int64_t *id);
ngx_int_t ngx_campfire_http_parse_id(const ngx_str_t *text, int64_t *id);

/* The first wanted format that mask holds, or 0 (answer 406). */
ngx_uint_t ngx_campfire_http_format(ngx_campfire_ctx_t *ctx, ngx_uint_t mask);


/*
 * Answers.  Bodies must live as long as the request (ctx->pool or a job,
 * which does).  All set the headers of routes.md §2.11 and the cookies.
 */

/* An HTML page or fragment made in out; 406 when HTML was not wanted. */
ngx_int_t ngx_campfire_http_send_html(ngx_campfire_ctx_t *ctx,
    ngx_uint_t status, ngx_campfire_buf_t *out);
ngx_int_t ngx_campfire_http_send(ngx_campfire_ctx_t *ctx, ngx_uint_t status,
    const char *type, ngx_str_t *body);
ngx_int_t ngx_campfire_http_send_head(ngx_campfire_ctx_t *ctx,
    ngx_uint_t status);

/* 302 to a path of this Campfire ("/rooms/1"), or to an absolute URL. */
ngx_int_t ngx_campfire_http_redirect(ngx_campfire_ctx_t *ctx,
    const char *path);
ngx_int_t ngx_campfire_http_redirect_to(ngx_campfire_ctx_t *ctx,
    const char *fmt, ...);              /* ngx_sprintf formats, a path */
ngx_int_t ngx_campfire_http_redirect_url(ngx_campfire_ctx_t *ctx,
    ngx_str_t *url);
ngx_int_t ngx_campfire_http_redirect_status(ngx_campfire_ctx_t *ctx,
    ngx_uint_t status, ngx_str_t *url);

/* The page, JSON or empty body of a failure. */
ngx_int_t ngx_campfire_http_error(ngx_campfire_ctx_t *ctx, ngx_int_t rc);

/* A header of the answer; both strings must outlive the request. */
ngx_int_t ngx_campfire_http_header(ngx_campfire_ctx_t *ctx, const char *name,
    ngx_str_t *value);

/* The answer may be kept by shared caches: this policy, and no cookies. */
ngx_int_t ngx_campfire_http_public(ngx_campfire_ctx_t *ctx,
    ngx_str_t *policy);


/* The session cookie: loaded once on demand; the setters mark it changed. */
ngx_int_t ngx_campfire_http_session_load(ngx_campfire_ctx_t *ctx);
ngx_int_t ngx_campfire_http_session_reset(ngx_campfire_ctx_t *ctx);
ngx_int_t ngx_campfire_http_flash(ngx_campfire_ctx_t *ctx, const char *kind,
    const char *text);                  /* "notice" or "alert", next page */
/* The token for one form without scripts, masked with a random pad. */
ngx_int_t ngx_campfire_http_form_token(ngx_campfire_ctx_t *ctx,
    const char *path, const char *method, ngx_str_t *token);

/*
 * Fills ctx->view for a full page: account, viewer, token, flash (which is
 * taken from the cookie unless this is a frame).
 */
ngx_int_t ngx_campfire_http_view_init(ngx_campfire_ctx_t *ctx);


/*
 * Hands a write to the writer and suspends the request.  On success done()
 * answers, with ctx->job's body, id and text at hand; any other result of
 * the write is answered as an error.  Returns NGX_AGAIN, or NGX_BUSY.
 */
ngx_int_t ngx_campfire_http_write(ngx_campfire_ctx_t *ctx,
    ngx_campfire_write_pt write, void *args, ngx_campfire_answer_pt answer,
    ngx_campfire_http_done_pt done);

/* Like http_write for slow pure work in the thread pool. */
ngx_int_t ngx_campfire_http_thread(ngx_campfire_ctx_t *ctx,
    ngx_campfire_http_work_pt work, void *data,
    ngx_campfire_http_done_pt done);


#endif /* _NGX_CAMPFIRE_HTTP_H_INCLUDED_ */
