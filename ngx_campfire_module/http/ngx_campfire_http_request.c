
/*
 * Reading a request into its context: path, method, formats, parameters.
 */

#include "http/ngx_campfire_http_request.h"
#include "base/ngx_campfire_base_cookie.h"
#include "base/ngx_campfire_base_json_form.h"
#include "base/ngx_campfire_base_multipart.h"
#include "base/ngx_campfire_base_utf8.h"

#include <sys/mman.h>


/* A form with files is looked through on the loop, so it has a bound. */
#define NGX_CAMPFIRE_HTTP_REQUEST_MULTIPART  (64 * 1024 * 1024)


typedef struct {
    void      *addr;
    size_t     size;
} ngx_campfire_http_mapping_t;


typedef struct {
    ngx_str_t    name;
    ngx_uint_t   value;
} ngx_campfire_http_request_name_t;


static ngx_int_t ngx_campfire_http_request_path(ngx_campfire_ctx_t *ctx);
static ngx_int_t ngx_campfire_http_request_base_url(ngx_campfire_ctx_t *ctx);
static ngx_int_t ngx_campfire_http_request_address(ngx_campfire_ctx_t *ctx);
static ngx_int_t ngx_campfire_http_request_body(ngx_campfire_ctx_t *ctx);
static ngx_int_t ngx_campfire_http_request_map(ngx_campfire_ctx_t *ctx,
    ngx_buf_t *b);
static void ngx_campfire_http_request_unmap(void *data);
static ngx_int_t ngx_campfire_http_request_params(ngx_campfire_ctx_t *ctx);
static ngx_int_t ngx_campfire_http_request_multipart(ngx_campfire_ctx_t *ctx);
static ngx_int_t ngx_campfire_http_request_method(ngx_campfire_ctx_t *ctx);
static void ngx_campfire_http_request_accept(ngx_campfire_ctx_t *ctx,
    ngx_str_t *accept);
static void ngx_campfire_http_request_want(ngx_campfire_ctx_t *ctx,
    ngx_uint_t format);


static ngx_campfire_http_request_name_t  ngx_campfire_http_methods[] = {
    { ngx_string("get"), NGX_HTTP_GET },
    { ngx_string("head"), NGX_HTTP_HEAD },
    { ngx_string("put"), NGX_HTTP_PUT },
    { ngx_string("post"), NGX_HTTP_POST },
    { ngx_string("delete"), NGX_HTTP_DELETE },
    { ngx_string("options"), NGX_HTTP_OPTIONS },
    { ngx_string("patch"), NGX_HTTP_PATCH },
    { ngx_string("link"), NGX_HTTP_TRACE },      /* no route has it: 404 */
    { ngx_string("unlink"), NGX_HTTP_TRACE },
    { ngx_null_string, 0 }
};


static ngx_campfire_http_request_name_t  ngx_campfire_http_suffixes[] = {
    { ngx_string("html"), NGX_CAMPFIRE_FORMAT_HTML },
    { ngx_string("turbo_stream"), NGX_CAMPFIRE_FORMAT_STREAM },
    { ngx_string("json"), NGX_CAMPFIRE_FORMAT_JSON },
    { ngx_string("js"), NGX_CAMPFIRE_FORMAT_JS },
    { ngx_string("svg"), NGX_CAMPFIRE_FORMAT_SVG },
    { ngx_null_string, 0 }
};


static ngx_campfire_http_request_name_t  ngx_campfire_http_types[] = {
    { ngx_string("text/html"), NGX_CAMPFIRE_FORMAT_HTML },
    { ngx_string("application/xhtml+xml"), NGX_CAMPFIRE_FORMAT_HTML },
    { ngx_string("text/vnd.turbo-stream.html"), NGX_CAMPFIRE_FORMAT_STREAM },
    { ngx_string("application/json"), NGX_CAMPFIRE_FORMAT_JSON },
    { ngx_string("text/x-json"), NGX_CAMPFIRE_FORMAT_JSON },
    { ngx_string("text/javascript"), NGX_CAMPFIRE_FORMAT_JS },
    { ngx_string("application/javascript"), NGX_CAMPFIRE_FORMAT_JS },
    { ngx_string("image/svg+xml"), NGX_CAMPFIRE_FORMAT_SVG },
    { ngx_string("*/*"), NGX_CAMPFIRE_FORMAT_ANY },
    { ngx_null_string, 0 }
};


ngx_int_t
ngx_campfire_http_request_parse(ngx_campfire_ctx_t *ctx)
{
    ngx_int_t            rc;
    ngx_str_t           *value;
    ngx_http_request_t  *r;

    r = ctx->request;

    /* first, for errors are told in the format asked for */
    ngx_campfire_http_request_formats(ctx);

    if (r->method == NGX_HTTP_UNKNOWN) {
        return NGX_HTTP_NOT_ALLOWED;
    }

    ctx->method = r->method;

    if (r->headers_in.user_agent) {
        ctx->user_agent = r->headers_in.user_agent->value;
    }

    value = ngx_campfire_http_request_header(r, "turbo-frame");
    ctx->frame = (value && value->len) ? 1 : 0;

    rc = ngx_campfire_http_request_base_url(ctx);
    if (rc != NGX_OK) {
        return rc;
    }

    rc = ngx_campfire_http_request_address(ctx);
    if (rc != NGX_OK) {
        return rc;
    }

    rc = ngx_campfire_http_request_path(ctx);
    if (rc != NGX_OK) {
        return rc;
    }

    rc = ngx_campfire_http_request_body(ctx);
    if (rc != NGX_OK) {
        return rc;
    }

    rc = ngx_campfire_http_request_params(ctx);
    if (rc != NGX_OK) {
        return rc;
    }

    return ngx_campfire_http_request_method(ctx);
}


ngx_str_t *
ngx_campfire_http_request_header(ngx_http_request_t *r, const char *name)
{
    size_t            len;
    ngx_uint_t        i;
    ngx_list_part_t  *part;
    ngx_table_elt_t  *h;

    len = ngx_strlen(name);
    part = &r->headers_in.headers.part;
    h = part->elts;

    for (i = 0; /* void */ ; i++) {

        if (i >= part->nelts) {
            if (part->next == NULL) {
                return NULL;
            }

            part = part->next;
            h = part->elts;
            i = 0;
        }

        if (h[i].key.len == len
            && ngx_strncmp(h[i].lowcase_key, name, len) == 0)
        {
            return &h[i].value;
        }
    }
}


ngx_int_t
ngx_campfire_http_request_cookie(ngx_http_request_t *r, const char *name,
    ngx_str_t *value)
{
    ngx_str_t          key;
    ngx_table_elt_t   *h;
#if (nginx_version < 1023000)
    ngx_uint_t         i;
    ngx_table_elt_t  **hs;
#endif

    key.data = (u_char *) name;
    key.len = ngx_strlen(name);

#if (nginx_version >= 1023000)

    for (h = r->headers_in.cookie; h; h = h->next) {
        if (ngx_campfire_base_cookie_find(&h->value, &key, value) == NGX_OK) {
            return NGX_OK;
        }
    }

#else

    hs = r->headers_in.cookies.elts;

    for (i = 0; i < r->headers_in.cookies.nelts; i++) {
        h = hs[i];

        if (ngx_campfire_base_cookie_find(&h->value, &key, value) == NGX_OK) {
            return NGX_OK;
        }
    }

#endif

    return NGX_DECLINED;
}


ngx_uint_t
ngx_campfire_http_request_is_type(ngx_http_request_t *r, const char *type)
{
    size_t      len;
    ngx_str_t  *value;

    if (r->headers_in.content_type == NULL) {
        return 0;
    }

    value = &r->headers_in.content_type->value;
    len = ngx_strlen(type);

    if (value->len < len
        || ngx_strncasecmp(value->data, (u_char *) type, len) != 0)
    {
        return 0;
    }

    return value->len == len || value->data[len] == ';'
           || value->data[len] == ' ';
}


/* Who the client thinks we are: the scheme the listener has, and Host. */
static ngx_int_t
ngx_campfire_http_request_base_url(ngx_campfire_ctx_t *ctx)
{
    u_char              *p;
    ngx_str_t            host;
    ngx_http_request_t  *r;

    r = ctx->request;

    ctx->https = ctx->instance->behind_tls ? 1 : 0;

#if (NGX_HTTP_SSL)
    if (r->connection->ssl) {
        ctx->https = 1;
    }
#endif

    if (r->headers_in.host) {
        host = r->headers_in.host->value;

    } else if (r->headers_in.server.len) {
        host = r->headers_in.server;        /* HTTP/1.0, or :authority */

    } else {
        ngx_str_set(&host, "localhost");
    }

    p = ngx_pnalloc(ctx->pool, sizeof("https://") - 1 + host.len);
    if (p == NULL) {
        return NGX_ERROR;
    }

    ctx->base_url.data = p;
    p = ngx_cpymem(p, ctx->https ? "https://" : "http://",
                   ctx->https ? 8 : 7);
    p = ngx_cpymem(p, host.data, host.len);
    ctx->base_url.len = p - ctx->base_url.data;

    return NGX_OK;
}


/* nginx's address after realip; an IPv4-mapped one in its IPv4 form. */
static ngx_int_t
ngx_campfire_http_request_address(ngx_campfire_ctx_t *ctx)
{
    ngx_str_t  *text;

    text = &ctx->request->connection->addr_text;
    ctx->address = *text;

    if (text->len > 7
        && ngx_strncasecmp(text->data, (u_char *) "::ffff:", 7) == 0
        && ngx_strlchr(text->data, text->data + text->len, '.'))
    {
        ctx->address.data += 7;
        ctx->address.len -= 7;
    }

    return NGX_OK;
}


/* Without the mount point, doubled and last slashes; UTF-8 or 400. */
static ngx_int_t
ngx_campfire_http_request_path(ngx_campfire_ctx_t *ctx)
{
    u_char      *p, *src, *end;
    ngx_str_t   *uri;

    uri = &ctx->request->uri;

    if (!ngx_campfire_base_utf8_valid(uri->data, uri->len)) {
        return NGX_HTTP_BAD_REQUEST;
    }

    src = uri->data + ctx->instance->prefix.len;
    end = uri->data + uri->len;

    p = ngx_pnalloc(ctx->pool, uri->len + 1);
    if (p == NULL) {
        return NGX_ERROR;
    }

    ctx->path.data = p;

    *p++ = '/';

    while (src < end) {
        if (*src == '/' && p[-1] == '/') {
            src++;
            continue;
        }

        *p++ = *src++;
    }

    if (p - ctx->path.data > 1 && p[-1] == '/') {
        p--;
    }

    ctx->path.len = p - ctx->path.data;

    return NGX_OK;
}


/* The body in one piece: in memory, or read back from nginx's file. */
static ngx_int_t
ngx_campfire_http_request_body(ngx_campfire_ctx_t *ctx)
{
    off_t                     size;
    u_char                   *p;
    ssize_t                   n;
    ngx_buf_t                *b;
    ngx_chain_t              *cl;
    ngx_http_request_body_t  *rb;

    rb = ctx->request->request_body;

    if (rb == NULL || rb->bufs == NULL) {
        return NGX_OK;
    }

    size = 0;

    for (cl = rb->bufs; cl; cl = cl->next) {
        size += ngx_buf_size(cl->buf);
    }

    if (size == 0) {
        return NGX_OK;
    }

    b = rb->bufs->buf;

    if (rb->bufs->next == NULL && !b->in_file) {
        ctx->body.data = b->pos;
        ctx->body.len = size;
        return NGX_OK;
    }

    if (ngx_campfire_http_request_is_type(ctx->request,
                                          "multipart/form-data")
        && rb->bufs->next == NULL)
    {
        return ngx_campfire_http_request_map(ctx, b);
    }

    if ((size_t) size > ctx->instance->form_limit) {
        return NGX_HTTP_REQUEST_ENTITY_TOO_LARGE;
    }

    p = ngx_pnalloc(ctx->pool, size);
    if (p == NULL) {
        return NGX_ERROR;
    }

    ctx->body.data = p;

    for (cl = rb->bufs; cl; cl = cl->next) {
        b = cl->buf;

        if (b->in_file) {
            n = ngx_read_file(b->file, p, b->file_last - b->file_pos,
                              b->file_pos);
            if (n != b->file_last - b->file_pos) {
                return NGX_ERROR;
            }

            p += n;

        } else {
            p = ngx_cpymem(p, b->pos, b->last - b->pos);
        }
    }

    ctx->body.len = p - ctx->body.data;

    return NGX_OK;
}


/*
 * A form with files, which nginx has written to a temporary file: seen where
 * it lies, for as long as the request lives.
 */
static ngx_int_t
ngx_campfire_http_request_map(ngx_campfire_ctx_t *ctx, ngx_buf_t *b)
{
    void                         *addr;
    size_t                        size;
    ngx_pool_cleanup_t           *cln;
    ngx_campfire_http_mapping_t  *mapping;

    size = b->file_last - b->file_pos;

    if (size > NGX_CAMPFIRE_HTTP_REQUEST_MULTIPART || b->file_pos != 0) {
        return NGX_HTTP_REQUEST_ENTITY_TOO_LARGE;
    }

    cln = ngx_pool_cleanup_add(ctx->pool,
                               sizeof(ngx_campfire_http_mapping_t));
    if (cln == NULL) {
        return NGX_ERROR;
    }

    addr = mmap(NULL, size, PROT_READ, MAP_PRIVATE, b->file->fd, 0);

    if (addr == MAP_FAILED) {
        ngx_log_error(NGX_LOG_CRIT, ctx->log, ngx_errno,
                      "campfire: mmap() of \"%V\" failed", &b->file->name);
        return NGX_ERROR;
    }

    mapping = cln->data;
    mapping->addr = addr;
    mapping->size = size;

    cln->handler = ngx_campfire_http_request_unmap;

    ctx->body.data = addr;
    ctx->body.len = size;

    return NGX_OK;
}


static void
ngx_campfire_http_request_unmap(void *data)
{
    ngx_campfire_http_mapping_t *mapping = data;

    (void) munmap(mapping->addr, mapping->size);
}


static ngx_int_t
ngx_campfire_http_request_params(ngx_campfire_ctx_t *ctx)
{
    ngx_int_t            rc;
    ngx_http_request_t  *r;

    r = ctx->request;

    if (ngx_campfire_base_form_parse(ctx->pool, &r->args, &ctx->query)
        != NGX_OK)
    {
        return NGX_HTTP_BAD_REQUEST;
    }

    if (ctx->body.len == 0) {
        return NGX_OK;
    }

    if (ngx_campfire_http_request_is_type(r, "multipart/form-data")) {
        return ngx_campfire_http_request_multipart(ctx);
    }

    if (ctx->body.len > ctx->instance->form_limit) {
        return NGX_HTTP_REQUEST_ENTITY_TOO_LARGE;
    }

    if (ngx_campfire_http_request_is_type(r, "application/json")) {
        rc = ngx_campfire_base_json_form_parse(ctx->pool, &ctx->body,
                                               &ctx->form);

    } else if (r->headers_in.content_type == NULL
               || ngx_campfire_http_request_is_type(r,
                                        "application/x-www-form-urlencoded"))
    {
        rc = ngx_campfire_base_form_parse(ctx->pool, &ctx->body, &ctx->form);

    } else {
        return NGX_OK;
    }

    return (rc == NGX_OK) ? NGX_OK : NGX_HTTP_BAD_REQUEST;
}


static ngx_int_t
ngx_campfire_http_request_multipart(ngx_campfire_ctx_t *ctx)
{
    ngx_str_t                     *type;
    ngx_uint_t                     i;
    ngx_campfire_base_multipart_t  parts;

    type = &ctx->request->headers_in.content_type->value;
    ctx->multipart = 1;

    if (ngx_campfire_base_multipart_parse(ctx->pool, type, &ctx->body, &parts)
        != NGX_OK)
    {
        return NGX_HTTP_BAD_REQUEST;
    }

    if (ngx_campfire_base_multipart_form(ctx->pool, &parts, &ctx->form)
        != NGX_OK)
    {
        return NGX_HTTP_BAD_REQUEST;
    }

    for (i = 0; i < parts.nparts; i++) {
        ctx->nfiles += parts.parts[i].file;
    }

    return NGX_OK;
}


/* Rack::MethodOverride: only POST, a form's body before the header. */
static ngx_int_t
ngx_campfire_http_request_method(ngx_campfire_ctx_t *ctx)
{
    ngx_str_t                         *value;
    ngx_str_t                          key = ngx_string("_method");
    ngx_campfire_http_request_name_t  *m;

    if (ctx->method != NGX_HTTP_POST) {
        return NGX_OK;
    }

    value = ngx_campfire_http_request_is_type(ctx->request,
                                              "application/json")
            ? NULL : ngx_campfire_base_form_last(&ctx->form, &key);

    if (value == NULL) {
        value = ngx_campfire_http_request_header(ctx->request,
                                                 "x-http-method-override");
    }

    if (value == NULL) {
        return NGX_OK;
    }

    for (m = ngx_campfire_http_methods; m->name.len; m++) {
        if (m->name.len == value->len
            && ngx_strncasecmp(m->name.data, value->data, value->len) == 0)
        {
            ctx->method = m->value;
            return NGX_OK;
        }
    }

    return NGX_OK;
}


/* routes.md §2.7: the suffix is known only after routing, see _format(). */
void
ngx_campfire_http_request_formats(ngx_campfire_ctx_t *ctx)
{
    ngx_str_t           *accept, *with;
    ngx_uint_t           several;
    ngx_http_request_t  *r;

    r = ctx->request;

    with = ngx_campfire_http_request_header(r, "x-requested-with");
    ctx->xhr = (with && with->len == sizeof("XMLHttpRequest") - 1
                && ngx_strncasecmp(with->data, (u_char *) "XMLHttpRequest",
                                   with->len) == 0);

    accept = ngx_campfire_http_request_header(r, "accept");

    if (accept && accept->len) {

        several = ngx_strlchr(accept->data, accept->data + accept->len, ',')
                  != NULL;

        if (ctx->xhr
            || !several
            || ngx_strnstr(accept->data, "*/*", accept->len) == NULL)
        {
            ctx->vary_accept = 1;
            ngx_campfire_http_request_accept(ctx, accept);
            return;
        }

    } else if (ctx->xhr) {
        ngx_campfire_http_request_want(ctx, NGX_CAMPFIRE_FORMAT_JS);
        return;
    }

    ngx_campfire_http_request_want(ctx, NGX_CAMPFIRE_FORMAT_HTML);
}


static void
ngx_campfire_http_request_accept(ngx_campfire_ctx_t *ctx, ngx_str_t *accept)
{
    u_char                            *p, *end, *from, *to;
    ngx_uint_t                         format;
    ngx_campfire_http_request_name_t  *t;

    p = accept->data;
    end = p + accept->len;

    while (p < end) {
        while (p < end && (*p == ' ' || *p == ',')) {
            p++;
        }

        from = p;

        while (p < end && *p != ',' && *p != ';') {
            p++;
        }

        to = p;

        while (to > from && to[-1] == ' ') {
            to--;
        }

        while (p < end && *p != ',') {
            p++;
        }

        if (to == from) {
            continue;
        }

        format = NGX_CAMPFIRE_FORMAT_OTHER;

        for (t = ngx_campfire_http_types; t->name.len; t++) {
            if (t->name.len == (size_t) (to - from)
                && ngx_strncasecmp(t->name.data, from, to - from) == 0)
            {
                format = t->value;
                break;
            }
        }

        ngx_campfire_http_request_want(ctx, format);
    }

    if (ctx->nformats == 0) {
        ngx_campfire_http_request_want(ctx, NGX_CAMPFIRE_FORMAT_HTML);
    }
}


static void
ngx_campfire_http_request_want(ngx_campfire_ctx_t *ctx, ngx_uint_t format)
{
    if (ctx->nformats
        < sizeof(ctx->formats) / sizeof(ctx->formats[0]))
    {
        ctx->formats[ctx->nformats++] = format;
    }
}


/* A suffix or a `format` parameter decides alone, else the Accept header. */
ngx_uint_t
ngx_campfire_http_format(ngx_campfire_ctx_t *ctx, ngx_uint_t mask)
{
    ngx_str_t                         *name;
    ngx_uint_t                         i, bit;
    ngx_campfire_http_request_name_t  *s;

    name = ctx->suffix.len ? &ctx->suffix
                           : ngx_campfire_http_param(ctx, "format");

    if (name && name->len) {
        ctx->vary_accept = 0;

        for (s = ngx_campfire_http_suffixes; s->name.len; s++) {
            if (s->name.len == name->len
                && ngx_strncmp(s->name.data, name->data, name->len) == 0)
            {
                return s->value & mask;
            }
        }

        return 0;
    }

    for (i = 0; i < ctx->nformats; i++) {

        if (ctx->formats[i] & NGX_CAMPFIRE_FORMAT_ANY) {
            for (bit = 1; bit < NGX_CAMPFIRE_FORMAT_OTHER; bit <<= 1) {
                if (bit & mask) {
                    return bit;
                }
            }
        }

        if (ctx->formats[i] & mask) {
            return ctx->formats[i];
        }
    }

    return 0;
}


ngx_str_t *
ngx_campfire_http_param(ngx_campfire_ctx_t *ctx, const char *name)
{
    ngx_str_t  key, *value;

    key.data = (u_char *) name;
    key.len = ngx_strlen(name);

    value = ngx_campfire_base_form_last(&ctx->form, &key);

    if (value == NULL) {
        value = ngx_campfire_base_form_last(&ctx->query, &key);
    }

    return value;
}


ngx_uint_t
ngx_campfire_http_param_hash(ngx_campfire_ctx_t *ctx, const char *name)
{
    size_t                           len;
    ngx_str_t                       *key;
    ngx_uint_t                       i, n;
    ngx_campfire_base_form_t        *form;

    len = ngx_strlen(name);
    form = &ctx->form;

    for (n = 0; n < 2; n++) {
        for (i = 0; i < form->npairs; i++) {
            key = &form->pairs[i].key;

            if (key->len > len + 2
                && ngx_strncmp(key->data, name, len) == 0
                && key->data[len] == '['
                && key->data[len + 1] != ']')
            {
                return 1;
            }
        }

        form = &ctx->query;
    }

    return 0;
}


ngx_int_t
ngx_campfire_http_id(ngx_campfire_ctx_t *ctx, ngx_uint_t n, int64_t *id)
{
    return ngx_campfire_http_parse_id(&ctx->params[n], id);
}


ngx_int_t
ngx_campfire_http_parse_id(const ngx_str_t *text, int64_t *id)
{
    size_t   i;
    int64_t  value;

    if (text->len == 0 || text->len > 18) {
        return NGX_DECLINED;
    }

    value = 0;

    for (i = 0; i < text->len; i++) {
        if (text->data[i] < '0' || text->data[i] > '9') {
            return NGX_DECLINED;
        }

        value = value * 10 + (text->data[i] - '0');
    }

    *id = value;

    return NGX_OK;
}
