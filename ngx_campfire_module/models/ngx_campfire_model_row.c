
/*
 * Rows, lists of ids and touches.
 */

#include "models/ngx_campfire_model_row.h"


ngx_int_t
ngx_campfire_model_row_one(ngx_campfire_db_stmt_t *stmt, ngx_pool_t *pool,
    ngx_campfire_model_row_pt row, void *elt)
{
    ngx_int_t  rc;

    if (stmt == NULL) {
        return NGX_ERROR;
    }

    rc = ngx_campfire_db_step(stmt);

    if (rc != NGX_OK) {
        return (rc == NGX_DONE) ? NGX_DECLINED : rc;
    }

    rc = row(stmt, pool, elt);

    ngx_campfire_db_reset(stmt);

    return rc;
}


ngx_int_t
ngx_campfire_model_row_all(ngx_campfire_db_stmt_t *stmt, ngx_pool_t *pool,
    ngx_campfire_model_row_pt row, ngx_array_t *elts)
{
    void       *elt;
    ngx_int_t   rc;

    if (stmt == NULL) {
        return NGX_ERROR;
    }

    for ( ;; ) {
        rc = ngx_campfire_db_step(stmt);

        if (rc != NGX_OK) {
            return (rc == NGX_DONE) ? NGX_OK : rc;
        }

        elt = ngx_array_push(elts);
        if (elt == NULL) {
            break;
        }

        ngx_memzero(elt, elts->size);

        if (row(stmt, pool, elt) != NGX_OK) {
            break;
        }
    }

    ngx_campfire_db_reset(stmt);

    return NGX_ERROR;
}


ngx_int_t
ngx_campfire_model_row_id(ngx_campfire_db_stmt_t *stmt, ngx_pool_t *pool,
    void *elt)
{
    *(int64_t *) elt = ngx_campfire_db_int(stmt, 0);

    return NGX_OK;
}


ngx_int_t
ngx_campfire_model_row_exists(ngx_campfire_db_stmt_t *stmt)
{
    ngx_int_t  rc;

    if (stmt == NULL) {
        return NGX_ERROR;
    }

    rc = ngx_campfire_db_step(stmt);

    if (rc == NGX_OK) {
        ngx_campfire_db_reset(stmt);
        return NGX_OK;
    }

    return (rc == NGX_DONE) ? NGX_DECLINED : rc;
}


ngx_int_t
ngx_campfire_model_row_json(ngx_pool_t *pool, const int64_t *ids,
    ngx_uint_t n, ngx_str_t *json)
{
    u_char      *p;
    ngx_uint_t   i;

    json->data = ngx_pnalloc(pool, 2 + n * (NGX_INT64_LEN + 1));
    if (json->data == NULL) {
        return NGX_ERROR;
    }

    p = json->data;
    *p++ = '[';

    for (i = 0; i < n; i++) {
        if (i) {
            *p++ = ',';
        }

        p = ngx_sprintf(p, "%L", ids[i]);
    }

    *p++ = ']';
    json->len = p - json->data;

    return NGX_OK;
}


ngx_int_t
ngx_campfire_model_row_sentence(ngx_pool_t *pool, const ngx_str_t *names,
    ngx_uint_t n, ngx_str_t *sentence)
{
    u_char      *p;
    size_t       len;
    ngx_uint_t   i;

    len = sizeof(", and ") - 1;
    for (i = 0; i < n; i++) {
        len += names[i].len + 2;
    }

    sentence->data = ngx_pnalloc(pool, len);
    if (sentence->data == NULL) {
        return NGX_ERROR;
    }

    p = sentence->data;

    for (i = 0; i < n; i++) {

        if (i && i + 1 < n) {
            p = ngx_cpymem(p, ", ", 2);

        } else if (i) {
            if (n > 2) {
                *p++ = ',';
            }

            p = ngx_cpymem(p, " and ", 5);
        }

        p = ngx_cpymem(p, names[i].data, names[i].len);
    }

    sentence->len = p - sentence->data;

    return NGX_OK;
}


ngx_int_t
ngx_campfire_model_row_touch_room(ngx_campfire_tx_t *tx, int64_t room_id)
{
    return ngx_campfire_db_exec(tx->conn,
               "UPDATE rooms SET updated_at = ?1 WHERE id = ?2",
               "ti", tx->now, room_id);
}


ngx_int_t
ngx_campfire_model_row_touch_message(ngx_campfire_tx_t *tx, int64_t room_id,
    int64_t message_id)
{
    ngx_int_t  rc;

    rc = ngx_campfire_db_exec(tx->conn,
             "UPDATE messages SET updated_at = ?1 WHERE id = ?2",
             "ti", tx->now, message_id);
    if (rc != NGX_OK) {
        return rc;
    }

    return ngx_campfire_model_row_touch_room(tx, room_id);
}


ngx_int_t
ngx_campfire_model_row_effect(ngx_campfire_tx_t *tx,
    ngx_campfire_effect_e kind, int64_t room, int64_t user, int64_t id,
    int64_t other)
{
    ngx_campfire_effect_t  *effect;

    effect = ngx_campfire_db_writer_effect(tx, kind);
    if (effect == NULL) {
        return NGX_ERROR;
    }

    effect->room = room;
    effect->user = user;
    effect->id = id;
    effect->other = other;

    return NGX_OK;
}
