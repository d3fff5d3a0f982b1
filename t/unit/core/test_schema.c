
/*
 * What db/ makes of a file: a new one, one of every supported older release,
 * and those that must stay as they are; and the settings of connections.
 */

#define _GNU_SOURCE

#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <string.h>
#include <cmocka.h>

#include <glob.h>
#include <sqlite3.h>
#include <sys/stat.h>

#include "models.h"
#include "db/ngx_campfire_db_conn.h"


#define OLDEST  8     /* versions of the oldest release that is upgraded */
#define ALL     15


/*
 * The way back, one step per version from the latest on: what undoes it, in
 * a database that has all before it.
 */
static const struct {
    const char  *version;
    const char  *sql;
} undo[] = {
    { "20251212154340",
      "DROP INDEX index_accounts_on_singleton_guard;"
      "ALTER TABLE accounts DROP COLUMN singleton_guard;" },
    { "20251126130131",
      "ALTER TABLE accounts DROP COLUMN settings;" },
    { "20251126115722",
      "ALTER TABLE users ADD COLUMN active boolean DEFAULT TRUE;"
      "UPDATE users SET active = (status = 0);"
      "ALTER TABLE users DROP COLUMN status;" },
    { "20251126092013", "DROP TABLE bans;" },
    { "20250825100959", "" },
    { "20250825100958", "" },
    { "20250825100957", "" }
};


/* Columns of all tables but the additions, in no order. */
static const char  columns[] =
    "SELECT group_concat(x, char(10)) FROM (SELECT m.name || '.' || x.name"
    " || ' ' || x.type || ' ' || x.\"notnull\" || ' '"
    " || coalesce(x.dflt_value, '-') AS x FROM sqlite_master m"
    " JOIN pragma_table_xinfo(m.name) x WHERE m.type = 'table'"
    " AND m.name NOT LIKE 'campfire%' ORDER BY 1)";

static const char  objects[] =
    "SELECT group_concat(x, char(10)) FROM (SELECT type || '|' || name || '|'"
    " || tbl_name || '|' || coalesce(sql, '') AS x FROM sqlite_master"
    " WHERE name NOT LIKE 'campfire%' ORDER BY rowid)";

static const char  versions[] =
    "SELECT group_concat(version) FROM (SELECT version FROM schema_migrations"
    " ORDER BY version)";


static sqlite3 *
outside(const char *path)
{
    sqlite3  *db;

    assert_int_equal(sqlite3_open(path, &db), SQLITE_OK);

    return db;
}


static void
change(const char *path, const char *text)
{
    char     *error;
    sqlite3  *db;

    error = NULL;
    db = outside(path);

    if (sqlite3_exec(db, text, NULL, NULL, &error) != SQLITE_OK) {
        fail_msg("%s: %s", text, error);
    }

    sqlite3_close(db);
}


/* The first value of a query, in the test's pool. */
static char *
ask_db(sqlite3 *db, const char *query)
{
    char          *answer;
    const char    *value;
    sqlite3_stmt  *stmt;

    if (sqlite3_prepare_v2(db, query, -1, &stmt, NULL) != SQLITE_OK) {
        fail_msg("%s: %s", query, sqlite3_errmsg(db));
    }

    answer = "(none)";

    if (sqlite3_step(stmt) == SQLITE_ROW) {
        value = (const char *) sqlite3_column_text(stmt, 0);
        value = value ? value : "(null)";
        answer = ngx_palloc(pool, strlen(value) + 1);
        strcpy(answer, value);
    }

    sqlite3_finalize(stmt);

    return answer;
}


static char *
ask(const char *path, const char *query)
{
    char     *answer;
    sqlite3  *db;

    db = outside(path);
    answer = ask_db(db, query);
    sqlite3_close(db);

    return answer;
}


/* A copy of the reference's new database. */
static char *
reference(void)
{
    char         from[1024];
    static char  path[128];
    const char  *at, *slash;

    at = getenv("CAMPFIRE_VECTORS");
    slash = strrchr(at, '/');

    snprintf(from, sizeof(from), "%.*s/campfire-empty/db/production.sqlite3",
             slash ? (int) (slash - at) : 1, slash ? at : ".");
    snprintf(path, sizeof(path), "%s/reference.sqlite3", folder);
    copy_file(from, path);

    return path;
}


/* How many backups there are; the path of the last one. */
static size_t
backups(char *path, size_t size)
{
    char    pattern[192];
    glob_t  found;
    size_t  n;

    snprintf(pattern, sizeof(pattern), "%s.backup-*", file);

    n = 0;

    if (glob(pattern, 0, NULL, &found) == 0) {
        n = found.gl_pathc;
        snprintf(path, size, "%s", found.gl_pathv[n - 1]);
    }

    globfree(&found);

    return n;
}


static ngx_int_t
start(void)
{
    ngx_int_t  rc;

    rc = ngx_campfire_db_init(&instance, &quiet);

    if (rc == NGX_OK) {
        conn = instance.db->read;
        wconn = instance.db->write;
    }

    return rc;
}


/* As after a restart of the master. */
static ngx_int_t
restart(void)
{
    ngx_campfire_db_cleanup(&instance);
    instance.sh->ready = 0;

    return start();
}


/* Takes the newest n versions back. */
static void
downgrade(size_t n)
{
    char    text[512];
    size_t  i;

    for (i = 0; i < n; i++) {
        snprintf(text, sizeof(text), "BEGIN; %s"
                 "DELETE FROM schema_migrations WHERE version = '%s'; COMMIT",
                 undo[i].sql, undo[i].version);
        change(file, text);
    }
}


static int
setup(void **state)
{
    prepare_fixture("campfire-small");
    return 0;
}


static int
setup_nothing(void **state)
{
    prepare_fixture(NULL);
    return 0;
}


static int
clean(void **state)
{
    char    pattern[128];
    glob_t  found;
    size_t  i;

    ngx_campfire_db_cleanup(&instance);

    snprintf(pattern, sizeof(pattern), "%s/*", folder);

    if (glob(pattern, 0, NULL, &found) == 0) {
        for (i = 0; i < found.gl_pathc; i++) {
            unlink(found.gl_pathv[i]);
        }
    }

    globfree(&found);
    close_fixture();

    return 0;
}


static void
test_create(void **state)
{
    char         path[256], *empty;
    struct stat  st;

    assert_int_equal(start(), NGX_OK);
    assert_int_equal(instance.sh->ready, 1);

    empty = reference();

    assert_string_equal(ask(file, objects), ask(empty, objects));
    assert_string_equal(ask(file, columns), ask(empty, columns));
    assert_string_equal(ask(file, versions), ask(empty, versions));
    assert_string_equal(ask(file, "SELECT group_concat(name) FROM"
                                  " (SELECT name FROM sqlite_master WHERE"
                                  " name LIKE 'campfire%' ORDER BY name)"),
                        "campfire_jobs,campfire_jobs_due,"
                        "campfire_messages_room_created,"
                        "campfire_messages_room_updated");
    assert_string_equal(ask(file, "PRAGMA integrity_check"), "ok");
    assert_int_equal(backups(path, sizeof(path)), 0);

    /* a second worker, and a second start, find it as it is */

    assert_int_equal(restart(), NGX_OK);
    assert_string_equal(ask(file, objects), ask(empty, objects));
    assert_int_equal(backups(path, sizeof(path)), 0);

    /* the last to leave takes the log with him */

    ngx_campfire_db_cleanup(&instance);
    snprintf(path, sizeof(path), "%s-wal", file);
    assert_int_equal(stat(path, &st), -1);
}


/* An installation of the reference keeps its objects to the byte. */
static void
test_adopt(void **state)
{
    char  path[256], *before;

    before = ask(file, objects);
    assert_int_equal(start(), NGX_OK);
    assert_string_equal(ask(file, objects), before);
    assert_int_equal(backups(path, sizeof(path)), 0);
}


static void
test_settings(void **state)
{
    size_t     i, k;
    sqlite3   *db;
    sqlite3   *dbs[3];

    static const struct {
        const char  *query;
        const char  *value;
    } want[] = {
        { "PRAGMA foreign_keys", "1" },
        { "PRAGMA synchronous", "1" },
        { "PRAGMA journal_mode", "wal" },
        { "PRAGMA mmap_size", "134217728" },
        { "PRAGMA journal_size_limit", "67108864" },
        { "PRAGMA cache_size", "2000" },
        { "PRAGMA wal_autocheckpoint", "0" },
        { "PRAGMA busy_timeout", "5000" }
    };

    assert_int_equal(start(), NGX_OK);

    dbs[0] = instance.db->read->db;
    dbs[1] = instance.db->thread->db;
    dbs[2] = instance.db->write->db;

    for (i = 0; i < 3; i++) {
        db = dbs[i];

        for (k = 0; k < sizeof(want) / sizeof(want[0]); k++) {
            equal(want[k].query, i, cstr(ask_db(db, want[k].query)),
                  cstr(want[k].value));
        }

        assert_string_equal(ask_db(db, "PRAGMA query_only"),
                            i < 2 ? "1" : "0");

        /* a misspelt column is no string */

        assert_int_equal(sqlite3_exec(db, "SELECT \"nothing\" FROM users",
                                      NULL, NULL, NULL), SQLITE_ERROR);
        assert_int_equal(sqlite3_exec(db, "PRAGMA writable_schema=ON;"
                                      "DELETE FROM sqlite_master",
                                      NULL, NULL, NULL), SQLITE_ERROR);
    }

    /* readers cannot write by mistake */

    assert_int_equal(ngx_campfire_db_exec(conn, "DELETE FROM boosts", ""),
                     NGX_ERROR);
}


/* From every release on, each with those before it already there. */
static void
test_upgrade(void **state)
{
    char    backup[256], *empty, *seq, *old, *people, *astray;
    size_t  i;

    for (i = 1; i <= sizeof(undo) / sizeof(undo[0]); i++) {

        if (i > 1) {
            clean(NULL);
            setup(NULL);
        }

        empty = reference();
        seq = ask(file, "SELECT seq FROM sqlite_sequence"
                        " WHERE name = 'users'");
        people = ask(file, "SELECT group_concat(id || ':' || min(status, 1))"
                           " FROM (SELECT * FROM users ORDER BY id)");

        astray = ask(file, "SELECT count(*) FROM pragma_foreign_key_check");

        downgrade(i);
        old = ask(file, columns);

        assert_int_equal(start(), NGX_OK);

        assert_string_equal(ask(file, columns), ask(empty, columns));
        assert_string_equal(ask(file, versions), ask(empty, versions));
        assert_string_equal(ask(file, "SELECT seq FROM sqlite_sequence"
                                      " WHERE name = 'users'"), seq);
        assert_string_equal(ask(file, "SELECT count(*) FROM"
                                      " pragma_foreign_key_check"), astray);
        assert_string_equal(ask(file, "PRAGMA integrity_check"), "ok");

        /* who was active and who not */

        assert_string_equal(ask(file,
            "SELECT group_concat(id || ':' || min(status, 1))"
            " FROM (SELECT * FROM users ORDER BY id)"), people);

        /* the copy is the state of before, whole */

        assert_int_equal(backups(backup, sizeof(backup)), 1);
        assert_string_equal(ask(backup, columns), old);
        assert_string_equal(ask(backup, "PRAGMA integrity_check"), "ok");
        assert_string_equal(ask(backup,
            "SELECT count(*) FROM sqlite_master WHERE name LIKE 'campfire%'"),
            "0");

        /* once */

        assert_int_equal(restart(), NGX_OK);
        assert_int_equal(backups(backup, sizeof(backup)), 1);
    }
}


/* The same objects, too, wherever columns were not appended. */
static void
test_upgrade_indexes(void **state)
{
    char  *empty;

    static const char  indexes[] =
        "SELECT group_concat(x, char(10)) FROM (SELECT name || ' ' || tbl_name"
        " || ' ' || coalesce(sql, '') AS x FROM sqlite_master"
        " WHERE type = 'index' AND name NOT LIKE 'campfire%' ORDER BY name)";

    downgrade(sizeof(undo) / sizeof(undo[0]));
    assert_int_equal(start(), NGX_OK);

    empty = reference();
    assert_string_equal(ask(file, indexes), ask(empty, indexes));
    assert_string_equal(ask(file, "SELECT sql FROM sqlite_master"
                                  " WHERE name = 'bans'"),
                        ask(empty, "SELECT sql FROM sqlite_master"
                                   " WHERE name = 'bans'"));
}


/* Refused, and neither changed nor copied. */
static void
refuses(const char *text)
{
    char  path[256], *before, *rows;

    change(file, text);

    before = ask(file, objects);
    rows = ask(file, "SELECT count(*) FROM sqlite_master");

    assert_int_equal(start(), NGX_ERROR);
    assert_null(instance.db);
    assert_int_equal(instance.sh->ready, 0);
    assert_string_equal(ask(file, objects), before);
    assert_string_equal(ask(file, "SELECT count(*) FROM sqlite_master"),
                        rows);
    assert_int_equal(backups(path, sizeof(path)), 0);

    /* and the lock is free: the next second tries again */

    assert_int_equal(start(), NGX_ERROR);
}


static void
test_too_old(void **state)
{
    refuses("DELETE FROM schema_migrations WHERE version = '20240209110503'");
}


static void
test_foreign(void **state)
{
    refuses("CREATE TABLE stock (item text)");
}


static void
test_lacks_column(void **state)
{
    refuses("ALTER TABLE boosts RENAME COLUMN content TO contents");
}


static void
test_demands_value(void **state)
{
    refuses("CREATE TABLE b2 (id integer PRIMARY KEY AUTOINCREMENT NOT NULL,"
            " message_id integer NOT NULL, booster_id integer NOT NULL,"
            " content varchar(16) NOT NULL, created_at datetime(6) NOT NULL,"
            " updated_at datetime(6) NOT NULL, weight integer NOT NULL);"
            "DROP TABLE boosts; ALTER TABLE b2 RENAME TO boosts");
}


/* What fits at most once does not fit: the transaction as a whole goes. */
static void
test_two_accounts(void **state)
{
    downgrade(4);
    refuses("INSERT INTO accounts (name, join_code, created_at, updated_at)"
            " SELECT name, join_code, created_at, updated_at FROM accounts");
}


/* A later reference is welcome. */
static void
test_newer(void **state)
{
    change(file, "ALTER TABLE rooms ADD COLUMN messages_count integer NOT NULL"
                 " DEFAULT 0;"
                 "ALTER TABLE rooms ADD COLUMN members_hash varchar;"
                 "CREATE TABLE solid_cache_entries (id integer PRIMARY KEY,"
                 " key blob NOT NULL);"
                 "CREATE INDEX index_messages_on_room_id_and_created_at"
                 " ON messages (room_id, created_at);"
                 "INSERT INTO schema_migrations VALUES ('20261007190000')");

    assert_int_equal(start(), NGX_OK);
    assert_int_equal(num("SELECT count(*) FROM schema_migrations", ""),
                     ALL + 1);
}


/* A log without its database may be the only copy of something. */
static void
test_lost(void **state)
{
    char         path[256];
    FILE        *log;
    struct stat  st;

    snprintf(path, sizeof(path), "%s-wal", file);
    log = fopen(path, "wb");
    assert_non_null(log);
    fputs("precious", log);
    fclose(log);

    assert_int_equal(start(), NGX_ERROR);
    assert_int_equal(stat(file, &st), -1);
    assert_int_equal(stat(path, &st), 0);
    assert_int_equal(st.st_size, 8);

    unlink(path);
    assert_int_equal(start(), NGX_OK);
}


static void
test_garbage(void **state)
{
    char         text[256];
    FILE        *f;
    struct stat  st;

    memset(text, 'x', sizeof(text));
    f = fopen(file, "wb");
    assert_non_null(f);
    fwrite(text, 1, sizeof(text), f);
    fclose(f);

    assert_int_equal(start(), NGX_ERROR);
    assert_int_equal(stat(file, &st), 0);
    assert_int_equal(st.st_size, sizeof(text));
}


/* Presence of an earlier run ends once per start, not per worker. */
static void
test_presence(void **state)
{
    const char  *recent;

    recent = "UPDATE memberships SET connections = 2, connected_at ="
             " strftime('%Y-%m-%d %H:%M:%f', 'now') WHERE id = 1;"
             "UPDATE memberships SET connections = 3, connected_at ="
             " '2020-01-01 00:00:00' WHERE id = 4";

    change(file, recent);
    assert_int_equal(start(), NGX_OK);
    assert_int_equal(num("SELECT connections FROM memberships WHERE id = 1"
                         " AND connected_at IS NULL", ""), 0);

    /* what is long over stays as the reference left it */

    assert_int_equal(num("SELECT connections FROM memberships WHERE id = 4",
                         ""), 3);

    ngx_campfire_db_cleanup(&instance);
    change(file, recent);
    assert_int_equal(start(), NGX_OK);
    assert_int_equal(num("SELECT connections FROM memberships WHERE id = 1",
                         ""), 2);
}


int
main(void)
{
    const struct CMUnitTest  tests[] = {
        cmocka_unit_test_setup_teardown(test_create, setup_nothing, clean),
        cmocka_unit_test_setup_teardown(test_adopt, setup, clean),
        cmocka_unit_test_setup_teardown(test_settings, setup, clean),
        cmocka_unit_test_setup_teardown(test_upgrade, setup, clean),
        cmocka_unit_test_setup_teardown(test_upgrade_indexes, setup, clean),
        cmocka_unit_test_setup_teardown(test_too_old, setup, clean),
        cmocka_unit_test_setup_teardown(test_foreign, setup_nothing, clean),
        cmocka_unit_test_setup_teardown(test_lacks_column, setup, clean),
        cmocka_unit_test_setup_teardown(test_demands_value, setup, clean),
        cmocka_unit_test_setup_teardown(test_two_accounts, setup, clean),
        cmocka_unit_test_setup_teardown(test_newer, setup, clean),
        cmocka_unit_test_setup_teardown(test_lost, setup_nothing, clean),
        cmocka_unit_test_setup_teardown(test_garbage, setup_nothing, clean),
        cmocka_unit_test_setup_teardown(test_presence, setup, clean)
    };

    cmocka_set_message_output(CM_OUTPUT_TAP);

    return cmocka_run_group_tests(tests, load_vectors, free_vectors);
}
