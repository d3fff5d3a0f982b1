
/*
 * Cookies, keys, tokens, stream names and passwords against the vectors that
 * the Rails application made.  The file is named by CAMPFIRE_VECTORS.
 */

#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <stdio.h>
#include <cmocka.h>
#include <jansson.h>

#include "rails/ngx_campfire_rails_cookie.h"
#include "rails/ngx_campfire_rails_csrf.h"
#include "rails/ngx_campfire_rails_keys.h"
#include "rails/ngx_campfire_rails_password.h"


/* 2026-03-02T15:00:00Z, the clock of the vectors */
#define NOW  ((int64_t) 1772463600 * 1000)


static json_t                     *vectors;
static ngx_pool_t                 *pool;
static ngx_campfire_rails_keys_t   keys;
static const ngx_str_t             session_token = ngx_string("session_token");
static const ngx_str_t             session = ngx_string("_campfire_session");


static ngx_str_t
str(json_t *v)
{
    ngx_str_t  s;

    assert_true(json_is_string(v));
    s.data = (u_char *) json_string_value(v);
    s.len = json_string_length(v);

    return s;
}


static ngx_str_t
get(json_t *object, const char *name)
{
    return str(json_object_get(object, name));
}


static void
unhex(ngx_str_t s, u_char *out)
{
    size_t        i;
    unsigned int  b;

    for (i = 0; i < s.len / 2; i++) {
        assert_int_equal(sscanf((char *) s.data + 2 * i, "%2x", &b), 1);
        out[i] = (u_char) b;
    }
}


static void
equal(ngx_str_t a, ngx_str_t b)
{
    assert_int_equal(a.len, b.len);
    assert_memory_equal(a.data, b.data, a.len);
}


static json_t *
rows(const char *name, size_t n)
{
    json_t  *v;

    v = json_object_get(vectors, name);
    assert_int_equal(json_array_size(v), n);

    return v;
}


static void
test_keys(void **state)
{
    size_t      i, n;
    u_char      want[64];
    json_t     *row;
    ngx_str_t   salt;
    ngx_uint_t  k;
    ngx_str_t   blank = ngx_string(" \n");

    struct {
        const char  *salt;
        u_char      *key;
    } table[] = {
        { "signed cookie", keys.signed_cookie },
        { "authenticated encrypted cookie", keys.encrypted_cookie },
        { "active_record/signed_id", keys.signed_id },
        { "signed_global_ids", keys.signed_global_id },
        { "ActiveStorage", keys.active_storage },
        { "turbo/signed_stream_verifier_key", keys.turbo_stream },
    };

    n = 0;

    json_array_foreach(rows("keys", 6), i, row) {
        salt = get(row, "salt");

        for (k = 0; k < 6; k++) {
            if (strcmp(table[k].salt, (char *) salt.data) == 0) {
                unhex(get(row, "key_hex"), want);
                assert_memory_equal(table[k].key, want,
                                    get(row, "key_hex").len / 2);
                n++;
            }
        }
    }

    assert_int_equal(n, 6);
    assert_int_equal(ngx_campfire_rails_keys_init(&keys, &blank),
                     NGX_DECLINED);
}


static void
verifier(ngx_campfire_rails_verifier_t *v, const char *digest,
    const u_char *key)
{
    assert_int_equal(ngx_campfire_rails_verifier_init(v, digest,
                                              NGX_CAMPFIRE_BASE64, key, 64),
                     NGX_OK);
}


static void
test_signed_cookies(void **state)
{
    char                            quoted[64];
    size_t                          i;
    json_t                         *row;
    ngx_str_t                       inner, got, value, exp;
    ngx_campfire_rails_verifier_t   v;

    verifier(&v, "SHA1", keys.signed_cookie);

    json_array_foreach(rows("signed_cookies", 8), i, row) {
        value = get(row, "cookie_value");

        ngx_str_set(&exp, "2046-03-02T15:00:00.000Z");
        if (json_object_get(row, "variant")) {
            exp.len = 0;
        }

        (void) snprintf(quoted, sizeof(quoted), "\"%s\"",
                        get(row, "token").data);
        inner.data = (u_char *) quoted;
        inner.len = strlen(quoted);

        assert_int_equal(ngx_campfire_rails_cookie_sign(&v, pool,
                             &session_token, &inner, &exp, &got), NGX_OK);
        equal(got, value);

        assert_int_equal(ngx_campfire_rails_cookie_verify(&v, pool,
                             &session_token, &value, NOW, &got, NULL), NGX_OK);
        equal(got, inner);

        assert_int_equal(ngx_campfire_rails_cookie_verify(&v, pool, &session,
                             &value, NOW, &got, NULL), NGX_DECLINED);
    }

    ngx_campfire_rails_verifier_cleanup(&v);
}


static void
test_signed_cookie_acceptance(void **state)
{
    size_t                          i;
    json_t                         *row, *want, *have;
    ngx_int_t                       rc;
    ngx_str_t                       value, got;
    ngx_campfire_rails_verifier_t   v;

    verifier(&v, "SHA1", keys.signed_cookie);

    json_array_foreach(rows("signed_cookie_acceptance", 18), i, row) {
        value = get(row, "cookie_value");
        want = json_object_get(row, "result");

        rc = ngx_campfire_rails_cookie_verify(&v, pool, &session_token,
                                              &value, NOW, &got, NULL);

        if (json_is_null(want)) {
            assert_int_equal(rc, NGX_DECLINED);
            continue;
        }

        assert_int_equal(rc, NGX_OK);

        have = json_loadb((char *) got.data, got.len, JSON_DECODE_ANY, NULL);
        assert_true(json_equal(have, want));
        json_decref(have);
    }

    ngx_campfire_rails_verifier_cleanup(&v);
}


/* Each single changed byte of a good cookie makes it no cookie. */
static void
test_signed_cookie_flips(void **state)
{
    size_t                          i;
    ngx_str_t                       value, bad, got;
    ngx_campfire_rails_verifier_t   v;

    verifier(&v, "SHA1", keys.signed_cookie);

    value = get(json_array_get(rows("signed_cookies", 8), 0), "cookie_value");
    bad.len = value.len;
    bad.data = ngx_pnalloc(pool, bad.len);

    for (i = 0; i < value.len; i++) {
        ngx_memcpy(bad.data, value.data, value.len);
        bad.data[i] ^= 1;
        assert_int_equal(ngx_campfire_rails_cookie_verify(&v, pool,
                             &session_token, &bad, NOW, &got, NULL), NGX_DECLINED);

        bad.len = i;
        assert_int_equal(ngx_campfire_rails_cookie_verify(&v, pool,
                             &session_token, &bad, NOW, &got, NULL), NGX_DECLINED);
        bad.len = value.len;
    }

    ngx_campfire_rails_verifier_cleanup(&v);
}


static void
test_session_cookies(void **state)
{
    u_char      iv[NGX_CAMPFIRE_RAILS_COOKIE_IV_LEN];
    size_t      i, k;
    json_t     *row;
    ngx_str_t   value, inner, got, exp, bad;

    ngx_str_set(&exp, "2046-03-02T15:00:00.000Z");

    json_array_foreach(rows("session_cookies", 4), i, row) {
        value = get(row, "cookie_value");
        inner = get(row, "message_decoded");

        assert_int_equal(ngx_campfire_rails_cookie_decrypt(
                             keys.encrypted_cookie, pool, &session, &value,
                             NOW, &got, NULL), NGX_OK);
        equal(got, inner);

        unhex(get(row, "iv_hex"), iv);
        assert_int_equal(ngx_campfire_rails_cookie_encrypt(
                             keys.encrypted_cookie, pool, &session, &inner,
                             &exp, iv, &got), NGX_OK);
        equal(got, value);

        bad.data = ngx_pnalloc(pool, value.len);

        for (k = 0; k < value.len; k++) {
            ngx_memcpy(bad.data, value.data, value.len);
            bad.data[k] = (bad.data[k] == 'A') ? 'B' : 'A';
            bad.len = value.len;
            assert_int_not_equal(ngx_campfire_rails_cookie_decrypt(
                                     keys.encrypted_cookie, pool, &session,
                                     &bad, NOW, &got, NULL), NGX_OK);
        }
    }
}


static void
csrf_masked(json_t *list, const u_char *real, const ngx_str_t *path,
    const ngx_str_t *method, ngx_int_t rc)
{
    size_t      i;
    json_t     *row;
    ngx_str_t   token;

    assert_true(json_array_size(list) > 0);

    json_array_foreach(list, i, row) {
        token = str(row);
        assert_int_equal(ngx_campfire_rails_csrf_verify(pool, real, path,
                             method, &token), rc);
    }
}


static void
test_csrf(void **state)
{
    size_t      i;
    u_char      real[32], want[32], secret[32], pad[32];
    json_t     *csrf, *row;
    ngx_str_t   path, method, token, again;
    ngx_str_t   other = ngx_string("/elsewhere");

    csrf = json_object_get(vectors, "csrf");
    unhex(get(csrf, "real_token_hex"), real);
    ngx_str_set(&method, "post");

    row = json_object_get(csrf, "global");
    unhex(get(row, "secret_hex"), want);
    assert_int_equal(ngx_campfire_rails_csrf_secret(real, NULL, NULL, secret),
                     NGX_OK);
    assert_memory_equal(secret, want, 32);
    csrf_masked(json_object_get(row, "masked"), real, &other, &method,
                NGX_OK);

    json_array_foreach(json_object_get(csrf, "per_form"), i, row) {
        path = get(row, "normalized_path");
        method = get(row, "method");
        unhex(get(row, "secret_hex"), want);

        assert_int_equal(ngx_campfire_rails_csrf_secret(real, &path, &method,
                                                        secret), NGX_OK);
        assert_memory_equal(secret, want, 32);

        csrf_masked(json_object_get(row, "masked"), real, &path, &method,
                    NGX_OK);
        csrf_masked(json_object_get(row, "masked"), real, &other, &method,
                    NGX_DECLINED);
    }

    assert_true(i > 0);

    token = get(csrf, "real_token_in_session");
    assert_int_equal(ngx_campfire_rails_csrf_verify(pool, real, &other,
                                                    &method, &token), NGX_OK);

    token.len--;
    assert_int_equal(ngx_campfire_rails_csrf_verify(pool, real, &other,
                                          &method, &token), NGX_DECLINED);

    /* the token of our pages: stable, and one that Rails unmasks */

    assert_int_equal(ngx_campfire_rails_csrf_pad(keys.csrf_mask, real, pad),
                     NGX_OK);
    assert_int_equal(ngx_campfire_rails_csrf_secret(real, NULL, NULL, secret),
                     NGX_OK);
    assert_int_equal(ngx_campfire_rails_csrf_mask(pool, pad, secret, &token),
                     NGX_OK);
    assert_int_equal(ngx_campfire_rails_csrf_mask(pool, pad, secret, &again),
                     NGX_OK);
    assert_int_equal(token.len, 86);
    equal(token, again);
    assert_int_equal(ngx_campfire_rails_csrf_verify(pool, real, &other,
                                                    &method, &token), NGX_OK);
}


static void
test_stream_names(void **state)
{
    size_t                          i;
    json_t                         *row;
    ngx_str_t                       payload, got, signed_name;
    ngx_campfire_rails_verifier_t   v;

    verifier(&v, "SHA256", keys.turbo_stream);

    json_array_foreach(rows("turbo_stream_names", 5), i, row) {
        payload = get(row, "payload_json");
        signed_name = get(row, "signed");

        assert_int_equal(ngx_campfire_rails_verifier_sign(&v, pool, &payload,
                                                          &got), NGX_OK);
        equal(got, signed_name);

        assert_int_equal(ngx_campfire_rails_verifier_verify(&v, pool,
                             &signed_name, &got), NGX_OK);
        equal(got, payload);
    }

    ngx_campfire_rails_verifier_cleanup(&v);
}


static void
test_passwords(void **state)
{
    u_char      made[60];
    size_t      i, n;
    json_t     *row, *digest;
    ngx_str_t   password, hash;
    ngx_str_t   wrong = ngx_string("certainly not this one");
    ngx_str_t   good = ngx_string("correct horse");

    n = 0;

    json_array_foreach(rows("bcrypt", 8), i, row) {
        digest = json_object_get(row, "digest");

        if (!json_is_string(digest)) {
            continue;
        }

        n++;
        password = get(row, "password");
        hash = str(digest);

        /* Rails digests an empty password, but never signs in with it */

        assert_int_equal(ngx_campfire_rails_password_verify(&password, &hash),
                         password.len ? NGX_OK : NGX_DECLINED);
        assert_int_equal(ngx_campfire_rails_password_verify(&wrong, &hash),
                         NGX_DECLINED);

        hash.len--;
        assert_int_equal(ngx_campfire_rails_password_verify(&password, &hash),
                         NGX_DECLINED);
    }

    assert_true(n > 3);

    assert_int_equal(ngx_campfire_rails_password_digest(&good, 4, made),
                     NGX_OK);
    hash.data = made;
    hash.len = sizeof(made);
    assert_memory_equal(made, "$2a$04$", 7);
    assert_int_equal(ngx_campfire_rails_password_verify(&good, &hash),
                     NGX_OK);

    good.data = (u_char *) "a\0b";
    good.len = 3;
    assert_int_equal(ngx_campfire_rails_password_digest(&good, 4, made),
                     NGX_DECLINED);
}


int
main(void)
{
    int         rc;
    ngx_str_t   secret;

    const struct CMUnitTest  tests[] = {
        cmocka_unit_test(test_signed_cookies),
        cmocka_unit_test(test_signed_cookie_acceptance),
        cmocka_unit_test(test_signed_cookie_flips),
        cmocka_unit_test(test_session_cookies),
        cmocka_unit_test(test_csrf),
        cmocka_unit_test(test_stream_names),
        cmocka_unit_test(test_passwords),
        cmocka_unit_test(test_keys),
    };

    vectors = json_load_file(getenv("CAMPFIRE_VECTORS"),
                             JSON_ALLOW_NUL, NULL);
    if (vectors == NULL) {
        fprintf(stderr, "CAMPFIRE_VECTORS names no readable JSON file\n");
        return 2;
    }

    secret = get(vectors, "secret_key_base");
    pool = ngx_create_pool(4096, NULL);

    if (ngx_campfire_rails_keys_init(&keys, &secret) != NGX_OK) {
        return 2;
    }

    cmocka_set_message_output(CM_OUTPUT_TAP);
    rc = cmocka_run_group_tests(tests, NULL, NULL);

    ngx_campfire_rails_keys_cleanup(&keys);
    ngx_destroy_pool(pool);
    json_decref(vectors);

    return rc;
}
