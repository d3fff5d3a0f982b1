
/*
 * What the ways in have in common.
 */

#include "actions/ngx_campfire_action_entry.h"
#include "models/ngx_campfire_model_session.h"
#include "models/ngx_campfire_model_user.h"
#include "rails/ngx_campfire_rails_password.h"


#define NGX_CAMPFIRE_ACTION_ENTRY_COST   12
#define NGX_CAMPFIRE_ACTION_ENTRY_BYTES  4096     /* of each text */


static ngx_int_t ngx_campfire_action_entry_go_on(ngx_campfire_ctx_t *ctx);
static void ngx_campfire_action_entry_digest(void *data);
static ngx_int_t ngx_campfire_action_entry_digested(ngx_campfire_ctx_t *ctx);


ngx_int_t
ngx_campfire_action_entry_init(ngx_campfire_ctx_t *ctx, const char *title,
    const char *body_class, const char *action,
    ngx_campfire_view_entry_t *entry)
{
    ngx_int_t            rc;
    ngx_str_t            text;
    ngx_campfire_user_t  admin;

    ngx_memzero(entry, sizeof(ngx_campfire_view_entry_t));

    rc = ngx_campfire_http_view_init(ctx);
    if (rc != NGX_OK) {
        return rc;
    }

    rc = ngx_campfire_model_user_first_administrator(ctx->conn, ctx->pool,
                                                     &admin);
    if (rc != NGX_OK && rc != NGX_DECLINED) {
        return rc;
    }

    text.data = (u_char *) title;
    text.len = ngx_strlen(title);

    if (ngx_campfire_view_page_init(&ctx->view, &text, body_class,
                                    &entry->page)
        != NGX_OK
        || ngx_campfire_view_page_contact_init(&ctx->view,
                                         (rc == NGX_OK) ? &admin : NULL,
                                         &entry->contact)
           != NGX_OK
        || ngx_campfire_http_form_token(ctx, action, "post",
                                        &entry->form_token)
           != NGX_OK)
    {
        return NGX_ERROR;
    }

    if (ctx->account) {
        entry->account_name = ctx->account->name;
    }

    entry->action.len = ctx->instance->prefix.len + ngx_strlen(action);
    entry->action.data = ngx_pnalloc(ctx->pool, entry->action.len);
    if (entry->action.data == NULL) {
        return NGX_ERROR;
    }

    ngx_sprintf(entry->action.data, "%V%s", &ctx->instance->prefix, action);

    return NGX_OK;
}


ngx_int_t
ngx_campfire_action_entry_sign_in(ngx_campfire_ctx_t *ctx, int64_t user_id,
    ngx_uint_t refused)
{
    ngx_campfire_model_session_create_args_t  *args;

    args = ngx_pcalloc(ctx->pool,
                       sizeof(ngx_campfire_model_session_create_args_t));
    if (args == NULL) {
        return NGX_ERROR;
    }

    args->user_id = user_id;
    args->ip_address = ctx->address;
    args->user_agent = ctx->user_agent;

    ctx->refused = refused;

    return ngx_campfire_http_write(ctx, ngx_campfire_model_session_create,
                                   args, NULL,
                                   ngx_campfire_action_entry_go_on);
}


static ngx_int_t
ngx_campfire_action_entry_go_on(ngx_campfire_ctx_t *ctx)
{
    return ngx_campfire_action_entry_signed_in(ctx, 0);
}


/* forget: to the root, wherever one wanted to go before. */
ngx_int_t
ngx_campfire_action_entry_signed_in(ngx_campfire_ctx_t *ctx,
    ngx_uint_t forget)
{
    ngx_str_t  url;

    ctx->session.token = ctx->job->text;
    ctx->set_session_token = 1;

    if (ngx_campfire_http_session_load(ctx) != NGX_OK) {
        return NGX_ERROR;
    }

    url = ctx->cookie.return_to;

    if (forget || url.data == NULL) {
        return ngx_campfire_http_redirect(ctx, "/");
    }

    ngx_str_null(&ctx->cookie.return_to);
    ctx->session_changed = 1;

    /* the cookie may come from another name of this server */

    if (url.len <= ctx->base_url.len
        || ngx_memcmp(url.data, ctx->base_url.data, ctx->base_url.len) != 0
        || url.data[ctx->base_url.len] != '/')
    {
        return ngx_campfire_http_redirect(ctx, "/");
    }

    return ngx_campfire_http_redirect_url(ctx, &url);
}


ngx_int_t
ngx_campfire_action_entry_person(ngx_campfire_ctx_t *ctx,
    ngx_campfire_http_done_pt next)
{
    ngx_str_t                           *name, *email, *password;
    ngx_campfire_action_entry_person_t  *person;

    if (!ngx_campfire_http_param_hash(ctx, "user")) {
        return NGX_HTTP_BAD_REQUEST;
    }

    name = ngx_campfire_http_param(ctx, "user[name]");
    email = ngx_campfire_http_param(ctx, "user[email_address]");
    password = ngx_campfire_http_param(ctx, "user[password]");

    if (name == NULL || name->data == NULL
        || name->len > NGX_CAMPFIRE_ACTION_ENTRY_BYTES
        || (email && email->len > NGX_CAMPFIRE_ACTION_ENTRY_BYTES)
        || (password
            && ngx_strlchr(password->data, password->data + password->len,
                           '\0')))
    {
        return NGX_CAMPFIRE_UNPROCESSABLE;
    }

    person = ngx_pcalloc(ctx->pool,
                         sizeof(ngx_campfire_action_entry_person_t));
    if (person == NULL) {
        return NGX_ERROR;
    }

    person->name = *name;
    person->next = next;

    if (email) {
        person->email_address = *email;
    }

    if (ctx->data) {
        person->join_code = *(ngx_str_t *) ctx->data;
    }

    ctx->data = person;

    if (password == NULL || password->len == 0) {
        return next(ctx);
    }

    person->password = *password;

    return ngx_campfire_http_thread(ctx, ngx_campfire_action_entry_digest,
                                    person,
                                    ngx_campfire_action_entry_digested);
}


static void
ngx_campfire_action_entry_digest(void *data)
{
    ngx_campfire_action_entry_person_t *person = data;

    person->rc = ngx_campfire_rails_password_digest(&person->password,
                                              NGX_CAMPFIRE_ACTION_ENTRY_COST,
                                              person->buf);
    person->digest.data = person->buf;
    person->digest.len = 60;
}


static ngx_int_t
ngx_campfire_action_entry_digested(ngx_campfire_ctx_t *ctx)
{
    ngx_campfire_action_entry_person_t  *person = ctx->data;

    return (person->rc == NGX_OK) ? person->next(ctx) : NGX_ERROR;
}
