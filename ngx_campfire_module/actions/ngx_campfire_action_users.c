
/*
 * Joining by the link that was sent around.
 */

#include "actions/ngx_campfire_action.h"
#include "actions/ngx_campfire_action_entry.h"
#include "base/ngx_campfire_base_escape.h"
#include "models/ngx_campfire_model_account.h"
#include "models/ngx_campfire_model_user.h"
#include "ngx_campfire_views.h"


static ngx_int_t ngx_campfire_action_users_write(ngx_campfire_ctx_t *ctx);
static ngx_int_t ngx_campfire_action_users_done(ngx_campfire_ctx_t *ctx);
static ngx_int_t ngx_campfire_action_users_taken(ngx_campfire_ctx_t *ctx);


ngx_int_t
ngx_campfire_action_users_new(ngx_campfire_ctx_t *ctx)
{
    u_char                    *path;
    ngx_int_t                  rc;
    ngx_campfire_buf_t         out;
    ngx_campfire_view_entry_t  entry;

    rc = ngx_campfire_model_account_join_code(ctx->conn, &ctx->params[0]);

    if (rc == NGX_DECLINED) {
        return ngx_campfire_http_send_head(ctx, NGX_HTTP_NOT_FOUND);
    }

    if (rc != NGX_OK) {
        return rc;
    }

    path = ngx_pnalloc(ctx->pool, sizeof("/join/") + ctx->params[0].len);
    if (path == NULL) {
        return NGX_ERROR;
    }

    ngx_sprintf(path, "/join/%V%Z", &ctx->params[0]);

    rc = ngx_campfire_action_entry_init(ctx, "Sign up", "signup",
                                        (char *) path, &entry);
    if (rc != NGX_OK) {
        return rc;
    }

    ngx_campfire_base_buf_init(&out, ctx->pool, 16384);
    ngx_campfire_view_users_new(&ctx->view, &out, &entry);

    return ngx_campfire_http_send_html(ctx, NGX_HTTP_OK, &out);
}


ngx_int_t
ngx_campfire_action_users_create(ngx_campfire_ctx_t *ctx)
{
    ngx_int_t  rc;

    rc = ngx_campfire_model_account_join_code(ctx->conn, &ctx->params[0]);

    if (rc == NGX_DECLINED) {
        return ngx_campfire_http_send_head(ctx, NGX_HTTP_NOT_FOUND);
    }

    if (rc != NGX_OK) {
        return rc;
    }

    ctx->data = &ctx->params[0];
    ctx->refused = NGX_HTTP_NOT_FOUND;

    return ngx_campfire_action_entry_person(ctx,
                                            ngx_campfire_action_users_write);
}


static ngx_int_t
ngx_campfire_action_users_write(ngx_campfire_ctx_t *ctx)
{
    ngx_campfire_action_entry_person_t   *person = ctx->data;
    ngx_campfire_model_user_join_args_t  *args;

    args = ngx_pcalloc(ctx->pool,
                       sizeof(ngx_campfire_model_user_join_args_t));
    if (args == NULL) {
        return NGX_ERROR;
    }

    args->join_code = person->join_code;
    args->name = person->name;
    args->email_address = person->email_address;
    args->password_digest = person->digest;
    args->ip_address = ctx->address;
    args->user_agent = ctx->user_agent;

    return ngx_campfire_http_write(ctx, ngx_campfire_model_user_join, args,
                                   NULL, ngx_campfire_action_users_done);
}


static ngx_int_t
ngx_campfire_action_users_done(ngx_campfire_ctx_t *ctx)
{
    if (ctx->job->id == 0) {
        return ngx_campfire_action_users_taken(ctx);
    }

    return ngx_campfire_action_entry_signed_in(ctx, 1);
}


/* Somebody with that address is here already and can sign in. */
static ngx_int_t
ngx_campfire_action_users_taken(ngx_campfire_ctx_t *ctx)
{
    ngx_str_t                            email;
    ngx_campfire_action_entry_person_t  *person = ctx->data;

    email.data = ngx_pnalloc(ctx->pool, person->email_address.len * 3);
    if (email.data == NULL) {
        return NGX_ERROR;
    }

    email.len = ngx_campfire_base_escape_cookie(email.data,
                                                person->email_address.data,
                                                person->email_address.len)
                - email.data;

    return ngx_campfire_http_redirect_to(ctx, "/session/new?email_address=%V",
                                         &email);
}
