
/*
 * A zone of an instance, as nginx maps it before the fork; models.h is not
 * needed for it.
 */

#ifndef _CAMPFIRE_T_CORE_ZONE_H_INCLUDED_
#define _CAMPFIRE_T_CORE_ZONE_H_INCLUDED_


#include <sys/mman.h>

#include "shm/ngx_campfire_shm.h"


#define ZONE_SIZE  (16 * 1024 * 1024)


static ngx_log_t         zone_log;
static ngx_shm_zone_t    zone;
static ngx_slab_pool_t  *slab;


/* Maps a zone for in; its root is in->sh afterwards. */
static inline ngx_int_t
zone_open(ngx_campfire_instance_t *in, size_t size)
{
    ngx_uint_t  n;

    ngx_pid = ngx_getpid();
    ngx_pagesize = (ngx_uint_t) getpagesize();
    for (n = ngx_pagesize, ngx_pagesize_shift = 0; n >>= 1;
         ngx_pagesize_shift++) { /* void */ }
    ngx_slab_sizes_init();

    memset(&zone, 0, sizeof(zone));
    zone.data = in;
    zone.shm.size = size;
    zone.shm.log = &zone_log;
    zone.shm.name.data = (u_char *) "test";
    zone.shm.name.len = 4;
    zone.shm.addr = mmap(NULL, size, PROT_READ|PROT_WRITE,
                         MAP_ANON|MAP_SHARED, -1, 0);
    if (zone.shm.addr == MAP_FAILED) {
        return NGX_ERROR;
    }

    slab = (ngx_slab_pool_t *) zone.shm.addr;
    slab->end = zone.shm.addr + size;
    slab->min_shift = 3;
    slab->addr = zone.shm.addr;

    if (ngx_shmtx_create(&slab->mutex, &slab->lock, NULL) != NGX_OK) {
        return NGX_ERROR;
    }

    ngx_slab_init(slab);

    if (ngx_campfire_shm_init_zone(&zone, NULL) != NGX_OK) {
        return NGX_ERROR;
    }

    in->zone = &zone;
    in->sh = slab->data;

    return NGX_OK;
}


static inline void
zone_close(ngx_campfire_instance_t *in)
{
    munmap(zone.shm.addr, zone.shm.size);
    in->sh = NULL;
}


#endif /* _CAMPFIRE_T_CORE_ZONE_H_INCLUDED_ */
