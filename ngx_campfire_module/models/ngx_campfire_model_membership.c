
/*
 * Who is in a room, how much he wants to hear of it, and whether he looks.
 *
 * Presence is a counter with a time: `connections` sockets were looking at
 * the room at `connected_at`, which every one of them renews.  A time older
 * than a minute makes the counter void, so a worker that dies takes nobody's
 * notifications along for longer than that.  Each operation is one UPDATE
 * with the arithmetic inside; two at once lose no count.
 */

#include "models/ngx_campfire_model_membership.h"
#include "models/ngx_campfire_model_row.h"
#include "models/ngx_campfire_model_user.h"


static ngx_int_t ngx_campfire_model_membership_plain_row(
    ngx_campfire_db_stmt_t *stmt, ngx_pool_t *pool, void *elt);
static ngx_int_t ngx_campfire_model_membership_leave(ngx_campfire_tx_t *tx,
    ngx_campfire_model_membership_presence_args_t *presence);


ngx_int_t
ngx_campfire_model_membership_row(ngx_campfire_db_stmt_t *stmt, int col,
    ngx_pool_t *pool, ngx_campfire_membership_t *membership)
{
    ngx_str_t  word;

    membership->id = ngx_campfire_db_int(stmt, col);
    membership->room_id = ngx_campfire_db_int(stmt, col + 1);
    membership->user_id = ngx_campfire_db_int(stmt, col + 2);

    if (ngx_campfire_db_text(stmt, col + 3, pool, &word) != NGX_OK) {
        return NGX_ERROR;
    }

    if (ngx_campfire_model_involvement_parse(&word, &membership->involvement)
        != NGX_OK)
    {
        membership->involvement = NGX_CAMPFIRE_INVOLVEMENT_INVISIBLE;
    }

    membership->unread_at = ngx_campfire_db_time(stmt, col + 4);
    membership->connected_at = ngx_campfire_db_time(stmt, col + 5);
    membership->connections = ngx_campfire_db_int(stmt, col + 6);

    return NGX_OK;
}


static ngx_int_t
ngx_campfire_model_membership_plain_row(ngx_campfire_db_stmt_t *stmt,
    ngx_pool_t *pool, void *elt)
{
    return ngx_campfire_model_membership_row(stmt, 0, pool, elt);
}


ngx_int_t
ngx_campfire_model_membership_find(ngx_campfire_db_conn_t *conn,
    ngx_pool_t *pool, int64_t room_id, int64_t user_id,
    ngx_campfire_membership_t *membership)
{
    return ngx_campfire_model_row_one(
               ngx_campfire_db_query(conn,
                   "SELECT " NGX_CAMPFIRE_MODEL_MEMBERSHIP_COLUMNS("mb")
                   " FROM memberships mb JOIN rooms r ON r.id = mb.room_id"
                   " WHERE mb.room_id = ?1 AND mb.user_id = ?2",
                   "ii", room_id, user_id),
               pool, ngx_campfire_model_membership_plain_row, membership);
}


ngx_int_t
ngx_campfire_model_membership_exists(ngx_campfire_db_conn_t *conn,
    int64_t room_id, int64_t user_id)
{
    return ngx_campfire_model_row_exists(
               ngx_campfire_db_query(conn,
                   "SELECT 1 FROM memberships mb"
                   " JOIN rooms r ON r.id = mb.room_id"
                   " WHERE mb.room_id = ?1 AND mb.user_id = ?2",
                   "ii", room_id, user_id));
}


ngx_int_t
ngx_campfire_model_membership_user_ids(ngx_campfire_db_conn_t *conn,
    ngx_pool_t *pool, int64_t room_id, ngx_campfire_ids_t *ids)
{
    ngx_int_t    rc;
    ngx_array_t  rows;

    if (ngx_array_init(&rows, pool, 16, sizeof(int64_t)) != NGX_OK) {
        return NGX_ERROR;
    }

    rc = ngx_campfire_model_row_all(
             ngx_campfire_db_query(conn,
                 "SELECT user_id FROM memberships WHERE room_id = ?1"
                 " ORDER BY user_id",
                 "i", room_id),
             pool, ngx_campfire_model_row_id, &rows);

    ids->elts = rows.elts;
    ids->nelts = rows.nelts;

    return rc;
}


ngx_int_t
ngx_campfire_model_membership_unread_count(ngx_campfire_db_conn_t *conn,
    int64_t user_id, int64_t *count)
{
    return ngx_campfire_db_get_int(conn, count,
               "SELECT COUNT(*) FROM memberships"
               " WHERE user_id = ?1 AND unread_at IS NOT NULL",
               "i", user_id);
}


ngx_int_t
ngx_campfire_model_membership_present(ngx_campfire_tx_t *tx, void *args)
{
    ngx_int_t                                       rc;
    ngx_campfire_effect_t                          *effect;
    ngx_campfire_model_membership_presence_args_t  *presence = args;

    rc = ngx_campfire_db_exec(tx->conn,
             "UPDATE memberships SET"
             " connections = CASE WHEN connected_at >= ?2"
             " THEN MAX(connections + ?5, 1) ELSE 1 END,"
             " connected_at = ?1, unread_at = NULL"
             " WHERE room_id = ?3 AND user_id = ?4"
             " AND EXISTS (SELECT 1 FROM rooms WHERE id = ?3)"
             " AND EXISTS (SELECT 1 FROM users WHERE id = ?4 AND status = 0)",
             "ttiii", tx->now, tx->now - NGX_CAMPFIRE_MODEL_MEMBERSHIP_TTL,
             presence->room_id, presence->viewer_id,
             (int64_t) !presence->counted);
    if (rc != NGX_OK) {
        return rc;
    }

    if (ngx_campfire_db_changes(tx->conn) == 0) {
        return NGX_DECLINED;
    }

    effect = ngx_campfire_db_writer_effect(tx, NGX_CAMPFIRE_EFFECT_READ);
    if (effect == NULL) {
        return NGX_ERROR;
    }

    effect->room = presence->room_id;
    effect->user = presence->viewer_id;
    effect->time = tx->now;

    return NGX_OK;
}


ngx_int_t
ngx_campfire_model_membership_refresh(ngx_campfire_tx_t *tx, void *args)
{
    ngx_campfire_model_membership_presence_args_t  *presence = args;

    return ngx_campfire_db_exec(tx->conn,
               "UPDATE memberships SET"
               " connections = CASE WHEN connected_at >= ?2"
               " THEN connections ELSE 1 END,"
               " connected_at = ?1, updated_at = ?1"
               " WHERE room_id = ?3 AND user_id = ?4"
               " AND EXISTS (SELECT 1 FROM users"
               " WHERE id = ?4 AND status = 0)",
               "ttii", tx->now, tx->now - NGX_CAMPFIRE_MODEL_MEMBERSHIP_TTL,
               presence->room_id, presence->viewer_id);
}


ngx_int_t
ngx_campfire_model_membership_absent(ngx_campfire_tx_t *tx, void *args)
{
    return ngx_campfire_model_membership_leave(tx, args);
}


ngx_int_t
ngx_campfire_model_membership_absent_all(ngx_campfire_tx_t *tx, void *args)
{
    ngx_int_t                                         rc;
    ngx_uint_t                                        i;
    ngx_campfire_model_membership_absent_all_args_t  *all = args;

    for (i = 0; i < all->nelts; i++) {
        rc = ngx_campfire_model_membership_leave(tx, &all->elts[i]);
        if (rc != NGX_OK) {
            return rc;
        }
    }

    return NGX_OK;
}


/* The last one to leave clears the time; a row that is clear stays. */
static ngx_int_t
ngx_campfire_model_membership_leave(ngx_campfire_tx_t *tx,
    ngx_campfire_model_membership_presence_args_t *presence)
{
    return ngx_campfire_db_exec(tx->conn,
               "UPDATE memberships SET"
               " connections = CASE WHEN connected_at >= ?2"
               " THEN MAX(connections - 1, 0) ELSE 0 END,"
               " connected_at = CASE WHEN connected_at >= ?2"
               " AND connections > 1 THEN connected_at END,"
               " updated_at = ?1"
               " WHERE room_id = ?3 AND user_id = ?4"
               " AND (connections <> 0 OR connected_at IS NOT NULL)",
               "ttii", tx->now, tx->now - NGX_CAMPFIRE_MODEL_MEMBERSHIP_TTL,
               presence->room_id, presence->viewer_id);
}


ngx_int_t
ngx_campfire_model_membership_disconnect_all(ngx_campfire_tx_t *tx,
    void *args)
{
    return ngx_campfire_db_exec(tx->conn,
               "UPDATE memberships SET connected_at = NULL, connections = 0,"
               " updated_at = ?1 WHERE connected_at >= ?2",
               "tt", tx->now, tx->now - NGX_CAMPFIRE_MODEL_MEMBERSHIP_TTL);
}


ngx_int_t
ngx_campfire_model_membership_involve(ngx_campfire_tx_t *tx, void *args)
{
    ngx_int_t                                      rc;
    ngx_str_t                                      word;
    ngx_campfire_role_e                            role;
    ngx_campfire_membership_t                      membership;
    ngx_campfire_model_membership_involve_args_t  *involve = args;

    rc = ngx_campfire_model_user_active(tx, involve->viewer_id, &role);
    if (rc != NGX_OK) {
        return rc;
    }

    rc = ngx_campfire_model_membership_find(tx->conn, tx->pool,
                                            involve->room_id,
                                            involve->viewer_id, &membership);
    if (rc != NGX_OK) {
        return rc;
    }

    /* a stored NULL reads as invisible, but is replaced by the word */

    word = ngx_campfire_model_involvements[involve->involvement];

    rc = ngx_campfire_db_exec(tx->conn,
             "UPDATE memberships SET involvement = ?1, updated_at = ?2"
             " WHERE id = ?3 AND involvement IS NOT ?1",
             "sti", &word, tx->now, membership.id);
    if (rc != NGX_OK) {
        return rc;
    }

    return ngx_campfire_model_row_effect(tx, NGX_CAMPFIRE_EFFECT_INVOLVEMENT,
                                         involve->room_id, involve->viewer_id,
                                         0, membership.involvement);
}


ngx_int_t
ngx_campfire_model_membership_grant_open(ngx_campfire_tx_t *tx,
    int64_t user_id)
{
    return ngx_campfire_db_exec(tx->conn,
               "INSERT INTO memberships (room_id, user_id, involvement,"
               " created_at, updated_at)"
               " SELECT r.id, ?1, 'mentions',"
               " STRFTIME('%Y-%m-%d %H:%M:%f', ?2),"
               " STRFTIME('%Y-%m-%d %H:%M:%f', ?2)"
               " FROM rooms r WHERE r.type = 'Rooms::Open' ORDER BY r.id"
               " ON CONFLICT DO NOTHING",
               "it", user_id, tx->now);
}


ngx_int_t
ngx_campfire_model_membership_grant_all(ngx_campfire_tx_t *tx,
    int64_t room_id)
{
    return ngx_campfire_db_exec(tx->conn,
               "INSERT INTO memberships (room_id, user_id, involvement,"
               " created_at, updated_at)"
               " SELECT ?1, u.id, 'mentions',"
               " STRFTIME('%Y-%m-%d %H:%M:%f', ?2),"
               " STRFTIME('%Y-%m-%d %H:%M:%f', ?2)"
               " FROM users u WHERE u.status = 0 ORDER BY u.id"
               " ON CONFLICT DO NOTHING",
               "it", room_id, tx->now);
}


ngx_int_t
ngx_campfire_model_membership_grant(ngx_campfire_tx_t *tx, int64_t room_id,
    const int64_t *ids, ngx_uint_t n, ngx_campfire_involvement_e involvement)
{
    ngx_str_t  json, word;

    if (ngx_campfire_model_row_json(tx->pool, ids, n, &json) != NGX_OK) {
        return NGX_ERROR;
    }

    word = ngx_campfire_model_involvements[involvement];

    return ngx_campfire_db_exec(tx->conn,
               "INSERT INTO memberships (room_id, user_id, involvement,"
               " created_at, updated_at)"
               " SELECT ?1, u.id, ?2,"
               " STRFTIME('%Y-%m-%d %H:%M:%f', ?3),"
               " STRFTIME('%Y-%m-%d %H:%M:%f', ?3)"
               " FROM users u"
               " WHERE u.id IN (SELECT value FROM json_each(?4))"
               " ORDER BY u.id ON CONFLICT DO NOTHING",
               "ists", room_id, &word, tx->now, &json);
}
