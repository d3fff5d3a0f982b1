
#ifndef _NGX_CAMPFIRE_RAILS_COOKIE_H_INCLUDED_
#define _NGX_CAMPFIRE_RAILS_COOKIE_H_INCLUDED_


#include "rails/ngx_campfire_rails_verifier.h"


#define NGX_CAMPFIRE_RAILS_COOKIE_IV_LEN  12


/*
 * All take and give the value before percent escapes.  inner is the JSON
 * text of the cookie's value, exp an ISO 8601 instant such as
 * "2046-03-02T15:00:00.000Z" or empty for none; now is milliseconds since the
 * epoch, and so is expires, which is 0 for a value that never does and may be
 * NULL.  Results lie in pool memory.  Reading answers NGX_DECLINED for
 * whatever Rails would treat as no cookie: forged, expired, or made for
 * another name.
 */
ngx_int_t ngx_campfire_rails_cookie_sign(ngx_campfire_rails_verifier_t *v,
    ngx_pool_t *pool, const ngx_str_t *name, const ngx_str_t *inner,
    const ngx_str_t *exp, ngx_str_t *value);
ngx_int_t ngx_campfire_rails_cookie_verify(ngx_campfire_rails_verifier_t *v,
    ngx_pool_t *pool, const ngx_str_t *name, const ngx_str_t *value,
    int64_t now, ngx_str_t *inner, int64_t *expires);

/* key is 32 bytes; iv must be fresh random bytes for every call. */
ngx_int_t ngx_campfire_rails_cookie_encrypt(const u_char *key,
    ngx_pool_t *pool, const ngx_str_t *name, const ngx_str_t *inner,
    const ngx_str_t *exp, const u_char *iv, ngx_str_t *value);
ngx_int_t ngx_campfire_rails_cookie_decrypt(const u_char *key,
    ngx_pool_t *pool, const ngx_str_t *name, const ngx_str_t *value,
    int64_t now, ngx_str_t *inner, int64_t *expires);


#endif /* _NGX_CAMPFIRE_RAILS_COOKIE_H_INCLUDED_ */
