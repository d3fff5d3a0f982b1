
#ifndef _NGX_CAMPFIRE_MODEL_SIDEBAR_H_INCLUDED_
#define _NGX_CAMPFIRE_MODEL_SIDEBAR_H_INCLUDED_


#include "models/ngx_campfire_model.h"


/* The viewer's sidebar, in three statements. */
ngx_int_t ngx_campfire_model_sidebar_load(ngx_campfire_db_conn_t *conn,
    ngx_pool_t *pool, int64_t viewer_id, ngx_campfire_sidebar_t *sidebar);

/*
 * One line of it, for publishing, also of a room that is hidden;
 * NGX_DECLINED: the viewer is not in the room.
 */
ngx_int_t ngx_campfire_model_sidebar_line(ngx_campfire_db_conn_t *conn,
    ngx_pool_t *pool, int64_t viewer_id, int64_t room_id,
    ngx_campfire_sidebar_room_t *line);


#endif /* _NGX_CAMPFIRE_MODEL_SIDEBAR_H_INCLUDED_ */
