
/*
 * Pictures of people: the link of an avatar, and the drawn one.
 */

#ifndef _NGX_CAMPFIRE_VIEW_AVATAR_H_INCLUDED_
#define _NGX_CAMPFIRE_VIEW_AVATAR_H_INCLUDED_


#include "views/ngx_campfire_view.h"


typedef struct {
    int64_t      id;               /* of the user */
    ngx_str_t    title;            /* "Name – bio" */
    ngx_str_t    src;
} ngx_campfire_view_avatar_t;

typedef struct {
    ngx_campfire_view_avatar_t  *elts;
    ngx_uint_t                   nelts;
} ngx_campfire_view_avatars_t;


typedef struct {
    ngx_str_t    color;
    ngx_str_t    text;
    ngx_uint_t   wide;             /* three letters or more are squeezed */
} ngx_campfire_view_initials_t;


ngx_int_t ngx_campfire_view_avatar_init(ngx_campfire_view_ctx_t *view,
    const ngx_campfire_user_t *user, ngx_campfire_view_avatar_t *avatar);

/* The letters and the color of the picture drawn for a user. */
ngx_int_t ngx_campfire_view_avatar_initials_init(
    ngx_campfire_view_ctx_t *view, const ngx_campfire_user_t *user,
    ngx_campfire_view_initials_t *initials);


#endif /* _NGX_CAMPFIRE_VIEW_AVATAR_H_INCLUDED_ */
