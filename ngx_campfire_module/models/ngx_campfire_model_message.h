
#ifndef _NGX_CAMPFIRE_MODEL_MESSAGE_H_INCLUDED_
#define _NGX_CAMPFIRE_MODEL_MESSAGE_H_INCLUDED_


#include "models/ngx_campfire_model.h"


#define NGX_CAMPFIRE_MODEL_MESSAGE_PAGE    40
#define NGX_CAMPFIRE_MODEL_MESSAGE_CLIENT  255     /* bytes of a client id */


/*
 * Light reads: ids, client id, times, and the id of the creator.  find takes
 * a message only in that room (0: in any) and only if the viewer is in it;
 * locate is for whoever has shown his right to it already.
 */
ngx_int_t ngx_campfire_model_message_find(ngx_campfire_db_conn_t *conn,
    ngx_pool_t *pool, int64_t viewer_id, int64_t room_id, int64_t id,
    ngx_campfire_message_t *message);
ngx_int_t ngx_campfire_model_message_locate(ngx_campfire_db_conn_t *conn,
    ngx_pool_t *pool, int64_t id, ngx_campfire_message_t *message);

/* May the user change it?  He must be in its room besides. */
ngx_uint_t ngx_campfire_model_message_administers(
    const ngx_campfire_user_t *user, const ngx_campfire_message_t *message);


/*
 * Full reads fill all that fragments show; how many statements a page takes
 * depends on what kinds of things are on it, never on how many.  They may run on any connection, in its
 * thread, with signers of that thread.  base_url is where it is shown.
 */
typedef struct {
    ngx_campfire_db_conn_t      *conn;
    ngx_pool_t                  *pool;
    ngx_campfire_signers_t      *signers;
    ngx_str_t                   *base_url;    /* NULL: unknown */
} ngx_campfire_model_message_reader_t;

ngx_int_t ngx_campfire_model_message_get(ngx_campfire_db_conn_t *conn,
    ngx_pool_t *pool, ngx_campfire_signers_t *signers, ngx_str_t *base_url,
    int64_t id, ngx_campfire_message_t *message);

/* Those of the ids that exist, in the order of pages. */
ngx_int_t ngx_campfire_model_message_list_ids(
    ngx_campfire_model_message_reader_t *reader, const int64_t *ids,
    ngx_uint_t n, ngx_campfire_messages_t *messages);

/*
 * Pages of at most 40, ascending by (created_at, id).  before and after leave
 * out the anchor itself; NGX_DECLINED: it is not in the room.  around has up
 * to 40 on each side of it.
 */
ngx_int_t ngx_campfire_model_message_last(
    ngx_campfire_model_message_reader_t *reader, int64_t room_id,
    ngx_campfire_messages_t *messages);
ngx_int_t ngx_campfire_model_message_before(
    ngx_campfire_model_message_reader_t *reader, int64_t room_id,
    int64_t anchor, ngx_campfire_messages_t *messages);
ngx_int_t ngx_campfire_model_message_after(
    ngx_campfire_model_message_reader_t *reader, int64_t room_id,
    int64_t anchor, ngx_campfire_messages_t *messages);
ngx_int_t ngx_campfire_model_message_around(
    ngx_campfire_model_message_reader_t *reader, int64_t room_id,
    int64_t anchor, ngx_campfire_messages_t *messages);

/*
 * What changed after since (microseconds): the oldest 40 that are new, and
 * the newest 40 of all others that were updated.
 */
ngx_int_t ngx_campfire_model_message_refresh(
    ngx_campfire_model_message_reader_t *reader, int64_t room_id,
    int64_t since, ngx_campfire_messages_t *created,
    ngx_campfire_messages_t *updated);

/* Completes messages whose rows were read with body and file name. */
ngx_int_t ngx_campfire_model_message_load(
    ngx_campfire_model_message_reader_t *reader,
    ngx_campfire_messages_t *messages);

/* All messages of a room; and whether they are more than a page. */
ngx_int_t ngx_campfire_model_message_count(ngx_campfire_db_conn_t *conn,
    int64_t room_id, int64_t *count);
ngx_int_t ngx_campfire_model_message_paged(ngx_campfire_db_conn_t *conn,
    int64_t room_id, ngx_uint_t *paged);

/* Other forms of a stored body. */
ngx_int_t ngx_campfire_model_message_plain(
    ngx_campfire_model_message_reader_t *reader, const ngx_str_t *body,
    ngx_str_t *plain);
ngx_int_t ngx_campfire_model_message_edit_value(
    ngx_campfire_model_message_reader_t *reader, const ngx_str_t *body,
    ngx_str_t *value);
ngx_int_t ngx_campfire_model_message_api_html(
    ngx_campfire_model_message_reader_t *reader, const ngx_str_t *body,
    ngx_campfire_html_t *html);


/*
 * Posting; job->id is the message, job->text its client id.  The body is
 * canonical already; with its plain text at hand the transaction is shorter.
 * NGX_DECLINED: the viewer is not in the room, or it is gone.
 */
typedef struct {
    int64_t     room_id;
    int64_t     viewer_id;
    ngx_str_t   body;               /* data NULL: no body given */
    ngx_str_t   plain;              /* data NULL: made here */
    ngx_str_t   client_message_id;  /* data NULL: a new UUID */
} ngx_campfire_model_message_create_args_t;

ngx_int_t ngx_campfire_model_message_create(ngx_campfire_tx_t *tx,
    void *args);

/* Editing; job->id is the message, job->text its client id. */
typedef struct {
    int64_t     room_id;
    int64_t     viewer_id;
    int64_t     message_id;
    ngx_str_t   body;               /* data NULL: as it is */
    ngx_str_t   plain;              /* data NULL: made here */
} ngx_campfire_model_message_update_args_t;

ngx_int_t ngx_campfire_model_message_update(ngx_campfire_tx_t *tx,
    void *args);

/* Deleting; job->id is the message, job->text its client id. */
typedef struct {
    int64_t     room_id;
    int64_t     viewer_id;
    int64_t     message_id;
} ngx_campfire_model_message_destroy_args_t;

ngx_int_t ngx_campfire_model_message_destroy(ngx_campfire_tx_t *tx,
    void *args);


/* For a write: deletes it with all that hangs on it; touches nothing. */
ngx_int_t ngx_campfire_model_message_delete(ngx_campfire_tx_t *tx,
    int64_t id);

/* For a write: makes the search index say this of the message. */
ngx_int_t ngx_campfire_model_message_index(ngx_campfire_tx_t *tx, int64_t id,
    ngx_str_t *plain);

/* Replaces a file name by its safe form in pages, headers and texts. */
ngx_int_t ngx_campfire_model_message_filename(ngx_pool_t *pool,
    ngx_str_t *name);


#endif /* _NGX_CAMPFIRE_MODEL_MESSAGE_H_INCLUDED_ */
