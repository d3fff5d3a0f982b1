
/*
 * Signed ids of users: avatar tokens and transfer ids (auth.md §6).
 */

#ifndef _NGX_CAMPFIRE_RAILS_SIGNED_ID_H_INCLUDED_
#define _NGX_CAMPFIRE_RAILS_SIGNED_ID_H_INCLUDED_


#include "rails/ngx_campfire_rails_verifier.h"


#define NGX_CAMPFIRE_RAILS_SIGNED_ID_AVATAR    "user/avatar"
#define NGX_CAMPFIRE_RAILS_SIGNED_ID_TRANSFER  "user/transfer"


/*
 * Signs an id for a purpose, one of the literals above, in pool memory.
 * exp is microseconds since the epoch, 0 for ever.
 */
ngx_int_t ngx_campfire_rails_signed_id_sign(ngx_campfire_rails_verifier_t *v,
    ngx_pool_t *pool, int64_t id, const char *purpose, int64_t exp,
    ngx_str_t *text);

/* NGX_DECLINED: not ours, for another purpose, or expired at now. */
ngx_int_t ngx_campfire_rails_signed_id_verify(
    ngx_campfire_rails_verifier_t *v, ngx_pool_t *pool, const ngx_str_t *text,
    const char *purpose, int64_t now, int64_t *id);


#endif /* _NGX_CAMPFIRE_RAILS_SIGNED_ID_H_INCLUDED_ */
