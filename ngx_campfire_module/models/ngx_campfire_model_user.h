
#ifndef _NGX_CAMPFIRE_MODEL_USER_H_INCLUDED_
#define _NGX_CAMPFIRE_MODEL_USER_H_INCLUDED_


#include "models/ngx_campfire_model.h"


/*
 * What other statements select to fill a ngx_campfire_user_t from table u, a
 * literal; _row reads it from column col on.  With a LEFT JOIN a missing user
 * has id 0.
 */
#define NGX_CAMPFIRE_MODEL_USER_COLUMNS(u)                                    \
    u ".id, " u ".name, " u ".bio, " u ".email_address, " u ".role, "         \
    u ".status, " u ".updated_at, "                                           \
    "EXISTS (SELECT 1 FROM active_storage_attachments av"                     \
    " WHERE av.record_type = 'User' AND av.record_id = " u ".id"              \
    " AND av.name = 'avatar')"

#define NGX_CAMPFIRE_MODEL_USER_NCOLUMNS  8

ngx_int_t ngx_campfire_model_user_row(ngx_campfire_db_stmt_t *stmt, int col,
    ngx_pool_t *pool, ngx_campfire_user_t *user);


/* Whatever the status. */
ngx_int_t ngx_campfire_model_user_find(ngx_campfire_db_conn_t *conn,
    ngx_pool_t *pool, int64_t id, ngx_campfire_user_t *user);

/*
 * The active user with exactly that address, for signing in.  The digest has
 * data NULL when there is no password.
 */
ngx_int_t ngx_campfire_model_user_find_by_email(ngx_campfire_db_conn_t *conn,
    ngx_pool_t *pool, ngx_str_t *email, ngx_campfire_user_t *user,
    ngx_str_t *digest);

/* The active bot with that id and exactly that token, which is not empty. */
ngx_int_t ngx_campfire_model_user_find_bot(ngx_campfire_db_conn_t *conn,
    ngx_pool_t *pool, int64_t id, ngx_str_t *token,
    ngx_campfire_user_t *user);

/* Whom to ask for help: the active administrator with the lowest id. */
ngx_int_t ngx_campfire_model_user_first_administrator(
    ngx_campfire_db_conn_t *conn, ngx_pool_t *pool,
    ngx_campfire_user_t *user);

/* NGX_OK: there is a user; NGX_DECLINED: before the first run. */
ngx_int_t ngx_campfire_model_user_exists(ngx_campfire_db_conn_t *conn);

/* All of the room, or all who are active, by lower-cased name. */
ngx_int_t ngx_campfire_model_user_list_room(ngx_campfire_db_conn_t *conn,
    ngx_pool_t *pool, int64_t room_id, ngx_campfire_users_t *users);
ngx_int_t ngx_campfire_model_user_list_active(ngx_campfire_db_conn_t *conn,
    ngx_pool_t *pool, ngx_campfire_users_t *users);

/* Those of the ids that exist, by id. */
ngx_int_t ngx_campfire_model_user_list_ids(ngx_campfire_db_conn_t *conn,
    ngx_pool_t *pool, const int64_t *ids, ngx_uint_t n,
    ngx_campfire_users_t *users);

/* For a write: NGX_OK and the role, or NGX_DECLINED when not active. */
ngx_int_t ngx_campfire_model_user_active(ngx_campfire_tx_t *tx, int64_t id,
    ngx_campfire_role_e *role);


/* For a write: adds an active user; NGX_DECLINED: the address is taken. */
ngx_int_t ngx_campfire_model_user_insert(ngx_campfire_tx_t *tx,
    ngx_str_t *name, ngx_str_t *email, ngx_str_t *digest,
    ngx_campfire_role_e role, int64_t *id);

/*
 * Joining: a member, with memberships in all open rooms and a session.
 * job->id is the user and job->text the session token.  When the address is
 * taken nothing is written and job->id is 0, with NGX_OK, so that the answer
 * can lead to signing in.  NGX_DECLINED: the code is no longer valid.
 */
typedef struct {
    ngx_str_t   join_code;
    ngx_str_t   name;
    ngx_str_t   email_address;
    ngx_str_t   password_digest;    /* data NULL: no password */
    ngx_str_t   ip_address;
    ngx_str_t   user_agent;         /* data NULL: none sent */
} ngx_campfire_model_user_join_args_t;

ngx_int_t ngx_campfire_model_user_join(ngx_campfire_tx_t *tx, void *args);


/* The letters of the drawn avatar; empty for a blank name. */
ngx_int_t ngx_campfire_model_user_initials(ngx_pool_t *pool,
    const ngx_str_t *name, ngx_str_t *initials);

/* Name and bio with a dash between, or what there is of them. */
ngx_int_t ngx_campfire_model_user_title(ngx_pool_t *pool,
    const ngx_campfire_user_t *user, ngx_str_t *title);


#endif /* _NGX_CAMPFIRE_MODEL_USER_H_INCLUDED_ */
