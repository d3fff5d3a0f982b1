
#ifndef _NGX_CAMPFIRE_MODEL_MEMBERSHIP_H_INCLUDED_
#define _NGX_CAMPFIRE_MODEL_MEMBERSHIP_H_INCLUDED_


#include "models/ngx_campfire_model.h"


/* Presence not renewed for so long counts as gone (microseconds). */
#define NGX_CAMPFIRE_MODEL_MEMBERSHIP_TTL  ((int64_t) 60 * 1000000)


/* Seven columns of table mb, a literal, for the function below. */
#define NGX_CAMPFIRE_MODEL_MEMBERSHIP_COLUMNS(mb)                             \
    mb ".id, " mb ".room_id, " mb ".user_id, " mb ".involvement, "            \
    mb ".unread_at, " mb ".connected_at, " mb ".connections"

#define NGX_CAMPFIRE_MODEL_MEMBERSHIP_NCOLUMNS  7

/* Not hidden, of table mb: NULL and unknown words hide a room, too. */
#define NGX_CAMPFIRE_MODEL_MEMBERSHIP_VISIBLE(mb)                             \
    mb ".involvement IN ('nothing', 'mentions', 'everything')"

ngx_int_t ngx_campfire_model_membership_row(ngx_campfire_db_stmt_t *stmt,
    int col, ngx_pool_t *pool, ngx_campfire_membership_t *membership);


ngx_int_t ngx_campfire_model_membership_find(ngx_campfire_db_conn_t *conn,
    ngx_pool_t *pool, int64_t room_id, int64_t user_id,
    ngx_campfire_membership_t *membership);

/* NGX_OK: the user is in the room; NGX_DECLINED: not, or it is gone. */
ngx_int_t ngx_campfire_model_membership_exists(ngx_campfire_db_conn_t *conn,
    int64_t room_id, int64_t user_id);

/* Everybody in the room, whatever the involvement: who gets its notices. */
ngx_int_t ngx_campfire_model_membership_user_ids(ngx_campfire_db_conn_t *conn,
    ngx_pool_t *pool, int64_t room_id, ngx_campfire_ids_t *ids);

/* The badge: rooms with something unread. */
ngx_int_t ngx_campfire_model_membership_unread_count(
    ngx_campfire_db_conn_t *conn, int64_t user_id, int64_t *count);


/*
 * Presence, one UPDATE each.  present: records READ; NGX_DECLINED when the
 * viewer is not in the room, so that the subscription is refused.  refresh
 * and absent find nothing to do then; absent also serves those who lost
 * their access, because it only takes back what present gave.
 */
typedef struct {
    int64_t     room_id;
    int64_t     viewer_id;
    ngx_uint_t  counted;            /* present: only renews */
} ngx_campfire_model_membership_presence_args_t;

ngx_int_t ngx_campfire_model_membership_present(ngx_campfire_tx_t *tx,
    void *args);
ngx_int_t ngx_campfire_model_membership_refresh(ngx_campfire_tx_t *tx,
    void *args);
ngx_int_t ngx_campfire_model_membership_absent(ngx_campfire_tx_t *tx,
    void *args);

/* Many leave at once: absent for each, in one job. */
typedef struct {
    ngx_campfire_model_membership_presence_args_t  *elts;
    ngx_uint_t                                      nelts;
} ngx_campfire_model_membership_absent_all_args_t;

ngx_int_t ngx_campfire_model_membership_absent_all(ngx_campfire_tx_t *tx,
    void *args);

/* At the first start nobody can be connected; args is not looked at. */
ngx_int_t ngx_campfire_model_membership_disconnect_all(ngx_campfire_tx_t *tx,
    void *args);


/*
 * The bell: records INVOLVEMENT with the value before, also when it is the
 * same.  NGX_DECLINED: the viewer is not in the room, or not active.
 */
typedef struct {
    int64_t                      room_id;
    int64_t                      viewer_id;
    ngx_campfire_involvement_e   involvement;
} ngx_campfire_model_membership_involve_args_t;

ngx_int_t ngx_campfire_model_membership_involve(ngx_campfire_tx_t *tx,
    void *args);


/*
 * For writes.  Each is one statement, leaves present memberships as they are
 * and gives times of 3 digits, as bulk inserts of Rails do.
 */

/* A new user into all open rooms. */
ngx_int_t ngx_campfire_model_membership_grant_open(ngx_campfire_tx_t *tx,
    int64_t user_id);

/* All active users into an open room. */
ngx_int_t ngx_campfire_model_membership_grant_all(ngx_campfire_tx_t *tx,
    int64_t room_id);

/* Those of the users who exist, whatever their status. */
ngx_int_t ngx_campfire_model_membership_grant(ngx_campfire_tx_t *tx,
    int64_t room_id, const int64_t *ids, ngx_uint_t n,
    ngx_campfire_involvement_e involvement);


/* The hook of ngx_campfire_db_writer_hooks_t: unread marks of the batch. */
ngx_int_t ngx_campfire_model_membership_before_commit(ngx_campfire_tx_t *tx,
    ngx_queue_t *jobs);


#endif /* _NGX_CAMPFIRE_MODEL_MEMBERSHIP_H_INCLUDED_ */
