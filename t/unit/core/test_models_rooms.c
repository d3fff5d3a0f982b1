
/*
 * Rooms: who finds them, what they are called, the sidebar, and every write.
 */

#define _GNU_SOURCE

#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <string.h>
#include <cmocka.h>

#include "models.h"
#include "models/ngx_campfire_model_room.h"
#include "models/ngx_campfire_model_sidebar.h"
#include "models/ngx_campfire_model_user.h"


static const struct {
    const char  *label;
    int64_t      id;
} labels[] = {
    { "direct_ada_bruno", 10 },
    { "direct_group", 12 },
    { "direct_ada_relay", 13 },
    { "direct_ada_self", 14 },
    { "direct_ada_fenna", 15 },
    { "escapes", 6 },
    { "ada", ADA },
    { "bruno", BRUNO },
    { "chiara", CHIARA }
};


static int64_t
labelled(ngx_str_t name)
{
    size_t  i;

    for (i = 0; i < sizeof(labels) / sizeof(labels[0]); i++) {
        if (strlen(labels[i].label) == name.len
            && memcmp(labels[i].label, name.data, name.len) == 0)
        {
            return labels[i].id;
        }
    }

    fail_msg("unknown label %.*s", (int) name.len, (char *) name.data);
    return 0;
}


static void
test_find(void **state)
{
    ngx_campfire_room_t        room;
    ngx_campfire_user_t        user;
    ngx_campfire_membership_t  mb;

    assert_int_equal(ngx_campfire_model_room_find(conn, pool, ADA, BUSY,
                                                  &room, &mb), NGX_OK);
    is(room.name, "busy corner");
    assert_int_equal(room.type, NGX_CAMPFIRE_ROOM_OPEN);
    assert_int_equal(room.creator_id, BRUNO);
    assert_int_equal(mb.user_id, ADA);
    assert_int_equal(mb.involvement, NGX_CAMPFIRE_INVOLVEMENT_EVERYTHING);
    assert_int_equal(mb.unread_at, INT64_C(1772462400616242));

    /* hidden is not out */

    assert_int_equal(ngx_campfire_model_room_find(conn, pool, ADA, ARCHIVE,
                                                  &room, &mb), NGX_OK);
    assert_int_equal(mb.involvement, NGX_CAMPFIRE_INVOLVEMENT_INVISIBLE);

    assert_int_equal(ngx_campfire_model_room_find(conn, pool, ADA, 10, &room,
                                                  NULL), NGX_OK);
    assert_int_equal(room.type, NGX_CAMPFIRE_ROOM_DIRECT);
    assert_null(room.name.data);

    assert_int_equal(ngx_campfire_model_room_find(conn, pool, ADA, SECRETS,
                                                  &room, NULL), NGX_DECLINED);
    assert_int_equal(ngx_campfire_model_room_find(conn, pool, HANA, ALL_TALK,
                                                  &room, NULL), NGX_DECLINED);
    assert_int_equal(ngx_campfire_model_room_find(conn, pool, ADA, 4242,
                                                  &room, NULL), NGX_DECLINED);
    assert_int_equal(ngx_campfire_model_room_get(conn, pool, SECRETS, &room),
                     NGX_OK);
    assert_int_equal(ngx_campfire_model_room_get(conn, pool, 4242, &room),
                     NGX_DECLINED);

    memset(&user, 0, sizeof(user));
    user.id = room.creator_id = BRUNO;
    assert_true(ngx_campfire_model_room_administers(&user, &room));
    user.id = CHIARA;
    assert_false(ngx_campfire_model_room_administers(&user, &room));
    user.role = NGX_CAMPFIRE_ROLE_ADMINISTRATOR;
    assert_true(ngx_campfire_model_room_administers(&user, &room));
}


static void
test_default(void **state)
{
    int64_t  id;

    assert_int_equal(ngx_campfire_model_room_default(conn, ADA, BUSY, &id),
                     NGX_OK);
    assert_int_equal(id, BUSY);
    assert_int_equal(ngx_campfire_model_room_default(conn, ADA, 0, &id),
                     NGX_OK);
    assert_int_equal(id, ALL_TALK);

    /* a cookie of a room that is gone or not his */

    assert_int_equal(ngx_campfire_model_room_default(conn, ADA, 999999, &id),
                     NGX_OK);
    assert_int_equal(id, ALL_TALK);
    assert_int_equal(ngx_campfire_model_room_default(conn, ADA, SECRETS, &id),
                     NGX_OK);
    assert_int_equal(id, ALL_TALK);
    assert_int_equal(ngx_campfire_model_room_default(conn, HANA, BUSY, &id),
                     NGX_DECLINED);

    assert_int_equal(ngx_campfire_model_room_newest(conn, BRUNO, &id),
                     NGX_OK);
    assert_int_equal(id, 12);
    assert_int_equal(ngx_campfire_model_room_newest(conn, HANA, &id),
                     NGX_DECLINED);
    assert_int_equal(ngx_campfire_model_room_oldest(conn, &id), NGX_OK);
    assert_int_equal(id, ALL_TALK);

    /* the oldest is not the one with the lowest id */

    sql("UPDATE rooms SET created_at = '2025-01-01 00:00:00' WHERE id = 9",
        "");
    assert_int_equal(ngx_campfire_model_room_default(conn, ADA, 0, &id),
                     NGX_OK);
    assert_int_equal(id, DOOMED);
}


static void
test_display_names(void **state)
{
    size_t               i;
    int64_t              viewer;
    json_t              *row, *list;
    ngx_str_t            name;
    ngx_campfire_room_t  room;

    list = json_object_get(vectors, "room_display_names");
    assert_true(json_array_size(list) > 0);

    json_array_foreach(list, i, row) {
        viewer = labelled(get(row, "for_user"));

        assert_int_equal(ngx_campfire_model_room_get(conn, pool,
                             labelled(get(row, "room")), &room), NGX_OK);

        assert_int_equal(ngx_campfire_model_room_display_name(conn, pool,
                             &room, viewer, &name), NGX_OK);
        equal("name", i, name, get(row, "name"));

        assert_int_equal(ngx_campfire_model_room_display_name(conn, pool,
                             &room, 0, &name), NGX_OK);
        equal("name for nobody", i, name, get(row, "for_nobody"));
    }

    /* whose other member was deleted by hand, and a room without a name */

    sql("UPDATE memberships SET user_id = 4242 WHERE room_id = 10"
        " AND user_id = 2", "");
    assert_int_equal(ngx_campfire_model_room_get(conn, pool, 10, &room),
                     NGX_OK);
    assert_int_equal(ngx_campfire_model_room_display_name(conn, pool, &room,
                         ADA, &name), NGX_OK);
    is(name, "Ada Marlow");

    sql("UPDATE rooms SET name = NULL WHERE id = 3", "");
    assert_int_equal(ngx_campfire_model_room_get(conn, pool, BUSY, &room),
                     NGX_OK);
    assert_int_equal(ngx_campfire_model_room_display_name(conn, pool, &room,
                         ADA, &name), NGX_OK);
    assert_null(name.data);
}


#define rooms_are(list, ...)                                                  \
    do {                                                                      \
        size_t         i_;                                                    \
        const int64_t  want_[] = { __VA_ARGS__ };                             \
                                                                              \
        assert_int_equal((list).nelts, sizeof(want_) / sizeof(want_[0]));     \
        for (i_ = 0; i_ < (list).nelts; i_++) {                               \
            assert_int_equal((list).elts[i_].room.id, want_[i_]);             \
        }                                                                     \
    } while (0)


static void
test_sidebar(void **state)
{
    ngx_uint_t              i, before;
    ngx_campfire_sidebar_t  s;

    before = ngx_campfire_db_statements(conn);
    assert_int_equal(ngx_campfire_model_sidebar_load(conn, pool, ADA, &s),
                     NGX_OK);
    assert_int_equal(ngx_campfire_db_statements(conn) - before, 3);

    /* by time of the last change; by lower-cased name, without the hidden */

    rooms_are(s.directs, 11, 12, 13, 10, 15, 14);
    rooms_are(s.shared, ALL_TALK, BROKEN, BUSY, DESIGN, DOOMED, CLOSET, 6);

    is(s.directs.elts[0].name, "Chiara Nunes");
    is(s.directs.elts[1].name, "Bruno Pike, Chiara Nunes, and Dmitri O'Hara");
    is(s.directs.elts[2].name, "Relay Bot");
    is(s.directs.elts[4].name, "Fenna Quist");
    is(s.directs.elts[5].name, "Ada Marlow");
    is(s.shared.elts[2].name, "busy corner");

    ids_are(s.directs.elts[1].members, BRUNO, CHIARA, DMITRI);
    ids_are(s.directs.elts[5].members, ADA);
    ids_are(s.directs.elts[4].members, FENNA);
    assert_int_equal(s.directs.elts[3].members.elts[0].has_avatar, 1);

    for (i = 0; i < s.directs.nelts; i++) {
        assert_int_equal(s.directs.elts[i].unread, i < 2);
    }

    for (i = 0; i < s.shared.nelts; i++) {
        assert_int_equal(s.shared.elts[i].unread, i == 2);
        assert_int_equal(s.shared.elts[i].members.nelts, 0);
    }

    assert_int_equal(s.directs.elts[0].involvement,
                     NGX_CAMPFIRE_INVOLVEMENT_NOTHING);

    /* everybody active with whom she has no ping, by the time of joining */

    ids_are(s.placeholders, EMILE, HANA, IVO, 11);

    /* nobody's rooms */

    assert_int_equal(ngx_campfire_model_sidebar_load(conn, pool, HANA, &s),
                     NGX_OK);
    assert_int_equal(s.directs.nelts, 0);
    assert_int_equal(s.shared.nelts, 0);
    ids_are(s.placeholders, ADA, BRUNO, CHIARA, DMITRI, EMILE, IVO, RELAY,
            11);

    assert_int_equal(ngx_campfire_model_sidebar_load(conn, pool, NOBODY, &s),
                     NGX_OK);
    assert_int_equal(s.shared.nelts, 0);
}


static void
test_sidebar_odd_rows(void **state)
{
    ngx_campfire_sidebar_t       s;
    ngx_campfire_sidebar_room_t  line;

    /* an unset or unknown involvement hides; no name comes first */

    sql("UPDATE memberships SET involvement = NULL WHERE user_id = 1"
        " AND room_id = 1", "");
    sql("UPDATE memberships SET involvement = 'loud' WHERE user_id = 1"
        " AND room_id = 2", "");
    sql("UPDATE rooms SET name = NULL WHERE id = 9", "");
    sql("UPDATE rooms SET type = 'Rooms::Round' WHERE id = 8", "");
    sql("UPDATE rooms SET updated_at = '2026-03-02 13:00:00.995352'"
        " WHERE id IN (10, 11, 14)", "");

    assert_int_equal(ngx_campfire_model_sidebar_load(conn, pool, ADA, &s),
                     NGX_OK);
    rooms_are(s.shared, DOOMED, BROKEN, BUSY, CLOSET, 6);
    rooms_are(s.directs, 14, 11, 10, 12, 13, 15);
    assert_null(s.shared.elts[0].name.data);
    assert_int_equal(s.shared.elts[1].room.type, NGX_CAMPFIRE_ROOM_CLOSED);

    assert_int_equal(ngx_campfire_model_sidebar_line(conn, pool, ADA, DESIGN,
                                                     &line), NGX_OK);
    assert_int_equal(line.involvement, NGX_CAMPFIRE_INVOLVEMENT_INVISIBLE);
}


static void
test_sidebar_line(void **state)
{
    ngx_campfire_sidebar_room_t  line;

    assert_int_equal(ngx_campfire_model_sidebar_line(conn, pool, ADA, BUSY,
                                                     &line), NGX_OK);
    is(line.name, "busy corner");
    assert_int_equal(line.unread, 1);

    assert_int_equal(ngx_campfire_model_sidebar_line(conn, pool, BRUNO, 12,
                                                     &line), NGX_OK);
    is(line.name, "Ada Marlow, Chiara Nunes, and Dmitri O'Hara");
    ids_are(line.members, ADA, CHIARA, DMITRI);

    assert_int_equal(ngx_campfire_model_sidebar_line(conn, pool, ADA, 14,
                                                     &line), NGX_OK);
    is(line.name, "Ada Marlow");

    assert_int_equal(ngx_campfire_model_sidebar_line(conn, pool, ADA, ARCHIVE,
                                                     &line), NGX_OK);
    assert_int_equal(ngx_campfire_model_sidebar_line(conn, pool, ADA, SECRETS,
                                                     &line), NGX_DECLINED);
    assert_int_equal(ngx_campfire_model_sidebar_line(conn, pool, ADA, 4242,
                                                     &line), NGX_DECLINED);
}


static ngx_uint_t
placeholders(int64_t viewer)
{
    ngx_campfire_sidebar_t  s;

    assert_int_equal(ngx_campfire_model_sidebar_load(conn, pool, viewer, &s),
                     NGX_OK);
    return s.placeholders.nelts;
}


/* 19 without a ping, 18 less the partners with one, and never all people. */
static void
test_placeholders(void **state)
{
    int64_t                              n;
    ngx_campfire_model_room_ping_args_t  ping;

    sql("WITH RECURSIVE n(i) AS (SELECT 101 UNION ALL SELECT i + 1 FROM n"
        " WHERE i < 300) INSERT INTO users (id, name, created_at, updated_at)"
        " SELECT i, 'Extra ' || i, '2026-02-01 00:00:00',"
        " '2026-02-01 00:00:00' FROM n", "");

    assert_int_equal(placeholders(HANA), 19);

    /* one ping after the other */

    ping.viewer_id = HANA;
    ping.user_ids.elts = &n;
    ping.user_ids.nelts = 1;

    for (n = 101; n <= 122; n++) {
        assert_int_equal(run(ngx_campfire_model_room_ping, &ping), NGX_OK);
        assert_int_equal(placeholders(HANA), ngx_max(18 - (n - 100), 0));
    }

    /* hidden ones count */

    sql("UPDATE memberships SET involvement = 'invisible' WHERE user_id = 8"
        " AND room_id > 20", "");
    assert_int_equal(placeholders(HANA), 0);

    /* a ping with oneself is one partner less */

    ping.viewer_id = 200;
    ping.user_ids.nelts = 0;
    assert_int_equal(placeholders(200), 19);
    assert_int_equal(run(ngx_campfire_model_room_ping, &ping), NGX_OK);
    assert_int_equal(placeholders(200), 18);
}


static void
test_create(void **state)
{
    int64_t                                users[] = { BRUNO, FENNA, NOBODY };
    ngx_campfire_model_room_create_args_t  args;

    memset(&args, 0, sizeof(args));
    args.viewer_id = CHIARA;
    args.type = NGX_CAMPFIRE_ROOM_OPEN;
    args.name = cstr("Garden");

    assert_int_equal(run(ngx_campfire_model_room_create, &args), NGX_OK);
    assert_int_equal(effect(NGX_CAMPFIRE_EFFECT_ROOM_CREATED)->room, job->id);
    assert_int_equal(num("SELECT COUNT(*) FROM rooms WHERE id = ?1"
                         " AND name = 'Garden' AND type = 'Rooms::Open'"
                         " AND creator_id = 3", "i", job->id), 1);

    /* all active ones, bots among them */

    assert_int_equal(num("SELECT COUNT(*) FROM memberships WHERE room_id = ?1"
                         " AND involvement = 'mentions' AND LENGTH(created_at)"
                         " = 23", "i", job->id), 9);
    assert_int_equal(num("SELECT COUNT(*) FROM memberships WHERE room_id = ?1"
                         " AND user_id IN (6, 7, 12)", "i", job->id), 0);

    /* those listed and nobody else, with any status */

    args.type = NGX_CAMPFIRE_ROOM_CLOSED;
    args.name.data = NULL;
    args.user_ids.elts = users;
    args.user_ids.nelts = 3;
    assert_int_equal(run(ngx_campfire_model_room_create, &args), NGX_OK);
    assert_int_equal(num("SELECT name IS NULL FROM rooms WHERE id = ?1",
                         "i", job->id), 1);
    assert_int_equal(num("SELECT SUM(user_id) FROM memberships"
                         " WHERE room_id = ?1", "i", job->id), BRUNO + FENNA);

    args.viewer_id = FENNA;
    assert_int_equal(run(ngx_campfire_model_room_create, &args),
                     NGX_DECLINED);
    args.viewer_id = NOBODY;
    assert_int_equal(run(ngx_campfire_model_room_create, &args),
                     NGX_DECLINED);

    /* only administrators */

    sql("UPDATE accounts SET settings ="
        " '{\"restrict_room_creation_to_administrators\":true}'", "");
    args.viewer_id = CHIARA;
    assert_int_equal(run(ngx_campfire_model_room_create, &args),
                     NGX_CAMPFIRE_FORBIDDEN);
    assert_int_equal(effects(-1), 0);
    args.viewer_id = IVO;
    assert_int_equal(run(ngx_campfire_model_room_create, &args), NGX_OK);
}


static int64_t
ping(int64_t viewer, int64_t a, int64_t b)
{
    int64_t                              users[2];
    ngx_campfire_model_room_ping_args_t  args;

    users[0] = a;
    users[1] = b;

    args.viewer_id = viewer;
    args.user_ids.elts = users;
    args.user_ids.nelts = (a != 0) + (b != 0);

    assert_int_equal(run(ngx_campfire_model_room_ping, &args), NGX_OK);

    return job->id;
}


static void
test_ping(void **state)
{
    int64_t                              id;
    ngx_campfire_model_room_ping_args_t  args;

    assert_int_equal(ping(ADA, BRUNO, 0), 10);
    assert_int_equal(effects(NGX_CAMPFIRE_EFFECT_ROOM_OPENED), 1);
    assert_int_equal(effects(-1), 1);
    assert_int_equal(ping(BRUNO, ADA, 0), 10);
    assert_int_equal(ping(BRUNO, ADA, BRUNO), 10);
    assert_int_equal(ping(BRUNO, ADA, NOBODY), 10);
    assert_int_equal(ping(ADA, 0, 0), 14);
    assert_int_equal(ping(ADA, ADA, 0), 14);
    assert_int_equal(ping(ADA, FENNA, 0), 15);

    /* neither a part of a group nor more than it is the group */

    id = ping(ADA, BRUNO, CHIARA);
    assert_int_equal(effects(NGX_CAMPFIRE_EFFECT_ROOM_CREATED), 1);
    assert_true(id > 15);
    assert_int_equal(ping(CHIARA, BRUNO, ADA), id);
    assert_int_equal(num("SELECT COUNT(*) FROM memberships WHERE room_id = ?1"
                         " AND involvement = 'everything'", "i", id), 3);
    assert_int_equal(num("SELECT type = 'Rooms::Direct' AND name IS NULL"
                         " FROM rooms WHERE id = ?1", "i", id), 1);

    /* the restriction is not for pings; the restricted are */

    sql("UPDATE accounts SET settings ="
        " '{\"restrict_room_creation_to_administrators\":true}'", "");
    ping(CHIARA, HANA, 0);

    memset(&args, 0, sizeof(args));
    args.viewer_id = GUS;
    assert_int_equal(run(ngx_campfire_model_room_ping, &args), NGX_DECLINED);
}


static ngx_int_t
update(int64_t viewer, int64_t room, ngx_campfire_room_type_e type,
    const char *name, int64_t *users, ngx_uint_t n)
{
    ngx_campfire_model_room_update_args_t  *args;

    args = ngx_pcalloc(pool, sizeof(*args));

    args->viewer_id = viewer;
    args->room_id = room;
    args->type = type;

    if (name) {
        args->name = cstr(name);
    }

    args->user_ids.elts = users;
    args->user_ids.nelts = n;

    return run(ngx_campfire_model_room_update, args);
}


static void
test_update(void **state)
{
    int64_t  keep[] = { ADA, CHIARA, HANA, NOBODY };

    /* who may not */

    assert_int_equal(update(CHIARA, DESIGN, NGX_CAMPFIRE_ROOM_OPEN, "x", NULL,
                            0), NGX_CAMPFIRE_FORBIDDEN);
    assert_int_equal(update(HANA, DESIGN, NGX_CAMPFIRE_ROOM_OPEN, "x", NULL,
                            0), NGX_DECLINED);
    assert_int_equal(update(IVO, SECRETS, NGX_CAMPFIRE_ROOM_OPEN, "x", NULL,
                            0), NGX_DECLINED);
    assert_int_equal(update(ADA, 4242, NGX_CAMPFIRE_ROOM_OPEN, "x", NULL,
                            0), NGX_DECLINED);
    sql("UPDATE users SET status = 2 WHERE id = 9", "");
    assert_int_equal(update(IVO, DESIGN, NGX_CAMPFIRE_ROOM_OPEN, "x", NULL,
                            0), NGX_DECLINED);

    /* a ping is not converted, by whomever */

    assert_int_equal(update(ADA, 10, NGX_CAMPFIRE_ROOM_OPEN, "x", NULL, 0),
                     NGX_DECLINED);
    assert_int_equal(update(BRUNO, 10, NGX_CAMPFIRE_ROOM_CLOSED, "x", NULL,
                            0), NGX_DECLINED);
    assert_int_equal(num("SELECT COUNT(*) FROM rooms WHERE type ="
                         " 'Rooms::Direct'", ""), 6);

    /* closed: exactly those listed who exist; the rest must ask again */

    assert_int_equal(update(ADA, DESIGN, NGX_CAMPFIRE_ROOM_CLOSED, NULL, keep,
                            4), NGX_OK);
    assert_int_equal(effect(NGX_CAMPFIRE_EFFECT_ROOM_UPDATED)->other,
                     NGX_CAMPFIRE_ROOM_CLOSED);
    assert_int_equal(effects(NGX_CAMPFIRE_EFFECT_USER_DISCONNECTED), 7);
    assert_int_equal(effect(NGX_CAMPFIRE_EFFECT_USER_DISCONNECTED)->other, 1);
    assert_int_equal(effects(NGX_CAMPFIRE_EFFECT_MEMBER_ADDED), 1);
    assert_int_equal(effect(NGX_CAMPFIRE_EFFECT_MEMBER_ADDED)->user, HANA);
    assert_int_equal(num("SELECT SUM(user_id) FROM memberships"
                         " WHERE room_id = 2", ""), ADA + CHIARA + HANA);
    assert_int_equal(num("SELECT name = 'Design Review' AND updated_at ="
                         " '2026-03-01 10:27:00.136168' FROM rooms"
                         " WHERE id = 2", ""), 1);

    /* opened: levels stay, others come in with mentions */

    sql("UPDATE memberships SET involvement = 'everything' WHERE room_id = 2"
        " AND user_id = 3", "");
    sql("UPDATE memberships SET involvement = 'invisible' WHERE room_id = 2"
        " AND user_id = 8", "");
    assert_int_equal(update(ADA, DESIGN, NGX_CAMPFIRE_ROOM_OPEN, "Open it",
                            NULL, 0), NGX_OK);
    assert_int_equal(effects(NGX_CAMPFIRE_EFFECT_USER_DISCONNECTED), 0);
    assert_int_equal(num("SELECT COUNT(*) FROM memberships WHERE room_id = 2",
                         ""), 8);
    assert_int_equal(effects(NGX_CAMPFIRE_EFFECT_MEMBER_ADDED), 5);
    assert_int_equal(num("SELECT involvement = 'everything' FROM memberships"
                         " WHERE room_id = 2 AND user_id = 3", ""), 1);
    assert_int_equal(num("SELECT involvement = 'invisible' FROM memberships"
                         " WHERE room_id = 2 AND user_id = 8", ""), 1);
    assert_int_equal(num("SELECT type = 'Rooms::Open' AND name = 'Open it'"
                         " FROM rooms WHERE id = 2", ""), 1);

    /* renaming grants nothing again */

    sql("DELETE FROM memberships WHERE room_id = 2 AND user_id = 5", "");
    assert_int_equal(update(ADA, DESIGN, NGX_CAMPFIRE_ROOM_OPEN, "", NULL, 0),
                     NGX_OK);
    assert_int_equal(effects(NGX_CAMPFIRE_EFFECT_MEMBER_ADDED), 0);
    assert_int_equal(num("SELECT name = '' FROM rooms WHERE id = 2", ""), 1);

    /* closed with nobody, the creator himself leaves, too */

    assert_int_equal(update(BRUNO, BUSY, NGX_CAMPFIRE_ROOM_CLOSED, NULL, NULL,
                            0), NGX_OK);
    assert_int_equal(effect(NGX_CAMPFIRE_EFFECT_ROOM_UPDATED)->other,
                     NGX_CAMPFIRE_ROOM_OPEN);
    assert_int_equal(num("SELECT COUNT(*) FROM memberships WHERE room_id = 3",
                         ""), 0);
}


static ngx_int_t
destroy(int64_t viewer, int64_t room, ngx_uint_t direct)
{
    ngx_campfire_model_room_destroy_args_t  *args;

    args = ngx_pcalloc(pool, sizeof(*args));

    args->viewer_id = viewer;
    args->room_id = room;
    args->direct = direct;

    return run(ngx_campfire_model_room_destroy, args);
}


static void
test_destroy(void **state)
{
    assert_int_equal(destroy(BRUNO, DOOMED, 0), NGX_CAMPFIRE_FORBIDDEN);
    assert_int_equal(destroy(HANA, DOOMED, 0), NGX_DECLINED);
    assert_int_equal(destroy(IVO, SECRETS, 0), NGX_DECLINED);

    /* the route of pings is no way around */

    assert_int_equal(destroy(CHIARA, BUSY, 1), NGX_DECLINED);
    assert_int_equal(destroy(ADA, DOOMED, 1), NGX_DECLINED);
    assert_int_equal(num("SELECT COUNT(*) FROM rooms", ""), 15);

    /* everything goes, children first */

    assert_int_equal(destroy(ADA, DESIGN, 0), NGX_OK);
    assert_int_equal(job->id, DESIGN);
    assert_int_equal(effect(NGX_CAMPFIRE_EFFECT_ROOM_DESTROYED)->room,
                     DESIGN);
    assert_int_equal(effect(NGX_CAMPFIRE_EFFECT_ROOM_DESTROYED)->other,
                     NGX_CAMPFIRE_ROOM_CLOSED);
    assert_int_equal(num("SELECT COUNT(*) FROM rooms WHERE id = 2", ""), 0);
    assert_int_equal(num("SELECT COUNT(*) FROM messages WHERE id < 50", ""),
                     0);
    assert_int_equal(num("SELECT COUNT(*) FROM memberships WHERE room_id = 2",
                         ""), 0);
    assert_int_equal(num("SELECT COUNT(*) FROM boosts", ""), 0);
    assert_int_equal(num("SELECT COUNT(*) FROM action_text_rich_texts"
                         " WHERE record_id < 50", ""), 0);
    assert_int_equal(num("SELECT COUNT(*) FROM active_storage_attachments"
                         " WHERE record_type = 'Message'", ""), 0);
    assert_int_equal(num("SELECT COUNT(*) FROM message_search_index"
                         " WHERE rowid < 50", ""), 0);
    assert_int_equal(num("SELECT COUNT(*) FROM messages", ""), 147);

    /* any member a ping */

    assert_int_equal(destroy(CHIARA, 10, 1), NGX_DECLINED);
    assert_int_equal(destroy(BRUNO, 10, 1), NGX_OK);
    assert_int_equal(effect(NGX_CAMPFIRE_EFFECT_ROOM_DESTROYED)->other,
                     NGX_CAMPFIRE_ROOM_DIRECT);

    /* the deactivated keeps her ping, but not the right */

    assert_int_equal(destroy(FENNA, 15, 1), NGX_DECLINED);
    assert_int_equal(num("SELECT COUNT(*) FROM rooms", ""), 13);
}


int
main(void)
{
    const struct CMUnitTest  tests[] = {
        cmocka_unit_test_setup_teardown(test_find, setup_small, teardown),
        cmocka_unit_test_setup_teardown(test_default, setup_small, teardown),
        cmocka_unit_test_setup_teardown(test_display_names, setup_small,
                                        teardown),
        cmocka_unit_test_setup_teardown(test_sidebar, setup_small, teardown),
        cmocka_unit_test_setup_teardown(test_sidebar_odd_rows, setup_small,
                                        teardown),
        cmocka_unit_test_setup_teardown(test_sidebar_line, setup_small,
                                        teardown),
        cmocka_unit_test_setup_teardown(test_placeholders, setup_small,
                                        teardown),
        cmocka_unit_test_setup_teardown(test_create, setup_small, teardown),
        cmocka_unit_test_setup_teardown(test_ping, setup_small, teardown),
        cmocka_unit_test_setup_teardown(test_update, setup_small, teardown),
        cmocka_unit_test_setup_teardown(test_destroy, setup_small, teardown)
    };

    cmocka_set_message_output(CM_OUTPUT_TAP);

    return cmocka_run_group_tests(tests, load_vectors, free_vectors);
}
