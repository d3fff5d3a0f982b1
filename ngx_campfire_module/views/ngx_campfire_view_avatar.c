
/*
 * Pictures of people.
 */

#include "views/ngx_campfire_view_avatar.h"
#include "base/ngx_campfire_base_grapheme.h"
#include "models/ngx_campfire_model_attachable.h"
#include "models/ngx_campfire_model_user.h"


#define NGX_CAMPFIRE_VIEW_AVATAR_WIDE    3     /* letters */


/* pages.md §14.1; the order is part of the contract. */
static const ngx_str_t  ngx_campfire_view_avatar_colors[] = {
    ngx_string("#AF2E1B"), ngx_string("#CC6324"), ngx_string("#3B4B59"),
    ngx_string("#BFA07A"), ngx_string("#ED8008"), ngx_string("#ED3F1C"),
    ngx_string("#BF1B1B"), ngx_string("#736B1E"), ngx_string("#D07B53"),
    ngx_string("#736356"), ngx_string("#AD1D1D"), ngx_string("#BF7C2A"),
    ngx_string("#C09C6F"), ngx_string("#698F9C"), ngx_string("#7C956B"),
    ngx_string("#5D618F"), ngx_string("#3B3633"), ngx_string("#67695E")
};


ngx_int_t
ngx_campfire_view_avatar_init(ngx_campfire_view_ctx_t *view,
    const ngx_campfire_user_t *user, ngx_campfire_view_avatar_t *avatar)
{
    u_char     *p;
    ngx_str_t   path;

    avatar->id = user->id;

    if (ngx_campfire_model_user_title(view->pool, user, &avatar->title)
        != NGX_OK
        || ngx_campfire_model_attachable_avatar(view->pool, view->signers,
                                                user, &path)
           != NGX_OK)
    {
        return NGX_ERROR;
    }

    if (view->prefix.len == 0) {
        avatar->src = path;
        return NGX_OK;
    }

    avatar->src.len = view->prefix.len + path.len;
    avatar->src.data = ngx_pnalloc(view->pool, avatar->src.len);
    if (avatar->src.data == NULL) {
        return NGX_ERROR;
    }

    p = ngx_cpymem(avatar->src.data, view->prefix.data, view->prefix.len);
    ngx_memcpy(p, path.data, path.len);

    return NGX_OK;
}


ngx_int_t
ngx_campfire_view_avatar_initials_init(ngx_campfire_view_ctx_t *view,
    const ngx_campfire_user_t *user, ngx_campfire_view_initials_t *initials)
{
    u_char    *p, id[NGX_INT64_LEN];
    uint32_t   crc;

    if (ngx_campfire_model_user_initials(view->pool, &user->name,
                                         &initials->text)
        != NGX_OK)
    {
        return NGX_ERROR;
    }

    initials->wide = ngx_campfire_base_grapheme_count(initials->text.data,
                                           initials->text.len,
                                           NGX_CAMPFIRE_VIEW_AVATAR_WIDE)
                     >= NGX_CAMPFIRE_VIEW_AVATAR_WIDE;

    p = ngx_sprintf(id, "%L", user->id);
    crc = ngx_crc32_long(id, p - id);

    initials->color = ngx_campfire_view_avatar_colors[
                          crc % (sizeof(ngx_campfire_view_avatar_colors)
                                 / sizeof(ngx_str_t))];

    return NGX_OK;
}
