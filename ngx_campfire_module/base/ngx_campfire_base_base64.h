
#ifndef _NGX_CAMPFIRE_BASE_BASE64_H_INCLUDED_
#define _NGX_CAMPFIRE_BASE_BASE64_H_INCLUDED_


#include "base/ngx_campfire_base.h"


typedef enum {
    NGX_CAMPFIRE_BASE64 = 0,      /* +/ with padding */
    NGX_CAMPFIRE_BASE64_URL,      /* -_ without padding */
    NGX_CAMPFIRE_BASE64_URL_PAD   /* -_ with padding */
} ngx_campfire_base64_e;


/* Encodes into pool memory; NGX_OK or NGX_ERROR (no memory). */
ngx_int_t ngx_campfire_base_base64_encode(ngx_pool_t *pool,
    ngx_campfire_base64_e form, const u_char *src, size_t len,
    ngx_str_t *dst);

/*
 * Decodes either alphabet, with or without padding, into pool memory.
 * NGX_DECLINED: a foreign character, a length no encoder makes, misplaced
 * padding, or bits set that the encoder leaves zero.
 */
ngx_int_t ngx_campfire_base_base64_decode(ngx_pool_t *pool,
    const ngx_str_t *src, ngx_str_t *dst);


#endif /* _NGX_CAMPFIRE_BASE_BASE64_H_INCLUDED_ */
