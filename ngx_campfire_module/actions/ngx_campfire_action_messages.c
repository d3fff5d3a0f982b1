
/*
 * Messages: pages of them, one, posting, editing, deleting.
 *
 * The same functions serve /messages..., where the room is a parameter.
 */

#include "actions/ngx_campfire_action.h"
#include "actions/ngx_campfire_action_page.h"
#include "models/ngx_campfire_model_membership.h"
#include "models/ngx_campfire_model_message.h"
#include "richtext/ngx_campfire_richtext.h"
#include "ngx_campfire_views.h"


/* A longer body is parsed in a thread. */
#define NGX_CAMPFIRE_ACTION_MESSAGES_INLINE  8192

#define NGX_CAMPFIRE_ACTION_MESSAGES_STREAM                                   \
    "text/vnd.turbo-stream.html; charset=utf-8"


/* What a write of a message is about. */
typedef struct {
    int64_t                     room_id;
    int64_t                     id;
    ngx_pool_t                 *pool;        /* of the thread, or NULL */
    ngx_str_t                   submitted;   /* data NULL: none */
    ngx_str_t                   body;        /* canonical */
    ngx_str_t                   client_id;
    ngx_int_t                   rc;
    ngx_campfire_http_done_pt   next;
} ngx_campfire_action_messages_t;


static ngx_int_t ngx_campfire_action_messages_path(ngx_campfire_ctx_t *ctx,
    int64_t *room_id, int64_t *id);
static void ngx_campfire_action_messages_reader(ngx_campfire_ctx_t *ctx,
    ngx_campfire_model_message_reader_t *reader);
static ngx_int_t ngx_campfire_action_messages_load(ngx_campfire_ctx_t *ctx,
    ngx_campfire_message_t *message);
static ngx_int_t ngx_campfire_action_messages_body(ngx_campfire_ctx_t *ctx,
    ngx_campfire_action_messages_t *args, ngx_campfire_http_done_pt next);
static void ngx_campfire_action_messages_canonicalize(void *data);
static ngx_int_t ngx_campfire_action_messages_prepared(
    ngx_campfire_ctx_t *ctx);
static void ngx_campfire_action_messages_free_pool(void *data);
static ngx_int_t ngx_campfire_action_messages_post(ngx_campfire_ctx_t *ctx);
static ngx_int_t ngx_campfire_action_messages_stream(ngx_campfire_tx_t *tx,
    void *args, ngx_campfire_buf_t *out);
static ngx_int_t ngx_campfire_action_messages_written(
    ngx_campfire_ctx_t *ctx);
static ngx_int_t ngx_campfire_action_messages_change(ngx_campfire_ctx_t *ctx);
static ngx_int_t ngx_campfire_action_messages_changed(
    ngx_campfire_ctx_t *ctx);
static ngx_int_t ngx_campfire_action_messages_mine(ngx_campfire_ctx_t *ctx,
    ngx_campfire_action_messages_t **args);
static ngx_int_t ngx_campfire_action_messages_gone(ngx_campfire_ctx_t *ctx);


/* id NULL: the route is about the room alone. */
static ngx_int_t
ngx_campfire_action_messages_path(ngx_campfire_ctx_t *ctx, int64_t *room_id,
    int64_t *id)
{
    ngx_str_t  *text;
    ngx_uint_t  nested;

    nested = ngx_strncmp(ctx->route->pattern.data, "/rooms/", 7) == 0;

    text = nested ? &ctx->params[0] : ngx_campfire_http_param(ctx, "room_id");

    if (text == NULL
        || ngx_campfire_http_parse_id(text, room_id) != NGX_OK)
    {
        return NGX_DECLINED;
    }

    return id ? ngx_campfire_http_id(ctx, nested ? 1 : 0, id) : NGX_OK;
}


static void
ngx_campfire_action_messages_reader(ngx_campfire_ctx_t *ctx,
    ngx_campfire_model_message_reader_t *reader)
{
    reader->conn = ctx->conn;
    reader->pool = ctx->pool;
    reader->signers = &ctx->instance->signers;
    reader->base_url = &ctx->base_url;
}


ngx_int_t
ngx_campfire_action_messages_index(ngx_campfire_ctx_t *ctx)
{
    int64_t                     room_id, anchor, updated_at;
    ngx_int_t                   rc;
    ngx_str_t                  *text;
    ngx_campfire_html_t         html;
    ngx_campfire_action_page_e  which;

    rc = ngx_campfire_action_messages_path(ctx, &room_id, NULL);
    if (rc != NGX_OK) {
        return rc;
    }

    rc = ngx_campfire_model_membership_exists(ctx->conn, room_id,
                                              ctx->user->id);
    if (rc != NGX_OK) {
        return rc;
    }

    anchor = 0;
    which = NGX_CAMPFIRE_ACTION_PAGE_BEFORE;
    text = ngx_campfire_http_param(ctx, "before");

    if (text == NULL || text->len == 0) {
        which = NGX_CAMPFIRE_ACTION_PAGE_AFTER;
        text = ngx_campfire_http_param(ctx, "after");
    }

    if (text == NULL || text->len == 0) {
        which = NGX_CAMPFIRE_ACTION_PAGE_LAST;

    } else if (ngx_campfire_http_parse_id(text, &anchor) != NGX_OK) {
        return NGX_DECLINED;
    }

    rc = ngx_campfire_action_page(ctx, room_id, which, anchor, &html,
                                  &updated_at);
    if (rc != NGX_OK) {
        return rc;
    }

    if (updated_at == 0) {
        return ngx_campfire_http_send_head(ctx, NGX_HTTP_NO_CONTENT);
    }

    if (ngx_campfire_http_format(ctx, NGX_CAMPFIRE_FORMAT_HTML) == 0) {
        return NGX_CAMPFIRE_HTTP_NOT_ACCEPTABLE;
    }

    /* nginx writes the header, and compares it with If-Modified-Since */
    ctx->request->headers_out.last_modified_time = updated_at / 1000000;

    return ngx_campfire_http_send(ctx, NGX_HTTP_OK,
                                  "text/html; charset=utf-8", &html.str);
}


/* The message of the path with all it shows, for whoever may see it. */
static ngx_int_t
ngx_campfire_action_messages_load(ngx_campfire_ctx_t *ctx,
    ngx_campfire_message_t *message)
{
    int64_t    room_id, id;
    ngx_int_t  rc;

    rc = ngx_campfire_action_messages_path(ctx, &room_id, &id);
    if (rc != NGX_OK) {
        return rc;
    }

    rc = ngx_campfire_model_message_find(ctx->conn, ctx->pool, ctx->user->id,
                                         room_id, id, message);
    if (rc != NGX_OK) {
        return rc;
    }

    return ngx_campfire_model_message_get(ctx->conn, ctx->pool,
                                          &ctx->instance->signers,
                                          &ctx->base_url, id, message);
}


ngx_int_t
ngx_campfire_action_messages_show(ngx_campfire_ctx_t *ctx)
{
    ngx_int_t                    rc;
    ngx_campfire_buf_t           out;
    ngx_campfire_message_t       row;
    ngx_campfire_view_page_t     page;
    ngx_campfire_view_message_t  message;

    rc = ngx_campfire_action_messages_load(ctx, &row);
    if (rc != NGX_OK) {
        return rc;
    }

    rc = ngx_campfire_http_view_init(ctx);
    if (rc != NGX_OK) {
        return rc;
    }

    if (ngx_campfire_view_page_init(&ctx->view, NULL, NULL, &page) != NGX_OK
        || ngx_campfire_view_message_init(&ctx->view, &row, &message)
           != NGX_OK)
    {
        return NGX_ERROR;
    }

    ngx_campfire_base_buf_init(&out, ctx->pool, 8192);
    ngx_campfire_view_messages_show(&ctx->view, &out, &page, &message);

    return ngx_campfire_http_send_html(ctx, NGX_HTTP_OK, &out);
}


ngx_int_t
ngx_campfire_action_messages_edit(ngx_campfire_ctx_t *ctx)
{
    ngx_int_t                            rc;
    ngx_str_t                            value;
    ngx_campfire_buf_t                   out;
    ngx_campfire_message_t               row;
    ngx_campfire_view_page_t             page;
    ngx_campfire_view_message_t          message;
    ngx_campfire_model_message_reader_t  reader;

    rc = ngx_campfire_action_messages_load(ctx, &row);
    if (rc != NGX_OK) {
        return rc;
    }

    if (!ngx_campfire_model_message_administers(ctx->user, &row)) {
        return ngx_campfire_http_send_head(ctx, NGX_HTTP_FORBIDDEN);
    }

    ngx_campfire_action_messages_reader(ctx, &reader);

    rc = ngx_campfire_model_message_edit_value(&reader, &row.body, &value);
    if (rc != NGX_OK) {
        return rc;
    }

    rc = ngx_campfire_http_view_init(ctx);
    if (rc != NGX_OK) {
        return rc;
    }

    if (ngx_campfire_view_page_init(&ctx->view, NULL, NULL, &page) != NGX_OK
        || ngx_campfire_view_message_init(&ctx->view, &row, &message)
           != NGX_OK)
    {
        return NGX_ERROR;
    }

    ngx_campfire_base_buf_init(&out, ctx->pool, 8192);
    ngx_campfire_view_messages_edit(&ctx->view, &out, &page, &message, value);

    return ngx_campfire_http_send_html(ctx, NGX_HTTP_OK, &out);
}


/* In the form of a thread, whose memory the request's pool cannot be. */
static void
ngx_campfire_action_messages_canonicalize(void *data)
{
    ngx_campfire_action_messages_t *args = data;

    args->rc = ngx_campfire_richtext_canonicalize(args->pool,
                                                  &args->submitted,
                                                  &args->body);
}


static void
ngx_campfire_action_messages_free_pool(void *data)
{
    ngx_destroy_pool(data);
}


/* Makes args->body of the parameter, then calls next. */
static ngx_int_t
ngx_campfire_action_messages_body(ngx_campfire_ctx_t *ctx,
    ngx_campfire_action_messages_t *args, ngx_campfire_http_done_pt next)
{
    ngx_str_t           *body;
    ngx_pool_cleanup_t  *cln;

    ctx->data = args;
    args->next = next;

    body = ngx_campfire_http_param(ctx, "message[body]");

    if (body == NULL) {
        return next(ctx);
    }

    args->submitted = *body;

    if (body->data == NULL) {
        ngx_str_set(&args->submitted, "");
    }

    if (args->submitted.len <= NGX_CAMPFIRE_ACTION_MESSAGES_INLINE) {
        args->pool = ctx->pool;
        ngx_campfire_action_messages_canonicalize(args);
        return ngx_campfire_action_messages_prepared(ctx);
    }

    cln = ngx_pool_cleanup_add(ctx->pool, 0);
    if (cln == NULL) {
        return NGX_ERROR;
    }

    args->pool = ngx_create_pool(4096, ngx_cycle->log);
    if (args->pool == NULL) {
        return NGX_ERROR;
    }

    cln->handler = ngx_campfire_action_messages_free_pool;
    cln->data = args->pool;

    return ngx_campfire_http_thread(ctx,
                                    ngx_campfire_action_messages_canonicalize,
                                    args,
                                    ngx_campfire_action_messages_prepared);
}


static ngx_int_t
ngx_campfire_action_messages_prepared(ngx_campfire_ctx_t *ctx)
{
    ngx_campfire_action_messages_t  *args = ctx->data;

    if (args->rc == NGX_DECLINED) {
        return NGX_CAMPFIRE_UNPROCESSABLE;
    }

    return (args->rc == NGX_OK) ? args->next(ctx) : NGX_ERROR;
}


ngx_int_t
ngx_campfire_action_messages_create(ngx_campfire_ctx_t *ctx)
{
    ngx_int_t                        rc;
    ngx_str_t                       *client, *file;
    ngx_campfire_action_messages_t  *args;

    args = ngx_pcalloc(ctx->pool, sizeof(ngx_campfire_action_messages_t));
    if (args == NULL) {
        return NGX_ERROR;
    }

    rc = ngx_campfire_action_messages_path(ctx, &args->room_id, NULL);

    if (rc == NGX_OK) {
        rc = ngx_campfire_model_membership_exists(ctx->conn, args->room_id,
                                                  ctx->user->id);
    }

    if (rc == NGX_DECLINED) {
        return ngx_campfire_action_messages_gone(ctx);
    }

    if (rc != NGX_OK) {
        return rc;
    }

    if (!ngx_campfire_http_param_hash(ctx, "message") && ctx->nfiles == 0) {
        return NGX_HTTP_BAD_REQUEST;
    }

    file = ngx_campfire_http_param(ctx, "message[attachment]");

    if (ctx->nfiles || (file && file->len)) {
        return NGX_CAMPFIRE_UNPROCESSABLE;
    }

    client = ngx_campfire_http_param(ctx, "message[client_message_id]");

    if (client && client->len) {
        if (client->len > NGX_CAMPFIRE_MODEL_MESSAGE_CLIENT) {
            return NGX_CAMPFIRE_UNPROCESSABLE;
        }

        args->client_id = *client;
    }

    return ngx_campfire_action_messages_body(ctx, args,
                                          ngx_campfire_action_messages_post);
}


static ngx_int_t
ngx_campfire_action_messages_post(ngx_campfire_ctx_t *ctx)
{
    ngx_campfire_action_messages_t           *args = ctx->data;
    ngx_campfire_model_message_create_args_t *create;

    create = ngx_pcalloc(ctx->pool,
                         sizeof(ngx_campfire_model_message_create_args_t));
    if (create == NULL) {
        return NGX_ERROR;
    }

    create->room_id = args->room_id;
    create->viewer_id = ctx->user->id;
    create->body = args->body;
    create->client_message_id = args->client_id;

    return ngx_campfire_http_write(ctx, ngx_campfire_model_message_create,
                                   create,
                                   ngx_campfire_action_messages_stream,
                                   ngx_campfire_action_messages_written);
}


/* The very bytes that were broadcast. */
static ngx_int_t
ngx_campfire_action_messages_stream(ngx_campfire_tx_t *tx, void *args,
    ngx_campfire_buf_t *out)
{
    ngx_campfire_effect_t  *effect;

    effect = ngx_campfire_db_writer_find_effect(tx,
                                         NGX_CAMPFIRE_EFFECT_MESSAGE_CREATED);
    if (effect == NULL) {
        effect = ngx_campfire_db_writer_find_effect(tx,
                                       NGX_CAMPFIRE_EFFECT_MESSAGE_DESTROYED);
    }

    if (effect) {
        ngx_campfire_base_buf_str(out, effect->stream);
    }

    return NGX_OK;
}


/*
 * After posting or deleting.  The write stands whatever the client takes: one
 * that wants no stream is led to the room.
 */
static ngx_int_t
ngx_campfire_action_messages_written(ngx_campfire_ctx_t *ctx)
{
    ngx_campfire_action_messages_t  *args = ctx->data;

    if (ngx_campfire_http_format(ctx, NGX_CAMPFIRE_FORMAT_STREAM) == 0) {
        return ngx_campfire_http_redirect_to(ctx, "/rooms/%L", args->room_id);
    }

    return ngx_campfire_http_send(ctx, NGX_HTTP_OK,
                                  NGX_CAMPFIRE_ACTION_MESSAGES_STREAM,
                                  &ctx->job->body);
}


static ngx_int_t
ngx_campfire_action_messages_gone(ngx_campfire_ctx_t *ctx)
{
    ngx_str_t           body;
    ngx_campfire_buf_t  out;

    ngx_campfire_base_buf_init(&out, ctx->pool, 256);
    ngx_campfire_view_room_gone(&ctx->view, &out);

    if (ngx_campfire_base_buf_done(&out, &body) != NGX_OK) {
        return NGX_ERROR;
    }

    return ngx_campfire_http_send(ctx, NGX_HTTP_OK,
                                  "text/html; charset=utf-8", &body);
}


/*
 * What update and destroy begin with: the message of the path, which the
 * viewer may change.  NGX_OK without ctx->answered: go on with *args.
 */
static ngx_int_t
ngx_campfire_action_messages_mine(ngx_campfire_ctx_t *ctx,
    ngx_campfire_action_messages_t **args)
{
    ngx_int_t                        rc;
    ngx_campfire_message_t           message;
    ngx_campfire_action_messages_t  *a;

    a = ngx_pcalloc(ctx->pool, sizeof(ngx_campfire_action_messages_t));
    if (a == NULL) {
        return NGX_ERROR;
    }

    rc = ngx_campfire_action_messages_path(ctx, &a->room_id, &a->id);
    if (rc != NGX_OK) {
        return rc;
    }

    rc = ngx_campfire_model_message_find(ctx->conn, ctx->pool, ctx->user->id,
                                         a->room_id, a->id, &message);
    if (rc != NGX_OK) {
        return rc;
    }

    if (!ngx_campfire_model_message_administers(ctx->user, &message)) {
        return ngx_campfire_http_send_head(ctx, NGX_HTTP_FORBIDDEN);
    }

    *args = a;

    return NGX_OK;
}


ngx_int_t
ngx_campfire_action_messages_update(ngx_campfire_ctx_t *ctx)
{
    ngx_int_t                        rc;
    ngx_str_t                       *file;
    ngx_campfire_action_messages_t  *args;

    rc = ngx_campfire_action_messages_mine(ctx, &args);

    if (rc != NGX_OK || ctx->answered) {
        return rc;
    }

    if (!ngx_campfire_http_param_hash(ctx, "message") && ctx->nfiles == 0) {
        return NGX_HTTP_BAD_REQUEST;
    }

    file = ngx_campfire_http_param(ctx, "message[attachment]");

    if (ctx->nfiles || (file && file->len)) {
        return NGX_CAMPFIRE_UNPROCESSABLE;
    }

    return ngx_campfire_action_messages_body(ctx, args,
                                        ngx_campfire_action_messages_change);
}


static ngx_int_t
ngx_campfire_action_messages_change(ngx_campfire_ctx_t *ctx)
{
    ngx_campfire_action_messages_t           *args = ctx->data;
    ngx_campfire_model_message_update_args_t *update;

    update = ngx_pcalloc(ctx->pool,
                         sizeof(ngx_campfire_model_message_update_args_t));
    if (update == NULL) {
        return NGX_ERROR;
    }

    update->room_id = args->room_id;
    update->viewer_id = ctx->user->id;
    update->message_id = args->id;
    update->body = args->body;

    return ngx_campfire_http_write(ctx, ngx_campfire_model_message_update,
                                   update, NULL,
                                   ngx_campfire_action_messages_changed);
}


static ngx_int_t
ngx_campfire_action_messages_changed(ngx_campfire_ctx_t *ctx)
{
    ngx_campfire_action_messages_t  *args = ctx->data;

    return ngx_campfire_http_redirect_to(ctx, "/rooms/%L/messages/%L",
                                         args->room_id, args->id);
}


ngx_int_t
ngx_campfire_action_messages_destroy(ngx_campfire_ctx_t *ctx)
{
    ngx_int_t                                  rc;
    ngx_campfire_action_messages_t            *args;
    ngx_campfire_model_message_destroy_args_t *destroy;

    rc = ngx_campfire_action_messages_mine(ctx, &args);

    if (rc != NGX_OK || ctx->answered) {
        return rc;
    }

    destroy = ngx_pcalloc(ctx->pool,
                          sizeof(ngx_campfire_model_message_destroy_args_t));
    if (destroy == NULL) {
        return NGX_ERROR;
    }

    destroy->room_id = args->room_id;
    destroy->viewer_id = ctx->user->id;
    destroy->message_id = args->id;

    ctx->data = args;

    return ngx_campfire_http_write(ctx, ngx_campfire_model_message_destroy,
                                   destroy,
                                   ngx_campfire_action_messages_stream,
                                   ngx_campfire_action_messages_written);
}
