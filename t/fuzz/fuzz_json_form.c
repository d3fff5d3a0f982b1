
/*
 * Any bytes as a JSON body.
 *
 * What is accepted keeps the limits; names and texts are UTF-8, and a name is
 * one that a form could have sent.
 */

#include "base/ngx_campfire_base_json_form.h"
#include "base/ngx_campfire_base_utf8.h"


int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    ngx_str_t                       body;
    ngx_uint_t                      i;
    ngx_pool_t                     *pool;
    ngx_campfire_base_form_t        form, one;
    ngx_campfire_base_form_pair_t  *pair;

    pool = ngx_create_pool(4096, NULL);

    body.len = size;
    body.data = ngx_pnalloc(pool, size);

    if (body.data == NULL) {
        abort();
    }

    ngx_memcpy(body.data, data, size);

    if (ngx_campfire_base_json_form_parse(pool, &body, &form) == NGX_OK) {

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

            one.pairs = pair;
            one.npairs = 1;

            if (ngx_campfire_base_form_check(&one) != NGX_OK) {
                abort();
            }
        }

    } else if (form.npairs || form.reason == NGX_CAMPFIRE_BASE_FORM_OK) {
        abort();
    }

    ngx_destroy_pool(pool);

    return 0;
}
