
/*
 * The zone that workers share: making and adopting it, the ring, the limit of
 * sign-in, slots and wake-ups, and the writer lock with killed holders.
 */

#define _GNU_SOURCE

#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <cmocka.h>

#include <ngx_config.h>
#include <ngx_core.h>
#include <ngx_event.h>
#include <signal.h>
#include <sys/wait.h>

#include "zone.h"


#define MB  (1024 * 1024)


static ngx_campfire_instance_t     instance;
static ngx_campfire_instance_t    *instance_of[1] = { &instance };
static ngx_campfire_instances_t    instances = { instance_of, 1 };
static ngx_campfire_sh_t          *sh;

/* the reader of the ring */
static ngx_campfire_ring_record_t  record;
static uint64_t                    cursor;
static u_char                     *buf;
static size_t                      buf_size;

/* what a worker has of nginx's events */
static ngx_cycle_t                 cycle;
static ngx_connection_t            connections[4];
static ngx_event_t                 reads[4];
static ngx_event_t                 writes[4];
static ngx_connection_t           *armed;
static ngx_uint_t                  woken;


static ngx_int_t
add_event(ngx_event_t *ev, ngx_int_t event, ngx_uint_t flags)
{
    armed = ev->data;
    return NGX_OK;
}


static ngx_int_t
del_event(ngx_event_t *ev, ngx_int_t event, ngx_uint_t flags)
{
    armed = NULL;
    return NGX_OK;
}


static void
wake(ngx_log_t *log)
{
    woken++;
}


static void
init_events(void)
{
    size_t  i;

    memset(connections, 0, sizeof(connections));
    memset(reads, 0, sizeof(reads));
    memset(writes, 0, sizeof(writes));
    memset(&cycle, 0, sizeof(cycle));

    for (i = 0; i < 4; i++) {
        connections[i].data = (i < 3) ? &connections[i + 1] : NULL;
        connections[i].read = &reads[i];
        connections[i].write = &writes[i];
        connections[i].fd = (ngx_socket_t) -1;
    }

    cycle.log = &zone_log;
    cycle.connections = connections;
    cycle.read_events = reads;
    cycle.write_events = writes;
    cycle.connection_n = 4;
    cycle.free_connections = connections;
    cycle.free_connection_n = 4;
    ngx_queue_init(&cycle.reusable_connections_queue);

    ngx_cycle = &cycle;
    ngx_event_actions.add = add_event;
    ngx_event_actions.del = del_event;
}


static int
setup(void **state)
{
    init_events();

    memset(&instance, 0, sizeof(instance));
    assert_int_equal(zone_open(&instance, ZONE_SIZE), NGX_OK);

    sh = instance.sh;
    cursor = 0;
    woken = 0;

    return 0;
}


static int
teardown(void **state)
{
    ngx_campfire_shm_slot_release(&instances);
    free(buf);
    buf = NULL;
    buf_size = 0;
    zone_close(&instance);

    return 0;
}


/* Runs the code in a process of its own that ends without a farewell. */
static pid_t
child_begin(void)
{
    pid_t  pid;

    pid = fork();
    assert_int_not_equal(pid, -1);

    if (pid == 0) {
        ngx_pid = ngx_getpid();
    }

    return pid;
}


static void
child_over(pid_t pid)
{
    int  status;

    assert_int_equal(waitpid(pid, &status, 0), pid);
    assert_true(WIFSIGNALED(status) && WTERMSIG(status) == SIGKILL);
}


static void
die(void)
{
    kill(getpid(), SIGKILL);

    for ( ;; ) {
        pause();
    }
}


static void
test_zone(void **state)
{
    ngx_shm_zone_t  again;

    /* kept over a reload, what is in it stays */

    again = zone;
    sh->global = 17;
    sh->ready = 1;

    assert_int_equal(ngx_campfire_shm_init_zone(&again, &instance), NGX_OK);
    assert_ptr_equal(slab->data, sh);
    assert_int_equal(sh->global, 17);
    assert_int_equal(sh->ready, 1);

    again.shm.exists = 1;
    assert_int_equal(ngx_campfire_shm_init_zone(&again, NULL), NGX_OK);
    assert_int_equal(sh->global, 17);

    /* made by a module with other structs */

    sh->layout++;
    assert_int_equal(ngx_campfire_shm_init_zone(&again, &instance),
                     NGX_ERROR);
    sh->layout--;
    sh->magic = 0;
    assert_int_equal(ngx_campfire_shm_init_zone(&again, &instance),
                     NGX_ERROR);
}


static void
test_zone_small(void **state)
{
    zone_close(&instance);
    assert_int_equal(zone_open(&instance, 4 * MB), NGX_ERROR);
    assert_null(slab->data);
}


static ngx_int_t
append(const char *stream, const u_char *data, size_t len)
{
    ngx_str_t  name, payload;

    name.data = (u_char *) stream;
    name.len = strlen(stream);
    payload.data = (u_char *) data;
    payload.len = len;

    return ngx_campfire_shm_ring_append(slab, sh, NGX_CAMPFIRE_RING_STREAM,
                                        &name, &payload);
}


static ngx_int_t
next(void)
{
    return ngx_campfire_shm_ring_read(sh, &cursor, &record, &buf, &buf_size,
                                      &zone_log);
}


#define is_text(str, text)                                                    \
    do {                                                                      \
        assert_int_equal((str).len, strlen(text));                            \
        assert_memory_equal((str).data, text, (str).len);                     \
    } while (0)


static void
test_ring(void **state)
{
    ngx_str_t  name = ngx_string("rooms");

    assert_int_equal(next(), NGX_DONE);

    assert_int_equal(append("rooms", (u_char *) "one", 3), NGX_OK);
    assert_int_equal(append("users", (u_char *) "", 0), NGX_OK);

    assert_int_equal(next(), NGX_OK);
    assert_int_equal(record.sequence, 0);
    assert_int_equal(record.kind, NGX_CAMPFIRE_RING_STREAM);
    assert_true(record.hash == ngx_campfire_shm_hash(&name));
    is_text(record.stream, "rooms");
    is_text(record.payload, "one");
    assert_int_equal(cursor % 16, 0);

    assert_int_equal(next(), NGX_OK);
    assert_int_equal(record.sequence, 48);
    is_text(record.stream, "users");
    assert_int_equal(record.payload.len, 0);

    assert_int_equal(next(), NGX_DONE);
    assert_int_equal(cursor, sh->ring_head);

    /* two readers do not disturb each other */

    cursor = 0;
    assert_int_equal(next(), NGX_OK);
    is_text(record.payload, "one");
}


static void
fill(u_char *p, size_t len, uint64_t seed)
{
    size_t  i;

    for (i = 0; i < len; i++) {
        p[i] = (u_char) (seed + i * 7 + (i >> 8));
    }
}


/* Several times around; every record as it was, also across the end. */
static void
test_ring_wrap(void **state)
{
    u_char    *data, *want;
    size_t     len;
    uint64_t   i;

    data = malloc(3 * MB);
    want = malloc(3 * MB);

    for (i = 0; sh->ring_head < 5 * (uint64_t) NGX_CAMPFIRE_SHM_RING; i++) {
        len = (size_t) (i * 104729 % (i % 5 ? 4096 : 3 * MB));
        fill(data, len, i);
        assert_int_equal(append("x", data, len), NGX_OK);
        assert_true(sh->ring_head - sh->ring_tail <= NGX_CAMPFIRE_SHM_RING);

        assert_int_equal(next(), NGX_OK);
        assert_int_equal(record.payload.len, len);
        fill(want, len, i);
        assert_true(memcmp(record.payload.data, want, len) == 0);
        assert_int_equal(next(), NGX_DONE);
    }

    assert_true(i > 10);
    free(data);
    free(want);
}


static void
test_ring_overrun(void **state)
{
    u_char      *data;
    ngx_uint_t   i, n;

    data = malloc(MB);
    memset(data, 'x', MB);

    for (i = 0; i < 10; i++) {
        data[0] = (u_char) i;
        assert_int_equal(append("x", data, MB), NGX_OK);
    }

    /* said once, then from the head on */

    assert_int_equal(next(), NGX_DECLINED);
    assert_int_equal(cursor, sh->ring_head);
    assert_int_equal(next(), NGX_DONE);

    assert_int_equal(append("x", (u_char *) "y", 1), NGX_OK);
    assert_int_equal(next(), NGX_OK);
    is_text(record.payload, "y");

    /* what is behind the tail is whole: the youngest of ours */

    cursor = sh->ring_tail;
    for (n = 0; next() == NGX_OK; n++) {
        if (record.payload.len == MB) {
            assert_int_equal(record.payload.data[0], 10 - 7 + n);
        }
    }
    assert_int_equal(n, 8);

    /* a position that never was */

    cursor = sh->ring_head + 16;
    assert_int_equal(next(), NGX_DECLINED);
    cursor = sh->ring_tail + 16;
    assert_int_equal(next(), NGX_DECLINED);

    free(data);
}


static void
test_ring_size(void **state)
{
    char     *name;
    u_char   *data;
    size_t    most;

    most = 4 * MB - 32 - 1;
    data = malloc(most + 1);
    memset(data, 'x', most + 1);

    assert_int_equal(append("x", data, most + 1), NGX_DECLINED);
    assert_int_equal(sh->ring_head, 0);
    assert_int_equal(append("x", data, most), NGX_OK);
    assert_int_equal(append("x", data, most), NGX_OK);
    assert_int_equal(sh->ring_head - sh->ring_tail, NGX_CAMPFIRE_SHM_RING);

    assert_int_equal(next(), NGX_OK);
    assert_int_equal(next(), NGX_OK);
    assert_int_equal(record.payload.len, most);
    assert_int_equal(next(), NGX_DONE);

    name = malloc(0x10001);
    memset(name, 'n', 0x10000);
    name[0x10000] = '\0';
    assert_int_equal(append(name, data, 0), NGX_DECLINED);
    name[0xffff] = '\0';
    assert_int_equal(append(name, data, 0), NGX_OK);
    assert_int_equal(next(), NGX_OK);
    assert_int_equal(record.stream.len, 0xffff);

    free(name);
    free(data);
}


/* What a writer killed between tail and head left is never delivered. */
static void
test_ring_broken(void **state)
{
    u_char  *data;
    size_t   i;

    data = calloc(1, MB);

    for (i = 0; i < 8; i++) {
        (void) append("x", data, MB - 64);
    }

    memset(sh->ring + sh->ring_tail % NGX_CAMPFIRE_SHM_RING, 0xff, 32);

    cursor = sh->ring_tail;
    assert_int_equal(next(), NGX_DECLINED);

    assert_int_equal(append("x", data, MB - 64), NGX_OK);
    cursor = sh->ring_tail;
    assert_int_equal(next(), NGX_OK);
    assert_int_equal(record.payload.len, MB - 64);
    assert_int_equal(next(), NGX_DONE);

    free(data);
}


static ngx_int_t
attempt(const char *address, time_t at)
{
    ngx_str_t  s;

    s.data = (u_char *) address;
    s.len = strlen(address);

    return ngx_campfire_shm_rate(slab, sh, &s, at, 10, 180);
}


static void
test_rate(void **state)
{
    char   other[32];
    int    i;

    for (i = 0; i < 10; i++) {
        assert_int_equal(attempt("192.0.2.1", 1000 + i), NGX_OK);
    }

    assert_int_equal(attempt("192.0.2.1", 1010), NGX_BUSY);
    assert_int_equal(attempt("192.0.2.2", 1010), NGX_OK);

    /* the window is fixed: refused attempts do not prolong it */

    assert_int_equal(attempt("192.0.2.1", 1179), NGX_BUSY);
    assert_int_equal(attempt("192.0.2.1", 1180), NGX_OK);

    /* a clock that was put back does not lock anybody out */

    for (i = 0; i < 12; i++) {
        (void) attempt("192.0.2.1", 1181);
    }
    assert_int_equal(attempt("192.0.2.1", 1181), NGX_BUSY);
    assert_int_equal(attempt("192.0.2.1", 500), NGX_OK);

    /* many addresses: the older give way, a fresh one counts on */

    for (i = 0; i < 50000; i++) {
        snprintf(other, sizeof(other), "10.%d.%d", i / 256, i % 256);
        assert_int_equal(attempt(other, 2000), NGX_OK);
    }

    for (i = 0; i < 10; i++) {
        assert_int_equal(attempt("192.0.2.3", 3000), NGX_OK);
    }
    assert_int_equal(attempt("192.0.2.3", 3000), NGX_BUSY);
}


static uint64_t
wakeups(void)
{
    uint64_t  n;

    return read(armed->fd, &n, sizeof(n)) == sizeof(n) ? n : 0;
}


static void
test_slots(void **state)
{
    int                      fd;
    ngx_campfire_slot_sh_t  *slot;

    assert_int_equal(ngx_campfire_shm_slots_create(&cycle), NGX_OK);
    assert_int_equal(ngx_campfire_shm_slots_create(&cycle), NGX_OK);

    sh->ring_head = sh->ring_tail = 4096;
    sh->slots[0].pid = 1;       /* somebody else who lives */

    assert_int_equal(ngx_campfire_shm_slot_claim(&cycle, &instances, wake),
                     NGX_OK);
    assert_int_equal(ngx_campfire_shm_slot(), 1);
    slot = &sh->slots[1];
    assert_int_equal(slot->pid, ngx_pid);
    assert_int_equal(slot->cursor, 4096);
    assert_non_null(armed);
    fd = armed->fd;

    /* only those who may have a subscriber are woken, once until they look */

    ngx_campfire_shm_signal(sh, 7);
    assert_int_equal(wakeups(), 0);

    ngx_campfire_shm_filter_add(sh, 7);
    ngx_campfire_shm_signal(sh, 8);
    assert_int_equal(wakeups(), 0);

    ngx_campfire_shm_signal(sh, 7 + NGX_CAMPFIRE_SHM_FILTER_BITS);
    ngx_campfire_shm_signal(sh, 7);
    assert_int_equal(slot->pending, 1);
    assert_int_equal(wakeups(), 1);
    assert_int_equal(armed->fd, fd);

    ngx_campfire_shm_signal(sh, 7);
    assert_int_equal(wakeups(), 0);

    armed->read->handler(armed->read);
    assert_int_equal(woken, 1);
    assert_int_equal(slot->pending, 0);

    ngx_campfire_shm_signal(sh, 7);
    assert_int_equal(wakeups(), 1);
    slot->pending = 0;

    ngx_campfire_shm_filter_clear(sh);
    ngx_campfire_shm_signal(sh, 7);
    assert_int_equal(wakeups(), 0);

    /* 0 is for everybody, and so is the danger to be overtaken */

    ngx_campfire_shm_signal(sh, 0);
    assert_int_equal(wakeups(), 1);
    slot->pending = 0;

    sh->ring_head += NGX_CAMPFIRE_SHM_RING / 4;
    ngx_campfire_shm_signal(sh, 7);
    assert_int_equal(wakeups(), 1);

    ngx_campfire_shm_slot_release(&instances);
    assert_int_equal(slot->pid, 0);
    assert_null(armed);
    assert_int_equal(cycle.free_connection_n, 4);

    /* the descriptor stays, it is the master's */

    assert_int_not_equal(fcntl(fd, F_GETFD), -1);
}


static void
test_slots_full(void **state)
{
    ngx_uint_t  i;

    assert_int_equal(ngx_campfire_shm_slots_create(&cycle), NGX_OK);

    for (i = 0; i < NGX_CAMPFIRE_SHM_SLOTS; i++) {
        sh->slots[i].pid = 1;
    }

    assert_int_equal(ngx_campfire_shm_slot_claim(&cycle, &instances, wake),
                     NGX_BUSY);
    assert_int_equal(ngx_campfire_shm_slots_reclaim(&instances, &zone_log),
                     0);
}


static void
claim_and_die(void)
{
    pid_t  pid;

    pid = child_begin();

    if (pid == 0) {
        if (ngx_campfire_shm_slot_claim(&cycle, &instances, wake) == NGX_OK) {
            ngx_campfire_shm_filter_add(sh, 7);
            die();
        }
        _exit(1);
    }

    child_over(pid);
}


static void
test_slots_reclaim(void **state)
{
    assert_int_equal(ngx_campfire_shm_slots_create(&cycle), NGX_OK);

    claim_and_die();
    assert_int_not_equal(sh->slots[0].pid, 0);

    assert_int_equal(ngx_campfire_shm_slots_reclaim(&instances, &zone_log),
                     1);
    assert_int_equal(sh->slots[0].pid, 0);
    assert_int_equal(sh->counters[NGX_CAMPFIRE_COUNTER_WORKERS_RECLAIMED], 1);
    assert_int_equal(ngx_campfire_shm_slots_reclaim(&instances, &zone_log),
                     0);

    /* a successor may be faster than the second hand */

    claim_and_die();
    assert_int_equal(ngx_campfire_shm_slot_claim(&cycle, &instances, wake),
                     NGX_OK);
    assert_int_equal(ngx_campfire_shm_slot(), 0);

    (void) wakeups();           /* of an earlier test */
    ngx_campfire_shm_signal(sh, 7);
    assert_int_equal(wakeups(), 0);
}


static void
test_lock(void **state)
{
    int         status;
    pid_t       pid;
    ngx_uint_t  died;

    assert_int_equal(ngx_campfire_shm_lock(sh, 0, &died), NGX_OK);
    assert_int_equal(died, 0);
    assert_int_equal(sh->writer_pid, ngx_pid);
    assert_int_equal(sh->writer_serial, 1);

    /* another process gets it when it is given back, not before */

    pid = child_begin();

    if (pid == 0) {
        if (ngx_campfire_shm_trylock(sh) != NGX_BUSY
            || ngx_campfire_shm_lock(sh, 20, &died) != NGX_BUSY)
        {
            _exit(1);
        }

        sh->ready = 1;

        if (ngx_campfire_shm_lock(sh, 5000, &died) != NGX_OK || died) {
            _exit(2);
        }

        ngx_campfire_shm_unlock(sh);
        _exit(0);
    }

    while (!sh->ready || !sh->writer_waiters) {
        usleep(1000);
    }

    ngx_campfire_shm_unlock(sh);

    /* handed over: we come after it */

    assert_int_equal(sh->writer_serial, 2);
    assert_int_equal(waitpid(pid, &status, 0), pid);
    assert_int_equal(status, 0);
    assert_int_equal(sh->writer_waiters, 0);

    assert_int_equal(ngx_campfire_shm_trylock(sh), NGX_OK);
    ngx_campfire_shm_release(sh);
    assert_int_equal(sh->writer_pid, 0);
}


static void
lock_and_die(void)
{
    pid_t       pid;
    ngx_uint_t  died;

    pid = child_begin();

    if (pid == 0) {
        if (ngx_campfire_shm_lock(sh, 0, &died) == NGX_OK) {
            die();
        }
        _exit(1);
    }

    child_over(pid);
    assert_int_equal(sh->writer_pid, pid);
}


static void
test_lock_killed(void **state)
{
    ngx_uint_t  died;

    lock_and_die();

    assert_int_equal(ngx_campfire_shm_lock(sh, 0, &died), NGX_OK);
    assert_int_equal(died, 1);
    ngx_campfire_shm_unlock(sh);

    assert_int_equal(ngx_campfire_shm_lock(sh, 0, &died), NGX_OK);
    assert_int_equal(died, 0);
    ngx_campfire_shm_unlock(sh);

    /* the event loop says so by the generation */

    lock_and_die();
    assert_int_equal(sh->global, 0);
    assert_int_equal(ngx_campfire_shm_trylock(sh), NGX_OK);
    assert_int_equal(sh->global, 1);
    ngx_campfire_shm_release(sh);
}


/* Nobody need write for that: readers must not trust a dead man's word. */
static void
test_lock_killed_reclaim(void **state)
{
    lock_and_die();

    (void) ngx_campfire_shm_slots_reclaim(&instances, &zone_log);
    assert_int_equal(sh->writer_pid, 0);
    assert_int_equal(sh->global, 1);

    (void) ngx_campfire_shm_slots_reclaim(&instances, &zone_log);
    assert_int_equal(sh->global, 1);

    /* who lives keeps it */

    assert_int_equal(ngx_campfire_shm_trylock(sh), NGX_OK);
    (void) ngx_campfire_shm_slots_reclaim(&instances, &zone_log);
    assert_int_equal(sh->writer_pid, ngx_pid);
    assert_int_equal(sh->global, 1);
    ngx_campfire_shm_release(sh);
}


static void
test_seen(void **state)
{
    u_char  a[48], b[48];

    memset(a, 0xaa, sizeof(a));
    ngx_campfire_shm_seen_set(sh, a);
    ngx_campfire_shm_seen_get(sh, b);
    assert_memory_equal(a, b, sizeof(a));
    assert_int_equal(sh->seen_seq, 2);

    /* killed in between: the next one to publish sets it right */

    sh->seen_seq = 3;
    ngx_campfire_shm_seen_set(sh, a);
    assert_int_equal(sh->seen_seq % 2, 0);
    ngx_campfire_shm_seen_get(sh, b);
    assert_memory_equal(a, b, sizeof(a));
}


int
main(void)
{
    const struct CMUnitTest  tests[] = {
        cmocka_unit_test_setup_teardown(test_zone, setup, teardown),
        cmocka_unit_test_setup_teardown(test_zone_small, setup, teardown),
        cmocka_unit_test_setup_teardown(test_ring, setup, teardown),
        cmocka_unit_test_setup_teardown(test_ring_wrap, setup, teardown),
        cmocka_unit_test_setup_teardown(test_ring_overrun, setup, teardown),
        cmocka_unit_test_setup_teardown(test_ring_size, setup, teardown),
        cmocka_unit_test_setup_teardown(test_ring_broken, setup, teardown),
        cmocka_unit_test_setup_teardown(test_rate, setup, teardown),
        cmocka_unit_test_setup_teardown(test_slots, setup, teardown),
        cmocka_unit_test_setup_teardown(test_slots_full, setup, teardown),
        cmocka_unit_test_setup_teardown(test_slots_reclaim, setup, teardown),
        cmocka_unit_test_setup_teardown(test_lock, setup, teardown),
        cmocka_unit_test_setup_teardown(test_lock_killed, setup, teardown),
        cmocka_unit_test_setup_teardown(test_lock_killed_reclaim, setup,
                                        teardown),
        cmocka_unit_test_setup_teardown(test_seen, setup, teardown)
    };

    cmocka_set_message_output(CM_OUTPUT_TAP);

    return cmocka_run_group_tests(tests, NULL, NULL);
}
