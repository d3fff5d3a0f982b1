
/*
 * The cable: sockets of this worker, their subscriptions, and what is
 * delivered to them.
 *
 *   frame, handshake, protocol   bytes and texts, pure
 *   cable                        hooks of the process: wake-ups, pings, reload
 *   socket                       one connection: take-over, reading, writing
 *   registry                     which sockets of this worker read a stream
 *   channel                      commands of clients, rights, presence
 *   publish                      effects of writes become records of the ring
 *
 * Streams have internal names that depend on ids alone, so that a room keeps
 * its readers when it is converted: "messages:1", "typing:1", "rooms",
 * "rooms:2" (of a user), "reads:2", "unreads:2".
 */

#ifndef _NGX_CAMPFIRE_CABLE_H_INCLUDED_
#define _NGX_CAMPFIRE_CABLE_H_INCLUDED_


#include "ngx_campfire.h"

#include <ngx_event.h>
#include <ngx_http.h>

#include "cable/ngx_campfire_cable_frame.h"
#include "cable/ngx_campfire_cable_protocol.h"
#include "db/ngx_campfire_db_writer.h"
#include "shm/ngx_campfire_shm.h"


#define NGX_CAMPFIRE_CABLE_SUBSCRIPTIONS  100      /* of a socket */
#define NGX_CAMPFIRE_CABLE_UNSENT         1048576  /* bytes */
#define NGX_CAMPFIRE_CABLE_FRAMES         256      /* unsent ones */
#define NGX_CAMPFIRE_CABLE_WHEEL          30       /* slots of 100 ms */


typedef struct ngx_campfire_cable_socket_s  ngx_campfire_cable_socket_t;
typedef struct ngx_campfire_cable_sub_s     ngx_campfire_cable_sub_t;


/* Bytes shared by all sockets they are sent to. */
typedef struct {
    ngx_uint_t                    refs;
    size_t                        len;
    u_char                        data[1];
} ngx_campfire_cable_bytes_t;


/* A stream that has readers in this worker. */
typedef struct {
    ngx_str_node_t                sn;
    ngx_queue_t                   groups;
} ngx_campfire_cable_stream_t;


/* Subscriptions that get the same bytes: the same identifier to the letter. */
typedef struct {
    ngx_queue_t                   queue;       /* of the stream */
    ngx_campfire_cable_stream_t  *stream;
    ngx_queue_t                   subs;
    ngx_str_t                     identifier;
} ngx_campfire_cable_group_t;


typedef enum {
    NGX_CAMPFIRE_CABLE_CHANNEL_PLAIN = 0,      /* confirmed, nothing else */
    NGX_CAMPFIRE_CABLE_CHANNEL_HEARTBEAT,
    NGX_CAMPFIRE_CABLE_CHANNEL_PRESENCE,
    NGX_CAMPFIRE_CABLE_CHANNEL_READS,
    NGX_CAMPFIRE_CABLE_CHANNEL_ROOM,
    NGX_CAMPFIRE_CABLE_CHANNEL_MESSAGES,
    NGX_CAMPFIRE_CABLE_CHANNEL_TYPING,
    NGX_CAMPFIRE_CABLE_CHANNEL_UNREADS,
    NGX_CAMPFIRE_CABLE_CHANNEL_TURBO
} ngx_campfire_cable_channel_e;


struct ngx_campfire_cable_sub_s {
    ngx_queue_t                   queue;       /* of the socket */
    ngx_queue_t                   peers;       /* of the group */
    ngx_campfire_cable_socket_t  *socket;      /* NULL: gone, while writing */
    ngx_campfire_cable_group_t   *group;       /* NULL: no stream */
    ngx_campfire_cable_channel_e  channel;
    int64_t                       room_id;
    ngx_str_t                     identifier;
    unsigned                      confirmed:1;
    unsigned                      counted:1;   /* presence, in the database */
    unsigned                      writing:1;   /* presence, on its way */
};


typedef struct ngx_campfire_cable_out_s  ngx_campfire_cable_out_t;

struct ngx_campfire_cable_out_s {
    ngx_campfire_cable_out_t     *next;
    ngx_campfire_cable_bytes_t   *bytes;
};


struct ngx_campfire_cable_socket_s {
    ngx_queue_t                   queue;       /* of the cable */
    ngx_queue_t                   wheel;
    ngx_queue_t                   flush;       /* to be written soon */
    ngx_connection_t             *connection;
    ngx_campfire_cable_t         *cable;

    int64_t                       user_id;
    int64_t                       session_id;

    ngx_queue_t                   subs;
    ngx_uint_t                    nsubs;

    ngx_campfire_cable_out_t     *out;
    ngx_campfire_cable_out_t    **out_last;
    size_t                        offset;      /* sent of the first */
    size_t                        unsent;
    ngx_uint_t                    nout;

    ngx_int_t                     budget;      /* commands, may be negative */
    ngx_msec_t                    refilled;

    time_t                        opened;
    ngx_uint_t                    received;    /* frames, for the log */
    ngx_uint_t                    sent;

    unsigned                      closing:1;   /* the last frame is queued */
    unsigned                      closed:1;    /* the peer's close was seen */
    unsigned                      deferred:1;  /* a heartbeat to confirm */
    unsigned                      flushing:1;  /* in the flush queue */
    unsigned                      paused:1;    /* over its budget */

    ngx_campfire_cable_frame_reader_t   reader;
};


/* Of one instance in this worker. */
struct ngx_campfire_cable_s {
    ngx_campfire_instance_t      *instance;
    ngx_log_t                    *log;
    ngx_queue_t                   sockets;
    ngx_uint_t                    nsockets;
    ngx_rbtree_t                  streams;
    ngx_rbtree_node_t             sentinel;
    uint64_t                      cursor;      /* of the ring */
    u_char                       *buf;         /* of one record */
    size_t                        size;
    ngx_array_t                  *absent;      /* presence to take back */
    ngx_pool_t                   *absent_pool;
};


/* Hooks of the process. */
ngx_int_t ngx_campfire_cable_init_process(ngx_cycle_t *cycle,
    ngx_campfire_instances_t *instances);
void ngx_campfire_cable_exit_process(ngx_cycle_t *cycle,
    ngx_campfire_instances_t *instances);

/* After a change of subscriptions: reads what came meanwhile, soon. */
void ngx_campfire_cable_wake(void);

/* Writes to the socket at the end of this loop iteration. */
void ngx_campfire_cable_flush_later(ngx_campfire_cable_socket_t *s);

/* The list of the wheel in which a new socket gets its pings. */
ngx_queue_t *ngx_campfire_cable_wheel_slot(void);

/* This process is quitting: a reload, most likely. */
void ngx_campfire_cable_leave(void);


/*
 * A socket of an answered 101, which takes the connection over from the
 * request; token is the session's, empty for none.  Everything the request
 * owned is freed.
 */
void ngx_campfire_cable_socket_open(ngx_http_request_t *r,
    ngx_campfire_instance_t *instance, ngx_str_t *token);

/* Bytes for sockets, with one reference; NULL: out of memory. */
ngx_campfire_cable_bytes_t *ngx_campfire_cable_socket_text(
    ngx_campfire_buf_t *text, ngx_log_t *log);
void ngx_campfire_cable_socket_release(ngx_campfire_cable_bytes_t *bytes);

/* Queues bytes, whose reference stays with the caller. */
void ngx_campfire_cable_socket_send(ngx_campfire_cable_socket_t *s,
    ngx_campfire_cable_bytes_t *bytes);

/* Writes what is queued; the socket may be gone afterwards. */
void ngx_campfire_cable_socket_flush(ngx_campfire_cable_socket_t *s);

/*
 * The last words: nothing that is queued and not begun is sent any more, then
 * `disconnect` and Close.  counter says why, for the status page.
 */
void ngx_campfire_cable_socket_disconnect(ngx_campfire_cable_socket_t *s,
    const char *reason, ngx_uint_t reconnect,
    ngx_campfire_counter_e counter);

/* At once, without words. */
void ngx_campfire_cable_socket_close(ngx_campfire_cable_socket_t *s,
    ngx_campfire_counter_e counter);


/* Adds a subscription to a stream; NGX_ERROR: out of memory. */
ngx_int_t ngx_campfire_cable_registry_add(ngx_campfire_cable_t *cable,
    ngx_campfire_cable_sub_t *sub, ngx_str_t *stream);
void ngx_campfire_cable_registry_remove(ngx_campfire_cable_t *cable,
    ngx_campfire_cable_sub_t *sub);
ngx_campfire_cable_stream_t *ngx_campfire_cable_registry_find(
    ngx_campfire_cable_t *cable, ngx_str_t *stream);

/* Sends JSON to all readers of a stream in this worker. */
void ngx_campfire_cable_registry_deliver(ngx_campfire_cable_t *cable,
    ngx_str_t *stream, ngx_str_t *message, ngx_pool_t *pool);


/* A text message of a client. */
void ngx_campfire_cable_channel_command(ngx_campfire_cable_socket_t *s,
    ngx_pool_t *pool, ngx_str_t *text);

/* After a batch of commands: what has to be confirmed last. */
void ngx_campfire_cable_channel_deferred(ngx_campfire_cable_socket_t *s,
    ngx_pool_t *pool);

/* Ends a subscription: stream, presence, memory. */
void ngx_campfire_cable_channel_remove(ngx_campfire_cable_sub_t *sub);

/* Writes down who is gone. */
void ngx_campfire_cable_channel_absent(ngx_campfire_cable_t *cable);


/* Hooks of the writer, in its thread. */
void ngx_campfire_cable_publish(ngx_campfire_tx_t *tx);

/* Appends JSON for a stream and wakes its readers; any thread. */
ngx_int_t ngx_campfire_cable_publish_json(ngx_campfire_instance_t *instance,
    ngx_str_t *stream, ngx_str_t *message);


#endif /* _NGX_CAMPFIRE_CABLE_H_INCLUDED_ */
