
/*
 * Messages and boosts as their fragments print them.
 */

#include "views/ngx_campfire_view_message.h"
#include "base/ngx_campfire_base_time.h"
#include "views/ngx_campfire_view_room.h"


static ngx_int_t ngx_campfire_view_message_fill(ngx_campfire_view_ctx_t *view,
    const ngx_campfire_message_t *row, const ngx_campfire_message_t *before,
    ngx_campfire_view_message_t *message);
static ngx_int_t ngx_campfire_view_message_links(
    ngx_campfire_view_ctx_t *view, ngx_campfire_view_message_t *message);
static ngx_int_t ngx_campfire_view_message_sound(
    ngx_campfire_view_ctx_t *view, const ngx_campfire_message_t *row,
    ngx_campfire_view_message_t *message);


static ngx_campfire_view_quick_boost_t  ngx_campfire_view_quick[] = {
    { ngx_string("👍"), ngx_string("Thumbs up") },
    { ngx_string("👏"), ngx_string("Clapping") },
    { ngx_string("👋"), ngx_string("Waving hand") },
    { ngx_string("💪"), ngx_string("Muscle") },
    { ngx_string("❤️"), ngx_string("Red heart") },
    { ngx_string("😂"), ngx_string("Face with tears of joy") },
    { ngx_string("🎉"), ngx_string("Party popper") },
    { ngx_string("🔥"), ngx_string("Fire") }
};

const ngx_campfire_view_quick_boosts_t  ngx_campfire_view_quick_boosts = {
    ngx_campfire_view_quick,
    sizeof(ngx_campfire_view_quick) / sizeof(ngx_campfire_view_quick_boost_t)
};


ngx_int_t
ngx_campfire_view_message_init(ngx_campfire_view_ctx_t *view,
    const ngx_campfire_message_t *row, ngx_campfire_view_message_t *message)
{
    return ngx_campfire_view_message_fill(view, row, NULL, message);
}


ngx_int_t
ngx_campfire_view_messages_init(ngx_campfire_view_ctx_t *view,
    const ngx_campfire_messages_t *rows,
    ngx_campfire_view_messages_t *messages)
{
    ngx_uint_t  i;

    messages->nelts = rows->nelts;
    messages->elts = ngx_palloc(view->pool, rows->nelts
                                      * sizeof(ngx_campfire_view_message_t));
    if (messages->elts == NULL) {
        return NGX_ERROR;
    }

    for (i = 0; i < rows->nelts; i++) {
        if (ngx_campfire_view_message_fill(view, &rows->elts[i],
                                           i ? &rows->elts[i - 1] : NULL,
                                           &messages->elts[i])
            != NGX_OK)
        {
            return NGX_ERROR;
        }
    }

    return NGX_OK;
}


/*
 * before: the row whose struct lies in front of this one.  People write
 * several messages in a row, and a signature is the dearest part of a line.
 */
static ngx_int_t
ngx_campfire_view_message_fill(ngx_campfire_view_ctx_t *view,
    const ngx_campfire_message_t *row, const ngx_campfire_message_t *before,
    ngx_campfire_view_message_t *message)
{
    u_char      buf[NGX_CAMPFIRE_BASE_TIME_LEN];
    ngx_uint_t  i;

    ngx_memzero(message, sizeof(ngx_campfire_view_message_t));

    if (row->kind == NGX_CAMPFIRE_MESSAGE_BROKEN) {
        message->broken = 1;
        return NGX_OK;
    }

    message->id = row->id;
    message->room_id = row->room_id;
    message->client_id = row->client_message_id;
    message->room_name = row->room_name;
    message->author = row->creator.name;
    message->created_ms = ngx_campfire_base_time_ms(row->created_at);
    message->updated_ms = ngx_campfire_base_time_ms(row->updated_at);
    message->html = row->html;
    message->emoji = row->emoji;

    if (row->kind == NGX_CAMPFIRE_MESSAGE_ATTACHMENT) {
        message->filename = row->filename;

    } else if (row->kind == NGX_CAMPFIRE_MESSAGE_SOUND
               && ngx_campfire_view_message_sound(view, row, message)
                  != NGX_OK)
    {
        return NGX_ERROR;
    }

    message->created_at.len = ngx_campfire_base_time_iso(buf,
                                                         row->created_at);
    message->created_at.data = ngx_pnalloc(view->pool,
                                           message->created_at.len);
    if (message->created_at.data == NULL) {
        return NGX_ERROR;
    }

    ngx_memcpy(message->created_at.data, buf, message->created_at.len);

    if (before && before->kind != NGX_CAMPFIRE_MESSAGE_BROKEN
        && before->creator.id == row->creator.id)
    {
        message->avatar = (message - 1)->avatar;

    } else if (ngx_campfire_view_avatar_init(view, &row->creator,
                                             &message->avatar)
               != NGX_OK)
    {
        return NGX_ERROR;
    }

    if (before && before->kind != NGX_CAMPFIRE_MESSAGE_BROKEN
        && before->room_id == row->room_id)
    {
        message->room_key = (message - 1)->room_key;

    } else if (ngx_campfire_view_room_key(view->pool, row->room.type,
                                          row->room_id, &message->room_key)
               != NGX_OK)
    {
        return NGX_ERROR;
    }

    if (ngx_campfire_view_message_links(view, message) != NGX_OK) {
        return NGX_ERROR;
    }

    message->boosts.nelts = row->boosts.nelts;

    if (row->boosts.nelts) {
        message->boosts.elts = ngx_palloc(view->pool, row->boosts.nelts
                                          * sizeof(ngx_campfire_view_boost_t));
        if (message->boosts.elts == NULL) {
            return NGX_ERROR;
        }
    }

    for (i = 0; i < row->boosts.nelts; i++) {
        if (ngx_campfire_view_boost_init(view, &row->boosts.elts[i],
                                         &message->boosts.elts[i])
            != NGX_OK)
        {
            return NGX_ERROR;
        }
    }

    return NGX_OK;
}


/* One allocation: url ends with path. */
static ngx_int_t
ngx_campfire_view_message_links(ngx_campfire_view_ctx_t *view,
    ngx_campfire_view_message_t *message)
{
    u_char  *p;
    size_t   size;

    size = view->base_url.len + 2 * view->prefix.len
           + 2 * sizeof("/rooms//messages/") + 4 * NGX_INT64_LEN;

    p = ngx_pnalloc(view->pool, size);
    if (p == NULL) {
        return NGX_ERROR;
    }

    message->url.data = p;
    p = ngx_cpymem(p, view->base_url.data, view->base_url.len);

    message->path.data = p;
    p = ngx_sprintf(p, "%V/rooms/%L/@%L", &view->prefix, message->room_id,
                    message->id);

    message->path.len = p - message->path.data;
    message->url.len = p - message->url.data;

    message->resource.data = p;
    p = ngx_sprintf(p, "%V/rooms/%L/messages/%L", &view->prefix,
                    message->room_id, message->id);
    message->resource.len = p - message->resource.data;

    return NGX_OK;
}


static ngx_int_t
ngx_campfire_view_message_sound(ngx_campfire_view_ctx_t *view,
    const ngx_campfire_message_t *row, ngx_campfire_view_message_t *message)
{
    u_char  *p;

    message->sound = ngx_campfire_richtext_sound(&row->plain);
    if (message->sound == NULL) {
        return NGX_OK;
    }

    p = ngx_pnalloc(view->pool, 2 * view->prefix.len
                                + sizeof("/assets/sounds/.mp3")
                                + sizeof("/assets/sounds/.webp")
                                + message->sound->name.len
                                + message->sound->image.len);
    if (p == NULL) {
        return NGX_ERROR;
    }

    message->sound_url.data = p;
    p = ngx_sprintf(p, "%V/assets/sounds/%V.mp3", &view->prefix,
                    &message->sound->name);
    message->sound_url.len = p - message->sound_url.data;

    message->sound_image.data = p;
    p = ngx_sprintf(p, "%V/assets/sounds/%V.webp", &view->prefix,
                    &message->sound->image);
    message->sound_image.len = p - message->sound_image.data;

    return NGX_OK;
}


ngx_int_t
ngx_campfire_view_boost_init(ngx_campfire_view_ctx_t *view,
    const ngx_campfire_boost_t *row, ngx_campfire_view_boost_t *boost)
{
    boost->id = row->id;
    boost->message_id = row->message_id;
    boost->booster = row->booster.name;
    boost->content = row->content;
    boost->emoji = row->emoji;

    return ngx_campfire_view_avatar_init(view, &row->booster, &boost->avatar);
}
