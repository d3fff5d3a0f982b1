
/*
 * The sidebar and its lines.
 */

#ifndef _NGX_CAMPFIRE_VIEW_SIDEBAR_H_INCLUDED_
#define _NGX_CAMPFIRE_VIEW_SIDEBAR_H_INCLUDED_


#include "views/ngx_campfire_view_avatar.h"
#include "views/ngx_campfire_view_page.h"


typedef struct {
    ngx_str_t                      key;        /* "rooms_open_1" */
    int64_t                        room_id;
    ngx_str_t                      name;
    ngx_str_t                      label;      /* pings: short names */
    ngx_uint_t                     direct;
    ngx_uint_t                     group;      /* more than one partner */
    ngx_uint_t                     unread;
    int64_t                        updated_ms;
    ngx_campfire_view_avatars_t    avatars;    /* pings: at most 4 */
} ngx_campfire_view_line_t;

typedef struct {
    ngx_campfire_view_line_t      *elts;
    ngx_uint_t                     nelts;
} ngx_campfire_view_lines_t;


/* Somebody without a ping yet. */
typedef struct {
    ngx_campfire_view_avatar_t     avatar;
    ngx_str_t                      name;       /* its first word */
} ngx_campfire_view_placeholder_t;

typedef struct {
    ngx_campfire_view_placeholder_t  *elts;
    ngx_uint_t                        nelts;
} ngx_campfire_view_placeholders_t;


typedef struct {
    ngx_str_t                          rooms_stream;   /* signed */
    ngx_str_t                          user_stream;
    ngx_campfire_view_lines_t          directs;
    ngx_campfire_view_lines_t          shared;
    ngx_campfire_view_placeholders_t   placeholders;
    ngx_campfire_view_avatar_t         avatar;         /* the viewer's */
    ngx_uint_t                         may_create;
} ngx_campfire_view_sidebar_t;


ngx_int_t ngx_campfire_view_sidebar_init(ngx_campfire_view_ctx_t *view,
    const ngx_campfire_sidebar_t *rows, ngx_campfire_view_sidebar_t *sidebar);

/* One line, also for broadcasts, whose copies are never unread. */
ngx_int_t ngx_campfire_view_sidebar_line_init(ngx_campfire_view_ctx_t *view,
    const ngx_campfire_sidebar_room_t *row, ngx_campfire_view_line_t *line);


#endif /* _NGX_CAMPFIRE_VIEW_SIDEBAR_H_INCLUDED_ */
