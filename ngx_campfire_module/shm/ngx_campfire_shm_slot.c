
/*
 * Worker slots and wake-ups.
 *
 * The master makes one eventfd per slot before the first fork and keeps them
 * for its life, so that workers of all generations share them: a post in an
 * old worker wakes the sockets of a new one.  A worker's slot has the same
 * number in the zones of all instances.
 */

#include "shm/ngx_campfire_shm.h"

#include <ngx_event.h>
#include <signal.h>
#include <sys/eventfd.h>


#define NGX_CAMPFIRE_SHM_WORD  (8 * sizeof(ngx_atomic_t))


static void ngx_campfire_shm_slot_event(ngx_event_t *ev);
static ngx_uint_t ngx_campfire_shm_slot_dead(ngx_atomic_uint_t pid);
static void ngx_campfire_shm_slot_reset(ngx_campfire_slot_sh_t *slot);


/* Of the master and inherited: the same numbers in every process. */
static int                         ngx_campfire_shm_fds[NGX_CAMPFIRE_SHM_SLOTS];
static ngx_uint_t                  ngx_campfire_shm_fds_made;

/* Of this process. */
static ngx_int_t                   ngx_campfire_shm_slot_number = -1;
static ngx_connection_t           *ngx_campfire_shm_slot_connection;
static ngx_campfire_instances_t   *ngx_campfire_shm_slot_instances;
static void                      (*ngx_campfire_shm_slot_handler)(
                                       ngx_log_t *log);


ngx_int_t
ngx_campfire_shm_slots_create(ngx_cycle_t *cycle)
{
    ngx_uint_t  i;

    if (ngx_campfire_shm_fds_made) {
        return NGX_OK;
    }

    for (i = 0; i < NGX_CAMPFIRE_SHM_SLOTS; i++) {

        ngx_campfire_shm_fds[i] = eventfd(0, EFD_NONBLOCK|EFD_CLOEXEC);

        if (ngx_campfire_shm_fds[i] == -1) {
            ngx_log_error(NGX_LOG_EMERG, cycle->log, ngx_errno,
                          "campfire: eventfd() failed, raise the limit of "
                          "open files");

            while (i--) {
                (void) close(ngx_campfire_shm_fds[i]);
            }

            return NGX_ERROR;
        }
    }

    ngx_campfire_shm_fds_made = 1;

    return NGX_OK;
}


static ngx_uint_t
ngx_campfire_shm_slot_dead(ngx_atomic_uint_t pid)
{
    return pid != 0 && kill((ngx_pid_t) pid, 0) == -1 && ngx_errno == ESRCH;
}


static void
ngx_campfire_shm_slot_reset(ngx_campfire_slot_sh_t *slot)
{
    ngx_uint_t  i;

    slot->pending = 0;
    slot->sockets = 0;
    slot->subscriptions = 0;

    for (i = 0; i < NGX_CAMPFIRE_SHM_FILTER_BITS / NGX_CAMPFIRE_SHM_WORD; i++)
    {
        slot->filter[i] = 0;
    }
}


ngx_int_t
ngx_campfire_shm_slot_claim(ngx_cycle_t *cycle,
    ngx_campfire_instances_t *instances, void (*handler)(ngx_log_t *log))
{
    int                       fd;
    ngx_uint_t                i, k, n;
    ngx_connection_t         *c;
    ngx_atomic_uint_t         old;
    ngx_campfire_slot_sh_t   *slot;

    if (instances->nelts == 0 || !ngx_campfire_shm_fds_made) {
        return NGX_DECLINED;
    }

    /*
     * The first instance's table decides; the other zones may be younger, so
     * a number counts only when it is free in all of them.
     */

    for (n = 0; n < NGX_CAMPFIRE_SHM_SLOTS; n++) {

        for (i = 0; i < instances->nelts; i++) {
            slot = &instances->elts[i]->sh->slots[n];
            old = slot->pid;

            if ((old != 0 && !ngx_campfire_shm_slot_dead(old))
                || !ngx_atomic_cmp_set(&slot->pid, old, ngx_pid))
            {
                break;
            }
        }

        if (i == instances->nelts) {
            break;
        }

        for (k = 0; k < i; k++) {
            instances->elts[k]->sh->slots[n].pid = 0;
        }
    }

    if (n == NGX_CAMPFIRE_SHM_SLOTS) {
        ngx_log_error(NGX_LOG_ALERT, cycle->log, 0,
                      "campfire: all %d worker slots are taken, this worker "
                      "serves no sockets", NGX_CAMPFIRE_SHM_SLOTS);
        return NGX_BUSY;
    }

    for (i = 0; i < instances->nelts; i++) {
        slot = &instances->elts[i]->sh->slots[n];

        ngx_campfire_shm_slot_reset(slot);
        slot->incarnation = ((uint64_t) ngx_random() << 32) ^ ngx_random();
        slot->cursor = instances->elts[i]->sh->ring_head;
    }

    ngx_campfire_shm_slot_number = n;
    ngx_campfire_shm_slot_instances = instances;
    ngx_campfire_shm_slot_handler = handler;

    /* its own descriptor: what closes the connection must not close ours */

    fd = ngx_campfire_shm_fds[n];

    c = ngx_get_connection(fd, cycle->log);
    if (c == NULL) {
        ngx_campfire_shm_slot_release(instances);
        return NGX_ERROR;
    }

    c->read->handler = ngx_campfire_shm_slot_event;
    c->read->log = cycle->log;
    c->read->data = c;
    c->write->data = c;

    /* a quitting worker must not take it for a connection left open */
    c->read->channel = 1;
    c->write->channel = 1;

    if (ngx_add_event(c->read, NGX_READ_EVENT, NGX_CLEAR_EVENT) != NGX_OK) {
        ngx_free_connection(c);
        ngx_campfire_shm_slot_release(instances);
        return NGX_ERROR;
    }

    ngx_campfire_shm_slot_connection = c;

    return NGX_OK;
}


static void
ngx_campfire_shm_slot_event(ngx_event_t *ev)
{
    uint64_t           n;
    ngx_uint_t         i;
    ngx_connection_t  *c = ev->data;

    if (read(c->fd, &n, sizeof(n)) == -1 && ngx_errno != EAGAIN) {
        ngx_log_error(NGX_LOG_ALERT, ev->log, ngx_errno,
                      "campfire: eventfd cannot be read");
    }

    /* before the head is read: what comes after wakes us again */

    for (i = 0; i < ngx_campfire_shm_slot_instances->nelts; i++) {
        ngx_campfire_shm_slot_instances->elts[i]->sh
            ->slots[ngx_campfire_shm_slot_number].pending = 0;
    }

    ngx_memory_barrier();

    ngx_campfire_shm_slot_handler(ev->log);
}


void
ngx_campfire_shm_slot_release(ngx_campfire_instances_t *instances)
{
    ngx_uint_t               i;
    ngx_campfire_slot_sh_t  *slot;

    if (ngx_campfire_shm_slot_number < 0) {
        return;
    }

    for (i = 0; i < instances->nelts; i++) {
        slot = &instances->elts[i]->sh->slots[ngx_campfire_shm_slot_number];

        ngx_campfire_shm_slot_reset(slot);
        (void) ngx_atomic_cmp_set(&slot->pid, ngx_pid, 0);
    }

    if (ngx_campfire_shm_slot_connection) {
        (void) ngx_del_event(ngx_campfire_shm_slot_connection->read,
                             NGX_READ_EVENT, 0);
        ngx_free_connection(ngx_campfire_shm_slot_connection);
        ngx_campfire_shm_slot_connection = NULL;
    }

    ngx_campfire_shm_slot_number = -1;
}


ngx_uint_t
ngx_campfire_shm_slot(void)
{
    return (ngx_campfire_shm_slot_number < 0)
           ? 0 : (ngx_uint_t) ngx_campfire_shm_slot_number;
}


ngx_uint_t
ngx_campfire_shm_slots_reclaim(ngx_campfire_instances_t *instances,
    ngx_log_t *log)
{
    ngx_uint_t               i, n, reclaimed;
    ngx_atomic_uint_t        pid;
    ngx_campfire_sh_t       *sh;
    ngx_campfire_slot_sh_t  *slot;

    reclaimed = 0;

    for (i = 0; i < instances->nelts; i++) {
        sh = instances->elts[i]->sh;

        /* readers look for no foreign commit while somebody of ours writes */

        if (ngx_campfire_shm_slot_dead(sh->writer_pid)
            && ngx_campfire_shm_trylock(sh) == NGX_OK)
        {
            ngx_campfire_shm_release(sh);
        }

        for (n = 0; n < NGX_CAMPFIRE_SHM_SLOTS; n++) {
            slot = &sh->slots[n];
            pid = slot->pid;

            if (pid == 0 || pid == (ngx_atomic_uint_t) ngx_pid
                || !ngx_campfire_shm_slot_dead(pid))
            {
                continue;
            }

            if (ngx_atomic_cmp_set(&slot->pid, pid, 0)) {
                ngx_campfire_shm_slot_reset(slot);
                ngx_campfire_shm_count(sh,
                                   NGX_CAMPFIRE_COUNTER_WORKERS_RECLAIMED);

                ngx_log_error(NGX_LOG_NOTICE, log, 0,
                              "campfire: worker %P is gone, its slot %ui is "
                              "free again", (ngx_pid_t) pid, n);
                reclaimed++;
            }
        }
    }

    return reclaimed;
}


void
ngx_campfire_shm_signal(ngx_campfire_sh_t *sh, uint64_t hash)
{
    uint64_t                 one;
    ngx_uint_t               n, bit;
    ngx_campfire_slot_sh_t  *slot;

    one = 1;
    bit = hash % NGX_CAMPFIRE_SHM_FILTER_BITS;

    ngx_memory_barrier();

    for (n = 0; n < NGX_CAMPFIRE_SHM_SLOTS; n++) {
        slot = &sh->slots[n];

        if (slot->pid == 0) {
            continue;
        }

        /* whoever lags behind must read on before the ring comes round */

        if (hash && !(slot->filter[bit / NGX_CAMPFIRE_SHM_WORD]
                      & ((ngx_atomic_uint_t) 1
                         << (bit % NGX_CAMPFIRE_SHM_WORD)))
            && sh->ring_head - slot->cursor < NGX_CAMPFIRE_SHM_RING / 4)
        {
            continue;
        }

        if (ngx_atomic_cmp_set(&slot->pending, 0, 1)) {
            (void) !write(ngx_campfire_shm_fds[n], &one, sizeof(one));
        }
    }
}


void
ngx_campfire_shm_filter_add(ngx_campfire_sh_t *sh, uint64_t hash)
{
    ngx_uint_t     bit;
    ngx_atomic_t  *word;

    if (ngx_campfire_shm_slot_number < 0) {
        return;
    }

    bit = hash % NGX_CAMPFIRE_SHM_FILTER_BITS;
    word = &sh->slots[ngx_campfire_shm_slot_number]
                .filter[bit / NGX_CAMPFIRE_SHM_WORD];

    /* nobody else writes to this worker's filter */
    *word |= (ngx_atomic_uint_t) 1 << (bit % NGX_CAMPFIRE_SHM_WORD);
    ngx_memory_barrier();
}


void
ngx_campfire_shm_filter_clear(ngx_campfire_sh_t *sh)
{
    ngx_uint_t  i;

    if (ngx_campfire_shm_slot_number < 0) {
        return;
    }

    for (i = 0; i < NGX_CAMPFIRE_SHM_FILTER_BITS / NGX_CAMPFIRE_SHM_WORD; i++)
    {
        sh->slots[ngx_campfire_shm_slot_number].filter[i] = 0;
    }
}
