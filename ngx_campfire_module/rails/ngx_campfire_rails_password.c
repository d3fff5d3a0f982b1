
/*
 * has_secure_password: bcrypt through libcrypt (auth.md 5).
 */

#define _GNU_SOURCE

#include "rails/ngx_campfire_rails_password.h"

#include <crypt.h>
#include <openssl/crypto.h>
#include <openssl/rand.h>


#define NGX_CAMPFIRE_RAILS_PASSWORD_MAX     72
#define NGX_CAMPFIRE_RAILS_PASSWORD_DIGEST  60


/* crypt() wants NUL-terminated text and a zeroed scratch area. */
static ngx_int_t
ngx_campfire_rails_password_crypt(const ngx_str_t *password,
    const char *setting, u_char *out)
{
    char                *hash, phrase[NGX_CAMPFIRE_RAILS_PASSWORD_MAX + 1];
    size_t               len;
    ngx_int_t            rc;
    struct crypt_data   *data;

    len = password->len;
    if (len == 0 || memchr(password->data, '\0', len) != NULL) {
        return NGX_DECLINED;
    }

    if (len > NGX_CAMPFIRE_RAILS_PASSWORD_MAX) {
        len = NGX_CAMPFIRE_RAILS_PASSWORD_MAX;
    }

    data = OPENSSL_zalloc(sizeof(struct crypt_data));
    if (data == NULL) {
        return NGX_ERROR;
    }

    ngx_memcpy(phrase, password->data, len);
    phrase[len] = '\0';

    rc = NGX_DECLINED;

    hash = crypt_rn(phrase, setting, data, (int) sizeof(struct crypt_data));

    if (hash && strlen(hash) == NGX_CAMPFIRE_RAILS_PASSWORD_DIGEST) {
        ngx_memcpy(out, hash, NGX_CAMPFIRE_RAILS_PASSWORD_DIGEST);
        rc = NGX_OK;
    }

    OPENSSL_cleanse(phrase, sizeof(phrase));
    OPENSSL_clear_free(data, sizeof(struct crypt_data));

    return rc;
}


ngx_int_t
ngx_campfire_rails_password_verify(const ngx_str_t *password,
    const ngx_str_t *digest)
{
    char       setting[NGX_CAMPFIRE_RAILS_PASSWORD_DIGEST + 1];
    u_char     hash[NGX_CAMPFIRE_RAILS_PASSWORD_DIGEST], *p;
    ngx_int_t  rc;

    p = digest->data;

    if (digest->len != NGX_CAMPFIRE_RAILS_PASSWORD_DIGEST
        || p[0] != '$' || p[1] != '2' || p[3] != '$' || p[6] != '$')
    {
        return NGX_DECLINED;
    }

    ngx_memcpy(setting, p, NGX_CAMPFIRE_RAILS_PASSWORD_DIGEST);
    setting[NGX_CAMPFIRE_RAILS_PASSWORD_DIGEST] = '\0';

    rc = ngx_campfire_rails_password_crypt(password, setting, hash);
    if (rc != NGX_OK) {
        return rc;
    }

    return CRYPTO_memcmp(hash, p, sizeof(hash)) ? NGX_DECLINED : NGX_OK;
}


ngx_int_t
ngx_campfire_rails_password_digest(const ngx_str_t *password, ngx_uint_t cost,
    u_char *digest)
{
    char    setting[CRYPT_GENSALT_OUTPUT_SIZE];
    u_char  salt[16];

    if (RAND_bytes(salt, sizeof(salt)) != 1
        || crypt_gensalt_rn("$2a$", cost, (char *) salt, sizeof(salt),
                            setting, sizeof(setting))
           == NULL)
    {
        return NGX_ERROR;
    }

    return ngx_campfire_rails_password_crypt(password, setting, digest);
}
