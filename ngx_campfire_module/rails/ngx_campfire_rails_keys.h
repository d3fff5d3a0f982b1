
#ifndef _NGX_CAMPFIRE_RAILS_KEYS_H_INCLUDED_
#define _NGX_CAMPFIRE_RAILS_KEYS_H_INCLUDED_


#include "base/ngx_campfire_base.h"


/* Every key an instance needs; about 7,000 rounds of HMAC to derive. */
typedef struct {
    u_char  signed_cookie[64];
    u_char  encrypted_cookie[32];
    u_char  signed_id[64];
    u_char  signed_global_id[64];
    u_char  active_storage[64];
    u_char  turbo_stream[64];
    u_char  csrf_mask[32];         /* ours: the session-stable pad */
} ngx_campfire_rails_keys_t;


/*
 * Derives all keys from SECRET_KEY_BASE, taken as its literal bytes.
 * NGX_DECLINED: the secret is blank.  Call once per configuration load.
 */
ngx_int_t ngx_campfire_rails_keys_init(ngx_campfire_rails_keys_t *keys,
    const ngx_str_t *secret);

/* Wipes the keys; the compiler cannot leave it out. */
void ngx_campfire_rails_keys_cleanup(ngx_campfire_rails_keys_t *keys);


#endif /* _NGX_CAMPFIRE_RAILS_KEYS_H_INCLUDED_ */
