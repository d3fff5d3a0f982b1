
/*
 * The growing buffer.  It doubles; what a smaller copy left in the pool goes
 * with the pool, except that nginx gives large blocks back at once.
 */

#include "base/ngx_campfire_base_buf.h"
#include "base/ngx_campfire_base_escape.h"

#include <stdio.h>


#define NGX_CAMPFIRE_BASE_BUF_MIN  256


static u_char *ngx_campfire_base_buf_reserve(ngx_campfire_buf_t *b,
    size_t len);


void
ngx_campfire_base_buf_init(ngx_campfire_buf_t *b, ngx_pool_t *pool,
    size_t size)
{
    b->pool = pool;
    b->data = NULL;
    b->len = 0;
    b->size = 0;
    b->failed = 0;

    if (size) {
        (void) ngx_campfire_base_buf_reserve(b, size);
    }
}


ngx_int_t
ngx_campfire_base_buf_done(ngx_campfire_buf_t *b, ngx_str_t *str)
{
    if (b->failed) {
        return NGX_ERROR;
    }

    str->data = b->data ? b->data : (u_char *) "";
    str->len = b->len;

    return NGX_OK;
}


/* Room for len more bytes, or NULL. */
static u_char *
ngx_campfire_base_buf_reserve(ngx_campfire_buf_t *b, size_t len)
{
    size_t   size;
    u_char  *p;

    if (b->failed) {
        return NULL;
    }

    if (b->size - b->len >= len) {
        return b->data + b->len;
    }

    size = b->size ? b->size : NGX_CAMPFIRE_BASE_BUF_MIN;

    while (size - b->len < len) {
        if (size > SIZE_MAX / 2) {
            b->failed = 1;
            return NULL;
        }

        size *= 2;
    }

    p = ngx_pnalloc(b->pool, size);
    if (p == NULL) {
        b->failed = 1;
        return NULL;
    }

    if (b->data) {
        ngx_memcpy(p, b->data, b->len);
#if !(NGX_CAMPFIRE_STANDALONE)
        (void) ngx_pfree(b->pool, b->data);
#endif
    }

    b->data = p;
    b->size = size;

    return p + b->len;
}


void
ngx_campfire_base_buf_append(ngx_campfire_buf_t *b, const void *data,
    size_t len)
{
    u_char  *p;

    if (len == 0) {
        return;
    }

    p = ngx_campfire_base_buf_reserve(b, len);
    if (p) {
        ngx_memcpy(p, data, len);
        b->len += len;
    }
}


void
ngx_campfire_base_buf_str(ngx_campfire_buf_t *b, ngx_str_t str)
{
    ngx_campfire_base_buf_append(b, str.data, str.len);
}


void
ngx_campfire_base_buf_int(ngx_campfire_buf_t *b, int64_t n)
{
    int   len;
    char  text[24];

    len = snprintf(text, sizeof(text), "%lld", (long long) n);
    ngx_campfire_base_buf_append(b, text, (size_t) len);
}


void
ngx_campfire_base_buf_html_escape(ngx_campfire_buf_t *b, ngx_str_t str)
{
    size_t   len;
    u_char  *p;

    len = ngx_campfire_base_escape_html_len(str.data, str.len);
    if (len == 0) {
        return;
    }

    p = ngx_campfire_base_buf_reserve(b, len);
    if (p) {
        (void) ngx_campfire_base_escape_html(p, str.data, str.len);
        b->len += len;
    }
}


void
ngx_campfire_base_buf_html(ngx_campfire_buf_t *b, ngx_campfire_html_t html)
{
    ngx_campfire_base_buf_append(b, html.str.data, html.str.len);
}


void
ngx_campfire_base_buf_json(ngx_campfire_buf_t *b, ngx_str_t str)
{
    char           text[8];
    size_t         i, from;
    u_char         c;
    const char    *short_form;

    from = 0;

    for (i = 0; i < str.len; i++) {
        c = str.data[i];

        if (c >= 0x20 && c != '"' && c != '\\' && c != '<' && c != '>'
            && c != '&'
            && !(c == 0xe2 && str.len - i > 2 && str.data[i + 1] == 0x80
                 && (str.data[i + 2] == 0xa8 || str.data[i + 2] == 0xa9)))
        {
            continue;
        }

        ngx_campfire_base_buf_append(b, str.data + from, i - from);

        short_form = NULL;

        switch (c) {
        case '"':
            short_form = "\\\"";
            break;
        case '\\':
            short_form = "\\\\";
            break;
        case '\n':
            short_form = "\\n";
            break;
        case '\r':
            short_form = "\\r";
            break;
        case '\t':
            short_form = "\\t";
            break;
        case '\b':
            short_form = "\\b";
            break;
        case '\f':
            short_form = "\\f";
            break;
        }

        if (short_form) {
            ngx_campfire_base_buf_append(b, short_form, 2);

        } else if (c == 0xe2) {
            ngx_campfire_base_buf_append(b, str.data[i + 2] == 0xa8
                                            ? "\\u2028" : "\\u2029", 6);
            i += 2;

        } else {
            (void) snprintf(text, sizeof(text), "\\u%04x", (unsigned) c);
            ngx_campfire_base_buf_append(b, text, 6);
        }

        from = i + 1;
    }

    ngx_campfire_base_buf_append(b, str.data + from, str.len - from);
}
