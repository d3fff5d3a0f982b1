
/*
 * Allow-lists.  Elements are in the table of ngx_campfire_richtext_tree.c,
 * attributes here.
 *
 * A body may not name an element (name), style itself (style), or carry
 * data: URIs; the rest is what the reference lets through.
 */

#include "richtext/ngx_campfire_richtext_tree.h"


#define URI      0x01       /* must pass the rule for URIs */
#define ENCODE   0x02       /* spaces and quotes are percent-encoded */
#define FILLED   0x04       /* empty is as good as none */
#define INNER    0x08       /* of attachment elements and of the API only */

typedef struct {
    ngx_str_t   name;
    unsigned    flags;
} ngx_campfire_richtext_sanitize_attr_t;


static const ngx_campfire_richtext_sanitize_attr_t
    ngx_campfire_richtext_sanitize_attrs[] =
{
    { ngx_string("href"),           URI|ENCODE },
    { ngx_string("class"),          0 },
    { ngx_string("src"),            URI|ENCODE|FILLED },
    { ngx_string("title"),          0 },
    { ngx_string("alt"),            0 },
    { ngx_string("width"),          0 },
    { ngx_string("height"),         0 },
    { ngx_string("cite"),           URI },
    { ngx_string("abbr"),           0 },
    { ngx_string("datetime"),       0 },
    { ngx_string("lang"),           0 },
    { ngx_string("xml:lang"),       0 },
    { ngx_string("data-language"),  0 },
    { ngx_string("sgid"),           INNER },
    { ngx_string("content-type"),   INNER },
    { ngx_string("url"),            INNER },
    { ngx_string("filename"),       INNER },
    { ngx_string("filesize"),       INNER },
    { ngx_string("previewable"),    INNER },
    { ngx_string("presentation"),   INNER },
    { ngx_string("caption"),        INNER },
    { ngx_string("content"),        INNER },
    { ngx_string("controls"),       INNER },
    { ngx_string("poster"),         INNER|URI },
    { ngx_string("value"),          INNER },
    { ngx_string("start"),          INNER },
};

#define NGX_CAMPFIRE_RICHTEXT_SANITIZE_NATTRS                                 \
    (sizeof(ngx_campfire_richtext_sanitize_attrs)                             \
     / sizeof(ngx_campfire_richtext_sanitize_attrs[0]))


static ngx_int_t ngx_campfire_richtext_sanitize_element(ngx_pool_t *pool,
    ngx_campfire_richtext_node_t *node, ngx_uint_t inner);
static ngx_int_t ngx_campfire_richtext_sanitize_encode(ngx_pool_t *pool,
    ngx_str_t *value);


ngx_int_t
ngx_campfire_richtext_sanitize(ngx_pool_t *pool,
    ngx_campfire_richtext_node_t *root, ngx_campfire_richtext_sanitize_e step)
{
    unsigned                       allowed;
    ngx_uint_t                     inner;
    ngx_campfire_richtext_node_t  *node, *next;

    allowed = step == NGX_CAMPFIRE_RICHTEXT_SANITIZE_BODY
              ? NGX_CAMPFIRE_RICHTEXT_KEEP
              : step == NGX_CAMPFIRE_RICHTEXT_SANITIZE_SHOWN
                ? NGX_CAMPFIRE_RICHTEXT_SHOW : NGX_CAMPFIRE_RICHTEXT_API;

    for (node = root->first; node; node = next) {

        if (node->type == NGX_CAMPFIRE_RICHTEXT_TEXT) {
            next = ngx_campfire_richtext_tree_next(node, root);
            continue;
        }

        if (node->type == NGX_CAMPFIRE_RICHTEXT_COMMENT || node->foreign
            || (step == NGX_CAMPFIRE_RICHTEXT_SANITIZE_BODY
                && (node->tag->flags & allowed) == 0))
        {
            next = ngx_campfire_richtext_tree_skip(node, root);
            ngx_campfire_richtext_tree_remove(node);
            continue;
        }

        next = ngx_campfire_richtext_tree_next(node, root);

        if ((node->tag->flags & allowed) == 0) {
            ngx_campfire_richtext_tree_unwrap(node);
            continue;
        }

        inner = step == NGX_CAMPFIRE_RICHTEXT_SANITIZE_API
                || ngx_campfire_richtext_is_attachment(node);

        if (ngx_campfire_richtext_sanitize_element(pool, node, inner)
            != NGX_OK)
        {
            return NGX_ERROR;
        }
    }

    return NGX_OK;
}


static const ngx_campfire_richtext_sanitize_attr_t *
ngx_campfire_richtext_sanitize_find(const ngx_str_t *name)
{
    size_t                                        i;
    const ngx_campfire_richtext_sanitize_attr_t  *known;

    for (i = 0; i < NGX_CAMPFIRE_RICHTEXT_SANITIZE_NATTRS; i++) {
        known = &ngx_campfire_richtext_sanitize_attrs[i];

        if (known->name.len == name->len
            && ngx_memcmp(known->name.data, name->data, name->len) == 0)
        {
            return known;
        }
    }

    return NULL;
}


static ngx_int_t
ngx_campfire_richtext_sanitize_element(ngx_pool_t *pool,
    ngx_campfire_richtext_node_t *node, ngx_uint_t inner)
{
    ngx_int_t                                     rc;
    ngx_campfire_richtext_attr_t                 *attr, **link;
    const ngx_campfire_richtext_sanitize_attr_t  *known;

    link = &node->attrs;

    while (*link) {
        attr = *link;
        known = ngx_campfire_richtext_sanitize_find(&attr->name);

        if (known == NULL || ((known->flags & INNER) && !inner)
            || ((known->flags & FILLED)
                && ngx_campfire_richtext_char_strip(&attr->value).len == 0))
        {
            *link = attr->next;
            continue;
        }

        if (known->flags & URI) {
            rc = ngx_campfire_richtext_url_safe(pool, &attr->value);

            if (rc == NGX_ERROR) {
                return NGX_ERROR;
            }

            if (rc == NGX_DECLINED) {
                *link = attr->next;
                continue;
            }
        }

        if ((known->flags & ENCODE)
            && ngx_campfire_richtext_sanitize_encode(pool, &attr->value)
               != NGX_OK)
        {
            return NGX_ERROR;
        }

        link = &attr->next;
    }

    return NGX_OK;
}


static ngx_int_t
ngx_campfire_richtext_sanitize_encode(ngx_pool_t *pool, ngx_str_t *value)
{
    size_t   i, n;
    u_char  *p, *data;

    n = 0;

    for (i = 0; i < value->len; i++) {
        n += value->data[i] == ' ' || value->data[i] == '"';
    }

    if (n == 0) {
        return NGX_OK;
    }

    data = ngx_pnalloc(pool, value->len + 2 * n);
    if (data == NULL) {
        return NGX_ERROR;
    }

    p = data;

    for (i = 0; i < value->len; i++) {
        if (value->data[i] == ' ') {
            p = ngx_cpymem(p, "%20", 3);

        } else if (value->data[i] == '"') {
            p = ngx_cpymem(p, "%22", 3);

        } else {
            *p++ = value->data[i];
        }
    }

    value->data = data;
    value->len = (size_t) (p - data);

    return NGX_OK;
}
