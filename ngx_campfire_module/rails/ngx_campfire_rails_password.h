
#ifndef _NGX_CAMPFIRE_RAILS_PASSWORD_H_INCLUDED_
#define _NGX_CAMPFIRE_RAILS_PASSWORD_H_INCLUDED_


#include "base/ngx_campfire_base.h"


/*
 * Both take a quarter of a second at cost 12 and belong in a thread.
 * Only the first 72 bytes of a password count.
 */

/* NGX_OK, or NGX_DECLINED: wrong, empty, with a NUL, or a bad digest. */
ngx_int_t ngx_campfire_rails_password_verify(const ngx_str_t *password,
    const ngx_str_t *digest);

/* Writes 60 characters; NGX_DECLINED if the password is empty or has a NUL. */
ngx_int_t ngx_campfire_rails_password_digest(const ngx_str_t *password,
    ngx_uint_t cost, u_char *digest);


#endif /* _NGX_CAMPFIRE_RAILS_PASSWORD_H_INCLUDED_ */
