
/*
 * Boosts.  One touches its message and thereby the room.
 */

#include "models/ngx_campfire_model_boost.h"
#include "models/ngx_campfire_model_row.h"
#include "models/ngx_campfire_model_user.h"
#include "base/ngx_campfire_base_grapheme.h"
#include "base/ngx_campfire_base_utf8.h"
#include "richtext/ngx_campfire_richtext.h"


#define NGX_CAMPFIRE_MODEL_BOOST_COLUMNS                                      \
    NGX_CAMPFIRE_MODEL_USER_COLUMNS("u")                                      \
    ", b.id, b.message_id, b.content, b.created_at"


static ngx_int_t ngx_campfire_model_boost_row(ngx_campfire_db_stmt_t *stmt,
    ngx_pool_t *pool, void *elt);
static ngx_int_t ngx_campfire_model_boost_room(ngx_campfire_tx_t *tx,
    int64_t viewer_id, int64_t message_id, int64_t *room_id);


ngx_int_t
ngx_campfire_model_boost_get(ngx_campfire_db_conn_t *conn, ngx_pool_t *pool,
    int64_t id, ngx_campfire_boost_t *boost)
{
    return ngx_campfire_model_row_one(
               ngx_campfire_db_query(conn,
                   "SELECT " NGX_CAMPFIRE_MODEL_BOOST_COLUMNS
                   " FROM boosts b JOIN users u ON u.id = b.booster_id"
                   " WHERE b.id = ?1",
                   "i", id),
               pool, ngx_campfire_model_boost_row, boost);
}


ngx_int_t
ngx_campfire_model_boost_list(ngx_campfire_db_conn_t *conn, ngx_pool_t *pool,
    int64_t message_id, ngx_campfire_boosts_t *boosts)
{
    ngx_int_t    rc;
    ngx_array_t  rows;

    if (ngx_array_init(&rows, pool, 8, sizeof(ngx_campfire_boost_t))
        != NGX_OK)
    {
        return NGX_ERROR;
    }

    rc = ngx_campfire_model_row_all(
             ngx_campfire_db_query(conn,
                 "SELECT " NGX_CAMPFIRE_MODEL_BOOST_COLUMNS
                 " FROM boosts b JOIN users u ON u.id = b.booster_id"
                 " WHERE b.message_id = ?1 ORDER BY b.created_at, b.id",
                 "i", message_id),
             pool, ngx_campfire_model_boost_row, &rows);

    boosts->elts = rows.elts;
    boosts->nelts = rows.nelts;

    return rc;
}


static ngx_int_t
ngx_campfire_model_boost_row(ngx_campfire_db_stmt_t *stmt, ngx_pool_t *pool,
    void *elt)
{
    int                    col;
    ngx_campfire_boost_t  *boost = elt;

    col = NGX_CAMPFIRE_MODEL_USER_NCOLUMNS;

    if (ngx_campfire_model_user_row(stmt, 0, pool, &boost->booster) != NGX_OK
        || ngx_campfire_db_text(stmt, col + 2, pool, &boost->content)
           != NGX_OK)
    {
        return NGX_ERROR;
    }

    boost->id = ngx_campfire_db_int(stmt, col);
    boost->message_id = ngx_campfire_db_int(stmt, col + 1);
    boost->created_at = ngx_campfire_db_time(stmt, col + 3);
    boost->emoji = ngx_campfire_richtext_all_emoji(&boost->content) ? 1 : 0;

    return NGX_OK;
}


ngx_int_t
ngx_campfire_model_boost_load(ngx_campfire_db_conn_t *conn, ngx_pool_t *pool,
    ngx_campfire_messages_t *messages)
{
    int64_t               *ids;
    ngx_int_t              rc;
    ngx_str_t              json;
    ngx_uint_t             i, k, n;
    ngx_array_t            rows;
    ngx_campfire_boost_t  *boost;

    if (messages->nelts == 0) {
        return NGX_OK;
    }

    ids = ngx_palloc(pool, messages->nelts * sizeof(int64_t));
    if (ids == NULL) {
        return NGX_ERROR;
    }

    for (i = 0; i < messages->nelts; i++) {
        ids[i] = messages->elts[i].id;
    }

    if (ngx_campfire_model_row_json(pool, ids, messages->nelts, &json)
        != NGX_OK
        || ngx_array_init(&rows, pool, 8, sizeof(ngx_campfire_boost_t))
           != NGX_OK)
    {
        return NGX_ERROR;
    }

    rc = ngx_campfire_model_row_all(
             ngx_campfire_db_query(conn,
                 "SELECT " NGX_CAMPFIRE_MODEL_BOOST_COLUMNS
                 " FROM json_each(?1) j"
                 " CROSS JOIN boosts b ON b.message_id = j.value"
                 " JOIN users u ON u.id = b.booster_id"
                 " ORDER BY j.key, b.created_at, b.id",
                 "s", &json),
             pool, ngx_campfire_model_boost_row, &rows);
    if (rc != NGX_OK) {
        return rc;
    }

    /* the rows come message by message, in the order of the list */

    boost = rows.elts;

    for (i = 0, k = 0; i < messages->nelts && k < rows.nelts; i++) {

        for (n = k; n < rows.nelts; n++) {
            if (boost[n].message_id != messages->elts[i].id) {
                break;
            }
        }

        messages->elts[i].boosts.elts = &boost[k];
        messages->elts[i].boosts.nelts = n - k;

        k = n;
    }

    return NGX_OK;
}


ngx_int_t
ngx_campfire_model_boost_create(ngx_campfire_tx_t *tx, void *args)
{
    int64_t                                  room_id;
    ngx_int_t                                rc;
    ngx_campfire_model_boost_create_args_t  *create = args;

    rc = ngx_campfire_model_boost_room(tx, create->viewer_id,
                                       create->message_id, &room_id);
    if (rc != NGX_OK) {
        return rc;
    }

    if (create->content.data == NULL
        || create->content.len > NGX_CAMPFIRE_MODEL_BOOST_BYTES
        || !ngx_campfire_base_utf8_valid(create->content.data,
                                         create->content.len)
        || ngx_campfire_base_grapheme_count(create->content.data,
                                            create->content.len,
                                            NGX_CAMPFIRE_MODEL_BOOST_CLUSTERS)
           > NGX_CAMPFIRE_MODEL_BOOST_CLUSTERS)
    {
        return NGX_CAMPFIRE_UNPROCESSABLE;
    }

    rc = ngx_campfire_db_exec(tx->conn,
             "INSERT INTO boosts (message_id, booster_id, content,"
             " created_at, updated_at) VALUES (?1, ?2, ?3, ?4, ?4)",
             "iist", create->message_id, create->viewer_id, &create->content,
             tx->now);
    if (rc != NGX_OK) {
        return rc;
    }

    tx->job->id = ngx_campfire_db_last_id(tx->conn);

    rc = ngx_campfire_model_row_touch_message(tx, room_id,
                                              create->message_id);
    if (rc != NGX_OK) {
        return rc;
    }

    return ngx_campfire_model_row_effect(tx,
                                         NGX_CAMPFIRE_EFFECT_BOOST_CREATED,
                                         room_id, create->viewer_id,
                                         tx->job->id, create->message_id);
}


ngx_int_t
ngx_campfire_model_boost_destroy(ngx_campfire_tx_t *tx, void *args)
{
    int64_t                                   room_id;
    ngx_int_t                                 rc;
    ngx_campfire_model_boost_destroy_args_t  *destroy = args;

    rc = ngx_campfire_model_boost_room(tx, destroy->viewer_id,
                                       destroy->message_id, &room_id);
    if (rc != NGX_OK) {
        return rc;
    }

    rc = ngx_campfire_db_exec(tx->conn,
             "DELETE FROM boosts"
             " WHERE id = ?1 AND message_id = ?2 AND booster_id = ?3",
             "iii", destroy->boost_id, destroy->message_id,
             destroy->viewer_id);
    if (rc != NGX_OK) {
        return rc;
    }

    if (ngx_campfire_db_changes(tx->conn) == 0) {
        return NGX_DECLINED;
    }

    tx->job->id = destroy->boost_id;

    rc = ngx_campfire_model_row_touch_message(tx, room_id,
                                              destroy->message_id);
    if (rc != NGX_OK) {
        return rc;
    }

    return ngx_campfire_model_row_effect(tx,
                                         NGX_CAMPFIRE_EFFECT_BOOST_DESTROYED,
                                         room_id, destroy->viewer_id,
                                         destroy->boost_id,
                                         destroy->message_id);
}


/* The room of a message the viewer may boost. */
static ngx_int_t
ngx_campfire_model_boost_room(ngx_campfire_tx_t *tx, int64_t viewer_id,
    int64_t message_id, int64_t *room_id)
{
    ngx_int_t  rc;

    rc = ngx_campfire_db_get_int(tx->conn, room_id,
             "SELECT m.room_id FROM messages m"
             " JOIN memberships mb ON mb.room_id = m.room_id"
             " AND mb.user_id = ?2"
             " JOIN users u ON u.id = mb.user_id AND u.status = 0"
             " WHERE m.id = ?1",
             "ii", message_id, viewer_id);

    return (rc == NGX_DONE) ? NGX_DECLINED : rc;
}
