
/*
 * Messages and boosts as their fragments print them.
 */

#ifndef _NGX_CAMPFIRE_VIEW_MESSAGE_H_INCLUDED_
#define _NGX_CAMPFIRE_VIEW_MESSAGE_H_INCLUDED_


#include "views/ngx_campfire_view_avatar.h"
#include "richtext/ngx_campfire_richtext.h"


typedef struct {
    int64_t                      id;
    int64_t                      message_id;
    ngx_campfire_view_avatar_t   avatar;
    ngx_str_t                    booster;      /* name */
    ngx_str_t                    content;
    ngx_uint_t                   emoji;
} ngx_campfire_view_boost_t;

typedef struct {
    ngx_campfire_view_boost_t   *elts;
    ngx_uint_t                   nelts;
} ngx_campfire_view_boosts_t;


typedef struct {
    int64_t                      id;
    int64_t                      room_id;
    ngx_str_t                    client_id;
    ngx_str_t                    room_key;     /* "rooms_open_1" */
    ngx_str_t                    room_name;
    ngx_str_t                    author;
    ngx_campfire_view_avatar_t   avatar;
    ngx_str_t                    created_at;   /* "2026-08-22T12:34:56Z" */
    int64_t                      created_ms;
    int64_t                      updated_ms;
    ngx_str_t                    path;         /* /rooms/R/@M */
    ngx_str_t                    url;          /* the same, absolute */
    ngx_str_t                    resource;     /* /rooms/R/messages/M */
    ngx_campfire_html_t          html;
    ngx_str_t                    filename;     /* len 0: no file */
    const ngx_campfire_richtext_sound_t  *sound;   /* NULL: no sound */
    ngx_str_t                    sound_url;
    ngx_str_t                    sound_image;
    ngx_uint_t                   emoji;
    ngx_uint_t                   broken;       /* nothing else is set */
    ngx_campfire_view_boosts_t   boosts;
} ngx_campfire_view_message_t;

typedef struct {
    ngx_campfire_view_message_t *elts;
    ngx_uint_t                   nelts;
} ngx_campfire_view_messages_t;


/* The boosts of one press in the menu of a message. */
typedef struct {
    ngx_str_t                    emoji;
    ngx_str_t                    title;
} ngx_campfire_view_quick_boost_t;

typedef struct {
    ngx_campfire_view_quick_boost_t  *elts;
    ngx_uint_t                        nelts;
} ngx_campfire_view_quick_boosts_t;

extern const ngx_campfire_view_quick_boosts_t  ngx_campfire_view_quick_boosts;


ngx_int_t ngx_campfire_view_message_init(ngx_campfire_view_ctx_t *view,
    const ngx_campfire_message_t *row, ngx_campfire_view_message_t *message);
ngx_int_t ngx_campfire_view_messages_init(ngx_campfire_view_ctx_t *view,
    const ngx_campfire_messages_t *rows,
    ngx_campfire_view_messages_t *messages);

ngx_int_t ngx_campfire_view_boost_init(ngx_campfire_view_ctx_t *view,
    const ngx_campfire_boost_t *row, ngx_campfire_view_boost_t *boost);


#endif /* _NGX_CAMPFIRE_VIEW_MESSAGE_H_INCLUDED_ */
