
/*
 * Random texts over an alphabet, every character equally likely.
 */

#include "models/ngx_campfire_model_token.h"
#include "base/ngx_campfire_base_random.h"


#define NGX_CAMPFIRE_MODEL_TOKEN_SESSION  24
#define NGX_CAMPFIRE_MODEL_TOKEN_CODE     12


static const ngx_str_t  ngx_campfire_model_token_base58 = ngx_string(
    "123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz");

static const ngx_str_t  ngx_campfire_model_token_alphanumeric = ngx_string(
    "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789");


ngx_int_t
ngx_campfire_model_token_session(ngx_pool_t *pool, ngx_str_t *token)
{
    return ngx_campfire_base_random_text(pool,
                                         &ngx_campfire_model_token_base58,
                                         NGX_CAMPFIRE_MODEL_TOKEN_SESSION,
                                         token);
}


ngx_int_t
ngx_campfire_model_token_bot(ngx_pool_t *pool, ngx_str_t *token)
{
    return ngx_campfire_base_random_text(pool,
                                      &ngx_campfire_model_token_alphanumeric,
                                      NGX_CAMPFIRE_MODEL_TOKEN_CODE, token);
}


ngx_int_t
ngx_campfire_model_token_join_code(ngx_pool_t *pool, ngx_str_t *code)
{
    ngx_str_t  token;

    if (ngx_campfire_model_token_bot(pool, &token) != NGX_OK) {
        return NGX_ERROR;
    }

    code->len = token.len + 2;
    code->data = ngx_pnalloc(pool, code->len);
    if (code->data == NULL) {
        return NGX_ERROR;
    }

    (void) ngx_sprintf(code->data, "%*s-%*s-%*s", (size_t) 4, token.data,
                       (size_t) 4, token.data + 4, (size_t) 4,
                       token.data + 8);

    return NGX_OK;
}
