
#ifndef _NGX_CAMPFIRE_MODEL_ACCOUNT_H_INCLUDED_
#define _NGX_CAMPFIRE_MODEL_ACCOUNT_H_INCLUDED_


#include "models/ngx_campfire_model.h"


/* The one account; NGX_DECLINED before the first run. */
ngx_int_t ngx_campfire_model_account_find(ngx_campfire_db_conn_t *conn,
    ngx_pool_t *pool, ngx_campfire_account_t *account);

/* NGX_OK: this is the join code, to the letter; NGX_DECLINED: it is not. */
ngx_int_t ngx_campfire_model_account_join_code(ngx_campfire_db_conn_t *conn,
    ngx_str_t *code);


/*
 * The first run: account, administrator, his room and a session, or nothing.
 * job->id is the user and job->text the session token.  When there is an
 * account already nothing is written and job->id is 0, with NGX_OK.
 */
typedef struct {
    ngx_str_t   name;
    ngx_str_t   email_address;
    ngx_str_t   password_digest;    /* data NULL: no password */
    ngx_str_t   ip_address;
    ngx_str_t   user_agent;         /* data NULL: none sent */
} ngx_campfire_model_account_first_run_args_t;

ngx_int_t ngx_campfire_model_account_first_run(ngx_campfire_tx_t *tx,
    void *args);


#endif /* _NGX_CAMPFIRE_MODEL_ACCOUNT_H_INCLUDED_ */
