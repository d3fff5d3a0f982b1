
/*
 * Room pages.
 */

#include "views/ngx_campfire_view_room.h"
#include "base/ngx_campfire_base_base64.h"
#include "base/ngx_campfire_base_time.h"
#include "rails/ngx_campfire_rails_stream.h"


ngx_int_t
ngx_campfire_view_room_key(ngx_pool_t *pool, ngx_campfire_room_type_e type,
    int64_t id, ngx_str_t *key)
{
    const ngx_str_t  *name;

    name = &ngx_campfire_model_room_keys[type];

    key->data = ngx_pnalloc(pool, name->len + 1 + NGX_INT64_LEN);
    if (key->data == NULL) {
        return NGX_ERROR;
    }

    key->len = ngx_sprintf(key->data, "%V_%L", name, id) - key->data;

    return NGX_OK;
}


ngx_int_t
ngx_campfire_view_room_init(ngx_campfire_view_ctx_t *view,
    const ngx_campfire_room_t *row, const ngx_str_t *name,
    ngx_campfire_view_room_t *room)
{
    ngx_str_t               stream;
    static const ngx_str_t  kinds[] = {
        ngx_string("opens"), ngx_string("closeds"), ngx_string("directs")
    };

    ngx_memzero(room, sizeof(ngx_campfire_view_room_t));

    if (ngx_campfire_view_page_init(view, name, "sidebar", &room->page)
        != NGX_OK)
    {
        return NGX_ERROR;
    }

    room->page.room_id = row->id;
    room->id = row->id;
    room->name = *name;
    room->kind = kinds[row->type];
    room->direct = (row->type == NGX_CAMPFIRE_ROOM_DIRECT);
    room->loaded_at = ngx_campfire_base_time_ms(row->updated_at);

    if (room->direct) {
        ngx_str_set(&room->noun, "Ping");

    } else {
        ngx_str_set(&room->noun, "room");
    }

    room->url.data = ngx_pnalloc(view->pool, view->base_url.len
                                             + view->prefix.len
                                             + sizeof("/rooms/")
                                             + NGX_INT64_LEN);
    if (room->url.data == NULL) {
        return NGX_ERROR;
    }

    room->url.len = ngx_sprintf(room->url.data, "%V%V/rooms/%L",
                                &view->base_url, &view->prefix, row->id)
                    - room->url.data;

    if (ngx_campfire_view_room_key(view->pool, row->type, row->id,
                                   &room->key)
        != NGX_OK
        || ngx_campfire_rails_stream_name(view->pool,
                                  &ngx_campfire_model_room_classes[row->type],
                                  row->id, "messages", &stream)
           != NGX_OK
        || ngx_campfire_rails_stream_sign(&view->signers->turbo_stream,
                                          view->pool, &stream, &room->stream)
           != NGX_OK)
    {
        return NGX_ERROR;
    }

    return ngx_campfire_view_avatar_init(view, view->viewer, &room->avatar);
}


ngx_int_t
ngx_campfire_view_room_invite_init(ngx_campfire_view_ctx_t *view,
    ngx_campfire_view_invite_t *invite)
{
    ngx_str_t  *code, encoded;

    code = &view->account->join_code;

    invite->url.data = ngx_pnalloc(view->pool, view->base_url.len
                                               + view->prefix.len
                                               + sizeof("/join/")
                                               + code->len);
    if (invite->url.data == NULL) {
        return NGX_ERROR;
    }

    invite->url.len = ngx_sprintf(invite->url.data, "%V%V/join/%V",
                                  &view->base_url, &view->prefix, code)
                      - invite->url.data;

    if (ngx_campfire_base_base64_encode(view->pool, NGX_CAMPFIRE_BASE64_URL,
                                        invite->url.data, invite->url.len,
                                        &encoded)
        != NGX_OK)
    {
        return NGX_ERROR;
    }

    invite->qr.data = ngx_pnalloc(view->pool, view->prefix.len
                                              + sizeof("/qr_code/")
                                              + encoded.len);
    if (invite->qr.data == NULL) {
        return NGX_ERROR;
    }

    invite->qr.len = ngx_sprintf(invite->qr.data, "%V/qr_code/%V",
                                 &view->prefix, &encoded)
                     - invite->qr.data;

    return NGX_OK;
}


/* The order in which presses go through the states (pages.md §9). */
ngx_int_t
ngx_campfire_view_room_involvement_init(ngx_campfire_view_ctx_t *view,
    const ngx_campfire_room_t *row, ngx_campfire_involvement_e value,
    ngx_campfire_view_involvement_t *involvement)
{
    ngx_campfire_involvement_e  next;
    static const ngx_str_t      labels[] = {
        ngx_string("Notifications are off and room invisible in sidebar"),
        ngx_string("Notifications are off"),
        ngx_string("Notifying about @ mentions"),
        ngx_string("Notifying about all messages")
    };

    involvement->room_id = row->id;
    involvement->value = value;
    involvement->state = ngx_campfire_model_involvements[value];
    involvement->label = labels[value];

    switch (value) {

    case NGX_CAMPFIRE_INVOLVEMENT_EVERYTHING:
        next = NGX_CAMPFIRE_INVOLVEMENT_NOTHING;
        break;

    case NGX_CAMPFIRE_INVOLVEMENT_NOTHING:
        next = (row->type == NGX_CAMPFIRE_ROOM_DIRECT)
               ? NGX_CAMPFIRE_INVOLVEMENT_EVERYTHING
               : NGX_CAMPFIRE_INVOLVEMENT_INVISIBLE;
        break;

    case NGX_CAMPFIRE_INVOLVEMENT_INVISIBLE:
        next = (row->type == NGX_CAMPFIRE_ROOM_DIRECT)
               ? NGX_CAMPFIRE_INVOLVEMENT_EVERYTHING
               : NGX_CAMPFIRE_INVOLVEMENT_MENTIONS;
        break;

    default:
        next = NGX_CAMPFIRE_INVOLVEMENT_EVERYTHING;
    }

    involvement->next = ngx_campfire_model_involvements[next];

    return ngx_campfire_view_room_key(view->pool, row->type, row->id,
                                      &involvement->key);
}
