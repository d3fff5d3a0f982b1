
/*
 * People and bots.
 */

#include "models/ngx_campfire_model_user.h"
#include "models/ngx_campfire_model_account.h"
#include "models/ngx_campfire_model_membership.h"
#include "models/ngx_campfire_model_row.h"
#include "models/ngx_campfire_model_session.h"


typedef struct {
    ngx_campfire_user_t  *user;
    ngx_str_t            *digest;
} ngx_campfire_model_user_login_t;


static ngx_campfire_role_e ngx_campfire_model_user_role(int64_t n);
static ngx_campfire_status_e ngx_campfire_model_user_status(int64_t n);
static ngx_int_t ngx_campfire_model_user_plain_row(
    ngx_campfire_db_stmt_t *stmt, ngx_pool_t *pool, void *elt);
static ngx_int_t ngx_campfire_model_user_login_row(
    ngx_campfire_db_stmt_t *stmt, ngx_pool_t *pool, void *elt);
static ngx_int_t ngx_campfire_model_user_list(ngx_campfire_db_stmt_t *stmt,
    ngx_pool_t *pool, ngx_campfire_users_t *users);


ngx_int_t
ngx_campfire_model_user_row(ngx_campfire_db_stmt_t *stmt, int col,
    ngx_pool_t *pool, ngx_campfire_user_t *user)
{
    user->id = ngx_campfire_db_int(stmt, col);

    if (ngx_campfire_db_text(stmt, col + 1, pool, &user->name) != NGX_OK
        || ngx_campfire_db_text(stmt, col + 2, pool, &user->bio) != NGX_OK
        || ngx_campfire_db_text(stmt, col + 3, pool, &user->email_address)
           != NGX_OK)
    {
        return NGX_ERROR;
    }

    user->role = ngx_campfire_model_user_role(
                                         ngx_campfire_db_int(stmt, col + 4));
    user->status = ngx_campfire_model_user_status(
                                         ngx_campfire_db_int(stmt, col + 5));
    user->updated_at = ngx_campfire_db_time(stmt, col + 6);
    user->has_avatar = (ngx_uint_t) ngx_campfire_db_int(stmt, col + 7);

    return NGX_OK;
}


/* What this program does not know has the least rights. */
static ngx_campfire_role_e
ngx_campfire_model_user_role(int64_t n)
{
    switch (n) {

    case NGX_CAMPFIRE_ROLE_ADMINISTRATOR:
        return NGX_CAMPFIRE_ROLE_ADMINISTRATOR;

    case NGX_CAMPFIRE_ROLE_BOT:
        return NGX_CAMPFIRE_ROLE_BOT;

    default:
        return NGX_CAMPFIRE_ROLE_MEMBER;
    }
}


static ngx_campfire_status_e
ngx_campfire_model_user_status(int64_t n)
{
    switch (n) {

    case NGX_CAMPFIRE_STATUS_ACTIVE:
        return NGX_CAMPFIRE_STATUS_ACTIVE;

    case NGX_CAMPFIRE_STATUS_BANNED:
        return NGX_CAMPFIRE_STATUS_BANNED;

    default:
        return NGX_CAMPFIRE_STATUS_DEACTIVATED;
    }
}


static ngx_int_t
ngx_campfire_model_user_plain_row(ngx_campfire_db_stmt_t *stmt,
    ngx_pool_t *pool, void *elt)
{
    return ngx_campfire_model_user_row(stmt, 0, pool, elt);
}


ngx_int_t
ngx_campfire_model_user_first_administrator(ngx_campfire_db_conn_t *conn,
    ngx_pool_t *pool, ngx_campfire_user_t *user)
{
    return ngx_campfire_model_row_one(
               ngx_campfire_db_query(conn,
                   "SELECT " NGX_CAMPFIRE_MODEL_USER_COLUMNS("u")
                   " FROM users u WHERE u.role = 1 AND u.status = 0"
                   " ORDER BY u.id LIMIT 1",
                   ""),
               pool, ngx_campfire_model_user_plain_row, user);
}


ngx_int_t
ngx_campfire_model_user_find(ngx_campfire_db_conn_t *conn, ngx_pool_t *pool,
    int64_t id, ngx_campfire_user_t *user)
{
    return ngx_campfire_model_row_one(
               ngx_campfire_db_query(conn,
                   "SELECT " NGX_CAMPFIRE_MODEL_USER_COLUMNS("u")
                   " FROM users u WHERE u.id = ?1",
                   "i", id),
               pool, ngx_campfire_model_user_plain_row, user);
}


ngx_int_t
ngx_campfire_model_user_find_by_email(ngx_campfire_db_conn_t *conn,
    ngx_pool_t *pool, ngx_str_t *email, ngx_campfire_user_t *user,
    ngx_str_t *digest)
{
    ngx_campfire_model_user_login_t  login;

    login.user = user;
    login.digest = digest;

    return ngx_campfire_model_row_one(
               ngx_campfire_db_query(conn,
                   "SELECT " NGX_CAMPFIRE_MODEL_USER_COLUMNS("u")
                   ", u.password_digest"
                   " FROM users u WHERE u.email_address = ?1"
                   " AND u.status = 0 AND u.role <> 2",
                   "s", ngx_campfire_model_row_nullable(email)),
               pool, ngx_campfire_model_user_login_row, &login);
}


static ngx_int_t
ngx_campfire_model_user_login_row(ngx_campfire_db_stmt_t *stmt,
    ngx_pool_t *pool, void *elt)
{
    ngx_campfire_model_user_login_t  *login = elt;

    if (ngx_campfire_db_text(stmt, NGX_CAMPFIRE_MODEL_USER_NCOLUMNS, pool,
                             login->digest)
        != NGX_OK)
    {
        return NGX_ERROR;
    }

    return ngx_campfire_model_user_row(stmt, 0, pool, login->user);
}


ngx_int_t
ngx_campfire_model_user_find_bot(ngx_campfire_db_conn_t *conn,
    ngx_pool_t *pool, int64_t id, ngx_str_t *token, ngx_campfire_user_t *user)
{
    if (token->len == 0) {
        return NGX_DECLINED;
    }

    return ngx_campfire_model_row_one(
               ngx_campfire_db_query(conn,
                   "SELECT " NGX_CAMPFIRE_MODEL_USER_COLUMNS("u")
                   " FROM users u WHERE u.id = ?1 AND u.bot_token = ?2"
                   " AND u.role = 2 AND u.status = 0",
                   "is", id, token),
               pool, ngx_campfire_model_user_plain_row, user);
}


ngx_int_t
ngx_campfire_model_user_exists(ngx_campfire_db_conn_t *conn)
{
    return ngx_campfire_model_row_exists(
               ngx_campfire_db_query(conn, "SELECT 1 FROM users LIMIT 1",
                                     ""));
}


ngx_int_t
ngx_campfire_model_user_list_room(ngx_campfire_db_conn_t *conn,
    ngx_pool_t *pool, int64_t room_id, ngx_campfire_users_t *users)
{
    return ngx_campfire_model_user_list(
               ngx_campfire_db_query(conn,
                   "SELECT " NGX_CAMPFIRE_MODEL_USER_COLUMNS("u")
                   " FROM memberships mb JOIN users u ON u.id = mb.user_id"
                   " WHERE mb.room_id = ?1 ORDER BY LOWER(u.name), u.id",
                   "i", room_id),
               pool, users);
}


ngx_int_t
ngx_campfire_model_user_list_active(ngx_campfire_db_conn_t *conn,
    ngx_pool_t *pool, ngx_campfire_users_t *users)
{
    return ngx_campfire_model_user_list(
               ngx_campfire_db_query(conn,
                   "SELECT " NGX_CAMPFIRE_MODEL_USER_COLUMNS("u")
                   " FROM users u WHERE u.status = 0"
                   " ORDER BY LOWER(u.name), u.id",
                   ""),
               pool, users);
}


ngx_int_t
ngx_campfire_model_user_list_ids(ngx_campfire_db_conn_t *conn,
    ngx_pool_t *pool, const int64_t *ids, ngx_uint_t n,
    ngx_campfire_users_t *users)
{
    ngx_str_t  json;

    if (ngx_campfire_model_row_json(pool, ids, n, &json) != NGX_OK) {
        return NGX_ERROR;
    }

    return ngx_campfire_model_user_list(
               ngx_campfire_db_query(conn,
                   "SELECT " NGX_CAMPFIRE_MODEL_USER_COLUMNS("u")
                   " FROM users u"
                   " WHERE u.id IN (SELECT value FROM json_each(?1))"
                   " ORDER BY u.id",
                   "s", &json),
               pool, users);
}


static ngx_int_t
ngx_campfire_model_user_list(ngx_campfire_db_stmt_t *stmt, ngx_pool_t *pool,
    ngx_campfire_users_t *users)
{
    ngx_int_t    rc;
    ngx_array_t  rows;

    if (ngx_array_init(&rows, pool, 16, sizeof(ngx_campfire_user_t))
        != NGX_OK)
    {
        return NGX_ERROR;
    }

    rc = ngx_campfire_model_row_all(stmt, pool,
                                    ngx_campfire_model_user_plain_row, &rows);
    users->elts = rows.elts;
    users->nelts = rows.nelts;

    return rc;
}


ngx_int_t
ngx_campfire_model_user_active(ngx_campfire_tx_t *tx, int64_t id,
    ngx_campfire_role_e *role)
{
    int64_t    n;
    ngx_int_t  rc;

    rc = ngx_campfire_db_get_int(tx->conn, &n,
                                 "SELECT role FROM users"
                                 " WHERE id = ?1 AND status = 0",
                                 "i", id);
    if (rc != NGX_OK) {
        return (rc == NGX_DONE) ? NGX_DECLINED : rc;
    }

    *role = ngx_campfire_model_user_role(n);

    return NGX_OK;
}


ngx_int_t
ngx_campfire_model_user_insert(ngx_campfire_tx_t *tx, ngx_str_t *name,
    ngx_str_t *email, ngx_str_t *digest, ngx_campfire_role_e role,
    int64_t *id)
{
    ngx_int_t  rc;

    rc = ngx_campfire_db_exec(tx->conn,
             "INSERT INTO users (name, email_address, password_digest, role,"
             " status, created_at, updated_at)"
             " VALUES (?1, ?2, ?3, ?4, 0, ?5, ?5)",
             "sssit", name, ngx_campfire_model_row_nullable(email),
             ngx_campfire_model_row_nullable(digest), (int64_t) role,
             tx->now);

    if (rc == NGX_OK) {
        *id = ngx_campfire_db_last_id(tx->conn);
    }

    return rc;
}


ngx_int_t
ngx_campfire_model_user_join(ngx_campfire_tx_t *tx, void *args)
{
    int64_t                              id;
    ngx_int_t                            rc;
    ngx_campfire_model_user_join_args_t *join = args;

    if (join->name.data == NULL) {
        return NGX_CAMPFIRE_UNPROCESSABLE;
    }

    rc = ngx_campfire_model_account_join_code(tx->conn, &join->join_code);
    if (rc != NGX_OK) {
        return rc;
    }

    tx->job->id = 0;

    rc = ngx_campfire_model_user_insert(tx, &join->name, &join->email_address,
                                        &join->password_digest,
                                        NGX_CAMPFIRE_ROLE_MEMBER, &id);
    if (rc != NGX_OK) {
        return (rc == NGX_DECLINED) ? NGX_OK : rc;
    }

    rc = ngx_campfire_model_membership_grant_open(tx, id);
    if (rc != NGX_OK) {
        return rc;
    }

    rc = ngx_campfire_model_session_insert(tx, id, &join->ip_address,
                                           &join->user_agent, NULL);
    if (rc != NGX_OK) {
        return rc;
    }

    tx->job->id = id;

    /* lists of people change everywhere */

    rc = ngx_campfire_model_row_effect(tx, NGX_CAMPFIRE_EFFECT_USER_CHANGED,
                                       0, id, 0, 0);
    if (rc != NGX_OK) {
        return rc;
    }

    return ngx_campfire_model_row_effect(tx,
                                         NGX_CAMPFIRE_EFFECT_ACCOUNT_CHANGED,
                                         0, 0, 0, 0);
}
