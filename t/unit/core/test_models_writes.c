
/*
 * Messages and boosts as they are written, mentions, and searching.
 */

#define _GNU_SOURCE

#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <string.h>
#include <cmocka.h>

#include "models.h"
#include "models/ngx_campfire_model_attachable.h"
#include "models/ngx_campfire_model_boost.h"
#include "models/ngx_campfire_model_message.h"
#include "models/ngx_campfire_model_search.h"


static ngx_str_t  base_url = ngx_string("https://chat.fixture.test");


static ngx_campfire_message_t
message(int64_t id)
{
    ngx_campfire_message_t  m;

    assert_int_equal(ngx_campfire_model_message_get(conn, pool,
                         &instance.signers, &base_url, id, &m), NGX_OK);
    return m;
}


static ngx_int_t
post(int64_t room, int64_t viewer, ngx_str_t body, const char *client)
{
    ngx_campfire_model_message_create_args_t  *args;

    args = ngx_pcalloc(pool, sizeof(*args));
    args->room_id = room;
    args->viewer_id = viewer;
    args->body = body;

    if (client) {
        args->client_message_id = cstr(client);
    }

    return run(ngx_campfire_model_message_create, args);
}


static ngx_int_t
edit(int64_t room, int64_t viewer, int64_t id, const char *body)
{
    ngx_campfire_model_message_update_args_t  *args;

    args = ngx_pcalloc(pool, sizeof(*args));
    args->room_id = room;
    args->viewer_id = viewer;
    args->message_id = id;

    if (body) {
        args->body = cstr(body);
    }

    return run(ngx_campfire_model_message_update, args);
}


static ngx_int_t
destroy(int64_t room, int64_t viewer, int64_t id)
{
    ngx_campfire_model_message_destroy_args_t  *args;

    args = ngx_pcalloc(pool, sizeof(*args));
    args->room_id = room;
    args->viewer_id = viewer;
    args->message_id = id;

    return run(ngx_campfire_model_message_destroy, args);
}


static void
test_create(void **state)
{
    int64_t                                   id;
    ngx_str_t                                 none;
    ngx_campfire_effect_t                    *e;
    ngx_campfire_message_t                    m;
    ngx_campfire_model_message_create_args_t  args;

    now += 123456;
    assert_int_equal(post(DESIGN, CHIARA, cstr("<div>Good <b>day</b></div>"),
                          "my-own-id"), NGX_OK);
    id = job->id;
    is(job->text, "my-own-id");

    e = effect(NGX_CAMPFIRE_EFFECT_MESSAGE_CREATED);
    assert_int_equal(effects(-1), 1);
    assert_int_equal(e->room, DESIGN);
    assert_int_equal(e->id, id);
    assert_int_equal(e->user, CHIARA);
    assert_int_equal(e->time, now);

    m = message(id);
    is(m.client_message_id, "my-own-id");
    is(m.plain, "Good day");
    assert_int_equal(m.created_at, now);
    assert_int_equal(m.updated_at, now);
    assert_int_equal(m.kind, NGX_CAMPFIRE_MESSAGE_TEXT);

    assert_int_equal(num("SELECT created_at = '2026-03-02 15:00:00.123456'"
                         " FROM messages WHERE id = ?1", "i", id), 1);
    assert_int_equal(num("SELECT updated_at = '2026-03-02 15:00:00.123456'"
                         " FROM rooms WHERE id = 2", ""), 1);
    assert_int_equal(num("SELECT COUNT(*) FROM message_search_index"
                         " WHERE rowid = ?1 AND body = 'Good day'", "i", id),
                     1);

    /* no id: one of ours; an empty one is one; the same again is another */

    assert_int_equal(post(DESIGN, CHIARA, cstr(""), NULL), NGX_OK);
    assert_int_equal(job->text.len, 36);
    assert_int_equal(num("SELECT body = '' FROM action_text_rich_texts"
                         " WHERE record_id = ?1", "i", job->id), 1);
    assert_int_equal(message(job->id).kind, NGX_CAMPFIRE_MESSAGE_EMPTY);
    assert_int_equal(post(DESIGN, CHIARA, cstr("x"), ""), NGX_OK);
    assert_int_equal(message(job->id).client_message_id.len, 0);
    assert_int_equal(post(DESIGN, CHIARA, cstr("x"), "my-own-id"), NGX_OK);

    /* no body: no rich text, but a row of the index */

    none.len = 0;
    none.data = NULL;
    assert_int_equal(post(DESIGN, CHIARA, none, NULL), NGX_OK);
    assert_int_equal(num("SELECT COUNT(*) FROM action_text_rich_texts"
                         " WHERE record_id = ?1", "i", job->id), 0);
    assert_int_equal(num("SELECT COUNT(*) FROM message_search_index"
                         " WHERE rowid = ?1", "i", job->id), 1);

    assert_int_equal(post(DESIGN, CHIARA, cstr("/play bell"), NULL), NGX_OK);
    assert_int_equal(message(job->id).kind, NGX_CAMPFIRE_MESSAGE_SOUND);
    is(message(job->id).sound, "bell");

    /* what the caller says it is in plain text is indexed as it is */

    memset(&args, 0, sizeof(args));
    args.room_id = DESIGN;
    args.viewer_id = CHIARA;
    args.body = cstr("<p>zebra</p>");
    args.plain = cstr("okapi");
    assert_int_equal(run(ngx_campfire_model_message_create, &args), NGX_OK);
    assert_int_equal(num("SELECT COUNT(*) FROM message_search_index"
                         " WHERE message_search_index MATCH 'okapi'", ""), 1);

    args.client_message_id.data = ngx_pcalloc(pool, 256);
    args.client_message_id.len = 256;
    assert_int_equal(run(ngx_campfire_model_message_create, &args),
                     NGX_CAMPFIRE_UNPROCESSABLE);
}


static void
test_create_refused(void **state)
{
    ngx_str_t  body;

    body = cstr("<p>no</p>");

    assert_int_equal(post(SECRETS, ADA, body, NULL), NGX_DECLINED);
    assert_int_equal(post(4242, ADA, body, NULL), NGX_DECLINED);
    assert_int_equal(post(DESIGN, HANA, body, NULL), NGX_DECLINED);
    assert_int_equal(post(DESIGN, NOBODY, body, NULL), NGX_DECLINED);
    assert_int_equal(post(DESIGN, GUS, body, NULL), NGX_DECLINED);
    assert_int_equal(post(15, FENNA, body, NULL), NGX_DECLINED);
    assert_int_equal(effects(-1), 0);
    assert_int_equal(num("SELECT COUNT(*) FROM messages", ""), 196);

    /* he hid it, which is not leaving */

    assert_int_equal(post(ARCHIVE, ADA, body, NULL), NGX_OK);
}


static void
test_update(void **state)
{
    ngx_campfire_message_t  m;

    assert_int_equal(edit(DESIGN, BRUNO, 1, "<p>Changed <i>words</i></p>"),
                     NGX_OK);
    assert_int_equal(job->id, 1);
    is(job->text, "9e3779b1-9e37-401f-8011-f42d4c957f2d");
    assert_int_equal(effect(NGX_CAMPFIRE_EFFECT_MESSAGE_UPDATED)->id, 1);
    assert_int_equal(effect(NGX_CAMPFIRE_EFFECT_MESSAGE_UPDATED)->room,
                     DESIGN);

    m = message(1);
    is(m.plain, "Changed words");
    assert_int_equal(m.updated_at, now);
    assert_int_equal(m.room.updated_at, now);
    assert_int_equal(m.created_at, INT64_C(1772355600275241));
    assert_int_equal(num("SELECT COUNT(*) FROM message_search_index"
                         " WHERE rowid = 1 AND message_search_index MATCH"
                         " 'changed'", ""), 1);

    /* an administrator may; nothing given touches only */

    now += SECOND;
    assert_int_equal(edit(DESIGN, ADA, 1, NULL), NGX_OK);
    m = message(1);
    is(m.plain, "Changed words");
    assert_int_equal(m.updated_at, now);

    /* the text of a file's message is its name again when it is emptied */

    assert_int_equal(edit(DESIGN, DMITRI, 29, "<p>see this</p>"), NGX_OK);
    assert_int_equal(num("SELECT body = 'see this' FROM message_search_index"
                         " WHERE rowid = 29", ""), 1);
    assert_int_equal(edit(DESIGN, DMITRI, 29, "<p> </p>"), NGX_OK);
    m = message(29);
    equal("plain", 29, m.plain, m.filename);
    assert_int_equal(num("SELECT body = ?1 FROM message_search_index"
                         " WHERE rowid = 29", "s", &m.filename), 1);

    /* a message that had no rich text gets one */

    sql("DELETE FROM action_text_rich_texts WHERE record_id = 3", "");
    assert_int_equal(edit(DESIGN, CHIARA, 3, "<p>new</p>"), NGX_OK);
    is(message(3).plain, "new");

    assert_int_equal(edit(DESIGN, CHIARA, 1, "x"), NGX_CAMPFIRE_FORBIDDEN);
    assert_int_equal(edit(DESIGN, HANA, 1, "x"), NGX_DECLINED);
    assert_int_equal(edit(BUSY, BRUNO, 1, "x"), NGX_DECLINED);
    assert_int_equal(edit(DESIGN, BRUNO, 4242, "x"), NGX_DECLINED);
    assert_int_equal(edit(SECRETS, IVO, 186, "x"), NGX_DECLINED);
    assert_int_equal(edit(DESIGN, GUS, 39, "x"), NGX_DECLINED);
    assert_int_equal(effects(-1), 0);

    /* whoever loses the role loses the right */

    sql("UPDATE users SET role = 0 WHERE id = 1", "");
    assert_int_equal(edit(DESIGN, ADA, 1, "x"), NGX_CAMPFIRE_FORBIDDEN);
    is(message(1).plain, "Changed words");
}


static void
test_destroy(void **state)
{
    ngx_campfire_effect_t  *e;

    assert_int_equal(destroy(DESIGN, CHIARA, 42), NGX_CAMPFIRE_FORBIDDEN);
    assert_int_equal(destroy(DESIGN, HANA, 42), NGX_DECLINED);
    assert_int_equal(destroy(BUSY, DMITRI, 42), NGX_DECLINED);
    assert_int_equal(destroy(DESIGN, ADA, 4242), NGX_DECLINED);
    assert_int_equal(destroy(DESIGN, GUS, 39), NGX_DECLINED);
    assert_int_equal(num("SELECT COUNT(*) FROM messages", ""), 196);

    /* with its boosts */

    assert_int_equal(destroy(DESIGN, DMITRI, 42), NGX_OK);
    assert_int_equal(job->id, 42);
    e = effect(NGX_CAMPFIRE_EFFECT_MESSAGE_DESTROYED);
    assert_int_equal(e->room, DESIGN);
    assert_int_equal(e->id, 42);
    is(e->text, "f519f70a-f506-4516-82ca-0f6e9086dd62");
    assert_int_equal(num("SELECT COUNT(*) FROM boosts", ""), 1);
    assert_int_equal(num("SELECT COUNT(*) FROM action_text_rich_texts"
                         " WHERE record_id = 42", ""), 0);
    assert_int_equal(num("SELECT COUNT(*) FROM message_search_index"
                         " WHERE rowid = 42", ""), 0);
    assert_int_equal(num("SELECT updated_at = '2026-03-02 15:00:00'"
                         " FROM rooms WHERE id = 2", ""), 1);

    /* with its file, whose blob stays for the purge; by an administrator */

    assert_int_equal(destroy(DESIGN, IVO, 21), NGX_OK);
    assert_int_equal(num("SELECT COUNT(*) FROM active_storage_attachments"
                         " WHERE record_type = 'Message' AND record_id = 21",
                         ""), 0);
    assert_int_equal(num("SELECT COUNT(*) FROM active_storage_blobs", ""),
                     33);

    assert_int_equal(destroy(DESIGN, IVO, 21), NGX_DECLINED);

    /* the one whose creator is gone */

    assert_int_equal(destroy(BROKEN, ADA, 189), NGX_OK);
}


static ngx_int_t
boost(int64_t viewer, int64_t id, const char *content)
{
    ngx_campfire_model_boost_create_args_t  *args;

    args = ngx_pcalloc(pool, sizeof(*args));
    args->viewer_id = viewer;
    args->message_id = id;

    if (content) {
        args->content = cstr(content);
    }

    return run(ngx_campfire_model_boost_create, args);
}


static ngx_int_t
unboost(int64_t viewer, int64_t id, int64_t boost_id)
{
    ngx_campfire_model_boost_destroy_args_t  *args;

    args = ngx_pcalloc(pool, sizeof(*args));
    args->viewer_id = viewer;
    args->message_id = id;
    args->boost_id = boost_id;

    return run(ngx_campfire_model_boost_destroy, args);
}


static void
test_boosts(void **state)
{
    char                    marks[1200];
    int64_t                 id;
    size_t                  i;
    ngx_campfire_boost_t    b;
    ngx_campfire_boosts_t   list;
    ngx_campfire_effect_t  *e;

    assert_int_equal(boost(CHIARA, 41, "🎉"), NGX_OK);
    id = job->id;
    e = effect(NGX_CAMPFIRE_EFFECT_BOOST_CREATED);
    assert_int_equal(e->id, id);
    assert_int_equal(e->other, 41);
    assert_int_equal(e->room, DESIGN);
    assert_int_equal(message(41).updated_at, now);
    assert_int_equal(message(41).room.updated_at, now);
    assert_int_equal(message(41).boosts.nelts, 1);

    assert_int_equal(ngx_campfire_model_boost_get(conn, pool, id, &b),
                     NGX_OK);
    is(b.content, "🎉");
    is(b.booster.name, "Chiara Nunes");
    assert_int_equal(b.emoji, 1);
    assert_int_equal(b.message_id, 41);
    assert_int_equal(ngx_campfire_model_boost_get(conn, pool, 4242, &b),
                     NGX_DECLINED);

    /* the index is not written: its text is the same */

    assert_int_equal(num("SELECT COUNT(*) FROM message_search_index"
                         " WHERE rowid = 41", ""), 1);

    /* what a reader counts as one is one */

    assert_int_equal(boost(CHIARA, 41, ""), NGX_OK);
    assert_int_equal(boost(CHIARA, 41, "sixteen letters!"), NGX_OK);
    assert_int_equal(boost(CHIARA, 41, "seventeen letters"),
                     NGX_CAMPFIRE_UNPROCESSABLE);
    assert_int_equal(boost(CHIARA, 41,
                           "👨‍👩‍👧👨‍👩‍👧👨‍👩‍👧👨‍👩‍👧👨‍👩‍👧👨‍👩‍👧👨‍👩‍👧👨‍👩‍👧"),
                     NGX_OK);
    assert_int_equal(boost(CHIARA, 41, NULL), NGX_CAMPFIRE_UNPROCESSABLE);
    assert_int_equal(boost(CHIARA, 41, "\xff"), NGX_CAMPFIRE_UNPROCESSABLE);

    marks[0] = 'e';
    for (i = 1; i + 1 < sizeof(marks); i += 2) {
        marks[i] = (char) 0xcc;
        marks[i + 1] = (char) 0x81;
    }
    marks[sizeof(marks) - 1] = '\0';
    assert_int_equal(boost(CHIARA, 41, marks), NGX_CAMPFIRE_UNPROCESSABLE);

    assert_int_equal(boost(HANA, 41, "x"), NGX_DECLINED);
    assert_int_equal(boost(ADA, 186, "x"), NGX_DECLINED);
    assert_int_equal(boost(ADA, 186, NULL), NGX_DECLINED);
    assert_int_equal(boost(ADA, 4242, "x"), NGX_DECLINED);
    assert_int_equal(boost(GUS, 41, "x"), NGX_DECLINED);
    assert_int_equal(effects(-1), 0);

    assert_int_equal(ngx_campfire_model_boost_list(conn, pool, 41, &list),
                     NGX_OK);
    assert_int_equal(list.nelts, 4);
    assert_int_equal(list.elts[0].id, id);

    /* only his own, and only on that message; no administrator either */

    assert_int_equal(unboost(ADA, 41, id), NGX_DECLINED);
    assert_int_equal(unboost(CHIARA, 43, id), NGX_DECLINED);
    assert_int_equal(unboost(CHIARA, 41, 4242), NGX_DECLINED);
    now += SECOND;
    assert_int_equal(unboost(CHIARA, 41, id), NGX_OK);
    e = effect(NGX_CAMPFIRE_EFFECT_BOOST_DESTROYED);
    assert_int_equal(e->id, id);
    assert_int_equal(e->other, 41);
    assert_int_equal(message(41).updated_at, now);
    assert_int_equal(unboost(CHIARA, 41, id), NGX_DECLINED);
}


/* The mentions of every form of sgid: shown, indexed, and notified. */
static void
test_mentions(void **state)
{
    size_t                  i;
    json_t                 *row, *list;
    ngx_str_t               stored;
    ngx_uint_t              person;
    ngx_campfire_ids_t      ids;
    ngx_campfire_message_t  m;

    list = json_object_get(vectors, "sgid_resolution");
    assert_true(json_array_size(list) > 0);

    json_array_foreach(list, i, row) {
        stored = get(row, "stored");

        if (stored.data == NULL) {
            continue;
        }

        assert_int_equal(post(DESIGN, CHIARA, stored, NULL), NGX_OK);
        m = message(job->id);

        assert_int_equal(ngx_campfire_model_attachable_mentions(pool,
                             &instance.signers, &stored, &ids), NGX_OK);

        if (json_is_string(json_object_get(row, "counts_as_mention_of"))) {
            assert_int_equal(ids.nelts, 1);
            assert_int_equal(ids.elts[0],
                             atoi(json_string_value(json_object_get(row,
                                  "counts_as_mention_of")) + 5));

        } else if (ids.nelts) {

            /* signed well, but nobody is there */

            assert_int_equal(ids.elts[0], NOBODY);
        }

        if (get(row, "indexed_text").data == NULL) {

            /* where the reference fails we show a sign in its place */

            assert_int_equal(m.kind, NGX_CAMPFIRE_MESSAGE_TEXT);
            continue;
        }

        equal("text", i, m.plain, get(row, "indexed_text"));

        person = contains(m.plain, "@");
        assert_int_equal(contains(m.html.str, "class=\"mention\""), person);

        if (contains(m.plain, "@Bruno")) {
            assert_true(contains(m.html.str, "href=\"/users/2\""));
            assert_true(contains(m.html.str, "/avatar?v=20260122150000\""));
        }
    }

    /* twice in a body is once; and below a mount point paths begin with it */

    stored = message(10).body;
    assert_int_equal(ngx_campfire_model_attachable_mentions(pool,
                         &instance.signers, &stored, &ids), NGX_OK);
    assert_int_equal(ids.nelts, 1);

    base_url = cstr("https://chat.fixture.test:8443/chat/");
    m = message(10);
    assert_true(contains(m.html.str, "src=\"/chat/users/"));
    base_url = cstr("https://chat.fixture.test");
    m = message(10);
    assert_true(contains(m.html.str, "src=\"/users/"));
}


static void
test_resolver_host(void **state)
{
    size_t                            i;
    ngx_str_t                         url;
    ngx_campfire_model_attachable_t   a;

    static const struct {
        const char  *url;
        const char  *host;
        const char  *prefix;
    } rows[] = {
        { "https://chat.example.com", "chat.example.com", "" },
        { "https://chat.example.com:8443", "chat.example.com", "" },
        { "http://[::1]:80", "[::1]", "" },
        { "http://[::1]/chat", "[::1]", "/chat" },
        { "https://a.test:1/x/", "a.test", "/x" },
        { "https://a.test/", "a.test", "" },
        { "", "", "" },
        { "nonsense", "", "" },
        { "http:/", "", "" }
    };

    for (i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
        url = cstr(rows[i].url);
        ngx_campfire_model_attachable_init(&a, conn, pool, &instance.signers,
                                           &url);
        equal("host", i, a.resolver.host, cstr(rows[i].host));
        equal("prefix", i, a.prefix, cstr(rows[i].prefix));
    }

    ngx_campfire_model_attachable_init(&a, conn, pool, &instance.signers,
                                       NULL);
    assert_int_equal(a.resolver.host.len, 0);
}


static void
found(ngx_campfire_model_message_reader_t *r, int64_t viewer,
    ngx_str_t *query, json_t *want, size_t row)
{
    size_t                   i;
    json_t                  *id;
    ngx_campfire_messages_t  m;

    assert_int_equal(ngx_campfire_model_search_messages(r, viewer, query, &m),
                     NGX_OK);

    if (m.nelts != json_array_size(want)) {
        fail_msg("search %zu: %zu found, not %zu", row, (size_t) m.nelts,
                 json_array_size(want));
    }

    json_array_foreach(want, i, id) {
        assert_int_equal(m.elts[i].id, json_integer_value(id));
    }
}


static void
test_search(void **state)
{
    char                                 longest[3000];
    size_t                               i, done;
    json_t                              *row, *list;
    ngx_str_t                            q, query;
    ngx_campfire_messages_t              m;
    ngx_campfire_model_message_reader_t  r;

    r.conn = conn;
    r.pool = pool;
    r.signers = &instance.signers;
    r.base_url = &base_url;

    list = json_object_get(vectors, "searches");
    assert_int_equal(json_array_size(list), 53);
    done = 0;

    json_array_foreach(list, i, row) {
        q = get(row, "q");
        assert_int_equal(ngx_campfire_model_search_normalize(pool, &q,
                                                             &query), NGX_OK);
        equal("normalised", i, query, get(row, "normalized"));

        /* operators are words for us */

        if (contains(q, "AND") || contains(q, "OR") || contains(q, "NOT")) {
            assert_int_equal(ngx_campfire_model_search_messages(&r, ADA,
                                 &query, &m), NGX_OK);
            continue;
        }

        found(&r, ADA, &query, json_object_get(row, "ada"), i);
        found(&r, CHIARA, &query, json_object_get(row, "chiara"), i);
        done++;
    }

    assert_true(done > 40);

    /* the newest hundred by id; nothing of rooms he is not in */

    q = cstr("the");
    assert_int_equal(ngx_campfire_model_search_messages(&r, HANA, &q, &m),
                     NGX_OK);
    assert_int_equal(m.nelts, 0);

    sql("INSERT OR REPLACE INTO message_search_index (rowid, body)"
        " SELECT id, 'okapi' FROM messages WHERE id BETWEEN 40 AND 183", "");
    q = cstr("okapi");
    assert_int_equal(ngx_campfire_model_search_messages(&r, ADA, &q, &m),
                     NGX_OK);
    assert_int_equal(m.nelts, 100);
    assert_int_equal(m.elts[0].id, 84);
    assert_int_equal(m.elts[99].id, 183);

    /* cut at the limit, not within a character */

    memset(longest, 'a', sizeof(longest));
    memcpy(longest + 1023, "é", 2);
    longest[sizeof(longest) - 1] = '\0';
    q = cstr(longest);
    assert_int_equal(ngx_campfire_model_search_normalize(pool, &q, &query),
                     NGX_OK);
    assert_int_equal(query.len, 1023);
}


static void
test_recent_searches(void **state)
{
    ngx_campfire_model_search_clear_args_t   clear;
    ngx_campfire_model_search_queries_t      recent;
    ngx_campfire_model_search_record_args_t  record;

    assert_int_equal(ngx_campfire_model_search_recent(conn, pool, BRUNO,
                                                      &recent), NGX_OK);
    assert_int_equal(recent.nelts, 10);
    is(recent.elts[0], "query 12");
    is(recent.elts[9], "query 3");

    /* an old one again comes first, and none goes */

    record.viewer_id = BRUNO;
    record.query = cstr("query 3");
    assert_int_equal(run(ngx_campfire_model_search_record, &record), NGX_OK);
    ngx_campfire_model_search_recent(conn, pool, BRUNO, &recent);
    assert_int_equal(recent.nelts, 10);
    is(recent.elts[0], "query 3");
    is(recent.elts[9], "query 4");

    now += SECOND;
    record.query = cstr("okapi");
    assert_int_equal(run(ngx_campfire_model_search_record, &record), NGX_OK);
    ngx_campfire_model_search_recent(conn, pool, BRUNO, &recent);
    assert_int_equal(recent.nelts, 10);
    is(recent.elts[0], "okapi");
    is(recent.elts[9], "query 5");

    record.viewer_id = GUS;
    assert_int_equal(run(ngx_campfire_model_search_record, &record),
                     NGX_DECLINED);
    clear.viewer_id = GUS;
    assert_int_equal(run(ngx_campfire_model_search_clear, &clear),
                     NGX_DECLINED);

    clear.viewer_id = BRUNO;
    assert_int_equal(run(ngx_campfire_model_search_clear, &clear), NGX_OK);
    ngx_campfire_model_search_recent(conn, pool, BRUNO, &recent);
    assert_int_equal(recent.nelts, 0);
    ngx_campfire_model_search_recent(conn, pool, ADA, &recent);
    assert_int_equal(recent.nelts, 3);
}


int
main(void)
{
    const struct CMUnitTest  tests[] = {
        cmocka_unit_test_setup_teardown(test_create, setup_small, teardown),
        cmocka_unit_test_setup_teardown(test_create_refused, setup_small,
                                        teardown),
        cmocka_unit_test_setup_teardown(test_update, setup_small, teardown),
        cmocka_unit_test_setup_teardown(test_destroy, setup_small, teardown),
        cmocka_unit_test_setup_teardown(test_boosts, setup_small, teardown),
        cmocka_unit_test_setup_teardown(test_mentions, setup_small, teardown),
        cmocka_unit_test_setup_teardown(test_resolver_host, setup_small,
                                        teardown),
        cmocka_unit_test_setup_teardown(test_search, setup_small, teardown),
        cmocka_unit_test_setup_teardown(test_recent_searches, setup_small,
                                        teardown)
    };

    cmocka_set_message_output(CM_OUTPUT_TAP);

    return cmocka_run_group_tests(tests, load_vectors, free_vectors);
}
