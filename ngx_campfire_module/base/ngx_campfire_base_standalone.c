
/*
 * Pools over malloc() for unit tests and fuzzers; empty inside nginx.
 */

#include "base/ngx_campfire_base.h"


#if (NGX_CAMPFIRE_STANDALONE)


typedef struct ngx_campfire_base_block_s  ngx_campfire_base_block_t;

struct ngx_campfire_base_block_s {
    ngx_campfire_base_block_t  *next;
    void                       *data;
};

struct ngx_pool_s {
    ngx_campfire_base_block_t  *blocks;
};


ngx_pool_t *
ngx_create_pool(size_t size, void *log)
{
    (void) size;
    (void) log;

    return calloc(1, sizeof(ngx_pool_t));
}


void
ngx_destroy_pool(ngx_pool_t *pool)
{
    ngx_campfire_base_block_t  *b, *next;

    for (b = pool->blocks; b; b = next) {
        next = b->next;
        free(b->data);
        free(b);
    }

    free(pool);
}


void *
ngx_palloc(ngx_pool_t *pool, size_t size)
{
    ngx_campfire_base_block_t  *b;

    b = malloc(sizeof(ngx_campfire_base_block_t));
    if (b == NULL) {
        return NULL;
    }

    b->data = malloc(size ? size : 1);
    if (b->data == NULL) {
        free(b);
        return NULL;
    }

    b->next = pool->blocks;
    pool->blocks = b;

    return b->data;
}


void *
ngx_pnalloc(ngx_pool_t *pool, size_t size)
{
    return ngx_palloc(pool, size);
}


void *
ngx_pcalloc(ngx_pool_t *pool, size_t size)
{
    void  *p;

    p = ngx_palloc(pool, size);
    if (p) {
        ngx_memzero(p, size);
    }

    return p;
}


#else

/* ISO C forbids an empty translation unit */
typedef int  ngx_campfire_base_standalone_unused_t;

#endif
