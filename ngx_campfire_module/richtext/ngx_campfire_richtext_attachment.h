
/*
 * Attachment elements of a tree: what they are, what is shown for them.
 */

#ifndef _NGX_CAMPFIRE_RICHTEXT_ATTACHMENT_H_INCLUDED_
#define _NGX_CAMPFIRE_RICHTEXT_ATTACHMENT_H_INCLUDED_


#include "richtext/ngx_campfire_richtext.h"
#include "richtext/ngx_campfire_richtext_tree.h"


typedef enum {
    NGX_CAMPFIRE_RICHTEXT_MISSING = 0,
    NGX_CAMPFIRE_RICHTEXT_EMBED,
    NGX_CAMPFIRE_RICHTEXT_RECORD,
    NGX_CAMPFIRE_RICHTEXT_CONTENT_ATTACHMENT,
    NGX_CAMPFIRE_RICHTEXT_IMAGE
} ngx_campfire_richtext_kind_e;

/* Of a link embed, or the image of a picture; empty: not there. */

typedef struct {
    ngx_str_t                            title;
    ngx_str_t                            description;
    ngx_str_t                            href;       /* filtered */
    ngx_str_t                            image;      /* filtered */
} ngx_campfire_richtext_embed_t;

typedef struct {
    ngx_campfire_richtext_kind_e         kind;
    ngx_campfire_richtext_attachment_t   attachment;
    ngx_campfire_richtext_attachable_t   record;
    ngx_campfire_richtext_embed_t        embed;
    ngx_campfire_richtext_node_t        *content;    /* sanitized, or NULL */
} ngx_campfire_richtext_resolved_t;


/* in the order of ngx_campfire_richtext_attr_e */
extern const char  *const ngx_campfire_richtext_attachment_names[];

#define ngx_campfire_richtext_attachment_value(resolved, name)                \
    (&(resolved)->attachment.values[NGX_CAMPFIRE_RICHTEXT_##name])


/*
 * Finds out what the element stands for.  text_only leaves out what only
 * the html needs.
 */
ngx_int_t ngx_campfire_richtext_attachment_resolve(ngx_pool_t *pool,
    ngx_campfire_richtext_node_t *node,
    ngx_campfire_richtext_resolver_t *resolver, ngx_uint_t text_only,
    ngx_campfire_richtext_resolved_t *resolved);

ngx_int_t ngx_campfire_richtext_attachment_text(ngx_pool_t *pool,
    ngx_campfire_richtext_resolved_t *resolved, ngx_str_t *text);

/* The attributes of the element as it is rendered. */
ngx_int_t ngx_campfire_richtext_attachment_attrs(ngx_pool_t *pool,
    ngx_campfire_richtext_resolved_t *resolved,
    ngx_campfire_richtext_attr_t **attrs);

/* What is shown inside of the element. */
ngx_int_t ngx_campfire_richtext_partial(ngx_pool_t *pool,
    ngx_campfire_richtext_resolved_t *resolved, ngx_str_t *html);

#define ngx_campfire_richtext_is_avatar(embed)                                \
    ((embed)->image.len                                                       \
         >= sizeof("https://pbs.twimg.com/profile_images") - 1                \
     && ngx_memcmp((embed)->image.data,                                       \
                   "https://pbs.twimg.com/profile_images",                    \
                   sizeof("https://pbs.twimg.com/profile_images") - 1) == 0)


#endif /* _NGX_CAMPFIRE_RICHTEXT_ATTACHMENT_H_INCLUDED_ */
