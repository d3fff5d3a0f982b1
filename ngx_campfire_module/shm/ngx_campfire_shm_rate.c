
/*
 * Attempts per client address in fixed windows.
 *
 * A small set-associative table: an address that finds no place takes that of
 * the oldest window among its neighbours.
 */

#include "shm/ngx_campfire_shm.h"


#define NGX_CAMPFIRE_SHM_RATE_WAYS  8


ngx_int_t
ngx_campfire_shm_rate(ngx_slab_pool_t *shpool, ngx_campfire_sh_t *sh,
    ngx_str_t *address, time_t now, ngx_uint_t limit, time_t window)
{
    uint64_t                 key;
    ngx_int_t                rc;
    ngx_uint_t               i, first;
    ngx_campfire_rate_sh_t  *rate, *found;

    key = ngx_campfire_shm_hash(address);
    key = key ? key : 1;

    first = (key % (NGX_CAMPFIRE_SHM_RATES / NGX_CAMPFIRE_SHM_RATE_WAYS))
            * NGX_CAMPFIRE_SHM_RATE_WAYS;

    ngx_shmtx_lock(&shpool->mutex);

    found = &sh->rates[first];

    for (i = 0; i < NGX_CAMPFIRE_SHM_RATE_WAYS; i++) {
        rate = &sh->rates[first + i];

        if (rate->key == key) {
            found = rate;
            break;
        }

        if (rate->start < found->start) {
            found = rate;
        }
    }

    if (found->key != key || now - found->start >= window
        || now < found->start)
    {
        found->key = key;
        found->start = now;
        found->count = 0;
    }

    rc = (++found->count > limit) ? NGX_BUSY : NGX_OK;

    ngx_shmtx_unlock(&shpool->mutex);

    return rc;
}
