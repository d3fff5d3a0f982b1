
/*
 * Rooms as they are made, changed and deleted.
 */

#include "models/ngx_campfire_model_room.h"
#include "models/ngx_campfire_model_account.h"
#include "models/ngx_campfire_model_membership.h"
#include "models/ngx_campfire_model_message.h"
#include "models/ngx_campfire_model_row.h"
#include "models/ngx_campfire_model_user.h"


#define NGX_CAMPFIRE_MODEL_ROOM_SHARED  ((1 << NGX_CAMPFIRE_ROOM_OPEN)         \
                                         | (1 << NGX_CAMPFIRE_ROOM_CLOSED))
#define NGX_CAMPFIRE_MODEL_ROOM_PINGS   (1 << NGX_CAMPFIRE_ROOM_DIRECT)


static ngx_int_t ngx_campfire_model_room_insert(ngx_campfire_tx_t *tx,
    ngx_campfire_room_type_e type, ngx_str_t *name, int64_t creator_id);
static ngx_int_t ngx_campfire_model_room_ping_members(ngx_campfire_tx_t *tx,
    ngx_campfire_model_room_ping_args_t *ping, ngx_campfire_ids_t *members);
static ngx_int_t ngx_campfire_model_room_find_for(ngx_campfire_tx_t *tx,
    int64_t viewer_id, int64_t room_id, ngx_uint_t types,
    ngx_campfire_room_t *room);
static ngx_int_t ngx_campfire_model_room_revoke(ngx_campfire_tx_t *tx,
    int64_t room_id, ngx_campfire_ids_t *keep);
static ngx_int_t ngx_campfire_model_room_welcome(ngx_campfire_tx_t *tx,
    int64_t room_id, ngx_campfire_ids_t *before);


ngx_int_t
ngx_campfire_model_room_create(ngx_campfire_tx_t *tx, void *args)
{
    ngx_int_t                               rc;
    ngx_campfire_role_e                     role;
    ngx_campfire_account_t                  account;
    ngx_campfire_model_room_create_args_t  *create = args;

    rc = ngx_campfire_model_user_active(tx, create->viewer_id, &role);
    if (rc != NGX_OK) {
        return rc;
    }

    if (role != NGX_CAMPFIRE_ROLE_ADMINISTRATOR) {
        rc = ngx_campfire_model_account_find(tx->conn, tx->pool, &account);
        if (rc != NGX_OK) {
            return rc;
        }

        if (account.restrict_room_creation) {
            return NGX_CAMPFIRE_FORBIDDEN;
        }
    }

    rc = ngx_campfire_model_room_insert(tx, create->type, &create->name,
                                        create->viewer_id);
    if (rc != NGX_OK) {
        return rc;
    }

    if (create->type == NGX_CAMPFIRE_ROOM_OPEN) {
        rc = ngx_campfire_model_membership_grant_all(tx, tx->job->id);

    } else {
        rc = ngx_campfire_model_membership_grant(tx, tx->job->id,
                                           create->user_ids.elts,
                                           create->user_ids.nelts,
                                           NGX_CAMPFIRE_INVOLVEMENT_MENTIONS);
    }

    if (rc != NGX_OK) {
        return rc;
    }

    return ngx_campfire_model_row_effect(tx, NGX_CAMPFIRE_EFFECT_ROOM_CREATED,
                                         tx->job->id, create->viewer_id, 0,
                                         0);
}


static ngx_int_t
ngx_campfire_model_room_insert(ngx_campfire_tx_t *tx,
    ngx_campfire_room_type_e type, ngx_str_t *name, int64_t creator_id)
{
    ngx_int_t  rc;
    ngx_str_t  class;

    class = ngx_campfire_model_room_classes[type];

    rc = ngx_campfire_db_exec(tx->conn,
             "INSERT INTO rooms (name, type, creator_id, created_at,"
             " updated_at) VALUES (?1, ?2, ?3, ?4, ?4)",
             "ssit", ngx_campfire_model_row_nullable(name), &class,
             creator_id, tx->now);

    if (rc == NGX_OK) {
        tx->job->id = ngx_campfire_db_last_id(tx->conn);
    }

    return rc;
}


ngx_int_t
ngx_campfire_model_room_ping(ngx_campfire_tx_t *tx, void *args)
{
    int64_t                               id;
    ngx_int_t                             rc;
    ngx_str_t                             json, none;
    ngx_campfire_role_e                   role;
    ngx_campfire_ids_t                    members;
    ngx_campfire_model_room_ping_args_t  *ping = args;

    rc = ngx_campfire_model_user_active(tx, ping->viewer_id, &role);
    if (rc != NGX_OK) {
        return rc;
    }

    if (ngx_campfire_model_room_ping_members(tx, ping, &members) != NGX_OK
        || ngx_campfire_model_row_json(tx->pool, members.elts, members.nelts,
                                       &json)
           != NGX_OK)
    {
        return NGX_ERROR;
    }

    /*
     * The viewer's pings whose members are as many as the wanted ones, none
     * of them another; what does not exist is not wanted.
     */

    rc = ngx_campfire_db_get_int(tx->conn, &id,
             "WITH wanted(id) AS (SELECT u.id FROM users u"
             " WHERE u.id IN (SELECT value FROM json_each(?1)))"
             " SELECT r.id FROM memberships mine"
             " JOIN rooms r ON r.id = mine.room_id"
             " AND r.type = 'Rooms::Direct'"
             " WHERE mine.user_id = ?2"
             " AND (SELECT COUNT(*) FROM memberships a"
             " WHERE a.room_id = r.id) = (SELECT COUNT(*) FROM wanted)"
             " AND NOT EXISTS (SELECT 1 FROM memberships b"
             " WHERE b.room_id = r.id"
             " AND b.user_id NOT IN (SELECT id FROM wanted))"
             " ORDER BY r.id LIMIT 1",
             "si", &json, ping->viewer_id);

    if (rc == NGX_OK) {
        tx->job->id = id;
        return ngx_campfire_model_row_effect(tx,
                                             NGX_CAMPFIRE_EFFECT_ROOM_OPENED,
                                             id, ping->viewer_id, 0, 0);
    }

    if (rc != NGX_DONE) {
        return rc;
    }

    ngx_str_null(&none);

    rc = ngx_campfire_model_room_insert(tx, NGX_CAMPFIRE_ROOM_DIRECT, &none,
                                        ping->viewer_id);
    if (rc != NGX_OK) {
        return rc;
    }

    rc = ngx_campfire_model_membership_grant(tx, tx->job->id, members.elts,
                                          members.nelts,
                                          NGX_CAMPFIRE_INVOLVEMENT_EVERYTHING);
    if (rc != NGX_OK) {
        return rc;
    }

    return ngx_campfire_model_row_effect(tx, NGX_CAMPFIRE_EFFECT_ROOM_CREATED,
                                         tx->job->id, ping->viewer_id, 0, 0);
}


/* Those listed and the viewer; a double one does no harm. */
static ngx_int_t
ngx_campfire_model_room_ping_members(ngx_campfire_tx_t *tx,
    ngx_campfire_model_room_ping_args_t *ping, ngx_campfire_ids_t *members)
{
    ngx_uint_t  n;

    n = ping->user_ids.nelts;

    members->nelts = n + 1;
    members->elts = ngx_palloc(tx->pool, (n + 1) * sizeof(int64_t));
    if (members->elts == NULL) {
        return NGX_ERROR;
    }

    if (n) {
        ngx_memcpy(members->elts, ping->user_ids.elts, n * sizeof(int64_t));
    }

    members->elts[n] = ping->viewer_id;

    return NGX_OK;
}


/*
 * The room, if it is of one of the types, and the viewer is active, in it, and
 * may change it.  Where only pings are looked for every member may.
 */
static ngx_int_t
ngx_campfire_model_room_find_for(ngx_campfire_tx_t *tx, int64_t viewer_id,
    int64_t room_id, ngx_uint_t types, ngx_campfire_room_t *room)
{
    ngx_int_t            rc;
    ngx_campfire_user_t  viewer;

    viewer.id = viewer_id;

    rc = ngx_campfire_model_user_active(tx, viewer_id, &viewer.role);
    if (rc != NGX_OK) {
        return rc;
    }

    rc = ngx_campfire_model_room_find(tx->conn, tx->pool, viewer_id, room_id,
                                      room, NULL);
    if (rc != NGX_OK) {
        return rc;
    }

    if (!(types & (1 << room->type))) {
        return NGX_DECLINED;
    }

    if (types == NGX_CAMPFIRE_MODEL_ROOM_PINGS) {
        return NGX_OK;
    }

    return ngx_campfire_model_room_administers(&viewer, room)
           ? NGX_OK : NGX_CAMPFIRE_FORBIDDEN;
}


ngx_int_t
ngx_campfire_model_room_update(ngx_campfire_tx_t *tx, void *args)
{
    ngx_int_t                               rc;
    ngx_str_t                               class, *name;
    ngx_campfire_ids_t                      before;
    ngx_campfire_room_t                     room;
    ngx_campfire_model_room_update_args_t  *update = args;

    rc = ngx_campfire_model_room_find_for(tx, update->viewer_id,
                                          update->room_id,
                                          NGX_CAMPFIRE_MODEL_ROOM_SHARED,
                                          &room);
    if (rc != NGX_OK) {
        return rc;
    }

    rc = ngx_campfire_model_membership_user_ids(tx->conn, tx->pool, room.id,
                                                &before);
    if (rc != NGX_OK) {
        return rc;
    }

    class = ngx_campfire_model_room_classes[update->type];
    name = update->name.data ? &update->name : &room.name;

    rc = ngx_campfire_db_exec(tx->conn,
             "UPDATE rooms SET type = ?1, name = ?2, updated_at = ?3"
             " WHERE id = ?4 AND (type IS NOT ?1 OR name IS NOT ?2)",
             "ssti", &class, ngx_campfire_model_row_nullable(name), tx->now,
             room.id);
    if (rc != NGX_OK) {
        return rc;
    }

    tx->job->id = room.id;

    if (update->type == NGX_CAMPFIRE_ROOM_CLOSED) {
        rc = ngx_campfire_model_membership_grant(tx, room.id,
                                           update->user_ids.elts,
                                           update->user_ids.nelts,
                                           NGX_CAMPFIRE_INVOLVEMENT_MENTIONS);
        if (rc == NGX_OK) {
            rc = ngx_campfire_model_room_revoke(tx, room.id,
                                                &update->user_ids);
        }

    } else if (room.type != NGX_CAMPFIRE_ROOM_OPEN) {
        rc = ngx_campfire_model_membership_grant_all(tx, room.id);
    }

    if (rc != NGX_OK) {
        return rc;
    }

    rc = ngx_campfire_model_row_effect(tx, NGX_CAMPFIRE_EFFECT_ROOM_UPDATED,
                                       room.id, update->viewer_id, 0,
                                       room.type);
    if (rc != NGX_OK) {
        return rc;
    }

    return ngx_campfire_model_room_welcome(tx, room.id, &before);
}


/* Takes out all others, whose sockets must ask again what they may see. */
static ngx_int_t
ngx_campfire_model_room_revoke(ngx_campfire_tx_t *tx, int64_t room_id,
    ngx_campfire_ids_t *keep)
{
    int64_t      *id;
    ngx_int_t     rc;
    ngx_str_t     json;
    ngx_uint_t    i;
    ngx_array_t   gone;

    if (ngx_array_init(&gone, tx->pool, 4, sizeof(int64_t)) != NGX_OK
        || ngx_campfire_model_row_json(tx->pool, keep->elts, keep->nelts,
                                       &json)
           != NGX_OK)
    {
        return NGX_ERROR;
    }

    rc = ngx_campfire_model_row_all(
             ngx_campfire_db_query(tx->conn,
                 "SELECT user_id FROM memberships WHERE room_id = ?1"
                 " AND user_id NOT IN (SELECT value FROM json_each(?2))"
                 " ORDER BY user_id",
                 "is", room_id, &json),
             tx->pool, ngx_campfire_model_row_id, &gone);
    if (rc != NGX_OK) {
        return rc;
    }

    id = gone.elts;

    for (i = 0; i < gone.nelts; i++) {
        rc = ngx_campfire_db_exec(tx->conn,
                 "DELETE FROM memberships WHERE room_id = ?1 AND user_id = ?2",
                 "ii", room_id, id[i]);
        if (rc != NGX_OK) {
            return rc;
        }

        rc = ngx_campfire_model_row_effect(tx,
                                        NGX_CAMPFIRE_EFFECT_USER_DISCONNECTED,
                                        room_id, id[i], 0, 1);
        if (rc != NGX_OK) {
            return rc;
        }
    }

    return NGX_OK;
}


/* MEMBER_ADDED for whoever is in the room and was not before. */
static ngx_int_t
ngx_campfire_model_room_welcome(ngx_campfire_tx_t *tx, int64_t room_id,
    ngx_campfire_ids_t *before)
{
    ngx_int_t           rc;
    ngx_uint_t          i, k;
    ngx_campfire_ids_t  now;

    rc = ngx_campfire_model_membership_user_ids(tx->conn, tx->pool, room_id,
                                                &now);
    if (rc != NGX_OK) {
        return rc;
    }

    /* both lists are in order */

    k = 0;

    for (i = 0; i < now.nelts; i++) {

        while (k < before->nelts && before->elts[k] < now.elts[i]) {
            k++;
        }

        if (k < before->nelts && before->elts[k] == now.elts[i]) {
            continue;
        }

        rc = ngx_campfire_model_row_effect(tx,
                                           NGX_CAMPFIRE_EFFECT_MEMBER_ADDED,
                                           room_id, now.elts[i], 0, 0);
        if (rc != NGX_OK) {
            return rc;
        }
    }

    return NGX_OK;
}


ngx_int_t
ngx_campfire_model_room_destroy(ngx_campfire_tx_t *tx, void *args)
{
    int64_t                                 *id;
    ngx_int_t                                rc;
    ngx_uint_t                               i, types;
    ngx_array_t                              messages;
    ngx_campfire_room_t                      room;
    ngx_campfire_model_room_destroy_args_t  *destroy = args;

    types = NGX_CAMPFIRE_MODEL_ROOM_PINGS;

    if (!destroy->direct) {
        types |= NGX_CAMPFIRE_MODEL_ROOM_SHARED;
    }

    rc = ngx_campfire_model_room_find_for(tx, destroy->viewer_id,
                                          destroy->room_id, types, &room);
    if (rc != NGX_OK) {
        return rc;
    }

    if (ngx_array_init(&messages, tx->pool, 64, sizeof(int64_t)) != NGX_OK) {
        return NGX_ERROR;
    }

    rc = ngx_campfire_db_exec(tx->conn,
                              "DELETE FROM memberships WHERE room_id = ?1",
                              "i", room.id);
    if (rc != NGX_OK) {
        return rc;
    }

    rc = ngx_campfire_model_row_all(
             ngx_campfire_db_query(tx->conn,
                 "SELECT id FROM messages WHERE room_id = ?1", "i", room.id),
             tx->pool, ngx_campfire_model_row_id, &messages);
    if (rc != NGX_OK) {
        return rc;
    }

    id = messages.elts;

    for (i = 0; i < messages.nelts; i++) {
        rc = ngx_campfire_model_message_delete(tx, id[i]);
        if (rc != NGX_OK) {
            return rc;
        }
    }

    rc = ngx_campfire_db_exec(tx->conn, "DELETE FROM rooms WHERE id = ?1",
                              "i", room.id);
    if (rc != NGX_OK) {
        return rc;
    }

    tx->job->id = room.id;

    return ngx_campfire_model_row_effect(tx,
                                         NGX_CAMPFIRE_EFFECT_ROOM_DESTROYED,
                                         room.id, destroy->viewer_id, 0,
                                         room.type);
}
