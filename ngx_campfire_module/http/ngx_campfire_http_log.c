
/*
 * Variables for the access log (auth.md §17): paths and queries carry bot
 * keys, join codes and signed ids, so the log gets a masked request line.
 */

#include "http/ngx_campfire_http_log.h"
#include "http/ngx_campfire_http_route.h"


#define NGX_CAMPFIRE_HTTP_LOG_MASK  "[FILTERED]"


static ngx_int_t ngx_campfire_http_log_user_id(ngx_http_request_t *r,
    ngx_http_variable_value_t *v, uintptr_t data);
static ngx_int_t ngx_campfire_http_log_cache(ngx_http_request_t *r,
    ngx_http_variable_value_t *v, uintptr_t data);
static ngx_int_t ngx_campfire_http_log_request(ngx_http_request_t *r,
    ngx_http_variable_value_t *v, uintptr_t data);
static u_char *ngx_campfire_http_log_path(u_char *p, ngx_str_t *path,
    ngx_str_t *pattern);
static u_char *ngx_campfire_http_log_query(u_char *p, u_char *s, u_char *end);
static ngx_uint_t ngx_campfire_http_log_secret_segment(u_char *name,
    size_t len);
static ngx_uint_t ngx_campfire_http_log_secret_key(u_char *key, size_t len);


static ngx_http_variable_t  ngx_campfire_http_log_vars[] = {

    { ngx_string("campfire_user_id"), NULL, ngx_campfire_http_log_user_id,
      0, NGX_HTTP_VAR_NOCACHEABLE, 0 },

    { ngx_string("campfire_cache"), NULL, ngx_campfire_http_log_cache,
      0, NGX_HTTP_VAR_NOCACHEABLE, 0 },

    { ngx_string("campfire_request"), NULL, ngx_campfire_http_log_request,
      0, 0, 0 },

      ngx_http_null_variable
};


ngx_int_t
ngx_campfire_http_log_variables(ngx_conf_t *cf)
{
    ngx_http_variable_t  *var, *v;

    for (v = ngx_campfire_http_log_vars; v->name.len; v++) {
        var = ngx_http_add_variable(cf, &v->name, v->flags);
        if (var == NULL) {
            return NGX_ERROR;
        }

        var->get_handler = v->get_handler;
        var->data = v->data;
    }

    return NGX_OK;
}


static ngx_int_t
ngx_campfire_http_log_user_id(ngx_http_request_t *r,
    ngx_http_variable_value_t *v, uintptr_t data)
{
    ngx_campfire_ctx_t  *ctx;

    ctx = ngx_campfire_http_ctx(r);

    if (ctx == NULL || ctx->user == NULL) {
        v->not_found = 1;
        return NGX_OK;
    }

    v->data = ngx_pnalloc(r->pool, NGX_INT64_LEN);
    if (v->data == NULL) {
        return NGX_ERROR;
    }

    v->len = ngx_sprintf(v->data, "%L", ctx->user->id) - v->data;
    v->valid = 1;
    v->no_cacheable = 0;
    v->not_found = 0;

    return NGX_OK;
}


/* HIT and MISS: of what takes long, the messages. */
static ngx_int_t
ngx_campfire_http_log_cache(ngx_http_request_t *r,
    ngx_http_variable_value_t *v, uintptr_t data)
{
    ngx_str_t           *word;
    ngx_campfire_ctx_t  *ctx;
    static ngx_str_t     words[] = {
        ngx_string("-"), ngx_string("HIT"), ngx_string("MISS")
    };

    ctx = ngx_campfire_http_ctx(r);

    if (ctx == NULL) {
        v->not_found = 1;
        return NGX_OK;
    }

    word = &words[ctx->cache];

    v->data = word->data;
    v->len = word->len;

    v->valid = 1;
    v->no_cacheable = 0;
    v->not_found = 0;

    return NGX_OK;
}


static ngx_int_t
ngx_campfire_http_log_request(ngx_http_request_t *r,
    ngx_http_variable_value_t *v, uintptr_t data)
{
    u_char     *p, *query, *end;
    ngx_str_t   path, pattern;

    /* a mask is longer than what it hides by at most its own length */
    end = r->unparsed_uri.data + r->unparsed_uri.len;
    query = ngx_strlchr(r->unparsed_uri.data, end, '?');

    path.data = r->unparsed_uri.data;
    path.len = (query ? query : end) - path.data;

    v->data = ngx_pnalloc(r->pool, r->method_name.len + r->http_protocol.len
                          + r->unparsed_uri.len
                            * (sizeof(NGX_CAMPFIRE_HTTP_LOG_MASK) + 1) + 3);
    if (v->data == NULL) {
        return NGX_ERROR;
    }

    p = ngx_cpymem(v->data, r->method_name.data, r->method_name.len);
    *p++ = ' ';

    ngx_campfire_http_route_pattern(&path, &pattern);

    p = ngx_campfire_http_log_path(p, &path, &pattern);

    if (query) {
        *p++ = '?';
        p = ngx_campfire_http_log_query(p, query + 1, end);
    }

    *p++ = ' ';
    p = ngx_cpymem(p, r->http_protocol.data, r->http_protocol.len);

    v->len = p - v->data;
    v->valid = 1;
    v->no_cacheable = 0;
    v->not_found = 0;

    return NGX_OK;
}


/*
 * Walks path and pattern segment by segment.  A path that no route has is
 * masked like the bot API and the codes it may be a slip of.
 */
static u_char *
ngx_campfire_http_log_path(u_char *p, ngx_str_t *path, ngx_str_t *pattern)
{
    u_char  *s, *end, *seg, *name, *pend;

    s = path->data;
    end = s + path->len;
    name = pattern->data;
    pend = name + pattern->len;

    while (s < end) {

        if (*s == '/') {
            *p++ = *s++;
        }

        if (name < pend && *name == '/') {
            name++;
        }

        seg = s;
        while (s < end && *s != '/') {
            s++;
        }

        if (pattern->len && name < pend
            && ngx_campfire_http_log_secret_segment(name, pend - name))
        {
            p = ngx_cpymem(p, NGX_CAMPFIRE_HTTP_LOG_MASK,
                           sizeof(NGX_CAMPFIRE_HTTP_LOG_MASK) - 1);

        } else if (pattern->len == 0 && s - seg > 20) {
            p = ngx_cpymem(p, NGX_CAMPFIRE_HTTP_LOG_MASK,
                           sizeof(NGX_CAMPFIRE_HTTP_LOG_MASK) - 1);

        } else {
            p = ngx_cpymem(p, seg, s - seg);
        }

        while (name < pend && *name != '/') {
            name++;
        }
    }

    return p;
}


static ngx_uint_t
ngx_campfire_http_log_secret_segment(u_char *name, size_t len)
{
    ngx_uint_t  i;

    static const char  *secret[] = {
        ":bot_key", ":join_code", ":transfer_id", ":signed_id",
        ":signed_blob_id", ":encoded_key", ":encoded_token", ":avatar_id",
        ":encoded_url", NULL
    };

    for (i = 0; secret[i]; i++) {
        if (len >= ngx_strlen(secret[i])
            && ngx_strncmp(name, secret[i], ngx_strlen(secret[i])) == 0)
        {
            return 1;
        }
    }

    return 0;
}


static u_char *
ngx_campfire_http_log_query(u_char *p, u_char *s, u_char *end)
{
    u_char  *key, *eq, *next;

    while (s < end) {
        key = s;

        next = ngx_strlchr(s, end, '&');
        if (next == NULL) {
            next = end;
        }

        eq = ngx_strlchr(s, next, '=');

        if (eq && ngx_campfire_http_log_secret_key(key, eq - key)) {
            p = ngx_cpymem(p, key, eq + 1 - key);
            p = ngx_cpymem(p, NGX_CAMPFIRE_HTTP_LOG_MASK,
                           sizeof(NGX_CAMPFIRE_HTTP_LOG_MASK) - 1);
        } else {
            p = ngx_cpymem(p, key, next - key);
        }

        if (next < end) {
            *p++ = '&';
        }

        s = next + 1;
    }

    return p;
}


static ngx_uint_t
ngx_campfire_http_log_secret_key(u_char *key, size_t len)
{
    ngx_uint_t  i;

    static const char  *words[] = {
        "passw", "email", "secret", "token", "_key", "crypt", "salt",
        "certificate", "otp", "ssn", "cvv", "cvc", "endpoint", "body", NULL
    };

    for (i = 0; words[i]; i++) {
        if (ngx_strlcasestrn(key, key + len, (u_char *) words[i],
                             ngx_strlen(words[i]) - 1))
        {
            return 1;
        }
    }

    return 0;
}


ngx_int_t
ngx_campfire_http_log_route(ngx_http_request_t *r, ngx_str_t *value,
    ngx_http_variable_value_t *v)
{
    ngx_str_t  path, pattern;

    path.data = v->data;
    path.len = v->len;

    ngx_campfire_http_route_pattern(&path, &pattern);

    if (pattern.len == 0) {
        ngx_str_set(value, "-");
    } else {
        *value = pattern;
    }

    return NGX_OK;
}
