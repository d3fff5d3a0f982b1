
/*
 * The JSON of Action Cable.
 *
 * An identifier is JSON inside a JSON string.  The client compares the text
 * of an answer with the one it sent, so the text is kept as it came; what it
 * says is read from a copy.
 */

#include "cable/ngx_campfire_cable_protocol.h"

#include <jansson.h>


static json_t *ngx_campfire_cable_protocol_load(const ngx_str_t *text);
static ngx_int_t ngx_campfire_cable_protocol_text(ngx_pool_t *pool,
    const json_t *value, ngx_str_t *text);
static ngx_int_t ngx_campfire_cable_protocol_id(const json_t *value,
    int64_t *id);
static ngx_int_t ngx_campfire_cable_protocol_id_text(const u_char *p,
    size_t len, int64_t *id);


static const char  *ngx_campfire_cable_protocol_commands[] = {
    "subscribe",
    "unsubscribe",
    "message"
};


/*
 * An object, or NULL.  A number too large for an integer is taken as a real
 * one, which then is no id.
 */
static json_t *
ngx_campfire_cable_protocol_load(const ngx_str_t *text)
{
    json_t  *root;

    root = json_loadb((const char *) text->data, text->len, JSON_ALLOW_NUL,
                      NULL);

    if (root == NULL) {
        root = json_loadb((const char *) text->data, text->len,
                          JSON_ALLOW_NUL|JSON_DECODE_INT_AS_REAL, NULL);
    }

    if (root && !json_is_object(root)) {
        json_decref(root);
        root = NULL;
    }

    return root;
}


static ngx_int_t
ngx_campfire_cable_protocol_text(ngx_pool_t *pool, const json_t *value,
    ngx_str_t *text)
{
    text->len = 0;
    text->data = NULL;

    if (!json_is_string(value)) {
        return NGX_DECLINED;
    }

    text->len = json_string_length(value);
    text->data = ngx_pnalloc(pool, text->len + 1);
    if (text->data == NULL) {
        return NGX_ERROR;
    }

    ngx_memcpy(text->data, json_string_value(value), text->len);

    return NGX_OK;
}


ngx_int_t
ngx_campfire_cable_protocol_command(ngx_pool_t *pool, const ngx_str_t *text,
    ngx_campfire_cable_command_t *command)
{
    json_t      *root, *value;
    size_t       len;
    ngx_int_t    rc;
    ngx_uint_t   i;
    const char  *word;

    root = ngx_campfire_cable_protocol_load(text);
    if (root == NULL) {
        return NGX_DECLINED;
    }

    rc = NGX_DECLINED;
    value = json_object_get(root, "command");

    if (!json_is_string(value)) {
        goto done;
    }

    word = json_string_value(value);
    len = json_string_length(value);

    for (i = 0; i < 3; i++) {
        if (strlen(ngx_campfire_cable_protocol_commands[i]) == len
            && ngx_memcmp(ngx_campfire_cable_protocol_commands[i], word, len)
               == 0)
        {
            break;
        }
    }

    if (i == 3) {
        goto done;
    }

    command->command = i;

    rc = ngx_campfire_cable_protocol_text(pool,
                                          json_object_get(root, "identifier"),
                                          &command->identifier);
    if (rc != NGX_OK) {
        goto done;
    }

    rc = ngx_campfire_cable_protocol_text(pool, json_object_get(root, "data"),
                                          &command->data);

    if (rc == NGX_DECLINED && command->command != NGX_CAMPFIRE_CABLE_MESSAGE) {
        rc = NGX_OK;
    }

done:

    json_decref(root);

    return rc;
}


ngx_int_t
ngx_campfire_cable_protocol_identifier(ngx_pool_t *pool,
    const ngx_str_t *text, ngx_campfire_cable_identifier_t *identifier)
{
    json_t     *root;
    ngx_int_t   rc;

    root = ngx_campfire_cable_protocol_load(text);
    if (root == NULL) {
        return NGX_DECLINED;
    }

    identifier->room_id = 0;
    identifier->has_room_id = 0;
    identifier->signed_stream_name.len = 0;
    identifier->signed_stream_name.data = NULL;

    rc = ngx_campfire_cable_protocol_text(pool,
                                          json_object_get(root, "channel"),
                                          &identifier->channel);
    if (rc != NGX_OK) {
        goto done;
    }

    if (identifier->channel.len > 2
        && ngx_memcmp(identifier->channel.data, "::", 2) == 0)
    {
        identifier->channel.data += 2;
        identifier->channel.len -= 2;
    }

    if (ngx_campfire_cable_protocol_id(json_object_get(root, "room_id"),
                                       &identifier->room_id)
        == NGX_OK)
    {
        identifier->has_room_id = 1;
    }

    rc = ngx_campfire_cable_protocol_text(pool,
                                  json_object_get(root, "signed_stream_name"),
                                  &identifier->signed_stream_name);
    if (rc == NGX_DECLINED) {
        rc = NGX_OK;
    }

done:

    json_decref(root);

    return rc;
}


/* As Rails casts to an integer; NGX_DECLINED: nothing, or out of range. */
static ngx_int_t
ngx_campfire_cable_protocol_id(const json_t *value, int64_t *id)
{
    double  real;

    if (value == NULL) {
        return NGX_DECLINED;
    }

    switch (json_typeof(value)) {

    case JSON_INTEGER:
        *id = json_integer_value(value);
        return NGX_OK;

    case JSON_REAL:
        real = json_real_value(value);

        if (!(real > -9e18 && real < 9e18)) {
            return NGX_DECLINED;
        }

        *id = (int64_t) real;
        return NGX_OK;

    case JSON_TRUE:
        *id = 1;
        return NGX_OK;

    case JSON_FALSE:
        *id = 0;
        return NGX_OK;

    case JSON_STRING:
        return ngx_campfire_cable_protocol_id_text(
                   (const u_char *) json_string_value(value),
                   json_string_length(value), id);

    default:
        return NGX_DECLINED;
    }
}


/* Blanks, a sign, digits with single underscores between; else 0. */
static ngx_int_t
ngx_campfire_cable_protocol_id_text(const u_char *p, size_t len, int64_t *id)
{
    int64_t        n;
    unsigned       minus;
    const u_char  *last;

    if (len == 0) {
        return NGX_DECLINED;
    }

    last = p + len;

    while (p < last && (*p == ' ' || (*p >= '\t' && *p <= '\r'))) {
        p++;
    }

    minus = 0;

    if (p < last && (*p == '-' || *p == '+')) {
        minus = (*p++ == '-');
    }

    for (n = 0; p < last && *p >= '0' && *p <= '9'; p++) {

        if (n > (INT64_MAX - 9) / 10) {
            return NGX_DECLINED;
        }

        n = n * 10 + (*p - '0');

        if (last - p > 2 && p[1] == '_') {
            p++;
        }
    }

    *id = minus ? -n : n;

    return NGX_OK;
}


ngx_int_t
ngx_campfire_cable_protocol_action(ngx_pool_t *pool, const ngx_str_t *data,
    ngx_str_t *action)
{
    json_t     *root;
    ngx_int_t   rc;

    root = ngx_campfire_cable_protocol_load(data);
    if (root == NULL) {
        return NGX_DECLINED;
    }

    rc = ngx_campfire_cable_protocol_text(pool,
                                          json_object_get(root, "action"),
                                          action);
    json_decref(root);

    return rc;
}


void
ngx_campfire_cable_protocol_welcome(ngx_campfire_buf_t *out)
{
    ngx_campfire_base_buf_lit(out, "{\"type\":\"welcome\"}");
}


void
ngx_campfire_cable_protocol_ping(ngx_campfire_buf_t *out, time_t now)
{
    ngx_campfire_base_buf_lit(out, "{\"type\":\"ping\",\"message\":");
    ngx_campfire_base_buf_int(out, now);
    ngx_campfire_base_buf_lit(out, "}");
}


void
ngx_campfire_cable_protocol_confirm(ngx_campfire_buf_t *out,
    ngx_str_t identifier)
{
    ngx_campfire_base_buf_lit(out, "{\"identifier\":\"");
    ngx_campfire_base_buf_json(out, identifier);
    ngx_campfire_base_buf_lit(out, "\",\"type\":\"confirm_subscription\"}");
}


void
ngx_campfire_cable_protocol_reject(ngx_campfire_buf_t *out,
    ngx_str_t identifier)
{
    ngx_campfire_base_buf_lit(out, "{\"identifier\":\"");
    ngx_campfire_base_buf_json(out, identifier);
    ngx_campfire_base_buf_lit(out, "\",\"type\":\"reject_subscription\"}");
}


void
ngx_campfire_cable_protocol_message(ngx_campfire_buf_t *out,
    ngx_str_t identifier, ngx_str_t message)
{
    ngx_campfire_base_buf_lit(out, "{\"identifier\":\"");
    ngx_campfire_base_buf_json(out, identifier);
    ngx_campfire_base_buf_lit(out, "\",\"message\":");
    ngx_campfire_base_buf_str(out, message);
    ngx_campfire_base_buf_lit(out, "}");
}


void
ngx_campfire_cable_protocol_disconnect(ngx_campfire_buf_t *out,
    const char *reason, ngx_uint_t reconnect)
{
    ngx_campfire_base_buf_lit(out, "{\"type\":\"disconnect\",\"reason\":");

    if (reason) {
        ngx_campfire_base_buf_lit(out, "\"");
        ngx_campfire_base_buf_append(out, reason, strlen(reason));
        ngx_campfire_base_buf_lit(out, "\"");

    } else {
        ngx_campfire_base_buf_lit(out, "null");
    }

    if (reconnect) {
        ngx_campfire_base_buf_lit(out, ",\"reconnect\":true}");

    } else {
        ngx_campfire_base_buf_lit(out, ",\"reconnect\":false}");
    }
}
