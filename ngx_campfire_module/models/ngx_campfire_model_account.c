
/*
 * The account: one row, made by the first run.
 */

#include "models/ngx_campfire_model_account.h"
#include "models/ngx_campfire_model_membership.h"
#include "models/ngx_campfire_model_row.h"
#include "models/ngx_campfire_model_session.h"
#include "models/ngx_campfire_model_token.h"
#include "models/ngx_campfire_model_user.h"


static ngx_int_t ngx_campfire_model_account_row(ngx_campfire_db_stmt_t *stmt,
    ngx_pool_t *pool, void *elt);
static ngx_int_t ngx_campfire_model_account_insert(ngx_campfire_tx_t *tx);
static ngx_int_t ngx_campfire_model_account_first_room(ngx_campfire_tx_t *tx,
    int64_t user_id, int64_t *room_id);


ngx_int_t
ngx_campfire_model_account_find(ngx_campfire_db_conn_t *conn,
    ngx_pool_t *pool, ngx_campfire_account_t *account)
{
    /* settings may be NULL, and a foreign hand may have broken their JSON */

    return ngx_campfire_model_row_one(
               ngx_campfire_db_query(conn,
                   "SELECT a.id, a.name, a.join_code, a.custom_styles,"
                   " CASE WHEN json_valid(a.settings) THEN"
                   " COALESCE(json_type(a.settings,"
                   " '$.restrict_room_creation_to_administrators'), 'null')"
                   " NOT IN ('null', 'false') ELSE 0 END,"
                   " a.updated_at,"
                   " EXISTS (SELECT 1 FROM active_storage_attachments l"
                   " WHERE l.record_type = 'Account' AND l.record_id = a.id"
                   " AND l.name = 'logo')"
                   " FROM accounts a ORDER BY a.id LIMIT 1",
                   ""),
               pool, ngx_campfire_model_account_row, account);
}


static ngx_int_t
ngx_campfire_model_account_row(ngx_campfire_db_stmt_t *stmt, ngx_pool_t *pool,
    void *elt)
{
    ngx_campfire_account_t  *account = elt;

    account->id = ngx_campfire_db_int(stmt, 0);

    if (ngx_campfire_db_text(stmt, 1, pool, &account->name) != NGX_OK
        || ngx_campfire_db_text(stmt, 2, pool, &account->join_code) != NGX_OK
        || ngx_campfire_db_text(stmt, 3, pool, &account->custom_styles)
           != NGX_OK)
    {
        return NGX_ERROR;
    }

    account->has_custom_styles = !ngx_campfire_db_null(stmt, 3);
    account->restrict_room_creation =
                                  (ngx_uint_t) ngx_campfire_db_int(stmt, 4);
    account->updated_at = ngx_campfire_db_time(stmt, 5);
    account->has_logo = (ngx_uint_t) ngx_campfire_db_int(stmt, 6);

    return NGX_OK;
}


ngx_int_t
ngx_campfire_model_account_join_code(ngx_campfire_db_conn_t *conn,
    ngx_str_t *code)
{
    return ngx_campfire_model_row_exists(
               ngx_campfire_db_query(conn,
                   "SELECT 1 FROM accounts WHERE join_code = ?1", "s",
                   ngx_campfire_model_row_nullable(code)));
}


ngx_int_t
ngx_campfire_model_account_first_run(ngx_campfire_tx_t *tx, void *args)
{
    int64_t                                       user_id, room_id;
    ngx_int_t                                     rc;
    ngx_campfire_model_account_first_run_args_t  *run = args;

    tx->job->id = 0;

    rc = ngx_campfire_model_row_exists(
             ngx_campfire_db_query(tx->conn, "SELECT 1 FROM accounts LIMIT 1",
                                   ""));
    if (rc != NGX_DECLINED) {
        return rc;
    }

    if (run->name.data == NULL) {
        return NGX_CAMPFIRE_UNPROCESSABLE;
    }

    rc = ngx_campfire_model_account_insert(tx);
    if (rc != NGX_OK) {
        return rc;
    }

    /* there may be users without an account: the address can be taken */

    rc = ngx_campfire_model_user_insert(tx, &run->name, &run->email_address,
                                        &run->password_digest,
                                        NGX_CAMPFIRE_ROLE_ADMINISTRATOR,
                                        &user_id);
    if (rc != NGX_OK) {
        return (rc == NGX_DECLINED) ? NGX_CAMPFIRE_UNPROCESSABLE : rc;
    }

    rc = ngx_campfire_model_account_first_room(tx, user_id, &room_id);
    if (rc != NGX_OK) {
        return rc;
    }

    rc = ngx_campfire_model_session_insert(tx, user_id, &run->ip_address,
                                           &run->user_agent, NULL);
    if (rc != NGX_OK) {
        return rc;
    }

    tx->job->id = user_id;

    if (ngx_campfire_model_row_effect(tx, NGX_CAMPFIRE_EFFECT_ACCOUNT_CHANGED,
                                      0, 0, 0, 0)
        != NGX_OK
        || ngx_campfire_model_row_effect(tx, NGX_CAMPFIRE_EFFECT_USER_CHANGED,
                                         0, user_id, 0, 0)
           != NGX_OK)
    {
        return NGX_ERROR;
    }

    return ngx_campfire_model_row_effect(tx, NGX_CAMPFIRE_EFFECT_ROOM_CREATED,
                                         room_id, user_id, 0, 0);
}


static ngx_int_t
ngx_campfire_model_account_insert(ngx_campfire_tx_t *tx)
{
    ngx_str_t  code;

    if (ngx_campfire_model_token_join_code(tx->pool, &code) != NGX_OK) {
        return NGX_ERROR;
    }

    return ngx_campfire_db_exec(tx->conn,
               "INSERT INTO accounts (name, join_code, settings,"
               " singleton_guard, created_at, updated_at)"
               " VALUES ('Campfire', ?1,"
               " '{\"restrict_room_creation_to_administrators\":false}',"
               " 0, ?2, ?2)",
               "st", &code, tx->now);
}


static ngx_int_t
ngx_campfire_model_account_first_room(ngx_campfire_tx_t *tx, int64_t user_id,
    int64_t *room_id)
{
    ngx_int_t  rc;

    rc = ngx_campfire_db_exec(tx->conn,
             "INSERT INTO rooms (name, type, creator_id, created_at,"
             " updated_at) VALUES ('All Talk', 'Rooms::Open', ?1, ?2, ?2)",
             "it", user_id, tx->now);
    if (rc != NGX_OK) {
        return rc;
    }

    *room_id = ngx_campfire_db_last_id(tx->conn);

    return ngx_campfire_model_membership_grant_all(tx, *room_id);
}
