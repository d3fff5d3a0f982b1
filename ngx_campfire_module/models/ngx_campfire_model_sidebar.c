
/*
 * The sidebar: pings, rooms, and people to start a ping with.
 */

#include "models/ngx_campfire_model_sidebar.h"
#include "models/ngx_campfire_model_membership.h"
#include "models/ngx_campfire_model_room.h"
#include "models/ngx_campfire_model_row.h"
#include "models/ngx_campfire_model_user.h"


typedef struct {
    int64_t               room_id;
    ngx_campfire_user_t   user;
} ngx_campfire_model_sidebar_member_t;


static ngx_int_t ngx_campfire_model_sidebar_rooms(
    ngx_campfire_db_stmt_t *stmt, ngx_pool_t *pool,
    ngx_campfire_sidebar_t *sidebar);
static ngx_int_t ngx_campfire_model_sidebar_room_row(
    ngx_campfire_db_stmt_t *stmt, ngx_pool_t *pool, void *elt);
static int ngx_libc_cdecl ngx_campfire_model_sidebar_newer(const void *one,
    const void *two);
static ngx_int_t ngx_campfire_model_sidebar_members(ngx_pool_t *pool,
    ngx_campfire_db_stmt_t *stmt, int64_t viewer_id,
    ngx_campfire_sidebar_rooms_t *directs);
static ngx_int_t ngx_campfire_model_sidebar_member_row(
    ngx_campfire_db_stmt_t *stmt, ngx_pool_t *pool, void *elt);
static ngx_int_t ngx_campfire_model_sidebar_others(ngx_pool_t *pool,
    ngx_campfire_model_sidebar_member_t *members, ngx_uint_t n,
    int64_t viewer_id, ngx_campfire_sidebar_room_t *line);
static ngx_int_t ngx_campfire_model_sidebar_placeholders(
    ngx_campfire_db_conn_t *conn, ngx_pool_t *pool, int64_t viewer_id,
    ngx_campfire_users_t *users);
static ngx_int_t ngx_campfire_model_sidebar_user_row(
    ngx_campfire_db_stmt_t *stmt, ngx_pool_t *pool, void *elt);


ngx_int_t
ngx_campfire_model_sidebar_load(ngx_campfire_db_conn_t *conn,
    ngx_pool_t *pool, int64_t viewer_id, ngx_campfire_sidebar_t *sidebar)
{
    ngx_int_t  rc;

    rc = ngx_campfire_model_sidebar_rooms(
             ngx_campfire_db_query(conn,
                 "SELECT " NGX_CAMPFIRE_MODEL_ROOM_COLUMNS("r")
                 ", " NGX_CAMPFIRE_MODEL_MEMBERSHIP_COLUMNS("mb")
                 " FROM memberships mb JOIN rooms r ON r.id = mb.room_id"
                 " WHERE mb.user_id = ?1"
                 " AND " NGX_CAMPFIRE_MODEL_MEMBERSHIP_VISIBLE("mb")
                 " ORDER BY LOWER(r.name), r.id",
                 "i", viewer_id),
             pool, sidebar);
    if (rc != NGX_OK) {
        return rc;
    }

    rc = ngx_campfire_model_sidebar_members(pool,
             ngx_campfire_db_query(conn,
                 "SELECT " NGX_CAMPFIRE_MODEL_USER_COLUMNS("u")
                 ", o.room_id FROM memberships mb"
                 " JOIN rooms r ON r.id = mb.room_id"
                 " AND r.type = 'Rooms::Direct'"
                 " JOIN memberships o ON o.room_id = mb.room_id"
                 " JOIN users u ON u.id = o.user_id"
                 " WHERE mb.user_id = ?1"
                 " AND " NGX_CAMPFIRE_MODEL_MEMBERSHIP_VISIBLE("mb")
                 " ORDER BY o.room_id, u.id",
                 "i", viewer_id),
             viewer_id, &sidebar->directs);
    if (rc != NGX_OK) {
        return rc;
    }

    return ngx_campfire_model_sidebar_placeholders(conn, pool, viewer_id,
                                                   &sidebar->placeholders);
}


static ngx_int_t
ngx_campfire_model_sidebar_rooms(ngx_campfire_db_stmt_t *stmt,
    ngx_pool_t *pool, ngx_campfire_sidebar_t *sidebar)
{
    ngx_int_t                     rc;
    ngx_uint_t                    i;
    ngx_array_t                   rows;
    ngx_campfire_sidebar_room_t  *line, *directs, *shared;

    ngx_memzero(sidebar, sizeof(ngx_campfire_sidebar_t));

    if (stmt == NULL
        || ngx_array_init(&rows, pool, 16,
                          sizeof(ngx_campfire_sidebar_room_t))
           != NGX_OK)
    {
        return NGX_ERROR;
    }

    rc = ngx_campfire_model_row_all(stmt, pool,
                                    ngx_campfire_model_sidebar_room_row,
                                    &rows);
    if (rc != NGX_OK || rows.nelts == 0) {
        return rc;
    }

    directs = ngx_palloc(pool, rows.nelts
                               * sizeof(ngx_campfire_sidebar_room_t));
    shared = ngx_palloc(pool, rows.nelts
                              * sizeof(ngx_campfire_sidebar_room_t));
    if (directs == NULL || shared == NULL) {
        return NGX_ERROR;
    }

    sidebar->directs.elts = directs;
    sidebar->shared.elts = shared;

    line = rows.elts;

    for (i = 0; i < rows.nelts; i++) {

        if (line[i].room.type == NGX_CAMPFIRE_ROOM_DIRECT) {
            directs[sidebar->directs.nelts++] = line[i];

        } else {
            shared[sidebar->shared.nelts++] = line[i];
        }
    }

    ngx_qsort(directs, sidebar->directs.nelts,
              sizeof(ngx_campfire_sidebar_room_t),
              ngx_campfire_model_sidebar_newer);

    return NGX_OK;
}


static ngx_int_t
ngx_campfire_model_sidebar_room_row(ngx_campfire_db_stmt_t *stmt,
    ngx_pool_t *pool, void *elt)
{
    ngx_campfire_membership_t     membership;
    ngx_campfire_sidebar_room_t  *line = elt;

    if (ngx_campfire_model_room_row(stmt, 0, pool, &line->room) != NGX_OK
        || ngx_campfire_model_membership_row(stmt,
                                             NGX_CAMPFIRE_MODEL_ROOM_NCOLUMNS,
                                             pool, &membership)
           != NGX_OK)
    {
        return NGX_ERROR;
    }

    line->name = line->room.name;
    line->involvement = membership.involvement;
    line->unread = (membership.unread_at != 0);

    return NGX_OK;
}


/* Pings: the one written to last comes first. */
static int ngx_libc_cdecl
ngx_campfire_model_sidebar_newer(const void *one, const void *two)
{
    const ngx_campfire_room_t  *a, *b;

    a = &((const ngx_campfire_sidebar_room_t *) one)->room;
    b = &((const ngx_campfire_sidebar_room_t *) two)->room;

    if (a->updated_at != b->updated_at) {
        return (a->updated_at < b->updated_at) ? 1 : -1;
    }

    return (a->id < b->id) ? 1 : -1;
}


static ngx_int_t
ngx_campfire_model_sidebar_members(ngx_pool_t *pool,
    ngx_campfire_db_stmt_t *stmt, int64_t viewer_id,
    ngx_campfire_sidebar_rooms_t *directs)
{
    int64_t                               id;
    ngx_int_t                             rc;
    ngx_uint_t                            i, k, n;
    ngx_array_t                           rows;
    ngx_campfire_model_sidebar_member_t  *member;

    if (stmt == NULL
        || ngx_array_init(&rows, pool, 16,
                          sizeof(ngx_campfire_model_sidebar_member_t))
           != NGX_OK)
    {
        return NGX_ERROR;
    }

    rc = ngx_campfire_model_row_all(stmt, pool,
                                    ngx_campfire_model_sidebar_member_row,
                                    &rows);
    if (rc != NGX_OK) {
        return rc;
    }

    member = rows.elts;

    for (k = 0; k < rows.nelts; k += n) {
        id = member[k].room_id;

        for (n = 0; k + n < rows.nelts && member[k + n].room_id == id; n++) {
            /* void */
        }

        for (i = 0; i < directs->nelts; i++) {
            if (directs->elts[i].room.id == id
                && ngx_campfire_model_sidebar_others(pool, &member[k], n,
                                                     viewer_id,
                                                     &directs->elts[i])
                   != NGX_OK)
            {
                return NGX_ERROR;
            }
        }
    }

    return NGX_OK;
}


static ngx_int_t
ngx_campfire_model_sidebar_member_row(ngx_campfire_db_stmt_t *stmt,
    ngx_pool_t *pool, void *elt)
{
    ngx_campfire_model_sidebar_member_t  *member = elt;

    member->room_id = ngx_campfire_db_int(stmt,
                                          NGX_CAMPFIRE_MODEL_USER_NCOLUMNS);

    return ngx_campfire_model_user_row(stmt, 0, pool, &member->user);
}


/* Who is on the other side, and the name that makes. */
static ngx_int_t
ngx_campfire_model_sidebar_others(ngx_pool_t *pool,
    ngx_campfire_model_sidebar_member_t *members, ngx_uint_t n,
    int64_t viewer_id, ngx_campfire_sidebar_room_t *line)
{
    ngx_str_t            *names;
    ngx_uint_t            i, count;
    ngx_campfire_user_t  *others;

    others = ngx_palloc(pool, n * sizeof(ngx_campfire_user_t));
    names = ngx_palloc(pool, n * sizeof(ngx_str_t));
    if (others == NULL || names == NULL) {
        return NGX_ERROR;
    }

    for (i = 0, count = 0; i < n; i++) {
        if (members[i].user.id != viewer_id || n == 1) {
            names[count] = members[i].user.name;
            others[count++] = members[i].user;
        }
    }

    line->members.elts = others;
    line->members.nelts = count;

    return ngx_campfire_model_row_sentence(pool, names, count, &line->name);
}


/*
 * Active people without a ping with the viewer, by the time they joined.
 * There is room for 20 less one and less those in his pings, where he counts
 * himself once there is one.
 */
static ngx_int_t
ngx_campfire_model_sidebar_placeholders(ngx_campfire_db_conn_t *conn,
    ngx_pool_t *pool, int64_t viewer_id, ngx_campfire_users_t *users)
{
    ngx_int_t    rc;
    ngx_array_t  rows;

    if (ngx_array_init(&rows, pool, 20, sizeof(ngx_campfire_user_t))
        != NGX_OK)
    {
        return NGX_ERROR;
    }

    rc = ngx_campfire_model_row_all(
             ngx_campfire_db_query(conn,
                 "WITH d(id) AS (SELECT DISTINCT o.user_id"
                 " FROM memberships mb JOIN rooms r ON r.id = mb.room_id"
                 " AND r.type = 'Rooms::Direct'"
                 " JOIN memberships o ON o.room_id = mb.room_id"
                 " WHERE mb.user_id = ?1)"
                 " SELECT " NGX_CAMPFIRE_MODEL_USER_COLUMNS("u")
                 " FROM users u WHERE u.status = 0 AND u.id <> ?1"
                 " AND u.id NOT IN (SELECT id FROM d)"
                 " ORDER BY u.created_at, u.id"
                 " LIMIT MAX(19 - (SELECT COUNT(*) FROM d), 0)",
                 "i", viewer_id),
             pool, ngx_campfire_model_sidebar_user_row, &rows);

    users->elts = rows.elts;
    users->nelts = rows.nelts;

    return rc;
}


static ngx_int_t
ngx_campfire_model_sidebar_user_row(ngx_campfire_db_stmt_t *stmt,
    ngx_pool_t *pool, void *elt)
{
    return ngx_campfire_model_user_row(stmt, 0, pool, elt);
}


ngx_int_t
ngx_campfire_model_sidebar_line(ngx_campfire_db_conn_t *conn,
    ngx_pool_t *pool, int64_t viewer_id, int64_t room_id,
    ngx_campfire_sidebar_room_t *line)
{
    ngx_int_t                     rc;
    ngx_campfire_sidebar_rooms_t  directs;

    ngx_memzero(line, sizeof(ngx_campfire_sidebar_room_t));

    rc = ngx_campfire_model_row_one(
             ngx_campfire_db_query(conn,
                 "SELECT " NGX_CAMPFIRE_MODEL_ROOM_COLUMNS("r")
                 ", " NGX_CAMPFIRE_MODEL_MEMBERSHIP_COLUMNS("mb")
                 " FROM memberships mb JOIN rooms r ON r.id = mb.room_id"
                 " WHERE mb.room_id = ?1 AND mb.user_id = ?2",
                 "ii", room_id, viewer_id),
             pool, ngx_campfire_model_sidebar_room_row, line);

    if (rc != NGX_OK || line->room.type != NGX_CAMPFIRE_ROOM_DIRECT) {
        return rc;
    }

    directs.elts = line;
    directs.nelts = 1;

    return ngx_campfire_model_sidebar_members(pool,
               ngx_campfire_db_query(conn,
                   "SELECT " NGX_CAMPFIRE_MODEL_USER_COLUMNS("u")
                   ", o.room_id FROM memberships o"
                   " JOIN users u ON u.id = o.user_id"
                   " WHERE o.room_id = ?1 ORDER BY u.id",
                   "i", room_id),
               viewer_id, &directs);
}
