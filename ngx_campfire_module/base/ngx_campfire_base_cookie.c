
/*
 * The Cookie request header.
 */

#include "base/ngx_campfire_base_cookie.h"


ngx_int_t
ngx_campfire_base_cookie_find(const ngx_str_t *header, const ngx_str_t *name,
    ngx_str_t *value)
{
    size_t   i, start, eq;
    u_char  *p;

    p = header->data;

    for (i = 0; i < header->len; i++) {

        while (i < header->len && p[i] == ' ') {
            i++;
        }

        start = i;

        while (i < header->len && p[i] != ';' && p[i] != '=') {
            i++;
        }

        eq = i;

        while (i < header->len && p[i] != ';') {
            i++;
        }

        if (eq == start || eq - start != name->len
            || ngx_memcmp(p + start, name->data, name->len) != 0)
        {
            continue;
        }

        if (eq == i) {
            return NGX_DECLINED;
        }

        value->data = p + eq + 1;
        value->len = i - eq - 1;

        return NGX_OK;
    }

    return NGX_DECLINED;
}
