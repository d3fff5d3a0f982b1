
/*
 * Row structs.  Strings lie in the pool given to the function that filled
 * the struct; a NULL column has data NULL.  Times are microseconds, UTC.
 *
 * Every file of this folder keeps to the same rules:
 *
 * 1. A read takes a connection, which the caller may have put into a
 *    snapshot, and a pool.  NGX_DECLINED: there is no such row, or the viewer
 *    may not see it.  NGX_BUSY and NGX_ERROR come from the database.
 * 2. A write is a ngx_campfire_write_pt whose args struct stands above it,
 *    lies in the job's pool and names the viewer.  Who may do it is read
 *    again inside the transaction, where a viewer who is no longer active
 *    may do nothing.  Besides the codes above a write answers with
 *    NGX_CAMPFIRE_FORBIDDEN or NGX_CAMPFIRE_UNPROCESSABLE.
 * 3. A write sets job->id and job->text where its comment says so, and
 *    records what it did as effects; it never publishes.
 */

#ifndef _NGX_CAMPFIRE_MODEL_H_INCLUDED_
#define _NGX_CAMPFIRE_MODEL_H_INCLUDED_


#include "db/ngx_campfire_db.h"
#include "db/ngx_campfire_db_writer.h"


/* Results of a write that are statuses of HTTP. */
#define NGX_CAMPFIRE_FORBIDDEN      403
#define NGX_CAMPFIRE_UNPROCESSABLE  422


typedef enum {
    NGX_CAMPFIRE_ROLE_MEMBER = 0,
    NGX_CAMPFIRE_ROLE_ADMINISTRATOR,
    NGX_CAMPFIRE_ROLE_BOT
} ngx_campfire_role_e;

typedef enum {
    NGX_CAMPFIRE_STATUS_ACTIVE = 0,
    NGX_CAMPFIRE_STATUS_DEACTIVATED,
    NGX_CAMPFIRE_STATUS_BANNED
} ngx_campfire_status_e;

typedef enum {
    NGX_CAMPFIRE_ROOM_OPEN = 0,
    NGX_CAMPFIRE_ROOM_CLOSED,
    NGX_CAMPFIRE_ROOM_DIRECT
} ngx_campfire_room_type_e;

typedef enum {
    NGX_CAMPFIRE_INVOLVEMENT_INVISIBLE = 0,   /* also NULL and unknown text */
    NGX_CAMPFIRE_INVOLVEMENT_NOTHING,
    NGX_CAMPFIRE_INVOLVEMENT_MENTIONS,
    NGX_CAMPFIRE_INVOLVEMENT_EVERYTHING
} ngx_campfire_involvement_e;


typedef struct {
    int64_t                     *elts;
    ngx_uint_t                   nelts;
} ngx_campfire_ids_t;


typedef struct {
    int64_t                      id;
    ngx_str_t                    name;
    ngx_str_t                    join_code;
    ngx_str_t                    custom_styles;
    ngx_uint_t                   has_custom_styles;  /* not NULL */
    ngx_uint_t                   has_logo;
    ngx_uint_t                   restrict_room_creation;
    int64_t                      updated_at;
} ngx_campfire_account_t;


typedef struct {
    int64_t                      id;
    ngx_str_t                    name;
    ngx_str_t                    bio;
    ngx_str_t                    email_address;
    ngx_campfire_role_e          role;
    ngx_campfire_status_e        status;
    ngx_uint_t                   has_avatar;
    int64_t                      updated_at;
} ngx_campfire_user_t;

typedef struct {
    ngx_campfire_user_t         *elts;
    ngx_uint_t                   nelts;
} ngx_campfire_users_t;


typedef struct {
    int64_t                      id;
    int64_t                      user_id;
    ngx_str_t                    token;
    int64_t                      last_active_at;
} ngx_campfire_session_t;


typedef struct {
    int64_t                      id;
    ngx_campfire_room_type_e     type;
    ngx_str_t                    name;        /* NULL for pings */
    int64_t                      creator_id;
    int64_t                      created_at;
    int64_t                      updated_at;
} ngx_campfire_room_t;


typedef struct {
    int64_t                      id;
    int64_t                      room_id;
    int64_t                      user_id;
    ngx_campfire_involvement_e   involvement;
    int64_t                      unread_at;    /* 0: read */
    int64_t                      connected_at;
    int64_t                      connections;
} ngx_campfire_membership_t;


typedef struct {
    int64_t                      id;
    int64_t                      message_id;
    ngx_str_t                    content;
    int64_t                      created_at;
    ngx_campfire_user_t          booster;
    ngx_uint_t                   emoji;        /* content is only emoji */
} ngx_campfire_boost_t;

typedef struct {
    ngx_campfire_boost_t        *elts;
    ngx_uint_t                   nelts;
} ngx_campfire_boosts_t;


typedef enum {
    NGX_CAMPFIRE_MESSAGE_TEXT = 0,
    NGX_CAMPFIRE_MESSAGE_SOUND,
    NGX_CAMPFIRE_MESSAGE_ATTACHMENT,
    NGX_CAMPFIRE_MESSAGE_EMPTY,
    NGX_CAMPFIRE_MESSAGE_BROKEN               /* its creator is gone */
} ngx_campfire_message_kind_e;

/* A message with all its fragment shows, loaded by model_message. */
typedef struct {
    int64_t                      id;
    int64_t                      room_id;
    ngx_str_t                    client_message_id;
    int64_t                      created_at;
    int64_t                      updated_at;
    ngx_campfire_message_kind_e  kind;
    ngx_campfire_user_t          creator;
    ngx_campfire_room_t          room;
    ngx_str_t                    room_name;    /* display name, nil viewer */
    ngx_str_t                    body;         /* stored HTML */
    ngx_campfire_html_t          html;         /* rendered body */
    ngx_str_t                    plain;        /* plain text body */
    ngx_str_t                    sound;        /* name, for SOUND */
    ngx_str_t                    filename;     /* for ATTACHMENT */
    ngx_uint_t                   emoji;        /* only emoji */
    ngx_campfire_boosts_t        boosts;
} ngx_campfire_message_t;

typedef struct {
    ngx_campfire_message_t      *elts;
    ngx_uint_t                   nelts;
} ngx_campfire_messages_t;


/* One line of the sidebar. */
typedef struct {
    ngx_campfire_room_t          room;
    ngx_str_t                    name;         /* display name for viewer */
    ngx_campfire_involvement_e   involvement;
    ngx_uint_t                   unread;
    ngx_campfire_users_t         members;      /* pings: the others (or me) */
} ngx_campfire_sidebar_room_t;

typedef struct {
    ngx_campfire_sidebar_room_t *elts;
    ngx_uint_t                   nelts;
} ngx_campfire_sidebar_rooms_t;

typedef struct {
    ngx_campfire_sidebar_rooms_t  directs;     /* newest activity first */
    ngx_campfire_sidebar_rooms_t  shared;      /* by name */
    ngx_campfire_users_t          placeholders;
} ngx_campfire_sidebar_t;


/* "Rooms::Open" and so on; and "rooms_open" of DOM ids. */
extern const ngx_str_t  ngx_campfire_model_room_classes[3];
extern const ngx_str_t  ngx_campfire_model_room_keys[3];

/* "invisible" and so on. */
extern const ngx_str_t  ngx_campfire_model_involvements[4];


/* NGX_DECLINED: not one of the four words. */
ngx_int_t ngx_campfire_model_involvement_parse(const ngx_str_t *text,
    ngx_campfire_involvement_e *involvement);


#endif /* _NGX_CAMPFIRE_MODEL_H_INCLUDED_ */
