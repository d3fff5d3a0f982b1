
/*
 * What the files of this folder share: collecting rows, lists of ids as one
 * binding, and the updates that run through several tables.
 */

#ifndef _NGX_CAMPFIRE_MODEL_ROW_H_INCLUDED_
#define _NGX_CAMPFIRE_MODEL_ROW_H_INCLUDED_


#include "models/ngx_campfire_model.h"


/* Copies the current row into elt: NGX_OK or NGX_ERROR (no memory). */
typedef ngx_int_t (*ngx_campfire_model_row_pt)(ngx_campfire_db_stmt_t *stmt,
    ngx_pool_t *pool, void *elt);


/*
 * Both take what ngx_campfire_db_query() returned, NULL included, and leave
 * the statement reset.  one: NGX_DECLINED without a row.  all: pushes every
 * row to an array that is empty and has its element size set.
 */
ngx_int_t ngx_campfire_model_row_one(ngx_campfire_db_stmt_t *stmt,
    ngx_pool_t *pool, ngx_campfire_model_row_pt row, void *elt);
ngx_int_t ngx_campfire_model_row_all(ngx_campfire_db_stmt_t *stmt,
    ngx_pool_t *pool, ngx_campfire_model_row_pt row, ngx_array_t *elts);

/* A row of one id; elt is an int64_t. */
ngx_int_t ngx_campfire_model_row_id(ngx_campfire_db_stmt_t *stmt,
    ngx_pool_t *pool, void *elt);

/* NGX_OK: the statement has a row; NGX_DECLINED: it has none. */
ngx_int_t ngx_campfire_model_row_exists(ngx_campfire_db_stmt_t *stmt);


/* "[1,2,3]", for json_each(): a list of any length in one binding. */
ngx_int_t ngx_campfire_model_row_json(ngx_pool_t *pool, const int64_t *ids,
    ngx_uint_t n, ngx_str_t *json);

/* Binds NULL for a string that is not there. */
#define ngx_campfire_model_row_nullable(s)                                    \
    ((s)->data ? (ngx_str_t *) (s) : (ngx_str_t *) NULL)

/* "A", "A and B", "A, B, and C". */
ngx_int_t ngx_campfire_model_row_sentence(ngx_pool_t *pool,
    const ngx_str_t *names, ngx_uint_t n, ngx_str_t *sentence);


/* Moves updated_at; a touched message touches its room, too. */
ngx_int_t ngx_campfire_model_row_touch_room(ngx_campfire_tx_t *tx,
    int64_t room_id);
ngx_int_t ngx_campfire_model_row_touch_message(ngx_campfire_tx_t *tx,
    int64_t room_id, int64_t message_id);


/* Records an effect; NGX_ERROR: out of memory. */
ngx_int_t ngx_campfire_model_row_effect(ngx_campfire_tx_t *tx,
    ngx_campfire_effect_e kind, int64_t room, int64_t user, int64_t id,
    int64_t other);


#endif /* _NGX_CAMPFIRE_MODEL_ROW_H_INCLUDED_ */
