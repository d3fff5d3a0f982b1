
/*
 * Making and adopting the zone of an instance.
 */

#include "shm/ngx_campfire_shm.h"
#include "cache/ngx_campfire_cache.h"


#define NGX_CAMPFIRE_SHM_MAGIC  0x43616d7066697265ULL    /* "Campfire" */


static uint64_t ngx_campfire_shm_layout(void);


/* Changes with anything that moves a field: a new module starts empty. */
static uint64_t
ngx_campfire_shm_layout(void)
{
    ngx_uint_t  i;
    uint64_t    hash;

    const uint64_t  facts[] = {
        sizeof(ngx_campfire_sh_t), sizeof(ngx_campfire_slot_sh_t),
        sizeof(ngx_campfire_rate_sh_t), sizeof(pthread_mutex_t),
        sizeof(ngx_campfire_cache_sh_t),
        NGX_CAMPFIRE_SHM_SLOTS, NGX_CAMPFIRE_SHM_GENERATIONS,
        NGX_CAMPFIRE_SHM_FILTER_BITS, NGX_CAMPFIRE_SHM_RING,
        NGX_CAMPFIRE_SHM_RATES, NGX_CAMPFIRE_COUNTERS,
        offsetof(ngx_campfire_sh_t, writer), offsetof(ngx_campfire_sh_t, ring)
    };

    hash = 0xcbf29ce484222325ULL;

    for (i = 0; i < sizeof(facts) / sizeof(facts[0]); i++) {
        hash = (hash ^ facts[i]) * 0x100000001b3ULL;
    }

    return hash;
}


ngx_int_t
ngx_campfire_shm_init_zone(ngx_shm_zone_t *zone, void *data)
{
    ngx_slab_pool_t          *shpool;
    ngx_campfire_sh_t        *sh;
    pthread_mutexattr_t       attr;
    ngx_campfire_instance_t  *in = zone->data;

    shpool = (ngx_slab_pool_t *) zone->shm.addr;

    /* kept over a reload, or mapped anew: the root is in the pool itself */

    if (data || zone->shm.exists) {
        sh = shpool->data;

        if (sh && sh->magic == NGX_CAMPFIRE_SHM_MAGIC
            && sh->layout == ngx_campfire_shm_layout())
        {
            return NGX_OK;
        }

        ngx_log_error(NGX_LOG_EMERG, zone->shm.log, 0,
                      "campfire_zone \"%V\" was made by another version of "
                      "the module, restart nginx instead of reloading it",
                      &zone->shm.name);
        return NGX_ERROR;
    }

    shpool->log_nomem = 0;

    sh = ngx_slab_calloc(shpool, sizeof(ngx_campfire_sh_t));
    if (sh == NULL) {
        goto nomem;
    }

    sh->ring = ngx_slab_alloc(shpool, NGX_CAMPFIRE_SHM_RING);
    if (sh->ring == NULL) {
        goto nomem;
    }

    ngx_campfire_cache_init(sh);

    if (pthread_mutexattr_init(&attr) != 0
        || pthread_mutexattr_setpshared(&attr, PTHREAD_PROCESS_SHARED) != 0
        || pthread_mutexattr_setrobust(&attr, PTHREAD_MUTEX_ROBUST) != 0
        || pthread_mutex_init(&sh->writer, &attr) != 0)
    {
        ngx_log_error(NGX_LOG_EMERG, zone->shm.log, ngx_errno,
                      "campfire: this system has no robust mutexes");
        return NGX_ERROR;
    }

    (void) pthread_mutexattr_destroy(&attr);

    sh->layout = ngx_campfire_shm_layout();
    sh->magic = NGX_CAMPFIRE_SHM_MAGIC;

    shpool->data = sh;

    return NGX_OK;

nomem:

    ngx_log_error(NGX_LOG_EMERG, zone->shm.log, 0,
                  "campfire_zone \"%V\" of %uz bytes is too small for \"%V\", "
                  "give it more", &zone->shm.name, zone->shm.size,
                  &in->storage);

    return NGX_ERROR;
}


uint64_t
ngx_campfire_shm_hash(const ngx_str_t *stream)
{
    size_t    i;
    uint64_t  hash;

    hash = 0xcbf29ce484222325ULL;

    for (i = 0; i < stream->len; i++) {
        hash = (hash ^ stream->data[i]) * 0x100000001b3ULL;
    }

    return hash;
}
