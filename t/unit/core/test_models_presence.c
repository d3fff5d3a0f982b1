
/*
 * Memberships: presence and its time to live, unread marks of a batch, the
 * bell.
 */

#define _GNU_SOURCE

#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <string.h>
#include <cmocka.h>

#include "models.h"
#include "models/ngx_campfire_model_message.h"


static ngx_campfire_membership_t
membership(int64_t room, int64_t user)
{
    ngx_campfire_membership_t  mb;

    assert_int_equal(ngx_campfire_model_membership_find(conn, pool, room,
                                                        user, &mb), NGX_OK);
    return mb;
}


static ngx_campfire_model_membership_presence_args_t *
looks(int64_t room, int64_t viewer)
{
    ngx_campfire_model_membership_presence_args_t  *args;

    args = ngx_pcalloc(pool, sizeof(*args));
    args->room_id = room;
    args->viewer_id = viewer;

    return args;
}


#define present(room, viewer)                                                 \
    run(ngx_campfire_model_membership_present, looks(room, viewer))
#define refresh(room, viewer)                                                 \
    run(ngx_campfire_model_membership_refresh, looks(room, viewer))
#define absent(room, viewer)                                                  \
    run(ngx_campfire_model_membership_absent, looks(room, viewer))

#define is_presence(room, viewer, count, time)                                \
    do {                                                                      \
        ngx_campfire_membership_t  mb_ = membership(room, viewer);            \
                                                                              \
        assert_int_equal(mb_.connections, count);                             \
        assert_int_equal(mb_.connected_at, time);                             \
    } while (0)


static ngx_campfire_model_message_create_args_t *
says(int64_t room, int64_t viewer)
{
    ngx_campfire_model_message_create_args_t  *args;

    args = ngx_pcalloc(pool, sizeof(*args));
    args->room_id = room;
    args->viewer_id = viewer;
    args->body = cstr("<div>hello</div>");
    args->plain = cstr("hello");

    return args;
}


static ngx_int_t
post(int64_t room, int64_t viewer)
{
    now += SECOND;

    return add(ngx_campfire_model_message_create, says(room, viewer));
}


static void
test_present(void **state)
{
    ngx_campfire_effect_t  *e;

    /* the first one clears the mark, and leaves updated_at */

    assert_int_equal(present(BUSY, ADA), NGX_OK);
    is_presence(BUSY, ADA, 1, now);
    assert_int_equal(membership(BUSY, ADA).unread_at, 0);
    assert_int_equal(num("SELECT updated_at = '2026-02-23 15:00:00.201928'"
                         " FROM memberships WHERE room_id = 3"
                         " AND user_id = 1", ""), 1);

    e = effect(NGX_CAMPFIRE_EFFECT_READ);
    assert_int_equal(e->room, BUSY);
    assert_int_equal(e->user, ADA);
    assert_int_equal(effects(-1), 1);

    /* others are not touched */

    is_presence(BUSY, CHIARA, 0, 0);
    is_presence(DESIGN, ADA, 0, 0);

    now += 60 * SECOND;
    assert_int_equal(present(BUSY, ADA), NGX_OK);
    is_presence(BUSY, ADA, 2, now);
    assert_int_equal(effects(NGX_CAMPFIRE_EFFECT_READ), 1);

    /* one microsecond beyond a minute nobody was there */

    now += 60 * SECOND + 1;
    assert_int_equal(present(BUSY, ADA), NGX_OK);
    is_presence(BUSY, ADA, 1, now);
}


/* A subscription that counts already renews what it gave, and reads. */
static void
test_present_counted(void **state)
{
    ngx_campfire_model_membership_presence_args_t  *again;

    again = looks(BUSY, ADA);
    again->counted = 1;

    assert_int_equal(present(BUSY, ADA), NGX_OK);
    assert_int_equal(present(BUSY, ADA), NGX_OK);
    is_presence(BUSY, ADA, 2, now);

    sql("UPDATE memberships SET unread_at = created_at WHERE room_id = 3"
        " AND user_id = 1", "");

    now += 30 * SECOND;
    assert_int_equal(run(ngx_campfire_model_membership_present, again),
                     NGX_OK);
    is_presence(BUSY, ADA, 2, now);
    assert_int_equal(membership(BUSY, ADA).unread_at, 0);
    assert_int_equal(effects(NGX_CAMPFIRE_EFFECT_READ), 1);

    /* it is there, whatever the row says */

    sql("UPDATE memberships SET connections = 0 WHERE room_id = 3"
        " AND user_id = 1", "");
    assert_int_equal(run(ngx_campfire_model_membership_present, again),
                     NGX_OK);
    is_presence(BUSY, ADA, 1, now);

    now += 60 * SECOND + 1;
    assert_int_equal(run(ngx_campfire_model_membership_present, again),
                     NGX_OK);
    is_presence(BUSY, ADA, 1, now);

    again->room_id = SECRETS;
    assert_int_equal(run(ngx_campfire_model_membership_present, again),
                     NGX_DECLINED);
}


static void
test_present_refused(void **state)
{
    assert_int_equal(present(SECRETS, ADA), NGX_DECLINED);
    assert_int_equal(present(BUSY, HANA), NGX_DECLINED);
    assert_int_equal(present(4242, ADA), NGX_DECLINED);
    assert_int_equal(effects(-1), 0);

    /* banned and deactivated, though their memberships are there */

    assert_int_equal(present(BUSY, GUS), NGX_DECLINED);
    assert_int_equal(present(15, FENNA), NGX_DECLINED);
    is_presence(BUSY, GUS, 0, 0);

    /* of a room that is gone */

    sql("INSERT INTO memberships (room_id, user_id, created_at, updated_at)"
        " VALUES (4242, 1, '2026-03-02', '2026-03-02')", "");
    assert_int_equal(present(4242, ADA), NGX_DECLINED);
    assert_int_equal(ngx_campfire_model_membership_exists(conn, 4242, ADA),
                     NGX_DECLINED);
}


static void
test_refresh(void **state)
{
    assert_int_equal(refresh(BUSY, ADA), NGX_OK);
    is_presence(BUSY, ADA, 1, now);
    assert_true(membership(BUSY, ADA).unread_at != 0);
    assert_int_equal(effects(-1), 0);
    assert_int_equal(num("SELECT updated_at = connected_at FROM memberships"
                         " WHERE room_id = 3 AND user_id = 1", ""), 1);

    assert_int_equal(present(BUSY, ADA), NGX_OK);
    now += 50 * SECOND;
    assert_int_equal(refresh(BUSY, ADA), NGX_OK);
    is_presence(BUSY, ADA, 2, now);

    now += 61 * SECOND;
    assert_int_equal(refresh(BUSY, ADA), NGX_OK);
    is_presence(BUSY, ADA, 1, now);

    /* nothing to do is no failure */

    assert_int_equal(refresh(SECRETS, ADA), NGX_OK);
    assert_int_equal(refresh(BUSY, GUS), NGX_OK);
    is_presence(BUSY, GUS, 0, 0);
}


static void
test_absent(void **state)
{
    present(BUSY, ADA);
    present(BUSY, ADA);
    assert_int_equal(absent(BUSY, ADA), NGX_OK);
    is_presence(BUSY, ADA, 1, now);
    assert_int_equal(absent(BUSY, ADA), NGX_OK);
    is_presence(BUSY, ADA, 0, 0);
    assert_int_equal(absent(BUSY, ADA), NGX_OK);
    is_presence(BUSY, ADA, 0, 0);

    /* after the time to live the rest of the count is void */

    present(BUSY, ADA);
    present(BUSY, ADA);
    present(BUSY, ADA);
    now += 61 * SECOND;
    assert_int_equal(absent(BUSY, ADA), NGX_OK);
    is_presence(BUSY, ADA, 0, 0);

    /* who was banned meanwhile still leaves; who is not there does not */

    present(BUSY, ADA);
    sql("UPDATE users SET status = 2 WHERE id = 1", "");
    assert_int_equal(absent(BUSY, ADA), NGX_OK);
    is_presence(BUSY, ADA, 0, 0);
    assert_int_equal(absent(SECRETS, ADA), NGX_OK);
    assert_int_equal(absent(4242, ADA), NGX_OK);

    /* a count that was broken by hand */

    sql("UPDATE memberships SET connections = -5, connected_at = ?1"
        " WHERE room_id = 3 AND user_id = 3", "t", now);
    assert_int_equal(absent(BUSY, CHIARA), NGX_OK);
    is_presence(BUSY, CHIARA, 0, 0);
}


static void
test_absent_all(void **state)
{
    ngx_campfire_model_membership_presence_args_t    who[3];
    ngx_campfire_model_membership_absent_all_args_t  all;

    present(BUSY, ADA);
    present(BUSY, ADA);
    present(DESIGN, BRUNO);
    present(BUSY, CHIARA);

    who[0] = *looks(BUSY, ADA);
    who[1] = *looks(DESIGN, BRUNO);
    who[2] = *looks(BUSY, ADA);
    all.elts = who;
    all.nelts = 3;

    assert_int_equal(run(ngx_campfire_model_membership_absent_all, &all),
                     NGX_OK);
    is_presence(BUSY, ADA, 0, 0);
    is_presence(DESIGN, BRUNO, 0, 0);
    is_presence(BUSY, CHIARA, 1, now);

    all.nelts = 0;
    assert_int_equal(run(ngx_campfire_model_membership_absent_all, &all),
                     NGX_OK);
}


static void
test_disconnect_all(void **state)
{
    present(BUSY, ADA);
    now += 61 * SECOND;
    present(BUSY, CHIARA);

    assert_int_equal(run(ngx_campfire_model_membership_disconnect_all, NULL),
                     NGX_OK);
    is_presence(BUSY, CHIARA, 0, 0);

    /* stale already */

    is_presence(BUSY, ADA, 1, now - 61 * SECOND);
    assert_int_equal(num("SELECT COUNT(*) FROM memberships"
                         " WHERE updated_at >= '2026-03-02 15'"
                         " AND updated_at < '2026-04'", ""), 1);
}


static void
test_lists(void **state)
{
    int64_t             count;
    ngx_campfire_ids_t  ids;

    assert_int_equal(ngx_campfire_model_membership_user_ids(conn, pool, 12,
                                                            &ids), NGX_OK);
    assert_int_equal(ids.nelts, 4);
    assert_int_equal(ids.elts[0], ADA);
    assert_int_equal(ids.elts[3], DMITRI);

    assert_int_equal(ngx_campfire_model_membership_user_ids(conn, pool, 4242,
                                                            &ids), NGX_OK);
    assert_int_equal(ids.nelts, 0);

    assert_int_equal(ngx_campfire_model_membership_unread_count(conn, ADA,
                                                                &count),
                     NGX_OK);
    assert_int_equal(count, 3);
    assert_int_equal(ngx_campfire_model_membership_unread_count(conn, HANA,
                                                                &count),
                     NGX_OK);
    assert_int_equal(count, 0);

    assert_int_equal(ngx_campfire_model_membership_exists(conn, ARCHIVE, ADA),
                     NGX_OK);
    assert_int_equal(ngx_campfire_model_membership_exists(conn, SECRETS, ADA),
                     NGX_DECLINED);
}


/* Marks of one message: everybody but the author, who looks, and who hid. */
static void
test_unread(void **state)
{
    present(BUSY, ADA);
    sql("UPDATE memberships SET involvement = 'invisible', unread_at = NULL"
        " WHERE room_id = 3 AND user_id = 4", "");
    sql("UPDATE memberships SET involvement = NULL"
        " WHERE room_id = 3 AND user_id = 5", "");
    sql("UPDATE memberships SET involvement = 'loud'"
        " WHERE room_id = 3 AND user_id = 9", "");

    begin();
    assert_int_equal(post(BUSY, CHIARA), NGX_OK);
    commit();

    assert_int_equal(membership(BUSY, ADA).unread_at, 0);
    assert_int_equal(membership(BUSY, CHIARA).unread_at, 0);
    assert_int_equal(membership(BUSY, DMITRI).unread_at, 0);
    assert_int_equal(membership(BUSY, EMILE).unread_at, 0);
    assert_int_equal(membership(BUSY, IVO).unread_at, 0);

    /* also with the least involvement there is in sight */

    assert_int_equal(membership(BUSY, BRUNO).involvement,
                     NGX_CAMPFIRE_INVOLVEMENT_NOTHING);
    assert_int_equal(membership(BUSY, BRUNO).unread_at, now);
    assert_int_equal(membership(BUSY, RELAY).unread_at, now);
    assert_int_equal(membership(DESIGN, DMITRI).unread_at, 0);

    /* a minute later she does not look any more */

    now += 60 * SECOND;
    begin();
    post(BUSY, CHIARA);
    commit();
    assert_int_equal(membership(BUSY, ADA).unread_at, now);
}


/* What one batch marks is what its messages would have marked in turn. */
static void
test_unread_batch(void **state)
{
    int64_t  by_bruno, by_chiara, other_room;

    begin();
    assert_int_equal(post(BUSY, BRUNO), NGX_OK);
    by_bruno = now;
    assert_int_equal(post(BUSY, CHIARA), NGX_OK);
    assert_int_equal(post(DESIGN, CHIARA), NGX_OK);
    other_room = now;
    assert_int_equal(post(SECRETS, ADA), NGX_DECLINED);
    assert_int_equal(post(BUSY, CHIARA), NGX_OK);
    by_chiara = now;
    commit();

    assert_int_equal(membership(BUSY, ADA).unread_at, by_chiara);
    assert_int_equal(membership(BUSY, BRUNO).unread_at, by_chiara);
    assert_int_equal(membership(BUSY, CHIARA).unread_at, by_bruno);
    assert_int_equal(membership(DESIGN, ADA).unread_at, other_room);
    assert_int_equal(membership(DESIGN, CHIARA).unread_at, 0);
    assert_int_equal(num("SELECT COUNT(*) FROM memberships WHERE room_id = 7"
                         " AND unread_at IS NOT NULL", ""), 0);

    /* alone, an author does not mark his own */

    sql("UPDATE memberships SET unread_at = NULL", "");
    begin();
    post(BUSY, BRUNO);
    post(BUSY, BRUNO);
    commit();
    assert_int_equal(membership(BUSY, BRUNO).unread_at, 0);
    assert_int_equal(membership(BUSY, CHIARA).unread_at, now);

    /* whoever starts to look in the same batch has read */

    sql("UPDATE memberships SET unread_at = NULL", "");
    begin();
    post(BUSY, BRUNO);
    add(ngx_campfire_model_membership_present, looks(BUSY, EMILE));
    commit();
    assert_int_equal(membership(BUSY, EMILE).unread_at, 0);
    assert_int_equal(membership(BUSY, CHIARA).unread_at, now);

    /* two statements for a room, however many messages */

    begin();
    number = (int64_t) ngx_campfire_db_statements(wconn);
    assert_int_equal(ngx_campfire_model_membership_before_commit(&tx, &batch),
                     NGX_OK);
    assert_int_equal(ngx_campfire_db_statements(wconn), number);
    commit();
}


static ngx_int_t
involve(int64_t room, int64_t viewer, ngx_campfire_involvement_e level)
{
    ngx_campfire_model_membership_involve_args_t  *args;

    args = ngx_pcalloc(pool, sizeof(*args));
    args->room_id = room;
    args->viewer_id = viewer;
    args->involvement = level;

    return run(ngx_campfire_model_membership_involve, args);
}


static void
test_involve(void **state)
{
    int                         level;
    ngx_str_t                   word;
    ngx_campfire_effect_t      *e;
    ngx_campfire_involvement_e  before, parsed;

    before = NGX_CAMPFIRE_INVOLVEMENT_MENTIONS;

    for (level = 0; level < 4; level++) {
        assert_int_equal(involve(BUSY, CHIARA, level), NGX_OK);
        e = effect(NGX_CAMPFIRE_EFFECT_INVOLVEMENT);
        assert_int_equal(e->room, BUSY);
        assert_int_equal(e->user, CHIARA);
        assert_int_equal(e->other, before);
        assert_int_equal(membership(BUSY, CHIARA).involvement, level);

        word = ngx_campfire_model_involvements[level];
        assert_int_equal(ngx_campfire_model_involvement_parse(&word, &parsed),
                         NGX_OK);
        assert_int_equal(parsed, level);
        assert_int_equal(num("SELECT involvement = ?1 FROM memberships"
                             " WHERE room_id = 3 AND user_id = 3", "s",
                             &word), 1);
        before = level;
    }

    /* the same again writes nothing, but is told */

    now += SECOND;
    assert_int_equal(involve(BUSY, CHIARA, before), NGX_OK);
    assert_int_equal(effect(NGX_CAMPFIRE_EFFECT_INVOLVEMENT)->other, before);
    assert_int_equal(num("SELECT updated_at = '2026-03-02 15:00:00'"
                         " FROM memberships WHERE room_id = 3"
                         " AND user_id = 3", ""), 1);

    /* an unset one reads as hidden, and is replaced by the word */

    sql("UPDATE memberships SET involvement = NULL WHERE room_id = 3"
        " AND user_id = 4", "");
    assert_int_equal(involve(BUSY, DMITRI,
                             NGX_CAMPFIRE_INVOLVEMENT_INVISIBLE), NGX_OK);
    assert_int_equal(effect(NGX_CAMPFIRE_EFFECT_INVOLVEMENT)->other,
                     NGX_CAMPFIRE_INVOLVEMENT_INVISIBLE);
    assert_int_equal(num("SELECT involvement = 'invisible' FROM memberships"
                         " WHERE room_id = 3 AND user_id = 4", ""), 1);

    assert_int_equal(involve(SECRETS, ADA, NGX_CAMPFIRE_INVOLVEMENT_NOTHING),
                     NGX_DECLINED);
    assert_int_equal(involve(4242, ADA, NGX_CAMPFIRE_INVOLVEMENT_NOTHING),
                     NGX_DECLINED);
    assert_int_equal(involve(BUSY, GUS, NGX_CAMPFIRE_INVOLVEMENT_NOTHING),
                     NGX_DECLINED);
    assert_int_equal(effects(-1), 0);

    word = cstr("Mentions");
    assert_int_equal(ngx_campfire_model_involvement_parse(&word, &parsed),
                     NGX_DECLINED);
    word.data = NULL;
    word.len = 0;
    assert_int_equal(ngx_campfire_model_involvement_parse(&word, &parsed),
                     NGX_DECLINED);
}


int
main(void)
{
    const struct CMUnitTest  tests[] = {
        cmocka_unit_test_setup_teardown(test_present, setup_small, teardown),
        cmocka_unit_test_setup_teardown(test_present_counted, setup_small,
                                        teardown),
        cmocka_unit_test_setup_teardown(test_present_refused, setup_small,
                                        teardown),
        cmocka_unit_test_setup_teardown(test_refresh, setup_small, teardown),
        cmocka_unit_test_setup_teardown(test_absent, setup_small, teardown),
        cmocka_unit_test_setup_teardown(test_absent_all, setup_small,
                                        teardown),
        cmocka_unit_test_setup_teardown(test_disconnect_all, setup_small,
                                        teardown),
        cmocka_unit_test_setup_teardown(test_lists, setup_small, teardown),
        cmocka_unit_test_setup_teardown(test_unread, setup_small, teardown),
        cmocka_unit_test_setup_teardown(test_unread_batch, setup_small,
                                        teardown),
        cmocka_unit_test_setup_teardown(test_involve, setup_small, teardown)
    };

    cmocka_set_message_output(CM_OUTPUT_TAP);

    return cmocka_run_group_tests(tests, load_vectors, free_vectors);
}
