
/*
 * Signed and encrypted cookies of Rails (auth.md 2.3, 2.4).
 *
 * Both wrap the value's JSON text in the same envelope:
 *
 *     {"_rails":{"message":"<base64 of it>","exp":"...","pur":"cookie.NAME"}}
 *
 * Signed:     base64(envelope) "--" hex(HMAC-SHA1)
 * Encrypted:  base64(AES-256-GCM(envelope)) "--" base64(iv) "--" base64(tag)
 *
 * A payload that does not start like the envelope is the value itself.  The
 * purpose is compared only where there is one, as Rails does for cookies
 * older than purposes.
 */

#include "rails/ngx_campfire_rails_cookie.h"

#include <jansson.h>
#include <openssl/evp.h>


#define NGX_CAMPFIRE_RAILS_COOKIE_PREFIX  "{\"_rails\":{\"message\":"
#define NGX_CAMPFIRE_RAILS_COOKIE_TAG_LEN 16
#define NGX_CAMPFIRE_RAILS_COOKIE_IV_B64  16
#define NGX_CAMPFIRE_RAILS_COOKIE_TAG_B64 24


static ngx_int_t
ngx_campfire_rails_cookie_envelope(ngx_pool_t *pool, const ngx_str_t *name,
    const ngx_str_t *inner, const ngx_str_t *exp, ngx_str_t *out)
{
    u_char     *p;
    ngx_str_t   enc;

    if (ngx_campfire_base_base64_encode(pool, NGX_CAMPFIRE_BASE64,
                                        inner->data, inner->len, &enc)
        != NGX_OK)
    {
        return NGX_ERROR;
    }

    out->data = ngx_pnalloc(pool,
                            sizeof(NGX_CAMPFIRE_RAILS_COOKIE_PREFIX
                                   "\"\",\"exp\":null,\"pur\":\"cookie.\"}}")
                            + enc.len + exp->len + name->len);
    if (out->data == NULL) {
        return NGX_ERROR;
    }

    p = ngx_cpymem(out->data, NGX_CAMPFIRE_RAILS_COOKIE_PREFIX "\"",
                   sizeof(NGX_CAMPFIRE_RAILS_COOKIE_PREFIX "\"") - 1);
    p = ngx_cpymem(p, enc.data, enc.len);
    p = ngx_cpymem(p, "\",\"exp\":", sizeof("\",\"exp\":") - 1);

    if (exp->len) {
        *p++ = '"';
        p = ngx_cpymem(p, exp->data, exp->len);
        *p++ = '"';

    } else {
        p = ngx_cpymem(p, "null", sizeof("null") - 1);
    }

    p = ngx_cpymem(p, ",\"pur\":\"cookie.", sizeof(",\"pur\":\"cookie.") - 1);
    p = ngx_cpymem(p, name->data, name->len);
    p = ngx_cpymem(p, "\"}}", sizeof("\"}}") - 1);

    out->len = (size_t) (p - out->data);

    return NGX_OK;
}


/* Reads n digits; -1 if one is missing. */
static int64_t
ngx_campfire_rails_cookie_digits(const char **p, ngx_uint_t n)
{
    int64_t  v;

    for (v = 0; n; n--, (*p)++) {
        if (**p < '0' || **p > '9') {
            return -1;
        }

        v = v * 10 + (**p - '0');
    }

    return v;
}


/* ISO 8601 to milliseconds since the epoch. */
static ngx_int_t
ngx_campfire_rails_cookie_time(const char *p, int64_t *ms)
{
    int64_t     y, mon, d, h, min, s, frac, scale, off, days, era;
    ngx_int_t   sign;

    y = ngx_campfire_rails_cookie_digits(&p, 4);
    if (y < 0 || *p++ != '-') {
        return NGX_DECLINED;
    }

    mon = ngx_campfire_rails_cookie_digits(&p, 2);
    if (mon < 1 || mon > 12 || *p++ != '-') {
        return NGX_DECLINED;
    }

    d = ngx_campfire_rails_cookie_digits(&p, 2);
    if (d < 1 || d > 31 || (*p != 'T' && *p != ' ')) {
        return NGX_DECLINED;
    }

    p++;

    h = ngx_campfire_rails_cookie_digits(&p, 2);
    if (h < 0 || h > 23 || *p++ != ':') {
        return NGX_DECLINED;
    }

    min = ngx_campfire_rails_cookie_digits(&p, 2);
    if (min < 0 || min > 59 || *p++ != ':') {
        return NGX_DECLINED;
    }

    s = ngx_campfire_rails_cookie_digits(&p, 2);
    if (s < 0 || s > 60) {
        return NGX_DECLINED;
    }

    frac = 0;

    if (*p == '.') {
        p++;
        for (scale = 100; *p >= '0' && *p <= '9'; p++, scale /= 10) {
            frac += (*p - '0') * scale;
        }
    }

    off = 0;

    if (*p == 'Z') {
        p++;

    } else {
        if (*p != '+' && *p != '-') {
            return NGX_DECLINED;
        }

        sign = (*p++ == '+') ? 1 : -1;

        off = ngx_campfire_rails_cookie_digits(&p, 2) * 60;
        if (off < 0 || *p++ != ':') {
            return NGX_DECLINED;
        }

        scale = ngx_campfire_rails_cookie_digits(&p, 2);
        if (scale < 0) {
            return NGX_DECLINED;
        }

        off = (off + scale) * sign;
    }

    if (*p != '\0') {
        return NGX_DECLINED;
    }

    /* days since 1970 in the proleptic Gregorian calendar, years from March */

    if (mon <= 2) {
        y--;
        mon += 12;
    }

    era = y / 400;
    y -= era * 400;
    days = era * 146097 + y * 365 + y / 4 - y / 100
           + (153 * (mon - 3) + 2) / 5 + d - 1 - 719468;

    *ms = (((days * 24 + h) * 60 + min - off) * 60 + s) * 1000 + frac;

    return NGX_OK;
}


static ngx_int_t
ngx_campfire_rails_cookie_open(ngx_pool_t *pool, const ngx_str_t *name,
    const ngx_str_t *payload, int64_t now, ngx_str_t *inner,
    int64_t *expires)
{
    json_t       *root, *rails, *exp, *pur, *message;
    int64_t       at;
    ngx_int_t     rc;
    ngx_str_t     enc;
    const char   *s;

    if (expires) {
        *expires = 0;
    }

    if (payload->len < sizeof(NGX_CAMPFIRE_RAILS_COOKIE_PREFIX) - 1
        || ngx_memcmp(payload->data, NGX_CAMPFIRE_RAILS_COOKIE_PREFIX,
                      sizeof(NGX_CAMPFIRE_RAILS_COOKIE_PREFIX) - 1)
           != 0)
    {
        *inner = *payload;
        return NGX_OK;
    }

    root = json_loadb((char *) payload->data, payload->len,
                      JSON_REJECT_DUPLICATES, NULL);
    if (root == NULL) {
        return NGX_DECLINED;
    }

    rc = NGX_DECLINED;

    rails = json_object_get(root, "_rails");
    message = json_object_get(rails, "message");
    exp = json_object_get(rails, "exp");
    pur = json_object_get(rails, "pur");

    if (!json_is_string(message)) {
        goto done;
    }

    if (exp && !json_is_null(exp)) {
        if (!json_is_string(exp)
            || ngx_campfire_rails_cookie_time(json_string_value(exp), &at)
               != NGX_OK
            || now >= at)
        {
            goto done;
        }

        if (expires) {
            *expires = at;
        }
    }

    if (pur && !json_is_null(pur)) {
        s = json_string_value(pur);

        if (s == NULL
            || json_string_length(pur) != sizeof("cookie.") - 1 + name->len
            || ngx_memcmp(s, "cookie.", sizeof("cookie.") - 1) != 0
            || ngx_memcmp(s + sizeof("cookie.") - 1, name->data, name->len)
               != 0)
        {
            goto done;
        }
    }

    enc.data = (u_char *) json_string_value(message);
    enc.len = json_string_length(message);

    rc = ngx_campfire_base_base64_decode(pool, &enc, inner);

done:

    json_decref(root);

    return rc;
}


ngx_int_t
ngx_campfire_rails_cookie_sign(ngx_campfire_rails_verifier_t *v,
    ngx_pool_t *pool, const ngx_str_t *name, const ngx_str_t *inner,
    const ngx_str_t *exp, ngx_str_t *value)
{
    ngx_str_t  envelope;

    if (ngx_campfire_rails_cookie_envelope(pool, name, inner, exp, &envelope)
        != NGX_OK)
    {
        return NGX_ERROR;
    }

    return ngx_campfire_rails_verifier_sign(v, pool, &envelope, value);
}


ngx_int_t
ngx_campfire_rails_cookie_verify(ngx_campfire_rails_verifier_t *v,
    ngx_pool_t *pool, const ngx_str_t *name, const ngx_str_t *value,
    int64_t now, ngx_str_t *inner, int64_t *expires)
{
    ngx_int_t  rc;
    ngx_str_t  payload;

    rc = ngx_campfire_rails_verifier_verify(v, pool, value, &payload);
    if (rc != NGX_OK) {
        return rc;
    }

    return ngx_campfire_rails_cookie_open(pool, name, &payload, now, inner,
                                          expires);
}


ngx_int_t
ngx_campfire_rails_cookie_encrypt(const u_char *key, ngx_pool_t *pool,
    const ngx_str_t *name, const ngx_str_t *inner, const ngx_str_t *exp,
    const u_char *iv, ngx_str_t *value)
{
    int              n, m;
    u_char          *p, *sealed, tag[NGX_CAMPFIRE_RAILS_COOKIE_TAG_LEN];
    ngx_int_t        rc;
    ngx_str_t        plain, part[3];
    ngx_uint_t       i;
    EVP_CIPHER_CTX  *cipher;

    if (ngx_campfire_rails_cookie_envelope(pool, name, inner, exp, &plain)
        != NGX_OK)
    {
        return NGX_ERROR;
    }

    sealed = ngx_pnalloc(pool, plain.len);
    cipher = EVP_CIPHER_CTX_new();
    if (sealed == NULL || cipher == NULL) {
        EVP_CIPHER_CTX_free(cipher);
        return NGX_ERROR;
    }

    rc = NGX_ERROR;

    if (EVP_EncryptInit_ex(cipher, EVP_aes_256_gcm(), NULL, key, iv) == 1
        && EVP_EncryptUpdate(cipher, sealed, &n, plain.data,
                             (int) plain.len) == 1
        && EVP_EncryptFinal_ex(cipher, sealed + n, &m) == 1
        && EVP_CIPHER_CTX_ctrl(cipher, EVP_CTRL_GCM_GET_TAG, sizeof(tag), tag)
           == 1)
    {
        rc = NGX_OK;
    }

    EVP_CIPHER_CTX_free(cipher);

    if (rc != NGX_OK
        || ngx_campfire_base_base64_encode(pool, NGX_CAMPFIRE_BASE64, sealed,
                                           (size_t) (n + m), &part[0])
           != NGX_OK
        || ngx_campfire_base_base64_encode(pool, NGX_CAMPFIRE_BASE64, iv,
                                           NGX_CAMPFIRE_RAILS_COOKIE_IV_LEN,
                                           &part[1])
           != NGX_OK
        || ngx_campfire_base_base64_encode(pool, NGX_CAMPFIRE_BASE64, tag,
                                           sizeof(tag), &part[2])
           != NGX_OK)
    {
        return NGX_ERROR;
    }

    value->len = part[0].len + 2 + part[1].len + 2 + part[2].len;
    value->data = ngx_pnalloc(pool, value->len);
    if (value->data == NULL) {
        return NGX_ERROR;
    }

    p = value->data;

    for (i = 0; i < 3; i++) {
        if (i) {
            *p++ = '-';
            *p++ = '-';
        }

        p = ngx_cpymem(p, part[i].data, part[i].len);
    }

    return NGX_OK;
}


/* The parts are found from the right, where their lengths are fixed. */
static ngx_int_t
ngx_campfire_rails_cookie_split(ngx_pool_t *pool, const ngx_str_t *value,
    ngx_str_t part[3])
{
    u_char     *p;
    size_t      tail;
    ngx_str_t   enc;

    tail = 2 + NGX_CAMPFIRE_RAILS_COOKIE_IV_B64
           + 2 + NGX_CAMPFIRE_RAILS_COOKIE_TAG_B64;

    if (value->len <= tail) {
        return NGX_DECLINED;
    }

    enc.data = value->data;
    enc.len = value->len - tail;
    p = enc.data + enc.len;

    if (p[0] != '-' || p[1] != '-'
        || p[2 + NGX_CAMPFIRE_RAILS_COOKIE_IV_B64] != '-'
        || p[3 + NGX_CAMPFIRE_RAILS_COOKIE_IV_B64] != '-'
        || ngx_campfire_base_base64_decode(pool, &enc, &part[0]) != NGX_OK)
    {
        return NGX_DECLINED;
    }

    enc.data = p + 2;
    enc.len = NGX_CAMPFIRE_RAILS_COOKIE_IV_B64;

    if (ngx_campfire_base_base64_decode(pool, &enc, &part[1]) != NGX_OK
        || part[1].len != NGX_CAMPFIRE_RAILS_COOKIE_IV_LEN)
    {
        return NGX_DECLINED;
    }

    enc.data += NGX_CAMPFIRE_RAILS_COOKIE_IV_B64 + 2;
    enc.len = NGX_CAMPFIRE_RAILS_COOKIE_TAG_B64;

    if (ngx_campfire_base_base64_decode(pool, &enc, &part[2]) != NGX_OK
        || part[2].len != NGX_CAMPFIRE_RAILS_COOKIE_TAG_LEN)
    {
        return NGX_DECLINED;
    }

    return NGX_OK;
}


ngx_int_t
ngx_campfire_rails_cookie_decrypt(const u_char *key, ngx_pool_t *pool,
    const ngx_str_t *name, const ngx_str_t *value, int64_t now,
    ngx_str_t *inner, int64_t *expires)
{
    int              n, m;
    ngx_int_t        rc;
    ngx_str_t        part[3], plain;
    EVP_CIPHER_CTX  *cipher;

    rc = ngx_campfire_rails_cookie_split(pool, value, part);
    if (rc != NGX_OK) {
        return rc;
    }

    plain.data = ngx_pnalloc(pool, part[0].len + 1);
    cipher = EVP_CIPHER_CTX_new();
    if (plain.data == NULL || cipher == NULL) {
        EVP_CIPHER_CTX_free(cipher);
        return NGX_ERROR;
    }

    rc = NGX_DECLINED;
    n = m = 0;

    if (EVP_DecryptInit_ex(cipher, EVP_aes_256_gcm(), NULL, key,
                           part[1].data) == 1
        && EVP_CIPHER_CTX_ctrl(cipher, EVP_CTRL_GCM_SET_TAG,
                               NGX_CAMPFIRE_RAILS_COOKIE_TAG_LEN,
                               part[2].data) == 1
        && EVP_DecryptUpdate(cipher, plain.data, &n, part[0].data,
                             (int) part[0].len) == 1
        && EVP_DecryptFinal_ex(cipher, plain.data + n, &m) == 1)
    {
        rc = NGX_OK;
    }

    EVP_CIPHER_CTX_free(cipher);

    if (rc != NGX_OK) {
        return rc;
    }

    plain.len = (size_t) (n + m);

    return ngx_campfire_rails_cookie_open(pool, name, &plain, now, inner,
                                          expires);
}
