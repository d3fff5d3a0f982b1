
#ifndef _NGX_CAMPFIRE_MODEL_SEARCH_H_INCLUDED_
#define _NGX_CAMPFIRE_MODEL_SEARCH_H_INCLUDED_


#include "models/ngx_campfire_model_message.h"


#define NGX_CAMPFIRE_MODEL_SEARCH_RESULTS  100
#define NGX_CAMPFIRE_MODEL_SEARCH_RECENT   10
#define NGX_CAMPFIRE_MODEL_SEARCH_BYTES    1024     /* of a query */


typedef struct {
    ngx_str_t   *elts;
    ngx_uint_t   nelts;
} ngx_campfire_model_search_queries_t;


/*
 * What is searched for and recorded: every character that is not of a word
 * becomes a space, and what is longer than the limit is cut.
 */
ngx_int_t ngx_campfire_model_search_normalize(ngx_pool_t *pool,
    const ngx_str_t *q, ngx_str_t *query);

/*
 * The newest 100 messages by id, in rooms of the viewer, with all words of
 * the normalised query; in the order of pages.  Slow: for a thread.
 */
ngx_int_t ngx_campfire_model_search_messages(
    ngx_campfire_model_message_reader_t *reader, int64_t viewer_id,
    const ngx_str_t *query, ngx_campfire_messages_t *messages);

/* The viewer's recent queries, the last used first. */
ngx_int_t ngx_campfire_model_search_recent(ngx_campfire_db_conn_t *conn,
    ngx_pool_t *pool, int64_t viewer_id,
    ngx_campfire_model_search_queries_t *queries);


/* Keeps the query among the 10 recent ones. */
typedef struct {
    int64_t     viewer_id;
    ngx_str_t   query;              /* normalised */
} ngx_campfire_model_search_record_args_t;

ngx_int_t ngx_campfire_model_search_record(ngx_campfire_tx_t *tx,
    void *args);

/* Forgets them all. */
typedef struct {
    int64_t     viewer_id;
} ngx_campfire_model_search_clear_args_t;

ngx_int_t ngx_campfire_model_search_clear(ngx_campfire_tx_t *tx, void *args);


#endif /* _NGX_CAMPFIRE_MODEL_SEARCH_H_INCLUDED_ */
