
/*
 * What the tests of message bodies share.  cmocka.h is included before.
 */

#ifndef _CAMPFIRE_T_RICHTEXT_H_INCLUDED_
#define _CAMPFIRE_T_RICHTEXT_H_INCLUDED_


#include "richtext/ngx_campfire_richtext.h"
#include "richtext/ngx_campfire_richtext_tree.h"


#define OPEN   "<div class=\"" NGX_CAMPFIRE_RICHTEXT_CLASS "\">\n  "
#define CLOSE  "\n</div>\n"


static ngx_pool_t  *pool;


static inline ngx_str_t
cstr(const char *s)
{
    ngx_str_t  str;

    str.data = (u_char *) s;
    str.len = strlen(s);

    return str;
}


static inline ngx_str_t
join(const char *a, ngx_str_t b, const char *c)
{
    ngx_str_t           s;
    ngx_campfire_buf_t  buf;

    ngx_campfire_base_buf_init(&buf, pool, 0);
    ngx_campfire_base_buf_append(&buf, a, strlen(a));
    ngx_campfire_base_buf_str(&buf, b);
    ngx_campfire_base_buf_append(&buf, c, strlen(c));
    assert_int_equal(ngx_campfire_base_buf_done(&buf, &s), NGX_OK);

    return s;
}


static inline void
equal(const char *what, size_t row, ngx_str_t got, ngx_str_t want)
{
    if (got.len == want.len && memcmp(got.data, want.data, got.len) == 0) {
        return;
    }

    fail_msg("%s %zu\n got: %.*s\nwant: %.*s", what, row, (int) got.len,
             (char *) got.data, (int) want.len, (char *) want.data);
}


static inline ngx_str_t
render(ngx_str_t stored, ngx_campfire_richtext_resolver_t *with)
{
    ngx_campfire_html_t  html;

    assert_int_equal(ngx_campfire_richtext_render(pool, &stored, with, &html),
                     NGX_OK);
    return html.str;
}


static inline ngx_str_t
api(ngx_str_t stored, ngx_campfire_richtext_resolver_t *with)
{
    ngx_campfire_html_t  html;

    assert_int_equal(ngx_campfire_richtext_api(pool, &stored, with, &html),
                     NGX_OK);
    return html.str;
}


static inline ngx_str_t
plain(ngx_str_t stored, ngx_campfire_richtext_resolver_t *with)
{
    ngx_str_t  text;

    assert_int_equal(ngx_campfire_richtext_plain(pool, &stored, with, &text),
                     NGX_OK);
    return text;
}


static inline ngx_str_t
canonical(ngx_str_t submitted)
{
    ngx_str_t  stored;

    assert_int_equal(ngx_campfire_richtext_canonicalize(pool, &submitted,
                                                        &stored),
                     NGX_OK);
    return stored;
}


static inline ngx_str_t
inside(const char *html)
{
    return join(OPEN, cstr(html), CLOSE);
}


#endif /* _CAMPFIRE_T_RICHTEXT_H_INCLUDED_ */
