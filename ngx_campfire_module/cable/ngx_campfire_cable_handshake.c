
/*
 * The parts of the WebSocket handshake that are only about texts.
 */

#include "cable/ngx_campfire_cable_handshake.h"

#include <openssl/evp.h>


static ngx_uint_t ngx_campfire_cable_handshake_next(const ngx_str_t *value,
    size_t *pos, ngx_str_t *item);


static const ngx_str_t  ngx_campfire_cable_handshake_protocols[] = {
    ngx_string("actioncable-v1-json"),
    ngx_string("actioncable-unsupported")
};


ngx_uint_t
ngx_campfire_cable_handshake_has(const ngx_str_t *value,
    const ngx_str_t *token)
{
    size_t     pos;
    ngx_str_t  item;

    pos = 0;

    while (ngx_campfire_cable_handshake_next(value, &pos, &item)) {
        if (ngx_campfire_cable_handshake_is(&item, token)) {
            return 1;
        }
    }

    return 0;
}


/* The next item of a list without the blanks around it, maybe empty. */
static ngx_uint_t
ngx_campfire_cable_handshake_next(const ngx_str_t *value, size_t *pos,
    ngx_str_t *item)
{
    size_t  from, to;

    if (*pos > value->len) {
        return 0;
    }

    from = *pos;
    to = from;

    while (to < value->len && value->data[to] != ',') {
        to++;
    }

    *pos = to + 1;

    while (from < to
           && (value->data[from] == ' ' || value->data[from] == '\t'))
    {
        from++;
    }

    while (to > from
           && (value->data[to - 1] == ' ' || value->data[to - 1] == '\t'))
    {
        to--;
    }

    item->data = value->data + from;
    item->len = to - from;

    return 1;
}


ngx_uint_t
ngx_campfire_cable_handshake_is(const ngx_str_t *value,
    const ngx_str_t *word)
{
    size_t  i;
    u_char  c;

    if (value->len != word->len) {
        return 0;
    }

    for (i = 0; i < value->len; i++) {
        c = value->data[i];

        if (c >= 'A' && c <= 'Z') {
            c |= 0x20;
        }

        if (c != word->data[i]) {
            return 0;
        }
    }

    return 1;
}


ngx_uint_t
ngx_campfire_cable_handshake_key_valid(const ngx_str_t *key)
{
    size_t  i;
    u_char  c;

    if (key->len != 24 || key->data[22] != '=' || key->data[23] != '=') {
        return 0;
    }

    for (i = 0; i < 22; i++) {
        c = key->data[i];

        if (!((c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z')
              || (c >= '0' && c <= '9') || c == '+' || c == '/'))
        {
            return 0;
        }
    }

    return 1;
}


ngx_int_t
ngx_campfire_cable_handshake_accept(const ngx_str_t *key, u_char *accept)
{
    u_char            text[24 + 36], digest[EVP_MAX_MD_SIZE], base64[32];
    unsigned          len;
    static const char guid[] = "258EAFA5-E914-47DA-95CA-C5AB0DC85B11";

    if (key->len != 24) {
        return NGX_ERROR;
    }

    ngx_memcpy(text, key->data, 24);
    ngx_memcpy(text + 24, guid, 36);

    if (!EVP_Digest(text, sizeof(text), digest, &len, EVP_sha1(), NULL)
        || len != 20)
    {
        return NGX_ERROR;
    }

    (void) EVP_EncodeBlock(base64, digest, 20);

    ngx_memcpy(accept, base64, NGX_CAMPFIRE_CABLE_HANDSHAKE_ACCEPT);

    return NGX_OK;
}


const ngx_str_t *
ngx_campfire_cable_handshake_protocol(const ngx_str_t *list)
{
    size_t            pos;
    ngx_str_t         item;
    ngx_uint_t        i;
    const ngx_str_t  *known;

    pos = 0;

    while (ngx_campfire_cable_handshake_next(list, &pos, &item)) {

        for (i = 0; i < 2; i++) {
            known = &ngx_campfire_cable_handshake_protocols[i];

            if (item.len == known->len
                && ngx_memcmp(item.data, known->data, known->len) == 0)
            {
                return known;
            }
        }
    }

    return NULL;
}
