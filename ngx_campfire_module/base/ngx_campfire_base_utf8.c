
/*
 * Strict UTF-8 (RFC 3629): validation and decoding.
 */

#include "base/ngx_campfire_base_utf8.h"

#include <locale.h>
#include <wctype.h>


ngx_int_t
ngx_campfire_base_utf8_decode(const u_char **p, const u_char *last,
    uint32_t *cp)
{
    size_t         i, n;
    uint32_t       v, min;
    const u_char  *s;

    s = *p;

    if (s == last) {
        return NGX_ERROR;
    }

    if (s[0] < 0x80) {
        *cp = s[0];
        *p = s + 1;
        return NGX_OK;
    }

    if ((s[0] & 0xe0) == 0xc0) {
        n = 2;
        v = s[0] & 0x1f;
        min = 0x80;

    } else if ((s[0] & 0xf0) == 0xe0) {
        n = 3;
        v = s[0] & 0x0f;
        min = 0x800;

    } else if ((s[0] & 0xf8) == 0xf0) {
        n = 4;
        v = s[0] & 0x07;
        min = 0x10000;

    } else {
        return NGX_ERROR;
    }

    if ((size_t) (last - s) < n) {
        return NGX_ERROR;
    }

    for (i = 1; i < n; i++) {
        if ((s[i] & 0xc0) != 0x80) {
            return NGX_ERROR;
        }

        v = v << 6 | (s[i] & 0x3f);
    }

    if (v < min || v > 0x10ffff || (v >= 0xd800 && v <= 0xdfff)) {
        return NGX_ERROR;
    }

    *cp = v;
    *p = s + n;

    return NGX_OK;
}


ngx_int_t
ngx_campfire_base_utf8_valid(const u_char *p, size_t len)
{
    uint32_t       cp;
    const u_char  *last;

    if (len == 0) {
        return 1;
    }

    last = p + len;

    while (p < last) {
        if (ngx_campfire_base_utf8_decode(&p, last, &cp) != NGX_OK) {
            return 0;
        }
    }

    return 1;
}


u_char *
ngx_campfire_base_utf8_encode(u_char *p, uint32_t cp)
{
    if (cp < 0x80) {
        *p++ = (u_char) cp;

    } else if (cp < 0x800) {
        *p++ = (u_char) (0xc0 | (cp >> 6));
        *p++ = (u_char) (0x80 | (cp & 0x3f));

    } else if (cp < 0x10000) {
        *p++ = (u_char) (0xe0 | (cp >> 12));
        *p++ = (u_char) (0x80 | ((cp >> 6) & 0x3f));
        *p++ = (u_char) (0x80 | (cp & 0x3f));

    } else {
        *p++ = (u_char) (0xf0 | (cp >> 18));
        *p++ = (u_char) (0x80 | ((cp >> 12) & 0x3f));
        *p++ = (u_char) (0x80 | ((cp >> 6) & 0x3f));
        *p++ = (u_char) (0x80 | (cp & 0x3f));
    }

    return p;
}


/*
 * The C library's table, whatever the locale of the process is.  The locale
 * object is constant and per process.
 */
uint32_t
ngx_campfire_base_utf8_upper(uint32_t cp)
{
    static locale_t  utf8;

    if (cp < 0x80) {
        return (cp >= 'a' && cp <= 'z') ? cp - 0x20 : cp;
    }

    if (utf8 == (locale_t) 0) {
        utf8 = newlocale(LC_CTYPE_MASK, "C.UTF-8", (locale_t) 0);

        if (utf8 == (locale_t) 0) {
            return cp;
        }
    }

    return (uint32_t) towupper_l((wint_t) cp, utf8);
}
