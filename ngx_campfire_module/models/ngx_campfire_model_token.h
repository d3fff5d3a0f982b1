
/*
 * The random texts that are secrets of a row.
 */

#ifndef _NGX_CAMPFIRE_MODEL_TOKEN_H_INCLUDED_
#define _NGX_CAMPFIRE_MODEL_TOKEN_H_INCLUDED_


#include "models/ngx_campfire_model.h"


/* All from the CSPRNG, in pool memory; NGX_ERROR: no memory or no entropy. */

/* sessions.token: 24 characters of base58. */
ngx_int_t ngx_campfire_model_token_session(ngx_pool_t *pool, ngx_str_t *token);

/* accounts.join_code: "xxxx-xxxx-xxxx". */
ngx_int_t ngx_campfire_model_token_join_code(ngx_pool_t *pool,
    ngx_str_t *code);

/* users.bot_token: 12 letters and digits. */
ngx_int_t ngx_campfire_model_token_bot(ngx_pool_t *pool, ngx_str_t *token);


#endif /* _NGX_CAMPFIRE_MODEL_TOKEN_H_INCLUDED_ */
