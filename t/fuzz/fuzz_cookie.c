
/*
 * Any bytes as a Cookie header.
 *
 * A value that is found lies within the header; decoded and escaped again it
 * decodes to the same.
 */

#include "base/ngx_campfire_base_cookie.h"
#include "base/ngx_campfire_base_escape.h"


static void
fuzz_cookie_value(ngx_pool_t *pool, ngx_str_t *header, ngx_str_t *value)
{
    size_t   n, len;
    u_char  *text, *escaped;

    if (value->data < header->data
        || value->data + value->len > header->data + header->len)
    {
        abort();
    }

    text = ngx_pnalloc(pool, value->len);
    escaped = ngx_pnalloc(pool, value->len * 3);

    if (text == NULL || escaped == NULL) {
        abort();
    }

    if (ngx_campfire_base_unescape(text, &len, value->data, value->len,
                                   NGX_CAMPFIRE_BASE_UNESCAPE_COOKIE)
        != NGX_OK
        || ngx_campfire_base_escape_cookie_len(text, len) > value->len * 3)
    {
        abort();
    }

    n = (size_t) (ngx_campfire_base_escape_cookie(escaped, text, len)
                  - escaped);

    if (ngx_campfire_base_unescape(escaped, &n, escaped, n,
                                   NGX_CAMPFIRE_BASE_UNESCAPE_COOKIE)
        != NGX_OK
        || n != len || ngx_memcmp(escaped, text, n) != 0)
    {
        abort();
    }
}


int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    size_t       i;
    ngx_str_t    header, value;
    ngx_pool_t  *pool;

    static const ngx_str_t  names[] = {
        ngx_string("session_token"),
        ngx_string("_campfire_session"),
        ngx_string("a")
    };

    pool = ngx_create_pool(4096, NULL);

    header.len = size;
    header.data = ngx_pnalloc(pool, size);

    if (header.data == NULL) {
        abort();
    }

    ngx_memcpy(header.data, data, size);

    for (i = 0; i < 3; i++) {
        if (ngx_campfire_base_cookie_find(&header, &names[i], &value)
            == NGX_OK)
        {
            fuzz_cookie_value(pool, &header, &value);
        }
    }

    ngx_destroy_pool(pool);

    return 0;
}
