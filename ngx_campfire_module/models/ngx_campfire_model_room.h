
#ifndef _NGX_CAMPFIRE_MODEL_ROOM_H_INCLUDED_
#define _NGX_CAMPFIRE_MODEL_ROOM_H_INCLUDED_


#include "models/ngx_campfire_model.h"


/* Six columns of table r, a literal, for ngx_campfire_model_room_row. */
#define NGX_CAMPFIRE_MODEL_ROOM_COLUMNS(r)                                    \
    r ".id, " r ".type, " r ".name, " r ".creator_id, " r ".created_at, "     \
    r ".updated_at"

#define NGX_CAMPFIRE_MODEL_ROOM_NCOLUMNS  6

ngx_int_t ngx_campfire_model_room_row(ngx_campfire_db_stmt_t *stmt, int col,
    ngx_pool_t *pool, ngx_campfire_room_t *room);


/* The room if the viewer is in it, and his membership unless NULL. */
ngx_int_t ngx_campfire_model_room_find(ngx_campfire_db_conn_t *conn,
    ngx_pool_t *pool, int64_t viewer_id, int64_t id,
    ngx_campfire_room_t *room, ngx_campfire_membership_t *membership);

/* The room, for whoever has shown his right to it already. */
ngx_int_t ngx_campfire_model_room_get(ngx_campfire_db_conn_t *conn,
    ngx_pool_t *pool, int64_t id, ngx_campfire_room_t *room);

/*
 * Ids; NGX_DECLINED when there is none.  default: the last visited room if
 * the viewer is still in it, else his oldest one.  newest: his with the
 * highest id.  oldest: of all rooms, where the account is welcomed.
 */
ngx_int_t ngx_campfire_model_room_default(ngx_campfire_db_conn_t *conn,
    int64_t viewer_id, int64_t last_room_id, int64_t *id);
ngx_int_t ngx_campfire_model_room_newest(ngx_campfire_db_conn_t *conn,
    int64_t viewer_id, int64_t *id);
ngx_int_t ngx_campfire_model_room_oldest(ngx_campfire_db_conn_t *conn,
    int64_t *id);

/*
 * The name shown to the viewer (0: nobody): of a ping the names of the
 * others.  Points to room->name for other rooms.
 */
ngx_int_t ngx_campfire_model_room_display_name(ngx_campfire_db_conn_t *conn,
    ngx_pool_t *pool, ngx_campfire_room_t *room, int64_t viewer_id,
    ngx_str_t *name);


/* May the user change it?  (That every member may delete a ping is apart.) */
ngx_uint_t ngx_campfire_model_room_administers(
    const ngx_campfire_user_t *user, const ngx_campfire_room_t *room);


/*
 * A new open or closed room; job->id is its id.  An open one takes in all
 * active users, a closed one exactly those listed who exist.
 * NGX_CAMPFIRE_FORBIDDEN: only administrators may create rooms.
 */
typedef struct {
    int64_t                      viewer_id;
    ngx_campfire_room_type_e     type;        /* open or closed */
    ngx_str_t                    name;        /* data NULL: none */
    ngx_campfire_ids_t           user_ids;    /* closed */
} ngx_campfire_model_room_create_args_t;

ngx_int_t ngx_campfire_model_room_create(ngx_campfire_tx_t *tx, void *args);

/*
 * A ping of the viewer and those listed; job->id is its id.  One with exactly
 * these members is opened again (ROOM_OPENED), else made (ROOM_CREATED).
 */
typedef struct {
    int64_t                      viewer_id;
    ngx_campfire_ids_t           user_ids;
} ngx_campfire_model_room_ping_args_t;

ngx_int_t ngx_campfire_model_room_ping(ngx_campfire_tx_t *tx, void *args);

/*
 * Renames, converts, and for a closed room sets who is in it; job->id is its
 * id.  NGX_DECLINED: not in the room, or it is a ping.
 */
typedef struct {
    int64_t                      viewer_id;
    int64_t                      room_id;
    ngx_campfire_room_type_e     type;        /* open or closed, from now on */
    ngx_str_t                    name;        /* data NULL: as it is */
    ngx_campfire_ids_t           user_ids;    /* closed */
} ngx_campfire_model_room_update_args_t;

ngx_int_t ngx_campfire_model_room_update(ngx_campfire_tx_t *tx, void *args);

/*
 * With all its messages.  Over the route of pings every member may, and only
 * pings are found.  NGX_DECLINED: not in the room.
 */
typedef struct {
    int64_t                      viewer_id;
    int64_t                      room_id;
    ngx_uint_t                   direct;      /* the route of pings */
} ngx_campfire_model_room_destroy_args_t;

ngx_int_t ngx_campfire_model_room_destroy(ngx_campfire_tx_t *tx, void *args);


#endif /* _NGX_CAMPFIRE_MODEL_ROOM_H_INCLUDED_ */
