
/*
 * From bytes to nodes: lexbor parses, its tree is copied into the pool.
 *
 * The guard.  A parser of HTML as the standard has it does quadratic work on
 * chosen input: attributes are compared with each other, an end tag looks
 * through all open elements, formatting elements are opened again and again.
 * So lexbor is never let alone with a whole body:
 *
 *   1. More bytes than the limit are not given to it.
 *   2. Each token passes through a function of ours before it reaches the
 *      tree.  There the limits of depth, attributes and formatting are
 *      tested, exactly, since lexbor's own stacks are looked at; and the work
 *      the token can cause is added up.
 *   3. The input comes in pieces of 4 kB, because attributes cost while the
 *      tag is not yet a token.
 *
 * Over a limit the parse ends there and then.
 */

#include "richtext/ngx_campfire_richtext.h"
#include "richtext/ngx_campfire_richtext_tree.h"

#include <lexbor/dom/dom.h>
#include <lexbor/html/html.h>


#define NGX_CAMPFIRE_RICHTEXT_PARSE_PIECE   4096

/* attributes of a tag that is not complete yet */
#define NGX_CAMPFIRE_RICHTEXT_PARSE_ATTRS   800

/* different names that are not HTML's */
#define NGX_CAMPFIRE_RICHTEXT_PARSE_NAMES   2000

/* blocks that nodes, attributes and names take in lexbor's memory */
#define NGX_CAMPFIRE_RICHTEXT_PARSE_BLOCKS  120000

/* steps over stacks and lists; a long ordinary body takes a tenth */
#define NGX_CAMPFIRE_RICHTEXT_PARSE_WORK    1500000


typedef struct {
    size_t                           depth;
    size_t                           elements;
    size_t                           blocks;
    size_t                           work;
    unsigned                         strict:1;
} ngx_campfire_richtext_parse_limits_t;

typedef struct {
    lxb_html_parser_t               *parser;
    lxb_html_document_t             *document;

    lxb_html_tokenizer_token_f       token_done;
    void                            *token_ctx;

    ngx_campfire_richtext_parse_limits_t  limits;
    size_t                           work;
    unsigned                         declined:1;
} ngx_campfire_richtext_parse_t;


static u_char *ngx_campfire_richtext_parse_input(ngx_pool_t *pool,
    const ngx_str_t *html, ngx_campfire_richtext_parse_e mode, size_t *len);
static ngx_int_t ngx_campfire_richtext_parse_run(
    ngx_campfire_richtext_parse_t *parse, const u_char *p, size_t len,
    lxb_dom_node_t **tree);
static lxb_html_token_t *ngx_campfire_richtext_parse_token(
    lxb_html_tokenizer_t *tkz, lxb_html_token_t *token, void *data);
static ngx_int_t ngx_campfire_richtext_parse_guard(
    ngx_campfire_richtext_parse_t *parse, lxb_html_token_t *token);
static ngx_int_t ngx_campfire_richtext_parse_copy(ngx_pool_t *pool,
    ngx_campfire_richtext_parse_t *parse, lxb_dom_node_t *tree,
    ngx_campfire_richtext_node_t *root);
static ngx_campfire_richtext_node_t *ngx_campfire_richtext_parse_node(
    ngx_pool_t *pool, ngx_campfire_richtext_parse_t *parse,
    lxb_dom_node_t *from);
static ngx_int_t ngx_campfire_richtext_parse_attrs(ngx_pool_t *pool,
    ngx_campfire_richtext_parse_t *parse, lxb_dom_element_t *from,
    ngx_campfire_richtext_node_t *node);
static ngx_int_t ngx_campfire_richtext_parse_string(ngx_pool_t *pool,
    const lxb_char_t *p, size_t len, ngx_str_t *s);


ngx_int_t
ngx_campfire_richtext_parse(ngx_pool_t *pool, const ngx_str_t *html,
    ngx_campfire_richtext_parse_e mode, ngx_campfire_richtext_node_t **root)
{
    size_t                                 len;
    u_char                                *p;
    ngx_int_t                              rc;
    lxb_dom_node_t                        *tree;
    ngx_campfire_richtext_parse_t          parse;
    ngx_campfire_richtext_parse_limits_t  *limits;

    ngx_memzero(&parse, sizeof(ngx_campfire_richtext_parse_t));

    limits = &parse.limits;
    limits->depth = NGX_CAMPFIRE_RICHTEXT_DEPTH;
    limits->elements = NGX_CAMPFIRE_RICHTEXT_ELEMENTS;
    limits->blocks = NGX_CAMPFIRE_RICHTEXT_PARSE_BLOCKS;
    limits->work = NGX_CAMPFIRE_RICHTEXT_PARSE_WORK;
    limits->strict = mode == NGX_CAMPFIRE_RICHTEXT_STRICT;

    if (mode == NGX_CAMPFIRE_RICHTEXT_COMPOSED) {
        limits->depth *= 3;
        limits->elements *= 2;
        limits->blocks *= 2;
        limits->work *= 4;

    } else if (html->len > NGX_CAMPFIRE_RICHTEXT_BYTES) {
        return NGX_DECLINED;
    }

    *root = ngx_campfire_richtext_tree_node(pool, NGX_CAMPFIRE_RICHTEXT_ROOT);
    if (*root == NULL) {
        return NGX_ERROR;
    }

    p = ngx_campfire_richtext_parse_input(pool, html, mode, &len);
    if (p == NULL) {
        return NGX_ERROR;
    }

    if (len == 0) {
        return NGX_OK;
    }

    rc = ngx_campfire_richtext_parse_run(&parse, p, len, &tree);

    if (rc == NGX_OK) {
        rc = ngx_campfire_richtext_parse_copy(pool, &parse, tree, *root);
    }

    (void) lxb_html_parser_destroy(parse.parser);
    (void) lxb_html_document_destroy(parse.document);

    return rc;
}


/*
 * The input stream of the standard: no byte order mark, one kind of line
 * end.  Bodies, unlike what we composed, also lose NUL and white space at
 * their ends.
 */
static u_char *
ngx_campfire_richtext_parse_input(ngx_pool_t *pool, const ngx_str_t *html,
    ngx_campfire_richtext_parse_e mode, size_t *len)
{
    u_char        *out, *d;
    const u_char  *p, *last;

    p = html->data;
    last = p + html->len;

    if (mode != NGX_CAMPFIRE_RICHTEXT_COMPOSED) {

        while (p < last && (*p == '\0' || ngx_campfire_richtext_is_space(*p)))
        {
            p++;
        }

        while (p < last && (last[-1] == '\0'
                            || ngx_campfire_richtext_is_space(last[-1])))
        {
            last--;
        }
    }

    if (last - p >= 3 && p[0] == 0xef && p[1] == 0xbb && p[2] == 0xbf) {
        p += 3;
    }

    out = ngx_pnalloc(pool, (size_t) (last - p) + 1);
    if (out == NULL) {
        return NULL;
    }

    d = out;

    while (p < last) {
        if (*p == '\r') {
            *d++ = '\n';
            p++;

            if (p < last && *p == '\n') {
                p++;
            }

        } else {
            *d++ = *p++;
        }
    }

    *len = (size_t) (d - out);

    return out;
}


static ngx_int_t
ngx_campfire_richtext_parse_run(ngx_campfire_richtext_parse_t *parse,
    const u_char *p, size_t len, lxb_dom_node_t **tree)
{
    size_t                  n, attrs;
    lxb_html_parser_t      *parser;
    lxb_html_token_attr_t  *attr;

    parse->document = lxb_html_document_create();
    parse->parser = lxb_html_parser_create();

    parser = parse->parser;

    if (parse->document == NULL
        || lxb_html_parser_init(parser) != LXB_STATUS_OK)
    {
        return NGX_ERROR;
    }

    /* nobody reads the lists of errors, and they grow by small steps */

    parser->tkz->parse_errors =
                    lexbor_array_obj_destroy(parser->tkz->parse_errors, true);
    parser->tree->parse_errors =
                   lexbor_array_obj_destroy(parser->tree->parse_errors, true);

    parse->token_done = parser->tkz->callback_token_done;
    parse->token_ctx = parser->tkz->callback_token_ctx;

    lxb_html_tokenizer_callback_token_done_set(parser->tkz,
                                     ngx_campfire_richtext_parse_token, parse);

    if (lxb_html_parse_fragment_chunk_begin(parser, parse->document,
                                            LXB_TAG_BODY, LXB_NS_HTML)
        != LXB_STATUS_OK)
    {
        return NGX_ERROR;
    }

    while (len) {
        n = len < NGX_CAMPFIRE_RICHTEXT_PARSE_PIECE
            ? len : NGX_CAMPFIRE_RICHTEXT_PARSE_PIECE;

        if (lxb_html_parse_fragment_chunk_process(parser, p, n)
            != LXB_STATUS_OK)
        {
            return parse->declined ? NGX_DECLINED : NGX_ERROR;
        }

        attrs = 0;

        for (attr = parser->tkz->token->attr_first; attr; attr = attr->next) {
            attrs++;
        }

        if (attrs > NGX_CAMPFIRE_RICHTEXT_PARSE_ATTRS) {
            return NGX_DECLINED;
        }

        p += n;
        len -= n;
    }

    *tree = lxb_html_parse_fragment_chunk_end(parser);

    if (*tree == NULL) {
        return parse->declined ? NGX_DECLINED : NGX_ERROR;
    }

    return NGX_OK;
}


static lxb_html_token_t *
ngx_campfire_richtext_parse_token(lxb_html_tokenizer_t *tkz,
    lxb_html_token_t *token, void *data)
{
    ngx_campfire_richtext_parse_t *parse = data;

    if (ngx_campfire_richtext_parse_guard(parse, token) != NGX_OK) {
        parse->declined = 1;
        tkz->status = LXB_STATUS_ABORTED;
        return NULL;
    }

    return parse->token_done(tkz, token, parse->token_ctx);
}


static ngx_int_t
ngx_campfire_richtext_parse_guard(ngx_campfire_richtext_parse_t *parse,
    lxb_html_token_t *token)
{
    size_t                  attrs;
    lxb_dom_node_t         *current, *last;
    lxb_html_tree_t        *tree;
    lxb_html_token_attr_t  *attr;
    lxb_html_tokenizer_t   *tkz;

    tree = parse->parser->tree;
    tkz = parse->parser->tkz;

    attrs = 0;

    for (attr = token->attr_first; attr; attr = attr->next) {
        attrs++;

        if (attrs == NGX_CAMPFIRE_RICHTEXT_ATTRS && attr->next) {
            if (parse->limits.strict) {
                return NGX_DECLINED;
            }

            attr->next = NULL;
            token->attr_last = attr;
        }
    }

    /* the stack holds the html element of the fragment, too */

    if (lexbor_array_length(tree->open_elements) > parse->limits.depth + 1) {
        return NGX_DECLINED;
    }

    if (lexbor_array_length(tree->active_formatting)
        > NGX_CAMPFIRE_RICHTEXT_FORMATTING)
    {
        if (parse->limits.strict) {
            return NGX_DECLINED;
        }

        lexbor_array_delete(tree->active_formatting, 0, 1);
    }

    parse->work += attrs * attrs / 2
                   + lexbor_array_length(tree->open_elements)
                   + lexbor_array_length(tree->active_formatting);

    /* a text that goes on is copied to a larger place each time */

    current = lexbor_array_get(tree->open_elements,
                               lexbor_array_length(tree->open_elements) - 1);
    last = current ? current->last_child : NULL;

    if (token->tag_id == LXB_TAG__TEXT && last
        && last->type == LXB_DOM_NODE_TYPE_TEXT)
    {
        parse->work += lxb_dom_interface_character_data(last)->data.length
                       / 64;
    }

    if (parse->work > parse->limits.work
        || lexbor_mraw_reference_count(parse->document->dom_document.mraw)
           > parse->limits.blocks
        || (tkz->attrs && lexbor_hash_entries_count(tkz->attrs)
                          > NGX_CAMPFIRE_RICHTEXT_PARSE_NAMES)
        || (tkz->tags && lexbor_hash_entries_count(tkz->tags)
                         > NGX_CAMPFIRE_RICHTEXT_PARSE_NAMES))
    {
        return NGX_DECLINED;
    }

    return NGX_OK;
}


/* Only lexbor's templates have a tree beside the tree. */
static lxb_dom_node_t *
ngx_campfire_richtext_parse_content(lxb_dom_node_t *node)
{
    lxb_dom_document_fragment_t  *content;

    if (node->type == LXB_DOM_NODE_TYPE_ELEMENT
        && node->local_name == LXB_TAG_TEMPLATE && node->ns == LXB_NS_HTML)
    {
        content = lxb_html_interface_template(node)->content;

        if (content && content->node.first_child) {
            return content->node.first_child;
        }
    }

    return node->first_child;
}


static ngx_int_t
ngx_campfire_richtext_parse_copy(ngx_pool_t *pool,
    ngx_campfire_richtext_parse_t *parse, lxb_dom_node_t *tree,
    ngx_campfire_richtext_node_t *root)
{
    size_t                         depth, elements;
    lxb_dom_node_t                *from, *inner;
    ngx_campfire_richtext_node_t  *node, *parent;

    /*
     * The way up is taken from our own nodes, whose text.data keeps lexbor's
     * node until the children are copied: the content of a template does not
     * know its element.
     */

    parent = root;
    from = tree->first_child;
    depth = 1;
    elements = 0;

    for ( ;; ) {

        while (from == NULL) {
            if (parent == root) {
                return NGX_OK;
            }

            from = (lxb_dom_node_t *) (void *) parent->text.data;
            from = from->next;
            parent->text.data = NULL;

            parent = parent->parent;
            depth--;
        }

        node = NULL;

        if (from->type == LXB_DOM_NODE_TYPE_ELEMENT
            || from->type == LXB_DOM_NODE_TYPE_TEXT
            || from->type == LXB_DOM_NODE_TYPE_COMMENT
            || from->type == LXB_DOM_NODE_TYPE_CDATA_SECTION)
        {
            node = ngx_campfire_richtext_parse_node(pool, parse, from);
            if (node == NULL) {
                return parse->declined ? NGX_DECLINED : NGX_ERROR;
            }

            ngx_campfire_richtext_tree_append(parent, node);
        }

        if (node && node->type == NGX_CAMPFIRE_RICHTEXT_ELEMENT) {

            if (++elements > parse->limits.elements
                || depth > parse->limits.depth)
            {
                return NGX_DECLINED;
            }

            inner = ngx_campfire_richtext_parse_content(from);

            if (inner) {
                node->text.data = (u_char *) from;
                parent = node;
                from = inner;
                depth++;
                continue;
            }
        }

        from = from->next;
    }
}


static ngx_campfire_richtext_node_t *
ngx_campfire_richtext_parse_node(ngx_pool_t *pool,
    ngx_campfire_richtext_parse_t *parse, lxb_dom_node_t *from)
{
    size_t                         len;
    ngx_str_t                      name;
    const lxb_char_t              *p;
    lxb_dom_character_data_t      *data;
    ngx_campfire_richtext_node_t  *node;

    if (from->type == LXB_DOM_NODE_TYPE_ELEMENT) {
        p = lxb_dom_element_qualified_name(lxb_dom_interface_element(from),
                                           &len);

        if (ngx_campfire_richtext_parse_string(pool, p, len, &name)
            != NGX_OK)
        {
            return NULL;
        }

        node = ngx_campfire_richtext_tree_element(pool, &name);
        if (node == NULL) {
            return NULL;
        }

        node->foreign = from->ns != LXB_NS_HTML;

        if (ngx_campfire_richtext_parse_attrs(pool, parse,
                                              lxb_dom_interface_element(from),
                                              node)
            != NGX_OK)
        {
            return NULL;
        }

        return node;
    }

    node = ngx_campfire_richtext_tree_node(pool,
                                   from->type == LXB_DOM_NODE_TYPE_COMMENT
                                   ? NGX_CAMPFIRE_RICHTEXT_COMMENT
                                   : NGX_CAMPFIRE_RICHTEXT_TEXT);
    if (node == NULL) {
        return NULL;
    }

    data = lxb_dom_interface_character_data(from);

    if (ngx_campfire_richtext_parse_string(pool, data->data.data,
                                           data->data.length, &node->text)
        != NGX_OK)
    {
        return NULL;
    }

    return node;
}


static ngx_int_t
ngx_campfire_richtext_parse_attrs(ngx_pool_t *pool,
    ngx_campfire_richtext_parse_t *parse, lxb_dom_element_t *from,
    ngx_campfire_richtext_node_t *node)
{
    size_t                          len, limit;
    ngx_str_t                       value;
    lxb_dom_attr_t                 *source;
    const lxb_char_t               *p;
    ngx_campfire_richtext_attr_t   *attr, **end;

    end = &node->attrs;

    for (source = lxb_dom_element_first_attribute(from); source;
         source = lxb_dom_element_next_attribute(source))
    {
        attr = ngx_palloc(pool, sizeof(ngx_campfire_richtext_attr_t));
        if (attr == NULL) {
            return NGX_ERROR;
        }

        p = lxb_dom_attr_qualified_name(source, &len);

        if (ngx_campfire_richtext_parse_string(pool, p, len, &attr->name)
            != NGX_OK)
        {
            return NGX_ERROR;
        }

        limit = ngx_campfire_richtext_str_is(&attr->name, "content")
                || ngx_campfire_richtext_str_is(&attr->name,
                                                "data-trix-attachment")
                ? NGX_CAMPFIRE_RICHTEXT_CONTENT : NGX_CAMPFIRE_RICHTEXT_VALUE;

        value.data = (u_char *) lxb_dom_attr_value(source, &value.len);

        if (value.len > limit && parse->limits.strict) {
            parse->declined = 1;
            return NGX_DECLINED;
        }

        value = ngx_campfire_richtext_char_cut(&value, limit);

        if (ngx_campfire_richtext_parse_string(pool, value.data, value.len,
                                               &attr->value)
            != NGX_OK)
        {
            return NGX_ERROR;
        }

        attr->next = NULL;
        *end = attr;
        end = &attr->next;
    }

    return NGX_OK;
}


static ngx_int_t
ngx_campfire_richtext_parse_string(ngx_pool_t *pool, const lxb_char_t *p,
    size_t len, ngx_str_t *s)
{
    s->len = len;

    if (len == 0) {
        s->data = (u_char *) "";
        return NGX_OK;
    }

    s->data = ngx_pnalloc(pool, len);
    if (s->data == NULL) {
        return NGX_ERROR;
    }

    ngx_memcpy(s->data, p, len);

    return NGX_OK;
}
