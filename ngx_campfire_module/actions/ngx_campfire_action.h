
/*
 * The actions, one file per controller.  Every route of the table in
 * http/ngx_campfire_http_route.c names one of them.
 */

#ifndef _NGX_CAMPFIRE_ACTION_H_INCLUDED_
#define _NGX_CAMPFIRE_ACTION_H_INCLUDED_


#include "http/ngx_campfire_http.h"


ngx_int_t ngx_campfire_action_avatars_show(ngx_campfire_ctx_t *ctx);
ngx_int_t ngx_campfire_action_boosts_create(ngx_campfire_ctx_t *ctx);
ngx_int_t ngx_campfire_action_boosts_destroy(ngx_campfire_ctx_t *ctx);
ngx_int_t ngx_campfire_action_boosts_index(ngx_campfire_ctx_t *ctx);
ngx_int_t ngx_campfire_action_boosts_new(ngx_campfire_ctx_t *ctx);
ngx_int_t ngx_campfire_action_cable_connect(ngx_campfire_ctx_t *ctx);
ngx_int_t ngx_campfire_action_first_runs_create(ngx_campfire_ctx_t *ctx);
ngx_int_t ngx_campfire_action_first_runs_show(ngx_campfire_ctx_t *ctx);
ngx_int_t ngx_campfire_action_health_show(ngx_campfire_ctx_t *ctx);
ngx_int_t ngx_campfire_action_involvements_show(ngx_campfire_ctx_t *ctx);
ngx_int_t ngx_campfire_action_involvements_update(ngx_campfire_ctx_t *ctx);
ngx_int_t ngx_campfire_action_logos_show(ngx_campfire_ctx_t *ctx);
ngx_int_t ngx_campfire_action_messages_create(ngx_campfire_ctx_t *ctx);
ngx_int_t ngx_campfire_action_messages_destroy(ngx_campfire_ctx_t *ctx);
ngx_int_t ngx_campfire_action_messages_edit(ngx_campfire_ctx_t *ctx);
ngx_int_t ngx_campfire_action_messages_index(ngx_campfire_ctx_t *ctx);
ngx_int_t ngx_campfire_action_messages_show(ngx_campfire_ctx_t *ctx);
ngx_int_t ngx_campfire_action_messages_update(ngx_campfire_ctx_t *ctx);
ngx_int_t ngx_campfire_action_pwa_manifest(ngx_campfire_ctx_t *ctx);
ngx_int_t ngx_campfire_action_pwa_service_worker(ngx_campfire_ctx_t *ctx);
ngx_int_t ngx_campfire_action_refreshes_show(ngx_campfire_ctx_t *ctx);
ngx_int_t ngx_campfire_action_rooms_index(ngx_campfire_ctx_t *ctx);
ngx_int_t ngx_campfire_action_rooms_show(ngx_campfire_ctx_t *ctx);
ngx_int_t ngx_campfire_action_sessions_create(ngx_campfire_ctx_t *ctx);
ngx_int_t ngx_campfire_action_sessions_destroy(ngx_campfire_ctx_t *ctx);
ngx_int_t ngx_campfire_action_sessions_new(ngx_campfire_ctx_t *ctx);
ngx_int_t ngx_campfire_action_sessions_show(ngx_campfire_ctx_t *ctx);
ngx_int_t ngx_campfire_action_sidebars_show(ngx_campfire_ctx_t *ctx);
ngx_int_t ngx_campfire_action_static_location(ngx_campfire_ctx_t *ctx);
ngx_int_t ngx_campfire_action_static_page(ngx_campfire_ctx_t *ctx);
ngx_int_t ngx_campfire_action_static_robots(ngx_campfire_ctx_t *ctx);
ngx_int_t ngx_campfire_action_transfers_show(ngx_campfire_ctx_t *ctx);
ngx_int_t ngx_campfire_action_transfers_update(ngx_campfire_ctx_t *ctx);
ngx_int_t ngx_campfire_action_users_create(ngx_campfire_ctx_t *ctx);
ngx_int_t ngx_campfire_action_users_new(ngx_campfire_ctx_t *ctx);
ngx_int_t ngx_campfire_action_welcome_show(ngx_campfire_ctx_t *ctx);


#endif /* _NGX_CAMPFIRE_ACTION_H_INCLUDED_ */
