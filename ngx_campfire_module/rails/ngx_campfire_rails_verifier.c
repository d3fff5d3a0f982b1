
/*
 * ActiveSupport::MessageVerifier: the signed text is the base64 form of the
 * payload, the signature lower-case hex after the last "--".
 */

#include "rails/ngx_campfire_rails_verifier.h"

#include <openssl/core_names.h>
#include <openssl/crypto.h>
#include <openssl/params.h>


ngx_int_t
ngx_campfire_rails_verifier_init(ngx_campfire_rails_verifier_t *v,
    const char *digest, ngx_campfire_base64_e form, const u_char *key,
    size_t len)
{
    char        name[8];
    EVP_MAC    *mac;
    OSSL_PARAM  params[2];

    (void) strncpy(name, digest, sizeof(name) - 1);
    name[sizeof(name) - 1] = '\0';

    mac = EVP_MAC_fetch(NULL, "HMAC", NULL);
    if (mac == NULL) {
        return NGX_ERROR;
    }

    v->mac = EVP_MAC_CTX_new(mac);
    EVP_MAC_free(mac);

    if (v->mac == NULL) {
        return NGX_ERROR;
    }

    params[0] = OSSL_PARAM_construct_utf8_string(OSSL_MAC_PARAM_DIGEST, name,
                                                 0);
    params[1] = OSSL_PARAM_construct_end();

    if (EVP_MAC_init(v->mac, key, len, params) != 1) {
        ngx_campfire_rails_verifier_cleanup(v);
        return NGX_ERROR;
    }

    v->size = EVP_MAC_CTX_get_mac_size(v->mac);
    v->form = form;

    return NGX_OK;
}


void
ngx_campfire_rails_verifier_cleanup(ngx_campfire_rails_verifier_t *v)
{
    EVP_MAC_CTX_free(v->mac);
    v->mac = NULL;
}


static ngx_int_t
ngx_campfire_rails_verifier_hex(ngx_campfire_rails_verifier_t *v,
    const u_char *data, size_t len, u_char *hex)
{
    u_char               mac[EVP_MAX_MD_SIZE];
    size_t               i, n;
    static const u_char  digits[] = "0123456789abcdef";

    if (EVP_MAC_init(v->mac, NULL, 0, NULL) != 1
        || EVP_MAC_update(v->mac, data, len) != 1
        || EVP_MAC_final(v->mac, mac, &n, sizeof(mac)) != 1
        || n != v->size)
    {
        return NGX_ERROR;
    }

    for (i = 0; i < n; i++) {
        hex[2 * i] = digits[mac[i] >> 4];
        hex[2 * i + 1] = digits[mac[i] & 15];
    }

    return NGX_OK;
}


ngx_int_t
ngx_campfire_rails_verifier_sign(ngx_campfire_rails_verifier_t *v,
    ngx_pool_t *pool, const ngx_str_t *payload, ngx_str_t *message)
{
    u_char     *p;
    ngx_str_t   enc;

    if (ngx_campfire_base_base64_encode(pool, v->form, payload->data,
                                        payload->len, &enc)
        != NGX_OK)
    {
        return NGX_ERROR;
    }

    message->len = enc.len + 2 + 2 * v->size;
    message->data = ngx_pnalloc(pool, message->len);
    if (message->data == NULL) {
        return NGX_ERROR;
    }

    p = ngx_cpymem(message->data, enc.data, enc.len);
    *p++ = '-';
    *p++ = '-';

    return ngx_campfire_rails_verifier_hex(v, enc.data, enc.len, p);
}


ngx_int_t
ngx_campfire_rails_verifier_verify(ngx_campfire_rails_verifier_t *v,
    ngx_pool_t *pool, const ngx_str_t *message, ngx_str_t *payload)
{
    u_char     hex[2 * EVP_MAX_MD_SIZE], *mac;
    ngx_str_t  enc;

    if (message->len <= 2 * v->size + 2) {
        return NGX_DECLINED;
    }

    enc.data = message->data;
    enc.len = message->len - 2 * v->size - 2;

    mac = enc.data + enc.len;
    if (mac[0] != '-' || mac[1] != '-') {
        return NGX_DECLINED;
    }

    if (ngx_campfire_rails_verifier_hex(v, enc.data, enc.len, hex)
        != NGX_OK)
    {
        return NGX_ERROR;
    }

    if (CRYPTO_memcmp(hex, mac + 2, 2 * v->size) != 0) {
        return NGX_DECLINED;
    }

    return ngx_campfire_base_base64_decode(pool, &enc, payload);
}
