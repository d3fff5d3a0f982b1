
/*
 * The stored form.
 *
 * An editor's attachment is any element with data-trix-attachment; it holds
 * the attachment's attributes as JSON.  In storage an attachment is an empty
 * action-text-attachment element with these attributes in a fixed order.
 */

#include "richtext/ngx_campfire_richtext.h"
#include "richtext/ngx_campfire_richtext_attachment.h"
#include "richtext/ngx_campfire_richtext_tree.h"

#include "base/ngx_campfire_base_utf8.h"

#include <jansson.h>
#include <stdio.h>


/* in the order of ngx_campfire_richtext_attr_e */
static const char  *const ngx_campfire_richtext_canonical_keys[] = {
    "sgid",
    "contentType",
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


static ngx_int_t ngx_campfire_richtext_canonical_step(ngx_pool_t *pool,
    const ngx_str_t *html, ngx_str_t *stored);
static ngx_int_t ngx_campfire_richtext_canonical_trix(ngx_pool_t *pool,
    ngx_campfire_richtext_node_t *node, ngx_campfire_richtext_node_t **with);
static json_t *ngx_campfire_richtext_canonical_json(
    ngx_campfire_richtext_node_t *node, const char *name);
static ngx_int_t ngx_campfire_richtext_canonical_value(ngx_pool_t *pool,
    json_t *json, ngx_str_t *value);
static int ngx_campfire_richtext_canonical_real(double real, char *text,
    size_t size);


ngx_int_t
ngx_campfire_richtext_canonicalize(ngx_pool_t *pool,
    const ngx_str_t *submitted, ngx_str_t *stored)
{
    ngx_int_t  rc;
    ngx_str_t  once;

    if (!ngx_campfire_base_utf8_valid(submitted->data, submitted->len)) {
        return NGX_DECLINED;
    }

    /* the reference writes and reads a body twice before it keeps it */

    rc = ngx_campfire_richtext_canonical_step(pool, submitted, &once);

    if (rc == NGX_OK) {
        rc = ngx_campfire_richtext_canonical_step(pool, &once, stored);
    }

    if (rc == NGX_OK && stored->len > NGX_CAMPFIRE_RICHTEXT_BYTES) {
        return NGX_DECLINED;
    }

    return rc;
}


static ngx_int_t
ngx_campfire_richtext_canonical_step(ngx_pool_t *pool, const ngx_str_t *html,
    ngx_str_t *stored)
{
    ngx_int_t                      rc;
    ngx_uint_t                     n;
    ngx_campfire_richtext_node_t  *root, *node;

    rc = ngx_campfire_richtext_parse(pool, html, NGX_CAMPFIRE_RICHTEXT_STRICT,
                                     &root);
    if (rc != NGX_OK) {
        return rc;
    }

    if (ngx_campfire_richtext_canonical(pool, root) != NGX_OK) {
        return NGX_ERROR;
    }

    n = 0;

    for (node = root; node; node = ngx_campfire_richtext_tree_next(node, root))
    {
        if (ngx_campfire_richtext_is_attachment(node)
            && ++n > NGX_CAMPFIRE_RICHTEXT_ATTACHMENTS)
        {
            return NGX_DECLINED;
        }
    }

    return ngx_campfire_richtext_write_string(pool, root, stored);
}


ngx_int_t
ngx_campfire_richtext_canonical(ngx_pool_t *pool,
    ngx_campfire_richtext_node_t *root)
{
    ngx_campfire_richtext_node_t  *node, *next, *with;

    for (node = root->first; node; node = next) {

        if (ngx_campfire_richtext_tree_attr(node, "data-trix-attachment")) {
            next = ngx_campfire_richtext_tree_skip(node, root);

            if (ngx_campfire_richtext_canonical_trix(pool, node, &with)
                != NGX_OK)
            {
                return NGX_ERROR;
            }

            if (with) {
                ngx_campfire_richtext_tree_replace(node, with);

            } else {
                ngx_campfire_richtext_tree_remove(node);
            }

            continue;
        }

        if (ngx_campfire_richtext_is_attachment(node)) {
            node->first = NULL;
            node->last = NULL;
        }

        next = ngx_campfire_richtext_tree_next(node, root);
    }

    for (node = root->first; node;
         node = ngx_campfire_richtext_tree_next(node, root))
    {
        if (ngx_campfire_richtext_is_gallery(node, NULL)) {
            node->attrs = NULL;
        }
    }

    return NGX_OK;
}


ngx_int_t
ngx_campfire_richtext_is_gallery(ngx_campfire_richtext_node_t *node,
    ngx_uint_t *n)
{
    size_t                         i;
    ngx_uint_t                     count;
    ngx_campfire_richtext_attr_t  *attr;
    ngx_campfire_richtext_node_t  *child;

    if (!ngx_campfire_richtext_node_is(node, "div")) {
        return 0;
    }

    count = 0;

    for (child = node->first; child; child = child->next) {

        if (ngx_campfire_richtext_is_attachment(child)) {
            attr = ngx_campfire_richtext_tree_attr(child, "presentation");

            if (attr == NULL
                || !ngx_campfire_richtext_str_is(&attr->value, "gallery"))
            {
                return 0;
            }

            count++;
            continue;
        }

        if (child->type != NGX_CAMPFIRE_RICHTEXT_TEXT) {
            return 0;
        }

        for (i = 0; i < child->text.len; i++) {
            if (child->text.data[i] != ' ' && child->text.data[i] != '\n') {
                return 0;
            }
        }
    }

    if (n) {
        *n = count;
    }

    return count > 1;
}


/* The stored element for an editor's one; NULL if nothing of it is known. */
static ngx_int_t
ngx_campfire_richtext_canonical_trix(ngx_pool_t *pool,
    ngx_campfire_richtext_node_t *node, ngx_campfire_richtext_node_t **with)
{
    json_t                        *attachment, *given, *json;
    ngx_int_t                      rc;
    ngx_str_t                      name, value;
    ngx_uint_t                     i;
    ngx_campfire_richtext_node_t  *element;

    ngx_str_set(&name, "action-text-attachment");

    *with = NULL;
    rc = NGX_ERROR;

    attachment = ngx_campfire_richtext_canonical_json(node,
                                                      "data-trix-attachment");
    given = ngx_campfire_richtext_canonical_json(node,
                                                 "data-trix-attributes");

    element = ngx_campfire_richtext_tree_element(pool, &name);
    if (element == NULL) {
        goto done;
    }

    for (i = 0; i < NGX_CAMPFIRE_RICHTEXT_NATTRS; i++) {
        json = NULL;

        if (i == NGX_CAMPFIRE_RICHTEXT_PRESENTATION
            || i == NGX_CAMPFIRE_RICHTEXT_CAPTION)
        {
            json = json_object_get(given,
                                   ngx_campfire_richtext_canonical_keys[i]);
        }

        if (json == NULL) {
            json = json_object_get(attachment,
                                   ngx_campfire_richtext_canonical_keys[i]);
        }

        if (json == NULL) {
            continue;
        }

        if (ngx_campfire_richtext_canonical_value(pool, json, &value) != NGX_OK
            || ngx_campfire_richtext_tree_set(pool, element,
                                     ngx_campfire_richtext_attachment_names[i],
                                     &value)
               != NGX_OK)
        {
            goto done;
        }
    }

    if (element->attrs) {
        *with = element;
    }

    rc = NGX_OK;

done:

    json_decref(attachment);
    json_decref(given);

    return rc;
}


/* The object in an attribute, or NULL. */
static json_t *
ngx_campfire_richtext_canonical_json(ngx_campfire_richtext_node_t *node,
    const char *name)
{
    json_t                        *json;
    ngx_campfire_richtext_attr_t  *attr;

    attr = ngx_campfire_richtext_tree_attr(node, name);
    if (attr == NULL) {
        return NULL;
    }

    json = json_loadb((char *) attr->value.data, attr->value.len,
                      JSON_ALLOW_NUL, NULL);

    if (json && !json_is_object(json)) {
        json_decref(json);
        return NULL;
    }

    return json;
}


static ngx_int_t
ngx_campfire_richtext_canonical_value(ngx_pool_t *pool, json_t *json,
    ngx_str_t *value)
{
    int          n;
    char         text[512];
    char        *dump;
    size_t       len;
    const char  *p;

    dump = NULL;
    n = 0;
    p = text;

    switch (json_typeof(json)) {

    case JSON_STRING:
        p = json_string_value(json);
        len = json_string_length(json);
        break;

    case JSON_INTEGER:
        n = snprintf(text, sizeof(text), "%lld",
                     (long long) json_integer_value(json));
        len = (size_t) n;
        break;

    case JSON_REAL:
        n = ngx_campfire_richtext_canonical_real(json_real_value(json), text,
                                                 sizeof(text));
        len = (size_t) n;
        break;

    case JSON_TRUE:
        p = "true";
        len = 4;
        break;

    case JSON_FALSE:
        p = "false";
        len = 5;
        break;

    case JSON_NULL:
        len = 0;
        break;

    default:
        dump = json_dumps(json, JSON_COMPACT);
        if (dump == NULL) {
            return NGX_ERROR;
        }

        p = dump;
        len = strlen(dump);
    }

    value->len = len;
    value->data = ngx_pnalloc(pool, len + 1);

    if (value->data) {
        ngx_memcpy(value->data, p, len);
    }

    free(dump);

    return value->data ? NGX_OK : NGX_ERROR;
}


/*
 * A number with a fraction as Ruby prints it: the fewest digits that read
 * back as the same number, and an exponent only from 1e16 and below 0.0001.
 */
static int
ngx_campfire_richtext_canonical_real(double real, char *text, size_t size)
{
    int          i, n, digits, exponent;
    char         printed[64];
    const char  *p;

    /* digits after the first one */

    digits = 16;

    for (i = 0; i < 16; i++) {
        (void) snprintf(printed, sizeof(printed), "%.*e", i, real);

        if (strtod(printed, NULL) == real) {
            digits = i;
            break;
        }
    }

    (void) snprintf(printed, sizeof(printed), "%.*e", digits, real);

    p = strchr(printed, 'e');
    exponent = p ? atoi(p + 1) : 0;

    if (exponent < -4 || exponent >= 16) {
        n = snprintf(text, size, "%.*e", digits ? digits : 1, real);

    } else {
        digits -= exponent;
        n = snprintf(text, size, "%.*f", digits > 0 ? digits : 1, real);
    }

    return n > 0 ? n : 0;
}
