
/*
 * Judging addresses: may it stand in an attribute, does it lead away from
 * this server, are two the same page.
 */

#include "richtext/ngx_campfire_richtext_tree.h"

#include <ctype.h>
#include <strings.h>


/* In a cleaned value: a character that was not ASCII, or that is to go. */

#define NGX_CAMPFIRE_RICHTEXT_URL_OTHER  0xff
#define NGX_CAMPFIRE_RICHTEXT_URL_GONE   0xfe


/* data is missing on purpose: in a link it is of no use, only a risk. */
static const char  *const ngx_campfire_richtext_url_schemes[] = {
    "afs", "aim", "callto", "ed2k", "fax", "ftp", "gopher", "http", "https",
    "irc", "line", "mailto", "modem", "news", "nntp", "rsync", "rtsp", "sftp",
    "sms", "ssh", "tag", "tel", "telnet", "urn", "webcal", "xmpp"
};

static size_t ngx_campfire_richtext_url_clean(u_char *clean,
    const ngx_str_t *value);
static size_t ngx_campfire_richtext_url_sweep(u_char *p, size_t len);
static size_t ngx_campfire_richtext_url_decode(u_char *p, size_t len,
    ngx_uint_t semicolon);
static size_t ngx_campfire_richtext_url_number(const u_char *p, size_t len,
    uint32_t *c, size_t *digits);
static size_t ngx_campfire_richtext_url_names(u_char *p, size_t len);
static ngx_int_t ngx_campfire_richtext_url_separator(const u_char *p,
    size_t len);
static ngx_int_t ngx_campfire_richtext_url_host(const ngx_str_t *url,
    ngx_str_t *host);
static ngx_int_t ngx_campfire_richtext_url_twitter(ngx_pool_t *pool,
    const ngx_str_t *url, ngx_str_t *norm);


#define ngx_campfire_richtext_url_lower(c)                                    \
    (u_char) ((c) >= 'A' && (c) <= 'Z' ? (c) | 0x20 : (c))

#define ngx_campfire_richtext_url_is_letter(c)                                \
    (((c) | 0x20) >= 'a' && ((c) | 0x20) <= 'z')

#define ngx_campfire_richtext_url_is_digit(c)  ((c) >= '0' && (c) <= '9')


/*
 * A browser drops some characters and decodes others before it looks for a
 * scheme, and somebody may decode a value once more.  So the scheme is read
 * from a copy with all that done; the value itself stays as it is.
 */
ngx_int_t
ngx_campfire_richtext_url_safe(ngx_pool_t *pool, const ngx_str_t *value)
{
    u_char  *p;
    size_t   i, len, scheme;

    p = ngx_pnalloc(pool, value->len + 1);
    if (p == NULL) {
        return NGX_ERROR;
    }

    len = ngx_campfire_richtext_url_clean(p, value);

    if (len == 0 || !ngx_campfire_richtext_url_is_letter(p[0])) {
        return NGX_OK;
    }

    for (scheme = 1; scheme < len; scheme++) {
        if (!ngx_campfire_richtext_url_is_letter(p[scheme])
            && !ngx_campfire_richtext_url_is_digit(p[scheme])
            && p[scheme] != '+' && p[scheme] != '-' && p[scheme] != '.')
        {
            break;
        }
    }

    if (!ngx_campfire_richtext_url_separator(p + scheme, len - scheme)) {
        return NGX_OK;
    }

    for (i = 0; i < sizeof(ngx_campfire_richtext_url_schemes)
                    / sizeof(ngx_campfire_richtext_url_schemes[0]); i++)
    {
        if (strlen(ngx_campfire_richtext_url_schemes[i]) == scheme
            && ngx_memcmp(ngx_campfire_richtext_url_schemes[i], p, scheme)
               == 0)
        {
            return NGX_OK;
        }
    }

    return NGX_DECLINED;
}


static size_t
ngx_campfire_richtext_url_clean(u_char *clean, const ngx_str_t *value)
{
    size_t         len, i;
    uint32_t       c;
    const u_char  *p, *last;

    len = 0;
    p = value->data;
    last = p + value->len;

    while (p < last) {
        c = ngx_campfire_richtext_char_next(&p, last);

        if (c == 0x212a) {
            c = 'k';                   /* what the Kelvin sign is in small */
        }

        clean[len++] = c < 0x80 ? (u_char) c
                       : c <= 0x101 ? NGX_CAMPFIRE_RICHTEXT_URL_GONE
                         : NGX_CAMPFIRE_RICHTEXT_URL_OTHER;
    }

    len = ngx_campfire_richtext_url_sweep(clean, len);
    len = ngx_campfire_richtext_url_decode(clean, len, 1);
    len = ngx_campfire_richtext_url_decode(clean, len, 0);
    len = ngx_campfire_richtext_url_sweep(clean, len);
    len = ngx_campfire_richtext_url_names(clean, len);

    for (i = 0; i < len; i++) {
        clean[i] = ngx_campfire_richtext_url_lower(clean[i]);
    }

    return len;
}


static size_t
ngx_campfire_richtext_url_sweep(u_char *p, size_t len)
{
    size_t  i, n;

    n = 0;

    for (i = 0; i < len; i++) {
        if (p[i] > ' ' && p[i] != '`' && p[i] != 0x7f
            && p[i] != NGX_CAMPFIRE_RICHTEXT_URL_GONE)
        {
            p[n++] = p[i];
        }
    }

    return n;
}


/*
 * Character references: with semicolon those that XML names and numbers,
 * without one numbers only.
 */
static size_t
ngx_campfire_richtext_url_decode(u_char *p, size_t len, ngx_uint_t semicolon)
{
    size_t    i, k, n, used, digits;
    uint32_t  c;

    static const struct {
        const char  *name;
        size_t       len;
        u_char       c;
    } names[] = {
        { "&amp;",  5, '&' },
        { "&lt;",   4, '<' },
        { "&gt;",   4, '>' },
        { "&quot;", 6, '"' },
        { "&apos;", 6, '\'' },
    };

    n = 0;
    i = 0;

    while (i < len) {

        if (p[i] != '&') {
            p[n++] = p[i++];
            continue;
        }

        used = ngx_campfire_richtext_url_number(p + i, len - i, &c, &digits);

        if (used && semicolon) {
            used = i + used < len && p[i + used] == ';' ? used + 1 : 0;

        } else if (used && (i + used < len && p[i + used] == ';')) {
            used = 0;
        }

        if (used && c <= 0x10ffff) {
            p[n++] = c < 0x80 ? (u_char) c
                     : c <= 0x101 ? NGX_CAMPFIRE_RICHTEXT_URL_GONE
                       : NGX_CAMPFIRE_RICHTEXT_URL_OTHER;
            i += used;
            continue;
        }

        for (k = 0; semicolon && k < sizeof(names) / sizeof(names[0]); k++) {
            if (len - i >= names[k].len
                && ngx_memcmp(p + i, names[k].name, names[k].len) == 0)
            {
                break;
            }
        }

        if (semicolon && k < sizeof(names) / sizeof(names[0])) {
            p[n++] = names[k].c;
            i += names[k].len;
            continue;
        }

        p[n++] = p[i++];
    }

    return n;
}


/*
 * The length of &#NNN or &#xHHH at p, or 0.  A number too long to be a
 * character is given as one above all.
 */
static size_t
ngx_campfire_richtext_url_number(const u_char *p, size_t len, uint32_t *c,
    size_t *digits)
{
    size_t    i, from;
    uint32_t  base, digit, value;

    *digits = 0;
    value = 0;

    if (len < 3 || p[0] != '&' || p[1] != '#') {
        return 0;
    }

    base = (p[2] | 0x20) == 'x' ? 16 : 10;
    from = base == 16 ? 3 : 2;

    for (i = from; i < len; i++) {

        if (ngx_campfire_richtext_url_is_digit(p[i])) {
            digit = (uint32_t) (p[i] - '0');

        } else if (base == 16 && (p[i] | 0x20) >= 'a' && (p[i] | 0x20) <= 'f')
        {
            digit = (uint32_t) ((p[i] | 0x20) - 'a') + 10;

        } else {
            break;
        }

        if (value || digit) {
            (*digits)++;
        }

        if (value <= 0x10ffff) {
            value = value * base + digit;
        }
    }

    if (*digits > (base == 16 ? 6 : 7)) {
        value = 0x110000;
    }

    *c = value;

    return i > from ? i : 0;
}


static size_t
ngx_campfire_richtext_url_names(u_char *p, size_t len)
{
    size_t  i, n;

    n = 0;
    i = 0;

    while (i < len) {
        if (len - i >= 5 && ngx_memcmp(p + i, "&Tab;", 5) == 0) {
            i += 5;

        } else if (len - i >= 9 && ngx_memcmp(p + i, "&NewLine;", 9) == 0) {
            i += 9;

        } else if (len - i >= 7 && ngx_memcmp(p + i, "&colon;", 7) == 0) {
            p[n++] = ':';
            i += 7;

        } else {
            p[n++] = p[i++];
        }
    }

    return n;
}


/* A colon, or something that could become one; p is in small letters. */
static ngx_int_t
ngx_campfire_richtext_url_separator(const u_char *p, size_t len)
{
    size_t  i, hex;

    if (len == 0) {
        return 0;
    }

    if (p[0] == ':') {
        return 1;
    }

    if (len >= 3 && ngx_memcmp(p, "%3a", 3) == 0) {
        return 1;
    }

    if (len >= 7 && ngx_memcmp(p, "&#37;3a", 7) == 0) {
        return 1;
    }

    if (len < 2 || p[0] != '&' || p[1] != '#') {
        return 0;
    }

    hex = len > 2 && p[2] == 'x';

    for (i = 2 + hex; i < len && p[i] == '0'; i++) { /* void */ }

    return len - i >= 2
           && ngx_memcmp(p + i, hex ? "3a" : "58", 2) == 0;
}


/*
 * The host of a strictly written absolute http(s) URL, without user, port
 * and one trailing dot.
 */
static ngx_int_t
ngx_campfire_richtext_url_host(const ngx_str_t *url, ngx_str_t *host)
{
    size_t         i, len;
    u_char         c;
    const u_char  *p, *end, *at;

    p = url->data;
    len = url->len;

    for (i = 0; i < len; i++) {
        c = p[i];

        if (c <= ' ' || c >= 0x7f || strchr("\"<>\\^`{|}", c)) {
            return NGX_DECLINED;
        }

        if (c == '%' && (len - i < 3 || !isxdigit(p[i + 1])
                         || !isxdigit(p[i + 2])))
        {
            return NGX_DECLINED;
        }
    }

    for (i = 0; i < len && i < 6 && p[i] != ':'; i++) { /* void */ }

    if ((i != 4 && i != 5) || len - i < 4
        || strncasecmp((const char *) p, "https", i) != 0
        || ngx_memcmp(p + i, "://", 3) != 0)
    {
        return NGX_DECLINED;
    }

    p += i + 3;
    len -= i + 3;

    for (i = 0; i < len; i++) {
        if (p[i] == '/' || p[i] == '?' || p[i] == '#') {
            break;
        }
    }

    end = p + i;

    for (at = end; at > p; at--) {
        if (at[-1] == '@') {
            p = at;
            break;
        }
    }

    for (at = p; at < end && *at != ':'; at++) { /* void */ }

    host->data = (u_char *) p;
    host->len = (size_t) (at - p);

    if (at < end) {
        for (at++; at < end; at++) {
            if (!ngx_campfire_richtext_url_is_digit(*at)) {
                return NGX_DECLINED;
            }
        }
    }

    if (host->len && host->data[host->len - 1] == '.') {
        host->len--;
    }

    return host->len ? NGX_OK : NGX_DECLINED;
}


ngx_int_t
ngx_campfire_richtext_url_remote(const ngx_str_t *url, const ngx_str_t *own)
{
    size_t         i, len, letters, label;
    u_char         c;
    ngx_str_t      host;

    if (ngx_campfire_richtext_url_host(url, &host) != NGX_OK) {
        return 0;
    }

    label = 0;
    letters = 0;

    for (i = 0; i < host.len; i++) {
        c = host.data[i];

        if (c == '.') {
            label = i + 1;
            letters = 0;
            continue;
        }

        if (ngx_campfire_richtext_url_is_letter(c)) {
            letters++;

        } else if (!ngx_campfire_richtext_url_is_digit(c) && c != '-'
                   && c != '_')
        {
            return 0;
        }
    }

    /* no dot: a name of the local network; no letter, or hex: a number */

    if (label == 0 || letters == 0
        || (host.len - label >= 2
            && strncasecmp((const char *) host.data + label, "0x", 2) == 0))
    {
        return 0;
    }

    len = own->len;

    if (len && own->data[len - 1] == '.') {
        len--;
    }

    return host.len != len
           || strncasecmp((const char *) host.data, (const char *) own->data,
                          len) != 0;
}


ngx_int_t
ngx_campfire_richtext_url_same(ngx_pool_t *pool, const ngx_str_t *a,
    const ngx_str_t *b)
{
    ngx_str_t  x, y;

    if (ngx_campfire_richtext_url_twitter(pool, a, &x) != NGX_OK
        || ngx_campfire_richtext_url_twitter(pool, b, &y) != NGX_OK)
    {
        return NGX_ERROR;
    }

    return x.len == y.len && ngx_memcmp(x.data, y.data, x.len) == 0;
}


/* x.com becomes twitter.com and the query goes; other addresses stay. */
static ngx_int_t
ngx_campfire_richtext_url_twitter(ngx_pool_t *pool, const ngx_str_t *url,
    ngx_str_t *norm)
{
    const u_char        *p, *last, *fragment, *query;
    ngx_str_t            u, host;
    ngx_campfire_buf_t   b;

    *norm = *url;
    u = ngx_campfire_richtext_char_strip(url);

    if (!ngx_campfire_richtext_char_contains(&u, "x.com")
        && !ngx_campfire_richtext_char_contains(&u, "twitter.com"))
    {
        return NGX_OK;
    }

    if (ngx_campfire_richtext_url_host(&u, &host) != NGX_OK) {
        return NGX_OK;
    }

    ngx_campfire_base_buf_init(&b, pool, u.len + sizeof("twitter.com"));

    ngx_campfire_base_buf_append(&b, u.data, (size_t) (host.data - u.data));

    if (host.len == 5
        && strncasecmp((const char *) host.data, "x.com", 5) == 0)
    {
        ngx_campfire_base_buf_lit(&b, "twitter.com");

    } else {
        ngx_campfire_base_buf_str(&b, host);
    }

    p = host.data + host.len;
    last = u.data + u.len;

    fragment = memchr(p, '#', (size_t) (last - p));
    if (fragment == NULL) {
        fragment = last;
    }

    query = memchr(p, '?', (size_t) (fragment - p));
    if (query == NULL) {
        query = fragment;
    }

    ngx_campfire_base_buf_append(&b, p, (size_t) (query - p));
    ngx_campfire_base_buf_append(&b, fragment, (size_t) (last - fragment));

    return ngx_campfire_base_buf_done(&b, norm);
}
