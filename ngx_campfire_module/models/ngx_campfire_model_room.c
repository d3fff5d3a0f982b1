
/*
 * Rooms as they are read.
 */

#include "models/ngx_campfire_model_room.h"
#include "models/ngx_campfire_model_membership.h"
#include "models/ngx_campfire_model_row.h"


typedef struct {
    ngx_campfire_room_t        *room;
    ngx_campfire_membership_t  *membership;
} ngx_campfire_model_room_found_t;


static ngx_int_t ngx_campfire_model_room_found_row(
    ngx_campfire_db_stmt_t *stmt, ngx_pool_t *pool, void *elt);
static ngx_int_t ngx_campfire_model_room_plain_row(
    ngx_campfire_db_stmt_t *stmt, ngx_pool_t *pool, void *elt);
static ngx_int_t ngx_campfire_model_room_name_row(
    ngx_campfire_db_stmt_t *stmt, ngx_pool_t *pool, void *elt);


ngx_int_t
ngx_campfire_model_room_row(ngx_campfire_db_stmt_t *stmt, int col,
    ngx_pool_t *pool, ngx_campfire_room_t *room)
{
    ngx_str_t   class;
    ngx_uint_t  i;

    room->id = ngx_campfire_db_int(stmt, col);

    if (ngx_campfire_db_text(stmt, col + 1, pool, &class) != NGX_OK
        || ngx_campfire_db_text(stmt, col + 2, pool, &room->name) != NGX_OK)
    {
        return NGX_ERROR;
    }

    /* a class this program does not know is kept from everybody it can be */

    room->type = NGX_CAMPFIRE_ROOM_CLOSED;

    for (i = 0; i < 3; i++) {
        if (class.len == ngx_campfire_model_room_classes[i].len
            && ngx_memcmp(class.data, ngx_campfire_model_room_classes[i].data,
                          class.len)
               == 0)
        {
            room->type = (ngx_campfire_room_type_e) i;
        }
    }

    room->creator_id = ngx_campfire_db_int(stmt, col + 3);
    room->created_at = ngx_campfire_db_time(stmt, col + 4);
    room->updated_at = ngx_campfire_db_time(stmt, col + 5);

    return NGX_OK;
}


ngx_int_t
ngx_campfire_model_room_find(ngx_campfire_db_conn_t *conn, ngx_pool_t *pool,
    int64_t viewer_id, int64_t id, ngx_campfire_room_t *room,
    ngx_campfire_membership_t *membership)
{
    ngx_campfire_model_room_found_t  found;

    found.room = room;
    found.membership = membership;

    return ngx_campfire_model_row_one(
               ngx_campfire_db_query(conn,
                   "SELECT " NGX_CAMPFIRE_MODEL_ROOM_COLUMNS("r")
                   ", " NGX_CAMPFIRE_MODEL_MEMBERSHIP_COLUMNS("mb")
                   " FROM memberships mb JOIN rooms r ON r.id = mb.room_id"
                   " WHERE mb.room_id = ?1 AND mb.user_id = ?2",
                   "ii", id, viewer_id),
               pool, ngx_campfire_model_room_found_row, &found);
}


static ngx_int_t
ngx_campfire_model_room_found_row(ngx_campfire_db_stmt_t *stmt,
    ngx_pool_t *pool, void *elt)
{
    ngx_campfire_model_room_found_t  *found = elt;

    if (found->membership
        && ngx_campfire_model_membership_row(stmt,
                                             NGX_CAMPFIRE_MODEL_ROOM_NCOLUMNS,
                                             pool, found->membership)
           != NGX_OK)
    {
        return NGX_ERROR;
    }

    return ngx_campfire_model_room_row(stmt, 0, pool, found->room);
}


ngx_int_t
ngx_campfire_model_room_get(ngx_campfire_db_conn_t *conn, ngx_pool_t *pool,
    int64_t id, ngx_campfire_room_t *room)
{
    return ngx_campfire_model_row_one(
               ngx_campfire_db_query(conn,
                   "SELECT " NGX_CAMPFIRE_MODEL_ROOM_COLUMNS("r")
                   " FROM rooms r WHERE r.id = ?1",
                   "i", id),
               pool, ngx_campfire_model_room_plain_row, room);
}


static ngx_int_t
ngx_campfire_model_room_plain_row(ngx_campfire_db_stmt_t *stmt,
    ngx_pool_t *pool, void *elt)
{
    return ngx_campfire_model_room_row(stmt, 0, pool, elt);
}


ngx_int_t
ngx_campfire_model_room_default(ngx_campfire_db_conn_t *conn,
    int64_t viewer_id, int64_t last_room_id, int64_t *id)
{
    ngx_int_t  rc;

    rc = ngx_campfire_db_get_int(conn, id,
             "SELECT r.id FROM memberships mb"
             " JOIN rooms r ON r.id = mb.room_id WHERE mb.user_id = ?1"
             " ORDER BY r.id = ?2 DESC, r.created_at, r.id LIMIT 1",
             "ii", viewer_id, last_room_id);

    return (rc == NGX_DONE) ? NGX_DECLINED : rc;
}


ngx_int_t
ngx_campfire_model_room_newest(ngx_campfire_db_conn_t *conn,
    int64_t viewer_id, int64_t *id)
{
    ngx_int_t  rc;

    rc = ngx_campfire_db_get_int(conn, id,
             "SELECT r.id FROM memberships mb"
             " JOIN rooms r ON r.id = mb.room_id WHERE mb.user_id = ?1"
             " ORDER BY r.id DESC LIMIT 1",
             "i", viewer_id);

    return (rc == NGX_DONE) ? NGX_DECLINED : rc;
}


ngx_int_t
ngx_campfire_model_room_oldest(ngx_campfire_db_conn_t *conn, int64_t *id)
{
    ngx_int_t  rc;

    rc = ngx_campfire_db_get_int(conn, id,
             "SELECT id FROM rooms ORDER BY created_at, id LIMIT 1", "");

    return (rc == NGX_DONE) ? NGX_DECLINED : rc;
}


ngx_int_t
ngx_campfire_model_room_display_name(ngx_campfire_db_conn_t *conn,
    ngx_pool_t *pool, ngx_campfire_room_t *room, int64_t viewer_id,
    ngx_str_t *name)
{
    ngx_int_t    rc;
    ngx_array_t  names;

    if (room->type != NGX_CAMPFIRE_ROOM_DIRECT) {
        *name = room->name;
        return NGX_OK;
    }

    if (ngx_array_init(&names, pool, 4, sizeof(ngx_str_t)) != NGX_OK) {
        return NGX_ERROR;
    }

    /* whoever is alone in a ping sees himself */

    rc = ngx_campfire_model_row_all(
             ngx_campfire_db_query(conn,
                 "SELECT u.name FROM memberships mb"
                 " JOIN users u ON u.id = mb.user_id"
                 " WHERE mb.room_id = ?1 AND (mb.user_id <> ?2"
                 " OR NOT EXISTS (SELECT 1 FROM memberships o"
                 " JOIN users ou ON ou.id = o.user_id"
                 " WHERE o.room_id = ?1 AND o.user_id <> ?2))"
                 " ORDER BY u.id",
                 "ii", room->id, viewer_id),
             pool, ngx_campfire_model_room_name_row, &names);
    if (rc != NGX_OK) {
        return rc;
    }

    return ngx_campfire_model_row_sentence(pool, names.elts, names.nelts,
                                           name);
}


static ngx_int_t
ngx_campfire_model_room_name_row(ngx_campfire_db_stmt_t *stmt,
    ngx_pool_t *pool, void *elt)
{
    return ngx_campfire_db_text(stmt, 0, pool, elt);
}


ngx_uint_t
ngx_campfire_model_room_administers(const ngx_campfire_user_t *user,
    const ngx_campfire_room_t *room)
{
    return user->role == NGX_CAMPFIRE_ROLE_ADMINISTRATOR
           || user->id == room->creator_id;
}
