
/*
 * Nodes: making, walking, moving; and what is known of elements by name.
 */

#include "richtext/ngx_campfire_richtext_tree.h"


#define KEEP   NGX_CAMPFIRE_RICHTEXT_KEEP
#define SHOW   NGX_CAMPFIRE_RICHTEXT_SHOW
#define API    NGX_CAMPFIRE_RICHTEXT_API
#define VOID   NGX_CAMPFIRE_RICHTEXT_VOID
#define RAW    NGX_CAMPFIRE_RICHTEXT_RAW

#define ALL    (KEEP|SHOW|API)
#define INNER  (KEEP|API)      /* a wrapper that the page does not see */

#define NAME(s)  ngx_string(s)

#define CHILDREN   NGX_CAMPFIRE_RICHTEXT_AS_CHILDREN
#define NOTHING    NGX_CAMPFIRE_RICHTEXT_AS_NOTHING
#define BREAK      NGX_CAMPFIRE_RICHTEXT_AS_BREAK
#define LINE       NGX_CAMPFIRE_RICHTEXT_AS_LINE
#define PARAGRAPH  NGX_CAMPFIRE_RICHTEXT_AS_PARAGRAPH
#define LIST       NGX_CAMPFIRE_RICHTEXT_AS_LIST
#define ITEM       NGX_CAMPFIRE_RICHTEXT_AS_ITEM
#define QUOTE      NGX_CAMPFIRE_RICHTEXT_AS_QUOTE
#define CAPTION    NGX_CAMPFIRE_RICHTEXT_AS_CAPTION


/*
 * Sorted by name.  img is not kept in a stored body, but shown: what shows
 * one is an attachment.
 */
static const ngx_campfire_richtext_tag_t  ngx_campfire_richtext_tree_tags[] = {
    { NAME("a"),                       ALL,         CHILDREN },
    { NAME("abbr"),                    ALL,         CHILDREN },
    { NAME("acronym"),                 ALL,         CHILDREN },
    { NAME("action-text-attachment"),  INNER,       CHILDREN },
    { NAME("address"),                 ALL,         CHILDREN },
    { NAME("area"),                    VOID,        CHILDREN },
    { NAME("b"),                       ALL,         CHILDREN },
    { NAME("base"),                    VOID,        CHILDREN },
    { NAME("basefont"),                VOID,        CHILDREN },
    { NAME("bgsound"),                 VOID,        CHILDREN },
    { NAME("big"),                     ALL,         CHILDREN },
    { NAME("blockquote"),              ALL,         QUOTE },
    { NAME("br"),                      ALL|VOID,    BREAK },
    { NAME("cite"),                    ALL,         CHILDREN },
    { NAME("code"),                    ALL,         CHILDREN },
    { NAME("col"),                     VOID,        CHILDREN },
    { NAME("dd"),                      ALL,         CHILDREN },
    { NAME("del"),                     ALL,         CHILDREN },
    { NAME("dfn"),                     ALL,         CHILDREN },
    { NAME("div"),                     ALL,         LINE },
    { NAME("dl"),                      ALL,         CHILDREN },
    { NAME("dt"),                      ALL,         CHILDREN },
    { NAME("em"),                      ALL,         CHILDREN },
    { NAME("embed"),                   VOID,        CHILDREN },
    { NAME("figcaption"),              INNER,       CAPTION },
    { NAME("figure"),                  INNER,       CHILDREN },
    { NAME("frame"),                   VOID,        CHILDREN },
    { NAME("h1"),                      ALL,         PARAGRAPH },
    { NAME("h2"),                      ALL,         PARAGRAPH },
    { NAME("h3"),                      ALL,         PARAGRAPH },
    { NAME("h4"),                      ALL,         PARAGRAPH },
    { NAME("h5"),                      ALL,         PARAGRAPH },
    { NAME("h6"),                      ALL,         PARAGRAPH },
    { NAME("hr"),                      ALL|VOID,    CHILDREN },
    { NAME("i"),                       ALL,         CHILDREN },
    { NAME("iframe"),                  RAW,         CHILDREN },
    { NAME("img"),                     SHOW|API|VOID, CHILDREN },
    { NAME("input"),                   VOID,        CHILDREN },
    { NAME("ins"),                     ALL,         CHILDREN },
    { NAME("kbd"),                     ALL,         CHILDREN },
    { NAME("keygen"),                  VOID,        CHILDREN },
    { NAME("li"),                      ALL,         ITEM },
    { NAME("link"),                    VOID,        CHILDREN },
    { NAME("mark"),                    ALL,         CHILDREN },
    { NAME("meta"),                    VOID,        CHILDREN },
    { NAME("noembed"),                 RAW,         CHILDREN },
    { NAME("noframes"),                RAW,         CHILDREN },
    { NAME("noscript"),                RAW,         CHILDREN },
    { NAME("ol"),                      ALL,         LIST },
    { NAME("p"),                       ALL,         PARAGRAPH },
    { NAME("param"),                   VOID,        CHILDREN },
    { NAME("plaintext"),               RAW,         CHILDREN },
    { NAME("pre"),                     ALL,         CHILDREN },
    { NAME("s"),                       ALL,         CHILDREN },
    { NAME("samp"),                    ALL,         CHILDREN },
    { NAME("script"),                  RAW,         NOTHING },
    { NAME("small"),                   ALL,         CHILDREN },
    { NAME("source"),                  VOID,        CHILDREN },
    { NAME("span"),                    ALL,         CHILDREN },
    { NAME("strong"),                  ALL,         CHILDREN },
    { NAME("style"),                   RAW,         NOTHING },
    { NAME("sub"),                     ALL,         CHILDREN },
    { NAME("sup"),                     ALL,         CHILDREN },
    { NAME("table"),                   ALL,         CHILDREN },
    { NAME("tbody"),                   ALL,         CHILDREN },
    { NAME("td"),                      ALL,         CHILDREN },
    { NAME("tfoot"),                   ALL,         CHILDREN },
    { NAME("th"),                      ALL,         CHILDREN },
    { NAME("thead"),                   ALL,         CHILDREN },
    { NAME("time"),                    ALL,         CHILDREN },
    { NAME("tr"),                      ALL,         CHILDREN },
    { NAME("track"),                   VOID,        CHILDREN },
    { NAME("tt"),                      ALL,         CHILDREN },
    { NAME("u"),                       ALL,         CHILDREN },
    { NAME("ul"),                      ALL,         LIST },
    { NAME("unsupported"),             0,           NOTHING },
    { NAME("var"),                     ALL,         CHILDREN },
    { NAME("wbr"),                     VOID,        CHILDREN },
    { NAME("xmp"),                     RAW,         CHILDREN },
};

static const ngx_campfire_richtext_tag_t  ngx_campfire_richtext_tree_unknown =
    { ngx_null_string, 0, CHILDREN };

#define NGX_CAMPFIRE_RICHTEXT_TREE_NTAGS                                      \
    (sizeof(ngx_campfire_richtext_tree_tags)                                  \
     / sizeof(ngx_campfire_richtext_tree_tags[0]))


const ngx_campfire_richtext_tag_t *
ngx_campfire_richtext_tree_tag(const ngx_str_t *name)
{
    int                                 order;
    size_t                              low, high, middle, len;
    const ngx_campfire_richtext_tag_t  *tag;

    low = 0;
    high = NGX_CAMPFIRE_RICHTEXT_TREE_NTAGS;

    while (low < high) {
        middle = low + (high - low) / 2;
        tag = &ngx_campfire_richtext_tree_tags[middle];

        len = tag->name.len < name->len ? tag->name.len : name->len;
        order = ngx_memcmp(name->data, tag->name.data, len);

        if (order == 0) {
            if (name->len == tag->name.len) {
                return tag;
            }

            order = name->len < tag->name.len ? -1 : 1;
        }

        if (order < 0) {
            high = middle;

        } else {
            low = middle + 1;
        }
    }

    return &ngx_campfire_richtext_tree_unknown;
}


ngx_campfire_richtext_node_t *
ngx_campfire_richtext_tree_node(ngx_pool_t *pool,
    ngx_campfire_richtext_node_e type)
{
    ngx_campfire_richtext_node_t  *node;

    node = ngx_pcalloc(pool, sizeof(ngx_campfire_richtext_node_t));
    if (node == NULL) {
        return NULL;
    }

    node->type = type;
    node->tag = &ngx_campfire_richtext_tree_unknown;

    return node;
}


ngx_campfire_richtext_node_t *
ngx_campfire_richtext_tree_element(ngx_pool_t *pool, const ngx_str_t *name)
{
    ngx_campfire_richtext_node_t  *node;

    node = ngx_campfire_richtext_tree_node(pool,
                                           NGX_CAMPFIRE_RICHTEXT_ELEMENT);
    if (node) {
        node->name = *name;
        node->tag = ngx_campfire_richtext_tree_tag(name);
    }

    return node;
}


void
ngx_campfire_richtext_tree_append(ngx_campfire_richtext_node_t *parent,
    ngx_campfire_richtext_node_t *node)
{
    node->parent = parent;
    node->prev = parent->last;
    node->next = NULL;

    if (parent->last) {
        parent->last->next = node;

    } else {
        parent->first = node;
    }

    parent->last = node;
}


ngx_campfire_richtext_node_t *
ngx_campfire_richtext_tree_next(ngx_campfire_richtext_node_t *node,
    ngx_campfire_richtext_node_t *root)
{
    if (node->first) {
        return node->first;
    }

    return ngx_campfire_richtext_tree_skip(node, root);
}


ngx_campfire_richtext_node_t *
ngx_campfire_richtext_tree_skip(ngx_campfire_richtext_node_t *node,
    ngx_campfire_richtext_node_t *root)
{
    while (node != root) {
        if (node->next) {
            return node->next;
        }

        node = node->parent;
    }

    return NULL;
}


/* Puts the chain first..last, or nothing, where node is. */
static void
ngx_campfire_richtext_tree_splice(ngx_campfire_richtext_node_t *node,
    ngx_campfire_richtext_node_t *first, ngx_campfire_richtext_node_t *last)
{
    ngx_campfire_richtext_node_t  *before, *after, *parent, *child;

    parent = node->parent;
    before = first ? first : node->next;
    after = last ? last : node->prev;

    if (first) {
        for (child = first; child; child = child->next) {
            child->parent = parent;
        }

        first->prev = node->prev;
        last->next = node->next;
    }

    if (node->prev) {
        node->prev->next = before;

    } else {
        parent->first = before;
    }

    if (node->next) {
        node->next->prev = after;

    } else {
        parent->last = after;
    }

    node->parent = NULL;
    node->prev = NULL;
    node->next = NULL;
}


void
ngx_campfire_richtext_tree_remove(ngx_campfire_richtext_node_t *node)
{
    ngx_campfire_richtext_tree_splice(node, NULL, NULL);
}


void
ngx_campfire_richtext_tree_unwrap(ngx_campfire_richtext_node_t *node)
{
    ngx_campfire_richtext_tree_splice(node, node->first, node->last);

    node->first = NULL;
    node->last = NULL;
}


void
ngx_campfire_richtext_tree_replace(ngx_campfire_richtext_node_t *node,
    ngx_campfire_richtext_node_t *with)
{
    with->next = NULL;

    ngx_campfire_richtext_tree_splice(node, with, with);
}


ngx_int_t
ngx_campfire_richtext_tree_merge(ngx_pool_t *pool,
    ngx_campfire_richtext_node_t *root)
{
    size_t                         len;
    u_char                        *p;
    ngx_campfire_richtext_node_t  *node, *next;

    for (node = root; node; node = ngx_campfire_richtext_tree_next(node, root))
    {
        if (node->type != NGX_CAMPFIRE_RICHTEXT_TEXT || node->next == NULL
            || node->next->type != NGX_CAMPFIRE_RICHTEXT_TEXT)
        {
            continue;
        }

        len = 0;

        for (next = node;
             next && next->type == NGX_CAMPFIRE_RICHTEXT_TEXT;
             next = next->next)
        {
            len += next->text.len;
        }

        p = ngx_pnalloc(pool, len);
        if (p == NULL) {
            return NGX_ERROR;
        }

        node->text.data = ngx_cpymem(p, node->text.data, node->text.len);

        while (node->next && node->next->type == NGX_CAMPFIRE_RICHTEXT_TEXT) {
            next = node->next;
            node->text.data = ngx_cpymem(node->text.data, next->text.data,
                                         next->text.len);
            ngx_campfire_richtext_tree_remove(next);
        }

        node->text.data = p;
        node->text.len = len;
    }

    return NGX_OK;
}


void
ngx_campfire_richtext_tree_trim(ngx_campfire_richtext_node_t *root)
{
    ngx_str_t                     *s;
    ngx_campfire_richtext_node_t  *node;

    while ((node = root->first) && node->type == NGX_CAMPFIRE_RICHTEXT_TEXT) {
        s = &node->text;

        while (s->len && ngx_campfire_richtext_is_space(s->data[0])) {
            s->data++;
            s->len--;
        }

        if (s->len) {
            break;
        }

        ngx_campfire_richtext_tree_remove(node);
    }

    while ((node = root->last) && node->type == NGX_CAMPFIRE_RICHTEXT_TEXT) {
        s = &node->text;

        while (s->len && ngx_campfire_richtext_is_space(s->data[s->len - 1])) {
            s->len--;
        }

        if (s->len) {
            break;
        }

        ngx_campfire_richtext_tree_remove(node);
    }
}


ngx_int_t
ngx_campfire_richtext_tree_text(ngx_pool_t *pool,
    ngx_campfire_richtext_node_t *node, ngx_str_t *text)
{
    ngx_campfire_buf_t             b;
    ngx_campfire_richtext_node_t  *inner;

    ngx_campfire_base_buf_init(&b, pool, 0);

    for (inner = node; inner;
         inner = ngx_campfire_richtext_tree_next(inner, node))
    {
        if (inner->type == NGX_CAMPFIRE_RICHTEXT_TEXT) {
            ngx_campfire_base_buf_str(&b, inner->text);
        }
    }

    return ngx_campfire_base_buf_done(&b, text);
}


ngx_campfire_richtext_attr_t *
ngx_campfire_richtext_tree_attr(ngx_campfire_richtext_node_t *node,
    const char *name)
{
    size_t                         len;
    ngx_campfire_richtext_attr_t  *attr;

    len = strlen(name);

    for (attr = node->attrs; attr; attr = attr->next) {
        if (attr->name.len == len
            && ngx_memcmp(attr->name.data, name, len) == 0)
        {
            return attr;
        }
    }

    return NULL;
}


ngx_int_t
ngx_campfire_richtext_tree_set(ngx_pool_t *pool,
    ngx_campfire_richtext_node_t *node, const char *name,
    const ngx_str_t *value)
{
    ngx_campfire_richtext_attr_t  *attr, **end;

    attr = ngx_campfire_richtext_tree_attr(node, name);

    if (attr == NULL) {
        attr = ngx_palloc(pool, sizeof(ngx_campfire_richtext_attr_t));
        if (attr == NULL) {
            return NGX_ERROR;
        }

        attr->next = NULL;
        attr->name.data = (u_char *) name;
        attr->name.len = strlen(name);

        for (end = &node->attrs; *end; end = &(*end)->next) { /* void */ }

        *end = attr;
    }

    attr->value = *value;

    return NGX_OK;
}
