
/*
 * Signed ids: {"_rails":{"data":<id>,"exp":"<time>","pur":"user/…"}} in the
 * outer envelope of auth.md §2.3, exp left out when there is none.
 */

#include "rails/ngx_campfire_rails_signed_id.h"
#include "base/ngx_campfire_base_time.h"

#include <jansson.h>
#include <stdio.h>


static ngx_int_t ngx_campfire_rails_signed_id_data(json_t *data, int64_t *id);


ngx_int_t
ngx_campfire_rails_signed_id_sign(ngx_campfire_rails_verifier_t *v,
    ngx_pool_t *pool, int64_t id, const char *purpose, int64_t exp,
    ngx_str_t *text)
{
    size_t     len;
    u_char     time[NGX_CAMPFIRE_BASE_TIME_LEN];
    u_char     payload[192];
    ngx_str_t  str;

    if (exp) {
        len = ngx_campfire_base_time_json(time, exp);
        str.len = snprintf((char *) payload, sizeof(payload),
                           "{\"_rails\":{\"data\":%lld,\"exp\":\"%.*s\","
                           "\"pur\":\"%s\"}}", (long long) id, (int) len,
                           (char *) time, purpose);
    } else {
        str.len = snprintf((char *) payload, sizeof(payload),
                           "{\"_rails\":{\"data\":%lld,\"pur\":\"%s\"}}",
                           (long long) id, purpose);
    }

    str.data = payload;

    return ngx_campfire_rails_verifier_sign(v, pool, &str, text);
}


ngx_int_t
ngx_campfire_rails_signed_id_verify(ngx_campfire_rails_verifier_t *v,
    ngx_pool_t *pool, const ngx_str_t *text, const char *purpose, int64_t now,
    int64_t *id)
{
    json_t     *root, *rails, *data, *exp, *pur;
    int64_t     at;
    ngx_int_t   rc;
    ngx_str_t   payload;

    rc = ngx_campfire_rails_verifier_verify(v, pool, text, &payload);
    if (rc != NGX_OK) {
        return rc;
    }

    root = json_loadb((const char *) payload.data, payload.len, 0, NULL);
    rails = json_object_get(root, "_rails");
    data = json_object_get(rails, "data");
    exp = json_object_get(rails, "exp");
    pur = json_object_get(rails, "pur");

    rc = NGX_DECLINED;

    if (ngx_campfire_rails_signed_id_data(data, id) == NGX_OK
        && json_is_string(pur)
        && strcmp(json_string_value(pur), purpose) == 0)
    {
        if (exp == NULL || json_is_null(exp)) {
            rc = NGX_OK;

        } else if (json_is_string(exp)
                   && ngx_campfire_base_time_parse(
                          (const u_char *) json_string_value(exp),
                          json_string_length(exp), &at)
                      == NGX_OK
                   && now < at)
        {
            rc = NGX_OK;
        }
    }

    json_decref(root);

    return rc;
}


/* A number, or one in a string, which the reference looks up just as well. */
static ngx_int_t
ngx_campfire_rails_signed_id_data(json_t *data, int64_t *id)
{
    size_t       i;
    const char  *text;

    if (json_is_integer(data)) {
        *id = json_integer_value(data);
        return NGX_OK;
    }

    if (!json_is_string(data) || json_string_length(data) == 0
        || json_string_length(data) > 18)
    {
        return NGX_DECLINED;
    }

    text = json_string_value(data);

    for (*id = 0, i = 0; i < json_string_length(data); i++) {
        if (text[i] < '0' || text[i] > '9') {
            return NGX_DECLINED;
        }

        *id = *id * 10 + (text[i] - '0');
    }

    return NGX_OK;
}
