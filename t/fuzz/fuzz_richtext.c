
/*
 * Any bytes as a submitted and as a stored body.
 *
 * Saving a stored body again changes nothing, and what is shown holds no
 * element that is not on the lists, no event handler and no script address,
 * which is found out by parsing it.
 */

#include "richtext/ngx_campfire_richtext.h"
#include "richtext/ngx_campfire_richtext_tree.h"


static void
fuzz_richtext_shown(ngx_pool_t *pool, ngx_campfire_html_t *html,
    unsigned allowed)
{
    ngx_campfire_richtext_attr_t  *attr;
    ngx_campfire_richtext_node_t  *root, *node;

    if (ngx_campfire_richtext_parse(pool, &html->str,
                                    NGX_CAMPFIRE_RICHTEXT_COMPOSED, &root)
        != NGX_OK)
    {
        return;
    }

    for (node = root->first; node;
         node = ngx_campfire_richtext_tree_next(node, root))
    {
        if (node->type == NGX_CAMPFIRE_RICHTEXT_COMMENT || node->foreign
            || (node->type == NGX_CAMPFIRE_RICHTEXT_ELEMENT
                && (node->tag->flags & allowed) == 0))
        {
            abort();
        }

        for (attr = node->attrs; attr; attr = attr->next) {
            if (attr->name.len > 2
                && ngx_memcmp(attr->name.data, "on", 2) == 0)
            {
                abort();
            }

            if ((ngx_campfire_richtext_str_is(&attr->name, "href")
                 || ngx_campfire_richtext_str_is(&attr->name, "src"))
                && attr->value.len > 11
                && ngx_memcmp(attr->value.data, "javascript:", 11) == 0)
            {
                abort();
            }
        }
    }
}


/*
 * Whether a body reads back as it was written.  HTML does not promise that:
 * line ends at the start of a pre go with every parse, plaintext swallows
 * its own end tag, and so on.  It holds for what people write.
 */
static ngx_int_t
fuzz_richtext_plain(ngx_pool_t *pool, ngx_str_t *stored)
{
    ngx_campfire_richtext_node_t  *root, *node;

    if (ngx_campfire_richtext_parse(pool, stored, NGX_CAMPFIRE_RICHTEXT_STRICT,
                                    &root)
        != NGX_OK)
    {
        return 0;
    }

    for (node = root->first; node;
         node = ngx_campfire_richtext_tree_next(node, root))
    {
        if (node->foreign
            || (node->type == NGX_CAMPFIRE_RICHTEXT_ELEMENT
                && ((node->tag->flags & NGX_CAMPFIRE_RICHTEXT_KEEP) == 0
                    || ngx_campfire_richtext_node_is(node, "pre"))))
        {
            return 0;
        }
    }

    return 1;
}


int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    ngx_str_t             body, stored, again, text;
    ngx_pool_t           *pool;
    ngx_campfire_html_t   html;

    pool = ngx_create_pool(4096, NULL);

    body.data = (u_char *) data;
    body.len = size;

    if (ngx_campfire_richtext_render(pool, &body, NULL, &html) != NGX_OK
        || ngx_campfire_richtext_plain(pool, &body, NULL, &text) != NGX_OK)
    {
        abort();
    }

    fuzz_richtext_shown(pool, &html, NGX_CAMPFIRE_RICHTEXT_SHOW);

    if (ngx_campfire_richtext_api(pool, &body, NULL, &html) != NGX_OK
        || ngx_campfire_richtext_edit(pool, &body, NULL, &text) != NGX_OK)
    {
        abort();
    }

    fuzz_richtext_shown(pool, &html, NGX_CAMPFIRE_RICHTEXT_API);

    if (ngx_campfire_richtext_canonicalize(pool, &body, &stored) == NGX_OK
        && ngx_campfire_richtext_canonicalize(pool, &stored, &again) == NGX_OK
        && fuzz_richtext_plain(pool, &stored)
        && (stored.len != again.len
            || ngx_memcmp(stored.data, again.data, again.len) != 0))
    {
        abort();
    }

    ngx_destroy_pool(pool);

    return 0;
}
