
/*
 * The tree the folder works on.  Parsing copies lexbor's tree into these
 * nodes, which live in the pool; templates are opened up, and names and
 * attribute values are plain strings.  Nothing here recurses: walks follow
 * the pointers.
 */

#ifndef _NGX_CAMPFIRE_RICHTEXT_TREE_H_INCLUDED_
#define _NGX_CAMPFIRE_RICHTEXT_TREE_H_INCLUDED_


#include "base/ngx_campfire_base.h"
#include "base/ngx_campfire_base_buf.h"


/* What is known of an element by its name. */

#define NGX_CAMPFIRE_RICHTEXT_KEEP     0x01  /* stays in a shown body */
#define NGX_CAMPFIRE_RICHTEXT_SHOW     0x02  /* may reach the page */
#define NGX_CAMPFIRE_RICHTEXT_API      0x04  /* may reach the API */
#define NGX_CAMPFIRE_RICHTEXT_VOID     0x08  /* has no end tag */
#define NGX_CAMPFIRE_RICHTEXT_RAW      0x10  /* its text is not escaped */

typedef enum {
    NGX_CAMPFIRE_RICHTEXT_AS_CHILDREN = 0,
    NGX_CAMPFIRE_RICHTEXT_AS_NOTHING,
    NGX_CAMPFIRE_RICHTEXT_AS_BREAK,
    NGX_CAMPFIRE_RICHTEXT_AS_LINE,
    NGX_CAMPFIRE_RICHTEXT_AS_PARAGRAPH,
    NGX_CAMPFIRE_RICHTEXT_AS_LIST,
    NGX_CAMPFIRE_RICHTEXT_AS_ITEM,
    NGX_CAMPFIRE_RICHTEXT_AS_QUOTE,
    NGX_CAMPFIRE_RICHTEXT_AS_CAPTION
} ngx_campfire_richtext_as_e;

typedef struct {
    ngx_str_t                      name;
    unsigned                       flags;
    ngx_campfire_richtext_as_e     as;       /* in plain text */
} ngx_campfire_richtext_tag_t;


typedef struct ngx_campfire_richtext_attr_s  ngx_campfire_richtext_attr_t;
typedef struct ngx_campfire_richtext_node_s  ngx_campfire_richtext_node_t;

struct ngx_campfire_richtext_attr_s {
    ngx_campfire_richtext_attr_t  *next;
    ngx_str_t                      name;
    ngx_str_t                      value;
};

typedef enum {
    NGX_CAMPFIRE_RICHTEXT_ROOT = 0,
    NGX_CAMPFIRE_RICHTEXT_ELEMENT,
    NGX_CAMPFIRE_RICHTEXT_TEXT,
    NGX_CAMPFIRE_RICHTEXT_COMMENT
} ngx_campfire_richtext_node_e;

struct ngx_campfire_richtext_node_s {
    ngx_campfire_richtext_node_t       *parent;
    ngx_campfire_richtext_node_t       *prev;
    ngx_campfire_richtext_node_t       *next;
    ngx_campfire_richtext_node_t       *first;
    ngx_campfire_richtext_node_t       *last;

    ngx_campfire_richtext_attr_t       *attrs;
    const ngx_campfire_richtext_tag_t  *tag;     /* never NULL */
    ngx_str_t                           name;
    ngx_str_t                           text;    /* of text and comments */
    ngx_str_t                           html;    /* written for the children */

    ngx_campfire_richtext_node_e        type;
    unsigned                            foreign:1;  /* SVG or MathML */

    /* of the conversion to plain text */
    unsigned                            ordered:1;  /* nearest list is ol */
    uint32_t                            lists;      /* that it is inside of */
    uint32_t                            elements;   /* children seen so far */
    uint32_t                            ordinal;    /* among its siblings */
    size_t                              start;      /* of its own text */
};


/* Parsing: how the limits are meant. */

typedef enum {
    /* over a limit: NGX_DECLINED */
    NGX_CAMPFIRE_RICHTEXT_STRICT = 0,
    /* what can be cut is cut; depth and number are NGX_DECLINED */
    NGX_CAMPFIRE_RICHTEXT_LENIENT,
    /* a body with partials inside: room for them, white space is kept */
    NGX_CAMPFIRE_RICHTEXT_COMPOSED
} ngx_campfire_richtext_parse_e;

/*
 * Parses a fragment as the inside of a body element.  NGX_DECLINED: over a
 * limit.  The bytes must be UTF-8.
 */
ngx_int_t ngx_campfire_richtext_parse(ngx_pool_t *pool, const ngx_str_t *html,
    ngx_campfire_richtext_parse_e mode, ngx_campfire_richtext_node_t **root);


/* Building and walking. */

ngx_campfire_richtext_node_t *ngx_campfire_richtext_tree_node(
    ngx_pool_t *pool, ngx_campfire_richtext_node_e type);
ngx_campfire_richtext_node_t *ngx_campfire_richtext_tree_element(
    ngx_pool_t *pool, const ngx_str_t *name);
void ngx_campfire_richtext_tree_append(ngx_campfire_richtext_node_t *parent,
    ngx_campfire_richtext_node_t *node);

/* The tag of any name; one without flags for a name not in the table. */
const ngx_campfire_richtext_tag_t *ngx_campfire_richtext_tree_tag(
    const ngx_str_t *name);

/* The next node in document order within root, or NULL. */
ngx_campfire_richtext_node_t *ngx_campfire_richtext_tree_next(
    ngx_campfire_richtext_node_t *node, ngx_campfire_richtext_node_t *root);

/* The same, but past what is inside node. */
ngx_campfire_richtext_node_t *ngx_campfire_richtext_tree_skip(
    ngx_campfire_richtext_node_t *node, ngx_campfire_richtext_node_t *root);

/* These leave the node itself with its links to parent and siblings unset. */
void ngx_campfire_richtext_tree_remove(ngx_campfire_richtext_node_t *node);
void ngx_campfire_richtext_tree_unwrap(ngx_campfire_richtext_node_t *node);
void ngx_campfire_richtext_tree_replace(ngx_campfire_richtext_node_t *node,
    ngx_campfire_richtext_node_t *with);

/* Neighbouring texts become one; white space at the edges of root goes. */
ngx_int_t ngx_campfire_richtext_tree_merge(ngx_pool_t *pool,
    ngx_campfire_richtext_node_t *root);
void ngx_campfire_richtext_tree_trim(ngx_campfire_richtext_node_t *root);

/* All text inside node. */
ngx_int_t ngx_campfire_richtext_tree_text(ngx_pool_t *pool,
    ngx_campfire_richtext_node_t *node, ngx_str_t *text);

ngx_campfire_richtext_attr_t *ngx_campfire_richtext_tree_attr(
    ngx_campfire_richtext_node_t *node, const char *name);
ngx_int_t ngx_campfire_richtext_tree_set(ngx_pool_t *pool,
    ngx_campfire_richtext_node_t *node, const char *name,
    const ngx_str_t *value);

#define ngx_campfire_richtext_str_is(s, text)                                 \
    ((s)->len == sizeof(text) - 1                                             \
     && ngx_memcmp((s)->data, text, sizeof(text) - 1) == 0)

#define ngx_campfire_richtext_node_is(node, text)                             \
    ((node)->type == NGX_CAMPFIRE_RICHTEXT_ELEMENT                            \
     && ngx_campfire_richtext_str_is(&(node)->name, text))

#define ngx_campfire_richtext_is_attachment(node)                             \
    ngx_campfire_richtext_node_is(node, "action-text-attachment")


/* Writing. */

void ngx_campfire_richtext_write(ngx_campfire_buf_t *b,
    ngx_campfire_richtext_node_t *root);
void ngx_campfire_richtext_write_linked(ngx_campfire_buf_t *b,
    ngx_campfire_richtext_node_t *root);
void ngx_campfire_richtext_write_text(ngx_campfire_buf_t *b,
    const u_char *p, size_t len);
void ngx_campfire_richtext_write_value(ngx_campfire_buf_t *b,
    const ngx_str_t *value);
ngx_int_t ngx_campfire_richtext_write_string(ngx_pool_t *pool,
    ngx_campfire_richtext_node_t *root, ngx_str_t *html);

/* A text node with its addresses made links. */
void ngx_campfire_richtext_autolink(ngx_campfire_buf_t *b,
    const ngx_str_t *text);


/* What is done to a tree. */

/* The steps of saving: editor attachments, empty elements, galleries. */
ngx_int_t ngx_campfire_richtext_canonical(ngx_pool_t *pool,
    ngx_campfire_richtext_node_t *root);

/* Whether the element is a row of attachments to be shown as a gallery. */
ngx_int_t ngx_campfire_richtext_is_gallery(ngx_campfire_richtext_node_t *node,
    ngx_uint_t *n);

typedef enum {
    /* a stored body: what is not to be kept goes with all inside it */
    NGX_CAMPFIRE_RICHTEXT_SANITIZE_BODY = 0,
    /* the last step for the page, and the step for the API: children stay */
    NGX_CAMPFIRE_RICHTEXT_SANITIZE_SHOWN,
    NGX_CAMPFIRE_RICHTEXT_SANITIZE_API
} ngx_campfire_richtext_sanitize_e;

ngx_int_t ngx_campfire_richtext_sanitize(ngx_pool_t *pool,
    ngx_campfire_richtext_node_t *root,
    ngx_campfire_richtext_sanitize_e step);

ngx_int_t ngx_campfire_richtext_to_plain(ngx_pool_t *pool,
    ngx_campfire_richtext_node_t *root, ngx_str_t *text);


/* Characters and addresses. */

/* p must be before last; an ill-formed byte counts as U+FFFD. */
uint32_t ngx_campfire_richtext_char_next(const u_char **p,
    const u_char *last);
uint32_t ngx_campfire_richtext_char_prev(const u_char *first,
    const u_char **p);
ngx_int_t ngx_campfire_richtext_char_is_word(uint32_t c);
ngx_int_t ngx_campfire_richtext_char_is_space(uint32_t c);

/* Of ASCII: TAB LF VT FF CR and the space. */
#define ngx_campfire_richtext_is_space(c)                                     \
    ((c) == ' ' || ((c) >= '\t' && (c) <= '\r'))

/* Without ASCII white space at both ends. */
ngx_str_t ngx_campfire_richtext_char_strip(const ngx_str_t *s);

/* At most n bytes of s, not ending within a character. */
ngx_str_t ngx_campfire_richtext_char_cut(const ngx_str_t *s, size_t n);

ngx_int_t ngx_campfire_richtext_char_contains(const ngx_str_t *s,
    const char *text);

/* s itself, or a copy in which U+FFFD stands for what is not UTF-8. */
ngx_int_t ngx_campfire_richtext_char_scrub(ngx_pool_t *pool, const ngx_str_t *s,
    ngx_str_t *clean);

/* Whether a URI attribute may keep its value: NGX_OK or NGX_DECLINED. */
ngx_int_t ngx_campfire_richtext_url_safe(ngx_pool_t *pool,
    const ngx_str_t *value);

/* Whether an absolute http(s) URL leads to a public host other than ours. */
ngx_int_t ngx_campfire_richtext_url_remote(const ngx_str_t *url,
    const ngx_str_t *host);

/* Whether two texts name the same page, twitter.com and x.com being one. */
ngx_int_t ngx_campfire_richtext_url_same(ngx_pool_t *pool,
    const ngx_str_t *a, const ngx_str_t *b);


#endif /* _NGX_CAMPFIRE_RICHTEXT_TREE_H_INCLUDED_ */
