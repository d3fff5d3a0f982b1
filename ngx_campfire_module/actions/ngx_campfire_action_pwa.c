
/*
 * What makes Campfire an app of its own on a phone or desktop.
 */

#include "actions/ngx_campfire_action.h"
#include "models/ngx_campfire_model_account.h"
#include "views/ngx_campfire_view_asset.h"


static void ngx_campfire_action_pwa_path(ngx_campfire_ctx_t *ctx,
    ngx_campfire_buf_t *out, const char *path);
static void ngx_campfire_action_pwa_asset(ngx_campfire_ctx_t *ctx,
    ngx_campfire_buf_t *out, const char *name);


ngx_int_t
ngx_campfire_action_pwa_manifest(ngx_campfire_ctx_t *ctx)
{
    ngx_int_t               rc;
    ngx_str_t               body, name;
    ngx_campfire_buf_t      out;
    ngx_campfire_account_t  account;

    rc = ngx_campfire_model_account_find(ctx->conn, ctx->pool, &account);

    if (rc == NGX_OK) {
        name = account.name;

    } else if (rc == NGX_DECLINED) {
        ngx_str_set(&name, "Campfire");

    } else {
        return rc;
    }

    ngx_campfire_base_buf_init(&out, ctx->pool, 2048);

    ngx_campfire_base_buf_lit(&out, "{\"name\":\"");
    ngx_campfire_base_buf_json(&out, name);
    ngx_campfire_base_buf_lit(&out, "\",\"icons\":[{\"src\":\"");
    ngx_campfire_action_pwa_path(ctx, &out, "/account/logo?size=small");
    ngx_campfire_base_buf_lit(&out, "\",\"type\":\"image/png\","
                                    "\"sizes\":\"192x192\"},{\"src\":\"");
    ngx_campfire_action_pwa_path(ctx, &out, "/account/logo");
    ngx_campfire_base_buf_lit(&out, "\",\"type\":\"image/png\","
                                    "\"sizes\":\"512x512\"},{\"src\":\"");
    ngx_campfire_action_pwa_path(ctx, &out, "/account/logo");
    ngx_campfire_base_buf_lit(&out, "\",\"type\":\"image/png\","
                                    "\"sizes\":\"512x512\","
                                    "\"purpose\":\"maskable\"}],"
                                    "\"start_url\":\"");
    ngx_campfire_action_pwa_path(ctx, &out, "/");
    ngx_campfire_base_buf_lit(&out, "\",\"scope\":\"");
    ngx_campfire_action_pwa_path(ctx, &out, "/");
    ngx_campfire_base_buf_lit(&out,
        "\",\"display\":\"standalone\","
        "\"description\":\"Group chat on a server of your own.\","
        "\"categories\":[\"social\",\"business\",\"productivity\"],"
        "\"theme_color\":\"#ffffff\",\"background_color\":\"#ffffff\","
        "\"shortcuts\":[{\"name\":\"New chat room\",\"url\":\"");
    ngx_campfire_action_pwa_path(ctx, &out, "/rooms/opens/new");
    ngx_campfire_base_buf_lit(&out, "\",\"icons\":[{\"src\":\"");
    ngx_campfire_action_pwa_asset(ctx, &out, "images/shortcut-room.svg");
    ngx_campfire_base_buf_lit(&out, "\",\"type\":\"image/svg+xml\","
                                    "\"sizes\":\"any\"}]},"
                                    "{\"name\":\"My profile\",\"url\":\"");
    ngx_campfire_action_pwa_path(ctx, &out, "/users/me/profile");
    ngx_campfire_base_buf_lit(&out, "\",\"icons\":[{\"src\":\"");
    ngx_campfire_action_pwa_asset(ctx, &out, "images/shortcut-profile.svg");
    ngx_campfire_base_buf_lit(&out, "\",\"type\":\"image/svg+xml\","
                                    "\"sizes\":\"any\"}]}]}");

    if (ngx_campfire_base_buf_done(&out, &body) != NGX_OK) {
        return NGX_ERROR;
    }

    return ngx_campfire_http_send(ctx, NGX_HTTP_OK,
                                  "application/json; charset=utf-8", &body);
}


static void
ngx_campfire_action_pwa_path(ngx_campfire_ctx_t *ctx, ngx_campfire_buf_t *out,
    const char *path)
{
    ngx_campfire_base_buf_json(out, ctx->instance->prefix);
    ngx_campfire_base_buf_append(out, path, ngx_strlen(path));
}


static void
ngx_campfire_action_pwa_asset(ngx_campfire_ctx_t *ctx,
    ngx_campfire_buf_t *out, const char *name)
{
    const ngx_campfire_view_asset_t  *asset;

    asset = ngx_campfire_view_asset(name);

    if (asset) {
        ngx_campfire_base_buf_json(out, ctx->instance->prefix);
        ngx_campfire_base_buf_json(out, asset->path);
    }
}


ngx_int_t
ngx_campfire_action_pwa_service_worker(ngx_campfire_ctx_t *ctx)
{
    ngx_str_t                         body;
    const ngx_campfire_view_asset_t  *asset;

    asset = ngx_campfire_view_asset("service_worker.js");
    if (asset == NULL) {
        return NGX_ERROR;
    }

    body = asset->data;

    return ngx_campfire_http_send(ctx, NGX_HTTP_OK,
                                  "text/javascript; charset=utf-8", &body);
}
