
/*
 * Key derivation as ActiveSupport::KeyGenerator does it:
 * PBKDF2-HMAC-SHA256 over the text of SECRET_KEY_BASE, 1,000 rounds.
 */

#include "rails/ngx_campfire_rails_keys.h"

#include <openssl/crypto.h>
#include <openssl/evp.h>


#define NGX_CAMPFIRE_RAILS_KEYS_ROUNDS  1000


static ngx_int_t
ngx_campfire_rails_keys_derive(const ngx_str_t *secret, const char *salt,
    u_char *out, size_t len)
{
    if (PKCS5_PBKDF2_HMAC((const char *) secret->data, (int) secret->len,
                          (const u_char *) salt, (int) strlen(salt),
                          NGX_CAMPFIRE_RAILS_KEYS_ROUNDS, EVP_sha256(),
                          (int) len, out)
        != 1)
    {
        return NGX_ERROR;
    }

    return NGX_OK;
}


static ngx_uint_t
ngx_campfire_rails_keys_blank(const ngx_str_t *secret)
{
    size_t  i;

    for (i = 0; i < secret->len; i++) {
        if (secret->data[i] > ' ') {
            return 0;
        }
    }

    return 1;
}


ngx_int_t
ngx_campfire_rails_keys_init(ngx_campfire_rails_keys_t *keys,
    const ngx_str_t *secret)
{
    ngx_uint_t  n;

    struct {
        const char  *salt;
        u_char      *key;
        size_t       len;
    } table[] = {
        { "signed cookie", keys->signed_cookie, 64 },
        { "authenticated encrypted cookie", keys->encrypted_cookie, 32 },
        { "active_record/signed_id", keys->signed_id, 64 },
        { "signed_global_ids", keys->signed_global_id, 64 },
        { "ActiveStorage", keys->active_storage, 64 },
        { "turbo/signed_stream_verifier_key", keys->turbo_stream, 64 },
        { "campfire csrf mask", keys->csrf_mask, 32 },
    };

    if (ngx_campfire_rails_keys_blank(secret)) {
        return NGX_DECLINED;
    }

    for (n = 0; n < sizeof(table) / sizeof(table[0]); n++) {
        if (ngx_campfire_rails_keys_derive(secret, table[n].salt,
                                           table[n].key, table[n].len)
            != NGX_OK)
        {
            return NGX_ERROR;
        }
    }

    return NGX_OK;
}


void
ngx_campfire_rails_keys_cleanup(ngx_campfire_rails_keys_t *keys)
{
    OPENSSL_cleanse(keys, sizeof(ngx_campfire_rails_keys_t));
}
