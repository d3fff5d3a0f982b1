
/*
 * The three cookies: session_token, last_room and _campfire_session, the
 * flash and the tokens against forgery that live in the last one.
 *
 * Cookies are sent when something changed, not on every answer as Rails does:
 * see "Re-issue" in auth.md §3.
 */

#include "http/ngx_campfire_http_session.h"
#include "base/ngx_campfire_base_escape.h"
#include "base/ngx_campfire_base_random.h"
#include "base/ngx_campfire_base_time.h"
#include "models/ngx_campfire_model_session.h"
#include "rails/ngx_campfire_rails_cookie.h"
#include "rails/ngx_campfire_rails_csrf.h"

#include <jansson.h>


#define NGX_CAMPFIRE_HTTP_SESSION_YEARS    20
#define NGX_CAMPFIRE_HTTP_SESSION_COOKIE   4096  /* bytes, as browsers keep */

#define NGX_CAMPFIRE_HTTP_SESSION_DELETE                                      \
    "session_token=; path=/; max-age=0;"                                      \
    " expires=Thu, 01 Jan 1970 00:00:00 GMT; samesite=lax"


static ngx_uint_t ngx_campfire_http_session_old(ngx_campfire_ctx_t *ctx,
    int64_t expires);
static ngx_int_t ngx_campfire_http_session_touch(ngx_campfire_ctx_t *ctx);
static void ngx_campfire_http_session_touched(ngx_campfire_job_t *job);
static ngx_int_t ngx_campfire_http_session_set(ngx_campfire_ctx_t *ctx,
    const char *name, ngx_str_t *value, const char *before,
    const char *after);
static ngx_int_t ngx_campfire_http_session_secret(ngx_campfire_ctx_t *ctx,
    u_char *secret);
static ngx_int_t ngx_campfire_http_session_sign(ngx_campfire_ctx_t *ctx,
    ngx_str_t *value);
static ngx_int_t ngx_campfire_http_session_encrypt(ngx_campfire_ctx_t *ctx,
    ngx_str_t *value);
static ngx_int_t ngx_campfire_http_session_escape(ngx_campfire_ctx_t *ctx,
    ngx_str_t *text, ngx_str_t *value);
static ngx_int_t ngx_campfire_http_session_unescape(ngx_campfire_ctx_t *ctx,
    ngx_str_t *value, ngx_str_t *text);
static ngx_int_t ngx_campfire_http_session_origin(ngx_campfire_ctx_t *ctx);
static ngx_uint_t ngx_campfire_http_session_is(ngx_str_t *text,
    const char *word);


static ngx_str_t  ngx_campfire_http_session_token_name =
    ngx_string("session_token");
static ngx_str_t  ngx_campfire_http_session_name =
    ngx_string("_campfire_session");


static ngx_int_t
ngx_campfire_http_session_escape(ngx_campfire_ctx_t *ctx, ngx_str_t *text,
    ngx_str_t *value)
{
    value->data = ngx_pnalloc(ctx->pool,
                       ngx_campfire_base_escape_cookie_len(text->data,
                                                           text->len));
    if (value->data == NULL) {
        return NGX_ERROR;
    }

    value->len = ngx_campfire_base_escape_cookie(value->data, text->data,
                                                 text->len)
                 - value->data;

    return NGX_OK;
}


static ngx_int_t
ngx_campfire_http_session_unescape(ngx_campfire_ctx_t *ctx, ngx_str_t *value,
    ngx_str_t *text)
{
    text->data = ngx_pnalloc(ctx->pool, value->len + 1);
    if (text->data == NULL) {
        return NGX_ERROR;
    }

    return ngx_campfire_base_unescape(text->data, &text->len, value->data,
                                      value->len,
                                      NGX_CAMPFIRE_BASE_UNESCAPE_COOKIE);
}


/* Cookies hold 20 years and are sent anew after one. */
static ngx_uint_t
ngx_campfire_http_session_old(ngx_campfire_ctx_t *ctx, int64_t expires)
{
    return expires
           && expires < ngx_campfire_base_time_years(ctx->now,
                                      NGX_CAMPFIRE_HTTP_SESSION_YEARS - 1)
                        / 1000;
}


/* What is forged counts as absent. */
ngx_int_t
ngx_campfire_http_session_token(ngx_campfire_ctx_t *ctx, ngx_str_t *token)
{
    json_t     *value;
    int64_t     expires;
    ngx_int_t   rc;
    ngx_str_t   raw, cookie, inner;

    rc = ngx_campfire_http_request_cookie(ctx->request, "session_token",
                                          &raw);
    if (rc != NGX_OK) {
        return rc;
    }

    rc = ngx_campfire_http_session_unescape(ctx, &raw, &cookie);
    if (rc != NGX_OK) {
        return rc;
    }

    rc = ngx_campfire_rails_cookie_verify(&ctx->instance->signers.signed_cookie,
                                    ctx->pool,
                                    &ngx_campfire_http_session_token_name,
                                    &cookie, ctx->now / 1000, &inner,
                                    &expires);
    if (rc != NGX_OK) {
        return rc;
    }

    value = json_loadb((char *) inner.data, inner.len, JSON_DECODE_ANY, NULL);

    if (!json_is_string(value)) {
        json_decref(value);
        return NGX_DECLINED;
    }

    token->len = json_string_length(value);
    token->data = ngx_pnalloc(ctx->pool, token->len + 1);

    if (token->data == NULL) {
        json_decref(value);
        return NGX_ERROR;
    }

    ngx_memcpy(token->data, json_string_value(value), token->len);
    json_decref(value);

    ctx->session_token_old = ngx_campfire_http_session_old(ctx, expires);

    return NGX_OK;
}


ngx_int_t
ngx_campfire_http_session_find(ngx_campfire_ctx_t *ctx)
{
    ngx_int_t             rc;
    ngx_str_t             token;
    ngx_campfire_user_t  *user;

    rc = ngx_campfire_http_session_token(ctx, &token);
    if (rc != NGX_OK) {
        return rc;
    }

    user = ngx_pcalloc(ctx->pool, sizeof(ngx_campfire_user_t));
    if (user == NULL) {
        return NGX_ERROR;
    }

    rc = ngx_campfire_model_session_find(ctx->conn, ctx->pool, &token,
                                         &ctx->session, user);
    if (rc != NGX_OK) {
        return rc;
    }

    ctx->user = user;

    if (ctx->session_token_old) {
        ctx->set_session_token = 1;
    }

    if (ctx->now - ctx->session.last_active_at
        > NGX_CAMPFIRE_MODEL_SESSION_IDLE)
    {
        return ngx_campfire_http_session_touch(ctx);
    }

    return NGX_OK;
}


/*
 * Activity is written behind the answer's back; many requests of one page may
 * ask for it, the write itself looks again and does it once.
 */
static ngx_int_t
ngx_campfire_http_session_touch(ngx_campfire_ctx_t *ctx)
{
    ngx_campfire_job_t                       *job;
    ngx_campfire_model_session_touch_args_t  *args;

    job = ngx_campfire_db_writer_job(ctx->instance);
    if (job == NULL) {
        return NGX_ERROR;
    }

    args = ngx_pcalloc(job->pool,
                       sizeof(ngx_campfire_model_session_touch_args_t));
    if (args == NULL) {
        ngx_campfire_db_writer_free(job);
        return NGX_ERROR;
    }

    args->session_id = ctx->session.id;
    args->ip_address.len = ctx->address.len;
    args->ip_address.data = ngx_pstrdup(job->pool, &ctx->address);

    if (ctx->user_agent.data) {
        args->user_agent.len = ctx->user_agent.len;
        args->user_agent.data = ngx_pstrdup(job->pool, &ctx->user_agent);
    }

    job->write = ngx_campfire_model_session_touch;
    job->args = args;
    job->done = ngx_campfire_http_session_touched;

    /* a full queue is no reason to refuse a page */
    (void) ngx_campfire_db_writer_post(job);

    ctx->set_session_token = 1;

    return NGX_OK;
}


static void
ngx_campfire_http_session_touched(ngx_campfire_job_t *job)
{
    ngx_campfire_db_writer_free(job);
}


ngx_int_t
ngx_campfire_http_session_load(ngx_campfire_ctx_t *ctx)
{
    int64_t    expires;
    ngx_int_t  rc;
    ngx_str_t  raw, cookie, inner;

    if (ctx->session_loaded) {
        return NGX_OK;
    }

    rc = ngx_campfire_http_request_cookie(ctx->request, "_campfire_session",
                                          &raw);

    if (rc == NGX_OK) {
        rc = ngx_campfire_http_session_unescape(ctx, &raw, &cookie);
    }

    if (rc == NGX_OK) {
        rc = ngx_campfire_rails_cookie_decrypt(
                 ctx->instance->keys.encrypted_cookie, ctx->pool,
                 &ngx_campfire_http_session_name, &cookie, ctx->now / 1000,
                 &inner, &expires);
    }

    if (rc == NGX_OK) {
        rc = ngx_campfire_rails_session_parse(ctx->pool, &inner,
                                              &ctx->cookie);
    }

    if (rc == NGX_ERROR) {
        return NGX_ERROR;
    }

    if (rc != NGX_OK
        && ngx_campfire_rails_session_new(ctx->pool, &ctx->cookie) != NGX_OK)
    {
        return NGX_ERROR;
    }

    ctx->session_loaded = 1;

    if (rc == NGX_OK && ngx_campfire_http_session_old(ctx, expires)) {
        ctx->session_changed = 1;
    }

    return NGX_OK;
}


ngx_int_t
ngx_campfire_http_session_reset(ngx_campfire_ctx_t *ctx)
{
    ctx->session_loaded = 1;
    ctx->session_changed = 1;

    return ngx_campfire_rails_session_new(ctx->pool, &ctx->cookie);
}


ngx_int_t
ngx_campfire_http_flash(ngx_campfire_ctx_t *ctx, const char *kind,
    const char *text)
{
    ngx_str_t  *slot;

    if (ngx_campfire_http_session_load(ctx) != NGX_OK) {
        return NGX_ERROR;
    }

    slot = (kind[0] == 'n') ? &ctx->cookie.notice : &ctx->cookie.alert;

    slot->data = (u_char *) text;
    slot->len = ngx_strlen(text);

    ctx->session_changed = 1;

    return NGX_OK;
}


/* The session's secret, made when there is none. */
static ngx_int_t
ngx_campfire_http_session_secret(ngx_campfire_ctx_t *ctx, u_char *secret)
{
    ngx_int_t  rc;

    if (ngx_campfire_http_session_load(ctx) != NGX_OK) {
        return NGX_ERROR;
    }

    rc = ngx_campfire_rails_session_secret(ctx->pool, &ctx->cookie, secret);

    if (rc == NGX_DECLINED) {
        ctx->session_changed = 1;
        rc = ngx_campfire_rails_session_set_secret(ctx->pool, &ctx->cookie,
                                                   secret);
    }

    return rc;
}


ngx_int_t
ngx_campfire_http_form_token(ngx_campfire_ctx_t *ctx, const char *path,
    const char *method, ngx_str_t *token)
{
    u_char     *p;
    u_char      real[NGX_CAMPFIRE_RAILS_CSRF_LEN];
    u_char      secret[NGX_CAMPFIRE_RAILS_CSRF_LEN];
    u_char      pad[NGX_CAMPFIRE_RAILS_CSRF_LEN];
    ngx_str_t   full, verb;

    full.len = ctx->instance->prefix.len + ngx_strlen(path);
    full.data = ngx_pnalloc(ctx->pool, full.len);
    if (full.data == NULL) {
        return NGX_ERROR;
    }

    p = ngx_cpymem(full.data, ctx->instance->prefix.data,
                   ctx->instance->prefix.len);
    ngx_memcpy(p, path, ngx_strlen(path));

    verb.data = (u_char *) method;
    verb.len = ngx_strlen(method);

    if (ngx_campfire_http_session_secret(ctx, real) != NGX_OK
        || ngx_campfire_rails_csrf_secret(real, &full, &verb, secret)
           != NGX_OK
        || ngx_campfire_base_random_bytes(pad, sizeof(pad)) != NGX_OK)
    {
        return NGX_ERROR;
    }

    return ngx_campfire_rails_csrf_mask(ctx->pool, pad, secret, token);
}


ngx_int_t
ngx_campfire_http_session_view(ngx_campfire_ctx_t *ctx)
{
    u_char  real[NGX_CAMPFIRE_RAILS_CSRF_LEN];
    u_char  secret[NGX_CAMPFIRE_RAILS_CSRF_LEN];
    u_char  pad[NGX_CAMPFIRE_RAILS_CSRF_LEN];

    if (ngx_campfire_http_session_secret(ctx, real) != NGX_OK
        || ngx_campfire_rails_csrf_secret(real, NULL, NULL, secret) != NGX_OK
        || ngx_campfire_rails_csrf_pad(ctx->instance->keys.csrf_mask, real,
                                       pad)
           != NGX_OK
        || ngx_campfire_rails_csrf_mask(ctx->pool, pad, secret,
                                        &ctx->view.csrf_token)
           != NGX_OK)
    {
        return NGX_ERROR;
    }

    if (ctx->frame) {
        return NGX_OK;
    }

    if (ctx->cookie.notice.data || ctx->cookie.alert.data) {
        ctx->view.notice = ctx->cookie.notice;
        ctx->view.alert = ctx->cookie.alert;

        ngx_str_null(&ctx->cookie.notice);
        ngx_str_null(&ctx->cookie.alert);

        ctx->session_changed = 1;
    }

    return NGX_OK;
}


/* Adds "name=value; path=/[; expires=…]" and what stands around secure. */
static ngx_int_t
ngx_campfire_http_session_set(ngx_campfire_ctx_t *ctx, const char *name,
    ngx_str_t *value, const char *before, const char *after)
{
    size_t     len;
    u_char     date[NGX_CAMPFIRE_BASE_TIME_LEN];
    ngx_str_t  line;

    len = ngx_campfire_base_time_http(date,
              ngx_campfire_base_time_years(ctx->now,
                                           NGX_CAMPFIRE_HTTP_SESSION_YEARS));

    if (ngx_strlen(name) + value->len > NGX_CAMPFIRE_HTTP_SESSION_COOKIE) {
        ngx_log_error(NGX_LOG_WARN, ctx->log, 0,
                      "campfire: cookie \"%s\" of %uz bytes is too long and "
                      "was not set", name, value->len);
        return NGX_OK;
    }

    line.data = ngx_pnalloc(ctx->pool, ngx_strlen(name) + value->len + len
                            + ngx_strlen(before) + ngx_strlen(after)
                            + sizeof("=; path=/; expires=; secure"));
    if (line.data == NULL) {
        return NGX_ERROR;
    }

    line.len = ngx_sprintf(line.data, "%s=%V; path=/; expires=%*s%s%s%s",
                           name, value, len, date, before,
                           ctx->https ? "; secure" : "", after)
               - line.data;

    return ngx_campfire_http_header(ctx, "Set-Cookie", &line);
}


/* The value of session_token, signed for 20 years. */
static ngx_int_t
ngx_campfire_http_session_sign(ngx_campfire_ctx_t *ctx, ngx_str_t *value)
{
    u_char     date[NGX_CAMPFIRE_BASE_TIME_LEN];
    ngx_str_t  inner, exp, text;

    /* tokens are base58 in new sessions, but anything in old databases */
    inner.data = ngx_pnalloc(ctx->pool, ctx->session.token.len * 6 + 2);
    if (inner.data == NULL) {
        return NGX_ERROR;
    }

    {
        char    *dump;
        json_t  *json;

        json = json_stringn((char *) ctx->session.token.data,
                            ctx->session.token.len);
        dump = json_dumps(json, JSON_ENCODE_ANY);
        json_decref(json);

        if (dump == NULL) {
            return NGX_ERROR;
        }

        inner.len = ngx_strlen(dump);
        ngx_memcpy(inner.data, dump, inner.len);
        free(dump);
    }

    exp.data = date;
    exp.len = ngx_campfire_base_time_json(date,
                  ngx_campfire_base_time_years(ctx->now,
                                          NGX_CAMPFIRE_HTTP_SESSION_YEARS));

    if (ngx_campfire_rails_cookie_sign(&ctx->instance->signers.signed_cookie,
                                       ctx->pool,
                                       &ngx_campfire_http_session_token_name,
                                       &inner, &exp, &text)
        != NGX_OK)
    {
        return NGX_ERROR;
    }

    return ngx_campfire_http_session_escape(ctx, &text, value);
}


static ngx_int_t
ngx_campfire_http_session_encrypt(ngx_campfire_ctx_t *ctx, ngx_str_t *value)
{
    u_char     iv[NGX_CAMPFIRE_RAILS_COOKIE_IV_LEN];
    u_char     date[NGX_CAMPFIRE_BASE_TIME_LEN];
    ngx_str_t  inner, exp, text;

    exp.data = date;
    exp.len = ngx_campfire_base_time_json(date,
                  ngx_campfire_base_time_years(ctx->now,
                                          NGX_CAMPFIRE_HTTP_SESSION_YEARS));

    if (ngx_campfire_rails_session_json(ctx->pool, &ctx->cookie, &inner)
        != NGX_OK
        || ngx_campfire_base_random_bytes(iv, sizeof(iv)) != NGX_OK
        || ngx_campfire_rails_cookie_encrypt(
               ctx->instance->keys.encrypted_cookie, ctx->pool,
               &ngx_campfire_http_session_name, &inner, &exp, iv, &text)
           != NGX_OK)
    {
        return NGX_ERROR;
    }

    return ngx_campfire_http_session_escape(ctx, &text, value);
}


ngx_int_t
ngx_campfire_http_session_cookies(ngx_campfire_ctx_t *ctx)
{
    u_char     *p;
    ngx_str_t   value;

    if (ctx->clear_session_token) {
        value.data = ngx_pnalloc(ctx->pool,
                                 sizeof(NGX_CAMPFIRE_HTTP_SESSION_DELETE)
                                 + sizeof("; secure"));
        if (value.data == NULL) {
            return NGX_ERROR;
        }

        p = ngx_cpymem(value.data, NGX_CAMPFIRE_HTTP_SESSION_DELETE,
                       sizeof(NGX_CAMPFIRE_HTTP_SESSION_DELETE) - 1);

        if (ctx->https) {
            p = ngx_cpymem(p, "; secure", sizeof("; secure") - 1);
        }

        value.len = p - value.data;

        if (ngx_campfire_http_header(ctx, "Set-Cookie", &value) != NGX_OK) {
            return NGX_ERROR;
        }

    } else if (ctx->set_session_token) {

        if (ngx_campfire_http_session_sign(ctx, &value) != NGX_OK
            || ngx_campfire_http_session_set(ctx, "session_token", &value,
                                             "; httponly; samesite=lax", "")
               != NGX_OK)
        {
            return NGX_ERROR;
        }
    }

    if (ctx->last_room) {
        value.data = ngx_pnalloc(ctx->pool, NGX_INT64_LEN);
        if (value.data == NULL) {
            return NGX_ERROR;
        }

        value.len = ngx_sprintf(value.data, "%L", ctx->last_room) - value.data;

        if (ngx_campfire_http_session_set(ctx, "last_room", &value,
                                          "; samesite=lax", "")
            != NGX_OK)
        {
            return NGX_ERROR;
        }
    }

    if (ctx->session_changed) {

        if (ngx_campfire_http_session_encrypt(ctx, &value) != NGX_OK
            || ngx_campfire_http_session_set(ctx, "_campfire_session", &value,
                                             "", "; httponly; samesite=lax")
               != NGX_OK)
        {
            return NGX_ERROR;
        }
    }

    return NGX_OK;
}


static ngx_uint_t
ngx_campfire_http_session_is(ngx_str_t *text, const char *word)
{
    return text->len == ngx_strlen(word)
           && ngx_strncasecmp(text->data, (u_char *) word, text->len) == 0;
}


/* Absent, or exactly where we are. */
static ngx_int_t
ngx_campfire_http_session_origin(ngx_campfire_ctx_t *ctx)
{
    ngx_str_t  *origin;

    origin = ngx_campfire_http_request_header(ctx->request, "origin");

    if (origin == NULL
        || (origin->len == ctx->base_url.len
            && ngx_memcmp(origin->data, ctx->base_url.data, origin->len)
               == 0))
    {
        return NGX_OK;
    }

    return NGX_DECLINED;
}


ngx_int_t
ngx_campfire_http_session_verify_csrf(ngx_campfire_ctx_t *ctx)
{
    u_char                real[NGX_CAMPFIRE_RAILS_CSRF_LEN];
    ngx_int_t             rc;
    ngx_str_t            *site, *tokens[2], path, method;
    ngx_uint_t            i;
    ngx_http_request_t   *r;

    r = ctx->request;

    if (ngx_campfire_http_session_origin(ctx) != NGX_OK) {
        return NGX_CAMPFIRE_UNPROCESSABLE;
    }

    site = ngx_campfire_http_request_header(r, "sec-fetch-site");

    if (site && ngx_campfire_http_session_is(site, "same-origin")) {
        return NGX_OK;
    }

    if (site && ngx_campfire_http_session_is(site, "cross-site")) {
        return NGX_CAMPFIRE_UNPROCESSABLE;
    }

    if (ngx_campfire_http_session_load(ctx) != NGX_OK) {
        return NGX_ERROR;
    }

    rc = ngx_campfire_rails_session_secret(ctx->pool, &ctx->cookie, real);

    if (rc != NGX_OK) {
        return (rc == NGX_ERROR) ? NGX_ERROR : NGX_CAMPFIRE_UNPROCESSABLE;
    }

    path = r->uri;
    while (path.len > 1 && path.data[path.len - 1] == '/') {
        path.len--;
    }

    switch (ctx->method) {
    case NGX_HTTP_POST:
        ngx_str_set(&method, "post");
        break;
    case NGX_HTTP_PUT:
        ngx_str_set(&method, "put");
        break;
    case NGX_HTTP_PATCH:
        ngx_str_set(&method, "patch");
        break;
    default:
        ngx_str_set(&method, "delete");
    }

    tokens[0] = ngx_campfire_http_param(ctx, "authenticity_token");
    tokens[1] = ngx_campfire_http_request_header(r, "x-csrf-token");

    for (i = 0; i < 2; i++) {
        if (tokens[i] == NULL || tokens[i]->len == 0) {
            continue;
        }

        rc = ngx_campfire_rails_csrf_verify(ctx->pool, real, &path, &method,
                                            tokens[i]);
        if (rc != NGX_DECLINED) {
            return rc;
        }
    }

    return NGX_CAMPFIRE_UNPROCESSABLE;
}
