
/*
 * Room pages: the room itself, its bell, the invitation.
 */

#ifndef _NGX_CAMPFIRE_VIEW_ROOM_H_INCLUDED_
#define _NGX_CAMPFIRE_VIEW_ROOM_H_INCLUDED_


#include "views/ngx_campfire_view_message.h"
#include "views/ngx_campfire_view_page.h"


typedef struct {
    ngx_str_t    url;
    ngx_str_t    qr;
} ngx_campfire_view_invite_t;


typedef struct {
    ngx_campfire_view_page_t       page;
    int64_t                        id;
    ngx_str_t                      key;        /* "rooms_open_1" */
    ngx_str_t                      kind;       /* "opens" of the paths */
    ngx_str_t                      name;
    ngx_str_t                      noun;       /* "room" or "Ping" */
    ngx_str_t                      url;        /* absolute, /rooms/R */
    ngx_str_t                      stream;     /* signed */
    int64_t                        loaded_at;  /* ms */
    ngx_campfire_view_avatar_t     avatar;     /* the viewer's */
    ngx_campfire_html_t            messages;   /* their fragments */
    ngx_campfire_view_invite_t     invite;     /* of the welcome card */
    ngx_uint_t                     direct;
    ngx_uint_t                     welcome;
} ngx_campfire_view_room_t;


typedef struct {
    ngx_str_t                      key;
    int64_t                        room_id;
    ngx_campfire_involvement_e     value;
    ngx_str_t                      state;
    ngx_str_t                      next;
    ngx_str_t                      label;
} ngx_campfire_view_involvement_t;


/* name: as the viewer sees it.  Messages and welcome are set by the caller. */
ngx_int_t ngx_campfire_view_room_init(ngx_campfire_view_ctx_t *view,
    const ngx_campfire_room_t *row, const ngx_str_t *name,
    ngx_campfire_view_room_t *room);

ngx_int_t ngx_campfire_view_room_invite_init(ngx_campfire_view_ctx_t *view,
    ngx_campfire_view_invite_t *invite);

ngx_int_t ngx_campfire_view_room_involvement_init(
    ngx_campfire_view_ctx_t *view, const ngx_campfire_room_t *row,
    ngx_campfire_involvement_e value,
    ngx_campfire_view_involvement_t *involvement);

/* "rooms_open_1", what DOM ids of a room are made of. */
ngx_int_t ngx_campfire_view_room_key(ngx_pool_t *pool,
    ngx_campfire_room_type_e type, int64_t id, ngx_str_t *key);


#endif /* _NGX_CAMPFIRE_VIEW_ROOM_H_INCLUDED_ */
