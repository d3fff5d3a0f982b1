
/*
 * Answers: headers of routes.md §2.11, cookies, ETag, redirects and errors.
 */

#include "http/ngx_campfire_http.h"
#include "http/ngx_campfire_http_session.h"
#include "base/ngx_campfire_base_escape.h"
#include "base/ngx_campfire_base_random.h"
#include "views/ngx_campfire_view_errors.h"

/* the whole of it is in its header */
#define XXH_INLINE_ALL
#include <xxhash.h>


#define NGX_CAMPFIRE_HTTP_ETAG_LEN  36       /* W/"32 hex" */


typedef struct {
    ngx_uint_t    status;
    const char   *json;
} ngx_campfire_http_status_t;


static ngx_int_t ngx_campfire_http_common_headers(ngx_campfire_ctx_t *ctx);
static ngx_int_t ngx_campfire_http_request_id(ngx_campfire_ctx_t *ctx);
static ngx_int_t ngx_campfire_http_runtime(ngx_campfire_ctx_t *ctx);
static ngx_int_t ngx_campfire_http_etag(ngx_campfire_ctx_t *ctx,
    ngx_str_t *body);
static ngx_uint_t ngx_campfire_http_has_header(ngx_campfire_ctx_t *ctx,
    const char *name);
static ngx_uint_t ngx_campfire_http_etag_match(ngx_http_request_t *r,
    ngx_str_t *etag);
static ngx_int_t ngx_campfire_http_output(ngx_campfire_ctx_t *ctx,
    ngx_str_t *body);


static ngx_campfire_http_status_t  ngx_campfire_http_statuses[] = {
    { 400, "{\"status\":400,\"error\":\"Bad Request\"}" },
    { 403, "{\"status\":403,\"error\":\"Forbidden\"}" },
    { 404, "{\"status\":404,\"error\":\"Not Found\"}" },
    { 405, "{\"status\":405,\"error\":\"Method Not Allowed\"}" },
    { 406, "{\"status\":406,\"error\":\"Not Acceptable\"}" },
    { 413, "{\"status\":413,\"error\":\"Content Too Large\"}" },
    { 422, "{\"status\":422,\"error\":\"Unprocessable Content\"}" },
    { 500, "{\"status\":500,\"error\":\"Internal Server Error\"}" },
    { 503, "{\"status\":503,\"error\":\"Service Unavailable\"}" },
    { 0, NULL }
};


ngx_int_t
ngx_campfire_http_header(ngx_campfire_ctx_t *ctx, const char *name,
    ngx_str_t *value)
{
    ngx_table_elt_t  *h;

    h = ngx_list_push(&ctx->request->headers_out.headers);
    if (h == NULL) {
        return NGX_ERROR;
    }

    h->hash = 1;
    h->key.data = (u_char *) name;
    h->key.len = ngx_strlen(name);
    h->value = *value;
    h->lowcase_key = NULL;
#if (nginx_version >= 1023000)
    h->next = NULL;
#endif

    return NGX_OK;
}


static ngx_int_t
ngx_campfire_http_common_headers(ngx_campfire_ctx_t *ctx)
{
    ngx_uint_t                i;
    ngx_campfire_instance_t  *in;

    static struct {
        const char  *name;
        ngx_str_t    value;
    } fixed[] = {
        { "X-Frame-Options", ngx_string("SAMEORIGIN") },
        { "X-Content-Type-Options", ngx_string("nosniff") },
        { "X-Permitted-Cross-Domain-Policies", ngx_string("none") },
        { "Referrer-Policy", ngx_string("strict-origin-when-cross-origin") },
        { NULL, ngx_null_string }
    };
    static ngx_str_t  hsts =
                          ngx_string("max-age=63072000; includeSubDomains");
    static ngx_str_t  accept = ngx_string("Accept");

    in = ctx->instance;

    if (ngx_campfire_http_header(ctx, "X-Version", &in->version) != NGX_OK
        || ngx_campfire_http_header(ctx, "X-Rev", &in->revision) != NGX_OK)
    {
        return NGX_ERROR;
    }

    for (i = 0; fixed[i].name; i++) {
        if (ngx_campfire_http_header(ctx, fixed[i].name, &fixed[i].value)
            != NGX_OK)
        {
            return NGX_ERROR;
        }
    }

    if (ctx->https && in->ssl
        && ngx_campfire_http_header(ctx, "Strict-Transport-Security", &hsts)
           != NGX_OK)
    {
        return NGX_ERROR;
    }

    if (ctx->vary_accept
        && ngx_campfire_http_header(ctx, "Vary", &accept) != NGX_OK)
    {
        return NGX_ERROR;
    }

    if (ngx_campfire_http_request_id(ctx) != NGX_OK) {
        return NGX_ERROR;
    }

    return ngx_campfire_http_runtime(ctx);
}


/* The client's own id as far as it is harmless, else a fresh UUID. */
static ngx_int_t
ngx_campfire_http_request_id(ngx_campfire_ctx_t *ctx)
{
    u_char      c;
    size_t      i;
    ngx_str_t  *given, id;

    given = ngx_campfire_http_request_header(ctx->request, "x-request-id");

    if (given && given->len) {
        id.data = ngx_pnalloc(ctx->pool, ngx_min(given->len, 255));
        if (id.data == NULL) {
            return NGX_ERROR;
        }

        id.len = 0;

        for (i = 0; i < given->len && id.len < 255; i++) {
            c = given->data[i];

            if ((c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z')
                || (c >= '0' && c <= '9')
                || c == '_' || c == '@' || c == '-')
            {
                id.data[id.len++] = c;
            }
        }

        if (id.len) {
            return ngx_campfire_http_header(ctx, "X-Request-Id", &id);
        }
    }

    if (ngx_campfire_base_random_uuid(ctx->pool, &id) != NGX_OK) {
        return NGX_ERROR;
    }

    return ngx_campfire_http_header(ctx, "X-Request-Id", &id);
}


static ngx_int_t
ngx_campfire_http_runtime(ngx_campfire_ctx_t *ctx)
{
    int64_t         us;
    ngx_str_t       value;
    struct timeval  tv;

    ngx_gettimeofday(&tv);
    us = (int64_t) tv.tv_sec * 1000000 + tv.tv_usec - ctx->now;

    if (us < 0) {
        us = 0;
    }

    value.data = ngx_pnalloc(ctx->pool, NGX_INT64_LEN + 8);
    if (value.data == NULL) {
        return NGX_ERROR;
    }

    value.len = ngx_sprintf(value.data, "%L.%06L", us / 1000000,
                            us % 1000000)
                - value.data;

    return ngx_campfire_http_header(ctx, "X-Runtime", &value);
}


ngx_int_t
ngx_campfire_http_send_html(ngx_campfire_ctx_t *ctx, ngx_uint_t status,
    ngx_campfire_buf_t *out)
{
    ngx_str_t  body;

    if (ngx_campfire_http_format(ctx, NGX_CAMPFIRE_FORMAT_HTML) == 0) {
        return NGX_CAMPFIRE_HTTP_NOT_ACCEPTABLE;
    }

    if (ngx_campfire_base_buf_done(out, &body) != NGX_OK) {
        return NGX_ERROR;
    }

    return ngx_campfire_http_send(ctx, status, "text/html; charset=utf-8",
                                  &body);
}


ngx_int_t
ngx_campfire_http_send(ngx_campfire_ctx_t *ctx, ngx_uint_t status,
    const char *type, ngx_str_t *body)
{
    ngx_http_request_t  *r;

    r = ctx->request;
    ctx->answered = 1;

    if (ngx_campfire_http_common_headers(ctx) != NGX_OK
        || ngx_campfire_http_session_cookies(ctx) != NGX_OK)
    {
        return NGX_ERROR;
    }

    r->headers_out.status = status;
    r->headers_out.content_length_n = body->len;
    r->headers_out.content_type.data = (u_char *) type;
    r->headers_out.content_type.len = ngx_strlen(type);
    r->headers_out.content_type_len = r->headers_out.content_type.len;
    r->headers_out.content_type_lowcase = NULL;

    /* gzip and charset filters look at the type without parameters */
    while (r->headers_out.content_type_len) {
        u_char  *semicolon;

        semicolon = ngx_strlchr((u_char *) type, (u_char *) type
                                + r->headers_out.content_type_len, ';');
        if (semicolon == NULL) {
            break;
        }

        r->headers_out.content_type_len = semicolon - (u_char *) type;
    }

    if (status == NGX_HTTP_OK && body->len
        && (ctx->method == NGX_HTTP_GET || ctx->method == NGX_HTTP_HEAD))
    {
        if (ngx_campfire_http_etag(ctx, body) != NGX_OK) {
            return NGX_ERROR;
        }

        if (ngx_campfire_http_etag_match(r, &r->headers_out.etag->value)) {
            r->headers_out.status = NGX_HTTP_NOT_MODIFIED;
            r->headers_out.content_length_n = -1;
            r->headers_out.content_type.len = 0;
            r->header_only = 1;
        }
    }

    return ngx_campfire_http_output(ctx, body);
}


static ngx_int_t
ngx_campfire_http_output(ngx_campfire_ctx_t *ctx, ngx_str_t *body)
{
    ngx_int_t            rc;
    ngx_buf_t           *b;
    ngx_chain_t          out;
    ngx_http_request_t  *r;

    r = ctx->request;

    rc = ngx_http_send_header(r);
    if (rc == NGX_ERROR || rc > NGX_OK || r->header_only) {
        return rc;
    }

    if (body->len == 0) {
        return ngx_http_send_special(r, NGX_HTTP_LAST);
    }

    b = ngx_calloc_buf(r->pool);
    if (b == NULL) {
        return NGX_ERROR;
    }

    b->pos = body->data;
    b->last = body->data + body->len;
    b->memory = 1;
    b->last_buf = (r == r->main) ? 1 : 0;
    b->last_in_chain = 1;

    out.buf = b;
    out.next = NULL;

    return ngx_http_output_filter(r, &out);
}


static ngx_uint_t
ngx_campfire_http_has_header(ngx_campfire_ctx_t *ctx, const char *name)
{
    size_t            len;
    ngx_uint_t        i;
    ngx_list_part_t  *part;
    ngx_table_elt_t  *h;

    len = ngx_strlen(name);
    part = &ctx->request->headers_out.headers.part;
    h = part->elts;

    for (i = 0; /* void */ ; i++) {

        if (i >= part->nelts) {
            if (part->next == NULL) {
                return 0;
            }

            part = part->next;
            h = part->elts;
            i = 0;
        }

        if (h[i].key.len == len
            && ngx_strncasecmp(h[i].key.data, (u_char *) name, len) == 0)
        {
            return 1;
        }
    }
}


/*
 * Weak, since nginx may compress; and the default policy beside it.  Nothing
 * secret depends on the hash, it has to be fast for bodies of all sizes.
 */
static ngx_int_t
ngx_campfire_http_etag(ngx_campfire_ctx_t *ctx, ngx_str_t *body)
{
    u_char              *p;
    XXH128_hash_t        hash;
    ngx_table_elt_t     *etag;
    XXH128_canonical_t   digest;
    static ngx_str_t     policy =
                          ngx_string("max-age=0, private, must-revalidate");

    if (ctx->request->headers_out.etag == NULL) {

        hash = XXH3_128bits(body->data, body->len);
        XXH128_canonicalFromHash(&digest, hash);

        p = ngx_pnalloc(ctx->pool, NGX_CAMPFIRE_HTTP_ETAG_LEN);
        if (p == NULL) {
            return NGX_ERROR;
        }

        etag = ngx_list_push(&ctx->request->headers_out.headers);
        if (etag == NULL) {
            return NGX_ERROR;
        }

        etag->hash = 1;
        ngx_str_set(&etag->key, "ETag");
        etag->lowcase_key = NULL;
#if (nginx_version >= 1023000)
        etag->next = NULL;
#endif
        etag->value.data = p;
        etag->value.len = NGX_CAMPFIRE_HTTP_ETAG_LEN;

        p = ngx_cpymem(p, "W/\"", 3);
        p = ngx_hex_dump(p, digest.digest, 16);
        *p = '"';

        ctx->request->headers_out.etag = etag;
    }

    if (ngx_campfire_http_has_header(ctx, "Cache-Control")) {
        return NGX_OK;
    }

    return ngx_campfire_http_header(ctx, "Cache-Control", &policy);
}


/* If-None-Match by weak comparison (RFC 9110 §13.1.2). */
static ngx_uint_t
ngx_campfire_http_etag_match(ngx_http_request_t *r, ngx_str_t *etag)
{
    u_char     *p, *end;
    size_t      len;
    ngx_str_t  *given, opaque;

    if (r->headers_in.if_none_match == NULL) {
        return 0;
    }

    given = &r->headers_in.if_none_match->value;

    /* ours decides alone: keep nginx's not-modified filter out of it */
    r->disable_not_modified = 1;

    if (given->len == 1 && given->data[0] == '*') {
        return 1;
    }

    opaque.data = etag->data + 2;        /* without W/ */
    opaque.len = etag->len - 2;

    p = given->data;
    end = p + given->len;

    while (p < end) {
        while (p < end && (*p == ' ' || *p == ',')) {
            p++;
        }

        if (end - p > 2 && p[0] == 'W' && p[1] == '/') {
            p += 2;
        }

        len = opaque.len;

        if ((size_t) (end - p) >= len
            && ngx_memcmp(p, opaque.data, len) == 0
            && (p + len == end || p[len] == ',' || p[len] == ' '))
        {
            return 1;
        }

        while (p < end && *p != ',') {
            p++;
        }
    }

    return 0;
}


ngx_int_t
ngx_campfire_http_send_head(ngx_campfire_ctx_t *ctx, ngx_uint_t status)
{
    ngx_http_request_t  *r;
    static ngx_str_t     empty = ngx_string("");

    if (status == NGX_HTTP_NO_CONTENT) {
        r = ctx->request;
        ctx->answered = 1;

        if (ngx_campfire_http_common_headers(ctx) != NGX_OK
            || ngx_campfire_http_session_cookies(ctx) != NGX_OK)
        {
            return NGX_ERROR;
        }

        r->headers_out.status = status;
        r->headers_out.content_length_n = -1;
        r->header_only = 1;

        return ngx_http_send_header(r);
    }

    return ngx_campfire_http_send(ctx, status, "text/html", &empty);
}


ngx_int_t
ngx_campfire_http_redirect(ngx_campfire_ctx_t *ctx, const char *path)
{
    return ngx_campfire_http_redirect_to(ctx, "%s", path);
}


ngx_int_t
ngx_campfire_http_redirect_to(ngx_campfire_ctx_t *ctx, const char *fmt, ...)
{
    u_char     *p;
    size_t      size;
    va_list     args;
    ngx_str_t   url;

    /* paths are ids and literals, or an e-mail address of at most 4 KiB */
    size = ctx->base_url.len + ctx->instance->prefix.len + 16384;

    url.data = ngx_pnalloc(ctx->pool, size);
    if (url.data == NULL) {
        return NGX_ERROR;
    }

    p = ngx_cpymem(url.data, ctx->base_url.data, ctx->base_url.len);
    p = ngx_cpymem(p, ctx->instance->prefix.data, ctx->instance->prefix.len);

    va_start(args, fmt);
    p = ngx_vslprintf(p, url.data + size, fmt, args);
    va_end(args);

    url.len = p - url.data;

    return ngx_campfire_http_redirect_url(ctx, &url);
}


ngx_int_t
ngx_campfire_http_redirect_url(ngx_campfire_ctx_t *ctx, ngx_str_t *url)
{
    return ngx_campfire_http_redirect_status(ctx, NGX_HTTP_MOVED_TEMPORARILY,
                                             url);
}


ngx_int_t
ngx_campfire_http_redirect_status(ngx_campfire_ctx_t *ctx, ngx_uint_t status,
    ngx_str_t *url)
{
    static ngx_str_t  empty = ngx_string("");

    if (ngx_campfire_http_header(ctx, "Location", url) != NGX_OK) {
        return NGX_ERROR;
    }

    return ngx_campfire_http_send(ctx, status, "text/html; charset=utf-8",
                                  &empty);
}


ngx_int_t
ngx_campfire_http_public(ngx_campfire_ctx_t *ctx, ngx_str_t *policy)
{
    ctx->session_changed = 0;
    ctx->set_session_token = 0;
    ctx->clear_session_token = 0;
    ctx->last_room = 0;

    return ngx_campfire_http_header(ctx, "Cache-Control", policy);
}


ngx_int_t
ngx_campfire_http_error(ngx_campfire_ctx_t *ctx, ngx_int_t rc)
{
    ngx_str_t                    body;
    ngx_uint_t                   status;
    ngx_campfire_buf_t           out;
    ngx_campfire_http_status_t  *s;
    static ngx_str_t             retry = ngx_string("5");

    switch (rc) {
    case NGX_DECLINED:
        status = NGX_HTTP_NOT_FOUND;
        break;
    case NGX_BUSY:
        status = NGX_HTTP_SERVICE_UNAVAILABLE;
        break;
    default:
        status = (rc >= NGX_HTTP_SPECIAL_RESPONSE) ? (ngx_uint_t) rc
                                   : NGX_HTTP_INTERNAL_SERVER_ERROR;
    }

    /* an exception page sets no cookies */
    ctx->session_changed = 0;
    ctx->set_session_token = 0;
    ctx->last_room = 0;

    if (status == NGX_HTTP_SERVICE_UNAVAILABLE
        && ngx_campfire_http_header(ctx, "Retry-After", &retry) != NGX_OK)
    {
        return NGX_ERROR;
    }

    if (ngx_campfire_http_format(ctx, NGX_CAMPFIRE_FORMAT_JSON
                                      |NGX_CAMPFIRE_FORMAT_HTML)
        == NGX_CAMPFIRE_FORMAT_JSON)
    {
        for (s = ngx_campfire_http_statuses; s->status; s++) {
            if (s->status == status) {
                body.data = (u_char *) s->json;
                body.len = ngx_strlen(s->json);
                return ngx_campfire_http_send(ctx, status,
                                          "application/json; charset=utf-8",
                                          &body);
            }
        }
    }

    ngx_campfire_base_buf_init(&out, ctx->pool, 4096);

    if (ngx_campfire_view_errors_page(&ctx->view, status, &out) != NGX_OK) {
        return ngx_campfire_http_send_head(ctx, status);
    }

    if (ngx_campfire_base_buf_done(&out, &body) != NGX_OK) {
        return NGX_ERROR;
    }

    return ngx_campfire_http_send(ctx, status, "text/html; charset=utf-8",
                                  &body);
}
