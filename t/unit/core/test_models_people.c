
/*
 * People, bots, the account, sessions, joining and the first run.
 */

#define _GNU_SOURCE

#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <string.h>
#include <ctype.h>
#include <cmocka.h>

#include "models.h"
#include "models/ngx_campfire_model_account.h"
#include "models/ngx_campfire_model_attachable.h"
#include "models/ngx_campfire_model_ban.h"
#include "models/ngx_campfire_model_push_subscription.h"
#include "models/ngx_campfire_model_session.h"
#include "models/ngx_campfire_model_token.h"
#include "models/ngx_campfire_model_user.h"


static ngx_str_t
session_token(const char *who)
{
    size_t   i;
    json_t  *row;

    json_array_foreach(json_object_get(vectors, "signed_cookies"), i, row) {
        if (strcmp(json_string_value(json_object_get(row, "who")), who) == 0) {
            return get(row, "token");
        }
    }

    fail_msg("no session of %s", who);
    return cstr("");
}


static void
test_presentation(void **state)
{
    size_t               i;
    char                 version[64];
    json_t              *row, *list;
    ngx_str_t            text;
    ngx_campfire_user_t  user;

    list = json_object_get(vectors, "users_presentation");
    assert_int_equal(json_array_size(list), 12);

    json_array_foreach(list, i, row) {
        assert_int_equal(ngx_campfire_model_user_find(conn, pool,
                             json_integer_value(json_object_get(row, "id")),
                             &user), NGX_OK);
        equal("name", i, user.name, get(row, "name"));
        equal("bio", i, user.bio, get(row, "bio"));
        assert_int_equal(user.bio.data == NULL,
                         json_is_null(json_object_get(row, "bio")));

        assert_int_equal(ngx_campfire_model_user_title(pool, &user, &text),
                         NGX_OK);
        equal("title", i, text, get(row, "title"));

        assert_int_equal(ngx_campfire_model_user_initials(pool, &user.name,
                                                          &text), NGX_OK);
        equal("initials", i, text, get(row, "initials"));

        assert_int_equal(ngx_campfire_model_attachable_avatar(pool,
                             &instance.signers, &user, &text), NGX_OK);
        snprintf(version, sizeof(version), "/avatar?v=%s",
                 json_string_value(json_object_get(row, "avatar_version")));
        assert_true(contains(text, version));
    }

    list = json_object_get(vectors, "avatar_tokens");
    assert_true(json_array_size(list) > 0);

    json_array_foreach(list, i, row) {
        user.id = json_integer_value(json_object_get(row, "user_id"));
        assert_int_equal(ngx_campfire_model_attachable_avatar(pool,
                             &instance.signers, &user, &text), NGX_OK);
        assert_true(contains(text,
                        json_string_value(json_object_get(row, "token"))));
    }
}


static void
is_initials(const char *name, const char *initials)
{
    ngx_str_t  text, s;

    s = cstr(name);
    assert_int_equal(ngx_campfire_model_user_initials(pool, &s, &text),
                     NGX_OK);
    equal(name, 0, text, cstr(initials));
}


static void
test_initials(void **state)
{
    size_t       i;
    json_t      *row;
    ngx_str_t    name, text;

    json_array_foreach(json_object_get(vectors, "initials"), i, row) {
        name = get(row, "name");
        assert_int_equal(ngx_campfire_model_user_initials(pool, &name, &text),
                         NGX_OK);

        /* where the reference has none we take letters of any script */

        if (get(row, "initials").len) {
            equal("initials", i, text, get(row, "initials"));

        } else {
            assert_true(text.len > 0);
        }
    }

    is_initials("David", "D");
    is_initials("jean-luc picard", "jlp");
    is_initials("O'Brien", "OB");
    is_initials("3M Co", "3C");
    is_initials("Émile Zola", "Z");
    is_initials("Ünal", "Ü");
    is_initials("Ана Иванова", "АИ");
    is_initials("李 小龙", "李小");
    is_initials("😀", "😀");
    is_initials("", "");
    is_initials(" \t ", "");
    is_initials("\xff\xfe", "\xff");
}


static void
test_titles(void **state)
{
    ngx_str_t            text;
    ngx_campfire_user_t  user;

    memset(&user, 0, sizeof(user));

    user.name = cstr("A");
    user.bio = cstr(" ");
    assert_int_equal(ngx_campfire_model_user_title(pool, &user, &text),
                     NGX_OK);
    is(text, "A");

    user.name = cstr("");
    user.bio = cstr("b");
    assert_int_equal(ngx_campfire_model_user_title(pool, &user, &text),
                     NGX_OK);
    is(text, "b");

    user.bio.data = NULL;
    user.bio.len = 0;
    assert_int_equal(ngx_campfire_model_user_title(pool, &user, &text),
                     NGX_OK);
    is(text, "");
}


static void
test_find(void **state)
{
    ngx_str_t             email, digest, token;
    ngx_campfire_user_t   user;
    ngx_campfire_users_t  users;
    const int64_t         ids[] = { GUS, NOBODY, ADA, ADA };

    assert_int_equal(ngx_campfire_model_user_find(conn, pool, NOBODY, &user),
                     NGX_DECLINED);
    assert_int_equal(ngx_campfire_model_user_find(conn, pool, FENNA, &user),
                     NGX_OK);
    assert_int_equal(user.status, NGX_CAMPFIRE_STATUS_DEACTIVATED);
    assert_int_equal(ngx_campfire_model_user_find(conn, pool, GUS, &user),
                     NGX_OK);
    assert_int_equal(user.status, NGX_CAMPFIRE_STATUS_BANNED);
    assert_int_equal(ngx_campfire_model_user_find(conn, pool, RELAY, &user),
                     NGX_OK);
    assert_int_equal(user.role, NGX_CAMPFIRE_ROLE_BOT);
    assert_null(user.email_address.data);
    assert_int_equal(ngx_campfire_model_user_exists(conn), NGX_OK);

    /* signing in: exactly, and only the active */

    email = cstr("ada@fixture.test");
    assert_int_equal(ngx_campfire_model_user_find_by_email(conn, pool, &email,
                         &user, &digest), NGX_OK);
    assert_int_equal(user.id, ADA);
    assert_int_equal(user.role, NGX_CAMPFIRE_ROLE_ADMINISTRATOR);
    assert_int_equal(digest.len, 60);

    email = cstr("Ada@fixture.test");
    assert_int_equal(ngx_campfire_model_user_find_by_email(conn, pool, &email,
                         &user, &digest), NGX_DECLINED);
    email = cstr("gus@fixture.test");
    assert_int_equal(ngx_campfire_model_user_find_by_email(conn, pool, &email,
                         &user, &digest), NGX_DECLINED);
    email = cstr("");
    assert_int_equal(ngx_campfire_model_user_find_by_email(conn, pool, &email,
                         &user, &digest), NGX_DECLINED);
    email.data = NULL;
    assert_int_equal(ngx_campfire_model_user_find_by_email(conn, pool, &email,
                         &user, &digest), NGX_DECLINED);

    sql("UPDATE users SET password_digest = NULL WHERE id = 2", "");
    email = cstr("bruno@fixture.test");
    assert_int_equal(ngx_campfire_model_user_find_by_email(conn, pool, &email,
                         &user, &digest), NGX_OK);
    assert_null(digest.data);

    /* bots */

    token = cstr("RelayTok3n01");
    assert_int_equal(ngx_campfire_model_user_find_bot(conn, pool, RELAY,
                         &token, &user), NGX_OK);
    assert_int_equal(ngx_campfire_model_user_find_bot(conn, pool, 11, &token,
                         &user), NGX_DECLINED);
    token = cstr("RetiredTok33");
    assert_int_equal(ngx_campfire_model_user_find_bot(conn, pool, 12, &token,
                         &user), NGX_DECLINED);

    sql("UPDATE users SET bot_token = '' WHERE id = 10", "");
    token = cstr("");
    assert_int_equal(ngx_campfire_model_user_find_bot(conn, pool, RELAY,
                         &token, &user), NGX_DECLINED);
    assert_int_equal(ngx_campfire_model_user_find_bot(conn, pool, ADA,
                         &token, &user), NGX_DECLINED);

    /* lists, by name in lower case */

    assert_int_equal(ngx_campfire_model_user_list_ids(conn, pool, ids, 4,
                                                      &users), NGX_OK);
    ids_are(users, ADA, GUS);
    assert_int_equal(ngx_campfire_model_user_list_ids(conn, pool, ids, 0,
                                                      &users), NGX_OK);
    assert_int_equal(users.nelts, 0);
    assert_int_equal(ngx_campfire_model_user_list_active(conn, pool, &users),
                     NGX_OK);
    ids_are(users, ADA, BRUNO, CHIARA, 11, DMITRI, HANA, IVO, RELAY, EMILE);
    assert_int_equal(ngx_campfire_model_user_list_room(conn, pool, 12,
                                                       &users), NGX_OK);
    ids_are(users, ADA, BRUNO, CHIARA, DMITRI);
    assert_int_equal(ngx_campfire_model_user_list_room(conn, pool, 4242,
                                                       &users), NGX_OK);
    assert_int_equal(users.nelts, 0);

    /* numbers of later versions give no rights */

    sql("UPDATE users SET role = 9, status = 9 WHERE id = 9", "");
    assert_int_equal(ngx_campfire_model_user_find(conn, pool, IVO, &user),
                     NGX_OK);
    assert_int_equal(user.role, NGX_CAMPFIRE_ROLE_MEMBER);
    assert_int_equal(user.status, NGX_CAMPFIRE_STATUS_DEACTIVATED);
}


static void
test_sgids(void **state)
{
    size_t                        i, n, users;
    int64_t                       id;
    json_t                       *row, *list;
    ngx_str_t                     sgid;

    list = json_object_get(vectors, "attachable_sgids");
    assert_true(json_array_size(list) > 0);

    json_array_foreach(list, i, row) {
        n = (size_t) json_integer_value(json_object_get(row, "user_id"));

        assert_int_equal(ngx_campfire_model_attachable_sgid(pool,
                             &instance.signers, (int64_t) n, &sgid), NGX_OK);
        equal("sgid", i, sgid, get(row, "sgid"));

        assert_int_equal(ngx_campfire_model_attachable_verify(pool,
                             &instance.signers, &sgid, &id), NGX_OK);
        assert_int_equal(id, n);

        sgid.data[sgid.len - 1] ^= 1;
        assert_int_equal(ngx_campfire_model_attachable_verify(pool,
                             &instance.signers, &sgid, &id), NGX_DECLINED);
        assert_int_equal(ngx_campfire_model_attachable_user_id(pool, &sgid,
                                                               &id), NGX_OK);
        assert_int_equal(id, n);
    }

    /* every form there has been: which are shown, and which notify */

    list = json_object_get(vectors, "sgid_resolution");
    users = 0;

    json_array_foreach(list, i, row) {
        sgid = get(row, "sgid");

        if (ngx_campfire_model_attachable_verify(pool, &instance.signers,
                                                 &sgid, &id) == NGX_OK
            && id != NOBODY)
        {
            users++;
            assert_true(json_is_string(json_object_get(row,
                                       "counts_as_mention_of")));
            assert_int_equal(id, atoi(json_string_value(json_object_get(row,
                                      "counts_as_mention_of")) + 5));

        } else {
            assert_true(json_is_null(json_object_get(row,
                                     "counts_as_mention_of")));
        }
    }

    assert_int_equal(users, 3);

    /* nonsense, and a length that nothing of ours has */

    sgid = cstr("--");
    assert_int_equal(ngx_campfire_model_attachable_user_id(pool, &sgid, &id),
                     NGX_DECLINED);
    sgid.data = ngx_pnalloc(pool, 5000);
    sgid.len = 5000;
    memset(sgid.data, 'A', 5000);
    assert_int_equal(ngx_campfire_model_attachable_user_id(pool, &sgid, &id),
                     NGX_DECLINED);
    assert_int_equal(ngx_campfire_model_attachable_verify(pool,
                         &instance.signers, &sgid, &id), NGX_DECLINED);
}


static void
test_account(void **state)
{
    ngx_str_t               code;
    ngx_campfire_account_t  account;

    assert_int_equal(ngx_campfire_model_account_find(conn, pool, &account),
                     NGX_OK);
    is(account.name, "Fixture & Sons");
    is(account.join_code, "Jn4t-Kx82-QwPz");
    assert_int_equal(account.has_logo, 1);
    assert_int_equal(account.has_custom_styles, 1);
    assert_int_equal(account.restrict_room_creation, 0);

    code = account.join_code;
    assert_int_equal(ngx_campfire_model_account_join_code(conn, &code),
                     NGX_OK);
    code = cstr("jn4t-kx82-qwpz");
    assert_int_equal(ngx_campfire_model_account_join_code(conn, &code),
                     NGX_DECLINED);
    code.data = NULL;
    assert_int_equal(ngx_campfire_model_account_join_code(conn, &code),
                     NGX_DECLINED);

#define setting(text, on)                                                     \
    sql("UPDATE accounts SET settings = " text, "");                          \
    assert_int_equal(ngx_campfire_model_account_find(conn, pool, &account),   \
                     NGX_OK);                                                 \
    assert_int_equal(account.restrict_room_creation, on)

    setting("'{\"restrict_room_creation_to_administrators\":true}'", 1);
    setting("'{\"restrict_room_creation_to_administrators\":null}'", 0);
    setting("'{\"restrict_room_creation_to_administrators\":false}'", 0);
    setting("'{}'", 0);
    setting("'null'", 0);
    setting("'{broken'", 0);
    setting("NULL", 0);

    sql("UPDATE accounts SET custom_styles = ''", "");
    assert_int_equal(ngx_campfire_model_account_find(conn, pool, &account),
                     NGX_OK);
    assert_int_equal(account.has_custom_styles, 1);
    assert_int_equal(account.custom_styles.len, 0);

    sql("UPDATE accounts SET custom_styles = NULL", "");
    assert_int_equal(ngx_campfire_model_account_find(conn, pool, &account),
                     NGX_OK);
    assert_int_equal(account.has_custom_styles, 0);
}


static void
test_first_run(void **state)
{
    ngx_str_t                                    token;
    ngx_campfire_user_t                          user;
    ngx_campfire_session_t                       session;
    ngx_campfire_account_t                       account;
    ngx_campfire_model_account_first_run_args_t  args;

    assert_int_equal(ngx_campfire_model_account_find(conn, pool, &account),
                     NGX_DECLINED);
    assert_int_equal(ngx_campfire_model_user_exists(conn), NGX_DECLINED);

    /* one that fails leaves nothing behind */

    memset(&args, 0, sizeof(args));
    args.email_address = cstr("first@fixture.test");
    args.password_digest = cstr("$2a$12$digest");
    args.ip_address = cstr("192.0.2.1");
    assert_int_equal(run(ngx_campfire_model_account_first_run, &args),
                     NGX_CAMPFIRE_UNPROCESSABLE);
    assert_int_equal(num("SELECT COUNT(*) FROM accounts", ""), 0);

    args.name = cstr("First");
    assert_int_equal(run(ngx_campfire_model_account_first_run, &args),
                     NGX_OK);
    assert_int_equal(job->id, 1);
    assert_int_equal(job->text.len, 24);
    assert_int_equal(effects(NGX_CAMPFIRE_EFFECT_ROOM_CREATED), 1);

    token = job->text;
    assert_int_equal(ngx_campfire_model_session_find(conn, pool, &token,
                         &session, &user), NGX_OK);
    assert_int_equal(user.id, 1);
    assert_int_equal(user.role, NGX_CAMPFIRE_ROLE_ADMINISTRATOR);
    assert_int_equal(session.last_active_at, now);

    assert_int_equal(ngx_campfire_model_account_find(conn, pool, &account),
                     NGX_OK);
    is(account.name, "Campfire");
    assert_int_equal(account.join_code.len, 14);
    assert_null(account.custom_styles.data);
    assert_int_equal(account.restrict_room_creation, 0);
    assert_int_equal(num("SELECT settings ="
                         " '{\"restrict_room_creation_to_administrators\""
                         ":false}' AND singleton_guard = 0 FROM accounts",
                         ""), 1);
    assert_int_equal(num("SELECT COUNT(*) FROM rooms WHERE name = 'All Talk'"
                         " AND type = 'Rooms::Open' AND creator_id = 1", ""),
                     1);
    assert_int_equal(num("SELECT COUNT(*) FROM memberships WHERE user_id = 1"
                         " AND involvement = 'mentions' AND room_id = 1", ""),
                     1);

    /* whoever comes second is told by the id, and writes nothing */

    args.email_address = cstr("second@fixture.test");
    assert_int_equal(run(ngx_campfire_model_account_first_run, &args),
                     NGX_OK);
    assert_int_equal(job->id, 0);
    assert_int_equal(effects(-1), 0);
    assert_int_equal(num("SELECT COUNT(*) FROM users", ""), 1);

    /* an account that was lost, but not the people */

    sql("DELETE FROM accounts", "");
    args.email_address = cstr("first@fixture.test");
    assert_int_equal(run(ngx_campfire_model_account_first_run, &args),
                     NGX_CAMPFIRE_UNPROCESSABLE);
    assert_int_equal(num("SELECT COUNT(*) FROM accounts", ""), 0);
}


static void
test_join(void **state)
{
    ngx_campfire_model_user_join_args_t  args;

    memset(&args, 0, sizeof(args));
    args.join_code = cstr("wrong");
    args.name = cstr("Newcomer");
    args.email_address = cstr("new@fixture.test");
    args.password_digest = cstr("$2a$12$digest");
    args.ip_address = cstr("192.0.2.1");
    args.user_agent = cstr("Agent");

    assert_int_equal(run(ngx_campfire_model_user_join, &args), NGX_DECLINED);

    args.join_code = cstr("Jn4t-Kx82-QwPz");
    assert_int_equal(run(ngx_campfire_model_user_join, &args), NGX_OK);
    assert_int_equal(job->id, 13);
    assert_int_equal(job->text.len, 24);
    assert_int_equal(effects(NGX_CAMPFIRE_EFFECT_USER_CHANGED), 1);

    /* the open rooms, one of which has an odd name and one is old */

    assert_int_equal(num("SELECT SUM(room_id) FROM memberships"
                         " WHERE user_id = 13 AND involvement = 'mentions'",
                         ""), ALL_TALK + BUSY + ARCHIVE);
    assert_int_equal(num("SELECT created_at = '2026-03-02 15:00:00.000'"
                         " FROM memberships WHERE user_id = 13 LIMIT 1", ""),
                     1);
    assert_int_equal(num("SELECT created_at = '2026-03-02 15:00:00'"
                         " AND role = 0 AND status = 0 AND bot_token IS NULL"
                         " FROM users WHERE id = 13", ""), 1);
    assert_int_equal(num("SELECT COUNT(*) FROM sessions WHERE user_id = 13"
                         " AND ip_address = '192.0.2.1'"
                         " AND user_agent = 'Agent'", ""), 1);

    /* the address is taken: to the letter only */

    args.user_agent.data = NULL;
    assert_int_equal(run(ngx_campfire_model_user_join, &args), NGX_OK);
    assert_int_equal(job->id, 0);
    assert_int_equal(effects(-1), 0);
    assert_int_equal(num("SELECT COUNT(*) FROM users", ""), 13);

    args.email_address = cstr("New@fixture.test");
    args.password_digest.data = NULL;
    assert_int_equal(run(ngx_campfire_model_user_join, &args), NGX_OK);
    assert_int_equal(num("SELECT password_digest IS NULL FROM users"
                         " WHERE id = ?1", "i", job->id), 1);

    /* several without an address, one without a name */

    args.email_address.data = NULL;
    assert_int_equal(run(ngx_campfire_model_user_join, &args), NGX_OK);
    assert_int_equal(run(ngx_campfire_model_user_join, &args), NGX_OK);
    assert_true(job->id > 0);

    args.name.data = NULL;
    assert_int_equal(run(ngx_campfire_model_user_join, &args),
                     NGX_CAMPFIRE_UNPROCESSABLE);
}


static void
test_sessions(void **state)
{
    ngx_str_t                                  token;
    ngx_campfire_user_t                        user;
    ngx_campfire_session_t                     session;
    ngx_campfire_model_session_touch_args_t    touch;
    ngx_campfire_model_session_create_args_t   create;
    ngx_campfire_model_session_destroy_args_t  out;

    token = session_token("ada");
    assert_int_equal(ngx_campfire_model_session_find(conn, pool, &token,
                         &session, &user), NGX_OK);
    assert_int_equal(session.id, 1);
    assert_int_equal(session.user_id, ADA);
    equal("token", 0, session.token, token);
    is(user.name, "Ada Marlow");
    assert_int_equal(ngx_campfire_model_session_exists(conn, 1), NGX_OK);
    assert_int_equal(ngx_campfire_model_session_exists(conn, 4242),
                     NGX_DECLINED);

    token = cstr("nBhAsfEHa68x1zPSwcGo4LTe");
    assert_int_equal(ngx_campfire_model_session_find(conn, pool, &token,
                         &session, &user), NGX_DECLINED);
    token.data = NULL;
    token.len = 0;
    assert_int_equal(ngx_campfire_model_session_find(conn, pool, &token,
                         &session, &user), NGX_DECLINED);

    /* activity: the first time after an hour, and not again */

    touch.session_id = 1;
    touch.ip_address = cstr("2001:db8::1");
    touch.user_agent.data = NULL;
    assert_int_equal(run(ngx_campfire_model_session_touch, &touch), NGX_OK);
    assert_int_equal(num("SELECT last_active_at = '2026-03-02 15:00:00'"
                         " AND updated_at = last_active_at"
                         " AND ip_address = '2001:db8::1'"
                         " AND user_agent IS NULL FROM sessions WHERE id = 1",
                         ""), 1);
    now += 3600 * SECOND;
    touch.ip_address = cstr("192.0.2.7");
    assert_int_equal(run(ngx_campfire_model_session_touch, &touch), NGX_OK);
    assert_int_equal(num("SELECT ip_address = '2001:db8::1' FROM sessions"
                         " WHERE id = 1", ""), 1);
    now += 1;
    assert_int_equal(run(ngx_campfire_model_session_touch, &touch), NGX_OK);
    assert_int_equal(num("SELECT ip_address = '192.0.2.7'"
                         " AND last_active_at = '2026-03-02 16:00:00.000001'"
                         " FROM sessions WHERE id = 1", ""), 1);
    touch.session_id = 4242;
    assert_int_equal(run(ngx_campfire_model_session_touch, &touch), NGX_OK);

    /* signing in */

    create.user_id = BRUNO;
    create.ip_address = cstr("192.0.2.8");
    create.user_agent.data = NULL;
    assert_int_equal(run(ngx_campfire_model_session_create, &create), NGX_OK);
    assert_int_equal(num("SELECT token = ?1 AND user_id = 2 FROM sessions"
                         " WHERE id = ?2", "si", &job->text, job->id), 1);

    create.user_id = FENNA;
    assert_int_equal(run(ngx_campfire_model_session_create, &create),
                     NGX_DECLINED);
    create.user_id = GUS;
    assert_int_equal(run(ngx_campfire_model_session_create, &create),
                     NGX_DECLINED);
    create.user_id = NOBODY;
    assert_int_equal(run(ngx_campfire_model_session_create, &create),
                     NGX_DECLINED);

    /* signing out, with the push subscription of that browser */

    out.session_id = 1;
    out.viewer_id = BRUNO;
    out.push_endpoint.data = NULL;
    assert_int_equal(run(ngx_campfire_model_session_destroy, &out), NGX_OK);
    assert_int_equal(effects(-1), 0);
    assert_int_equal(ngx_campfire_model_session_exists(conn, 1), NGX_OK);

    out.viewer_id = ADA;
    out.push_endpoint = cstr("https://push.fixture.test/fcm/bruno");
    assert_int_equal(run(ngx_campfire_model_session_destroy, &out), NGX_OK);
    assert_int_equal(effect(NGX_CAMPFIRE_EFFECT_SESSION_DESTROYED)->id, 1);
    assert_int_equal(effect(NGX_CAMPFIRE_EFFECT_SESSION_DESTROYED)->user,
                     ADA);
    assert_int_equal(ngx_campfire_model_session_exists(conn, 1),
                     NGX_DECLINED);
    assert_int_equal(num("SELECT COUNT(*) FROM push_subscriptions", ""), 3);

    out.push_endpoint = cstr("https://push.fixture.test/wpush/v2/ada-1");
    sql("UPDATE push_subscriptions SET endpoint = ?1 WHERE id = 1", "s",
        &out.push_endpoint);
    assert_int_equal(run(ngx_campfire_model_session_destroy, &out), NGX_OK);
    assert_int_equal(effects(-1), 0);
    assert_int_equal(num("SELECT COUNT(*) FROM push_subscriptions"
                         " WHERE user_id = 1", ""), 1);
}


static void
test_bans(void **state)
{
    ngx_str_t  address;

    address = cstr("203.0.113.9");
    assert_int_equal(ngx_campfire_model_ban_exists(conn, &address), NGX_OK);
    address = cstr("203.0.113.90");
    assert_int_equal(ngx_campfire_model_ban_exists(conn, &address),
                     NGX_DECLINED);
    address.data = NULL;
    assert_int_equal(ngx_campfire_model_ban_exists(conn, &address),
                     NGX_DECLINED);
}


static void
test_tokens(void **state)
{
    size_t     i, n;
    ngx_str_t  a, b;

    for (n = 0; n < 100; n++) {
        assert_int_equal(ngx_campfire_model_token_session(pool, &a), NGX_OK);
        assert_int_equal(a.len, 24);

        for (i = 0; i < a.len; i++) {
            assert_true(isalnum(a.data[i]));
            assert_null(strchr("0OIl", a.data[i]));
        }

        assert_int_equal(ngx_campfire_model_token_join_code(pool, &a),
                         NGX_OK);
        assert_int_equal(a.len, 14);

        for (i = 0; i < a.len; i++) {
            assert_true(i == 4 || i == 9 ? a.data[i] == '-'
                                         : isalnum(a.data[i]) != 0);
        }

        assert_int_equal(ngx_campfire_model_token_bot(pool, &a), NGX_OK);
        assert_int_equal(ngx_campfire_model_token_bot(pool, &b), NGX_OK);
        assert_int_equal(a.len, 12);
        assert_int_not_equal(memcmp(a.data, b.data, 12), 0);
    }
}


int
main(void)
{
    const struct CMUnitTest  tests[] = {
        cmocka_unit_test_setup_teardown(test_presentation, setup_small,
                                        teardown),
        cmocka_unit_test_setup_teardown(test_initials, setup_small, teardown),
        cmocka_unit_test_setup_teardown(test_titles, setup_small, teardown),
        cmocka_unit_test_setup_teardown(test_find, setup_small, teardown),
        cmocka_unit_test_setup_teardown(test_sgids, setup_small, teardown),
        cmocka_unit_test_setup_teardown(test_account, setup_small, teardown),
        cmocka_unit_test_setup_teardown(test_first_run, setup_empty,
                                        teardown),
        cmocka_unit_test_setup_teardown(test_join, setup_small, teardown),
        cmocka_unit_test_setup_teardown(test_sessions, setup_small, teardown),
        cmocka_unit_test_setup_teardown(test_bans, setup_small, teardown),
        cmocka_unit_test_setup_teardown(test_tokens, setup_small, teardown)
    };

    cmocka_set_message_output(CM_OUTPUT_TAP);

    return cmocka_run_group_tests(tests, load_vectors, free_vectors);
}
