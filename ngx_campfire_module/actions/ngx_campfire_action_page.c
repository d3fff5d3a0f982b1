
/*
 * Pages of messages.
 */

#include "actions/ngx_campfire_action_page.h"
#include "cache/ngx_campfire_cache.h"
#include "models/ngx_campfire_model_message.h"
#include "ngx_campfire_views.h"


static ngx_int_t ngx_campfire_action_page_render(ngx_campfire_ctx_t *ctx,
    int64_t room_id, ngx_campfire_action_page_e which, int64_t anchor,
    ngx_str_t *html, int64_t *updated_at);


ngx_int_t
ngx_campfire_action_page(ngx_campfire_ctx_t *ctx, int64_t room_id,
    ngx_campfire_action_page_e which, int64_t anchor,
    ngx_campfire_html_t *html, int64_t *updated_at)
{
    u_char                             buf[NGX_CAMPFIRE_CACHE_KEY];
    ngx_int_t                          rc;
    ngx_str_t                          key;
    ngx_campfire_sh_t                 *sh;
    ngx_campfire_cache_generations_t   generations;

    sh = ctx->instance->sh;

    /* links in fragments are absolute; a long host name is not cached */

    key.data = buf;
    key.len = ngx_snprintf(buf, sizeof(buf), "messages:%L:%ui:%L:%V", room_id,
                           (ngx_uint_t) which, anchor, &ctx->base_url)
              - buf;

    ngx_campfire_cache_generations(sh, room_id, &generations);

    if (key.len < sizeof(buf)) {
        rc = ngx_campfire_cache_get(ctx->instance, &key, &generations,
                                    ctx->pool, &html->str, updated_at);
        if (rc == NGX_OK) {
            ctx->cache = NGX_CAMPFIRE_HTTP_CACHE_HIT;
            ngx_campfire_shm_count(sh, NGX_CAMPFIRE_COUNTER_CACHE_HITS);
        }

        if (rc != NGX_DECLINED) {
            return rc;
        }
    }

    ctx->cache = NGX_CAMPFIRE_HTTP_CACHE_MISS;
    ngx_campfire_shm_count(sh, NGX_CAMPFIRE_COUNTER_CACHE_MISSES);

    /* a snapshot that is younger than the generations */

    ngx_campfire_db_end_read(ctx->conn);

    rc = ngx_campfire_db_begin_read(ctx->conn);

    if (rc != NGX_OK) {

        /* whoever called us ends a read */
        ctx->conn = NULL;
        return rc;
    }

    rc = ngx_campfire_action_page_render(ctx, room_id, which, anchor,
                                         &html->str, updated_at);

    if (rc == NGX_OK && key.len < sizeof(buf)) {
        ngx_campfire_cache_put(ctx->instance, &key, &generations, &html->str,
                               *updated_at);
    }

    return rc;
}


static ngx_int_t
ngx_campfire_action_page_render(ngx_campfire_ctx_t *ctx, int64_t room_id,
    ngx_campfire_action_page_e which, int64_t anchor, ngx_str_t *html,
    int64_t *updated_at)
{
    ngx_int_t                            rc;
    ngx_uint_t                           i;
    ngx_campfire_buf_t                   out;
    ngx_campfire_messages_t              rows;
    ngx_campfire_view_messages_t         messages;
    ngx_campfire_model_message_reader_t  reader;

    reader.conn = ctx->conn;
    reader.pool = ctx->pool;
    reader.signers = &ctx->instance->signers;
    reader.base_url = &ctx->base_url;

    switch (which) {

    case NGX_CAMPFIRE_ACTION_PAGE_BEFORE:
        rc = ngx_campfire_model_message_before(&reader, room_id, anchor,
                                               &rows);
        break;

    case NGX_CAMPFIRE_ACTION_PAGE_AFTER:
        rc = ngx_campfire_model_message_after(&reader, room_id, anchor,
                                              &rows);
        break;

    case NGX_CAMPFIRE_ACTION_PAGE_AROUND:
        rc = ngx_campfire_model_message_around(&reader, room_id, anchor,
                                               &rows);
        break;

    default:
        rc = ngx_campfire_model_message_last(&reader, room_id, &rows);
    }

    if (rc != NGX_OK) {
        return rc;
    }

    *updated_at = 0;

    for (i = 0; i < rows.nelts; i++) {
        *updated_at = ngx_max(*updated_at, rows.elts[i].updated_at);
    }

    if (ngx_campfire_view_messages_init(&ctx->view, &rows, &messages)
        != NGX_OK)
    {
        return NGX_ERROR;
    }

    ngx_campfire_base_buf_init(&out, ctx->pool, 65536);
    ngx_campfire_view_messages(&ctx->view, &out, messages);

    return ngx_campfire_base_buf_done(&out, html);
}
