
/*
 * Signed ids, stream names, session contents, times and the browser check,
 * against what the Rails application made.
 */

#include "base/ngx_campfire_base_browser.h"
#include "base/ngx_campfire_base_random.h"
#include "base/ngx_campfire_base_time.h"
#include "rails/ngx_campfire_rails_keys.h"
#include "rails/ngx_campfire_rails_session.h"
#include "rails/ngx_campfire_rails_signed_id.h"
#include "rails/ngx_campfire_rails_stream.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>

#include <cmocka.h>
#include <jansson.h>


#define NOW  ((int64_t) 1772463600 * 1000000)


static json_t                         *vectors;
static ngx_pool_t                     *pool;
static ngx_campfire_rails_keys_t       keys;
static ngx_campfire_rails_verifier_t   signed_id;
static ngx_campfire_rails_verifier_t   turbo;


static ngx_str_t
get(json_t *object, const char *name)
{
    json_t     *v;
    ngx_str_t   s;

    v = json_object_get(object, name);
    assert_true(json_is_string(v));
    s.data = (u_char *) json_string_value(v);
    s.len = json_string_length(v);

    return s;
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
equal(ngx_str_t a, ngx_str_t b)
{
    assert_int_equal(a.len, b.len);
    assert_memory_equal(a.data, b.data, a.len);
}


static void
written(size_t len, u_char *buf, ngx_str_t want)
{
    assert_int_equal(len, want.len);
    assert_memory_equal(buf, want.data, len);
}


static int64_t
parse(const char *text)
{
    int64_t  us;

    assert_int_equal(ngx_campfire_base_time_parse((u_char *) text,
                                                  strlen(text), &us), NGX_OK);

    return us;
}


static void
test_times(void **state)
{
    size_t   i;
    u_char   buf[NGX_CAMPFIRE_BASE_TIME_LEN];
    json_t  *row;
    int64_t  us;

    json_array_foreach(rows("times", json_array_size(
                            json_object_get(vectors, "times"))), i, row)
    {
        us = parse((char *) get(row, "stored").data);

        written(ngx_campfire_base_time_db(buf, us), buf, get(row, "stored"));
        written(ngx_campfire_base_time_iso(buf, us), buf,
                get(row, "iso8601"));
        written(ngx_campfire_base_time_json(buf, us), buf, get(row, "json"));
        written(ngx_campfire_base_time_number(buf, us), buf,
                get(row, "number"));
        assert_int_equal(ngx_campfire_base_time_ms(us),
                         atoll((char *) get(row, "epoch_ms").data));
    }

    assert_true(i > 0);

    json_array_foreach(json_object_get(vectors, "epoch_ms_rounding"), i, row)
    {
        us = parse((char *) get(row, "stored").data);
        assert_int_equal(ngx_campfire_base_time_ms(us),
                         atoll((char *) get(row, "epoch_ms").data));
    }

    assert_true(i > 0);
}


static void
test_time_shapes(void **state)
{
    size_t      i;
    u_char      buf[NGX_CAMPFIRE_BASE_TIME_LEN];
    int64_t     us, t;
    ngx_str_t   want;

    t = parse("2026-03-02 15:00:00");
    assert_int_equal(t, NOW);
    assert_int_equal(parse("2026-03-02T15:00:00Z"), t);
    assert_int_equal(parse("2026-03-02 15:00:00 UTC"), t);
    assert_int_equal(parse("2026-03-02T17:00:00+02:00"), t);
    assert_int_equal(parse("2026-03-02T13:30:00-0130"), t);
    assert_int_equal(parse("2026-03-02 15:00:00.5"), t + 500000);
    assert_int_equal(parse("2026-03-02 15:00:00.123"), t + 123000);
    assert_int_equal(parse("2026-03-02 15:00:00.1234567"), t + 123456);

    ngx_str_set(&want, "2026-03-02 15:00:00");
    written(ngx_campfire_base_time_db(buf, t), buf, want);
    ngx_str_set(&want, "2026-03-02 15:00:00.000001");
    written(ngx_campfire_base_time_db(buf, t + 1), buf, want);
    ngx_str_set(&want, "Mon, 02 Mar 2026 15:00:00 GMT");
    written(ngx_campfire_base_time_http(buf, t), buf, want);
    ngx_str_set(&want, "Thu, 01 Jan 1970 00:00:00 GMT");
    written(ngx_campfire_base_time_http(buf, 0), buf, want);
    ngx_str_set(&want, "Wed, 31 Dec 1969 23:59:59 GMT");
    written(ngx_campfire_base_time_http(buf, -1), buf, want);

    assert_int_equal(ngx_campfire_base_time_years(t, 20),
                     parse("2046-03-02 15:00:00"));
    assert_int_equal(ngx_campfire_base_time_years(
                         parse("2024-02-29 12:00:00"), 1),
                     parse("2025-02-28 12:00:00"));
    assert_int_equal(ngx_campfire_base_time_years(
                         parse("2024-02-29 12:00:00"), 20),
                     parse("2044-02-29 12:00:00"));

    static const char  *bad[] = {
        "", "2026", "2026-03-02", "2026-13-02 15:00:00", "2026-00-02 15:00:00",
        "2026-02-29 15:00:00", "2026-03-32 15:00:00", "2026-03-02 24:00:00",
        "2026-03-02 15:60:00", "2026-03-02 15:00:00x", "2026-03-02_15:00:00",
        "2026-03-02 15:00:00+2", "26-03-02 15:00:00", "2026-3-2 15:00:00"
    };

    for (i = 0; i < sizeof(bad) / sizeof(bad[0]); i++) {
        assert_int_equal(ngx_campfire_base_time_parse((u_char *) bad[i],
                                              strlen(bad[i]), &us),
                         NGX_DECLINED);
    }
}


static void
test_avatar_tokens(void **state)
{
    size_t      i, k;
    json_t     *row;
    int64_t     id;
    ngx_str_t   token, got, bad;

    json_array_foreach(json_object_get(vectors, "avatar_tokens"), i, row) {
        token = get(row, "token");
        id = json_integer_value(json_object_get(row, "user_id"));

        assert_int_equal(ngx_campfire_rails_signed_id_sign(&signed_id, pool,
                             id, NGX_CAMPFIRE_RAILS_SIGNED_ID_AVATAR, 0,
                             &got), NGX_OK);
        equal(got, token);

        id = 0;
        assert_int_equal(ngx_campfire_rails_signed_id_verify(&signed_id, pool,
                             &token, NGX_CAMPFIRE_RAILS_SIGNED_ID_AVATAR, NOW,
                             &id), NGX_OK);
        assert_int_equal(id,
                         json_integer_value(json_object_get(row, "user_id")));
        assert_int_equal(ngx_campfire_rails_signed_id_verify(&signed_id, pool,
                             &token, NGX_CAMPFIRE_RAILS_SIGNED_ID_TRANSFER,
                             NOW, &id), NGX_DECLINED);

        for (k = 0; k < token.len; k++) {
            bad.len = token.len;
            bad.data = ngx_pnalloc(pool, token.len);
            ngx_memcpy(bad.data, token.data, token.len);
            bad.data[k] = (bad.data[k] == 'A') ? 'B' : 'A';
            assert_int_equal(ngx_campfire_rails_signed_id_verify(&signed_id,
                                 pool, &bad,
                                 NGX_CAMPFIRE_RAILS_SIGNED_ID_AVATAR, NOW,
                                 &id), NGX_DECLINED);
        }
    }

    assert_true(i > 0);
}


/* That user 4242 does not exist is for the database to say. */
static void
test_avatar_token_acceptance(void **state)
{
    size_t      i;
    json_t     *row, *result;
    int64_t     id;
    ngx_int_t   rc, want;
    ngx_str_t   token;

    json_array_foreach(rows("avatar_token_acceptance", 8), i, row) {
        token = get(row, "token");
        result = json_object_get(row, "result");

        rc = ngx_campfire_rails_signed_id_verify(&signed_id, pool, &token,
                 NGX_CAMPFIRE_RAILS_SIGNED_ID_AVATAR, NOW, &id);

        want = (json_is_integer(result)
                || strcmp(json_string_value(result),
                          "ActiveRecord::RecordNotFound") == 0)
               ? NGX_OK : NGX_DECLINED;

        if (rc != want) {
            fail_msg("%s", (char *) get(row, "case").data);
        }

        if (json_is_integer(result)) {
            assert_int_equal(id, json_integer_value(result));
        }
    }
}


static void
test_transfer_ids(void **state)
{
    size_t      i;
    json_t     *row, *finds;
    int64_t     id, made, life;
    ngx_int_t   rc;
    ngx_str_t   text, got;

    json_array_foreach(json_object_get(vectors, "transfer_ids"), i, row) {
        text = get(row, "id");
        id = json_integer_value(json_object_get(row, "user_id"));
        made = parse((char *) get(row, "generated_at").data);
        life = json_integer_value(json_object_get(row, "expires_in_seconds"))
               * 1000000;

        assert_int_equal(ngx_campfire_rails_signed_id_sign(&signed_id, pool,
                             id, NGX_CAMPFIRE_RAILS_SIGNED_ID_TRANSFER,
                             made + life, &got), NGX_OK);
        equal(got, text);

        rc = ngx_campfire_rails_signed_id_verify(&signed_id, pool, &text,
                 NGX_CAMPFIRE_RAILS_SIGNED_ID_TRANSFER, NOW, &id);

        finds = json_object_get(row, "finds_active_user_at_clock");

        if (json_is_integer(finds)) {
            assert_int_equal(rc, NGX_OK);
            assert_int_equal(id, json_integer_value(finds));
        }

        assert_int_equal(ngx_campfire_rails_signed_id_verify(&signed_id, pool,
                             &text, NGX_CAMPFIRE_RAILS_SIGNED_ID_TRANSFER,
                             made + life - 1, &id), NGX_OK);
        assert_int_equal(ngx_campfire_rails_signed_id_verify(&signed_id, pool,
                             &text, NGX_CAMPFIRE_RAILS_SIGNED_ID_TRANSFER,
                             made + life, &id), NGX_DECLINED);
    }

    assert_true(i > 0);
}


static void
test_stream_names(void **state)
{
    size_t      i;
    char       *p;
    json_t     *row;
    int64_t     id;
    ngx_str_t   name, text, got, class_name, what;

    json_array_foreach(json_object_get(vectors, "turbo_stream_names"), i, row)
    {
        name = get(row, "stream_name");
        text = get(row, "signed");

        assert_int_equal(ngx_campfire_rails_stream_sign(&turbo, pool, &name,
                                                        &got), NGX_OK);
        equal(got, text);
        assert_int_equal(ngx_campfire_rails_stream_verify(&turbo, pool, &text,
                                                          &got), NGX_OK);
        equal(got, name);

        if (memchr(name.data, ':', name.len) == NULL) {
            assert_int_equal(ngx_campfire_rails_stream_split(pool, &name,
                                 &class_name, &id, &what), NGX_DECLINED);
            continue;
        }

        assert_int_equal(ngx_campfire_rails_stream_split(pool, &name,
                             &class_name, &id, &what), NGX_OK);

        p = ngx_pnalloc(pool, what.len + 1);
        ngx_memcpy(p, what.data, what.len);
        p[what.len] = '\0';

        assert_int_equal(ngx_campfire_rails_stream_name(pool, &class_name, id,
                                                        p, &got), NGX_OK);
        equal(got, name);
    }

    assert_true(i > 0);

    json_array_foreach(json_object_get(vectors, "gid_params"), i, row) {
        text = get(row, "gid");
        name = get(row, "gid_param");

        class_name.data = text.data + sizeof("gid://campfire/") - 1;
        p = strchr((char *) class_name.data, '/');
        class_name.len = (u_char *) p - class_name.data;

        assert_int_equal(ngx_campfire_rails_stream_gid(pool, &class_name,
                                                       atoll(p + 1), &got),
                         NGX_OK);
        equal(got, name);
    }

    assert_true(i > 0);

    ngx_str_set(&name, "Z2lkOi8vb3RoZXIvVXNlci8x:rooms");
    assert_int_equal(ngx_campfire_rails_stream_split(pool, &name, &class_name,
                                                     &id, &what),
                     NGX_DECLINED);
}


static void
test_session_contents(void **state)
{
    size_t                         i;
    u_char                         secret[32], again[32];
    json_t                        *row;
    ngx_str_t                      json, got, want;
    ngx_campfire_rails_session_t   s;

    /* what was read and not changed is written as it was */

    json_array_foreach(rows("session_cookies", 4), i, row) {
        json = get(row, "message_decoded");
        assert_int_equal(ngx_campfire_rails_session_parse(pool, &json, &s),
                         NGX_OK);
        assert_int_equal(ngx_campfire_rails_session_json(pool, &s, &got),
                         NGX_OK);
        equal(got, json);
    }

    /* order of first setting, and the escapes of ActiveSupport */

    ngx_str_set(&json, "{\"session_id\":\"s\",\"other\":[1,{\"a\":null}]}");
    assert_int_equal(ngx_campfire_rails_session_parse(pool, &json, &s),
                     NGX_OK);
    ngx_str_set(&s.return_to, "https://x/a?b=1&c=<>");
    ngx_str_set(&s.notice, "✓");
    assert_int_equal(ngx_campfire_rails_session_json(pool, &s, &got), NGX_OK);
    ngx_str_set(&want, "{\"session_id\":\"s\",\"other\":[1,{\"a\":null}],"
                "\"return_to_after_authenticating\":"
                "\"https://x/a?b=1\\u0026c=\\u003c\\u003e\","
                "\"flash\":{\"discard\":[],\"flashes\":"
                "{\"notice\":\"✓\"}}}");
    equal(got, want);

    /* and back, then the flash is taken */

    json = got;
    assert_int_equal(ngx_campfire_rails_session_parse(pool, &json, &s),
                     NGX_OK);
    ngx_str_set(&want, "https://x/a?b=1&c=<>");
    equal(s.return_to, want);
    ngx_str_set(&want, "✓");
    equal(s.notice, want);
    assert_null(s.alert.data);

    ngx_memzero(&s.notice, sizeof(ngx_str_t));
    ngx_memzero(&s.return_to, sizeof(ngx_str_t));
    assert_int_equal(ngx_campfire_rails_session_json(pool, &s, &got), NGX_OK);
    ngx_str_set(&want, "{\"session_id\":\"s\",\"other\":[1,{\"a\":null}]}");
    equal(got, want);

    /* secrets */

    assert_int_equal(ngx_campfire_rails_session_new(pool, &s), NGX_OK);
    assert_int_equal(s.session_id.len, 32);
    assert_int_equal(ngx_campfire_rails_session_secret(pool, &s, secret),
                     NGX_DECLINED);
    assert_int_equal(ngx_campfire_rails_session_set_secret(pool, &s, secret),
                     NGX_OK);
    assert_int_equal(s.csrf_token.len, 43);
    assert_int_equal(ngx_campfire_rails_session_secret(pool, &s, again),
                     NGX_OK);
    assert_memory_equal(secret, again, 32);

    ngx_str_set(&s.csrf_token, "dG9vIHNob3J0");
    assert_int_equal(ngx_campfire_rails_session_secret(pool, &s, again),
                     NGX_DECLINED);

    /* nothing that is not an object; an object without an id gets one */

    static const char  *bad[] = { "", "1", "[]", "\"x\"", "{", "null" };

    for (i = 0; i < sizeof(bad) / sizeof(bad[0]); i++) {
        json.data = (u_char *) bad[i];
        json.len = strlen(bad[i]);
        assert_int_equal(ngx_campfire_rails_session_parse(pool, &json, &s),
                         NGX_DECLINED);
    }

    ngx_str_set(&json, "{\"flash\":7,\"_csrf_token\":[],\"session_id\":null}");
    assert_int_equal(ngx_campfire_rails_session_parse(pool, &json, &s),
                     NGX_OK);
    assert_int_equal(s.session_id.len, 32);
    assert_int_equal(s.csrf_token.len, 0);
    assert_null(s.notice.data);
}


static void
test_random(void **state)
{
    size_t      i;
    ngx_str_t   a, b;
    ngx_str_t   letters = ngx_string("abc");

    assert_int_equal(ngx_campfire_base_random_uuid(pool, &a), NGX_OK);
    assert_int_equal(ngx_campfire_base_random_uuid(pool, &b), NGX_OK);
    assert_int_equal(a.len, 36);
    assert_int_equal(a.data[14], '4');
    assert_non_null(strchr("89ab", a.data[19]));
    assert_memory_not_equal(a.data, b.data, 36);

    for (i = 0; i < 36; i++) {
        if (i == 8 || i == 13 || i == 18 || i == 23) {
            assert_int_equal(a.data[i], '-');
        } else {
            assert_non_null(strchr("0123456789abcdef", a.data[i]));
        }
    }

    assert_int_equal(ngx_campfire_base_random_text(pool, &letters, 300, &a),
                     NGX_OK);

    for (i = 0; i < 300; i++) {
        assert_non_null(strchr("abc", a.data[i]));
    }
}


static void
test_browsers(void **state)
{
    size_t      i;
    json_t     *row, *agent;
    ngx_str_t   ua;

    json_array_foreach(json_object_get(vectors, "browsers"), i, row) {
        agent = json_object_get(row, "user_agent");
        ua.data = (u_char *) json_string_value(agent);
        ua.len = json_string_length(agent);

        if (ngx_campfire_base_browser_supported(&ua)
            != (ngx_uint_t) json_is_false(json_object_get(row, "blocked")))
        {
            fail_msg("%s: %.*s", json_string_value(json_object_get(row,
                     "name")), (int) ua.len, (char *) ua.data);
        }
    }

    assert_true(i > 0);

    static const char  *odd[] = { "(", ")", "((((", "/", "a/", "(a/b",
                                  "Mozilla/5.0 (X", " ;, " };

    for (i = 0; i < sizeof(odd) / sizeof(odd[0]); i++) {
        ua.len = strlen(odd[i]);
        ua.data = ngx_pnalloc(pool, ua.len);
        ngx_memcpy(ua.data, odd[i], ua.len);
        assert_true(ngx_campfire_base_browser_supported(&ua));
    }
}


int
main(void)
{
    int         rc;
    ngx_str_t   secret;

    const struct CMUnitTest  tests[] = {
        cmocka_unit_test(test_times),
        cmocka_unit_test(test_time_shapes),
        cmocka_unit_test(test_avatar_tokens),
        cmocka_unit_test(test_avatar_token_acceptance),
        cmocka_unit_test(test_transfer_ids),
        cmocka_unit_test(test_stream_names),
        cmocka_unit_test(test_session_contents),
        cmocka_unit_test(test_random),
        cmocka_unit_test(test_browsers),
    };

    vectors = json_load_file(getenv("CAMPFIRE_VECTORS"),
                             JSON_ALLOW_NUL, NULL);
    if (vectors == NULL) {
        fprintf(stderr, "CAMPFIRE_VECTORS names no readable JSON file\n");
        return 2;
    }

    secret = get(vectors, "secret_key_base");
    pool = ngx_create_pool(4096, NULL);

    if (ngx_campfire_rails_keys_init(&keys, &secret) != NGX_OK
        || ngx_campfire_rails_verifier_init(&signed_id, "SHA256",
                                            NGX_CAMPFIRE_BASE64_URL,
                                            keys.signed_id, 64) != NGX_OK
        || ngx_campfire_rails_verifier_init(&turbo, "SHA256",
                                            NGX_CAMPFIRE_BASE64,
                                            keys.turbo_stream, 64) != NGX_OK)
    {
        return 2;
    }

    cmocka_set_message_output(CM_OUTPUT_TAP);
    rc = cmocka_run_group_tests(tests, NULL, NULL);

    ngx_campfire_rails_verifier_cleanup(&signed_id);
    ngx_campfire_rails_verifier_cleanup(&turbo);
    ngx_campfire_rails_keys_cleanup(&keys);
    ngx_destroy_pool(pool);
    json_decref(vectors);

    return rc;
}
