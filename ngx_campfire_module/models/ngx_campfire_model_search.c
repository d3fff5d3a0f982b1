
/*
 * Searching messages, and the searches people made.
 */

#include "models/ngx_campfire_model_search.h"
#include "models/ngx_campfire_model_row.h"
#include "models/ngx_campfire_model_user.h"
#include "richtext/ngx_campfire_richtext_tree.h"


static ngx_int_t ngx_campfire_model_search_match(ngx_pool_t *pool,
    const ngx_str_t *query, ngx_str_t *match);
static ngx_int_t ngx_campfire_model_search_query_row(
    ngx_campfire_db_stmt_t *stmt, ngx_pool_t *pool, void *elt);


ngx_int_t
ngx_campfire_model_search_normalize(ngx_pool_t *pool, const ngx_str_t *q,
    ngx_str_t *query)
{
    u_char        *out;
    size_t         n;
    uint32_t       c;
    const u_char  *p, *at, *last;

    query->len = 0;
    query->data = ngx_pnalloc(pool, q->len + 1);
    if (query->data == NULL) {
        return NGX_ERROR;
    }

    if (q->len == 0) {
        return NGX_OK;
    }

    out = query->data;
    p = q->data;
    last = p + q->len;

    while (p < last) {
        at = p;
        c = ngx_campfire_richtext_char_next(&p, last);

        if (!ngx_campfire_richtext_char_is_word(c)) {
            at = (const u_char *) " ";
            n = 1;

        } else {
            n = p - at;
        }

        if ((size_t) (out - query->data) + n
            > NGX_CAMPFIRE_MODEL_SEARCH_BYTES)
        {
            break;
        }

        out = ngx_cpymem(out, at, n);
    }

    query->len = out - query->data;

    return NGX_OK;
}


ngx_int_t
ngx_campfire_model_search_messages(
    ngx_campfire_model_message_reader_t *reader, int64_t viewer_id,
    const ngx_str_t *query, ngx_campfire_messages_t *messages)
{
    ngx_int_t    rc;
    ngx_str_t    match;
    ngx_array_t  ids;

    messages->elts = NULL;
    messages->nelts = 0;

    if (ngx_campfire_model_search_match(reader->pool, query, &match)
        != NGX_OK)
    {
        return NGX_ERROR;
    }

    if (match.len == 0) {
        return NGX_OK;
    }

    if (ngx_array_init(&ids, reader->pool, NGX_CAMPFIRE_MODEL_SEARCH_RESULTS,
                       sizeof(int64_t))
        != NGX_OK)
    {
        return NGX_ERROR;
    }

    /* the index walks from its end, and stops as soon as there are enough */

    rc = ngx_campfire_model_row_all(
             ngx_campfire_db_query(reader->conn,
                 "SELECT m.id FROM message_search_index f"
                 " CROSS JOIN messages m ON m.id = f.rowid"
                 " CROSS JOIN memberships mb ON mb.room_id = m.room_id"
                 " AND mb.user_id = ?1"
                 " WHERE message_search_index MATCH ?2"
                 " ORDER BY f.rowid DESC LIMIT 100",
                 "is", viewer_id, &match),
             reader->pool, ngx_campfire_model_row_id, &ids);

    if (rc != NGX_OK || ids.nelts == 0) {
        return rc;
    }

    return ngx_campfire_model_message_list_ids(reader, ids.elts, ids.nelts,
                                               messages);
}


/* Each word in quotes, so that AND, OR and NOT are words. */
static ngx_int_t
ngx_campfire_model_search_match(ngx_pool_t *pool, const ngx_str_t *query,
    ngx_str_t *match)
{
    u_char      *out;
    size_t       i;
    ngx_uint_t   inside;

    match->len = 0;
    match->data = ngx_pnalloc(pool, query->len * 3 + 3);
    if (match->data == NULL) {
        return NGX_ERROR;
    }

    out = match->data;
    inside = 0;

    for (i = 0; i < query->len; i++) {

        if (query->data[i] == ' ') {
            if (inside) {
                *out++ = '"';
                *out++ = ' ';
            }

            inside = 0;
            continue;
        }

        if (!inside) {
            *out++ = '"';
        }

        inside = 1;

        /* nothing of a normalised query can end the quotes */

        if (query->data[i] != '"') {
            *out++ = query->data[i];
        }
    }

    if (inside) {
        *out++ = '"';
    }

    match->len = out - match->data;

    return NGX_OK;
}


ngx_int_t
ngx_campfire_model_search_recent(ngx_campfire_db_conn_t *conn,
    ngx_pool_t *pool, int64_t viewer_id,
    ngx_campfire_model_search_queries_t *queries)
{
    ngx_int_t    rc;
    ngx_array_t  rows;

    if (ngx_array_init(&rows, pool, NGX_CAMPFIRE_MODEL_SEARCH_RECENT,
                       sizeof(ngx_str_t))
        != NGX_OK)
    {
        return NGX_ERROR;
    }

    rc = ngx_campfire_model_row_all(
             ngx_campfire_db_query(conn,
                 "SELECT query FROM searches WHERE user_id = ?1"
                 " ORDER BY updated_at DESC, id DESC",
                 "i", viewer_id),
             pool, ngx_campfire_model_search_query_row, &rows);

    queries->elts = rows.elts;
    queries->nelts = rows.nelts;

    return rc;
}


static ngx_int_t
ngx_campfire_model_search_query_row(ngx_campfire_db_stmt_t *stmt,
    ngx_pool_t *pool, void *elt)
{
    return ngx_campfire_db_text(stmt, 0, pool, elt);
}


ngx_int_t
ngx_campfire_model_search_record(ngx_campfire_tx_t *tx, void *args)
{
    ngx_int_t                                 rc;
    ngx_campfire_role_e                       role;
    ngx_campfire_model_search_record_args_t  *record = args;

    rc = ngx_campfire_model_user_active(tx, record->viewer_id, &role);
    if (rc != NGX_OK) {
        return rc;
    }

    rc = ngx_campfire_db_exec(tx->conn,
             "UPDATE searches SET updated_at = ?1"
             " WHERE id = (SELECT id FROM searches WHERE user_id = ?2"
             " AND query = ?3 ORDER BY id LIMIT 1)",
             "tis", tx->now, record->viewer_id, &record->query);
    if (rc != NGX_OK || ngx_campfire_db_changes(tx->conn)) {
        return rc;
    }

    rc = ngx_campfire_db_exec(tx->conn,
             "INSERT INTO searches (user_id, query, created_at, updated_at)"
             " VALUES (?1, ?2, ?3, ?3)",
             "ist", record->viewer_id, &record->query, tx->now);
    if (rc != NGX_OK) {
        return rc;
    }

    return ngx_campfire_db_exec(tx->conn,
               "DELETE FROM searches WHERE user_id = ?1 AND id NOT IN"
               " (SELECT id FROM searches WHERE user_id = ?1"
               " ORDER BY updated_at DESC, id DESC LIMIT 10)",
               "i", record->viewer_id);
}


ngx_int_t
ngx_campfire_model_search_clear(ngx_campfire_tx_t *tx, void *args)
{
    ngx_int_t                                rc;
    ngx_campfire_role_e                      role;
    ngx_campfire_model_search_clear_args_t  *clear = args;

    rc = ngx_campfire_model_user_active(tx, clear->viewer_id, &role);
    if (rc != NGX_OK) {
        return rc;
    }

    return ngx_campfire_db_exec(tx->conn,
                                "DELETE FROM searches WHERE user_id = ?1",
                                "i", clear->viewer_id);
}
