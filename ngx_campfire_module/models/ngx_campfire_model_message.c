
/*
 * Messages as they are written.
 *
 * A message is a row, a rich text, a row of the search index with the rowid
 * of the message, and whatever hangs on it.  Every change of what its
 * fragment shows moves updated_at of the message and of the room: caches and
 * the refresh of a page see changes by these times alone.
 */

#include "models/ngx_campfire_model_message.h"
#include "models/ngx_campfire_model_row.h"
#include "base/ngx_campfire_base_random.h"
#include "richtext/ngx_campfire_richtext.h"


typedef struct {
    int64_t     creator_id;
    int64_t     viewer_role;
    ngx_str_t   client_message_id;
    ngx_str_t   body;                   /* data NULL: no rich text */
    ngx_str_t   filename;               /* data NULL: no file */
} ngx_campfire_model_message_held_t;


static ngx_int_t ngx_campfire_model_message_find_row(
    ngx_campfire_db_stmt_t *stmt, ngx_pool_t *pool, void *elt);
static ngx_int_t ngx_campfire_model_message_insert(ngx_campfire_tx_t *tx,
    ngx_campfire_model_message_create_args_t *create);
static ngx_int_t ngx_campfire_model_message_text(ngx_campfire_tx_t *tx,
    ngx_str_t *body, ngx_str_t *plain, ngx_str_t *text);
static ngx_int_t ngx_campfire_model_message_hold(ngx_campfire_tx_t *tx,
    int64_t viewer_id, int64_t room_id, int64_t id,
    ngx_campfire_model_message_held_t *held);
static ngx_int_t ngx_campfire_model_message_held_row(
    ngx_campfire_db_stmt_t *stmt, ngx_pool_t *pool, void *elt);
static ngx_int_t ngx_campfire_model_message_set_body(ngx_campfire_tx_t *tx,
    int64_t id, ngx_str_t *body, ngx_str_t *before);
static ngx_int_t ngx_campfire_model_message_set_index(ngx_campfire_tx_t *tx,
    int64_t id, ngx_str_t *plain);


ngx_int_t
ngx_campfire_model_message_find(ngx_campfire_db_conn_t *conn,
    ngx_pool_t *pool, int64_t viewer_id, int64_t room_id, int64_t id,
    ngx_campfire_message_t *message)
{
    return ngx_campfire_model_row_one(
               ngx_campfire_db_query(conn,
                   "SELECT m.id, m.room_id, m.creator_id, m.created_at,"
                   " m.updated_at, m.client_message_id"
                   " FROM messages m JOIN memberships mb"
                   " ON mb.room_id = m.room_id AND mb.user_id = ?2"
                   " WHERE m.id = ?1 AND ?3 IN (0, m.room_id)",
                   "iii", id, viewer_id, room_id),
               pool, ngx_campfire_model_message_find_row, message);
}


ngx_int_t
ngx_campfire_model_message_locate(ngx_campfire_db_conn_t *conn,
    ngx_pool_t *pool, int64_t id, ngx_campfire_message_t *message)
{
    return ngx_campfire_model_row_one(
               ngx_campfire_db_query(conn,
                   "SELECT m.id, m.room_id, m.creator_id, m.created_at,"
                   " m.updated_at, m.client_message_id"
                   " FROM messages m WHERE m.id = ?1",
                   "i", id),
               pool, ngx_campfire_model_message_find_row, message);
}


static ngx_int_t
ngx_campfire_model_message_find_row(ngx_campfire_db_stmt_t *stmt,
    ngx_pool_t *pool, void *elt)
{
    ngx_campfire_message_t  *message = elt;

    ngx_memzero(message, sizeof(ngx_campfire_message_t));

    message->id = ngx_campfire_db_int(stmt, 0);
    message->room_id = ngx_campfire_db_int(stmt, 1);
    message->creator.id = ngx_campfire_db_int(stmt, 2);
    message->created_at = ngx_campfire_db_time(stmt, 3);
    message->updated_at = ngx_campfire_db_time(stmt, 4);

    return ngx_campfire_db_text(stmt, 5, pool, &message->client_message_id);
}


ngx_uint_t
ngx_campfire_model_message_administers(const ngx_campfire_user_t *user,
    const ngx_campfire_message_t *message)
{
    return user->role == NGX_CAMPFIRE_ROLE_ADMINISTRATOR
           || user->id == message->creator.id;
}


ngx_int_t
ngx_campfire_model_message_create(ngx_campfire_tx_t *tx, void *args)
{
    int64_t                                    id;
    ngx_int_t                                  rc;
    ngx_str_t                                  text;
    ngx_campfire_effect_t                     *effect;
    ngx_campfire_model_message_create_args_t  *create = args;

    if (create->client_message_id.len > NGX_CAMPFIRE_MODEL_MESSAGE_CLIENT) {
        return NGX_CAMPFIRE_UNPROCESSABLE;
    }

    rc = ngx_campfire_model_row_exists(
             ngx_campfire_db_query(tx->conn,
                 "SELECT 1 FROM memberships mb"
                 " JOIN rooms r ON r.id = mb.room_id"
                 " JOIN users u ON u.id = mb.user_id AND u.status = 0"
                 " WHERE mb.room_id = ?1 AND mb.user_id = ?2",
                 "ii", create->room_id, create->viewer_id));
    if (rc != NGX_OK) {
        return rc;
    }

    rc = ngx_campfire_model_message_insert(tx, create);
    if (rc != NGX_OK) {
        return rc;
    }

    id = tx->job->id;

    if (create->body.data) {
        rc = ngx_campfire_model_message_set_body(tx, id, &create->body, NULL);
        if (rc != NGX_OK) {
            return rc;
        }
    }

    rc = ngx_campfire_model_message_text(tx, &create->body, &create->plain,
                                         &text);
    if (rc != NGX_OK) {
        return rc;
    }

    rc = ngx_campfire_model_message_set_index(tx, id, &text);
    if (rc != NGX_OK) {
        return rc;
    }

    rc = ngx_campfire_model_row_touch_room(tx, create->room_id);
    if (rc != NGX_OK) {
        return rc;
    }

    effect = ngx_campfire_db_writer_effect(tx,
                                         NGX_CAMPFIRE_EFFECT_MESSAGE_CREATED);
    if (effect == NULL) {
        return NGX_ERROR;
    }

    effect->room = create->room_id;
    effect->id = id;
    effect->user = create->viewer_id;
    effect->time = tx->now;

    return NGX_OK;
}


static ngx_int_t
ngx_campfire_model_message_insert(ngx_campfire_tx_t *tx,
    ngx_campfire_model_message_create_args_t *create)
{
    ngx_int_t  rc;

    tx->job->text = create->client_message_id;

    if (tx->job->text.data == NULL
        && ngx_campfire_base_random_uuid(tx->pool, &tx->job->text) != NGX_OK)
    {
        return NGX_ERROR;
    }

    rc = ngx_campfire_db_exec(tx->conn,
             "INSERT INTO messages (room_id, creator_id, client_message_id,"
             " created_at, updated_at) VALUES (?1, ?2, ?3, ?4, ?4)",
             "iist", create->room_id, create->viewer_id, &tx->job->text,
             tx->now);

    if (rc == NGX_OK) {
        tx->job->id = ngx_campfire_db_last_id(tx->conn);
    }

    return rc;
}


/* The plain text, made from the body when it is not at hand. */
static ngx_int_t
ngx_campfire_model_message_text(ngx_campfire_tx_t *tx, ngx_str_t *body,
    ngx_str_t *plain, ngx_str_t *text)
{
    ngx_campfire_model_message_reader_t  reader;

    if (plain->data) {
        *text = *plain;
        return NGX_OK;
    }

    reader.conn = tx->conn;
    reader.pool = tx->pool;
    reader.signers = tx->signers;
    reader.base_url = NULL;

    return ngx_campfire_model_message_plain(&reader, body, text);
}


ngx_int_t
ngx_campfire_model_message_update(ngx_campfire_tx_t *tx, void *args)
{
    ngx_int_t                                  rc;
    ngx_str_t                                  text;
    ngx_campfire_model_message_held_t          held;
    ngx_campfire_model_message_update_args_t  *update = args;

    rc = ngx_campfire_model_message_hold(tx, update->viewer_id,
                                         update->room_id, update->message_id,
                                         &held);
    if (rc != NGX_OK) {
        return rc;
    }

    if (update->body.data) {
        rc = ngx_campfire_model_message_set_body(tx, update->message_id,
                                                 &update->body, &held.body);
        if (rc != NGX_OK) {
            return rc;
        }

        rc = ngx_campfire_model_message_text(tx, &update->body,
                                             &update->plain, &text);
        if (rc != NGX_OK) {
            return rc;
        }

        if (ngx_campfire_richtext_blank(&text) && held.filename.data) {
            text = held.filename;
        }

        rc = ngx_campfire_model_message_index(tx, update->message_id, &text);
        if (rc != NGX_OK) {
            return rc;
        }
    }

    rc = ngx_campfire_model_row_touch_message(tx, update->room_id,
                                              update->message_id);
    if (rc != NGX_OK) {
        return rc;
    }

    tx->job->id = update->message_id;
    tx->job->text = held.client_message_id;

    return ngx_campfire_model_row_effect(tx,
                                         NGX_CAMPFIRE_EFFECT_MESSAGE_UPDATED,
                                         update->room_id, update->viewer_id,
                                         update->message_id, 0);
}


ngx_int_t
ngx_campfire_model_message_destroy(ngx_campfire_tx_t *tx, void *args)
{
    ngx_int_t                                   rc;
    ngx_campfire_effect_t                      *effect;
    ngx_campfire_model_message_held_t           held;
    ngx_campfire_model_message_destroy_args_t  *destroy = args;

    rc = ngx_campfire_model_message_hold(tx, destroy->viewer_id,
                                         destroy->room_id,
                                         destroy->message_id, &held);
    if (rc != NGX_OK) {
        return rc;
    }

    rc = ngx_campfire_model_message_delete(tx, destroy->message_id);
    if (rc != NGX_OK) {
        return rc;
    }

    rc = ngx_campfire_model_row_touch_room(tx, destroy->room_id);
    if (rc != NGX_OK) {
        return rc;
    }

    tx->job->id = destroy->message_id;
    tx->job->text = held.client_message_id;

    effect = ngx_campfire_db_writer_effect(tx,
                                       NGX_CAMPFIRE_EFFECT_MESSAGE_DESTROYED);
    if (effect == NULL) {
        return NGX_ERROR;
    }

    effect->room = destroy->room_id;
    effect->user = destroy->viewer_id;
    effect->id = destroy->message_id;
    effect->text = held.client_message_id;

    return NGX_OK;
}


/* The message for changing it: 404 unless he is in the room, 403 unless his. */
static ngx_int_t
ngx_campfire_model_message_hold(ngx_campfire_tx_t *tx, int64_t viewer_id,
    int64_t room_id, int64_t id, ngx_campfire_model_message_held_t *held)
{
    ngx_int_t  rc;

    rc = ngx_campfire_model_row_one(
             ngx_campfire_db_query(tx->conn,
                 "SELECT m.creator_id, u.role, m.client_message_id, t.body,"
                 " (SELECT b.filename FROM active_storage_attachments f"
                 " JOIN active_storage_blobs b ON b.id = f.blob_id"
                 " WHERE f.record_type = 'Message' AND f.record_id = m.id"
                 " AND f.name = 'attachment' LIMIT 1)"
                 " FROM messages m"
                 " JOIN memberships mb ON mb.room_id = m.room_id"
                 " AND mb.user_id = ?3"
                 " JOIN users u ON u.id = mb.user_id AND u.status = 0"
                 " LEFT JOIN action_text_rich_texts t"
                 " ON t.record_type = 'Message' AND t.record_id = m.id"
                 " AND t.name = 'body'"
                 " WHERE m.id = ?1 AND m.room_id = ?2",
                 "iii", id, room_id, viewer_id),
             tx->pool, ngx_campfire_model_message_held_row, held);
    if (rc != NGX_OK) {
        return rc;
    }

    if (held->viewer_role != NGX_CAMPFIRE_ROLE_ADMINISTRATOR
        && held->creator_id != viewer_id)
    {
        return NGX_CAMPFIRE_FORBIDDEN;
    }

    return NGX_OK;
}


static ngx_int_t
ngx_campfire_model_message_held_row(ngx_campfire_db_stmt_t *stmt,
    ngx_pool_t *pool, void *elt)
{
    ngx_campfire_model_message_held_t  *held = elt;

    held->creator_id = ngx_campfire_db_int(stmt, 0);
    held->viewer_role = ngx_campfire_db_int(stmt, 1);

    if (ngx_campfire_db_text(stmt, 2, pool, &held->client_message_id)
        != NGX_OK
        || ngx_campfire_db_text(stmt, 3, pool, &held->body) != NGX_OK
        || ngx_campfire_db_text(stmt, 4, pool, &held->filename) != NGX_OK)
    {
        return NGX_ERROR;
    }

    return ngx_campfire_model_message_filename(pool, &held->filename);
}


/* before is the stored body, NULL or without data if there is none. */
static ngx_int_t
ngx_campfire_model_message_set_body(ngx_campfire_tx_t *tx, int64_t id,
    ngx_str_t *body, ngx_str_t *before)
{
    if (before && before->data && before->len == body->len
        && ngx_memcmp(before->data, body->data, body->len) == 0)
    {
        return NGX_OK;
    }

    return ngx_campfire_db_exec(tx->conn,
               "INSERT INTO action_text_rich_texts (name, record_type,"
               " record_id, body, created_at, updated_at)"
               " VALUES ('body', 'Message', ?1, ?2, ?3, ?3)"
               " ON CONFLICT (record_type, record_id, name) DO UPDATE"
               " SET body = excluded.body, updated_at = excluded.updated_at",
               "ist", id, body, tx->now);
}


ngx_int_t
ngx_campfire_model_message_index(ngx_campfire_tx_t *tx, int64_t id,
    ngx_str_t *plain)
{
    ngx_int_t  rc;

    /* rewriting a row of the index is dear, even with the same text */

    rc = ngx_campfire_model_row_exists(
             ngx_campfire_db_query(tx->conn,
                 "SELECT 1 FROM message_search_index"
                 " WHERE rowid = ?1 AND body = ?2",
                 "is", id, plain));
    if (rc != NGX_DECLINED) {
        return rc;
    }

    return ngx_campfire_model_message_set_index(tx, id, plain);
}


static ngx_int_t
ngx_campfire_model_message_set_index(ngx_campfire_tx_t *tx, int64_t id,
    ngx_str_t *plain)
{
    return ngx_campfire_db_exec(tx->conn,
               "INSERT OR REPLACE INTO message_search_index (rowid, body)"
               " VALUES (?1, ?2)",
               "is", id, plain);
}


/*
 * Children first, for no foreign key has a cascade.  The files stay: a blob
 * that nothing is attached to any more is for the purge to find.
 */
ngx_int_t
ngx_campfire_model_message_delete(ngx_campfire_tx_t *tx, int64_t id)
{
    ngx_int_t  rc;

    rc = ngx_campfire_db_exec(tx->conn,
             "DELETE FROM active_storage_attachments"
             " WHERE record_type = 'Message' AND record_id = ?1",
             "i", id);
    if (rc != NGX_OK) {
        return rc;
    }

    rc = ngx_campfire_db_exec(tx->conn,
                              "DELETE FROM boosts WHERE message_id = ?1",
                              "i", id);
    if (rc != NGX_OK) {
        return rc;
    }

    rc = ngx_campfire_db_exec(tx->conn,
             "DELETE FROM active_storage_attachments"
             " WHERE record_type = 'ActionText::RichText' AND record_id IN"
             " (SELECT t.id FROM action_text_rich_texts t"
             " WHERE t.record_type = 'Message' AND t.record_id = ?1)",
             "i", id);
    if (rc != NGX_OK) {
        return rc;
    }

    rc = ngx_campfire_db_exec(tx->conn,
             "DELETE FROM action_text_rich_texts"
             " WHERE record_type = 'Message' AND record_id = ?1",
             "i", id);
    if (rc != NGX_OK) {
        return rc;
    }

    rc = ngx_campfire_db_exec(tx->conn,
                              "DELETE FROM message_search_index"
                              " WHERE rowid = ?1",
                              "i", id);
    if (rc != NGX_OK) {
        return rc;
    }

    return ngx_campfire_db_exec(tx->conn,
                                "DELETE FROM messages WHERE id = ?1", "i",
                                id);
}
