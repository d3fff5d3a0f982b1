
/*
 * The JSON of Action Cable: commands of clients, frames of the server.
 */

#ifndef _NGX_CAMPFIRE_CABLE_PROTOCOL_H_INCLUDED_
#define _NGX_CAMPFIRE_CABLE_PROTOCOL_H_INCLUDED_


#include "base/ngx_campfire_base.h"
#include "base/ngx_campfire_base_buf.h"


#define NGX_CAMPFIRE_CABLE_PROTOCOL_IDENTIFIER  4096


typedef enum {
    NGX_CAMPFIRE_CABLE_SUBSCRIBE = 0,
    NGX_CAMPFIRE_CABLE_UNSUBSCRIBE,
    NGX_CAMPFIRE_CABLE_MESSAGE
} ngx_campfire_cable_command_e;


/* identifier and data are JSON texts, kept to the letter. */
typedef struct {
    ngx_campfire_cable_command_e  command;
    ngx_str_t                     identifier;
    ngx_str_t                     data;        /* data NULL: none */
} ngx_campfire_cable_command_t;


typedef struct {
    ngx_str_t    channel;              /* without a leading "::" */
    int64_t      room_id;
    ngx_str_t    signed_stream_name;   /* data NULL: none, or not a text */
    unsigned     has_room_id:1;        /* room_id is a number of an id */
} ngx_campfire_cable_identifier_t;


/*
 * All three copy into pool memory.  NGX_DECLINED: malformed, to be ignored;
 * NGX_ERROR: out of memory.
 */
ngx_int_t ngx_campfire_cable_protocol_command(ngx_pool_t *pool,
    const ngx_str_t *text, ngx_campfire_cable_command_t *command);
ngx_int_t ngx_campfire_cable_protocol_identifier(ngx_pool_t *pool,
    const ngx_str_t *text, ngx_campfire_cable_identifier_t *identifier);

/* The action of a message's data. */
ngx_int_t ngx_campfire_cable_protocol_action(ngx_pool_t *pool,
    const ngx_str_t *data, ngx_str_t *action);


/* The texts of server frames, appended to out. */

void ngx_campfire_cable_protocol_welcome(ngx_campfire_buf_t *out);
void ngx_campfire_cable_protocol_ping(ngx_campfire_buf_t *out, time_t now);
void ngx_campfire_cable_protocol_confirm(ngx_campfire_buf_t *out,
    ngx_str_t identifier);
void ngx_campfire_cable_protocol_reject(ngx_campfire_buf_t *out,
    ngx_str_t identifier);

/* message is JSON. */
void ngx_campfire_cable_protocol_message(ngx_campfire_buf_t *out,
    ngx_str_t identifier, ngx_str_t message);

/* reason NULL: null. */
void ngx_campfire_cable_protocol_disconnect(ngx_campfire_buf_t *out,
    const char *reason, ngx_uint_t reconnect);


#endif /* _NGX_CAMPFIRE_CABLE_PROTOCOL_H_INCLUDED_ */
