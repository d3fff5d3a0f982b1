
/*
 * Random bytes and texts from the CSPRNG.
 */

#ifndef _NGX_CAMPFIRE_BASE_RANDOM_H_INCLUDED_
#define _NGX_CAMPFIRE_BASE_RANDOM_H_INCLUDED_


#include "base/ngx_campfire_base.h"


/* NGX_ERROR: the system gives no entropy. */
ngx_int_t ngx_campfire_base_random_bytes(u_char *buf, size_t len);

/* n bytes as 2n lower-case hex digits, in pool memory. */
ngx_int_t ngx_campfire_base_random_hex(ngx_pool_t *pool, size_t n,
    ngx_str_t *text);

/* n characters, each uniform over the alphabet of at most 256. */
ngx_int_t ngx_campfire_base_random_text(ngx_pool_t *pool,
    const ngx_str_t *alphabet, size_t n, ngx_str_t *text);

/* A version 4 UUID, 36 characters in lower case. */
ngx_int_t ngx_campfire_base_random_uuid(ngx_pool_t *pool, ngx_str_t *text);


#endif /* _NGX_CAMPFIRE_BASE_RANDOM_H_INCLUDED_ */
