
/*
 * Base64 in the three forms that Rails writes, and one tolerant reader
 * (auth.md: "decoder accepts missing or present padding and also +/").
 */

#include "base/ngx_campfire_base_base64.h"


static const u_char  ngx_campfire_base_base64_std[] =
    "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
static const u_char  ngx_campfire_base_base64_url[] =
    "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";


ngx_int_t
ngx_campfire_base_base64_encode(ngx_pool_t *pool, ngx_campfire_base64_e form,
    const u_char *src, size_t len, ngx_str_t *dst)
{
    u_char        *p;
    size_t         left;
    uint32_t       v;
    const u_char  *abc;

    abc = (form == NGX_CAMPFIRE_BASE64) ? ngx_campfire_base_base64_std
                                        : ngx_campfire_base_base64_url;

    dst->data = ngx_pnalloc(pool, (len + 2) / 3 * 4 + 1);
    if (dst->data == NULL) {
        return NGX_ERROR;
    }

    p = dst->data;

    for (left = len; left >= 3; left -= 3, src += 3) {
        v = (uint32_t) src[0] << 16 | (uint32_t) src[1] << 8 | src[2];
        *p++ = abc[v >> 18];
        *p++ = abc[v >> 12 & 63];
        *p++ = abc[v >> 6 & 63];
        *p++ = abc[v & 63];
    }

    if (left) {
        v = (uint32_t) src[0] << 16;
        if (left == 2) {
            v |= (uint32_t) src[1] << 8;
        }

        *p++ = abc[v >> 18];
        *p++ = abc[v >> 12 & 63];

        if (left == 2) {
            *p++ = abc[v >> 6 & 63];
        }

        if (form != NGX_CAMPFIRE_BASE64_URL) {
            *p++ = '=';
            if (left == 1) {
                *p++ = '=';
            }
        }
    }

    dst->len = (size_t) (p - dst->data);

    return NGX_OK;
}


static int
ngx_campfire_base_base64_value(u_char c)
{
    if (c >= 'A' && c <= 'Z') {
        return c - 'A';
    }

    if (c >= 'a' && c <= 'z') {
        return c - 'a' + 26;
    }

    if (c >= '0' && c <= '9') {
        return c - '0' + 52;
    }

    if (c == '+' || c == '-') {
        return 62;
    }

    return (c == '/' || c == '_') ? 63 : -1;
}


ngx_int_t
ngx_campfire_base_base64_decode(ngx_pool_t *pool, const ngx_str_t *src,
    ngx_str_t *dst)
{
    int        c;
    u_char    *p;
    size_t     i, len, pad;
    uint32_t   v, bits;

    len = src->len;

    for (pad = 0; len && src->data[len - 1] == '=' && pad < 2; pad++) {
        len--;
    }

    if (len % 4 == 1 || (pad && (len + pad) % 4 != 0)) {
        return NGX_DECLINED;
    }

    dst->data = ngx_pnalloc(pool, len / 4 * 3 + 3);
    if (dst->data == NULL) {
        return NGX_ERROR;
    }

    p = dst->data;
    v = 0;
    bits = 0;

    for (i = 0; i < len; i++) {
        c = ngx_campfire_base_base64_value(src->data[i]);
        if (c < 0) {
            return NGX_DECLINED;
        }

        v = (v << 6 | (uint32_t) c) & 0xffff;
        bits += 6;

        if (bits >= 8) {
            bits -= 8;
            *p++ = (u_char) (v >> bits);
        }
    }

    if (v & ((1u << bits) - 1)) {
        return NGX_DECLINED;
    }

    dst->len = (size_t) (p - dst->data);

    return NGX_OK;
}
