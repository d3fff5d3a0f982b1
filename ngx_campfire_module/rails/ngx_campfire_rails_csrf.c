
/*
 * Forgery tokens as ActionController makes and accepts them (auth.md 7).
 */

#include "rails/ngx_campfire_rails_csrf.h"
#include "base/ngx_campfire_base_base64.h"

#include <openssl/crypto.h>
#include <openssl/evp.h>
#include <openssl/hmac.h>


static ngx_int_t
ngx_campfire_rails_csrf_hmac(const u_char *key, const u_char *data,
    size_t len, u_char *out)
{
    unsigned int  n;

    if (HMAC(EVP_sha256(), key, NGX_CAMPFIRE_RAILS_CSRF_LEN, data, len, out,
             &n)
        == NULL)
    {
        return NGX_ERROR;
    }

    return NGX_OK;
}


ngx_int_t
ngx_campfire_rails_csrf_secret(const u_char *real, const ngx_str_t *path,
    const ngx_str_t *method, u_char *secret)
{
    u_char     *p, *data;
    size_t      len;
    ngx_int_t   rc;

    if (path == NULL) {
        return ngx_campfire_rails_csrf_hmac(real,
                                            (u_char *) "!real_csrf_token",
                                            sizeof("!real_csrf_token") - 1,
                                            secret);
    }

    len = path->len + 1 + method->len;

    data = OPENSSL_malloc(len);
    if (data == NULL) {
        return NGX_ERROR;
    }

    p = ngx_cpymem(data, path->data, path->len);
    *p++ = '#';
    ngx_memcpy(p, method->data, method->len);

    rc = ngx_campfire_rails_csrf_hmac(real, data, len, secret);

    OPENSSL_free(data);

    return rc;
}


ngx_int_t
ngx_campfire_rails_csrf_mask(ngx_pool_t *pool, const u_char *pad,
    const u_char *secret, ngx_str_t *token)
{
    u_char      raw[2 * NGX_CAMPFIRE_RAILS_CSRF_LEN];
    ngx_uint_t  i;

    for (i = 0; i < NGX_CAMPFIRE_RAILS_CSRF_LEN; i++) {
        raw[i] = pad[i];
        raw[NGX_CAMPFIRE_RAILS_CSRF_LEN + i] = pad[i] ^ secret[i];
    }

    return ngx_campfire_base_base64_encode(pool, NGX_CAMPFIRE_BASE64_URL, raw,
                                           sizeof(raw), token);
}


ngx_int_t
ngx_campfire_rails_csrf_pad(const u_char *mask_key, const u_char *real,
    u_char *pad)
{
    return ngx_campfire_rails_csrf_hmac(mask_key, real,
                                        NGX_CAMPFIRE_RAILS_CSRF_LEN, pad);
}


ngx_int_t
ngx_campfire_rails_csrf_verify(ngx_pool_t *pool, const u_char *real,
    const ngx_str_t *path, const ngx_str_t *method, const ngx_str_t *token)
{
    u_char      secret[NGX_CAMPFIRE_RAILS_CSRF_LEN];
    u_char      given[NGX_CAMPFIRE_RAILS_CSRF_LEN];
    ngx_int_t   rc;
    ngx_str_t   raw;
    ngx_uint_t  i, ok;

    rc = ngx_campfire_base_base64_decode(pool, token, &raw);
    if (rc != NGX_OK) {
        return rc;
    }

    if (raw.len == NGX_CAMPFIRE_RAILS_CSRF_LEN) {
        return CRYPTO_memcmp(raw.data, real, raw.len) ? NGX_DECLINED : NGX_OK;
    }

    if (raw.len != 2 * NGX_CAMPFIRE_RAILS_CSRF_LEN) {
        return NGX_DECLINED;
    }

    for (i = 0; i < NGX_CAMPFIRE_RAILS_CSRF_LEN; i++) {
        given[i] = raw.data[i] ^ raw.data[NGX_CAMPFIRE_RAILS_CSRF_LEN + i];
    }

    ok = (CRYPTO_memcmp(given, real, sizeof(given)) == 0);

    if (ngx_campfire_rails_csrf_secret(real, NULL, NULL, secret) != NGX_OK) {
        return NGX_ERROR;
    }

    ok |= (CRYPTO_memcmp(given, secret, sizeof(given)) == 0);

    if (ngx_campfire_rails_csrf_secret(real, path, method, secret)
        != NGX_OK)
    {
        return NGX_ERROR;
    }

    ok |= (CRYPTO_memcmp(given, secret, sizeof(given)) == 0);

    return ok ? NGX_OK : NGX_DECLINED;
}
