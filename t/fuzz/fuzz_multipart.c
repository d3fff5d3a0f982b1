
/*
 * The first line is a Content-Type, the rest a multipart body.
 *
 * Data are slices of the body, names are UTF-8
 * without NUL, file names have no directories and types no line ends.
 */

#include "base/ngx_campfire_base_multipart.h"
#include "base/ngx_campfire_base_utf8.h"


static void
fuzz_multipart_part(const ngx_str_t *body,
    ngx_campfire_base_multipart_part_t *part)
{
    size_t  i;

    if (part->data.data < body->data
        || part->data.data + part->data.len > body->data + body->len)
    {
        abort();
    }

    if (part->name.len == 0
        || memchr(part->name.data, '\0', part->name.len)
        || !ngx_campfire_base_utf8_valid(part->name.data, part->name.len))
    {
        abort();
    }

    if (part->file
        ? (part->filename.len == 0
           || memchr(part->filename.data, '\0', part->filename.len)
           || memchr(part->filename.data, '/', part->filename.len)
           || memchr(part->filename.data, '\\', part->filename.len)
           || !ngx_campfire_base_utf8_valid(part->filename.data,
                                            part->filename.len))
        : part->filename.len != 0)
    {
        abort();
    }

    for (i = 0; i < part->type.len; i++) {
        if (part->type.data[i] < 0x20 || part->type.data[i] > 0x7e) {
            abort();
        }
    }
}


int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    ngx_str_t                        type, body;
    ngx_uint_t                       i;
    ngx_pool_t                      *pool;
    const uint8_t                   *end;
    ngx_campfire_base_form_t         form;
    ngx_campfire_base_multipart_t    mp;

    end = size ? memchr(data, '\n', size) : NULL;

    if (end == NULL) {
        return 0;
    }

    pool = ngx_create_pool(4096, NULL);

    type.len = (size_t) (end - data);
    type.data = ngx_pnalloc(pool, type.len);
    body.len = size - type.len - 1;
    body.data = ngx_pnalloc(pool, body.len);

    if (type.data == NULL || body.data == NULL) {
        abort();
    }

    ngx_memcpy(type.data, data, type.len);
    ngx_memcpy(body.data, end + 1, body.len);

    if (ngx_campfire_base_multipart_parse(pool, &type, &body, &mp) == NGX_OK) {

        if (mp.nparts > NGX_CAMPFIRE_BASE_MULTIPART_MAX_PARTS) {
            abort();
        }

        for (i = 0; i < mp.nparts; i++) {
            fuzz_multipart_part(&body, &mp.parts[i]);
        }

        if (ngx_campfire_base_multipart_form(pool, &mp, &form) == NGX_OK) {

            if (form.npairs > mp.nparts) {
                abort();
            }

        } else if (form.npairs || form.reason == NGX_CAMPFIRE_BASE_FORM_OK) {
            abort();
        }

    } else if (mp.nparts || mp.reason == NGX_CAMPFIRE_BASE_FORM_OK) {
        abort();
    }

    ngx_destroy_pool(pool);

    return 0;
}
