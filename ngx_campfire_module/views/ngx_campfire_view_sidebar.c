
/*
 * The sidebar and its lines.
 */

#include "views/ngx_campfire_view_sidebar.h"
#include "base/ngx_campfire_base_time.h"
#include "base/ngx_campfire_base_utf8.h"
#include "rails/ngx_campfire_rails_stream.h"
#include "views/ngx_campfire_view_room.h"


#define NGX_CAMPFIRE_VIEW_SIDEBAR_AVATARS  4
#define NGX_CAMPFIRE_VIEW_SIDEBAR_WORDS    3


static ngx_int_t ngx_campfire_view_sidebar_lines(
    ngx_campfire_view_ctx_t *view, const ngx_campfire_sidebar_rooms_t *rows,
    ngx_campfire_view_lines_t *lines);
static ngx_int_t ngx_campfire_view_sidebar_partners(
    ngx_campfire_view_ctx_t *view, const ngx_campfire_users_t *members,
    ngx_campfire_view_line_t *line);
static void ngx_campfire_view_sidebar_word(const ngx_str_t *name,
    ngx_str_t *word);
static void ngx_campfire_view_sidebar_letters(ngx_campfire_buf_t *out,
    const ngx_str_t *name);
static ngx_int_t ngx_campfire_view_sidebar_sign(ngx_campfire_view_ctx_t *view,
    ngx_str_t *stream, ngx_str_t *text);


ngx_int_t
ngx_campfire_view_sidebar_init(ngx_campfire_view_ctx_t *view,
    const ngx_campfire_sidebar_t *rows, ngx_campfire_view_sidebar_t *sidebar)
{
    ngx_str_t         stream;
    ngx_uint_t        i;
    static ngx_str_t  rooms = ngx_string("rooms");
    static ngx_str_t  user = ngx_string("User");

    sidebar->may_create = !view->account->restrict_room_creation
                          || view->viewer->role
                             == NGX_CAMPFIRE_ROLE_ADMINISTRATOR;

    if (ngx_campfire_rails_stream_name(view->pool, &user, view->viewer->id,
                                       "rooms", &stream)
        != NGX_OK
        || ngx_campfire_view_sidebar_sign(view, &stream,
                                          &sidebar->user_stream)
           != NGX_OK
        || ngx_campfire_view_sidebar_sign(view, &rooms,
                                          &sidebar->rooms_stream)
           != NGX_OK
        || ngx_campfire_view_sidebar_lines(view, &rows->directs,
                                           &sidebar->directs)
           != NGX_OK
        || ngx_campfire_view_sidebar_lines(view, &rows->shared,
                                           &sidebar->shared)
           != NGX_OK
        || ngx_campfire_view_avatar_init(view, view->viewer,
                                         &sidebar->avatar)
           != NGX_OK)
    {
        return NGX_ERROR;
    }

    sidebar->placeholders.nelts = rows->placeholders.nelts;
    sidebar->placeholders.elts = ngx_palloc(view->pool,
                                  rows->placeholders.nelts
                                  * sizeof(ngx_campfire_view_placeholder_t));
    if (sidebar->placeholders.elts == NULL) {
        return NGX_ERROR;
    }

    for (i = 0; i < rows->placeholders.nelts; i++) {
        ngx_campfire_view_sidebar_word(&rows->placeholders.elts[i].name,
                                       &sidebar->placeholders.elts[i].name);

        if (ngx_campfire_view_avatar_init(view, &rows->placeholders.elts[i],
                                      &sidebar->placeholders.elts[i].avatar)
            != NGX_OK)
        {
            return NGX_ERROR;
        }
    }

    return NGX_OK;
}


static ngx_int_t
ngx_campfire_view_sidebar_sign(ngx_campfire_view_ctx_t *view,
    ngx_str_t *stream, ngx_str_t *text)
{
    return ngx_campfire_rails_stream_sign(&view->signers->turbo_stream,
                                          view->pool, stream, text);
}


static ngx_int_t
ngx_campfire_view_sidebar_lines(ngx_campfire_view_ctx_t *view,
    const ngx_campfire_sidebar_rooms_t *rows,
    ngx_campfire_view_lines_t *lines)
{
    ngx_uint_t  i;

    lines->nelts = rows->nelts;
    lines->elts = ngx_palloc(view->pool, rows->nelts
                                         * sizeof(ngx_campfire_view_line_t));
    if (lines->elts == NULL) {
        return NGX_ERROR;
    }

    for (i = 0; i < rows->nelts; i++) {
        if (ngx_campfire_view_sidebar_line_init(view, &rows->elts[i],
                                                &lines->elts[i])
            != NGX_OK)
        {
            return NGX_ERROR;
        }

        lines->elts[i].unread = rows->elts[i].unread;
    }

    return NGX_OK;
}


ngx_int_t
ngx_campfire_view_sidebar_line_init(ngx_campfire_view_ctx_t *view,
    const ngx_campfire_sidebar_room_t *row, ngx_campfire_view_line_t *line)
{
    ngx_memzero(line, sizeof(ngx_campfire_view_line_t));

    line->room_id = row->room.id;
    line->name = row->name;
    line->direct = (row->room.type == NGX_CAMPFIRE_ROOM_DIRECT);
    line->updated_ms = ngx_campfire_base_time_ms(row->room.updated_at);

    if (ngx_campfire_view_room_key(view->pool, row->room.type, row->room.id,
                                   &line->key)
        != NGX_OK)
    {
        return NGX_ERROR;
    }

    if (!line->direct) {
        return NGX_OK;
    }

    return ngx_campfire_view_sidebar_partners(view, &row->members, line);
}


static ngx_int_t
ngx_campfire_view_sidebar_partners(ngx_campfire_view_ctx_t *view,
    const ngx_campfire_users_t *members, ngx_campfire_view_line_t *line)
{
    ngx_uint_t          i, n;
    ngx_campfire_buf_t  out;

    line->group = members->nelts > 1;

    n = ngx_min(members->nelts, NGX_CAMPFIRE_VIEW_SIDEBAR_AVATARS);

    line->avatars.nelts = n;
    line->avatars.elts = ngx_palloc(view->pool,
                                    n * sizeof(ngx_campfire_view_avatar_t));
    if (line->avatars.elts == NULL) {
        return NGX_ERROR;
    }

    for (i = 0; i < n; i++) {
        if (ngx_campfire_view_avatar_init(view, &members->elts[i],
                                          &line->avatars.elts[i])
            != NGX_OK)
        {
            return NGX_ERROR;
        }
    }

    if (members->nelts == 1) {
        ngx_campfire_view_sidebar_word(&members->elts[0].name, &line->label);
        return NGX_OK;
    }

    ngx_campfire_base_buf_init(&out, view->pool, 64);

    for (i = 0; i < members->nelts; i++) {

        if (i && members->nelts == 2) {
            ngx_campfire_base_buf_lit(&out, "+");

        } else if (i && i + 1 == members->nelts) {
            ngx_campfire_base_buf_lit(&out, ", and ");

        } else if (i) {
            ngx_campfire_base_buf_lit(&out, ", ");
        }

        ngx_campfire_view_sidebar_letters(&out, &members->elts[i].name);
    }

    return ngx_campfire_base_buf_done(&out, &line->label);
}


/* White space of ASCII is what names are taken apart at. */
static ngx_inline ngx_uint_t
ngx_campfire_view_sidebar_space(u_char c)
{
    return c == ' ' || (c >= '\t' && c <= '\r');
}


static void
ngx_campfire_view_sidebar_word(const ngx_str_t *name, ngx_str_t *word)
{
    u_char  *p, *last;

    p = name->data;
    last = p + name->len;

    while (p < last && ngx_campfire_view_sidebar_space(*p)) {
        p++;
    }

    word->data = p;

    while (p < last && !ngx_campfire_view_sidebar_space(*p)) {
        p++;
    }

    word->len = p - word->data;
}


static void
ngx_campfire_view_sidebar_letters(ngx_campfire_buf_t *out,
    const ngx_str_t *name)
{
    u_char         buf[4];
    uint32_t       letter;
    ngx_str_t      rest, word;
    ngx_uint_t     i;
    const u_char  *p;

    rest = *name;

    for (i = 0; i < NGX_CAMPFIRE_VIEW_SIDEBAR_WORDS; i++) {
        ngx_campfire_view_sidebar_word(&rest, &word);

        if (word.len == 0) {
            return;
        }

        rest.len = rest.data + rest.len - (word.data + word.len);
        rest.data = word.data + word.len;

        p = word.data;

        if (ngx_campfire_base_utf8_decode(&p, word.data + word.len, &letter)
            != NGX_OK)
        {
            continue;
        }

        letter = ngx_campfire_base_utf8_upper(letter);
        ngx_campfire_base_buf_append(out, buf,
                          ngx_campfire_base_utf8_encode(buf, letter) - buf);
    }
}
