
/*
 * Global ids and the names of Turbo streams.
 */

#include "rails/ngx_campfire_rails_stream.h"

#include <jansson.h>
#include <stdio.h>


#define NGX_CAMPFIRE_RAILS_STREAM_GID  "gid://campfire/"


ngx_int_t
ngx_campfire_rails_stream_gid(ngx_pool_t *pool, const ngx_str_t *class_name,
    int64_t id, ngx_str_t *gid)
{
    int     n;
    u_char  text[128];

    n = snprintf((char *) text, sizeof(text),
                 NGX_CAMPFIRE_RAILS_STREAM_GID "%.*s/%lld",
                 (int) class_name->len, (char *) class_name->data,
                 (long long) id);

    if (n < 0 || n >= (int) sizeof(text)) {
        return NGX_ERROR;
    }

    return ngx_campfire_base_base64_encode(pool, NGX_CAMPFIRE_BASE64_URL,
                                           text, n, gid);
}


ngx_int_t
ngx_campfire_rails_stream_name(ngx_pool_t *pool, const ngx_str_t *class_name,
    int64_t id, const char *what, ngx_str_t *name)
{
    u_char     *p;
    size_t      len;
    ngx_str_t   gid;

    if (ngx_campfire_rails_stream_gid(pool, class_name, id, &gid) != NGX_OK) {
        return NGX_ERROR;
    }

    len = strlen(what);

    p = ngx_pnalloc(pool, gid.len + 1 + len);
    if (p == NULL) {
        return NGX_ERROR;
    }

    name->data = p;
    name->len = gid.len + 1 + len;

    p = ngx_cpymem(p, gid.data, gid.len);
    *p++ = ':';
    ngx_memcpy(p, what, len);

    return NGX_OK;
}


/* Names are ASCII without quotes, so the JSON string is the text in quotes. */
ngx_int_t
ngx_campfire_rails_stream_sign(ngx_campfire_rails_verifier_t *v,
    ngx_pool_t *pool, const ngx_str_t *name, ngx_str_t *text)
{
    ngx_str_t  json;

    json.len = name->len + 2;
    json.data = ngx_pnalloc(pool, json.len);
    if (json.data == NULL) {
        return NGX_ERROR;
    }

    json.data[0] = '"';
    ngx_memcpy(json.data + 1, name->data, name->len);
    json.data[json.len - 1] = '"';

    return ngx_campfire_rails_verifier_sign(v, pool, &json, text);
}


ngx_int_t
ngx_campfire_rails_stream_verify(ngx_campfire_rails_verifier_t *v,
    ngx_pool_t *pool, const ngx_str_t *text, ngx_str_t *name)
{
    json_t     *value;
    ngx_int_t   rc;
    ngx_str_t   payload;

    rc = ngx_campfire_rails_verifier_verify(v, pool, text, &payload);
    if (rc != NGX_OK) {
        return rc;
    }

    value = json_loadb((const char *) payload.data, payload.len,
                       JSON_DECODE_ANY, NULL);

    if (!json_is_string(value)) {
        json_decref(value);
        return NGX_DECLINED;
    }

    name->len = json_string_length(value);
    name->data = ngx_pnalloc(pool, name->len + 1);

    if (name->data == NULL) {
        json_decref(value);
        return NGX_ERROR;
    }

    ngx_memcpy(name->data, json_string_value(value), name->len);
    json_decref(value);

    return NGX_OK;
}


ngx_int_t
ngx_campfire_rails_stream_split(ngx_pool_t *pool, const ngx_str_t *name,
    ngx_str_t *class_name, int64_t *id, ngx_str_t *what)
{
    u_char     *p, *end;
    size_t      prefix;
    ngx_int_t   rc;
    ngx_str_t   gid, raw;

    p = memchr(name->data, ':', name->len);
    if (p == NULL) {
        return NGX_DECLINED;
    }

    gid.data = name->data;
    gid.len = p - name->data;

    what->data = p + 1;
    what->len = name->data + name->len - what->data;

    rc = ngx_campfire_base_base64_decode(pool, &gid, &raw);
    if (rc != NGX_OK) {
        return rc;
    }

    prefix = sizeof(NGX_CAMPFIRE_RAILS_STREAM_GID) - 1;

    if (raw.len <= prefix
        || memcmp(raw.data, NGX_CAMPFIRE_RAILS_STREAM_GID, prefix) != 0)
    {
        return NGX_DECLINED;
    }

    class_name->data = raw.data + prefix;
    end = raw.data + raw.len;

    p = memchr(class_name->data, '/', end - class_name->data);
    if (p == NULL || end - p < 2 || end - p > 19) {
        return NGX_DECLINED;
    }

    class_name->len = p - class_name->data;

    for (*id = 0, p++; p < end; p++) {
        if (*p < '0' || *p > '9') {
            return NGX_DECLINED;
        }

        *id = *id * 10 + (*p - '0');
    }

    return NGX_OK;
}
