
/*
 * The content of the cookie _campfire_session (auth.md §4).
 */

#ifndef _NGX_CAMPFIRE_RAILS_SESSION_H_INCLUDED_
#define _NGX_CAMPFIRE_RAILS_SESSION_H_INCLUDED_


#include "base/ngx_campfire_base.h"


#define NGX_CAMPFIRE_RAILS_SESSION_SECRET  32


typedef struct {
    ngx_str_t   json;          /* as it was read; keys we do not know stay */
    ngx_str_t   session_id;    /* 32 hex digits */
    ngx_str_t   csrf_token;    /* base64 of the secret; len 0: none yet */
    ngx_str_t   notice;        /* the flash; data NULL: none */
    ngx_str_t   alert;
    ngx_str_t   return_to;     /* data NULL: none */
} ngx_campfire_rails_session_t;


/* An empty session with a fresh id. */
ngx_int_t ngx_campfire_rails_session_new(ngx_pool_t *pool,
    ngx_campfire_rails_session_t *session);

/*
 * Reads the JSON of a decrypted cookie, whose bytes must live as long as the
 * session; one without an id gets one.  NGX_DECLINED: not an object.
 */
ngx_int_t ngx_campfire_rails_session_parse(ngx_pool_t *pool,
    const ngx_str_t *json, ngx_campfire_rails_session_t *session);

/*
 * Writes it as Rails does: keys in the order they were first set, flash and
 * return_to left out when there is none.
 */
ngx_int_t ngx_campfire_rails_session_json(ngx_pool_t *pool,
    const ngx_campfire_rails_session_t *session, ngx_str_t *json);

/*
 * The secret behind the tokens, 32 bytes.  NGX_DECLINED: there is none yet;
 * _set makes a new one.
 */
ngx_int_t ngx_campfire_rails_session_secret(ngx_pool_t *pool,
    const ngx_campfire_rails_session_t *session, u_char *secret);
ngx_int_t ngx_campfire_rails_session_set_secret(ngx_pool_t *pool,
    ngx_campfire_rails_session_t *session, u_char *secret);


#endif /* _NGX_CAMPFIRE_RAILS_SESSION_H_INCLUDED_ */
