
/*
 * Messages as they are shown: what is added to the rows of a page.
 *
 * One statement each brings the boosts, the people the bodies mention, and,
 * if there are pings among the rooms, their members' names; then the bodies
 * are converted, which asks for nothing more.
 */

#include "models/ngx_campfire_model_message.h"
#include "models/ngx_campfire_model_attachable.h"
#include "models/ngx_campfire_model_boost.h"
#include "models/ngx_campfire_model_row.h"
#include "richtext/ngx_campfire_richtext.h"
#include "richtext/ngx_campfire_richtext_tree.h"


typedef struct {
    int64_t     room_id;
    ngx_str_t   name;
} ngx_campfire_model_message_name_t;


static ngx_int_t ngx_campfire_model_message_room_names(
    ngx_campfire_model_message_reader_t *reader,
    ngx_campfire_messages_t *messages);
static ngx_int_t ngx_campfire_model_message_name_row(
    ngx_campfire_db_stmt_t *stmt, ngx_pool_t *pool, void *elt);
static ngx_int_t ngx_campfire_model_message_show(ngx_pool_t *pool,
    ngx_campfire_model_attachable_t *attachable,
    ngx_campfire_message_t *message);


static const ngx_str_t  ngx_campfire_model_message_none = ngx_string("");


ngx_int_t
ngx_campfire_model_message_load(ngx_campfire_model_message_reader_t *reader,
    ngx_campfire_messages_t *messages)
{
    ngx_int_t                        rc;
    ngx_str_t                       *bodies;
    ngx_uint_t                       i;
    ngx_campfire_model_attachable_t  attachable;

    if (messages->nelts == 0) {
        return NGX_OK;
    }

    rc = ngx_campfire_model_boost_load(reader->conn, reader->pool, messages);
    if (rc != NGX_OK) {
        return rc;
    }

    rc = ngx_campfire_model_message_room_names(reader, messages);
    if (rc != NGX_OK) {
        return rc;
    }

    bodies = ngx_palloc(reader->pool, messages->nelts * sizeof(ngx_str_t));
    if (bodies == NULL) {
        return NGX_ERROR;
    }

    for (i = 0; i < messages->nelts; i++) {
        bodies[i] = messages->elts[i].body;
    }

    ngx_campfire_model_attachable_init(&attachable, reader->conn,
                                       reader->pool, reader->signers,
                                       reader->base_url);

    rc = ngx_campfire_model_attachable_preload(&attachable, bodies,
                                               messages->nelts);
    if (rc != NGX_OK) {
        return rc;
    }

    for (i = 0; i < messages->nelts; i++) {
        rc = ngx_campfire_model_message_show(reader->pool, &attachable,
                                             &messages->elts[i]);
        if (rc != NGX_OK) {
            return rc;
        }
    }

    return NGX_OK;
}


/* The name a room has for nobody in particular: of a ping all its members. */
static ngx_int_t
ngx_campfire_model_message_room_names(
    ngx_campfire_model_message_reader_t *reader,
    ngx_campfire_messages_t *messages)
{
    int64_t                            *ids, id;
    ngx_int_t                           rc;
    ngx_str_t                           json, *names, sentence;
    ngx_uint_t                          i, k, n;
    ngx_array_t                         rows;
    ngx_campfire_message_t             *message;
    ngx_campfire_model_message_name_t  *name;

    ids = ngx_palloc(reader->pool, messages->nelts * sizeof(int64_t));
    if (ids == NULL) {
        return NGX_ERROR;
    }

    message = messages->elts;

    for (i = 0, n = 0; i < messages->nelts; i++) {
        message[i].room_name = message[i].room.name;

        if (message[i].room.type == NGX_CAMPFIRE_ROOM_DIRECT
            && (n == 0 || ids[n - 1] != message[i].room_id))
        {
            ids[n++] = message[i].room_id;
        }
    }

    if (n == 0) {
        return NGX_OK;
    }

    if (ngx_campfire_model_row_json(reader->pool, ids, n, &json) != NGX_OK
        || ngx_array_init(&rows, reader->pool, 8,
                          sizeof(ngx_campfire_model_message_name_t))
           != NGX_OK)
    {
        return NGX_ERROR;
    }

    rc = ngx_campfire_model_row_all(
             ngx_campfire_db_query(reader->conn,
                 "SELECT mb.room_id, u.name FROM memberships mb"
                 " JOIN users u ON u.id = mb.user_id"
                 " WHERE mb.room_id IN (SELECT value FROM json_each(?1))"
                 " ORDER BY mb.room_id, u.id",
                 "s", &json),
             reader->pool, ngx_campfire_model_message_name_row, &rows);
    if (rc != NGX_OK) {
        return rc;
    }

    name = rows.elts;
    names = ngx_palloc(reader->pool, (rows.nelts + 1) * sizeof(ngx_str_t));
    if (names == NULL) {
        return NGX_ERROR;
    }

    for (k = 0; k < rows.nelts; k += n) {
        id = name[k].room_id;

        for (n = 0; k + n < rows.nelts && name[k + n].room_id == id; n++) {
            names[n] = name[k + n].name;
        }

        if (ngx_campfire_model_row_sentence(reader->pool, names, n, &sentence)
            != NGX_OK)
        {
            return NGX_ERROR;
        }

        for (i = 0; i < messages->nelts; i++) {
            if (message[i].room_id == id) {
                message[i].room_name = sentence;
            }
        }
    }

    return NGX_OK;
}


static ngx_int_t
ngx_campfire_model_message_name_row(ngx_campfire_db_stmt_t *stmt,
    ngx_pool_t *pool, void *elt)
{
    ngx_campfire_model_message_name_t  *name = elt;

    name->room_id = ngx_campfire_db_int(stmt, 0);

    return ngx_campfire_db_text(stmt, 1, pool, &name->name);
}


/* What is derived of a body; a file takes the place of what it says. */
static ngx_int_t
ngx_campfire_model_message_show(ngx_pool_t *pool,
    ngx_campfire_model_attachable_t *attachable,
    ngx_campfire_message_t *message)
{
    const ngx_campfire_richtext_sound_t  *sound;

    message->plain = ngx_campfire_model_message_none;
    message->html.str = ngx_campfire_model_message_none;

    if (message->body.len
        && ngx_campfire_richtext_plain(pool, &message->body,
                                       &attachable->resolver, &message->plain)
           != NGX_OK)
    {
        return NGX_ERROR;
    }

    if (message->filename.data
        && ngx_campfire_richtext_blank(&message->plain))
    {
        message->plain = message->filename;
    }

    message->emoji = ngx_campfire_richtext_all_emoji(&message->plain) ? 1 : 0;

    if (message->kind == NGX_CAMPFIRE_MESSAGE_BROKEN) {
        return NGX_OK;
    }

    if (message->filename.data) {
        message->kind = NGX_CAMPFIRE_MESSAGE_ATTACHMENT;
        return NGX_OK;
    }

    sound = ngx_campfire_richtext_sound(&message->plain);

    if (sound) {
        message->kind = NGX_CAMPFIRE_MESSAGE_SOUND;
        message->sound = sound->name;
        return NGX_OK;
    }

    if (message->body.len == 0) {
        message->kind = NGX_CAMPFIRE_MESSAGE_EMPTY;
        return NGX_OK;
    }

    message->kind = NGX_CAMPFIRE_MESSAGE_TEXT;

    return ngx_campfire_richtext_render(pool, &message->body,
                                        &attachable->resolver,
                                        &message->html);
}


ngx_int_t
ngx_campfire_model_message_plain(ngx_campfire_model_message_reader_t *reader,
    const ngx_str_t *body, ngx_str_t *plain)
{
    ngx_int_t                        rc;
    ngx_campfire_model_attachable_t  attachable;

    if (body->len == 0) {
        *plain = ngx_campfire_model_message_none;
        return NGX_OK;
    }

    ngx_campfire_model_attachable_init(&attachable, reader->conn,
                                       reader->pool, reader->signers,
                                       reader->base_url);

    rc = ngx_campfire_model_attachable_preload(&attachable, body, 1);
    if (rc != NGX_OK) {
        return rc;
    }

    return ngx_campfire_richtext_plain(reader->pool, body,
                                       &attachable.resolver, plain);
}


ngx_int_t
ngx_campfire_model_message_edit_value(
    ngx_campfire_model_message_reader_t *reader, const ngx_str_t *body,
    ngx_str_t *value)
{
    ngx_int_t                        rc;
    ngx_campfire_model_attachable_t  attachable;

    if (body->len == 0) {
        *value = ngx_campfire_model_message_none;
        return NGX_OK;
    }

    ngx_campfire_model_attachable_init(&attachable, reader->conn,
                                       reader->pool, reader->signers,
                                       reader->base_url);

    rc = ngx_campfire_model_attachable_preload(&attachable, body, 1);
    if (rc != NGX_OK) {
        return rc;
    }

    return ngx_campfire_richtext_edit(reader->pool, body,
                                      &attachable.resolver, value);
}


ngx_int_t
ngx_campfire_model_message_api_html(
    ngx_campfire_model_message_reader_t *reader, const ngx_str_t *body,
    ngx_campfire_html_t *html)
{
    ngx_int_t                        rc;
    ngx_campfire_model_attachable_t  attachable;

    /* without a rich text it is empty; an empty one still has its wrapper */

    if (body->data == NULL) {
        html->str = ngx_campfire_model_message_none;
        return NGX_OK;
    }

    ngx_campfire_model_attachable_init(&attachable, reader->conn,
                                       reader->pool, reader->signers,
                                       reader->base_url);

    rc = ngx_campfire_model_attachable_preload(&attachable, body, 1);
    if (rc != NGX_OK) {
        return rc;
    }

    return ngx_campfire_richtext_api(reader->pool, body,
                                     &attachable.resolver, html);
}


ngx_int_t
ngx_campfire_model_message_filename(ngx_pool_t *pool, ngx_str_t *name)
{
    u_char     *p;
    size_t      i;
    ngx_str_t   clean;

    if (name->data == NULL) {
        return NGX_OK;
    }

    if (ngx_campfire_richtext_char_scrub(pool, name, &clean) != NGX_OK) {
        return NGX_ERROR;
    }

    clean = ngx_campfire_richtext_char_strip(&clean);

    p = ngx_pnalloc(pool, clean.len + 1);
    if (p == NULL) {
        return NGX_ERROR;
    }

    name->data = p;

    for (i = 0; i < clean.len; i++) {

        /* U+202E turns the direction of what follows, and so an extension */

        if (clean.len - i >= 3
            && ngx_memcmp(&clean.data[i], "\xe2\x80\xae", 3) == 0)
        {
            *p++ = '-';
            i += 2;
            continue;
        }

        switch (clean.data[i]) {

        case '%':
        case '$':
        case '|':
        case ':':
        case ';':
        case '/':
        case '<':
        case '>':
        case '?':
        case '*':
        case '"':
        case '\\':
        case '\t':
        case '\r':
        case '\n':
        case '\0':
            *p++ = '-';
            break;

        default:
            *p++ = clean.data[i];
        }
    }

    name->len = p - name->data;

    return NGX_OK;
}
