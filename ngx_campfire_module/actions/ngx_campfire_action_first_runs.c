
/*
 * Setting up a new Campfire.
 */

#include "actions/ngx_campfire_action.h"
#include "actions/ngx_campfire_action_entry.h"
#include "models/ngx_campfire_model_account.h"
#include "ngx_campfire_views.h"


static ngx_int_t ngx_campfire_action_first_runs_exists(
    ngx_campfire_ctx_t *ctx);
static ngx_int_t ngx_campfire_action_first_runs_write(
    ngx_campfire_ctx_t *ctx);
static ngx_int_t ngx_campfire_action_first_runs_done(ngx_campfire_ctx_t *ctx);


/* NGX_OK: somebody was here before. */
static ngx_int_t
ngx_campfire_action_first_runs_exists(ngx_campfire_ctx_t *ctx)
{
    ngx_campfire_account_t  account;

    return ngx_campfire_model_account_find(ctx->conn, ctx->pool, &account);
}


ngx_int_t
ngx_campfire_action_first_runs_show(ngx_campfire_ctx_t *ctx)
{
    ngx_int_t                  rc;
    ngx_campfire_buf_t         out;
    ngx_campfire_view_entry_t  entry;

    rc = ngx_campfire_action_first_runs_exists(ctx);

    if (rc == NGX_OK) {
        return ngx_campfire_http_redirect(ctx, "/");
    }

    if (rc != NGX_DECLINED) {
        return rc;
    }

    rc = ngx_campfire_action_entry_init(ctx, "Set up Campfire", "signup",
                                        "/first_run", &entry);
    if (rc != NGX_OK) {
        return rc;
    }

    ngx_campfire_base_buf_init(&out, ctx->pool, 16384);
    ngx_campfire_view_first_runs_show(&ctx->view, &out, &entry);

    return ngx_campfire_http_send_html(ctx, NGX_HTTP_OK, &out);
}


ngx_int_t
ngx_campfire_action_first_runs_create(ngx_campfire_ctx_t *ctx)
{
    ngx_int_t  rc;

    rc = ngx_campfire_action_first_runs_exists(ctx);

    if (rc == NGX_OK) {
        return ngx_campfire_http_redirect(ctx, "/");
    }

    if (rc != NGX_DECLINED) {
        return rc;
    }

    return ngx_campfire_action_entry_person(ctx,
                                       ngx_campfire_action_first_runs_write);
}


static ngx_int_t
ngx_campfire_action_first_runs_write(ngx_campfire_ctx_t *ctx)
{
    ngx_campfire_action_entry_person_t           *person = ctx->data;
    ngx_campfire_model_account_first_run_args_t  *args;

    args = ngx_pcalloc(ctx->pool,
                       sizeof(ngx_campfire_model_account_first_run_args_t));
    if (args == NULL) {
        return NGX_ERROR;
    }

    args->name = person->name;
    args->email_address = person->email_address;
    args->password_digest = person->digest;
    args->ip_address = ctx->address;
    args->user_agent = ctx->user_agent;

    return ngx_campfire_http_write(ctx, ngx_campfire_model_account_first_run,
                                   args, NULL,
                                   ngx_campfire_action_first_runs_done);
}


static ngx_int_t
ngx_campfire_action_first_runs_done(ngx_campfire_ctx_t *ctx)
{
    if (ctx->job->id == 0) {
        return ngx_campfire_http_redirect(ctx, "/");
    }

    return ngx_campfire_action_entry_signed_in(ctx, 1);
}
