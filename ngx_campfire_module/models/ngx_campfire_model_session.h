
#ifndef _NGX_CAMPFIRE_MODEL_SESSION_H_INCLUDED_
#define _NGX_CAMPFIRE_MODEL_SESSION_H_INCLUDED_


#include "models/ngx_campfire_model.h"


/* A session whose last_active_at is older is touched again (microseconds). */
#define NGX_CAMPFIRE_MODEL_SESSION_IDLE  ((int64_t) 3600 * 1000000)


/* The session with that token and its user, in one statement. */
ngx_int_t ngx_campfire_model_session_find(ngx_campfire_db_conn_t *conn,
    ngx_pool_t *pool, ngx_str_t *token, ngx_campfire_session_t *session,
    ngx_campfire_user_t *user);

/* For sockets: does this session still exist?  NGX_OK or NGX_DECLINED. */
ngx_int_t ngx_campfire_model_session_exists(ngx_campfire_db_conn_t *conn,
    int64_t id);


/* For a write: adds a session; job->text becomes its token. */
ngx_int_t ngx_campfire_model_session_insert(ngx_campfire_tx_t *tx,
    int64_t user_id, ngx_str_t *ip_address, ngx_str_t *user_agent,
    int64_t *id);

/*
 * Signing in, by password or transfer: job->id is the session and job->text
 * its token.  NGX_DECLINED: the user is no longer active.
 */
typedef struct {
    int64_t     user_id;
    ngx_str_t   ip_address;
    ngx_str_t   user_agent;         /* data NULL: none sent */
} ngx_campfire_model_session_create_args_t;

ngx_int_t ngx_campfire_model_session_create(ngx_campfire_tx_t *tx,
    void *args);

/*
 * Signing out; the browser's push subscription goes with the session.  That
 * the session is gone already is no failure.
 */
typedef struct {
    int64_t     session_id;
    int64_t     viewer_id;
    ngx_str_t   push_endpoint;      /* data NULL: none sent */
} ngx_campfire_model_session_destroy_args_t;

ngx_int_t ngx_campfire_model_session_destroy(ngx_campfire_tx_t *tx,
    void *args);

/* Activity, at most once an hour however often it is called. */
typedef struct {
    int64_t     session_id;
    ngx_str_t   ip_address;
    ngx_str_t   user_agent;         /* data NULL: none sent */
} ngx_campfire_model_session_touch_args_t;

ngx_int_t ngx_campfire_model_session_touch(ngx_campfire_tx_t *tx, void *args);


#endif /* _NGX_CAMPFIRE_MODEL_SESSION_H_INCLUDED_ */
