
/*
 * Any bytes as a form body.
 *
 * What is accepted keeps the limits and is UTF-8, and the same pairs escaped
 * again are accepted and equal.
 */

#include "base/ngx_campfire_base_escape.h"
#include "base/ngx_campfire_base_form.h"
#include "base/ngx_campfire_base_utf8.h"


static ngx_int_t
fuzz_form_same(const ngx_str_t *a, const ngx_str_t *b)
{
    if (a->data == NULL || b->data == NULL) {
        return a->data == b->data;
    }

    return a->len == b->len && ngx_memcmp(a->data, b->data, a->len) == 0;
}


static void
fuzz_form_again(ngx_pool_t *pool, ngx_campfire_base_form_t *form, size_t size)
{
    u_char                         *p;
    ngx_str_t                       src;
    ngx_uint_t                      i;
    ngx_campfire_base_form_t        again;
    ngx_campfire_base_form_pair_t  *pair;

    src.data = ngx_pnalloc(pool, size * 3 + 2);
    if (src.data == NULL) {
        abort();
    }

    p = src.data;

    for (i = 0; i < form->npairs; i++) {
        pair = &form->pairs[i];

        if (i) {
            *p++ = '&';
        }

        p = ngx_campfire_base_escape_cookie(p, pair->key.data, pair->key.len);

        if (pair->value.data) {
            *p++ = '=';
            p = ngx_campfire_base_escape_cookie(p, pair->value.data,
                                                pair->value.len);
        }
    }

    src.len = (size_t) (p - src.data);

    if (ngx_campfire_base_form_parse(pool, &src, &again) != NGX_OK
        || again.npairs != form->npairs)
    {
        abort();
    }

    for (i = 0; i < form->npairs; i++) {
        if (!fuzz_form_same(&form->pairs[i].key, &again.pairs[i].key)
            || !fuzz_form_same(&form->pairs[i].value, &again.pairs[i].value))
        {
            abort();
        }
    }
}


int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    ngx_str_t                       body;
    ngx_uint_t                      i;
    ngx_pool_t                     *pool;
    ngx_campfire_base_form_t        form;
    ngx_campfire_base_form_pair_t  *pair;

    pool = ngx_create_pool(4096, NULL);

    body.len = size;
    body.data = ngx_pnalloc(pool, size);

    if (body.data == NULL) {
        abort();
    }

    ngx_memcpy(body.data, data, size);

    if (ngx_campfire_base_form_parse(pool, &body, &form) == NGX_OK) {

        if (form.npairs > NGX_CAMPFIRE_BASE_FORM_MAX_PAIRS
            || form.reason != NGX_CAMPFIRE_BASE_FORM_OK)
        {
            abort();
        }

        for (i = 0; i < form.npairs; i++) {
            pair = &form.pairs[i];

            if (pair->key.len == 0
                || !ngx_campfire_base_utf8_valid(pair->key.data,
                                                 pair->key.len)
                || !ngx_campfire_base_utf8_valid(pair->value.data,
                                                 pair->value.len))
            {
                abort();
            }
        }

        fuzz_form_again(pool, &form, size);

    } else if (form.npairs || form.reason == NGX_CAMPFIRE_BASE_FORM_OK) {
        abort();
    }

    ngx_destroy_pool(pool);

    return 0;
}
