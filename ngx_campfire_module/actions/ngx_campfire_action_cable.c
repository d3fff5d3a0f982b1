
/*
 * The handshake of a cable socket (cable.md §1).
 */

#include "actions/ngx_campfire_action.h"
#include "cable/ngx_campfire_cable.h"
#include "cable/ngx_campfire_cable_handshake.h"
#include "http/ngx_campfire_http_request.h"
#include "http/ngx_campfire_http_session.h"


typedef struct {
    ngx_event_t    event;
    ngx_str_t      token;
} ngx_campfire_action_cable_t;


static ngx_int_t ngx_campfire_action_cable_refuse(ngx_campfire_ctx_t *ctx,
    ngx_uint_t status, const char *text);
static ngx_int_t ngx_campfire_action_cable_accept(ngx_campfire_ctx_t *ctx,
    ngx_str_t *key);
static void ngx_campfire_action_cable_event(ngx_event_t *ev);
static void ngx_campfire_action_cable_written(ngx_http_request_t *r);


ngx_int_t
ngx_campfire_action_cable_connect(ngx_campfire_ctx_t *ctx)
{
    ngx_str_t           *upgrade, *connection, *origin, *version, *key;
    ngx_http_request_t  *r;
    static ngx_str_t     websocket = ngx_string("websocket");
    static ngx_str_t     token = ngx_string("upgrade");

    r = ctx->request;

    upgrade = ngx_campfire_http_request_header(r, "upgrade");
    connection = ngx_campfire_http_request_header(r, "connection");
    origin = ngx_campfire_http_request_header(r, "origin");
    version = ngx_campfire_http_request_header(r, "sec-websocket-version");
    key = ngx_campfire_http_request_header(r, "sec-websocket-key");

    if (r->method != NGX_HTTP_GET
        || r->http_version != NGX_HTTP_VERSION_11
        || r != r->main
#if (NGX_HTTP_V2)
        || r->stream
#endif
        || upgrade == NULL
        || !ngx_campfire_cable_handshake_is(upgrade, &websocket)
        || connection == NULL
        || !ngx_campfire_cable_handshake_has(connection, &token)
        || origin == NULL
        || origin->len != ctx->base_url.len
        || ngx_memcmp(origin->data, ctx->base_url.data, origin->len) != 0)
    {
        return ngx_campfire_action_cable_refuse(ctx, NGX_HTTP_NOT_FOUND,
                                                "Page not found");
    }

    if (version == NULL || version->len != 2
        || ngx_memcmp(version->data, "13", 2) != 0
        || key == NULL || !ngx_campfire_cable_handshake_key_valid(key)
        || r->headers_in.content_length_n > 0 || r->headers_in.chunked)
    {
        return ngx_campfire_action_cable_refuse(ctx, NGX_HTTP_BAD_REQUEST,
                                       "Not a WebSocket handshake of RFC "
                                       "6455");
    }

    if (ctx->instance->cable == NULL || ctx->conn == NULL) {
        return NGX_BUSY;
    }

    return ngx_campfire_action_cable_accept(ctx, key);
}


static ngx_int_t
ngx_campfire_action_cable_refuse(ngx_campfire_ctx_t *ctx, ngx_uint_t status,
    const char *text)
{
    ngx_str_t  body;

    body.data = (u_char *) text;
    body.len = ngx_strlen(text);

    return ngx_campfire_http_send(ctx, status, "text/plain; charset=utf-8",
                                  &body);
}


static ngx_int_t
ngx_campfire_action_cable_accept(ngx_campfire_ctx_t *ctx, ngx_str_t *key)
{
    ngx_int_t                     rc;
    ngx_str_t                     accept, *list;
    const ngx_str_t              *protocol;
    ngx_http_request_t           *r;
    ngx_campfire_action_cable_t  *cable;
    static ngx_str_t              websocket = ngx_string("websocket");

    r = ctx->request;

    cable = ngx_pcalloc(r->connection->pool,
                        sizeof(ngx_campfire_action_cable_t));
    accept.len = NGX_CAMPFIRE_CABLE_HANDSHAKE_ACCEPT;
    accept.data = ngx_pnalloc(ctx->pool, accept.len);

    if (cable == NULL || accept.data == NULL) {
        return NGX_ERROR;
    }

    /* a cookie that is not ours gets its answer on the socket */

    rc = ngx_campfire_http_session_token(ctx, &cable->token);

    if (rc == NGX_ERROR) {
        return NGX_ERROR;
    }

    if (rc != NGX_OK) {
        ngx_str_null(&cable->token);
    }

    if (ngx_campfire_cable_handshake_accept(key, accept.data) != NGX_OK
        || ngx_campfire_http_header(ctx, "Upgrade", &websocket) != NGX_OK
        || ngx_campfire_http_header(ctx, "Sec-WebSocket-Accept", &accept)
           != NGX_OK)
    {
        return NGX_ERROR;
    }

    list = ngx_campfire_http_request_header(r, "sec-websocket-protocol");

    if (list) {
        protocol = ngx_campfire_cable_handshake_protocol(list);

        if (protocol
            && ngx_campfire_http_header(ctx, "Sec-WebSocket-Protocol",
                                        (ngx_str_t *) protocol)
               != NGX_OK)
        {
            return NGX_ERROR;
        }
    }

    ctx->answered = 1;

    r->headers_out.status = NGX_HTTP_SWITCHING_PROTOCOLS;
    ngx_str_set(&r->headers_out.status_line, "101 Switching Protocols");
    ngx_http_clear_content_length(r);
    r->keepalive = 0;

    rc = ngx_http_send_header(r);

    if (rc == NGX_ERROR || rc > NGX_OK) {
        return rc;
    }

    if (ngx_http_send_special(r, NGX_HTTP_FLUSH) == NGX_ERROR) {
        return NGX_ERROR;
    }

    if (ngx_tcp_nodelay(r->connection) != NGX_OK) {
        return NGX_ERROR;
    }

    /* the phase engine is not done with the request yet */

    cable->event.handler = ngx_campfire_action_cable_event;
    cable->event.data = r;
    cable->event.log = r->connection->log;

    ctx->data = cable;

    r->main->count++;
    r->read_event_handler = ngx_http_block_reading;
    r->write_event_handler = ngx_campfire_action_cable_written;

    ngx_post_event((&cable->event), &ngx_posted_events);

    return NGX_DONE;
}


static void
ngx_campfire_action_cable_event(ngx_event_t *ev)
{
    ngx_campfire_action_cable_written(ev->data);
}


/* Once the 101 is out, the connection is the cable's. */
static void
ngx_campfire_action_cable_written(ngx_http_request_t *r)
{
    ngx_connection_t             *c;
    ngx_campfire_ctx_t           *ctx;
    ngx_campfire_action_cable_t  *cable;

    c = r->connection;
    ctx = ngx_campfire_http_ctx(r);
    cable = ctx->data;

    if (cable->event.posted) {
        ngx_delete_posted_event((&cable->event));
    }

    if (r->buffered || c->buffered) {

        if (ngx_http_output_filter(r, NULL) == NGX_ERROR || c->error) {
            ngx_http_finalize_request(r, NGX_ERROR);
            ngx_http_run_posted_requests(c);
            return;
        }

        if (r->buffered || c->buffered) {
            if (ngx_handle_write_event(c->write, 0) != NGX_OK) {
                ngx_http_finalize_request(r, NGX_ERROR);
                ngx_http_run_posted_requests(c);
            }

            return;
        }
    }

    ngx_campfire_cable_socket_open(r, ctx->instance, &cable->token);
}
