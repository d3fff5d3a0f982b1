
/*
 * Tables for base/: utf8, escape, cookie, form.
 */

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>

#include "base/ngx_campfire_base_cookie.h"
#include "base/ngx_campfire_base_escape.h"
#include "base/ngx_campfire_base_form.h"
#include "base/ngx_campfire_base_utf8.h"

#include <cmocka.h>


#define countof(a)  (sizeof(a) / sizeof((a)[0]))
#define OK          NGX_CAMPFIRE_BASE_FORM_OK
#define TOO_MANY    NGX_CAMPFIRE_BASE_FORM_TOO_MANY
#define BAD_ESCAPE  NGX_CAMPFIRE_BASE_FORM_BAD_ESCAPE
#define BAD_UTF8    NGX_CAMPFIRE_BASE_FORM_BAD_UTF8
#define NESTING     NGX_CAMPFIRE_BASE_FORM_BAD_NESTING
#define TOO_DEEP    NGX_CAMPFIRE_BASE_FORM_TOO_DEEP


/* A copy in a block of its own size, so that a read past it is seen. */

static ngx_str_t
exact(ngx_pool_t *pool, const ngx_str_t *s)
{
    ngx_str_t  copy;

    copy.len = s->len;
    copy.data = ngx_pnalloc(pool, s->len);
    assert_non_null(copy.data);
    ngx_memcpy(copy.data, s->data, s->len);

    return copy;
}


static void
assert_str(const ngx_str_t *got, const ngx_str_t *want, size_t row)
{
    if (got->len != want->len
        || (want->len && ngx_memcmp(got->data, want->data, want->len) != 0))
    {
        fail_msg("row %zu: got \"%.*s\", want \"%.*s\"", row, (int) got->len,
                 (char *) got->data, (int) want->len, (char *) want->data);
    }
}


static void
test_utf8(void **state)
{
    size_t         i;
    uint32_t       cp;
    ngx_str_t      s;
    ngx_pool_t    *pool;
    const u_char  *p;

    static const struct {
        ngx_str_t  s;
        ngx_int_t  valid;
        uint32_t   first;
    } t[] = {
        { ngx_string("a"), 1, 'a' },
        { ngx_string("\0b"), 1, 0 },
        { ngx_string("\x7f"), 1, 0x7f },
        { ngx_string("\xc2\x80"), 1, 0x80 },
        { ngx_string("\xdf\xbf"), 1, 0x7ff },
        { ngx_string("\xe0\xa0\x80"), 1, 0x800 },
        { ngx_string("\xed\x9f\xbf"), 1, 0xd7ff },
        { ngx_string("\xee\x80\x80"), 1, 0xe000 },
        { ngx_string("\xef\xbf\xbf"), 1, 0xffff },
        { ngx_string("\xf0\x90\x80\x80"), 1, 0x10000 },
        { ngx_string("\xf4\x8f\xbf\xbf"), 1, 0x10ffff },
        { ngx_string("\xf4\x90\x80\x80"), 0, 0 },
        { ngx_string("\xf7\xbf\xbf\xbf"), 0, 0 },
        { ngx_string("\xf8\x88\x80\x80\x80"), 0, 0 },
        { ngx_string("\xff"), 0, 0 },
        { ngx_string("\x80"), 0, 0 },
        { ngx_string("\xc0\x80"), 0, 0 },
        { ngx_string("\xc1\xbf"), 0, 0 },
        { ngx_string("\xe0\x9f\xbf"), 0, 0 },
        { ngx_string("\xf0\x8f\xbf\xbf"), 0, 0 },
        { ngx_string("\xed\xa0\x80"), 0, 0 },
        { ngx_string("\xed\xbf\xbf"), 0, 0 },
        { ngx_string("\xc2"), 0, 0 },
        { ngx_string("\xe2\x82"), 0, 0 },
        { ngx_string("\xf0\x9f\x98"), 0, 0 },
        { ngx_string("\xe2\x82z"), 0, 0 },
        { ngx_string("\xc2\xc2"), 0, 0 },
    };

    pool = ngx_create_pool(4096, NULL);

    for (i = 0; i < countof(t); i++) {
        s = exact(pool, &t[i].s);
        p = s.data;
        cp = 0xdead;

        if (ngx_campfire_base_utf8_valid(s.data, s.len) != t[i].valid) {
            fail_msg("row %zu", i);
        }

        if (t[i].valid) {
            assert_int_equal(
                ngx_campfire_base_utf8_decode(&p, s.data + s.len, &cp),
                NGX_OK);
            assert_int_equal(cp, t[i].first);
            assert_true(p > s.data && p <= s.data + s.len);

        } else {
            assert_int_equal(
                ngx_campfire_base_utf8_decode(&p, s.data + s.len, &cp),
                NGX_ERROR);
            assert_ptr_equal(p, s.data);
            assert_int_equal(cp, 0xdead);
        }
    }

    assert_int_equal(ngx_campfire_base_utf8_valid(NULL, 0), 1);
    assert_int_equal(ngx_campfire_base_utf8_valid((u_char *) "ok\xc2", 3), 0);

    p = NULL;
    assert_int_equal(ngx_campfire_base_utf8_decode(&p, NULL, &cp), NGX_ERROR);

    ngx_destroy_pool(pool);
}


static void
test_escape(void **state)
{
    size_t       i;
    ngx_str_t    s, got;
    ngx_pool_t  *pool;

    static const struct {
        ngx_str_t  s, html, cookie;
    } t[] = {
        { ngx_string(""), ngx_string(""), ngx_string("") },
        { ngx_string("&<>\"'"), ngx_string("&amp;&lt;&gt;&quot;&#39;"),
          ngx_string("%26%3C%3E%22%27") },
        { ngx_string("&amp;"), ngx_string("&amp;amp;"),
          ngx_string("%26amp%3B") },
        { ngx_string("a\0b"), ngx_string("a\0b"), ngx_string("a%00b") },
        { ngx_string("AZaz09*-._"), ngx_string("AZaz09*-._"),
          ngx_string("AZaz09*-._") },
        { ngx_string("@[`{/:~ +%"), ngx_string("@[`{/:~ +%"),
          ngx_string("%40%5B%60%7B%2F%3A%7E+%2B%25") },
        { ngx_string("\xc3\xbf"), ngx_string("\xc3\xbf"),
          ngx_string("%C3%BF") },
    };

    pool = ngx_create_pool(4096, NULL);

    for (i = 0; i < countof(t); i++) {
        s = exact(pool, &t[i].s);

        got.len = ngx_campfire_base_escape_html_len(s.data, s.len);
        got.data = ngx_pnalloc(pool, got.len);
        assert_ptr_equal(ngx_campfire_base_escape_html(got.data, s.data,
                                                       s.len),
                         got.data + got.len);
        assert_str(&got, &t[i].html, i);

        got.len = ngx_campfire_base_escape_cookie_len(s.data, s.len);
        got.data = ngx_pnalloc(pool, got.len);
        assert_ptr_equal(ngx_campfire_base_escape_cookie(got.data, s.data,
                                                         s.len),
                         got.data + got.len);
        assert_str(&got, &t[i].cookie, i);

        assert_int_equal(
            ngx_campfire_base_unescape(got.data, &got.len, got.data, got.len,
                                       NGX_CAMPFIRE_BASE_UNESCAPE_FORM),
            NGX_OK);
        assert_str(&got, &s, i);
    }

    ngx_destroy_pool(pool);
}


static void
test_unescape(void **state)
{
    size_t       i;
    ngx_int_t    rc;
    ngx_str_t    s, got;
    ngx_pool_t  *pool;

    static const struct {
        ngx_str_t  s, cookie;
        ngx_int_t  form;
    } t[] = {
        { ngx_string(""), ngx_string(""), NGX_OK },
        { ngx_string("a+b%20c"), ngx_string("a b c"), NGX_OK },
        { ngx_string("%2b%2B"), ngx_string("++"), NGX_OK },
        { ngx_string("%00%fF"), ngx_string("\0\xff"), NGX_OK },
        { ngx_string("%2541"), ngx_string("%41"), NGX_OK },
        { ngx_string("%"), ngx_string("%"), NGX_ERROR },
        { ngx_string("%4"), ngx_string("%4"), NGX_ERROR },
        { ngx_string("%%41"), ngx_string("%A"), NGX_ERROR },
        { ngx_string("%4g+"), ngx_string("%4g "), NGX_ERROR },
        { ngx_string("%g4"), ngx_string("%g4"), NGX_ERROR },
        { ngx_string("%\x10" "1"), ngx_string("%\x10" "1"), NGX_ERROR },
        { ngx_string("%\0" "0"), ngx_string("%\0" "0"), NGX_ERROR },
    };

    pool = ngx_create_pool(4096, NULL);

    for (i = 0; i < countof(t); i++) {
        s = exact(pool, &t[i].s);
        got.data = ngx_pnalloc(pool, s.len);

        rc = ngx_campfire_base_unescape(got.data, &got.len, s.data, s.len,
                                        NGX_CAMPFIRE_BASE_UNESCAPE_FORM);
        assert_int_equal(rc, t[i].form);
        if (rc == NGX_OK) {
            assert_str(&got, &t[i].cookie, i);
        }

        rc = ngx_campfire_base_unescape(got.data, &got.len, s.data, s.len,
                                        NGX_CAMPFIRE_BASE_UNESCAPE_COOKIE);
        assert_int_equal(rc, NGX_OK);
        assert_str(&got, &t[i].cookie, i);
    }

    ngx_destroy_pool(pool);
}


static void
test_cookie(void **state)
{
    size_t       i;
    ngx_int_t    rc;
    ngx_str_t    s, got;
    ngx_pool_t  *pool;

    static const ngx_str_t  name = ngx_string("sid");

    static const struct {
        ngx_str_t  s, value;
        ngx_int_t  rc;
    } t[] = {
        { ngx_string("sid=1"), ngx_string("1"), NGX_OK },
        { ngx_string("a=b; sid=x%3D+y; c=d"), ngx_string("x%3D+y"), NGX_OK },
        { ngx_string("a=b;sid=1"), ngx_string("1"), NGX_OK },
        { ngx_string(";; ;   sid=1"), ngx_string("1"), NGX_OK },
        { ngx_string("sid=1; sid=2"), ngx_string("1"), NGX_OK },
        { ngx_string("sid=; sid=2"), ngx_string(""), NGX_OK },
        { ngx_string("sid=a=b=="), ngx_string("a=b=="), NGX_OK },
        { ngx_string("sid=a\0b;"), ngx_string("a\0b"), NGX_OK },
        { ngx_string(""), ngx_null_string, NGX_DECLINED },
        { ngx_string(" "), ngx_null_string, NGX_DECLINED },
        { ngx_string(";"), ngx_null_string, NGX_DECLINED },
        { ngx_string("=sid"), ngx_null_string, NGX_DECLINED },
        { ngx_string("si=1"), ngx_null_string, NGX_DECLINED },
        { ngx_string("sid"), ngx_null_string, NGX_DECLINED },
        { ngx_string("sid; sid=1"), ngx_null_string, NGX_DECLINED },
        { ngx_string("sid =1; Sid=1; xsid=1; sidx=1; a=sid=1"),
          ngx_null_string, NGX_DECLINED },
        { ngx_string("sid\0=1"), ngx_null_string, NGX_DECLINED },
    };

    pool = ngx_create_pool(4096, NULL);

    for (i = 0; i < countof(t); i++) {
        s = exact(pool, &t[i].s);
        rc = ngx_campfire_base_cookie_find(&s, &name, &got);

        if (rc != t[i].rc) {
            fail_msg("row %zu", i);
        }

        if (rc == NGX_OK) {
            assert_str(&got, &t[i].value, i);
        }
    }

    ngx_destroy_pool(pool);
}


static void
test_form(void **state)
{
    size_t                    i;
    ngx_int_t                 rc;
    ngx_str_t                 s;
    ngx_pool_t               *pool;
    ngx_campfire_base_form_t  form;

    static const struct {
        ngx_str_t                 s;
        ngx_campfire_base_form_e  reason;
        ngx_uint_t                n;
    } t[] = {
        { ngx_string(""), OK, 0 },
        { ngx_string("&& &"), OK, 0 },
        { ngx_string("=1"), OK, 0 },
        { ngx_string("=1&a=2"), OK, 1 },
        { ngx_string("a"), OK, 1 },
        { ngx_string("a=1& b=2&"), OK, 2 },
        { ngx_string("a=1&a=2"), OK, 2 },
        { ngx_string("a=1&ab[c]=2&a!=3"), OK, 3 },
        { ngx_string("a[b]=1&a[c]=2&a[b]=3"), OK, 3 },
        { ngx_string("a[b][c]=1&a[b][d][]=2"), OK, 2 },
        { ngx_string("a[]=1&a[]=2"), OK, 2 },
        { ngx_string("a[][b]=1&a[][c]=2"), OK, 2 },
        { ngx_string("a%5Bb%5D=1&a%00=%00"), OK, 2 },
        { ngx_string("a[b]=1&a[bc]=2"), OK, 2 },
        { ngx_string("a=%"), BAD_ESCAPE, 0 },
        { ngx_string("%4=1"), BAD_ESCAPE, 0 },
        { ngx_string("a=1&b=%zz"), BAD_ESCAPE, 0 },
        { ngx_string("a=%C0%80"), BAD_UTF8, 0 },
        { ngx_string("%ED%A0%80=1"), BAD_UTF8, 0 },
        { ngx_string("a=%E2%82&b=%AC"), BAD_UTF8, 0 },
        { ngx_string("a=\xff"), BAD_UTF8, 0 },
        { ngx_string("a[=1"), NESTING, 0 },
        { ngx_string("a]=1"), NESTING, 0 },
        { ngx_string("[]=1"), NESTING, 0 },
        { ngx_string("[a]=1"), NESTING, 0 },
        { ngx_string("a[b"), NESTING, 0 },
        { ngx_string("a[[b]]=1"), NESTING, 0 },
        { ngx_string("a[b]]=1"), NESTING, 0 },
        { ngx_string("a[b]c=1"), NESTING, 0 },
        { ngx_string("a[b]c[d]=1"), NESTING, 0 },
        { ngx_string("a=1&a[b]=2"), NESTING, 0 },
        { ngx_string("a[b]=2&a=1"), NESTING, 0 },
        { ngx_string("a=1&a[]=2"), NESTING, 0 },
        { ngx_string("a[]=1&a[b]=2"), NESTING, 0 },
        { ngx_string("a[b]=1&a[b][]=2"), NESTING, 0 },
        { ngx_string("a[b][c]=1&a[]=2"), NESTING, 0 },
        { ngx_string("a[b][]=1&a[b][c]=2"), NESTING, 0 },
        { ngx_string("a=1&a!=2&aa=3&a%20=4&a[!]=5"), NESTING, 0 },
        { ngx_string("a[!]=1&a[z]=2&a[%5E]=3&a[]=4"), NESTING, 0 },
    };

    pool = ngx_create_pool(4096, NULL);

    for (i = 0; i < countof(t); i++) {
        s = exact(pool, &t[i].s);
        rc = ngx_campfire_base_form_parse(pool, &s, &form);

        if (form.reason != t[i].reason || form.npairs != t[i].n
            || rc != (t[i].reason == OK ? NGX_OK : NGX_ERROR))
        {
            fail_msg("row %zu: rc %d, reason %d, pairs %d", i, (int) rc,
                     (int) form.reason, (int) form.npairs);
        }
    }

    ngx_destroy_pool(pool);
}


static void
test_form_find(void **state)
{
    ngx_str_t                *v;
    ngx_uint_t                pos;
    ngx_pool_t               *pool;
    ngx_campfire_base_form_t  form;

    static const ngx_str_t  src = ngx_string("a=1&l[]=x+y&a=%C3%A9&n&l[]=&e=");
    static const ngx_str_t  a = ngx_string("a");
    static const ngx_str_t  l = ngx_string("l[]");
    static const ngx_str_t  n = ngx_string("n");
    static const ngx_str_t  e = ngx_string("e");
    static const ngx_str_t  none = ngx_string("l");
    static const ngx_str_t  one = ngx_string("1");
    static const ngx_str_t  acute = ngx_string("\xc3\xa9");
    static const ngx_str_t  xy = ngx_string("x y");

    pool = ngx_create_pool(4096, NULL);

    assert_int_equal(ngx_campfire_base_form_parse(pool, &src, &form), NGX_OK);

    assert_str(ngx_campfire_base_form_first(&form, &a), &one, 0);
    assert_str(ngx_campfire_base_form_last(&form, &a), &acute, 1);
    assert_null(ngx_campfire_base_form_first(&form, &none));
    assert_null(ngx_campfire_base_form_last(&form, &none));
    assert_null(ngx_campfire_base_form_first(&form, &n)->data);
    assert_non_null(ngx_campfire_base_form_first(&form, &e)->data);

    pos = 0;
    assert_str(ngx_campfire_base_form_next(&form, &l, &pos), &xy, 2);
    v = ngx_campfire_base_form_next(&form, &l, &pos);
    assert_non_null(v);
    assert_int_equal(v->len, 0);
    assert_null(ngx_campfire_base_form_next(&form, &l, &pos));
    assert_null(ngx_campfire_base_form_next(&form, &l, &pos));

    ngx_destroy_pool(pool);
}


static void
test_form_limits(void **state)
{
    char                     *buf;
    size_t                    i, n, len;
    ngx_str_t                 s;
    ngx_pool_t               *pool;
    ngx_campfire_base_form_t  form;

    pool = ngx_create_pool(4096, NULL);
    buf = ngx_palloc(pool, 65536);
    s.data = (u_char *) buf;

    for (n = 1000; n <= 1001; n++) {
        for (i = 0, len = 0; i < n; i++) {
            len += (size_t) sprintf(buf + len, "&k%zu[x]=%zu", i * 7919 % n,
                                    i);
        }

        s.len = len;
        ngx_campfire_base_form_parse(pool, &s, &form);
        assert_int_equal(form.reason, n == 1000 ? OK : TOO_MANY);
        assert_int_equal(form.npairs, n == 1000 ? 1000 : 0);
    }

    /* one conflict among a thousand */

    for (i = 0, len = 0; i < 999; i++) {
        len += (size_t) sprintf(buf + len, "k%zu[x]=1&", i * 7919 % 999);
    }

    len += (size_t) sprintf(buf + len, "k500=1");
    s.len = len;
    ngx_campfire_base_form_parse(pool, &s, &form);
    assert_int_equal(form.reason, NESTING);

    for (n = 32; n <= 33; n++) {
        buf[0] = 'a';

        for (i = 0; i < n; i++) {
            ngx_memcpy(buf + 1 + i * 3, "[b]", 3);
        }

        s.len = 1 + n * 3;
        ngx_campfire_base_form_parse(pool, &s, &form);
        assert_int_equal(form.reason, n == 32 ? OK : TOO_DEEP);
    }

    ngx_destroy_pool(pool);
}


int
main(void)
{
    const struct CMUnitTest  tests[] = {
        cmocka_unit_test(test_utf8),
        cmocka_unit_test(test_escape),
        cmocka_unit_test(test_unescape),
        cmocka_unit_test(test_cookie),
        cmocka_unit_test(test_form),
        cmocka_unit_test(test_form_find),
        cmocka_unit_test(test_form_limits),
    };

    cmocka_set_message_output(CM_OUTPUT_TAP);

    return cmocka_run_group_tests(tests, NULL, NULL);
}
