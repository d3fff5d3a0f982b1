
/*
 * Escaping for HTML, and for cookies and forms.
 */

#include "base/ngx_campfire_base_escape.h"


static const ngx_str_t *
ngx_campfire_base_escape_entity(u_char c)
{
    static const ngx_str_t  amp = ngx_string("&amp;");
    static const ngx_str_t  lt = ngx_string("&lt;");
    static const ngx_str_t  gt = ngx_string("&gt;");
    static const ngx_str_t  quot = ngx_string("&quot;");
    static const ngx_str_t  apos = ngx_string("&#39;");

    switch (c) {

    case '&':
        return &amp;

    case '<':
        return &lt;

    case '>':
        return &gt;

    case '"':
        return &quot;

    case '\'':
        return &apos;

    default:
        return NULL;
    }
}


size_t
ngx_campfire_base_escape_html_len(const u_char *src, size_t len)
{
    size_t            i, n;
    const ngx_str_t  *e;

    n = 0;

    for (i = 0; i < len; i++) {
        e = ngx_campfire_base_escape_entity(src[i]);
        n += e ? e->len : 1;
    }

    return n;
}


u_char *
ngx_campfire_base_escape_html(u_char *dst, const u_char *src, size_t len)
{
    size_t            i;
    const ngx_str_t  *e;

    for (i = 0; i < len; i++) {
        e = ngx_campfire_base_escape_entity(src[i]);

        if (e) {
            dst = ngx_cpymem(dst, e->data, e->len);

        } else {
            *dst++ = src[i];
        }
    }

    return dst;
}


static ngx_uint_t
ngx_campfire_base_escape_kept(u_char c)
{
    return (c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z')
           || (c >= '0' && c <= '9')
           || c == '*' || c == '-' || c == '.' || c == '_';
}


size_t
ngx_campfire_base_escape_cookie_len(const u_char *src, size_t len)
{
    size_t  i, n;

    n = 0;

    for (i = 0; i < len; i++) {
        n += (src[i] == ' ' || ngx_campfire_base_escape_kept(src[i])) ? 1 : 3;
    }

    return n;
}


u_char *
ngx_campfire_base_escape_cookie(u_char *dst, const u_char *src, size_t len)
{
    size_t  i;

    static const u_char  hex[] = "0123456789ABCDEF";

    for (i = 0; i < len; i++) {
        if (src[i] == ' ') {
            *dst++ = '+';

        } else if (ngx_campfire_base_escape_kept(src[i])) {
            *dst++ = src[i];

        } else {
            *dst++ = '%';
            *dst++ = hex[src[i] >> 4];
            *dst++ = hex[src[i] & 15];
        }
    }

    return dst;
}


static int
ngx_campfire_base_escape_hex(u_char c)
{
    if (c >= '0' && c <= '9') {
        return c - '0';
    }

    c |= 0x20;

    return (c >= 'a' && c <= 'f') ? c - 'a' + 10 : -1;
}


ngx_int_t
ngx_campfire_base_unescape(u_char *dst, size_t *n, const u_char *src,
    size_t len, ngx_campfire_base_unescape_e mode)
{
    int     hi, lo;
    size_t  i, out;

    out = 0;

    for (i = 0; i < len; i++) {
        if (src[i] == '%') {
            hi = (len - i > 2) ? ngx_campfire_base_escape_hex(src[i + 1]) : -1;
            lo = (hi >= 0) ? ngx_campfire_base_escape_hex(src[i + 2]) : -1;

            if (lo >= 0) {
                dst[out++] = (u_char) (hi << 4 | lo);
                i += 2;
                continue;
            }

            if (mode == NGX_CAMPFIRE_BASE_UNESCAPE_FORM) {
                return NGX_ERROR;
            }
        }

        dst[out++] = (src[i] == '+') ? ' ' : src[i];
    }

    *n = out;

    return NGX_OK;
}
