
/*
 * Signing in and out.
 */

#include "actions/ngx_campfire_action.h"
#include "actions/ngx_campfire_action_entry.h"
#include "models/ngx_campfire_model_session.h"
#include "models/ngx_campfire_model_user.h"
#include "rails/ngx_campfire_rails_password.h"
#include "shm/ngx_campfire_shm.h"
#include "ngx_campfire_views.h"


#define NGX_CAMPFIRE_ACTION_SESSIONS_LIMIT    10
#define NGX_CAMPFIRE_ACTION_SESSIONS_WINDOW   180     /* seconds */
#define NGX_CAMPFIRE_ACTION_SESSIONS_COST     12      /* of bcrypt */


/* An attempt, compared in a thread. */
typedef struct {
    int64_t      user_id;       /* 0: nobody has that address */
    ngx_str_t    password;
    ngx_str_t    digest;
    ngx_int_t    rc;
} ngx_campfire_action_sessions_t;


static ngx_int_t ngx_campfire_action_sessions_page(ngx_campfire_ctx_t *ctx,
    ngx_uint_t status);
static void ngx_campfire_action_sessions_compare(void *data);
static ngx_int_t ngx_campfire_action_sessions_compared(
    ngx_campfire_ctx_t *ctx);
static ngx_int_t ngx_campfire_action_sessions_destroyed(
    ngx_campfire_ctx_t *ctx);


ngx_int_t
ngx_campfire_action_sessions_show(ngx_campfire_ctx_t *ctx)
{
    return ngx_campfire_http_redirect(ctx, "/session/new");
}


ngx_int_t
ngx_campfire_action_sessions_new(ngx_campfire_ctx_t *ctx)
{
    ngx_int_t  rc;

    rc = ngx_campfire_model_user_exists(ctx->conn);

    if (rc == NGX_DECLINED) {
        return ngx_campfire_http_redirect(ctx, "/first_run");
    }

    return (rc == NGX_OK) ? ngx_campfire_action_sessions_page(ctx,
                                                              NGX_HTTP_OK)
                          : rc;
}


static ngx_int_t
ngx_campfire_action_sessions_page(ngx_campfire_ctx_t *ctx, ngx_uint_t status)
{
    ngx_int_t                  rc;
    ngx_str_t                 *email;
    ngx_campfire_buf_t         out;
    ngx_campfire_view_entry_t  entry;

    rc = ngx_campfire_action_entry_init(ctx, "Sign in", NULL, "/session",
                                        &entry);
    if (rc != NGX_OK) {
        return rc;
    }

    if (status != NGX_HTTP_OK) {
        ngx_str_set(&ctx->view.alert,
                    "Too many requests or unauthorized.");
    }

    entry.page.reload = 1;

    email = ngx_campfire_http_param(ctx, "email_address");
    if (email) {
        entry.email_address = *email;
    }

    ngx_campfire_base_buf_init(&out, ctx->pool, 16384);
    ngx_campfire_view_sessions_new(&ctx->view, &out, &entry);

    return ngx_campfire_http_send_html(ctx, status, &out);
}


/*
 * What takes long is done whether the address is known or not, so that the
 * time of the answer tells nothing.
 */
ngx_int_t
ngx_campfire_action_sessions_create(ngx_campfire_ctx_t *ctx)
{
    ngx_int_t                        rc;
    ngx_str_t                       *email, *password;
    ngx_slab_pool_t                 *shpool;
    ngx_campfire_user_t              user;
    ngx_campfire_action_sessions_t  *args;

    rc = ngx_campfire_model_user_exists(ctx->conn);

    if (rc == NGX_DECLINED) {
        return ngx_campfire_http_redirect(ctx, "/first_run");
    }

    if (rc != NGX_OK) {
        return rc;
    }

    shpool = (ngx_slab_pool_t *) ctx->instance->zone->shm.addr;

    if (ngx_campfire_shm_rate(shpool, ctx->instance->sh, &ctx->address,
                              ngx_time(), NGX_CAMPFIRE_ACTION_SESSIONS_LIMIT,
                              NGX_CAMPFIRE_ACTION_SESSIONS_WINDOW)
        != NGX_OK)
    {
        return ngx_campfire_action_sessions_page(ctx,
                                                 NGX_HTTP_TOO_MANY_REQUESTS);
    }

    args = ngx_pcalloc(ctx->pool, sizeof(ngx_campfire_action_sessions_t));
    if (args == NULL) {
        return NGX_ERROR;
    }

    email = ngx_campfire_http_param(ctx, "email_address");
    password = ngx_campfire_http_param(ctx, "password");

    if (email == NULL || password == NULL || password->len == 0) {
        return ngx_campfire_action_sessions_page(ctx, NGX_HTTP_UNAUTHORIZED);
    }

    rc = ngx_campfire_model_user_find_by_email(ctx->conn, ctx->pool, email,
                                               &user, &args->digest);

    if (rc == NGX_OK && args->digest.data) {
        args->user_id = user.id;

    } else if (rc != NGX_OK && rc != NGX_DECLINED) {
        return rc;
    }

    args->password = *password;

    return ngx_campfire_http_thread(ctx, ngx_campfire_action_sessions_compare,
                                    args,
                                    ngx_campfire_action_sessions_compared);
}


static void
ngx_campfire_action_sessions_compare(void *data)
{
    ngx_campfire_action_sessions_t *args = data;

    u_char  digest[64];

    if (args->user_id) {
        args->rc = ngx_campfire_rails_password_verify(&args->password,
                                                      &args->digest);
        return;
    }

    (void) ngx_campfire_rails_password_digest(&args->password,
                                      NGX_CAMPFIRE_ACTION_SESSIONS_COST,
                                      digest);
    args->rc = NGX_DECLINED;
}


static ngx_int_t
ngx_campfire_action_sessions_compared(ngx_campfire_ctx_t *ctx)
{
    ngx_campfire_action_sessions_t  *args = ctx->data;

    if (args->rc != NGX_OK) {
        return ngx_campfire_action_sessions_page(ctx, NGX_HTTP_UNAUTHORIZED);
    }

    return ngx_campfire_action_entry_sign_in(ctx, args->user_id,
                                             NGX_HTTP_UNAUTHORIZED);
}


ngx_int_t
ngx_campfire_action_sessions_destroy(ngx_campfire_ctx_t *ctx)
{
    ngx_str_t                                  *endpoint;
    ngx_campfire_model_session_destroy_args_t  *args;

    args = ngx_pcalloc(ctx->pool,
                       sizeof(ngx_campfire_model_session_destroy_args_t));
    if (args == NULL) {
        return NGX_ERROR;
    }

    args->session_id = ctx->session.id;
    args->viewer_id = ctx->user->id;

    endpoint = ngx_campfire_http_param(ctx, "push_subscription_endpoint");
    if (endpoint) {
        args->push_endpoint = *endpoint;
    }

    return ngx_campfire_http_write(ctx, ngx_campfire_model_session_destroy,
                                   args, NULL,
                                   ngx_campfire_action_sessions_destroyed);
}


static ngx_int_t
ngx_campfire_action_sessions_destroyed(ngx_campfire_ctx_t *ctx)
{
    if (ngx_campfire_http_session_reset(ctx) != NGX_OK) {
        return NGX_ERROR;
    }

    ctx->set_session_token = 0;
    ctx->clear_session_token = 1;

    return ngx_campfire_http_redirect(ctx, "/");
}
