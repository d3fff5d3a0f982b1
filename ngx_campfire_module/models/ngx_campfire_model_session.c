
/*
 * Sessions.  The status of the user is not looked at when one is found:
 * whoever loses access loses his sessions in the same transaction.
 */

#include "models/ngx_campfire_model_session.h"
#include "models/ngx_campfire_model_push_subscription.h"
#include "models/ngx_campfire_model_row.h"
#include "models/ngx_campfire_model_token.h"
#include "models/ngx_campfire_model_user.h"


typedef struct {
    ngx_campfire_session_t  *session;
    ngx_campfire_user_t     *user;
} ngx_campfire_model_session_found_t;


static ngx_int_t ngx_campfire_model_session_row(ngx_campfire_db_stmt_t *stmt,
    ngx_pool_t *pool, void *elt);


ngx_int_t
ngx_campfire_model_session_find(ngx_campfire_db_conn_t *conn,
    ngx_pool_t *pool, ngx_str_t *token, ngx_campfire_session_t *session,
    ngx_campfire_user_t *user)
{
    ngx_campfire_model_session_found_t  found;

    found.session = session;
    found.user = user;

    return ngx_campfire_model_row_one(
               ngx_campfire_db_query(conn,
                   "SELECT " NGX_CAMPFIRE_MODEL_USER_COLUMNS("u")
                   ", s.id, s.user_id, s.token, s.last_active_at"
                   " FROM sessions s JOIN users u ON u.id = s.user_id"
                   " WHERE s.token = ?1",
                   "s", ngx_campfire_model_row_nullable(token)),
               pool, ngx_campfire_model_session_row, &found);
}


static ngx_int_t
ngx_campfire_model_session_row(ngx_campfire_db_stmt_t *stmt, ngx_pool_t *pool,
    void *elt)
{
    int                                  col;
    ngx_campfire_model_session_found_t  *found = elt;

    col = NGX_CAMPFIRE_MODEL_USER_NCOLUMNS;

    found->session->id = ngx_campfire_db_int(stmt, col);
    found->session->user_id = ngx_campfire_db_int(stmt, col + 1);
    found->session->last_active_at = ngx_campfire_db_time(stmt, col + 3);

    if (ngx_campfire_db_text(stmt, col + 2, pool, &found->session->token)
        != NGX_OK)
    {
        return NGX_ERROR;
    }

    return ngx_campfire_model_user_row(stmt, 0, pool, found->user);
}


ngx_int_t
ngx_campfire_model_session_exists(ngx_campfire_db_conn_t *conn, int64_t id)
{
    return ngx_campfire_model_row_exists(
               ngx_campfire_db_query(conn,
                   "SELECT 1 FROM sessions WHERE id = ?1", "i", id));
}


ngx_int_t
ngx_campfire_model_session_insert(ngx_campfire_tx_t *tx, int64_t user_id,
    ngx_str_t *ip_address, ngx_str_t *user_agent, int64_t *id)
{
    ngx_int_t  rc;
    ngx_str_t  token;

    if (ngx_campfire_model_token_session(tx->pool, &token) != NGX_OK) {
        return NGX_ERROR;
    }

    rc = ngx_campfire_db_exec(tx->conn,
             "INSERT INTO sessions (user_id, token, ip_address, user_agent,"
             " last_active_at, created_at, updated_at)"
             " VALUES (?1, ?2, ?3, ?4, ?5, ?5, ?5)",
             "issst", user_id, &token,
             ngx_campfire_model_row_nullable(ip_address),
             ngx_campfire_model_row_nullable(user_agent), tx->now);
    if (rc != NGX_OK) {
        return rc;
    }

    tx->job->text = token;

    if (id) {
        *id = ngx_campfire_db_last_id(tx->conn);
    }

    return NGX_OK;
}


ngx_int_t
ngx_campfire_model_session_create(ngx_campfire_tx_t *tx, void *args)
{
    ngx_int_t                                  rc;
    ngx_campfire_role_e                        role;
    ngx_campfire_model_session_create_args_t  *create = args;

    rc = ngx_campfire_model_user_active(tx, create->user_id, &role);
    if (rc != NGX_OK) {
        return rc;
    }

    return ngx_campfire_model_session_insert(tx, create->user_id,
                                             &create->ip_address,
                                             &create->user_agent,
                                             &tx->job->id);
}


ngx_int_t
ngx_campfire_model_session_destroy(ngx_campfire_tx_t *tx, void *args)
{
    ngx_int_t                                   rc;
    ngx_campfire_model_session_destroy_args_t  *destroy = args;

    if (destroy->push_endpoint.data) {
        rc = ngx_campfire_model_push_subscription_delete_endpoint(tx,
                                                  destroy->viewer_id,
                                                  &destroy->push_endpoint);
        if (rc != NGX_OK) {
            return rc;
        }
    }

    rc = ngx_campfire_db_exec(tx->conn,
                              "DELETE FROM sessions"
                              " WHERE id = ?1 AND user_id = ?2",
                              "ii", destroy->session_id, destroy->viewer_id);
    if (rc != NGX_OK || ngx_campfire_db_changes(tx->conn) == 0) {
        return rc;
    }

    return ngx_campfire_model_row_effect(tx,
                                         NGX_CAMPFIRE_EFFECT_SESSION_DESTROYED,
                                         0, destroy->viewer_id,
                                         destroy->session_id, 0);
}


ngx_int_t
ngx_campfire_model_session_touch(ngx_campfire_tx_t *tx, void *args)
{
    ngx_campfire_model_session_touch_args_t  *touch = args;

    return ngx_campfire_db_exec(tx->conn,
               "UPDATE sessions SET last_active_at = ?1, updated_at = ?1,"
               " ip_address = ?2, user_agent = ?3"
               " WHERE id = ?4 AND last_active_at < ?5",
               "tssit", tx->now,
               ngx_campfire_model_row_nullable(&touch->ip_address),
               ngx_campfire_model_row_nullable(&touch->user_agent),
               touch->session_id, tx->now - NGX_CAMPFIRE_MODEL_SESSION_IDLE);
}
