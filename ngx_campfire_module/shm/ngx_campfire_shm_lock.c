
/*
 * The writer lock and the header its holders publish.
 *
 * The mutex is robust: a worker killed inside leaves it to the next, whom it
 * tells so.  A plain mutex is unfair, the releaser takes it again before a
 * waiter has woken up; so he who releases it while others wait gives them
 * time to take it (measured: waits of over a second without that).
 */

#include "shm/ngx_campfire_shm.h"

#include <time.h>


#define NGX_CAMPFIRE_SHM_HAND_OVER  5000     /* us at most */
#define NGX_CAMPFIRE_SHM_PAUSE      50       /* us between looks */


ngx_int_t
ngx_campfire_shm_lock(ngx_campfire_sh_t *sh, ngx_msec_t msec,
    ngx_uint_t *died)
{
    int              rc;
    struct timespec  until;

    *died = 0;

    (void) clock_gettime(CLOCK_REALTIME, &until);
    until.tv_sec += msec / 1000;
    until.tv_nsec += (msec % 1000) * 1000000;

    if (until.tv_nsec >= 1000000000) {
        until.tv_nsec -= 1000000000;
        until.tv_sec++;
    }

    rc = pthread_mutex_trylock(&sh->writer);

    if (rc == EBUSY) {
        (void) ngx_atomic_fetch_add(&sh->writer_waiters, 1);
        rc = pthread_mutex_timedlock(&sh->writer, &until);
        (void) ngx_atomic_fetch_add(&sh->writer_waiters, -1);
    }

    if (rc == EOWNERDEAD) {

        /* what it guards is republished by every holder */
        (void) pthread_mutex_consistent(&sh->writer);
        *died = 1;
        rc = 0;
    }

    if (rc != 0) {
        return NGX_BUSY;
    }

    (void) ngx_atomic_fetch_add(&sh->writer_serial, 1);
    sh->writer_pid = ngx_pid;

    return NGX_OK;
}


void
ngx_campfire_shm_unlock(ngx_campfire_sh_t *sh)
{
    ngx_uint_t          i;
    ngx_atomic_uint_t   serial;

    serial = sh->writer_serial;
    sh->writer_pid = 0;

    (void) pthread_mutex_unlock(&sh->writer);

    for (i = 0;
         i < NGX_CAMPFIRE_SHM_HAND_OVER / NGX_CAMPFIRE_SHM_PAUSE
         && sh->writer_waiters && sh->writer_serial == serial;
         i++)
    {
        (void) usleep(NGX_CAMPFIRE_SHM_PAUSE);
    }
}


ngx_int_t
ngx_campfire_shm_trylock(ngx_campfire_sh_t *sh)
{
    int  rc;

    rc = pthread_mutex_trylock(&sh->writer);

    if (rc == EOWNERDEAD) {
        (void) pthread_mutex_consistent(&sh->writer);
        (void) ngx_atomic_fetch_add(&sh->global, 1);
        rc = 0;
    }

    if (rc != 0) {
        return NGX_BUSY;
    }

    (void) ngx_atomic_fetch_add(&sh->writer_serial, 1);
    sh->writer_pid = ngx_pid;

    return NGX_OK;
}


void
ngx_campfire_shm_release(ngx_campfire_sh_t *sh)
{
    sh->writer_pid = 0;
    (void) pthread_mutex_unlock(&sh->writer);
}


/* Only the holder of the lock stores; one killed in here left it odd. */
void
ngx_campfire_shm_seen_set(ngx_campfire_sh_t *sh, const u_char *header)
{
    ngx_atomic_uint_t  seq;

    seq = sh->seen_seq | 1;

    sh->seen_seq = seq;
    ngx_memory_barrier();

    ngx_memcpy(sh->seen, header, sizeof(sh->seen));

    ngx_memory_barrier();
    sh->seen_seq = seq + 1;
}


void
ngx_campfire_shm_seen_get(ngx_campfire_sh_t *sh, u_char *header)
{
    ngx_uint_t         i;
    ngx_atomic_uint_t  seq;

    /* a writer killed between the two steps leaves it odd for a while */
    for (i = 0; i < 1000; i++) {
        seq = sh->seen_seq;
        ngx_memory_barrier();

        ngx_memcpy(header, sh->seen, sizeof(sh->seen));

        ngx_memory_barrier();

        if (!(seq & 1) && seq == sh->seen_seq) {
            return;
        }

        ngx_cpu_pause();
    }
}
