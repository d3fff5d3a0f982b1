
/*
 * What the tests of models/ share: a copy of a fixture, its connections, and
 * transactions as the writer makes them.  cmocka.h is included before.
 *
 * CAMPFIRE_VECTORS names vectors.json; the databases lie beside it.
 */

#ifndef _CAMPFIRE_T_CORE_MODELS_H_INCLUDED_
#define _CAMPFIRE_T_CORE_MODELS_H_INCLUDED_


#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>
#include <jansson.h>

#include "models/ngx_campfire_model.h"
#include "models/ngx_campfire_model_membership.h"
#include "shm/ngx_campfire_shm.h"


/* 2026-03-02T15:00:00Z, the moment the fixture is told from */
#define NOW      (INT64_C(1772463600) * 1000000)
#define SECOND   INT64_C(1000000)

#define ADA      1
#define BRUNO    2
#define CHIARA   3
#define DMITRI   4
#define EMILE    5
#define FENNA    6      /* deactivated */
#define GUS      7      /* banned */
#define HANA     8      /* in no room */
#define IVO      9      /* administrator */
#define RELAY    10     /* bot */
#define NOBODY   4242

#define ALL_TALK   1
#define DESIGN     2
#define BUSY       3
#define CLOSET     4
#define ARCHIVE    5
#define SECRETS    7    /* without ada */
#define BROKEN     8
#define DOOMED     9


static json_t                    *vectors;
static ngx_pool_t                *pool;
static ngx_log_t                  quiet;
static ngx_campfire_instance_t    instance;
static ngx_campfire_db_conn_t    *conn;      /* reads */
static ngx_campfire_db_conn_t    *wconn;     /* writes */
static char                       folder[64];
static char                       file[128];

/* the batch under way or just over: jobs in order, the last one, the tx */
static ngx_queue_t                batch;
static ngx_campfire_job_t        *job;
static ngx_campfire_tx_t          tx;
static int64_t                    now = NOW;


/* One number, or -1 without a row. */
#define num(...)                                                              \
    (ngx_campfire_db_get_int(conn, &number, __VA_ARGS__) == NGX_OK            \
     ? number : -1)

#define sql(...)                                                              \
    assert_int_equal(ngx_campfire_db_exec(wconn, __VA_ARGS__), NGX_OK)

#define is(s, text)                                                           \
    equal(__FILE__, __LINE__, s, cstr(text))

static int64_t  number;


static inline ngx_str_t
cstr(const char *s)
{
    ngx_str_t  str;

    str.data = (u_char *) s;
    str.len = strlen(s);

    return str;
}


static inline void
equal(const char *what, size_t row, ngx_str_t got, ngx_str_t want)
{
    if (got.len == want.len
        && (got.len == 0 || memcmp(got.data, want.data, got.len) == 0))
    {
        return;
    }

    fail_msg("%s %zu\n got: %.*s\nwant: %.*s", what, row, (int) got.len,
             (char *) got.data, (int) want.len, (char *) want.data);
}


static inline ngx_str_t
get(json_t *object, const char *name)
{
    json_t     *v;
    ngx_str_t   s;

    v = json_object_get(object, name);

    s.data = (u_char *) json_string_value(v);
    s.len = json_string_length(v);

    return s;
}


static inline ngx_uint_t
contains(ngx_str_t s, const char *text)
{
    return s.len && memmem(s.data, s.len, text, strlen(text)) != NULL;
}


static inline void
copy_file(const char *from, const char *to)
{
    char     buf[65536];
    FILE    *in, *out;
    size_t   n;

    in = fopen(from, "rb");
    out = fopen(to, "wb");
    if (in == NULL || out == NULL) {
        fail_msg("%s cannot be copied to %s", from, to);
        return;
    }

    while ((n = fread(buf, 1, sizeof(buf), in)) > 0) {
        assert_int_equal(fwrite(buf, 1, n, out), n);
    }

    fclose(in);
    fclose(out);
}


static inline void
init_signers(ngx_campfire_signers_t *s)
{
    ngx_campfire_rails_keys_t  *k = &instance.keys;

    assert_int_equal(ngx_campfire_rails_verifier_init(&s->signed_cookie,
                         "SHA1", NGX_CAMPFIRE_BASE64, k->signed_cookie,
                         sizeof(k->signed_cookie)), NGX_OK);
    assert_int_equal(ngx_campfire_rails_verifier_init(&s->signed_id,
                         "SHA256", NGX_CAMPFIRE_BASE64_URL, k->signed_id,
                         sizeof(k->signed_id)), NGX_OK);
    assert_int_equal(ngx_campfire_rails_verifier_init(&s->signed_global_id,
                         "SHA1", NGX_CAMPFIRE_BASE64_URL_PAD,
                         k->signed_global_id, sizeof(k->signed_global_id)),
                     NGX_OK);
}


static inline void
free_signers(ngx_campfire_signers_t *s)
{
    ngx_campfire_rails_verifier_cleanup(&s->signed_cookie);
    ngx_campfire_rails_verifier_cleanup(&s->signed_id);
    ngx_campfire_rails_verifier_cleanup(&s->signed_global_id);
}


/* What the zone has to offer before the first worker claims a slot. */
static inline void
init_shared(void)
{
    pthread_mutexattr_t  attr;

    instance.sh = calloc(1, sizeof(ngx_campfire_sh_t));
    assert_non_null(instance.sh);

    pthread_mutexattr_init(&attr);
    pthread_mutexattr_setpshared(&attr, PTHREAD_PROCESS_SHARED);
    pthread_mutexattr_setrobust(&attr, PTHREAD_MUTEX_ROBUST);
    pthread_mutex_init(&instance.sh->writer, &attr);
    pthread_mutexattr_destroy(&attr);
}


/* A copy of "campfire-small" or "campfire-empty" in a folder; NULL: none. */
static inline void
prepare_fixture(const char *name)
{
    char         from[1024];
    const char  *path, *slash;

    path = getenv("CAMPFIRE_VECTORS");
    assert_non_null(path);

    slash = strrchr(path, '/');
    snprintf(from, sizeof(from), "%.*s/%s/db/production.sqlite3",
             slash ? (int) (slash - path) : 1, slash ? path : ".",
             name ? name : "");

    snprintf(folder, sizeof(folder), "/tmp/campfire-models-XXXXXX");
    assert_non_null(mkdtemp(folder));
    snprintf(file, sizeof(file), "%s/production.sqlite3", folder);

    if (name) {
        copy_file(from, file);
    }

    ngx_pagesize = (ngx_uint_t) getpagesize();

    pool = ngx_create_pool(16384, &quiet);
    assert_non_null(pool);

    instance.storage = cstr(folder);
    instance.files = cstr(folder);
    instance.database = cstr(file);
    instance.secret_key_base = get(vectors, "secret_key_base");

    assert_int_equal(ngx_campfire_rails_keys_init(&instance.keys,
                         &instance.secret_key_base), NGX_OK);
    init_signers(&instance.signers);
    init_signers(&instance.thread_signers);
    init_shared();
}


static inline void
open_fixture(const char *name)
{
    prepare_fixture(name);

    assert_int_equal(ngx_campfire_db_init(&instance, &quiet), NGX_OK);

    conn = instance.db->read;
    wconn = instance.db->write;
    now = NOW;
}


static inline void
remove_file(const char *suffix)
{
    char  path[192];

    snprintf(path, sizeof(path), "%s%s", file, suffix);
    unlink(path);
}


static inline void
close_fixture(void)
{
    ngx_campfire_db_cleanup(&instance);

    pthread_mutex_destroy(&instance.sh->writer);
    free(instance.sh);
    free_signers(&instance.signers);
    free_signers(&instance.thread_signers);
    ngx_destroy_pool(pool);
    memset(&instance, 0, sizeof(instance));

    remove_file("");
    remove_file("-wal");
    remove_file("-shm");
    rmdir(folder);
}


static inline int
setup_small(void **state)
{
    open_fixture("campfire-small");
    return 0;
}


static inline int
setup_empty(void **state)
{
    open_fixture("campfire-empty");
    return 0;
}


static inline int
teardown(void **state)
{
    close_fixture();
    return 0;
}


static inline int
load_vectors(void **state)
{
    const char  *path;

    path = getenv("CAMPFIRE_VECTORS");
    if (path == NULL) {
        print_error("CAMPFIRE_VECTORS is not set\n");
        return -1;
    }

    vectors = json_load_file(path, JSON_ALLOW_NUL, NULL);

    return vectors ? 0 : -1;
}


static inline int
free_vectors(void **state)
{
    json_decref(vectors);
    return 0;
}


/* A batch: begin, any number of writes, commit.  One clock for all of it. */
static inline void
begin(void)
{
    ngx_queue_init(&batch);
    sql("BEGIN IMMEDIATE", "");
}


/* Like a job of the writer: what fails is undone alone. */
static inline ngx_int_t
add(ngx_campfire_write_pt write, void *args)
{
    ngx_int_t  rc;

    job = ngx_pcalloc(pool, sizeof(ngx_campfire_job_t));
    assert_non_null(job);

    job->instance = &instance;
    job->pool = pool;
    job->args = args;
    ngx_queue_init(&job->effects);

    tx.instance = &instance;
    tx.conn = wconn;
    tx.job = job;
    tx.pool = pool;
    tx.log = &quiet;
    tx.now = now;
    tx.signers = &instance.thread_signers;

    sql("SAVEPOINT job", "");

    rc = write(&tx, args);
    job->rc = rc;

    if (rc != NGX_OK) {
        sql("ROLLBACK TO job", "");
    }

    sql("RELEASE job", "");

    if (rc == NGX_OK) {
        ngx_queue_insert_tail(&batch, &job->queue);
    }

    return rc;
}


static inline void
commit(void)
{
    assert_int_equal(ngx_campfire_model_membership_before_commit(&tx, &batch),
                     NGX_OK);
    sql("COMMIT", "");
}


/* A batch of one. */
static inline ngx_int_t
run(ngx_campfire_write_pt write, void *args)
{
    ngx_int_t  rc;

    begin();
    rc = add(write, args);
    commit();

    return rc;
}


/* Effects of the last job: how many of a kind, and the first one. */
static inline ngx_uint_t
effects(int kind)
{
    ngx_uint_t              n;
    ngx_queue_t            *q;
    ngx_campfire_effect_t  *e;

    n = 0;

    for (q = ngx_queue_head(&job->effects);
         q != ngx_queue_sentinel(&job->effects);
         q = ngx_queue_next(q))
    {
        e = ngx_queue_data(q, ngx_campfire_effect_t, queue);
        n += (kind == -1 || (int) e->kind == kind);
    }

    return n;
}


static inline ngx_campfire_effect_t *
effect(ngx_campfire_effect_e kind)
{
    ngx_campfire_effect_t  *e;

    e = ngx_campfire_db_writer_find_effect(&tx, kind);
    assert_non_null(e);

    return e;
}


/* The lists of ids that tests write down. */
#define ids_are(list, ...)                                                    \
    do {                                                                      \
        size_t         i_;                                                    \
        const int64_t  want_[] = { __VA_ARGS__ };                             \
                                                                              \
        assert_int_equal((list).nelts, sizeof(want_) / sizeof(want_[0]));     \
        for (i_ = 0; i_ < (list).nelts; i_++) {                               \
            assert_int_equal((list).elts[i_].id, want_[i_]);                  \
        }                                                                     \
    } while (0)


#endif /* _CAMPFIRE_T_CORE_MODELS_H_INCLUDED_ */
