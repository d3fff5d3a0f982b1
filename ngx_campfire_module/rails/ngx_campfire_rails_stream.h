
/*
 * Global ids and the names of Turbo streams (auth.md §8 and §9).
 */

#ifndef _NGX_CAMPFIRE_RAILS_STREAM_H_INCLUDED_
#define _NGX_CAMPFIRE_RAILS_STREAM_H_INCLUDED_


#include "rails/ngx_campfire_rails_verifier.h"


/*
 * The parameter form of gid://campfire/<class>/<id>, as stream names have
 * it; class is "User" or a concrete room class.
 */
ngx_int_t ngx_campfire_rails_stream_gid(ngx_pool_t *pool,
    const ngx_str_t *class_name, int64_t id, ngx_str_t *gid);

/* "<gid>:<what>", such as "Z2lk…:messages" or "Z2lk…:rooms". */
ngx_int_t ngx_campfire_rails_stream_name(ngx_pool_t *pool,
    const ngx_str_t *class_name, int64_t id, const char *what,
    ngx_str_t *name);

/* The signed form in pages, deterministic; and back (NGX_DECLINED). */
ngx_int_t ngx_campfire_rails_stream_sign(ngx_campfire_rails_verifier_t *v,
    ngx_pool_t *pool, const ngx_str_t *name, ngx_str_t *text);
ngx_int_t ngx_campfire_rails_stream_verify(ngx_campfire_rails_verifier_t *v,
    ngx_pool_t *pool, const ngx_str_t *text, ngx_str_t *name);

/*
 * Takes a stream name apart: class name and id of its gid and what follows
 * the colon.  NGX_DECLINED: it has no gid of ours in front.
 */
ngx_int_t ngx_campfire_rails_stream_split(ngx_pool_t *pool,
    const ngx_str_t *name, ngx_str_t *class_name, int64_t *id,
    ngx_str_t *what);


#endif /* _NGX_CAMPFIRE_RAILS_STREAM_H_INCLUDED_ */
