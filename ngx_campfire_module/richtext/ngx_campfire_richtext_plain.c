
/*
 * Plain text of a body: for the search index, push messages, webhooks, and
 * for what only looks at the words.
 *
 * The rules are bottom-up: an element changes the text its children made.
 * Since all they change is the beginning and the end of it, one buffer does:
 * an element notes where its text starts and works on what lies behind.
 */

#include "richtext/ngx_campfire_richtext.h"
#include "richtext/ngx_campfire_richtext_attachment.h"
#include "richtext/ngx_campfire_richtext_tree.h"

#include <stdio.h>


#define NGX_CAMPFIRE_RICHTEXT_PLAIN_OPEN   "\xe2\x80\x9c"
#define NGX_CAMPFIRE_RICHTEXT_PLAIN_CLOSE  "\xe2\x80\x9d"


static ngx_int_t ngx_campfire_richtext_plain_attachments(ngx_pool_t *pool,
    ngx_campfire_richtext_node_t *root,
    ngx_campfire_richtext_resolver_t *resolver);
static void ngx_campfire_richtext_plain_open(ngx_campfire_buf_t *b,
    ngx_campfire_richtext_node_t *node);
static void ngx_campfire_richtext_plain_close(ngx_campfire_buf_t *b,
    ngx_campfire_richtext_node_t *node);
static void ngx_campfire_richtext_plain_quote(ngx_campfire_buf_t *b,
    size_t start);
static void ngx_campfire_richtext_plain_trim(ngx_campfire_buf_t *b,
    size_t start);


ngx_int_t
ngx_campfire_richtext_plain(ngx_pool_t *pool, const ngx_str_t *stored,
    ngx_campfire_richtext_resolver_t *resolver, ngx_str_t *text)
{
    ngx_int_t                      rc;
    ngx_str_t                      clean;
    ngx_campfire_richtext_node_t  *root;

    if (ngx_campfire_richtext_char_scrub(pool, stored, &clean) != NGX_OK) {
        return NGX_ERROR;
    }

    if (clean.len > NGX_CAMPFIRE_RICHTEXT_BYTES) {
        *text = ngx_campfire_richtext_char_cut(&clean,
                                               NGX_CAMPFIRE_RICHTEXT_BYTES);
        return NGX_OK;
    }

    rc = ngx_campfire_richtext_parse(pool, &clean,
                                     NGX_CAMPFIRE_RICHTEXT_LENIENT, &root);

    if (rc == NGX_DECLINED) {
        text->data = (u_char *) "";
        text->len = 0;
        return NGX_OK;
    }

    if (rc != NGX_OK
        || ngx_campfire_richtext_canonical(pool, root) != NGX_OK
        || ngx_campfire_richtext_plain_attachments(pool, root, resolver)
           != NGX_OK)
    {
        return NGX_ERROR;
    }

    return ngx_campfire_richtext_to_plain(pool, root, text);
}


/* Puts a text in place of each attachment. */
static ngx_int_t
ngx_campfire_richtext_plain_attachments(ngx_pool_t *pool,
    ngx_campfire_richtext_node_t *root,
    ngx_campfire_richtext_resolver_t *resolver)
{
    ngx_uint_t                         n;
    ngx_campfire_richtext_node_t      *node, *next, *text;
    ngx_campfire_richtext_resolved_t   resolved;

    n = 0;

    for (node = root->first; node; node = next) {
        next = ngx_campfire_richtext_tree_next(node, root);

        if (!ngx_campfire_richtext_is_attachment(node)) {
            continue;
        }

        text = ngx_campfire_richtext_tree_node(pool,
                                               NGX_CAMPFIRE_RICHTEXT_TEXT);
        if (text == NULL) {
            return NGX_ERROR;
        }

        if (++n <= NGX_CAMPFIRE_RICHTEXT_ATTACHMENTS
            && (ngx_campfire_richtext_attachment_resolve(pool, node, resolver,
                                                         1, &resolved)
                != NGX_OK
                || ngx_campfire_richtext_attachment_text(pool, &resolved,
                                                         &text->text)
                   != NGX_OK))
        {
            return NGX_ERROR;
        }

        ngx_campfire_richtext_tree_replace(node, text);
    }

    return NGX_OK;
}


ngx_int_t
ngx_campfire_richtext_to_plain(ngx_pool_t *pool,
    ngx_campfire_richtext_node_t *root, ngx_str_t *text)
{
    ngx_campfire_buf_t             b;
    ngx_campfire_richtext_node_t  *node;

    ngx_campfire_base_buf_init(&b, pool, 0);

    root->lists = 0;
    root->elements = 0;
    node = root->first;

    while (node) {
        ngx_campfire_richtext_plain_open(&b, node);

        if (node->first
            && node->tag->as != NGX_CAMPFIRE_RICHTEXT_AS_NOTHING)
        {
            node = node->first;
            continue;
        }

        ngx_campfire_richtext_plain_close(&b, node);

        while (node->next == NULL && node->parent != root) {
            node = node->parent;
            ngx_campfire_richtext_plain_close(&b, node);
        }

        node = node->next;
    }

    ngx_campfire_richtext_plain_trim(&b, 0);

    return ngx_campfire_base_buf_done(&b, text);
}


static void
ngx_campfire_richtext_plain_open(ngx_campfire_buf_t *b,
    ngx_campfire_richtext_node_t *node)
{
    int                            n;
    char                           number[16];
    uint32_t                       i;
    ngx_campfire_richtext_node_t  *parent;

    parent = node->parent;

    node->start = b->len;
    node->elements = 0;
    node->lists = parent->lists;
    node->ordered = parent->ordered;

    if (parent->tag->as == NGX_CAMPFIRE_RICHTEXT_AS_LIST) {
        node->lists++;
        node->ordered = ngx_campfire_richtext_node_is(parent, "ol") ? 1 : 0;
    }

    if (node->type == NGX_CAMPFIRE_RICHTEXT_TEXT) {
        ngx_campfire_base_buf_str(b, node->text);
        ngx_campfire_richtext_plain_trim(b, node->start);
        return;
    }

    if (node->type != NGX_CAMPFIRE_RICHTEXT_ELEMENT) {
        return;
    }

    node->ordinal = ++parent->elements;

    switch (node->tag->as) {

    case NGX_CAMPFIRE_RICHTEXT_AS_BREAK:
        ngx_campfire_base_buf_lit(b, "\n");
        return;

    case NGX_CAMPFIRE_RICHTEXT_AS_LIST:
        if (node->lists) {
            ngx_campfire_base_buf_lit(b, "\n");
        }

        break;

    case NGX_CAMPFIRE_RICHTEXT_AS_ITEM:
        for (i = 1; i < node->lists; i++) {
            ngx_campfire_base_buf_lit(b, "  ");
        }

        if (node->lists && node->ordered) {
            n = snprintf(number, sizeof(number), "%u. ",
                         (unsigned) node->ordinal);
            ngx_campfire_base_buf_append(b, number, (size_t) n);

        } else {
            ngx_campfire_base_buf_lit(b, "\xe2\x80\xa2 ");
        }

        break;

    case NGX_CAMPFIRE_RICHTEXT_AS_CAPTION:
        ngx_campfire_base_buf_lit(b, "[");
        break;

    default:
        return;
    }

    /* what was put in front is not the children's to trim */

    node->start = b->len;
}


static void
ngx_campfire_richtext_plain_close(ngx_campfire_buf_t *b,
    ngx_campfire_richtext_node_t *node)
{
    if (node->type != NGX_CAMPFIRE_RICHTEXT_ELEMENT) {
        return;
    }

    switch (node->tag->as) {

    case NGX_CAMPFIRE_RICHTEXT_AS_LINE:
    case NGX_CAMPFIRE_RICHTEXT_AS_ITEM:
        ngx_campfire_richtext_plain_trim(b, node->start);
        ngx_campfire_base_buf_lit(b, "\n");
        return;

    case NGX_CAMPFIRE_RICHTEXT_AS_PARAGRAPH:
    case NGX_CAMPFIRE_RICHTEXT_AS_LIST:
        ngx_campfire_richtext_plain_trim(b, node->start);
        ngx_campfire_base_buf_lit(b, "\n\n");
        return;

    case NGX_CAMPFIRE_RICHTEXT_AS_QUOTE:
        ngx_campfire_richtext_plain_trim(b, node->start);
        ngx_campfire_richtext_plain_quote(b, node->start);
        return;

    case NGX_CAMPFIRE_RICHTEXT_AS_CAPTION:
        ngx_campfire_richtext_plain_trim(b, node->start);
        ngx_campfire_base_buf_lit(b, "]");
        return;

    default:
        return;
    }
}


/* Quotation marks around the first and the last character, then two LF. */
static void
ngx_campfire_richtext_plain_quote(ngx_campfire_buf_t *b, size_t start)
{
    u_char    *p;
    size_t     first, last, len;
    ngx_str_t  quoted;

    quoted.len = b->len - start;
    quoted.data = quoted.len ? b->data + start : NULL;

    if (ngx_campfire_richtext_blank(&quoted)) {
        b->len = start;
        ngx_campfire_base_buf_lit(b, NGX_CAMPFIRE_RICHTEXT_PLAIN_OPEN
                                     NGX_CAMPFIRE_RICHTEXT_PLAIN_CLOSE);
        return;
    }

    first = start;
    last = b->len;

    while (ngx_campfire_richtext_is_space(b->data[first])) {
        first++;
    }

    while (ngx_campfire_richtext_is_space(b->data[last - 1])) {
        last--;
    }

    len = b->len;

    ngx_campfire_base_buf_lit(b, NGX_CAMPFIRE_RICHTEXT_PLAIN_OPEN
                                 NGX_CAMPFIRE_RICHTEXT_PLAIN_CLOSE
                                 "\n\n");
    if (b->failed) {
        return;
    }

    p = b->data;

    memmove(p + last + 6, p + last, len - last);
    memmove(p + first + 3, p + first, last - first);
    ngx_memcpy(p + first, NGX_CAMPFIRE_RICHTEXT_PLAIN_OPEN, 3);
    ngx_memcpy(p + last + 3, NGX_CAMPFIRE_RICHTEXT_PLAIN_CLOSE, 3);
    ngx_memcpy(p + len + 6, "\n\n", 2);
}


/* Line ends at the end of what lies behind start. */
static void
ngx_campfire_richtext_plain_trim(ngx_campfire_buf_t *b, size_t start)
{
    while (b->len > start && b->data[b->len - 1] == '\n') {
        b->len--;

        if (b->len > start && b->data[b->len - 1] == '\r') {
            b->len--;
        }
    }
}


ngx_int_t
ngx_campfire_richtext_from_text(ngx_pool_t *pool, const ngx_str_t *text,
    ngx_str_t *stored)
{
    size_t               i, from;
    u_char               c, before;
    ngx_int_t            rc;
    ngx_str_t            clean;
    ngx_campfire_buf_t   b;

    if (ngx_campfire_richtext_char_scrub(pool, text, &clean) != NGX_OK) {
        return NGX_ERROR;
    }

    ngx_campfire_base_buf_init(&b, pool, clean.len + 16);
    ngx_campfire_base_buf_lit(&b, "<p>");

    from = 0;
    before = '\n';

    for (i = 0; i < clean.len; i++) {
        c = clean.data[i];

        /* a space that HTML would swallow becomes a hard one */

        if (c == '\n' || c == '\r' || c == '\0'
            || (c == ' ' && (before == ' ' || before == '\n')))
        {
            ngx_campfire_richtext_write_text(&b, clean.data + from, i - from);
            from = i + 1;

            if (c == ' ') {
                ngx_campfire_base_buf_lit(&b, "&nbsp;");

            } else if (c == '\n' || (c == '\r' && (i + 1 == clean.len
                                               || clean.data[i + 1] != '\n')))
            {
                ngx_campfire_base_buf_lit(&b, "<br>");
                c = '\n';
            }
        }

        before = c;
    }

    ngx_campfire_richtext_write_text(&b, clean.data + from, i - from);
    ngx_campfire_base_buf_lit(&b, "</p>");

    rc = ngx_campfire_base_buf_done(&b, stored);

    if (rc == NGX_OK && stored->len > NGX_CAMPFIRE_RICHTEXT_BYTES) {
        return NGX_DECLINED;
    }

    return rc;
}


ngx_int_t
ngx_campfire_richtext_blank(const ngx_str_t *plain)
{
    const u_char  *p, *last;

    if (plain->len == 0) {
        return 1;
    }

    p = plain->data;
    last = p + plain->len;

    while (p < last) {
        if (!ngx_campfire_richtext_char_is_space(
                ngx_campfire_richtext_char_next(&p, last)))
        {
            return 0;
        }
    }

    return 1;
}
