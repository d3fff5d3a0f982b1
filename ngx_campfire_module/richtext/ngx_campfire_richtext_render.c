
/*
 * Showing a stored body.
 *
 *   parse, canonicalize -> solo link -> allow-lists -> attachments
 *        -> parse again, if there were any -> allow-lists -> links -> wrapper
 *
 * The second parse is not for safety, which the last allow-lists give, but
 * for the tree: a partial may close a paragraph or end a link around it, as
 * it would in the browser.
 *
 * Nothing fails for what a body contains: too deep or too many elements show
 * the sign of a missing attachment, too many bytes show as text.
 */

#include "richtext/ngx_campfire_richtext.h"
#include "richtext/ngx_campfire_richtext_attachment.h"
#include "richtext/ngx_campfire_richtext_tree.h"


typedef enum {
    NGX_CAMPFIRE_RICHTEXT_RENDER_PAGE = 0,
    NGX_CAMPFIRE_RICHTEXT_RENDER_API
} ngx_campfire_richtext_render_e;


static ngx_int_t ngx_campfire_richtext_render_load(ngx_pool_t *pool,
    const ngx_str_t *stored, ngx_campfire_richtext_node_t **root);
static ngx_int_t ngx_campfire_richtext_render_solo(ngx_pool_t *pool,
    const ngx_str_t *stored, ngx_campfire_richtext_resolver_t *resolver,
    ngx_campfire_richtext_node_t *root);
static ngx_int_t ngx_campfire_richtext_render_attachments(ngx_pool_t *pool,
    ngx_campfire_richtext_node_t *root,
    ngx_campfire_richtext_resolver_t *resolver,
    ngx_campfire_richtext_render_e target, ngx_uint_t *found);
static ngx_int_t ngx_campfire_richtext_render_gallery(ngx_pool_t *pool,
    ngx_campfire_richtext_node_t *node, ngx_uint_t n);
static ngx_int_t ngx_campfire_richtext_render_avatar(ngx_pool_t *pool,
    ngx_campfire_richtext_node_t *root);
static ngx_int_t ngx_campfire_richtext_render_compose(ngx_pool_t *pool,
    ngx_campfire_richtext_node_t **root);
static void ngx_campfire_richtext_render_code(
    ngx_campfire_richtext_node_t *root);
static ngx_int_t ngx_campfire_richtext_render_wrap(ngx_pool_t *pool,
    ngx_campfire_richtext_node_t *root, ngx_campfire_richtext_render_e target,
    ngx_campfire_html_t *html);
static ngx_int_t ngx_campfire_richtext_render_instead(ngx_pool_t *pool,
    const ngx_str_t *stored, ngx_campfire_html_t *html);


ngx_int_t
ngx_campfire_richtext_render(ngx_pool_t *pool, const ngx_str_t *stored,
    ngx_campfire_richtext_resolver_t *resolver, ngx_campfire_html_t *html)
{
    ngx_int_t                      rc;
    ngx_uint_t                     found;
    ngx_campfire_richtext_node_t  *root;

    rc = ngx_campfire_richtext_render_load(pool, stored, &root);

    if (rc == NGX_DECLINED) {
        return ngx_campfire_richtext_render_instead(pool, stored, html);
    }

    if (rc != NGX_OK
        || ngx_campfire_richtext_render_solo(pool, stored, resolver, root)
           != NGX_OK
        || ngx_campfire_richtext_sanitize(pool, root,
                                          NGX_CAMPFIRE_RICHTEXT_SANITIZE_BODY)
           != NGX_OK)
    {
        return NGX_ERROR;
    }

    ngx_campfire_richtext_tree_trim(root);

    if (ngx_campfire_richtext_render_attachments(pool, root, resolver,
                                             NGX_CAMPFIRE_RICHTEXT_RENDER_PAGE,
                                             &found)
        != NGX_OK)
    {
        return NGX_ERROR;
    }

    if (found) {
        rc = ngx_campfire_richtext_render_compose(pool, &root);

        if (rc == NGX_DECLINED) {
            return ngx_campfire_richtext_render_instead(pool, stored, html);
        }
    }

    if (rc != NGX_OK
        || ngx_campfire_richtext_sanitize(pool, root,
                                         NGX_CAMPFIRE_RICHTEXT_SANITIZE_SHOWN)
           != NGX_OK)
    {
        return NGX_ERROR;
    }

    return ngx_campfire_richtext_render_wrap(pool, root,
                                             NGX_CAMPFIRE_RICHTEXT_RENDER_PAGE,
                                             html);
}


ngx_int_t
ngx_campfire_richtext_api(ngx_pool_t *pool, const ngx_str_t *stored,
    ngx_campfire_richtext_resolver_t *resolver, ngx_campfire_html_t *html)
{
    ngx_int_t                      rc;
    ngx_uint_t                     found;
    ngx_campfire_richtext_node_t  *root;

    rc = ngx_campfire_richtext_render_load(pool, stored, &root);

    if (rc == NGX_DECLINED) {
        return ngx_campfire_richtext_render_instead(pool, stored, html);
    }

    if (rc != NGX_OK
        || ngx_campfire_richtext_render_attachments(pool, root, resolver,
                                              NGX_CAMPFIRE_RICHTEXT_RENDER_API,
                                              &found)
           != NGX_OK)
    {
        return NGX_ERROR;
    }

    if (found) {
        rc = ngx_campfire_richtext_render_compose(pool, &root);

        if (rc == NGX_DECLINED) {
            return ngx_campfire_richtext_render_instead(pool, stored, html);
        }
    }

    if (rc != NGX_OK
        || ngx_campfire_richtext_sanitize(pool, root,
                                          NGX_CAMPFIRE_RICHTEXT_SANITIZE_API)
           != NGX_OK)
    {
        return NGX_ERROR;
    }

    return ngx_campfire_richtext_render_wrap(pool, root,
                                             NGX_CAMPFIRE_RICHTEXT_RENDER_API,
                                             html);
}


ngx_int_t
ngx_campfire_richtext_edit(ngx_pool_t *pool, const ngx_str_t *stored,
    ngx_campfire_richtext_resolver_t *resolver, ngx_str_t *value)
{
    ngx_int_t                          rc;
    ngx_str_t                          html;
    ngx_uint_t                         n;
    ngx_campfire_richtext_node_t      *root, *node;
    ngx_campfire_richtext_resolved_t   resolved;

    rc = ngx_campfire_richtext_render_load(pool, stored, &root);

    if (rc == NGX_DECLINED) {
        *value = *stored;
        return NGX_OK;
    }

    if (rc != NGX_OK) {
        return NGX_ERROR;
    }

    n = 0;

    for (node = root->first; node;
         node = ngx_campfire_richtext_tree_next(node, root))
    {
        if (!ngx_campfire_richtext_is_attachment(node)
            || ++n > NGX_CAMPFIRE_RICHTEXT_ATTACHMENTS)
        {
            continue;
        }

        if (ngx_campfire_richtext_attachment_resolve(pool, node, resolver, 0,
                                                     &resolved)
            != NGX_OK)
        {
            return NGX_ERROR;
        }

        if (resolved.kind != NGX_CAMPFIRE_RICHTEXT_EMBED
            && (resolved.kind != NGX_CAMPFIRE_RICHTEXT_RECORD
                || !resolved.record.mention))
        {
            continue;
        }

        if (ngx_campfire_richtext_attachment_attrs(pool, &resolved,
                                                   &node->attrs)
            != NGX_OK
            || ngx_campfire_richtext_partial(pool, &resolved, &html) != NGX_OK
            || ngx_campfire_richtext_tree_set(pool, node, "content", &html)
               != NGX_OK)
        {
            return NGX_ERROR;
        }
    }

    return ngx_campfire_richtext_write_string(pool, root, value);
}


ngx_int_t
ngx_campfire_richtext_sgids(ngx_pool_t *pool, const ngx_str_t *stored,
    ngx_str_t **sgids, ngx_uint_t *n)
{
    ngx_int_t                      rc;
    ngx_str_t                     *list;
    ngx_campfire_richtext_attr_t  *attr;
    ngx_campfire_richtext_node_t  *root, *node;

    *n = 0;
    *sgids = NULL;

    rc = ngx_campfire_richtext_render_load(pool, stored, &root);

    if (rc != NGX_OK) {
        return rc == NGX_DECLINED ? NGX_OK : NGX_ERROR;
    }

    list = NULL;

    for (node = root->first; node;
         node = ngx_campfire_richtext_tree_next(node, root))
    {
        if (!ngx_campfire_richtext_is_attachment(node)) {
            continue;
        }

        attr = ngx_campfire_richtext_tree_attr(node, "sgid");

        if (attr == NULL || attr->value.len == 0) {
            continue;
        }

        if (list == NULL) {
            list = ngx_palloc(pool, NGX_CAMPFIRE_RICHTEXT_ATTACHMENTS
                                    * sizeof(ngx_str_t));
            if (list == NULL) {
                return NGX_ERROR;
            }
        }

        list[(*n)++] = attr->value;

        if (*n == NGX_CAMPFIRE_RICHTEXT_ATTACHMENTS) {
            break;
        }
    }

    *sgids = list;

    return NGX_OK;
}


static ngx_int_t
ngx_campfire_richtext_render_load(ngx_pool_t *pool, const ngx_str_t *stored,
    ngx_campfire_richtext_node_t **root)
{
    ngx_int_t  rc;
    ngx_str_t  clean;

    if (ngx_campfire_richtext_char_scrub(pool, stored, &clean) != NGX_OK) {
        return NGX_ERROR;
    }

    rc = ngx_campfire_richtext_parse(pool, &clean,
                                     NGX_CAMPFIRE_RICHTEXT_LENIENT, root);
    if (rc != NGX_OK) {
        return rc;
    }

    return ngx_campfire_richtext_canonical(pool, *root);
}


/*
 * A body that is only an address, and the embed made from it: the embed says
 * it all.  It keeps the div it was in.
 */
static ngx_int_t
ngx_campfire_richtext_render_solo(ngx_pool_t *pool, const ngx_str_t *stored,
    ngx_campfire_richtext_resolver_t *resolver,
    ngx_campfire_richtext_node_t *root)
{
    ngx_int_t                          rc;
    ngx_str_t                          text;
    ngx_campfire_richtext_attr_t      *type;
    ngx_campfire_richtext_node_t      *node, *only, *div;
    ngx_campfire_richtext_resolved_t   resolved;

    only = NULL;

    for (node = root->first; node;
         node = ngx_campfire_richtext_tree_next(node, root))
    {
        if (!ngx_campfire_richtext_is_attachment(node)) {
            continue;
        }

        type = ngx_campfire_richtext_tree_attr(node, "content-type");

        if (type
            && ngx_campfire_richtext_str_is(&type->value,
                                "application/vnd.actiontext.opengraph-embed"))
        {
            if (only) {
                return NGX_OK;
            }

            only = node;
        }
    }

    if (only == NULL) {
        return NGX_OK;
    }

    if (ngx_campfire_richtext_attachment_resolve(pool, only, resolver, 0,
                                                 &resolved)
        != NGX_OK)
    {
        return NGX_ERROR;
    }

    if (resolved.embed.href.len == 0) {
        return NGX_OK;
    }

    if (ngx_campfire_richtext_plain(pool, stored, resolver, &text) != NGX_OK) {
        return NGX_ERROR;
    }

    rc = ngx_campfire_richtext_url_same(pool, &resolved.embed.href, &text);

    if (rc != 1) {
        return rc == 0 ? NGX_OK : NGX_ERROR;
    }

    for (div = only->parent; div != root; div = div->parent) {
        if (ngx_campfire_richtext_node_is(div, "div")) {
            break;
        }
    }

    ngx_campfire_richtext_tree_remove(only);

    root->first = NULL;
    root->last = NULL;

    if (div != root) {
        div->first = NULL;
        div->last = NULL;
        ngx_campfire_richtext_tree_append(root, div);
    }

    ngx_campfire_richtext_tree_append(div, only);

    return NGX_OK;
}


static ngx_int_t
ngx_campfire_richtext_render_attachments(ngx_pool_t *pool,
    ngx_campfire_richtext_node_t *root,
    ngx_campfire_richtext_resolver_t *resolver,
    ngx_campfire_richtext_render_e target, ngx_uint_t *found)
{
    ngx_uint_t                         n, avatar;
    ngx_campfire_richtext_node_t      *node;
    ngx_campfire_richtext_resolved_t   resolved;

    *found = 0;
    avatar = 0;

    for (node = root->first; node;
         node = ngx_campfire_richtext_tree_next(node, root))
    {
        if (!ngx_campfire_richtext_is_attachment(node)) {
            continue;
        }

        if (++*found > NGX_CAMPFIRE_RICHTEXT_ATTACHMENTS) {
            ngx_memzero(&resolved, sizeof(ngx_campfire_richtext_resolved_t));

        } else if (ngx_campfire_richtext_attachment_resolve(pool, node,
                                                       resolver, 0, &resolved)
                   != NGX_OK)
        {
            return NGX_ERROR;
        }

        if (ngx_campfire_richtext_partial(pool, &resolved, &node->html)
            != NGX_OK)
        {
            return NGX_ERROR;
        }

        if (node->html.data == NULL) {
            node->html.data = (u_char *) "";
        }

        if (target == NGX_CAMPFIRE_RICHTEXT_RENDER_API
            && ngx_campfire_richtext_attachment_attrs(pool, &resolved,
                                                      &node->attrs)
               != NGX_OK)
        {
            return NGX_ERROR;
        }

        avatar |= resolved.kind == NGX_CAMPFIRE_RICHTEXT_EMBED
                  && ngx_campfire_richtext_is_avatar(&resolved.embed);
    }

    for (node = *found > 1 ? root->first : NULL; node;
         node = ngx_campfire_richtext_tree_next(node, root))
    {
        if (ngx_campfire_richtext_is_gallery(node, &n)
            && ngx_campfire_richtext_render_gallery(pool, node, n) != NGX_OK)
        {
            return NGX_ERROR;
        }
    }

    if (avatar && target == NGX_CAMPFIRE_RICHTEXT_RENDER_PAGE) {
        return ngx_campfire_richtext_render_avatar(pool, root);
    }

    return NGX_OK;
}


static ngx_int_t
ngx_campfire_richtext_render_gallery(ngx_pool_t *pool,
    ngx_campfire_richtext_node_t *node, ngx_uint_t n)
{
    ngx_str_t                      class;
    ngx_campfire_buf_t             b;
    ngx_campfire_richtext_node_t  *child, *next, *before, *after;

    ngx_campfire_base_buf_init(&b, pool, 0);
    ngx_campfire_base_buf_lit(&b,
                              "attachment-gallery attachment-gallery--");
    ngx_campfire_base_buf_int(&b, (int64_t) n);

    before = ngx_campfire_richtext_tree_node(pool, NGX_CAMPFIRE_RICHTEXT_TEXT);
    after = ngx_campfire_richtext_tree_node(pool, NGX_CAMPFIRE_RICHTEXT_TEXT);

    if (before == NULL || after == NULL
        || ngx_campfire_base_buf_done(&b, &class) != NGX_OK)
    {
        return NGX_ERROR;
    }

    ngx_str_set(&before->text, "\n  ");
    ngx_str_set(&after->text, "\n");

    child = node->first;

    node->attrs = NULL;
    node->first = NULL;
    node->last = NULL;

    ngx_campfire_richtext_tree_append(node, before);

    for ( /* void */ ; child; child = next) {
        next = child->next;

        if (child->type == NGX_CAMPFIRE_RICHTEXT_ELEMENT) {
            ngx_campfire_richtext_tree_append(node, child);
        }
    }

    ngx_campfire_richtext_tree_append(node, after);

    return ngx_campfire_richtext_tree_set(pool, node, "class", &class);
}


/* Pictures of people are round: the first div says so to older styles. */
static ngx_int_t
ngx_campfire_richtext_render_avatar(ngx_pool_t *pool,
    ngx_campfire_richtext_node_t *root)
{
    ngx_str_t                      class;
    ngx_campfire_richtext_node_t  *node;

    ngx_str_set(&class, "cf-twitter-avatar");

    for (node = root->first; node;
         node = ngx_campfire_richtext_tree_next(node, root))
    {
        if (ngx_campfire_richtext_node_is(node, "div")) {
            return ngx_campfire_richtext_tree_set(pool, node, "class", &class);
        }
    }

    return NGX_OK;
}


static ngx_int_t
ngx_campfire_richtext_render_compose(ngx_pool_t *pool,
    ngx_campfire_richtext_node_t **root)
{
    ngx_str_t  html;

    if (ngx_campfire_richtext_write_string(pool, *root, &html) != NGX_OK) {
        return NGX_ERROR;
    }

    return ngx_campfire_richtext_parse(pool, &html,
                                       NGX_CAMPFIRE_RICHTEXT_COMPOSED, root);
}


/* A browser drops the first line end of a pre: none is written. */
static void
ngx_campfire_richtext_render_code(ngx_campfire_richtext_node_t *root)
{
    ngx_str_t                     *s;
    ngx_campfire_richtext_node_t  *node;

    for (node = root->first; node;
         node = ngx_campfire_richtext_tree_next(node, root))
    {
        if (!ngx_campfire_richtext_node_is(node, "pre") || node->first == NULL
            || node->first->type != NGX_CAMPFIRE_RICHTEXT_TEXT)
        {
            continue;
        }

        s = &node->first->text;

        while (s->len && s->data[0] == '\n') {
            s->data++;
            s->len--;
        }
    }
}


static ngx_int_t
ngx_campfire_richtext_render_wrap(ngx_pool_t *pool,
    ngx_campfire_richtext_node_t *root, ngx_campfire_richtext_render_e target,
    ngx_campfire_html_t *html)
{
    ngx_campfire_buf_t  b;

    if (ngx_campfire_richtext_tree_merge(pool, root) != NGX_OK) {
        return NGX_ERROR;
    }

    ngx_campfire_richtext_render_code(root);

    ngx_campfire_base_buf_init(&b, pool, 0);
    ngx_campfire_base_buf_lit(&b, "<div class=\"" NGX_CAMPFIRE_RICHTEXT_CLASS
                                  "\">\n  ");

    if (target == NGX_CAMPFIRE_RICHTEXT_RENDER_PAGE) {
        ngx_campfire_richtext_write_linked(&b, root);

    } else {
        ngx_campfire_richtext_write(&b, root);
    }

    ngx_campfire_base_buf_lit(&b, "\n</div>\n");

    return ngx_campfire_base_buf_done(&b, &html->str);
}


/* What stands for a body over the limits. */
static ngx_int_t
ngx_campfire_richtext_render_instead(ngx_pool_t *pool,
    const ngx_str_t *stored, ngx_campfire_html_t *html)
{
    ngx_str_t                      clean;
    ngx_campfire_richtext_node_t  *root, *text;

    root = ngx_campfire_richtext_tree_node(pool, NGX_CAMPFIRE_RICHTEXT_ROOT);
    text = ngx_campfire_richtext_tree_node(pool, NGX_CAMPFIRE_RICHTEXT_TEXT);

    if (root == NULL || text == NULL
        || ngx_campfire_richtext_char_scrub(pool, stored, &clean) != NGX_OK)
    {
        return NGX_ERROR;
    }

    if (clean.len > NGX_CAMPFIRE_RICHTEXT_BYTES) {
        text->text = ngx_campfire_richtext_char_cut(&clean,
                                                 NGX_CAMPFIRE_RICHTEXT_BYTES);

    } else {
        ngx_str_set(&text->text, "\xe2\x98\x92");
    }

    ngx_campfire_richtext_tree_append(root, text);

    return ngx_campfire_richtext_render_wrap(pool, root,
                                             NGX_CAMPFIRE_RICHTEXT_RENDER_API,
                                             html);
}
