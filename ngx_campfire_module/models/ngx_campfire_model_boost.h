
#ifndef _NGX_CAMPFIRE_MODEL_BOOST_H_INCLUDED_
#define _NGX_CAMPFIRE_MODEL_BOOST_H_INCLUDED_


#include "models/ngx_campfire_model.h"


#define NGX_CAMPFIRE_MODEL_BOOST_CLUSTERS  16      /* what a reader counts */
#define NGX_CAMPFIRE_MODEL_BOOST_BYTES     1024


/* For publishing: the boost with its booster. */
ngx_int_t ngx_campfire_model_boost_get(ngx_campfire_db_conn_t *conn,
    ngx_pool_t *pool, int64_t id, ngx_campfire_boost_t *boost);

/* Of one message, oldest first. */
ngx_int_t ngx_campfire_model_boost_list(ngx_campfire_db_conn_t *conn,
    ngx_pool_t *pool, int64_t message_id, ngx_campfire_boosts_t *boosts);

/*
 * Gives each of the messages, in any order, its boosts, in one statement.
 */
ngx_int_t ngx_campfire_model_boost_load(ngx_campfire_db_conn_t *conn,
    ngx_pool_t *pool, ngx_campfire_messages_t *messages);


/*
 * job->id is the boost.  NGX_CAMPFIRE_UNPROCESSABLE: no content, or too much.
 * NGX_DECLINED: the message is not in a room of the viewer.
 */
typedef struct {
    int64_t     viewer_id;
    int64_t     message_id;
    ngx_str_t   content;            /* data NULL: missing; empty is allowed */
} ngx_campfire_model_boost_create_args_t;

ngx_int_t ngx_campfire_model_boost_create(ngx_campfire_tx_t *tx, void *args);

/* NGX_DECLINED: not on that message, or not the viewer's own. */
typedef struct {
    int64_t     viewer_id;
    int64_t     message_id;
    int64_t     boost_id;
} ngx_campfire_model_boost_destroy_args_t;

ngx_int_t ngx_campfire_model_boost_destroy(ngx_campfire_tx_t *tx, void *args);


#endif /* _NGX_CAMPFIRE_MODEL_BOOST_H_INCLUDED_ */
