
/*
 * The content of the cookie _campfire_session, a small JSON object.
 */

#include "rails/ngx_campfire_rails_session.h"
#include "base/ngx_campfire_base_base64.h"
#include "base/ngx_campfire_base_random.h"

#include <jansson.h>


static ngx_int_t ngx_campfire_rails_session_text(ngx_pool_t *pool,
    json_t *value, ngx_str_t *text);
static void ngx_campfire_rails_session_put(json_t *root, const char *key,
    const ngx_str_t *value);
static ngx_int_t ngx_campfire_rails_session_escape(ngx_pool_t *pool,
    const char *src, ngx_str_t *json);


ngx_int_t
ngx_campfire_rails_session_new(ngx_pool_t *pool,
    ngx_campfire_rails_session_t *session)
{
    ngx_memzero(session, sizeof(ngx_campfire_rails_session_t));

    return ngx_campfire_base_random_hex(pool, 16, &session->session_id);
}


ngx_int_t
ngx_campfire_rails_session_parse(ngx_pool_t *pool, const ngx_str_t *json,
    ngx_campfire_rails_session_t *session)
{
    json_t     *root, *flashes;
    ngx_int_t   rc;

    ngx_memzero(session, sizeof(ngx_campfire_rails_session_t));

    root = json_loadb((const char *) json->data, json->len, JSON_ALLOW_NUL,
                      NULL);

    if (!json_is_object(root)) {
        json_decref(root);
        return NGX_DECLINED;
    }

    session->json = *json;

    flashes = json_object_get(json_object_get(root, "flash"), "flashes");

    rc = NGX_OK;

    if (ngx_campfire_rails_session_text(pool,
                json_object_get(root, "session_id"), &session->session_id)
        != NGX_OK
        || ngx_campfire_rails_session_text(pool,
                json_object_get(root, "_csrf_token"), &session->csrf_token)
           != NGX_OK
        || ngx_campfire_rails_session_text(pool,
                json_object_get(flashes, "notice"), &session->notice)
           != NGX_OK
        || ngx_campfire_rails_session_text(pool,
                json_object_get(flashes, "alert"), &session->alert)
           != NGX_OK
        || ngx_campfire_rails_session_text(pool,
                json_object_get(root, "return_to_after_authenticating"),
                &session->return_to)
           != NGX_OK
        || (session->session_id.len == 0
            && ngx_campfire_base_random_hex(pool, 16, &session->session_id)
               != NGX_OK))
    {
        rc = NGX_ERROR;
    }

    json_decref(root);

    return rc;
}


/* What is not a string counts as not there. */
static ngx_int_t
ngx_campfire_rails_session_text(ngx_pool_t *pool, json_t *value,
    ngx_str_t *text)
{
    if (!json_is_string(value)) {
        return NGX_OK;
    }

    text->len = json_string_length(value);
    text->data = ngx_pnalloc(pool, text->len + 1);
    if (text->data == NULL) {
        return NGX_ERROR;
    }

    ngx_memcpy(text->data, json_string_value(value), text->len);

    return NGX_OK;
}


static void
ngx_campfire_rails_session_put(json_t *root, const char *key,
    const ngx_str_t *value)
{
    if (value->data == NULL) {
        (void) json_object_del(root, key);
        return;
    }

    (void) json_object_set_new(root, key,
                           json_stringn((const char *) value->data,
                                        value->len));
}


ngx_int_t
ngx_campfire_rails_session_json(ngx_pool_t *pool,
    const ngx_campfire_rails_session_t *session, ngx_str_t *json)
{
    char       *text;
    json_t     *root, *flash, *flashes;
    ngx_int_t   rc;

    root = json_loadb((const char *) session->json.data, session->json.len,
                      JSON_ALLOW_NUL, NULL);

    if (!json_is_object(root)) {
        json_decref(root);
        root = json_object();
    }

    ngx_campfire_rails_session_put(root, "session_id", &session->session_id);
    ngx_campfire_rails_session_put(root, "_csrf_token", &session->csrf_token);
    ngx_campfire_rails_session_put(root, "return_to_after_authenticating",
                                   &session->return_to);

    if (session->notice.data || session->alert.data) {
        flashes = json_object();
        ngx_campfire_rails_session_put(flashes, "notice", &session->notice);
        ngx_campfire_rails_session_put(flashes, "alert", &session->alert);

        flash = json_object();
        (void) json_object_set_new(flash, "discard", json_array());
        (void) json_object_set_new(flash, "flashes", flashes);
        (void) json_object_set_new(root, "flash", flash);

    } else {
        (void) json_object_del(root, "flash");
    }

    text = json_dumps(root, JSON_COMPACT|JSON_PRESERVE_ORDER);
    json_decref(root);

    if (text == NULL) {
        return NGX_ERROR;
    }

    rc = ngx_campfire_rails_session_escape(pool, text, json);
    free(text);

    return rc;
}


/* ActiveSupport writes these as escapes; they stand only in strings. */
static ngx_int_t
ngx_campfire_rails_session_escape(ngx_pool_t *pool, const char *src,
    ngx_str_t *json)
{
    u_char                *p;
    const char            *s;
    static const u_char    digits[] = "0123456789abcdef";

    p = ngx_pnalloc(pool, strlen(src) * 6 + 1);
    if (p == NULL) {
        return NGX_ERROR;
    }

    json->data = p;

    for (s = src; *s; s++) {

        if (*s == '<' || *s == '>' || *s == '&') {
            p = ngx_cpymem(p, "\\u00", 4);
            *p++ = digits[(u_char) *s >> 4];
            *p++ = digits[(u_char) *s & 0xf];

        } else if (strncmp(s, "\xe2\x80\xa8", 3) == 0
                   || strncmp(s, "\xe2\x80\xa9", 3) == 0)
        {
            p = ngx_cpymem(p, "\\u202", 5);
            *p++ = digits[(u_char) s[2] & 0xf];
            s += 2;

        } else {
            *p++ = (u_char) *s;
        }
    }

    json->len = p - json->data;

    return NGX_OK;
}


ngx_int_t
ngx_campfire_rails_session_secret(ngx_pool_t *pool,
    const ngx_campfire_rails_session_t *session, u_char *secret)
{
    ngx_int_t  rc;
    ngx_str_t  raw;

    if (session->csrf_token.len == 0) {
        return NGX_DECLINED;
    }

    rc = ngx_campfire_base_base64_decode(pool, &session->csrf_token, &raw);
    if (rc == NGX_ERROR) {
        return NGX_ERROR;
    }

    if (rc != NGX_OK || raw.len != NGX_CAMPFIRE_RAILS_SESSION_SECRET) {
        return NGX_DECLINED;
    }

    ngx_memcpy(secret, raw.data, NGX_CAMPFIRE_RAILS_SESSION_SECRET);

    return NGX_OK;
}


ngx_int_t
ngx_campfire_rails_session_set_secret(ngx_pool_t *pool,
    ngx_campfire_rails_session_t *session, u_char *secret)
{
    if (ngx_campfire_base_random_bytes(secret,
                                       NGX_CAMPFIRE_RAILS_SESSION_SECRET)
        != NGX_OK)
    {
        return NGX_ERROR;
    }

    return ngx_campfire_base_base64_encode(pool, NGX_CAMPFIRE_BASE64_URL,
                                           secret,
                                           NGX_CAMPFIRE_RAILS_SESSION_SECRET,
                                           &session->csrf_token);
}
