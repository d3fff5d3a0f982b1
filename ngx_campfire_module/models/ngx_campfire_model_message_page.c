
/*
 * Pages of messages: the statements that bring their rows, each with creator,
 * room, body and file name.
 *
 * The order is by (created_at, id), which an index of ours has.  The anchor
 * of a page is compared inside the statement, because times have more than
 * one spelling.
 */

#include "models/ngx_campfire_model_message.h"
#include "models/ngx_campfire_model_room.h"
#include "models/ngx_campfire_model_row.h"
#include "models/ngx_campfire_model_user.h"


#define NGX_CAMPFIRE_MODEL_MESSAGE_SELECT                                     \
    "SELECT " NGX_CAMPFIRE_MODEL_USER_COLUMNS("u")                            \
    ", " NGX_CAMPFIRE_MODEL_ROOM_COLUMNS("r")                                 \
    ", m.id, m.room_id, m.client_message_id, m.created_at, m.updated_at,"     \
    " m.creator_id, t.body,"                                                  \
    " (SELECT b.filename FROM active_storage_attachments f"                   \
    " JOIN active_storage_blobs b ON b.id = f.blob_id"                        \
    " WHERE f.record_type = 'Message' AND f.record_id = m.id"                 \
    " AND f.name = 'attachment' LIMIT 1)"

/* The end of the year 9999, in microseconds. */
#define NGX_CAMPFIRE_MODEL_MESSAGE_LAST_TIME  INT64_C(253402300799999999)

#define NGX_CAMPFIRE_MODEL_MESSAGE_JOIN                                       \
    " LEFT JOIN users u ON u.id = m.creator_id"                               \
    " LEFT JOIN rooms r ON r.id = m.room_id"                                  \
    " LEFT JOIN action_text_rich_texts t ON t.record_type = 'Message'"        \
    " AND t.record_id = m.id AND t.name = 'body'"


static ngx_int_t ngx_campfire_model_message_anchor(
    ngx_campfire_db_conn_t *conn, int64_t room_id, int64_t anchor);
static ngx_int_t ngx_campfire_model_message_rows(ngx_campfire_db_stmt_t *stmt,
    ngx_pool_t *pool, ngx_array_t *rows);
static ngx_int_t ngx_campfire_model_message_rows_before(
    ngx_campfire_model_message_reader_t *reader, int64_t room_id,
    int64_t anchor, ngx_array_t *rows);
static ngx_int_t ngx_campfire_model_message_rows_after(
    ngx_campfire_model_message_reader_t *reader, int64_t room_id,
    int64_t anchor, ngx_array_t *rows);
static ngx_int_t ngx_campfire_model_message_rows_updated(
    ngx_campfire_model_message_reader_t *reader, int64_t room_id,
    int64_t since, ngx_uint_t full, ngx_str_t *except, ngx_array_t *rows);
static ngx_int_t ngx_campfire_model_message_row(ngx_campfire_db_stmt_t *stmt,
    ngx_pool_t *pool, void *elt);
static void ngx_campfire_model_message_reverse(ngx_array_t *rows);


ngx_int_t
ngx_campfire_model_message_get(ngx_campfire_db_conn_t *conn, ngx_pool_t *pool,
    ngx_campfire_signers_t *signers, ngx_str_t *base_url, int64_t id,
    ngx_campfire_message_t *message)
{
    ngx_int_t                            rc;
    ngx_campfire_messages_t              messages;
    ngx_campfire_model_message_reader_t  reader;

    reader.conn = conn;
    reader.pool = pool;
    reader.signers = signers;
    reader.base_url = base_url;

    ngx_memzero(message, sizeof(ngx_campfire_message_t));

    rc = ngx_campfire_model_row_one(
             ngx_campfire_db_query(conn,
                 NGX_CAMPFIRE_MODEL_MESSAGE_SELECT " FROM messages m"
                 NGX_CAMPFIRE_MODEL_MESSAGE_JOIN " WHERE m.id = ?1",
                 "i", id),
             pool, ngx_campfire_model_message_row, message);
    if (rc != NGX_OK) {
        return rc;
    }

    messages.elts = message;
    messages.nelts = 1;

    return ngx_campfire_model_message_load(&reader, &messages);
}


ngx_int_t
ngx_campfire_model_message_list_ids(
    ngx_campfire_model_message_reader_t *reader, const int64_t *ids,
    ngx_uint_t n, ngx_campfire_messages_t *messages)
{
    ngx_int_t    rc;
    ngx_str_t    json;
    ngx_array_t  rows;

    if (ngx_campfire_model_row_json(reader->pool, ids, n, &json) != NGX_OK) {
        return NGX_ERROR;
    }

    rc = ngx_campfire_model_message_rows(
             ngx_campfire_db_query(reader->conn,
                 NGX_CAMPFIRE_MODEL_MESSAGE_SELECT " FROM messages m"
                 NGX_CAMPFIRE_MODEL_MESSAGE_JOIN
                 " WHERE m.id IN (SELECT value FROM json_each(?1))"
                 " ORDER BY m.created_at, m.id",
                 "s", &json),
             reader->pool, &rows);
    if (rc != NGX_OK) {
        return rc;
    }

    messages->elts = rows.elts;
    messages->nelts = rows.nelts;

    return ngx_campfire_model_message_load(reader, messages);
}


ngx_int_t
ngx_campfire_model_message_last(ngx_campfire_model_message_reader_t *reader,
    int64_t room_id, ngx_campfire_messages_t *messages)
{
    ngx_int_t    rc;
    ngx_array_t  rows;

    rc = ngx_campfire_model_message_rows(
             ngx_campfire_db_query(reader->conn,
                 NGX_CAMPFIRE_MODEL_MESSAGE_SELECT " FROM messages m"
                 NGX_CAMPFIRE_MODEL_MESSAGE_JOIN
                 " WHERE m.room_id = ?1"
                 " ORDER BY m.created_at DESC, m.id DESC LIMIT 40",
                 "i", room_id),
             reader->pool, &rows);
    if (rc != NGX_OK) {
        return rc;
    }

    ngx_campfire_model_message_reverse(&rows);

    messages->elts = rows.elts;
    messages->nelts = rows.nelts;

    return ngx_campfire_model_message_load(reader, messages);
}


ngx_int_t
ngx_campfire_model_message_before(
    ngx_campfire_model_message_reader_t *reader, int64_t room_id,
    int64_t anchor, ngx_campfire_messages_t *messages)
{
    ngx_int_t    rc;
    ngx_array_t  rows;

    rc = ngx_campfire_model_message_anchor(reader->conn, room_id, anchor);
    if (rc != NGX_OK) {
        return rc;
    }

    rc = ngx_campfire_model_message_rows_before(reader, room_id, anchor,
                                                &rows);
    if (rc != NGX_OK) {
        return rc;
    }

    messages->elts = rows.elts;
    messages->nelts = rows.nelts;

    return ngx_campfire_model_message_load(reader, messages);
}


ngx_int_t
ngx_campfire_model_message_after(ngx_campfire_model_message_reader_t *reader,
    int64_t room_id, int64_t anchor, ngx_campfire_messages_t *messages)
{
    ngx_int_t    rc;
    ngx_array_t  rows;

    rc = ngx_campfire_model_message_anchor(reader->conn, room_id, anchor);
    if (rc != NGX_OK) {
        return rc;
    }

    rc = ngx_campfire_model_message_rows_after(reader, room_id, anchor,
                                               &rows);
    if (rc != NGX_OK) {
        return rc;
    }

    messages->elts = rows.elts;
    messages->nelts = rows.nelts;

    return ngx_campfire_model_message_load(reader, messages);
}


ngx_int_t
ngx_campfire_model_message_around(
    ngx_campfire_model_message_reader_t *reader, int64_t room_id,
    int64_t anchor, ngx_campfire_messages_t *messages)
{
    ngx_int_t                rc;
    ngx_array_t              before, after;
    ngx_campfire_message_t  *message;

    rc = ngx_campfire_model_message_anchor(reader->conn, room_id, anchor);
    if (rc != NGX_OK) {
        return rc;
    }

    rc = ngx_campfire_model_message_rows_before(reader, room_id, anchor,
                                                &before);
    if (rc != NGX_OK) {
        return rc;
    }

    rc = ngx_campfire_model_message_rows_after(reader, room_id, anchor,
                                               &after);
    if (rc != NGX_OK) {
        return rc;
    }

    message = ngx_array_push(&before);
    if (message == NULL) {
        return NGX_ERROR;
    }

    ngx_memzero(message, sizeof(ngx_campfire_message_t));

    rc = ngx_campfire_model_row_one(
             ngx_campfire_db_query(reader->conn,
                 NGX_CAMPFIRE_MODEL_MESSAGE_SELECT " FROM messages m"
                 NGX_CAMPFIRE_MODEL_MESSAGE_JOIN " WHERE m.id = ?1",
                 "i", anchor),
             reader->pool, ngx_campfire_model_message_row, message);
    if (rc != NGX_OK) {
        return rc;
    }

    if (after.nelts) {
        message = ngx_array_push_n(&before, after.nelts);
        if (message == NULL) {
            return NGX_ERROR;
        }

        ngx_memcpy(message, after.elts,
                   after.nelts * sizeof(ngx_campfire_message_t));
    }

    messages->elts = before.elts;
    messages->nelts = before.nelts;

    return ngx_campfire_model_message_load(reader, messages);
}


static ngx_int_t
ngx_campfire_model_message_anchor(ngx_campfire_db_conn_t *conn,
    int64_t room_id, int64_t anchor)
{
    return ngx_campfire_model_row_exists(
               ngx_campfire_db_query(conn,
                   "SELECT 1 FROM messages WHERE id = ?1 AND room_id = ?2",
                   "ii", anchor, room_id));
}


static ngx_int_t
ngx_campfire_model_message_rows(ngx_campfire_db_stmt_t *stmt,
    ngx_pool_t *pool, ngx_array_t *rows)
{
    if (ngx_array_init(rows, pool, NGX_CAMPFIRE_MODEL_MESSAGE_PAGE,
                       sizeof(ngx_campfire_message_t))
        != NGX_OK)
    {
        if (stmt) {
            ngx_campfire_db_reset(stmt);
        }

        return NGX_ERROR;
    }

    return ngx_campfire_model_row_all(stmt, pool,
                                      ngx_campfire_model_message_row, rows);
}


static ngx_int_t
ngx_campfire_model_message_rows_before(
    ngx_campfire_model_message_reader_t *reader, int64_t room_id,
    int64_t anchor, ngx_array_t *rows)
{
    ngx_int_t  rc;

    rc = ngx_campfire_model_message_rows(
             ngx_campfire_db_query(reader->conn,
                 NGX_CAMPFIRE_MODEL_MESSAGE_SELECT " FROM messages m"
                 NGX_CAMPFIRE_MODEL_MESSAGE_JOIN
                 " WHERE m.room_id = ?1 AND (m.created_at, m.id) <"
                 " (SELECT a.created_at, a.id FROM messages a"
                 " WHERE a.id = ?2)"
                 " ORDER BY m.created_at DESC, m.id DESC LIMIT 40",
                 "ii", room_id, anchor),
             reader->pool, rows);

    ngx_campfire_model_message_reverse(rows);

    return rc;
}


static ngx_int_t
ngx_campfire_model_message_rows_after(
    ngx_campfire_model_message_reader_t *reader, int64_t room_id,
    int64_t anchor, ngx_array_t *rows)
{
    return ngx_campfire_model_message_rows(
               ngx_campfire_db_query(reader->conn,
                   NGX_CAMPFIRE_MODEL_MESSAGE_SELECT " FROM messages m"
                   NGX_CAMPFIRE_MODEL_MESSAGE_JOIN
                   " WHERE m.room_id = ?1 AND (m.created_at, m.id) >"
                   " (SELECT a.created_at, a.id FROM messages a"
                   " WHERE a.id = ?2)"
                   " ORDER BY m.created_at, m.id LIMIT 40",
                   "ii", room_id, anchor),
               reader->pool, rows);
}


static ngx_int_t
ngx_campfire_model_message_row(ngx_campfire_db_stmt_t *stmt, ngx_pool_t *pool,
    void *elt)
{
    int                      col;
    ngx_campfire_message_t  *message = elt;

    if (ngx_campfire_model_user_row(stmt, 0, pool, &message->creator)
        != NGX_OK)
    {
        return NGX_ERROR;
    }

    col = NGX_CAMPFIRE_MODEL_USER_NCOLUMNS;

    if (ngx_campfire_model_room_row(stmt, col, pool, &message->room)
        != NGX_OK)
    {
        return NGX_ERROR;
    }

    col += NGX_CAMPFIRE_MODEL_ROOM_NCOLUMNS;

    message->id = ngx_campfire_db_int(stmt, col);
    message->room_id = ngx_campfire_db_int(stmt, col + 1);
    message->created_at = ngx_campfire_db_time(stmt, col + 3);
    message->updated_at = ngx_campfire_db_time(stmt, col + 4);

    if (message->creator.id == 0) {
        message->kind = NGX_CAMPFIRE_MESSAGE_BROKEN;
        message->creator.id = ngx_campfire_db_int(stmt, col + 5);
    }

    if (ngx_campfire_db_text(stmt, col + 2, pool, &message->client_message_id)
        != NGX_OK
        || ngx_campfire_db_text(stmt, col + 6, pool, &message->body) != NGX_OK
        || ngx_campfire_db_text(stmt, col + 7, pool, &message->filename)
           != NGX_OK)
    {
        return NGX_ERROR;
    }

    return ngx_campfire_model_message_filename(pool, &message->filename);
}


static void
ngx_campfire_model_message_reverse(ngx_array_t *rows)
{
    ngx_uint_t               i, k;
    ngx_campfire_message_t  *message, swap;

    message = rows->elts;

    for (i = 0, k = rows->nelts; i + 1 < k; i++, k--) {
        swap = message[i];
        message[i] = message[k - 1];
        message[k - 1] = swap;
    }
}


ngx_int_t
ngx_campfire_model_message_refresh(
    ngx_campfire_model_message_reader_t *reader, int64_t room_id,
    int64_t since, ngx_campfire_messages_t *created,
    ngx_campfire_messages_t *updated)
{
    int64_t     *ids;
    ngx_int_t    rc;
    ngx_str_t    json;
    ngx_uint_t   i;
    ngx_array_t  rows;

    /*
     * A time of 0 would be bound as NULL, which nothing is newer than, and
     * the year 10000 is text that everything is newer than.
     */

    since = ngx_min(ngx_max(since, 1), NGX_CAMPFIRE_MODEL_MESSAGE_LAST_TIME);

    rc = ngx_campfire_model_message_rows(
             ngx_campfire_db_query(reader->conn,
                 NGX_CAMPFIRE_MODEL_MESSAGE_SELECT " FROM messages m"
                 NGX_CAMPFIRE_MODEL_MESSAGE_JOIN
                 " WHERE m.room_id = ?1 AND m.created_at > ?2"
                 " ORDER BY m.created_at, m.id LIMIT 40",
                 "it", room_id, since),
             reader->pool, &rows);
    if (rc != NGX_OK) {
        return rc;
    }

    created->elts = rows.elts;
    created->nelts = rows.nelts;

    ids = ngx_palloc(reader->pool, (rows.nelts + 1) * sizeof(int64_t));
    if (ids == NULL) {
        return NGX_ERROR;
    }

    for (i = 0; i < created->nelts; i++) {
        ids[i] = created->elts[i].id;
    }

    if (ngx_campfire_model_row_json(reader->pool, ids, created->nelts, &json)
        != NGX_OK)
    {
        return NGX_ERROR;
    }

    rc = ngx_campfire_model_message_rows_updated(reader, room_id, since,
                    created->nelts == NGX_CAMPFIRE_MODEL_MESSAGE_PAGE, &json,
                    &rows);
    if (rc != NGX_OK) {
        return rc;
    }

    ngx_campfire_model_message_reverse(&rows);

    updated->elts = rows.elts;
    updated->nelts = rows.nelts;

    rc = ngx_campfire_model_message_load(reader, created);
    if (rc != NGX_OK) {
        return rc;
    }

    return ngx_campfire_model_message_load(reader, updated);
}


/*
 * With a full page of new ones there may be any number of others; a page of
 * them that are new, too, is found without a look at the rest of the room.
 * If there is none, little can have changed since.
 */
static ngx_int_t
ngx_campfire_model_message_rows_updated(
    ngx_campfire_model_message_reader_t *reader, int64_t room_id,
    int64_t since, ngx_uint_t full, ngx_str_t *except, ngx_array_t *rows)
{
    ngx_int_t  rc;

    if (full) {
        rc = ngx_campfire_model_message_rows(
                 ngx_campfire_db_query(reader->conn,
                     NGX_CAMPFIRE_MODEL_MESSAGE_SELECT " FROM messages m"
                     NGX_CAMPFIRE_MODEL_MESSAGE_JOIN
                     " WHERE m.room_id = ?1 AND m.created_at > ?2"
                     " AND m.id NOT IN (SELECT value FROM json_each(?3))"
                     " ORDER BY m.created_at DESC, m.id DESC LIMIT 40",
                     "its", room_id, since, except),
                 reader->pool, rows);

        if (rc != NGX_OK || rows->nelts == NGX_CAMPFIRE_MODEL_MESSAGE_PAGE) {
            return rc;
        }
    }

    return ngx_campfire_model_message_rows(
               ngx_campfire_db_query(reader->conn,
                   NGX_CAMPFIRE_MODEL_MESSAGE_SELECT " FROM messages m"
                   NGX_CAMPFIRE_MODEL_MESSAGE_JOIN
                   " WHERE m.room_id = ?1 AND m.updated_at > ?2"
                   " AND m.id NOT IN (SELECT value FROM json_each(?3))"
                   " ORDER BY m.created_at DESC, m.id DESC LIMIT 40",
                   "its", room_id, since, except),
               reader->pool, rows);
}


ngx_int_t
ngx_campfire_model_message_count(ngx_campfire_db_conn_t *conn,
    int64_t room_id, int64_t *count)
{
    return ngx_campfire_db_get_int(conn, count,
               "SELECT COUNT(*) FROM messages WHERE room_id = ?1", "i",
               room_id);
}


ngx_int_t
ngx_campfire_model_message_paged(ngx_campfire_db_conn_t *conn,
    int64_t room_id, ngx_uint_t *paged)
{
    ngx_int_t  rc;

    rc = ngx_campfire_model_row_exists(
             ngx_campfire_db_query(conn,
                 "SELECT 1 FROM messages WHERE room_id = ?1"
                 " LIMIT 1 OFFSET 40",
                 "i", room_id));

    if (rc != NGX_OK && rc != NGX_DECLINED) {
        return rc;
    }

    *paged = (rc == NGX_OK);

    return NGX_OK;
}
