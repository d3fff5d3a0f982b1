
/*
 * The route table: every path of the product, in the order of precedence.
 *
 * A pattern is segments between slashes.  ":name" takes one segment up to a
 * dot, "@:name" one that starts with "@", "*name" the rest of the path.  The
 * last segment may carry a ".format" suffix.  Adding a page is one row here,
 * one function in actions/ and one template.
 */

#include "http/ngx_campfire_http_route.h"
#include "actions/ngx_campfire_action.h"


#define GET        NGX_HTTP_GET
#define POST       NGX_HTTP_POST
#define PUT        (NGX_HTTP_PUT|NGX_HTTP_PATCH)
#define DELETE     NGX_HTTP_DELETE

#define OPEN       NGX_CAMPFIRE_ROUTE_OPEN
#define GUEST      NGX_CAMPFIRE_ROUTE_GUEST
#define BOT        NGX_CAMPFIRE_ROUTE_BOT
#define NO_CSRF    NGX_CAMPFIRE_ROUTE_NO_CSRF
#define BARE       NGX_CAMPFIRE_ROUTE_BARE

#define ngx_campfire_route(method, pattern, action, flags)                    \
    { method, ngx_string(pattern), action, flags }


static ngx_uint_t ngx_campfire_http_route_match(ngx_campfire_ctx_t *ctx,
    const ngx_campfire_route_t *route);


static const ngx_campfire_route_t  ngx_campfire_http_routes[] = {

    /* messages first: they are most of the traffic */

    ngx_campfire_route(GET, "/rooms/:room_id/messages",
                       ngx_campfire_action_messages_index, 0),
    ngx_campfire_route(POST, "/rooms/:room_id/messages",
                       ngx_campfire_action_messages_create, 0),
    ngx_campfire_route(GET, "/rooms/:room_id/messages/new", NULL, 0),
    ngx_campfire_route(GET, "/rooms/:room_id/messages/:id",
                       ngx_campfire_action_messages_show, 0),
    ngx_campfire_route(GET, "/rooms/:room_id/messages/:id/edit",
                       ngx_campfire_action_messages_edit, 0),
    ngx_campfire_route(PUT, "/rooms/:room_id/messages/:id",
                       ngx_campfire_action_messages_update, 0),
    ngx_campfire_route(DELETE, "/rooms/:room_id/messages/:id",
                       ngx_campfire_action_messages_destroy, 0),

    /* root, first run, sessions */

    ngx_campfire_route(GET, "/", ngx_campfire_action_welcome_show, 0),
    ngx_campfire_route(GET, "/first_run",
                       ngx_campfire_action_first_runs_show, OPEN),
    ngx_campfire_route(POST, "/first_run",
                       ngx_campfire_action_first_runs_create, OPEN),
    ngx_campfire_route(GET, "/session/new",
                       ngx_campfire_action_sessions_new, OPEN),
    ngx_campfire_route(GET, "/session",
                       ngx_campfire_action_sessions_show, OPEN),
    ngx_campfire_route(POST, "/session",
                       ngx_campfire_action_sessions_create, OPEN),
    ngx_campfire_route(DELETE, "/session",
                       ngx_campfire_action_sessions_destroy, 0),
    ngx_campfire_route(GET, "/session/transfers/:transfer_id",
                       ngx_campfire_action_transfers_show, OPEN),
    ngx_campfire_route(PUT, "/session/transfers/:transfer_id",
                       ngx_campfire_action_transfers_update, OPEN),

    /* joining and people */

    ngx_campfire_route(GET, "/join/:join_code",
                       ngx_campfire_action_users_new, GUEST),
    ngx_campfire_route(POST, "/join/:join_code",
                       ngx_campfire_action_users_create, GUEST),
    ngx_campfire_route(GET, "/users/:user_id/sidebar",
                       ngx_campfire_action_sidebars_show, 0),
    ngx_campfire_route(GET, "/users/:avatar_id/avatar",
                       ngx_campfire_action_avatars_show, 0),
    ngx_campfire_route(DELETE, "/users/:user_id/avatar", NULL, 0),
    ngx_campfire_route(GET, "/users/:user_id/profile", NULL, 0),
    ngx_campfire_route(PUT, "/users/:user_id/profile", NULL, 0),
    ngx_campfire_route(GET, "/users/:user_id/push_subscriptions", NULL, 0),
    ngx_campfire_route(POST, "/users/:user_id/push_subscriptions", NULL, 0),
    ngx_campfire_route(DELETE, "/users/:user_id/push_subscriptions/:id",
                       NULL, 0),
    ngx_campfire_route(POST, "/users/:user_id/push_subscriptions/"
                       ":push_subscription_id/test_notifications", NULL, 0),
    ngx_campfire_route(POST, "/users/:user_id/ban", NULL, 0),
    ngx_campfire_route(DELETE, "/users/:user_id/ban", NULL, 0),
    ngx_campfire_route(GET, "/users/:id", NULL, 0),
    ngx_campfire_route(GET, "/autocompletable/users", NULL, 0),

    /* account and bots */

    ngx_campfire_route(GET, "/account/edit", NULL, 0),
    ngx_campfire_route(PUT, "/account", NULL, 0),
    ngx_campfire_route(POST, "/account/join_code", NULL, 0),
    ngx_campfire_route(GET, "/account/logo",
                       ngx_campfire_action_logos_show, OPEN),
    ngx_campfire_route(DELETE, "/account/logo", NULL, 0),
    ngx_campfire_route(GET, "/account/custom_styles/edit", NULL, 0),
    ngx_campfire_route(PUT, "/account/custom_styles", NULL, 0),
    ngx_campfire_route(GET, "/account/users", NULL, 0),
    ngx_campfire_route(PUT, "/account/users/:id", NULL, 0),
    ngx_campfire_route(DELETE, "/account/users/:id", NULL, 0),
    ngx_campfire_route(GET, "/account/bots", NULL, 0),
    ngx_campfire_route(GET, "/account/bots/new", NULL, 0),
    ngx_campfire_route(POST, "/account/bots", NULL, 0),
    ngx_campfire_route(GET, "/account/bots/:id/edit", NULL, 0),
    ngx_campfire_route(PUT, "/account/bots/:id", NULL, 0),
    ngx_campfire_route(DELETE, "/account/bots/:id", NULL, 0),
    ngx_campfire_route(PUT, "/account/bots/:bot_id/key", NULL, 0),

    /* rooms */

    ngx_campfire_route(GET, "/rooms", ngx_campfire_action_rooms_index, 0),
    ngx_campfire_route(GET, "/rooms/new", NULL, 0),
    ngx_campfire_route(GET, "/rooms/opens/new", NULL, 0),
    ngx_campfire_route(POST, "/rooms/opens", NULL, 0),
    ngx_campfire_route(GET, "/rooms/opens/:id", NULL, 0),
    ngx_campfire_route(GET, "/rooms/opens/:id/edit", NULL, 0),
    ngx_campfire_route(PUT, "/rooms/opens/:id", NULL, 0),
    ngx_campfire_route(DELETE, "/rooms/opens/:id", NULL, 0),
    ngx_campfire_route(GET, "/rooms/closeds/new", NULL, 0),
    ngx_campfire_route(POST, "/rooms/closeds", NULL, 0),
    ngx_campfire_route(GET, "/rooms/closeds/:id", NULL, 0),
    ngx_campfire_route(GET, "/rooms/closeds/:id/edit", NULL, 0),
    ngx_campfire_route(PUT, "/rooms/closeds/:id", NULL, 0),
    ngx_campfire_route(DELETE, "/rooms/closeds/:id", NULL, 0),
    ngx_campfire_route(GET, "/rooms/directs/new", NULL, 0),
    ngx_campfire_route(POST, "/rooms/directs", NULL, 0),
    ngx_campfire_route(GET, "/rooms/directs/:id", NULL, 0),
    ngx_campfire_route(GET, "/rooms/directs/:id/edit", NULL, 0),
    ngx_campfire_route(DELETE, "/rooms/directs/:id", NULL, 0),
    ngx_campfire_route(GET, "/rooms/:room_id/@:message_id",
                       ngx_campfire_action_rooms_show, 0),
    ngx_campfire_route(GET, "/rooms/:room_id/refresh",
                       ngx_campfire_action_refreshes_show, 0),
    ngx_campfire_route(GET, "/rooms/:room_id/involvement",
                       ngx_campfire_action_involvements_show, 0),
    ngx_campfire_route(PUT, "/rooms/:room_id/involvement",
                       ngx_campfire_action_involvements_update, 0),
    ngx_campfire_route(GET, "/rooms/:room_id/settings", NULL, 0),
    ngx_campfire_route(GET, "/rooms/:id", ngx_campfire_action_rooms_show, 0),
    ngx_campfire_route(DELETE, "/rooms/:id", NULL, 0),

    /* the bot API */

    ngx_campfire_route(GET, "/rooms/:room_id/:bot_key/messages", NULL, BOT),
    ngx_campfire_route(POST, "/rooms/:room_id/:bot_key/messages", NULL, BOT),
    ngx_campfire_route(PUT, "/rooms/:room_id/:bot_key/messages/:id",
                       NULL, BOT),
    ngx_campfire_route(DELETE, "/rooms/:room_id/:bot_key/messages/:id",
                       NULL, BOT),
    ngx_campfire_route(POST, "/rooms/:room_id/:bot_key/messages/"
                       ":message_id/boosts", NULL, BOT),
    ngx_campfire_route(DELETE, "/rooms/:room_id/:bot_key/messages/"
                       ":message_id/boosts/:id", NULL, BOT),

    /* messages without their room in the path, boosts */

    ngx_campfire_route(GET, "/messages",
                       ngx_campfire_action_messages_index, 0),
    ngx_campfire_route(POST, "/messages",
                       ngx_campfire_action_messages_create, 0),
    ngx_campfire_route(GET, "/messages/new", NULL, 0),
    ngx_campfire_route(GET, "/messages/:id",
                       ngx_campfire_action_messages_show, 0),
    ngx_campfire_route(GET, "/messages/:id/edit",
                       ngx_campfire_action_messages_edit, 0),
    ngx_campfire_route(PUT, "/messages/:id",
                       ngx_campfire_action_messages_update, 0),
    ngx_campfire_route(DELETE, "/messages/:id",
                       ngx_campfire_action_messages_destroy, 0),
    ngx_campfire_route(GET, "/messages/:message_id/boosts",
                       ngx_campfire_action_boosts_index, 0),
    ngx_campfire_route(GET, "/messages/:message_id/boosts/new",
                       ngx_campfire_action_boosts_new, 0),
    ngx_campfire_route(POST, "/messages/:message_id/boosts",
                       ngx_campfire_action_boosts_create, 0),
    ngx_campfire_route(DELETE, "/messages/:message_id/boosts/:id",
                       ngx_campfire_action_boosts_destroy, 0),

    /* search, previews, app files */

    ngx_campfire_route(GET, "/searches", NULL, 0),
    ngx_campfire_route(POST, "/searches", NULL, 0),
    ngx_campfire_route(DELETE, "/searches/clear", NULL, 0),
    ngx_campfire_route(POST, "/unfurl_link", NULL, 0),
    ngx_campfire_route(GET, "/qr_code/:encoded_url", NULL, OPEN),
    ngx_campfire_route(GET, "/webmanifest",
                       ngx_campfire_action_pwa_manifest, OPEN|NO_CSRF),
    ngx_campfire_route(GET, "/service-worker",
                       ngx_campfire_action_pwa_service_worker, OPEN|NO_CSRF),

    /* files */

    ngx_campfire_route(GET, "/rails/active_storage/blobs/redirect/"
                       ":signed_id/*filename", NULL, BARE),
    ngx_campfire_route(GET, "/rails/active_storage/blobs/proxy/"
                       ":signed_id/*filename", NULL, BARE),
    ngx_campfire_route(GET, "/rails/active_storage/blobs/"
                       ":signed_id/*filename", NULL, BARE),
    ngx_campfire_route(GET, "/rails/active_storage/representations/redirect/"
                       ":signed_blob_id/:variation_key/*filename",
                       NULL, BARE),
    ngx_campfire_route(GET, "/rails/active_storage/representations/proxy/"
                       ":signed_blob_id/:variation_key/*filename",
                       NULL, BARE),
    ngx_campfire_route(GET, "/rails/active_storage/representations/"
                       ":signed_blob_id/:variation_key/*filename",
                       NULL, BARE),
    ngx_campfire_route(GET, "/rails/active_storage/disk/"
                       ":encoded_key/*filename", NULL, BARE),
    ngx_campfire_route(PUT, "/rails/active_storage/disk/:encoded_token",
                       NULL, BARE),
    ngx_campfire_route(POST, "/rails/active_storage/direct_uploads",
                       NULL, BARE),

    /* the rest of the framework */

    ngx_campfire_route(GET, "/up", ngx_campfire_action_health_show, BARE),
    ngx_campfire_route(GET, "/cable", ngx_campfire_action_cable_connect,
                       BARE),
    ngx_campfire_route(GET, "/robots.txt", ngx_campfire_action_static_robots,
                       BARE),
    ngx_campfire_route(GET, "/404", ngx_campfire_action_static_page, BARE),
    ngx_campfire_route(GET, "/422", ngx_campfire_action_static_page, BARE),
    ngx_campfire_route(GET, "/500", ngx_campfire_action_static_page, BARE),
    ngx_campfire_route(GET, "/502", ngx_campfire_action_static_page, BARE),
    ngx_campfire_route(GET, "/recede_historical_location",
                       ngx_campfire_action_static_location, BARE),
    ngx_campfire_route(GET, "/resume_historical_location",
                       ngx_campfire_action_static_location, BARE),
    ngx_campfire_route(GET, "/refresh_historical_location",
                       ngx_campfire_action_static_location, BARE),

    { 0, ngx_null_string, NULL, 0 }
};


ngx_int_t
ngx_campfire_http_route_find(ngx_campfire_ctx_t *ctx)
{
    ngx_uint_t                   method;
    const ngx_campfire_route_t  *route;

    method = (ctx->method == NGX_HTTP_HEAD) ? NGX_HTTP_GET : ctx->method;

    for (route = ngx_campfire_http_routes; route->pattern.len; route++) {

        if (!(route->method & method)
            || !ngx_campfire_http_route_match(ctx, route))
        {
            continue;
        }

        if (route->action == NULL) {
            return NGX_DECLINED;
        }

        ctx->route = route;

        return NGX_OK;
    }

    return NGX_DECLINED;
}


void
ngx_campfire_http_route_pattern(const ngx_str_t *path, ngx_str_t *pattern)
{
    u_char                      *query;
    ngx_campfire_ctx_t           ctx;
    const ngx_campfire_route_t  *route;

    ngx_str_null(pattern);

    ctx.path = *path;

    query = ngx_strlchr(path->data, path->data + path->len, '?');
    if (query) {
        ctx.path.len = query - path->data;
    }

    for (route = ngx_campfire_http_routes; route->pattern.len; route++) {
        if (ngx_campfire_http_route_match(&ctx, route)) {
            *pattern = route->pattern;
            return;
        }
    }
}


static ngx_uint_t
ngx_campfire_http_route_match(ngx_campfire_ctx_t *ctx,
    const ngx_campfire_route_t *route)
{
    u_char      *p, *pend, *s, *send;
    ngx_str_t   *value;
    ngx_uint_t   n;

    p = route->pattern.data;
    pend = p + route->pattern.len;
    s = ctx->path.data;
    send = s + ctx->path.len;

    n = 0;
    ctx->suffix.len = 0;

    for ( ;; ) {

        /* literal bytes up to the next dynamic segment */

        while (p < pend && *p != ':' && *p != '*') {
            if (s == send || *s != *p) {
                return 0;
            }

            p++;
            s++;
        }

        if (p == pend) {
            break;
        }

        value = &ctx->params[n++];
        value->data = s;

        if (*p == '*') {
            value->len = send - s;
            return 1;
        }

        while (p < pend && *p != '/') {
            p++;
        }

        while (s < send && *s != '/' && *s != '.') {
            s++;
        }

        value->len = s - value->data;

        if (value->len == 0) {
            return 0;
        }
    }

    /* what is left may only be ".format" */

    if (s == send) {
        return 1;
    }

    if (*s++ != '.' || s == send) {
        return 0;
    }

    ctx->suffix.data = s;

    while (s < send) {
        if (*s == '/' || *s == '.') {
            return 0;
        }

        s++;
    }

    ctx->suffix.len = send - ctx->suffix.data;

    return 1;
}
