
/*
 * Rendered parts of pages in the zone.
 *
 * A tree by hash of the key and a list in order of use, all in slab memory
 * and under the slab mutex; bodies are copied out while it is held, so that
 * nobody has to give anything back.  `dirty` is set around every change: what
 * a worker left half done when it died is dropped, not trusted.
 */

#include "cache/ngx_campfire_cache.h"


#define NGX_CAMPFIRE_CACHE_EVICT  64     /* entries for one new one */


typedef struct {
    ngx_rbtree_node_t                  node;        /* key: hash */
    ngx_queue_t                        queue;
    ngx_campfire_cache_generations_t   generations;
    int64_t                            number;
    size_t                             size;        /* of it all */
    uint32_t                           body;
    uint16_t                           key;
    u_char                             data[1];     /* key, body */
} ngx_campfire_cache_entry_t;


static void ngx_campfire_cache_lock(ngx_slab_pool_t *shpool,
    ngx_campfire_sh_t *sh);
static ngx_campfire_cache_entry_t *ngx_campfire_cache_find(
    ngx_campfire_sh_t *sh, const ngx_str_t *key, ngx_rbtree_key_t hash);
static void ngx_campfire_cache_delete(ngx_slab_pool_t *shpool,
    ngx_campfire_sh_t *sh, ngx_campfire_cache_entry_t *entry);
static ngx_campfire_cache_entry_t *ngx_campfire_cache_alloc(
    ngx_slab_pool_t *shpool, ngx_campfire_sh_t *sh, size_t size);


void
ngx_campfire_cache_init(ngx_campfire_sh_t *sh)
{
    ngx_rbtree_init(&sh->cache.rbtree, &sh->cache.sentinel,
                    ngx_rbtree_insert_value);
    ngx_queue_init(&sh->cache.lru);

    sh->cache.entries = 0;
    sh->cache.bytes = 0;
    sh->cache.dirty = 0;
}


void
ngx_campfire_cache_generations(ngx_campfire_sh_t *sh, int64_t room_id,
    ngx_campfire_cache_generations_t *generations)
{
    generations->global = sh->global;
    generations->room = ngx_campfire_shm_room(sh, room_id);

    ngx_memory_barrier();
}


/*
 * Memory that a dead worker took for an entry is lost until nginx starts
 * again; that is better than a tree nobody can trust.
 */
static void
ngx_campfire_cache_lock(ngx_slab_pool_t *shpool, ngx_campfire_sh_t *sh)
{
    ngx_shmtx_lock(&shpool->mutex);

    if (sh->cache.dirty) {
        ngx_campfire_cache_init(sh);
    }
}


static ngx_campfire_cache_entry_t *
ngx_campfire_cache_find(ngx_campfire_sh_t *sh, const ngx_str_t *key,
    ngx_rbtree_key_t hash)
{
    ngx_rbtree_node_t           *node, *sentinel;
    ngx_campfire_cache_entry_t  *entry;

    node = sh->cache.rbtree.root;
    sentinel = sh->cache.rbtree.sentinel;

    while (node != sentinel) {

        if (hash < node->key) {
            node = node->left;
            continue;
        }

        if (hash > node->key) {
            node = node->right;
            continue;
        }

        /* equal hashes lie to the right of each other */

        entry = (ngx_campfire_cache_entry_t *) node;

        if (entry->key == key->len
            && ngx_memcmp(entry->data, key->data, key->len) == 0)
        {
            return entry;
        }

        node = node->right;
    }

    return NULL;
}


ngx_int_t
ngx_campfire_cache_get(ngx_campfire_instance_t *in, const ngx_str_t *key,
    const ngx_campfire_cache_generations_t *generations, ngx_pool_t *pool,
    ngx_str_t *body, int64_t *number)
{
    u_char                      *p;
    size_t                       size;
    ngx_int_t                    rc;
    ngx_rbtree_key_t             hash;
    ngx_slab_pool_t             *shpool;
    ngx_campfire_sh_t           *sh;
    ngx_campfire_cache_entry_t  *entry;

    sh = in->sh;
    shpool = (ngx_slab_pool_t *) in->zone->shm.addr;
    hash = (ngx_rbtree_key_t) ngx_campfire_shm_hash(key);

    p = NULL;
    size = 0;

    for ( ;; ) {

        ngx_campfire_cache_lock(shpool, sh);

        rc = NGX_DECLINED;
        entry = ngx_campfire_cache_find(sh, key, hash);

        if (entry
            && entry->generations.global == generations->global
            && entry->generations.room == generations->room)
        {
            if (p && size >= entry->body) {
                rc = NGX_OK;
                ngx_memcpy(p, entry->data + entry->key, entry->body);

                body->data = p;
                body->len = entry->body;
                *number = entry->number;

                sh->cache.dirty = 1;
                ngx_queue_remove(&entry->queue);
                ngx_queue_insert_head(&sh->cache.lru, &entry->queue);
                sh->cache.dirty = 0;

            } else {
                rc = NGX_AGAIN;
                size = entry->body;
            }
        }

        ngx_shmtx_unlock(&shpool->mutex);

        if (rc != NGX_AGAIN) {
            return rc;
        }

        /* memory is taken without the lock */

        p = ngx_pnalloc(pool, size ? size : 1);
        if (p == NULL) {
            return NGX_ERROR;
        }
    }
}


static void
ngx_campfire_cache_delete(ngx_slab_pool_t *shpool, ngx_campfire_sh_t *sh,
    ngx_campfire_cache_entry_t *entry)
{
    ngx_rbtree_delete(&sh->cache.rbtree, &entry->node);
    ngx_queue_remove(&entry->queue);

    sh->cache.entries--;
    sh->cache.bytes -= entry->size;

    ngx_slab_free_locked(shpool, entry);
}


static ngx_campfire_cache_entry_t *
ngx_campfire_cache_alloc(ngx_slab_pool_t *shpool, ngx_campfire_sh_t *sh,
    size_t size)
{
    ngx_uint_t                   n;
    ngx_queue_t                 *q;
    ngx_campfire_cache_entry_t  *entry;

    for (n = 0; n < NGX_CAMPFIRE_CACHE_EVICT; n++) {

        entry = ngx_slab_alloc_locked(shpool, size);

        if (entry || ngx_queue_empty(&sh->cache.lru)) {
            return entry;
        }

        q = ngx_queue_last(&sh->cache.lru);
        ngx_campfire_cache_delete(shpool, sh,
                        ngx_queue_data(q, ngx_campfire_cache_entry_t, queue));
    }

    return NULL;
}


void
ngx_campfire_cache_put(ngx_campfire_instance_t *in, const ngx_str_t *key,
    const ngx_campfire_cache_generations_t *generations,
    const ngx_str_t *body, int64_t number)
{
    size_t                       size;
    ngx_slab_pool_t             *shpool;
    ngx_rbtree_key_t             hash;
    ngx_campfire_sh_t           *sh;
    ngx_campfire_cache_entry_t  *entry;

    if (key->len > NGX_CAMPFIRE_CACHE_KEY || body->len > UINT32_MAX) {
        return;
    }

    sh = in->sh;
    shpool = (ngx_slab_pool_t *) in->zone->shm.addr;
    hash = (ngx_rbtree_key_t) ngx_campfire_shm_hash(key);
    size = offsetof(ngx_campfire_cache_entry_t, data) + key->len + body->len;

    ngx_campfire_cache_lock(shpool, sh);

    sh->cache.dirty = 1;

    entry = ngx_campfire_cache_find(sh, key, hash);

    if (entry) {
        ngx_campfire_cache_delete(shpool, sh, entry);
    }

    entry = ngx_campfire_cache_alloc(shpool, sh, size);

    if (entry) {
        entry->node.key = hash;
        entry->generations = *generations;
        entry->number = number;
        entry->size = size;
        entry->key = (uint16_t) key->len;
        entry->body = (uint32_t) body->len;

        ngx_memcpy(entry->data, key->data, key->len);
        ngx_memcpy(entry->data + key->len, body->data, body->len);

        ngx_rbtree_insert(&sh->cache.rbtree, &entry->node);
        ngx_queue_insert_head(&sh->cache.lru, &entry->queue);

        sh->cache.entries++;
        sh->cache.bytes += size;
    }

    sh->cache.dirty = 0;

    ngx_shmtx_unlock(&shpool->mutex);
}
