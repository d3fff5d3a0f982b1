
/*
 * Attachments: a link embed, a record (user or file), a piece of HTML, a
 * picture elsewhere, or nothing that could be found.
 *
 * What a body says of itself is escaped and filtered here; only the partial
 * of a record, which the resolver makes, is taken as it is.
 */

#include "richtext/ngx_campfire_richtext_attachment.h"

#include <jansson.h>


/* in the order of ngx_campfire_richtext_attr_e */
const char  *const ngx_campfire_richtext_attachment_names[] = {
    "sgid",
    "content-type",
    "url",
    "href",
    "filename",
    "filesize",
    "width",
    "height",
    "previewable",
    "presentation",
    "caption",
    "content"
};


static ngx_int_t ngx_campfire_richtext_attachment_content(ngx_pool_t *pool,
    ngx_campfire_richtext_resolved_t *resolved, const ngx_str_t *host);
static ngx_int_t ngx_campfire_richtext_attachment_json(ngx_pool_t *pool,
    ngx_str_t *content);
static ngx_int_t ngx_campfire_richtext_attachment_embed(ngx_pool_t *pool,
    ngx_campfire_richtext_resolved_t *resolved, const ngx_str_t *host);
static ngx_campfire_richtext_node_t *ngx_campfire_richtext_attachment_class(
    ngx_campfire_richtext_node_t *root, const char *name);
static ngx_campfire_richtext_node_t *ngx_campfire_richtext_attachment_inside(
    ngx_campfire_richtext_node_t *node, const char *name);
static ngx_int_t ngx_campfire_richtext_attachment_is_image(
    ngx_campfire_richtext_resolved_t *resolved);


ngx_int_t
ngx_campfire_richtext_attachment_resolve(ngx_pool_t *pool,
    ngx_campfire_richtext_node_t *node,
    ngx_campfire_richtext_resolver_t *resolver, ngx_uint_t text_only,
    ngx_campfire_richtext_resolved_t *resolved)
{
    ngx_int_t                      rc;
    ngx_str_t                      host, *type, *url;
    ngx_uint_t                     i;
    ngx_campfire_richtext_attr_t  *attr;

    ngx_memzero(resolved, sizeof(ngx_campfire_richtext_resolved_t));

    host.len = 0;
    host.data = NULL;

    if (resolver) {
        host = resolver->host;
    }

    for (i = 0; i < NGX_CAMPFIRE_RICHTEXT_NATTRS; i++) {
        attr = ngx_campfire_richtext_tree_attr(node,
                                    ngx_campfire_richtext_attachment_names[i]);
        if (attr) {
            resolved->attachment.values[i] = attr->value;
        }
    }

    resolved->attachment.text_only = text_only ? 1 : 0;
    resolved->attachment.gallery =
                  ngx_campfire_richtext_is_gallery(node->parent, NULL) ? 1 : 0;

    type = ngx_campfire_richtext_attachment_value(resolved, CONTENT_TYPE);

    if (ngx_campfire_richtext_char_contains(type,
                                "application/vnd.actiontext.opengraph-embed"))
    {
        resolved->kind = NGX_CAMPFIRE_RICHTEXT_EMBED;

        if (text_only) {
            return NGX_OK;
        }
    }

    if (ngx_campfire_richtext_attachment_content(pool, resolved, &host)
        != NGX_OK)
    {
        return NGX_ERROR;
    }

    if (resolved->kind == NGX_CAMPFIRE_RICHTEXT_EMBED) {
        return ngx_campfire_richtext_attachment_embed(pool, resolved, &host);
    }

    if (resolver && resolver->find
        && ngx_campfire_richtext_attachment_value(resolved, SGID)->len)
    {
        rc = resolver->find(resolver->data, pool, &resolved->attachment,
                            &resolved->record);

        if (rc == NGX_OK) {
            resolved->kind = NGX_CAMPFIRE_RICHTEXT_RECORD;
            return NGX_OK;
        }

        if (rc != NGX_DECLINED) {
            return NGX_ERROR;
        }
    }

    if (resolved->content
        && ngx_campfire_richtext_char_contains(type, "html"))
    {
        resolved->kind = NGX_CAMPFIRE_RICHTEXT_CONTENT_ATTACHMENT;
        return NGX_OK;
    }

    if (ngx_campfire_richtext_attachment_is_image(resolved)) {
        resolved->kind = NGX_CAMPFIRE_RICHTEXT_IMAGE;

        url = ngx_campfire_richtext_attachment_value(resolved, URL);

        if (ngx_campfire_richtext_url_remote(url, &host)) {
            resolved->embed.image = *url;
        }

        return NGX_OK;
    }

    resolved->kind = NGX_CAMPFIRE_RICHTEXT_MISSING;

    return NGX_OK;
}


/* Sanitizes content, once, as a tree and as the attribute's new value. */
static ngx_int_t
ngx_campfire_richtext_attachment_content(ngx_pool_t *pool,
    ngx_campfire_richtext_resolved_t *resolved, const ngx_str_t *host)
{
    ngx_int_t                      rc;
    ngx_str_t                     *content;
    ngx_uint_t                     empty;
    ngx_campfire_richtext_attr_t  *src;
    ngx_campfire_richtext_node_t  *root, *node, *next;

    content = ngx_campfire_richtext_attachment_value(resolved, CONTENT_HTML);

    if (content->data == NULL) {
        return NGX_OK;
    }

    if (ngx_campfire_richtext_attachment_json(pool, content) != NGX_OK) {
        return NGX_ERROR;
    }

    rc = ngx_campfire_richtext_parse(pool, content,
                                     NGX_CAMPFIRE_RICHTEXT_LENIENT, &root);

    if (rc == NGX_DECLINED) {
        content->data = NULL;
        content->len = 0;
        return NGX_OK;
    }

    if (rc != NGX_OK
        || ngx_campfire_richtext_sanitize(pool, root,
                                          NGX_CAMPFIRE_RICHTEXT_SANITIZE_API)
           != NGX_OK)
    {
        return NGX_ERROR;
    }

    empty = 1;

    for (node = root->first; node; node = next) {
        next = ngx_campfire_richtext_tree_next(node, root);

        if (node->type != NGX_CAMPFIRE_RICHTEXT_TEXT
            || !ngx_campfire_richtext_blank(&node->text))
        {
            empty = 0;
        }

        if (ngx_campfire_richtext_node_is(node, "img")) {
            src = ngx_campfire_richtext_tree_attr(node, "src");

            if (src == NULL
                || !ngx_campfire_richtext_url_remote(&src->value, host))
            {
                ngx_campfire_richtext_tree_remove(node);
            }
        }
    }

    if (empty) {
        content->data = NULL;
        content->len = 0;
        return NGX_OK;
    }

    if (ngx_campfire_richtext_write_string(pool, root, content) != NGX_OK) {
        return NGX_ERROR;
    }

    resolved->content = root;

    return NGX_OK;
}


/* Some versions of the editor wrote the HTML as a JSON string. */
static ngx_int_t
ngx_campfire_richtext_attachment_json(ngx_pool_t *pool, ngx_str_t *content)
{
    json_t     *json;
    ngx_int_t   rc;
    ngx_str_t   s;

    s = ngx_campfire_richtext_char_strip(content);

    if (s.len < 2 || s.data[0] != '"') {
        return NGX_OK;
    }

    json = json_loadb((char *) s.data, s.len,
                      JSON_DECODE_ANY|JSON_ALLOW_NUL, NULL);
    if (json == NULL) {
        return NGX_OK;
    }

    rc = NGX_OK;

    if (json_is_string(json)) {
        s.len = json_string_length(json);
        s.data = ngx_pnalloc(pool, s.len + 1);

        if (s.data) {
            ngx_memcpy(s.data, json_string_value(json), s.len);
            *content = s;

        } else {
            rc = NGX_ERROR;
        }
    }

    json_decref(json);

    return rc;
}


static ngx_int_t
ngx_campfire_richtext_attachment_embed(ngx_pool_t *pool,
    ngx_campfire_richtext_resolved_t *resolved, const ngx_str_t *host)
{
    ngx_str_t                       text;
    ngx_campfire_richtext_attr_t   *attr;
    ngx_campfire_richtext_node_t   *root, *node, *link;
    ngx_campfire_richtext_embed_t  *embed;

    embed = &resolved->embed;
    root = resolved->content;

    if (!ngx_campfire_richtext_blank(
            ngx_campfire_richtext_attachment_value(resolved, HREF)))
    {
        embed->title =
            *ngx_campfire_richtext_attachment_value(resolved, FILENAME);
        embed->description =
            *ngx_campfire_richtext_attachment_value(resolved, CAPTION);
        embed->href = *ngx_campfire_richtext_attachment_value(resolved, HREF);
        embed->image = *ngx_campfire_richtext_attachment_value(resolved, URL);

    } else if (root) {

        node = ngx_campfire_richtext_attachment_class(root,
                                                      "og-embed__title");
        if (node) {
            link = ngx_campfire_richtext_attachment_inside(node, "a");
            attr = link ? ngx_campfire_richtext_tree_attr(link, "href") : NULL;

            if (attr) {
                embed->href = attr->value;
            }

            if (ngx_campfire_richtext_tree_text(pool, link ? link : node,
                                                &text)
                != NGX_OK)
            {
                return NGX_ERROR;
            }

            embed->title = ngx_campfire_richtext_char_strip(&text);
        }

        node = ngx_campfire_richtext_attachment_class(root,
                                                      "og-embed__image");
        if (node) {
            link = ngx_campfire_richtext_attachment_inside(node, "img");
            attr = link ? ngx_campfire_richtext_tree_attr(link, "src") : NULL;

            if (attr) {
                embed->image = attr->value;
            }
        }

        node = ngx_campfire_richtext_attachment_class(root,
                                                     "og-embed__description");
        if (node) {
            if (ngx_campfire_richtext_tree_text(pool, node, &text) != NGX_OK) {
                return NGX_ERROR;
            }

            embed->description = ngx_campfire_richtext_char_strip(&text);
        }
    }

    if (!ngx_campfire_richtext_url_remote(&embed->href, host)) {
        embed->href.len = 0;
    }

    if (!ngx_campfire_richtext_url_remote(&embed->image, host)) {
        embed->image.len = 0;
    }

    return NGX_OK;
}


/* The first element that has the class. */
static ngx_campfire_richtext_node_t *
ngx_campfire_richtext_attachment_class(ngx_campfire_richtext_node_t *root,
    const char *name)
{
    size_t                         len, i, from;
    ngx_campfire_richtext_attr_t  *attr;
    ngx_campfire_richtext_node_t  *node;

    len = strlen(name);

    for (node = root; node; node = ngx_campfire_richtext_tree_next(node, root))
    {
        attr = ngx_campfire_richtext_tree_attr(node, "class");
        if (attr == NULL) {
            continue;
        }

        from = 0;

        for (i = 0; i <= attr->value.len; i++) {
            if (i < attr->value.len
                && !ngx_campfire_richtext_is_space(attr->value.data[i]))
            {
                continue;
            }

            if (i - from == len
                && ngx_memcmp(attr->value.data + from, name, len) == 0)
            {
                return node;
            }

            from = i + 1;
        }
    }

    return NULL;
}


static ngx_campfire_richtext_node_t *
ngx_campfire_richtext_attachment_inside(ngx_campfire_richtext_node_t *node,
    const char *name)
{
    size_t                         len;
    ngx_campfire_richtext_node_t  *inner;

    len = strlen(name);

    for (inner = node->first; inner;
         inner = ngx_campfire_richtext_tree_next(inner, node))
    {
        if (inner->name.len == len
            && ngx_memcmp(inner->name.data, name, len) == 0)
        {
            return inner;
        }
    }

    return NULL;
}


static ngx_int_t
ngx_campfire_richtext_attachment_is_image(
    ngx_campfire_richtext_resolved_t *resolved)
{
    size_t            i;
    const ngx_str_t  *type, *url;

    type = ngx_campfire_richtext_attachment_value(resolved, CONTENT_TYPE);
    url = ngx_campfire_richtext_attachment_value(resolved, URL);

    if (!ngx_campfire_richtext_str_is(type, "image")
        && (type->len < 7 || ngx_memcmp(type->data, "image/", 6) != 0))
    {
        return 0;
    }

    if ((url->len >= 4 && ngx_memcmp(url->data, "cid:", 4) == 0)
        || (url->len >= 5 && ngx_memcmp(url->data, "data:", 5) == 0))
    {
        return 1;
    }

    for (i = 0; i < url->len; i++) {
        if (((url->data[i] | 0x20) < 'a' || (url->data[i] | 0x20) > 'z')
            && url->data[i] != '-')
        {
            break;
        }
    }

    if (i && i < url->len && url->data[i] == ':') {
        i++;

    } else if (i) {
        return 0;
    }

    return url->len - i >= 2 && ngx_memcmp(url->data + i, "//", 2) == 0;
}


ngx_int_t
ngx_campfire_richtext_attachment_text(ngx_pool_t *pool,
    ngx_campfire_richtext_resolved_t *resolved, ngx_str_t *text)
{
    const ngx_str_t     *caption;
    ngx_campfire_buf_t   b;

    switch (resolved->kind) {

    case NGX_CAMPFIRE_RICHTEXT_RECORD:
        *text = resolved->record.text;
        return NGX_OK;

    case NGX_CAMPFIRE_RICHTEXT_CONTENT_ATTACHMENT:
        return ngx_campfire_richtext_to_plain(pool, resolved->content, text);

    case NGX_CAMPFIRE_RICHTEXT_IMAGE:
        caption = ngx_campfire_richtext_attachment_value(resolved, CAPTION);

        ngx_campfire_base_buf_init(&b, pool, caption->len + 8);
        ngx_campfire_base_buf_lit(&b, "[");

        if (ngx_campfire_richtext_blank(caption)) {
            ngx_campfire_base_buf_lit(&b, "Image");

        } else {
            ngx_campfire_base_buf_str(&b, *caption);
        }

        ngx_campfire_base_buf_lit(&b, "]");

        return ngx_campfire_base_buf_done(&b, text);

    default:
        text->data = (u_char *) "";
        text->len = 0;
        return NGX_OK;
    }
}


ngx_int_t
ngx_campfire_richtext_attachment_attrs(ngx_pool_t *pool,
    ngx_campfire_richtext_resolved_t *resolved,
    ngx_campfire_richtext_attr_t **attrs)
{
    ngx_str_t                      value;
    ngx_uint_t                     i;
    ngx_campfire_richtext_attr_t  *attr;

    *attrs = NULL;

    for (i = 0; i < NGX_CAMPFIRE_RICHTEXT_NATTRS; i++) {

        value = resolved->attachment.values[i];

        if (resolved->kind == NGX_CAMPFIRE_RICHTEXT_RECORD
            && i != NGX_CAMPFIRE_RICHTEXT_SGID
            && resolved->record.values[i].data)
        {
            value = resolved->record.values[i];
        }

        if (value.data == NULL) {
            continue;
        }

        attr = ngx_palloc(pool, sizeof(ngx_campfire_richtext_attr_t));
        if (attr == NULL) {
            return NGX_ERROR;
        }

        attr->name.data = (u_char *) ngx_campfire_richtext_attachment_names[i];
        attr->name.len = strlen(ngx_campfire_richtext_attachment_names[i]);
        attr->value = value;
        attr->next = NULL;

        *attrs = attr;
        attrs = &attr->next;
    }

    return NGX_OK;
}
