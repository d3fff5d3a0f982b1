
/*
 * Rendered parts of pages, shared by all workers of an instance.
 *
 * An entry keeps the generations it was made under and is good as long as
 * they are the current ones: a write in one room leaves the entries of all
 * others alone, and nothing has to be found and deleted when something
 * changes.  Entries that are not asked for go when room is needed.
 */

#ifndef _NGX_CAMPFIRE_CACHE_H_INCLUDED_
#define _NGX_CAMPFIRE_CACHE_H_INCLUDED_


#include "shm/ngx_campfire_shm.h"


#define NGX_CAMPFIRE_CACHE_KEY  256     /* bytes of a key */


/*
 * What an entry depends on.  Take it before the snapshot that the entry is
 * made from begins: a commit in between makes the entry stale, never wrong.
 */
typedef struct {
    uint64_t    global;
    uint64_t    room;
} ngx_campfire_cache_generations_t;


/* Makes the store empty; the zone is ours alone. */
void ngx_campfire_cache_init(ngx_campfire_sh_t *sh);

/* The current generations of a room. */
void ngx_campfire_cache_generations(ngx_campfire_sh_t *sh, int64_t room_id,
    ngx_campfire_cache_generations_t *generations);

/*
 * A copy of a body in pool memory, and the number stored with it.
 * NGX_DECLINED: there is none, or it is stale.
 */
ngx_int_t ngx_campfire_cache_get(ngx_campfire_instance_t *instance,
    const ngx_str_t *key, const ngx_campfire_cache_generations_t *generations,
    ngx_pool_t *pool, ngx_str_t *body, int64_t *number);

/* Stores a body, or does not when there is no room for it. */
void ngx_campfire_cache_put(ngx_campfire_instance_t *instance,
    const ngx_str_t *key, const ngx_campfire_cache_generations_t *generations,
    const ngx_str_t *body, int64_t number);


#endif /* _NGX_CAMPFIRE_CACHE_H_INCLUDED_ */
