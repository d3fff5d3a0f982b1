
/*
 * Writing a tree as HTML, to the byte as the reference's serializer does it:
 * in attributes < and > stay, in text " and ' stay, U+00A0 is &nbsp;.
 */

#include "richtext/ngx_campfire_richtext_tree.h"


static void ngx_campfire_richtext_write_tree(ngx_campfire_buf_t *b,
    ngx_campfire_richtext_node_t *root, ngx_uint_t link);
static void ngx_campfire_richtext_write_open(ngx_campfire_buf_t *b,
    ngx_campfire_richtext_node_t *node, ngx_uint_t link);
static void ngx_campfire_richtext_write_close(ngx_campfire_buf_t *b,
    ngx_campfire_richtext_node_t *node);


void
ngx_campfire_richtext_write(ngx_campfire_buf_t *b,
    ngx_campfire_richtext_node_t *root)
{
    ngx_campfire_richtext_write_tree(b, root, 0);
}


/* Texts must have been merged: an address may not go on in the next one. */
void
ngx_campfire_richtext_write_linked(ngx_campfire_buf_t *b,
    ngx_campfire_richtext_node_t *root)
{
    ngx_campfire_richtext_write_tree(b, root, 1);
}


ngx_int_t
ngx_campfire_richtext_write_string(ngx_pool_t *pool,
    ngx_campfire_richtext_node_t *root, ngx_str_t *html)
{
    ngx_campfire_buf_t  b;

    ngx_campfire_base_buf_init(&b, pool, 0);
    ngx_campfire_richtext_write(&b, root);

    return ngx_campfire_base_buf_done(&b, html);
}


static void
ngx_campfire_richtext_write_tree(ngx_campfire_buf_t *b,
    ngx_campfire_richtext_node_t *root, ngx_uint_t link)
{
    ngx_uint_t                     links;
    ngx_campfire_richtext_node_t  *node;

    node = root->first;
    links = 0;

    while (node) {
        ngx_campfire_richtext_write_open(b, node, link && links == 0);

        if (node->html.data == NULL && node->first
            && (node->tag->flags & NGX_CAMPFIRE_RICHTEXT_VOID) == 0)
        {
            links += ngx_campfire_richtext_node_is(node, "a");
            node = node->first;
            continue;
        }

        ngx_campfire_richtext_write_close(b, node);

        while (node->next == NULL) {
            node = node->parent;

            if (node == root) {
                return;
            }

            links -= ngx_campfire_richtext_node_is(node, "a");
            ngx_campfire_richtext_write_close(b, node);
        }

        node = node->next;
    }
}


static void
ngx_campfire_richtext_write_open(ngx_campfire_buf_t *b,
    ngx_campfire_richtext_node_t *node, ngx_uint_t link)
{
    ngx_campfire_richtext_attr_t  *attr;

    switch (node->type) {

    case NGX_CAMPFIRE_RICHTEXT_TEXT:
        if (node->parent->tag->flags & NGX_CAMPFIRE_RICHTEXT_RAW) {
            ngx_campfire_base_buf_str(b, node->text);

        } else if (link) {
            ngx_campfire_richtext_autolink(b, &node->text);

        } else {
            ngx_campfire_richtext_write_text(b, node->text.data,
                                             node->text.len);
        }

        return;

    case NGX_CAMPFIRE_RICHTEXT_COMMENT:
        ngx_campfire_base_buf_lit(b, "<!--");
        ngx_campfire_base_buf_str(b, node->text);
        ngx_campfire_base_buf_lit(b, "-->");
        return;

    default:
        break;
    }

    ngx_campfire_base_buf_lit(b, "<");
    ngx_campfire_base_buf_str(b, node->name);

    for (attr = node->attrs; attr; attr = attr->next) {
        ngx_campfire_base_buf_lit(b, " ");
        ngx_campfire_base_buf_str(b, attr->name);
        ngx_campfire_base_buf_lit(b, "=\"");
        ngx_campfire_richtext_write_value(b, &attr->value);
        ngx_campfire_base_buf_lit(b, "\"");
    }

    ngx_campfire_base_buf_lit(b, ">");

    if (node->html.data) {
        ngx_campfire_base_buf_str(b, node->html);
    }
}


static void
ngx_campfire_richtext_write_close(ngx_campfire_buf_t *b,
    ngx_campfire_richtext_node_t *node)
{
    if (node->type == NGX_CAMPFIRE_RICHTEXT_ELEMENT
        && (node->tag->flags & NGX_CAMPFIRE_RICHTEXT_VOID) == 0)
    {
        ngx_campfire_base_buf_lit(b, "</");
        ngx_campfire_base_buf_str(b, node->name);
        ngx_campfire_base_buf_lit(b, ">");
    }
}


/* U+00A0 is the two bytes c2 a0. */
#define ngx_campfire_richtext_write_is_nbsp(p, last)                          \
    (*(p) == 0xc2 && (last) - (p) > 1 && (p)[1] == 0xa0)


void
ngx_campfire_richtext_write_text(ngx_campfire_buf_t *b, const u_char *p,
    size_t len)
{
    const u_char  *from, *last;

    if (len == 0) {
        return;
    }

    from = p;
    last = p + len;

    while (p < last) {
        if (*p == '&') {
            ngx_campfire_base_buf_append(b, from, (size_t) (p - from));
            ngx_campfire_base_buf_lit(b, "&amp;");
            from = ++p;

        } else if (*p == '<') {
            ngx_campfire_base_buf_append(b, from, (size_t) (p - from));
            ngx_campfire_base_buf_lit(b, "&lt;");
            from = ++p;

        } else if (*p == '>') {
            ngx_campfire_base_buf_append(b, from, (size_t) (p - from));
            ngx_campfire_base_buf_lit(b, "&gt;");
            from = ++p;

        } else if (ngx_campfire_richtext_write_is_nbsp(p, last)) {
            ngx_campfire_base_buf_append(b, from, (size_t) (p - from));
            ngx_campfire_base_buf_lit(b, "&nbsp;");
            p += 2;
            from = p;

        } else {
            p++;
        }
    }

    ngx_campfire_base_buf_append(b, from, (size_t) (p - from));
}


void
ngx_campfire_richtext_write_value(ngx_campfire_buf_t *b,
    const ngx_str_t *value)
{
    const u_char  *p, *from, *last;

    if (value->len == 0) {
        return;
    }

    p = value->data;
    from = p;
    last = p + value->len;

    while (p < last) {
        if (*p == '&') {
            ngx_campfire_base_buf_append(b, from, (size_t) (p - from));
            ngx_campfire_base_buf_lit(b, "&amp;");
            from = ++p;

        } else if (*p == '"') {
            ngx_campfire_base_buf_append(b, from, (size_t) (p - from));
            ngx_campfire_base_buf_lit(b, "&quot;");
            from = ++p;

        } else if (ngx_campfire_richtext_write_is_nbsp(p, last)) {
            ngx_campfire_base_buf_append(b, from, (size_t) (p - from));
            ngx_campfire_base_buf_lit(b, "&nbsp;");
            p += 2;
            from = p;

        } else {
            p++;
        }
    }

    ngx_campfire_base_buf_append(b, from, (size_t) (p - from));
}
