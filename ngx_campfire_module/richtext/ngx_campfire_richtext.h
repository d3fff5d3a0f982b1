
/*
 * Message bodies: what an editor or a bot submits, what is stored, and what
 * is made of it.
 *
 *   submitted HTML --canonicalize--> stored body --render----> shown HTML
 *                                                --api-------> body.html
 *                                                --edit------> editor value
 *                                                --plain-----> plain text
 *
 * A stored body is not safe: it is what was posted, parsed and written again.
 * Only render, api and their ngx_campfire_html_t may be put into a page.
 *
 * All functions are pure, keep no state, and may run in any thread.  Their
 * results live in the pool given.  Unless said otherwise they return NGX_OK,
 * or NGX_ERROR when memory ran out or the resolver failed.
 */

#ifndef _NGX_CAMPFIRE_RICHTEXT_H_INCLUDED_
#define _NGX_CAMPFIRE_RICHTEXT_H_INCLUDED_


#include "base/ngx_campfire_base.h"
#include "base/ngx_campfire_base_buf.h"


/* Over these a body is refused when saved, and shown in a reduced form. */

#define NGX_CAMPFIRE_RICHTEXT_BYTES          262144
#define NGX_CAMPFIRE_RICHTEXT_DEPTH          400
#define NGX_CAMPFIRE_RICHTEXT_ELEMENTS       20000
#define NGX_CAMPFIRE_RICHTEXT_ATTRS          400
#define NGX_CAMPFIRE_RICHTEXT_FORMATTING     100
#define NGX_CAMPFIRE_RICHTEXT_ATTACHMENTS    100
#define NGX_CAMPFIRE_RICHTEXT_VALUE          65536
#define NGX_CAMPFIRE_RICHTEXT_CONTENT        131072

/* The wrapper of a shown body: old custom styles, then new ones, know it. */

#ifndef NGX_CAMPFIRE_RICHTEXT_CLASS
#define NGX_CAMPFIRE_RICHTEXT_CLASS          "lexxy-content trix-content"
#endif


/* The attributes of an attachment element, in the order they are written. */

typedef enum {
    NGX_CAMPFIRE_RICHTEXT_SGID = 0,
    NGX_CAMPFIRE_RICHTEXT_CONTENT_TYPE,
    NGX_CAMPFIRE_RICHTEXT_URL,
    NGX_CAMPFIRE_RICHTEXT_HREF,
    NGX_CAMPFIRE_RICHTEXT_FILENAME,
    NGX_CAMPFIRE_RICHTEXT_FILESIZE,
    NGX_CAMPFIRE_RICHTEXT_WIDTH,
    NGX_CAMPFIRE_RICHTEXT_HEIGHT,
    NGX_CAMPFIRE_RICHTEXT_PREVIEWABLE,
    NGX_CAMPFIRE_RICHTEXT_PRESENTATION,
    NGX_CAMPFIRE_RICHTEXT_CAPTION,
    NGX_CAMPFIRE_RICHTEXT_CONTENT_HTML,
    NGX_CAMPFIRE_RICHTEXT_NATTRS
} ngx_campfire_richtext_attr_e;


/* One attachment element of a body; a value without data is not there. */

typedef struct {
    ngx_str_t            values[NGX_CAMPFIRE_RICHTEXT_NATTRS];
    unsigned             gallery:1;     /* shown beside others, thus smaller */
    unsigned             text_only:1;   /* html will not be looked at */
} ngx_campfire_richtext_attachment_t;


/*
 * The record an sgid names: a user or a file.  values override those of the
 * element where they have data; sgid is never overridden.
 */

typedef struct {
    ngx_campfire_html_t  html;          /* the partial, escaped */
    ngx_str_t            text;          /* in plain text: @Name, [file.pdf] */
    ngx_str_t            values[NGX_CAMPFIRE_RICHTEXT_NATTRS];
    unsigned             mention:1;
} ngx_campfire_richtext_attachable_t;


/*
 * Looks up values[NGX_CAMPFIRE_RICHTEXT_SGID].  A user is found by the
 * payload alone, whatever the signature; anything else needs a valid one.
 * NGX_DECLINED when the sgid names nothing; NGX_ERROR ends the call.
 */
typedef ngx_int_t (*ngx_campfire_richtext_find_pt)(void *data,
    ngx_pool_t *pool, const ngx_campfire_richtext_attachment_t *attachment,
    ngx_campfire_richtext_attachable_t *attachable);


/* NULL for a resolver: no sgid names anything. */

typedef struct {
    ngx_campfire_richtext_find_pt   find;
    void                           *data;
    ngx_str_t                       host;  /* own, no port; empty: unknown */
} ngx_campfire_richtext_resolver_t;


typedef struct {
    int64_t              id;
    ngx_str_t            sgid;
    ngx_str_t            name;
    ngx_str_t            bio;
    ngx_str_t            avatar;        /* path of the picture */
} ngx_campfire_richtext_mention_t;


/* A /play command: either an image or a text is shown. */

typedef struct {
    ngx_str_t            name;
    ngx_str_t            text;
    ngx_str_t            image;         /* file name without its ending */
    unsigned             width;
    unsigned             height;
} ngx_campfire_richtext_sound_t;


/*
 * The stored form of a submitted body.  NGX_DECLINED: not UTF-8, or over a
 * limit.
 */
ngx_int_t ngx_campfire_richtext_canonicalize(ngx_pool_t *pool,
    const ngx_str_t *submitted, ngx_str_t *stored);

/* A stored body that shows a plain text, with its line breaks and spaces. */
ngx_int_t ngx_campfire_richtext_from_text(ngx_pool_t *pool,
    const ngx_str_t *text, ngx_str_t *stored);

ngx_int_t ngx_campfire_richtext_plain(ngx_pool_t *pool,
    const ngx_str_t *stored, ngx_campfire_richtext_resolver_t *resolver,
    ngx_str_t *text);

/* The body in a page, in its wrapper. */
ngx_int_t ngx_campfire_richtext_render(ngx_pool_t *pool,
    const ngx_str_t *stored, ngx_campfire_richtext_resolver_t *resolver,
    ngx_campfire_html_t *html);

/* body.html of the bot API: attachment elements remain, links are not made. */
ngx_int_t ngx_campfire_richtext_api(ngx_pool_t *pool,
    const ngx_str_t *stored, ngx_campfire_richtext_resolver_t *resolver,
    ngx_campfire_html_t *html);

/*
 * The value of the editor.  Not safe: it belongs into an attribute, escaped.
 */
ngx_int_t ngx_campfire_richtext_edit(ngx_pool_t *pool,
    const ngx_str_t *stored, ngx_campfire_richtext_resolver_t *resolver,
    ngx_str_t *value);

/*
 * The sgids of all attachment elements in document order, repeated ones too:
 * who is mentioned is for the caller to verify.
 */
ngx_int_t ngx_campfire_richtext_sgids(ngx_pool_t *pool,
    const ngx_str_t *stored, ngx_str_t **sgids, ngx_uint_t *n);

/* The partial of a mentioned user, for a resolver. */
ngx_int_t ngx_campfire_richtext_mention(ngx_pool_t *pool,
    const ngx_campfire_richtext_mention_t *user, ngx_campfire_html_t *html);


/* These look at a plain text; 1 or 0. */

ngx_int_t ngx_campfire_richtext_blank(const ngx_str_t *plain);
ngx_int_t ngx_campfire_richtext_all_emoji(const ngx_str_t *plain);

/* The sound a plain text plays, or NULL. */
const ngx_campfire_richtext_sound_t *ngx_campfire_richtext_sound(
    const ngx_str_t *plain);


#endif /* _NGX_CAMPFIRE_RICHTEXT_H_INCLUDED_ */
