
/*
 * The zone of an instance, shared by all workers of one master.
 *
 *   +--------------------+  shpool->data = ngx_campfire_sh_t
 *   | magic, layout      |  a hash of struct sizes; mismatch: start empty
 *   | seen[48], seen_seq |  last WAL-index header of our writers
 *   | global generation  |  atomics
 *   | rooms[4096]        |  generations by id & mask; a collision costs one
 *   | users[4096]        |  rebuild, never a stale byte
 *   | writer lock        |  robust, process-shared, with hand-over
 *   | slots[128]         |  one per live worker: pid, cursor, stream filter
 *   | counters           |  for campfire_status
 *   | cache              |  rendered parts of pages, see cache/
 *   | rate table         |  sign-in attempts by client address
 *   | ring 8 MB          |  publications in commit order
 *   +--------------------+
 *
 * Pointers into the zone are never handed between workers, only ids, offsets
 * and sequence numbers.
 */

#ifndef _NGX_CAMPFIRE_SHM_H_INCLUDED_
#define _NGX_CAMPFIRE_SHM_H_INCLUDED_


#include "ngx_campfire.h"

#include <pthread.h>


#define NGX_CAMPFIRE_SHM_SLOTS         128
#define NGX_CAMPFIRE_SHM_GENERATIONS   4096
#define NGX_CAMPFIRE_SHM_FILTER_BITS   4096    /* per slot, by stream hash */
#define NGX_CAMPFIRE_SHM_RING          (8 * 1024 * 1024)
#define NGX_CAMPFIRE_SHM_RATES         4096


/* Counters of architecture.md §10; all atomics, monotonic but for sockets. */
typedef enum {
    NGX_CAMPFIRE_COUNTER_REQUESTS = 0,
    NGX_CAMPFIRE_COUNTER_CACHE_HITS,
    NGX_CAMPFIRE_COUNTER_CACHE_MISSES,
    NGX_CAMPFIRE_COUNTER_FOREIGN_COMMITS,
    NGX_CAMPFIRE_COUNTER_BATCHES,
    NGX_CAMPFIRE_COUNTER_JOBS,
    NGX_CAMPFIRE_COUNTER_JOBS_FAILED,
    NGX_CAMPFIRE_COUNTER_JOBS_BUSY,
    NGX_CAMPFIRE_COUNTER_CHECKPOINTS,
    NGX_CAMPFIRE_COUNTER_SOCKETS_OPENED,
    NGX_CAMPFIRE_COUNTER_CLOSED_CLIENT,
    NGX_CAMPFIRE_COUNTER_CLOSED_PROTOCOL,
    NGX_CAMPFIRE_COUNTER_CLOSED_SLOW,
    NGX_CAMPFIRE_COUNTER_CLOSED_RESTART,
    NGX_CAMPFIRE_COUNTER_CLOSED_REVOKED,
    NGX_CAMPFIRE_COUNTER_CLOSED_UNAUTHORIZED,
    NGX_CAMPFIRE_COUNTER_PUBLISHED,
    NGX_CAMPFIRE_COUNTER_DELIVERED,
    NGX_CAMPFIRE_COUNTER_RING_OVERRUNS,
    NGX_CAMPFIRE_COUNTER_WORKERS_RECLAIMED,
    NGX_CAMPFIRE_COUNTERS
} ngx_campfire_counter_e;


typedef struct {
    ngx_atomic_t         pid;          /* 0: free */
    ngx_atomic_t         pending;      /* a wake-up is on its way */
    uint64_t             incarnation;  /* random, per claim */
    ngx_atomic_t         sockets;
    ngx_atomic_t         subscriptions;
    uint64_t             cursor;       /* next ring sequence it will read */
    ngx_atomic_t         filter[NGX_CAMPFIRE_SHM_FILTER_BITS
                                / (8 * sizeof(ngx_atomic_t))];
} ngx_campfire_slot_sh_t;


typedef struct {
    uint64_t             key;          /* hash of the address; 0: free */
    time_t               start;        /* of the fixed window */
    ngx_uint_t           count;
} ngx_campfire_rate_sh_t;


/* The store of ngx_campfire_cache.c, under the slab mutex. */
typedef struct {
    ngx_rbtree_t         rbtree;
    ngx_rbtree_node_t    sentinel;
    ngx_queue_t          lru;          /* last used first */
    ngx_uint_t           entries;
    size_t               bytes;
    ngx_uint_t           dirty;        /* a change was not finished */
} ngx_campfire_cache_sh_t;


struct ngx_campfire_sh_s {
    uint64_t                 magic;
    uint64_t                 layout;

    ngx_atomic_t             seen_seq;      /* odd while seen is written */
    u_char                   seen[48];
    ngx_atomic_t             ready;         /* schema checked, presence reset:
                                               pid-independent, once per start */
    ngx_atomic_t             global;
    ngx_atomic_t             rooms[NGX_CAMPFIRE_SHM_GENERATIONS];
    ngx_atomic_t             users[NGX_CAMPFIRE_SHM_GENERATIONS];

    pthread_mutex_t          writer;        /* robust */
    ngx_atomic_t             writer_waiters;
    ngx_atomic_t             writer_serial; /* +1 per acquisition */
    ngx_atomic_t             writer_pid;    /* informational */
    ngx_atomic_t             checkpoint_wanted;

    ngx_campfire_slot_sh_t   slots[NGX_CAMPFIRE_SHM_SLOTS];
    ngx_atomic_t             counters[NGX_CAMPFIRE_COUNTERS];
    ngx_campfire_rate_sh_t   rates[NGX_CAMPFIRE_SHM_RATES];

    ngx_campfire_cache_sh_t  cache;

    ngx_atomic_t             ring_head;     /* bytes ever written */
    ngx_atomic_t             ring_tail;     /* oldest byte still whole */
    u_char                  *ring;
};


/* Zone initialiser (ngx_shm_zone_t.init): adopted, mapped or fresh. */
ngx_int_t ngx_campfire_shm_init_zone(ngx_shm_zone_t *zone, void *data);


/*
 * The writer lock, for the writer thread only (it may wait).  Gives up after
 * msec: NGX_BUSY.  *died is set when the last owner was killed holding it.
 * unlock hands over: it waits (≤ 5 ms) until a waiter has taken the lock.
 */
ngx_int_t ngx_campfire_shm_lock(ngx_campfire_sh_t *sh, ngx_msec_t msec,
    ngx_uint_t *died);
void ngx_campfire_shm_unlock(ngx_campfire_sh_t *sh);

/* The same for the event loop, which never waits: NGX_BUSY at once. */
ngx_int_t ngx_campfire_shm_trylock(ngx_campfire_sh_t *sh);
void ngx_campfire_shm_release(ngx_campfire_sh_t *sh);

/* The published header; get retries while a writer stores it. */
void ngx_campfire_shm_seen_set(ngx_campfire_sh_t *sh, const u_char *header);
void ngx_campfire_shm_seen_get(ngx_campfire_sh_t *sh, u_char *header);

#define ngx_campfire_shm_room(sh, id)                                         \
    ((sh)->rooms[(uint64_t) (id) & (NGX_CAMPFIRE_SHM_GENERATIONS - 1)])
#define ngx_campfire_shm_user(sh, id)                                         \
    ((sh)->users[(uint64_t) (id) & (NGX_CAMPFIRE_SHM_GENERATIONS - 1)])

#define ngx_campfire_shm_count(sh, counter)                                   \
    (void) ngx_atomic_fetch_add(&(sh)->counters[counter], 1)
#define ngx_campfire_shm_add(sh, counter, n)                                  \
    (void) ngx_atomic_fetch_add(&(sh)->counters[counter], n)


/*
 * The fixed-window limit of sign-in: counts this attempt and answers
 * NGX_BUSY once there were more than `limit` in `window` seconds.
 */
ngx_int_t ngx_campfire_shm_rate(ngx_slab_pool_t *shpool, ngx_campfire_sh_t *sh,
    ngx_str_t *address, time_t now, ngx_uint_t limit, time_t window);


/*
 * The broadcast ring.  A record is
 *
 *    0  u64 sequence: the byte offset it was written at
 *    8  u32 length of the whole record, a multiple of 16
 *   12  u16 kind   14  u16 length of the stream name
 *   16  u64 hash of the stream name
 *   24  u32 length of the payload   28  u32 zero
 *   32  stream name, payload
 *
 * Appending happens with the slab mutex held; the writer appends while it
 * still has the writer lock, so ring order is commit order.
 */
typedef enum {
    NGX_CAMPFIRE_RING_STREAM = 1,     /* payload: the JSON value "message" */
    NGX_CAMPFIRE_RING_UNREAD,         /* payload: room id, n, user ids (i64);
                                         expanded in each worker */
    NGX_CAMPFIRE_RING_DISCONNECT_USER,    /* payload: user id, reconnect */
    NGX_CAMPFIRE_RING_DISCONNECT_SESSION  /* payload: session id */
} ngx_campfire_ring_e;

typedef struct {
    uint64_t              sequence;
    ngx_campfire_ring_e   kind;
    uint64_t              hash;
    ngx_str_t             stream;
    ngx_str_t             payload;
} ngx_campfire_ring_record_t;

/* FNV-1a 64 of a stream name. */
uint64_t ngx_campfire_shm_hash(const ngx_str_t *stream);

/* NGX_DECLINED: larger than the ring can carry (4 MiB). */
ngx_int_t ngx_campfire_shm_ring_append(ngx_slab_pool_t *shpool,
    ngx_campfire_sh_t *sh, ngx_campfire_ring_e kind, ngx_str_t *stream,
    ngx_str_t *payload);

/*
 * Copies the record at *cursor into buf (grown by ngx_alloc as needed, kept
 * by the caller) and advances.  NGX_DONE: nothing new.  NGX_DECLINED: the
 * ring has overtaken this reader; *cursor is set to the head.
 */
ngx_int_t ngx_campfire_shm_ring_read(ngx_campfire_sh_t *sh, uint64_t *cursor,
    ngx_campfire_ring_record_t *record, u_char **buf, size_t *size,
    ngx_log_t *log);


/*
 * Slots and wake-ups: one eventfd per slot, made once in the master
 * (ngx_campfire_shm_slot.c), so any worker of any generation can wake any
 * other.  The slot number is per process; the slot structs are per instance
 * and indexed by it.
 */
ngx_int_t ngx_campfire_shm_slots_create(ngx_cycle_t *cycle);

/*
 * Claims a slot in the zones of all instances (the same number in each) and
 * arms the eventfd; handler runs on the loop after each wake-up, with
 * pending already cleared.  NGX_BUSY: no slot is free.
 */
ngx_int_t ngx_campfire_shm_slot_claim(ngx_cycle_t *cycle,
    ngx_campfire_instances_t *instances, void (*handler)(ngx_log_t *log));
void ngx_campfire_shm_slot_release(ngx_campfire_instances_t *instances);
ngx_uint_t ngx_campfire_shm_slot(void);            /* this process's number */

/*
 * Gives back slots of dead processes, and the writer lock of one; call each
 * second.  Returns how many slots.
 */
ngx_uint_t ngx_campfire_shm_slots_reclaim(ngx_campfire_instances_t *instances,
    ngx_log_t *log);

/* Wakes the live workers that may have subscribers of hash (0: all). */
void ngx_campfire_shm_signal(ngx_campfire_sh_t *sh, uint64_t hash);

/* This worker's interest in streams; bits are only cleared all at once. */
void ngx_campfire_shm_filter_add(ngx_campfire_sh_t *sh, uint64_t hash);
void ngx_campfire_shm_filter_clear(ngx_campfire_sh_t *sh);


#endif /* _NGX_CAMPFIRE_SHM_H_INCLUDED_ */
