
/*
 * Random bytes and texts from the CSPRNG.
 */

#include "base/ngx_campfire_base_random.h"

#include <openssl/rand.h>


static const u_char  ngx_campfire_base_random_digits[] = "0123456789abcdef";


ngx_int_t
ngx_campfire_base_random_bytes(u_char *buf, size_t len)
{
    return RAND_bytes(buf, (int) len) == 1 ? NGX_OK : NGX_ERROR;
}


ngx_int_t
ngx_campfire_base_random_hex(ngx_pool_t *pool, size_t n, ngx_str_t *text)
{
    size_t   i;
    u_char  *p;

    p = ngx_pnalloc(pool, 2 * n);

    /* the second half is where the bytes lie until they are spelt out */
    if (p == NULL || ngx_campfire_base_random_bytes(p + n, n) != NGX_OK) {
        return NGX_ERROR;
    }

    text->data = p;
    text->len = 2 * n;

    for (i = 0; i < n; i++) {
        u_char  c = text->data[n + i];

        *p++ = ngx_campfire_base_random_digits[c >> 4];
        *p++ = ngx_campfire_base_random_digits[c & 0xf];
    }

    return NGX_OK;
}


ngx_int_t
ngx_campfire_base_random_text(ngx_pool_t *pool, const ngx_str_t *alphabet,
    size_t n, ngx_str_t *text)
{
    u_char    c, *p;
    unsigned  limit;

    p = ngx_pnalloc(pool, n);
    if (p == NULL) {
        return NGX_ERROR;
    }

    text->data = p;
    text->len = n;

    limit = 256 - 256 % (unsigned) alphabet->len;

    while (n) {
        if (ngx_campfire_base_random_bytes(&c, 1) != NGX_OK) {
            return NGX_ERROR;
        }

        if (c < limit) {
            *p++ = alphabet->data[c % alphabet->len];
            n--;
        }
    }

    return NGX_OK;
}


ngx_int_t
ngx_campfire_base_random_uuid(ngx_pool_t *pool, ngx_str_t *text)
{
    u_char      b[16], *p;
    ngx_uint_t  i;

    p = ngx_pnalloc(pool, 36);

    if (p == NULL || ngx_campfire_base_random_bytes(b, 16) != NGX_OK) {
        return NGX_ERROR;
    }

    text->data = p;
    text->len = 36;

    b[6] = (u_char) ((b[6] & 0x0f) | 0x40);
    b[8] = (u_char) ((b[8] & 0x3f) | 0x80);

    for (i = 0; i < 16; i++) {
        if (i == 4 || i == 6 || i == 8 || i == 10) {
            *p++ = '-';
        }

        *p++ = ngx_campfire_base_random_digits[b[i] >> 4];
        *p++ = ngx_campfire_base_random_digits[b[i] & 0xf];
    }

    return NGX_OK;
}
