
#ifndef _NGX_CAMPFIRE_RAILS_CSRF_H_INCLUDED_
#define _NGX_CAMPFIRE_RAILS_CSRF_H_INCLUDED_


#include "base/ngx_campfire_base.h"


#define NGX_CAMPFIRE_RAILS_CSRF_LEN  32


/*
 * The secret of one form: HMAC(real, path "#" method), or the global one
 * when path is NULL.  The path carries no trailing slash, method is lower
 * case.  secret has room for 32 bytes.
 */
ngx_int_t ngx_campfire_rails_csrf_secret(const u_char *real,
    const ngx_str_t *path, const ngx_str_t *method, u_char *secret);

/* pad || (pad XOR secret) in URL base64 without padding: 86 characters. */
ngx_int_t ngx_campfire_rails_csrf_mask(ngx_pool_t *pool, const u_char *pad,
    const u_char *secret, ngx_str_t *token);

/*
 * The pad of the token in a page: HMAC(mask_key, real), so that all pages of
 * one session carry the same token and can share a cached body.
 */
ngx_int_t ngx_campfire_rails_csrf_pad(const u_char *mask_key,
    const u_char *real, u_char *pad);

/*
 * NGX_OK if the token is the real one, or masks the real one, the global one
 * or the one of this path and method; else NGX_DECLINED.
 */
ngx_int_t ngx_campfire_rails_csrf_verify(ngx_pool_t *pool, const u_char *real,
    const ngx_str_t *path, const ngx_str_t *method, const ngx_str_t *token);


#endif /* _NGX_CAMPFIRE_RAILS_CSRF_H_INCLUDED_ */
