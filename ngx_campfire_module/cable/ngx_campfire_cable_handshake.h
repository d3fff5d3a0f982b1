
/*
 * The parts of the WebSocket handshake that are only about texts.
 */

#ifndef _NGX_CAMPFIRE_CABLE_HANDSHAKE_H_INCLUDED_
#define _NGX_CAMPFIRE_CABLE_HANDSHAKE_H_INCLUDED_


#include "base/ngx_campfire_base.h"


#define NGX_CAMPFIRE_CABLE_HANDSHAKE_ACCEPT  28


/* Is the token in a comma-separated header value, in any case? */
ngx_uint_t ngx_campfire_cable_handshake_has(const ngx_str_t *value,
    const ngx_str_t *token);

/* Is this exactly the word, in any case? */
ngx_uint_t ngx_campfire_cable_handshake_is(const ngx_str_t *value,
    const ngx_str_t *word);

/* Is this the base64 of 16 bytes? */
ngx_uint_t ngx_campfire_cable_handshake_key_valid(const ngx_str_t *key);

/* Sec-WebSocket-Accept; accept has room for 28 bytes. */
ngx_int_t ngx_campfire_cable_handshake_accept(const ngx_str_t *key,
    u_char *accept);

/*
 * The first protocol of the client's list that we know, a constant; NULL:
 * none, the connection works without.
 */
const ngx_str_t *ngx_campfire_cable_handshake_protocol(
    const ngx_str_t *list);


#endif /* _NGX_CAMPFIRE_CABLE_HANDSHAKE_H_INCLUDED_ */
