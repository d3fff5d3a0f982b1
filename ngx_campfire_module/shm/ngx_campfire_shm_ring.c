
/*
 * The broadcast ring: a byte ring of records in commit order.
 *
 * One appends at a time, under the slab mutex; readers take no lock.  Before
 * bytes are overwritten the tail moves past them, and a reader looks at the
 * tail again after it has copied a record: what it holds then was whole.
 */

#include "shm/ngx_campfire_shm.h"


#define NGX_CAMPFIRE_SHM_RING_MAX     (4 * 1024 * 1024)
#define NGX_CAMPFIRE_SHM_RING_HEADER  32


typedef struct {
    uint64_t   sequence;
    uint32_t   len;
    uint16_t   kind;
    uint16_t   stream;
    uint64_t   hash;
    uint32_t   payload;
    uint32_t   zero;
} ngx_campfire_shm_ring_header_t;


static void ngx_campfire_shm_ring_put(ngx_campfire_sh_t *sh, uint64_t at,
    const void *src, size_t len);
static void ngx_campfire_shm_ring_get(ngx_campfire_sh_t *sh, uint64_t at,
    void *dst, size_t len);


/* Copies that may cross the end of the ring. */
static void
ngx_campfire_shm_ring_put(ngx_campfire_sh_t *sh, uint64_t at, const void *src,
    size_t len)
{
    size_t  off, part;

    if (len == 0) {
        return;
    }

    off = at % NGX_CAMPFIRE_SHM_RING;
    part = ngx_min(len, NGX_CAMPFIRE_SHM_RING - off);

    ngx_memcpy(sh->ring + off, src, part);

    if (part < len) {
        ngx_memcpy(sh->ring, (u_char *) src + part, len - part);
    }
}


static void
ngx_campfire_shm_ring_get(ngx_campfire_sh_t *sh, uint64_t at, void *dst,
    size_t len)
{
    size_t  off, part;

    off = at % NGX_CAMPFIRE_SHM_RING;
    part = ngx_min(len, NGX_CAMPFIRE_SHM_RING - off);

    ngx_memcpy(dst, sh->ring + off, part);

    if (part < len) {
        ngx_memcpy((u_char *) dst + part, sh->ring, len - part);
    }
}


ngx_int_t
ngx_campfire_shm_ring_append(ngx_slab_pool_t *shpool, ngx_campfire_sh_t *sh,
    ngx_campfire_ring_e kind, ngx_str_t *stream, ngx_str_t *payload)
{
    size_t                           len;
    uint32_t                         next;
    uint64_t                         head, tail;
    ngx_campfire_shm_ring_header_t   h, old;

    len = NGX_CAMPFIRE_SHM_RING_HEADER + stream->len + payload->len;
    len = (len + 15) & ~(size_t) 15;

    if (len > NGX_CAMPFIRE_SHM_RING_MAX || stream->len > 0xffff) {
        return NGX_DECLINED;
    }

    ngx_memzero(&h, sizeof(h));

    h.len = (uint32_t) len;
    h.kind = (uint16_t) kind;
    h.stream = (uint16_t) stream->len;
    h.hash = ngx_campfire_shm_hash(stream);
    h.payload = (uint32_t) payload->len;

    ngx_shmtx_lock(&shpool->mutex);

    head = sh->ring_head;
    tail = sh->ring_tail;
    h.sequence = head;

    while (head + len - tail > NGX_CAMPFIRE_SHM_RING) {
        ngx_campfire_shm_ring_get(sh, tail, &old, sizeof(old));
        next = old.len;

        /* cannot be, unless a writer was killed in here: drop everything */
        if (old.sequence != tail || next == 0
            || next > NGX_CAMPFIRE_SHM_RING_MAX)
        {
            tail = head;
            break;
        }

        tail += next;
    }

    sh->ring_tail = tail;
    ngx_memory_barrier();

    ngx_campfire_shm_ring_put(sh, head, &h, sizeof(h));
    ngx_campfire_shm_ring_put(sh, head + sizeof(h), stream->data,
                              stream->len);
    ngx_campfire_shm_ring_put(sh, head + sizeof(h) + stream->len,
                              payload->data, payload->len);

    ngx_memory_barrier();
    sh->ring_head = head + len;

    ngx_shmtx_unlock(&shpool->mutex);

    return NGX_OK;
}


ngx_int_t
ngx_campfire_shm_ring_read(ngx_campfire_sh_t *sh, uint64_t *cursor,
    ngx_campfire_ring_record_t *record, u_char **buf, size_t *size,
    ngx_log_t *log)
{
    uint64_t                         head;
    size_t                           need;
    u_char                          *p;
    ngx_campfire_shm_ring_header_t   h;

    head = sh->ring_head;
    ngx_memory_barrier();

    if (*cursor == head) {
        return NGX_DONE;
    }

    if (*cursor < sh->ring_tail || *cursor > head) {
        goto overrun;
    }

    ngx_campfire_shm_ring_get(sh, *cursor, &h, sizeof(h));
    ngx_memory_barrier();

    if (*cursor < sh->ring_tail || h.sequence != *cursor
        || h.len > NGX_CAMPFIRE_SHM_RING_MAX
        || (size_t) h.stream + h.payload + sizeof(h) > h.len)
    {
        goto overrun;
    }

    need = (size_t) h.stream + h.payload + 1;

    if (*size < need) {
        p = ngx_alloc(need * 2, log);
        if (p == NULL) {
            return NGX_ERROR;
        }

        if (*buf) {
            ngx_free(*buf);
        }

        *buf = p;
        *size = need * 2;
    }

    ngx_campfire_shm_ring_get(sh, *cursor + sizeof(h), *buf, need - 1);
    ngx_memory_barrier();

    if (*cursor < sh->ring_tail) {
        goto overrun;
    }

    record->sequence = h.sequence;
    record->kind = h.kind;
    record->hash = h.hash;
    record->stream.data = *buf;
    record->stream.len = h.stream;
    record->payload.data = *buf + h.stream;
    record->payload.len = h.payload;

    *cursor += h.len;

    return NGX_OK;

overrun:

    *cursor = sh->ring_head;

    return NGX_DECLINED;
}
