
/*
 * Tables for the JSON and multipart bodies of base/.
 */

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>

#include "base/ngx_campfire_base_json_form.h"
#include "base/ngx_campfire_base_multipart.h"

#include <cmocka.h>


#define countof(a)  (sizeof(a) / sizeof((a)[0]))
#define OK          NGX_CAMPFIRE_BASE_FORM_OK
#define TOO_MANY    NGX_CAMPFIRE_BASE_FORM_TOO_MANY
#define BAD_UTF8    NGX_CAMPFIRE_BASE_FORM_BAD_UTF8
#define NESTING     NGX_CAMPFIRE_BASE_FORM_BAD_NESTING
#define TOO_DEEP    NGX_CAMPFIRE_BASE_FORM_TOO_DEEP
#define SYNTAX      NGX_CAMPFIRE_BASE_FORM_BAD_SYNTAX
#define TOO_LARGE   NGX_CAMPFIRE_BASE_FORM_TOO_LARGE

#define TYPE        "multipart/form-data; boundary=b"
#define NAME(n)     "Content-Disposition: form-data; name=\"" n "\""
#define PART(n, v)  "--b\r\n" NAME(n) "\r\n\r\n" v "\r\n"
#define FILE(rest)  "--b\r\n" NAME("f") "; " rest "\r\n\r\nx\r\n--b--\r\n"


/* A copy in a block of its own size, so that a read past it is seen. */

static ngx_str_t
exact(ngx_pool_t *pool, const void *data, size_t len)
{
    ngx_str_t  copy;

    copy.len = len;
    copy.data = ngx_pnalloc(pool, len);
    assert_non_null(copy.data);
    ngx_memcpy(copy.data, data, len);

    return copy;
}


static ngx_str_t
text(ngx_pool_t *pool, const char *s)
{
    return exact(pool, s, strlen(s));
}


/* All pairs as "key=value key=value"; a value without data as "key". */

static const char *
dump(const ngx_campfire_base_form_t *form, char *buf)
{
    char                           *p;
    ngx_uint_t                      i;
    ngx_campfire_base_form_pair_t  *pair;

    p = buf;
    *p = '\0';

    for (i = 0; i < form->npairs; i++) {
        pair = &form->pairs[i];

        p += sprintf(p, "%s%.*s", i ? " " : "", (int) pair->key.len,
                     (char *) pair->key.data);

        if (pair->value.data) {
            *p++ = '=';
            memcpy(p, pair->value.data, pair->value.len);
            p += pair->value.len;
            *p = '\0';
        }
    }

    return buf;
}


static void
test_json_values(void **state)
{
    char                       buf[1024];
    size_t                     i;
    ngx_str_t                  body;
    ngx_pool_t                *pool;
    ngx_campfire_base_form_t   form;

    static const struct {
        const char  *body;
        const char  *pairs;
    } t[] = {
        { "{}", "" },
        { " {\t} \r\n", "" },
        { "{\"a\":\"b\"}", "a=b" },
        { "{\"a\":\"\"}", "a=" },
        { "{\"a\":null}", "a" },
        { "{\"a\":true,\"b\":false}", "a=true b=false" },
        { "{\"a\":0,\"b\":-7,\"c\":9223372036854775807}",
          "a=0 b=-7 c=9223372036854775807" },
        { "{\"b\":1,\"a\":2,\"c\":3}", "b=1 a=2 c=3" },
        { "{\"a\":1,\"a\":2}", "a=2" },

        { "{\"a\":{\"b\":{\"c\":1}},\"d\":2}", "a[b][c]=1 d=2" },
        { "{\"a\":[1,\"x\",true]}", "a[]=1 a[]=x a[]=true" },
        { "{\"a\":[{\"b\":1},{\"b\":2,\"c\":3}]}",
          "a[][b]=1 a[][b]=2 a[][c]=3" },
        { "{\"a\":[[1],[2]]}", "a[][]=1 a[][]=2" },
        { "{\"a\":[1,{\"b\":2}]}", "a[]=1 a[][b]=2" },
        { "{\"a\":[null,1,null]}", "a[]=1" },
        { "{\"a\":[],\"b\":{},\"c\":[[],{}],\"d\":[null]}", "" },
        { "{\"a\":{\"b\":null}}", "a[b]" },

        /* names that would be read as nesting, or as a list */
        { "{\"a[b]\":1,\"a]\":2,\"[\":3,\"\":4,\"a\":{\"\":5,\"]\":6}}", "" },
        { "{\"a b&c=d\":1}", "a b&c=d=1" },
        { "{\"\\u00e4\":\"\\u20ac\\ud83d\\ude00\"}",
          "\xc3\xa4=\xe2\x82\xac\xf0\x9f\x98\x80" },
        { "{\"a\":\"{[,,\\\"]}\\\\\"}", "a={[,,\"]}\\" },
        { "{\"a\":\"%41+b\"}", "a=%41+b" },

        { "[1,2]", "_json[]=1 _json[]=2" },
        { "[{\"a\":1}]", "_json[][a]=1" },
        { "\"x\"", "_json=x" },
        { "7", "_json=7" },
        { "null", "_json" },

        { "{\"a\":1.0,\"b\":-0.0,\"c\":1.50}", "a=1.0 b=-0.0 c=1.5" },
        { "{\"a\":0.1,\"b\":123.456,\"c\":1e2}", "a=0.1 b=123.456 c=100.0" },
        { "{\"a\":0.0001,\"b\":0.00012,\"c\":0.00001}",
          "a=0.0001 b=0.00012 c=1.0e-05" },
        { "{\"a\":1e15,\"b\":1e16,\"c\":1.25e20,\"d\":1e-300}",
          "a=1000000000000000.0 b=1.0e+16 c=1.25e+20 d=1.0e-300" },
        { "{\"a\":1234567890123456.5,\"b\":3.141592653589793}",
          "a=1234567890123456.5 b=3.141592653589793" },
        { "{\"a\":1.7976931348623157e308,\"b\":5e-324}",
          "a=1.7976931348623157e+308 b=5.0e-324" }
    };

    pool = ngx_create_pool(4096, NULL);

    for (i = 0; i < countof(t); i++) {
        body = text(pool, t[i].body);

        if (ngx_campfire_base_json_form_parse(pool, &body, &form) != NGX_OK) {
            fail_msg("%s is refused: %d", t[i].body, (int) form.reason);
        }

        assert_int_equal(form.reason, OK);
        assert_string_equal(dump(&form, buf), t[i].pairs);
    }

    ngx_destroy_pool(pool);
}


static void
test_json_nul(void **state)
{
    ngx_str_t                  body;
    ngx_pool_t                *pool;
    ngx_campfire_base_form_t   form;

    pool = ngx_create_pool(4096, NULL);

    body = text(pool, "{\"a\":\"x\\u0000y\"}");
    assert_int_equal(ngx_campfire_base_json_form_parse(pool, &body, &form),
                     NGX_OK);
    assert_int_equal(form.npairs, 1);
    assert_int_equal(form.pairs[0].value.len, 3);
    assert_memory_equal(form.pairs[0].value.data, "x\0y", 3);

    ngx_destroy_pool(pool);
}


static void
test_json_malformed(void **state)
{
    size_t                     i;
    ngx_str_t                  body;
    ngx_pool_t                *pool;
    ngx_campfire_base_form_t   form;

    static const struct {
        const char                *body;
        size_t                     len;
        ngx_campfire_base_form_e   reason;
    } t[] = {
#define row(s, reason)  { s, sizeof(s) - 1, reason }
        row("", SYNTAX),
        row(" ", SYNTAX),
        row("{", SYNTAX),
        row("}", SYNTAX),
        row("{\"a\"", SYNTAX),
        row("{\"a\":", SYNTAX),
        row("{\"a\":1", SYNTAX),
        row("{\"a\":1]", SYNTAX),
        row("{\"a\":1}}", SYNTAX),
        row("{\"a\":1} x", SYNTAX),
        row("{\"a\":1}{\"b\":2}", SYNTAX),
        row("{\"a\":1,}", SYNTAX),
        row("{a:1}", SYNTAX),
        row("{'a':1}", SYNTAX),
        row("{\"a\":01}", SYNTAX),
        row("{\"a\":NaN}", SYNTAX),
        row("{\"a\":\"x\ny\"}", SYNTAX),
        row("{\"a\":\"\\x\"}", SYNTAX),
        row("{\"a\":\"\\ud800\"}", SYNTAX),
        row("{\"a\":\"\\", SYNTAX),
        row("{\"a\\u0000b\":1}", SYNTAX),
        row("{\"a\":1}\0", SYNTAX),
        row("{\"a\":\"\0\"}", SYNTAX),
        row("a=b&c=d", SYNTAX),
        row("\xef\xbb\xbf{}", SYNTAX),
        row("{\"a\":\"\xff\"}", BAD_UTF8),
        row("{\"a\":\"\xc3\"}", BAD_UTF8),
        row("{\"\xed\xa0\x80\":1}", BAD_UTF8),
        row("{\0\"\0a\0\"\0:\0" "1\0}\0", SYNTAX)        /* UTF-16 */
#undef row
    };

    pool = ngx_create_pool(4096, NULL);

    for (i = 0; i < countof(t); i++) {
        body = exact(pool, t[i].body, t[i].len);

        if (ngx_campfire_base_json_form_parse(pool, &body, &form) != NGX_ERROR
            || form.reason != t[i].reason || form.npairs != 0)
        {
            fail_msg("%s: reason %d", t[i].body, (int) form.reason);
        }
    }

    ngx_destroy_pool(pool);
}


static void
test_json_limits(void **state)
{
    char                      *p, *buf;
    size_t                     i, n;
    ngx_str_t                  body;
    ngx_pool_t                *pool;
    ngx_campfire_base_form_t   form;

    pool = ngx_create_pool(4096, NULL);
    buf = malloc(65536);
    assert_non_null(buf);

    for (n = 1000; n <= 1001; n++) {
        p = buf;
        *p++ = '{';

        for (i = 0; i < n; i++) {
            p += sprintf(p, "%s\"k%d\":\",\"", i ? "," : "", (int) i);
        }

        *p++ = '}';
        body = exact(pool, buf, (size_t) (p - buf));

        (void) ngx_campfire_base_json_form_parse(pool, &body, &form);
        assert_int_equal(form.reason, n == 1000 ? OK : TOO_MANY);
        assert_int_equal(form.npairs, n == 1000 ? 1000 : 0);
    }

    for (n = 32; n <= 33; n++) {
        p = buf;

        for (i = 0; i <= n; i++) {
            p += sprintf(p, "{\"a\":");
        }

        *p++ = '1';

        for (i = 0; i <= n; i++) {
            *p++ = '}';
        }

        body = exact(pool, buf, (size_t) (p - buf));

        (void) ngx_campfire_base_json_form_parse(pool, &body, &form);
        assert_int_equal(form.reason, n == 32 ? OK : TOO_DEEP);
        assert_int_equal(form.npairs, n == 32 ? 1 : 0);
    }

    /* what would cost most in the parser does not reach it */

    memset(buf, '[', 65536);
    body = exact(pool, buf, 65536);
    (void) ngx_campfire_base_json_form_parse(pool, &body, &form);
    assert_int_equal(form.reason, TOO_DEEP);

    for (i = 0; i + 3 <= 65536; i += 3) {
        memcpy(buf + i, "[],", 3);
    }

    body = exact(pool, buf, i);
    (void) ngx_campfire_base_json_form_parse(pool, &body, &form);
    assert_int_equal(form.reason, TOO_MANY);

    free(buf);
    ngx_destroy_pool(pool);
}


static ngx_int_t
multipart(ngx_pool_t *pool, const char *type, const char *body, size_t len,
    ngx_campfire_base_multipart_t *mp)
{
    ngx_str_t  t, b;

    t = text(pool, type);
    b = exact(pool, body, len);

    return ngx_campfire_base_multipart_parse(pool, &t, &b, mp);
}


static void
test_multipart_text(void **state)
{
    char                            buf[1024];
    size_t                          i;
    ngx_pool_t                     *pool;
    ngx_campfire_base_form_t        form;
    ngx_campfire_base_multipart_t   mp;

    static const struct {
        const char  *body;
        const char  *pairs;
    } t[] = {
        { "--b--", "" },
        { "--b--\r\n", "" },
        { "\r\n--b--\r\n", "" },
        { PART("a", "1") "--b--\r\n", "a=1" },
        { PART("a", "1") "--b--", "a=1" },
        { PART("a", "1") "--b--\r\nepilogue\r\n" PART("c", "2"), "a=1" },
        { "preamble\r\n" PART("a", "1") "--b--", "a=1" },
        { "--b \t\r\n" NAME("a") "\r\n\r\n1\r\n--b--", "a=1" },
        { PART("a", "1") PART("c[d]", "2") PART("l[]", "3") PART("l[]", "4")
          "--b--", "a=1 c[d]=2 l[]=3 l[]=4" },
        { PART("a", "1") PART("a", "2") "--b--", "a=1 a=2" },
        { PART("a", "") "--b--", "a=" },
        { "--b\r\n" NAME("a") "\r\n\r\n--b--", "a=" },

        /* what looks like a boundary and is none */
        { PART("a", "x--b\r\n--bb\r\n--b-\r\n-b\r\n--c--\r\r\n\n\r") "--b--",
          "a=x--b\r\n--bb\r\n--b-\r\n-b\r\n--c--\r\r\n\n\r" },
        { PART("a", "\r\n\r\n") "--b--", "a=\r\n\r\n" },

        /* headers */
        { "--b\r\ncontent-disposition:form-data;name=a\r\n\r\n1\r\n--b--",
          "a=1" },
        { "--b\r\nCONTENT-DISPOSITION : x\r\n" NAME("a")
          "\r\n\r\n1\r\n--b--", "a=1" },
        { "--b\r\nX-Y: z; name=\"q\"\r\nno colon\r\n" NAME("a") "\r\n"
          "Content-Type: text/plain; charset=UTF-8\r\n\r\n1\r\n--b--",
          "a=1" },
        { "--b\r\n" NAME("a") "\r\n" NAME("c") "\r\n\r\n1\r\n--b--", "a=1" },
        { "--b\r\nContent-Disposition: form-data;\r\n\tname=\"a\"\r\n"
          "\r\n1\r\n--b--", "a=1" },
        { "--b\r\nContent-Disposition: form-data; x; y=\"; name=q\" ; NAME = "
          "\"a\" ; z\r\n\r\n1\r\n--b--", "a=1" },
        { "--b\r\nContent-Disposition: form-data; name=a b ;x\r\n"
          "\r\n1\r\n--b--", "a b=1" },
        { "--b\r\nContent-Disposition: form-data; name=\"a\r\n"
          "\r\n1\r\n--b--", "a=1" },
        { "--b\r\nContent-Transfer-Encoding: base64\r\n" NAME("a")
          "\r\n\r\nMQ==\r\n--b--", "a=MQ==" },

        /* names */
        { PART("a\\\"\\\\", "1") "--b--", "a\"\\=1" },
        { PART("a%22%0D%0a%41%", "1") "--b--", "a\"\r\n%41%=1" },
        { PART("\xc3\xa4", "\xe2\x82\xac") "--b--", "\xc3\xa4=\xe2\x82\xac" },

        /* parts without a name */
        { PART("", "1") PART("a", "2") "--b--", "a=2" },
        { "--b\r\n\r\n1\r\n" PART("a", "2") "--b--", "a=2" },
        { "--b\r\nContent-Type: text/plain\r\n\r\n1\r\n--b--", "" },
        { "--b\r\nContent-Disposition: form-data\r\n\r\n1\r\n--b--", "" }
    };

    pool = ngx_create_pool(4096, NULL);

    for (i = 0; i < countof(t); i++) {
        if (multipart(pool, TYPE, t[i].body, strlen(t[i].body), &mp) != NGX_OK
            || ngx_campfire_base_multipart_form(pool, &mp, &form) != NGX_OK)
        {
            fail_msg("%s is refused: %d", t[i].body, (int) mp.reason);
        }

        assert_string_equal(dump(&form, buf), t[i].pairs);
    }

    ngx_destroy_pool(pool);
}


static void
test_multipart_malformed(void **state)
{
    size_t                          i;
    ngx_pool_t                     *pool;
    ngx_campfire_base_form_t        form;
    ngx_campfire_base_multipart_t   mp;

    static const struct {
        const char                *body;
        size_t                     len;
        ngx_campfire_base_form_e   reason;
    } t[] = {
#define row(s, reason)  { s, sizeof(s) - 1, reason }
        row("", SYNTAX),
        row("\r", SYNTAX),
        row("\r\n", SYNTAX),
        row("--b", SYNTAX),
        row("--b-", SYNTAX),
        row("--b\r\n", SYNTAX),
        row("--c--\r\n", SYNTAX),
        row("x--b--\r\n", SYNTAX),
        row("a=b&c=d", SYNTAX),
        row("--b\r\n" NAME("a"), SYNTAX),
        row("--b\r\n" NAME("a") "\r\n\r\n", SYNTAX),
        row("--b\r\n" NAME("a") "\r\n\r\n1", SYNTAX),
        row("--b\r\n" NAME("a") "\r\n\r\n1\r\n", SYNTAX),
        row("--b\r\n" NAME("a") "\r\n\r\n1\r\n--b", SYNTAX),
        row("--b\r\n" NAME("a") "\r\n\r\n1\r\n--b\r\n", SYNTAX),
        row("--b\r\n" NAME("a") "\r\n\r\n1--b--\r\n", SYNTAX),
        row("--b\n" NAME("a") "\n\n1\n--b--\n", SYNTAX),
        row("--b\r\n" NAME("a") "\r\n--b--\r\n", SYNTAX),

        row(PART("a\0", "1") "--b--", SYNTAX),
        row(PART("a\xff", "1") "--b--", BAD_UTF8),
        row(PART("a", "\xff") "--b--", BAD_UTF8),
        row(PART("a", "\xc3") "--b--", BAD_UTF8),
        row(FILE("filename=\"a\0.png\""), SYNTAX),
        row(FILE("filename=\"a%00.png\""), SYNTAX),

        row(PART("a[", "1") "--b--", NESTING),
        row(PART("[a]", "1") "--b--", NESTING),
        row(PART("a[b]c", "1") "--b--", NESTING),
        row(PART("a", "1") PART("a[b]", "2") "--b--", NESTING),
        row(PART("a[]", "1") PART("a[b]", "2") "--b--", NESTING),
        row(PART("f[x]", "1") FILE("filename=\"a\""), NESTING)
#undef row
    };

    pool = ngx_create_pool(4096, NULL);

    for (i = 0; i < countof(t); i++) {

        if (multipart(pool, TYPE, t[i].body, t[i].len, &mp) == NGX_OK) {
            assert_int_equal(mp.reason, OK);

            if (ngx_campfire_base_multipart_form(pool, &mp, &form) == NGX_OK
                || form.reason != t[i].reason || form.npairs != 0)
            {
                fail_msg("%s: reason %d", t[i].body, (int) form.reason);
            }

            continue;
        }

        assert_int_equal(mp.nparts, 0);

        if (mp.reason != t[i].reason) {
            fail_msg("%s: reason %d", t[i].body, (int) mp.reason);
        }
    }

    ngx_destroy_pool(pool);
}


static void
test_multipart_boundary(void **state)
{
    char                            body[256];
    size_t                          i;
    ngx_int_t                       rc;
    ngx_pool_t                     *pool;
    ngx_campfire_base_multipart_t   mp;

#define B10  "0123456789"
#define B70  B10 B10 B10 B10 B10 B10 B10

    static const struct {
        const char  *type;
        const char  *boundary;      /* NULL: refused */
    } t[] = {
        { "multipart/form-data; boundary=b", "b" },
        { "Multipart/Form-Data;BOUNDARY=b", "b" },
        { "multipart/form-data; charset=utf-8; boundary=b; x=y", "b" },
        { "multipart/form-data; boundary=\"b c;,=?\"", "b c;,=?" },
        { "multipart/form-data; boundary=----WebKitFormBoundaryAbC0",
          "----WebKitFormBoundaryAbC0" },
        { "multipart/form-data; boundary=b ", "b" },
        { "multipart/form-data; boundary=\"-\"", "-" },
        { "multipart/form-data; boundary=" B70, B70 },
        { "multipart/form-data; boundary=" B70 "x", NULL },
        { "multipart/form-data", NULL },
        { "multipart/form-data; boundary", NULL },
        { "multipart/form-data; boundary=", NULL },
        { "multipart/form-data; boundary=\"\"", NULL },
        { "multipart/form-data; boundary=\"b \"", NULL },
        { "multipart/form-data; boundary=\"b\\c\"", NULL },
        { "multipart/form-data; boundary=\xc3\xa4", NULL },
        { "multipart/form-data; boundary=a\tb", NULL },
        { "multipart/form-data; boundary=b; boundary=b", NULL },
        { "multipart/form-data; xboundary=b", NULL },
        { "boundary=b", NULL },
        { "", NULL }
    };

    pool = ngx_create_pool(4096, NULL);

    for (i = 0; i < countof(t); i++) {
        sprintf(body, "--%s\r\n" NAME("a") "\r\n\r\n1\r\n--%s--\r\n",
                t[i].boundary ? t[i].boundary : "b",
                t[i].boundary ? t[i].boundary : "b");

        rc = multipart(pool, t[i].type, body, strlen(body), &mp);

        if ((rc == NGX_OK) != (t[i].boundary != NULL)
            || (rc == NGX_OK && mp.nparts != 1))
        {
            fail_msg("%s: %d", t[i].type, (int) rc);
        }
    }

    ngx_destroy_pool(pool);
}


static void
test_multipart_filename(void **state)
{
    size_t                               i;
    ngx_pool_t                          *pool;
    ngx_campfire_base_multipart_t        mp;
    ngx_campfire_base_multipart_part_t  *part;

    static const struct {
        const char  *body;
        const char  *filename;      /* NULL: no file was chosen */
    } t[] = {
        { FILE("filename=\"a.png\""), "a.png" },
        { FILE("filename=a.png"), "a.png" },
        { FILE("filename=a b.png"), "a b.png" },
        { FILE("filename=\"\""), NULL },
        { FILE("filename="), NULL },
        { FILE("filename"), NULL },
        { FILE("filename=\"a;b=c.png\""), "a;b=c.png" },
        { FILE("filename=\"a\\\"b.png\""), "a\"b.png" },
        { FILE("filename=\"a%22b.png\""), "a\"b.png" },
        { FILE("filename=\"a%20b%2Fc.png\""), "c.png" },
        { FILE("filename=\"100%.png\""), "100%.png" },
        { FILE("filename=\"100%25 %zz.png\""), "100%25 %zz.png" },
        { FILE("filename=\"C:\\dir\\new.txt\""), "new.txt" },
        { FILE("filename=\"../../etc/passwd\""), "passwd" },
        { FILE("filename=\"dir/\""), "dir" },
        { FILE("filename=\"/\\/\""), NULL },
        { FILE("filename=\"\xe2\x82\xac.png\""), "\xe2\x82\xac.png" },
        { FILE("filename=\"\xe4.png\""), "\xef\xbf\xbd.png" },
        { FILE("filename=\"a.png"), "a.png" },
        { FILE("filename*=UTF-8''%e2%82%ac.png"), "\xe2\x82\xac.png" },
        { FILE("filename=\"x.png\"; filename*=utf-8'en'y.png"), "y.png" },
        { FILE("filename*=utf-8''y.png; filename=\"x.png\""), "y.png" },
        { FILE("filename*=iso-8859-1''%e4.png"), "\xc3\xa4.png" },
        { FILE("filename*=utf-8''%e4.png"), "\xef\xbf\xbd.png" },
        { FILE("filename=\"x.png\"; filename*=nonsense"), "x.png" },
        { FILE("filename*=nonsense"), NULL }
    };

    pool = ngx_create_pool(4096, NULL);

    for (i = 0; i < countof(t); i++) {

        if (multipart(pool, TYPE, t[i].body, strlen(t[i].body), &mp)
            != NGX_OK)
        {
            fail_msg("%s is refused", t[i].body);
        }

        if (t[i].filename == NULL) {
            if (mp.nparts != 0) {
                fail_msg("%s gives a part", t[i].body);
            }

            continue;
        }

        assert_int_equal(mp.nparts, 1);
        part = &mp.parts[0];
        assert_int_equal(part->file, 1);
        assert_int_equal(part->data.len, 1);
        assert_int_equal(part->type.len, 0);

        if (part->filename.len != strlen(t[i].filename)
            || memcmp(part->filename.data, t[i].filename, part->filename.len))
        {
            fail_msg("%s: got %.*s", t[i].body, (int) part->filename.len,
                     (char *) part->filename.data);
        }
    }

    ngx_destroy_pool(pool);
}


static void
test_multipart_files(void **state)
{
    ngx_str_t                            key, none, body, type;
    ngx_pool_t                          *pool;
    ngx_campfire_base_form_t             form;
    ngx_campfire_base_multipart_t        mp;
    ngx_campfire_base_multipart_part_t  *part;

    static const char  bytes[] =
        PART("message[client_message_id]", "id")
        "--b\r\n" NAME("message[attachment]") "; filename=\"a.png\"\r\n"
        "Content-Type: image/png \r\n\r\n"
        "\x89PNG\r\n\x1a\n\0\xff\r\n--\r\n\r\n"
        "--b\r\n" NAME("message[attachment]") "; filename=\"b.png\"\r\n"
        "Content-Type: image/x\r\n injected: 1\r\n\r\n"
        "\0\r\n"
        "--b\r\n" NAME("avatar") "; filename=\"\"\r\n"
        "Content-Type: application/octet-stream\r\n\r\n\r\n"
        "--b--\r\n";

    ngx_str_set(&key, "message[attachment]");
    ngx_str_set(&none, "avatar");

    pool = ngx_create_pool(4096, NULL);

    type = text(pool, TYPE);
    body = exact(pool, bytes, sizeof(bytes) - 1);

    assert_int_equal(ngx_campfire_base_multipart_parse(pool, &type, &body,
                                                       &mp), NGX_OK);
    assert_int_equal(mp.nparts, 3);
    assert_int_equal(mp.parts[0].file, 0);

    part = &mp.parts[1];
    assert_int_equal(part->file, 1);
    assert_int_equal(part->type.len, 9);
    assert_memory_equal(part->type.data, "image/png", 9);
    assert_int_equal(part->data.len, 16);
    assert_memory_equal(part->data.data,
                        "\x89PNG\r\n\x1a\n\0\xff\r\n--\r\n", 16);

    /* a slice of the body, not a copy */
    assert_true(part->data.data > body.data
                && part->data.data < body.data + body.len);

    part = ngx_campfire_base_multipart_file(&mp, &key);
    assert_ptr_equal(part, &mp.parts[2]);
    assert_int_equal(part->data.len, 1);

    /* a type that is no single line is none */
    assert_int_equal(part->type.len, 0);

    assert_null(ngx_campfire_base_multipart_file(&mp, &none));

    /* files are no parameters */
    assert_int_equal(ngx_campfire_base_multipart_form(pool, &mp, &form),
                     NGX_OK);
    assert_int_equal(form.npairs, 1);
    assert_null(ngx_campfire_base_form_first(&form, &key));

    ngx_destroy_pool(pool);
}


static void
test_multipart_limits(void **state)
{
    char                           *buf, *p;
    size_t                          i, n;
    ngx_pool_t                     *pool;
    ngx_campfire_base_multipart_t   mp;

    pool = ngx_create_pool(4096, NULL);
    buf = malloc(65536);
    assert_non_null(buf);

    for (n = 128; n <= 129; n++) {
        p = buf;

        for (i = 0; i < n; i++) {
            p += sprintf(p, PART("a%d", "1"), (int) i);
        }

        p += sprintf(p, "--b--");
        (void) multipart(pool, TYPE, buf, (size_t) (p - buf), &mp);
        assert_int_equal(mp.reason, n == 128 ? OK : TOO_MANY);
        assert_int_equal(mp.nparts, n == 128 ? 128 : 0);
    }

    /* those without a name count, too */

    p = buf;

    for (i = 0; i < 129; i++) {
        p += sprintf(p, "--b\r\n\r\n\r\n");
    }

    p += sprintf(p, "--b--");
    (void) multipart(pool, TYPE, buf, (size_t) (p - buf), &mp);
    assert_int_equal(mp.reason, TOO_MANY);

    /* 8192 bytes of headers, with the empty line */

    for (n = 8192; n <= 8193; n++) {
        p = buf;
        p += sprintf(p, "--b\r\n" NAME("a") "\r\nX: ");

        while (p - buf < (int) n - 4 + 5) {
            *p++ = 'x';
        }

        p += sprintf(p, "\r\n\r\n1\r\n--b--");
        (void) multipart(pool, TYPE, buf, (size_t) (p - buf), &mp);
        assert_int_equal(mp.reason, n == 8192 ? OK : TOO_LARGE);
    }

    free(buf);
    ngx_destroy_pool(pool);
}


/* Whatever is cut off, it is refused, and nothing beyond the end is read. */

static void
test_multipart_prefixes(void **state)
{
    size_t                          n;
    ngx_int_t                       rc;
    ngx_pool_t                     *pool;
    ngx_campfire_base_multipart_t   mp;

    static const char  bytes[] =
        "--b\r\n" NAME("a%22\\\"") "; filename*=utf-8''%e2%82%ac\r\n"
        "Content-Type: text/plain\r\n\r\n\r\r\n-\r\n--b\r\n"
        NAME("c") "\r\n\r\n\r\n--b--";

    for (n = 0; n < sizeof(bytes); n++) {
        pool = ngx_create_pool(4096, NULL);

        rc = multipart(pool, TYPE, bytes, n, &mp);
        assert_int_equal(rc, n == sizeof(bytes) - 1 ? NGX_OK : NGX_ERROR);

        ngx_destroy_pool(pool);
    }
}


int
main(void)
{
    const struct CMUnitTest  tests[] = {
        cmocka_unit_test(test_json_values),
        cmocka_unit_test(test_json_nul),
        cmocka_unit_test(test_json_malformed),
        cmocka_unit_test(test_json_limits),
        cmocka_unit_test(test_multipart_text),
        cmocka_unit_test(test_multipart_malformed),
        cmocka_unit_test(test_multipart_boundary),
        cmocka_unit_test(test_multipart_filename),
        cmocka_unit_test(test_multipart_files),
        cmocka_unit_test(test_multipart_limits),
        cmocka_unit_test(test_multipart_prefixes),
    };

    cmocka_set_message_output(CM_OUTPUT_TAP);

    return cmocka_run_group_tests(tests, NULL, NULL);
}
