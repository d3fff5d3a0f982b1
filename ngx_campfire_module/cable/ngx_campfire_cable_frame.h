
/*
 * WebSocket frames (RFC 6455): an incremental reader of what clients send,
 * and a writer of what servers send.
 */

#ifndef _NGX_CAMPFIRE_CABLE_FRAME_H_INCLUDED_
#define _NGX_CAMPFIRE_CABLE_FRAME_H_INCLUDED_


#include "base/ngx_campfire_base.h"


#define NGX_CAMPFIRE_CABLE_FRAME_MESSAGE  65536   /* bytes of a message */
#define NGX_CAMPFIRE_CABLE_FRAME_CONTROL  125
#define NGX_CAMPFIRE_CABLE_FRAME_HEADER   10      /* longest server header */


typedef enum {
    NGX_CAMPFIRE_CABLE_FRAME_CONTINUATION = 0,
    NGX_CAMPFIRE_CABLE_FRAME_TEXT = 1,
    NGX_CAMPFIRE_CABLE_FRAME_BINARY = 2,
    NGX_CAMPFIRE_CABLE_FRAME_CLOSE = 8,
    NGX_CAMPFIRE_CABLE_FRAME_PING = 9,
    NGX_CAMPFIRE_CABLE_FRAME_PONG = 10
} ngx_campfire_cable_frame_e;


/* Close codes. */
#define NGX_CAMPFIRE_CABLE_CLOSE_NORMAL       1000
#define NGX_CAMPFIRE_CABLE_CLOSE_AWAY         1001
#define NGX_CAMPFIRE_CABLE_CLOSE_PROTOCOL     1002
#define NGX_CAMPFIRE_CABLE_CLOSE_UNACCEPTABLE 1003
#define NGX_CAMPFIRE_CABLE_CLOSE_INVALID      1007
#define NGX_CAMPFIRE_CABLE_CLOSE_TOO_LONG     1009


/*
 * The state between two reads.  Zeroed memory is a reader at its start.  buf
 * exists only while a message is incomplete.
 */
typedef struct {
    u_char        *buf;           /* of the message under way */
    size_t         len;
    size_t         size;
    uint64_t       left;          /* of the payload of this frame */
    u_char         header[14];
    u_char         mask[4];
    unsigned       nheader:4;     /* bytes of header that are here */
    unsigned       phase:2;       /* position in mask */
    unsigned       payload:1;     /* header is over */
    unsigned       fin:1;
    unsigned       opcode:4;
    unsigned       message:4;     /* opcode of the fragmented message, or 0 */
    unsigned       ncontrol:7;
    unsigned       taken:1;       /* buf was handed out */
    uint16_t       failed;        /* the code it failed with, or 0 */
    u_char         control[NGX_CAMPFIRE_CABLE_FRAME_CONTROL];
} ngx_campfire_cable_frame_reader_t;


/* A whole message or control frame. */
typedef struct {
    ngx_campfire_cable_frame_e  opcode;
    ngx_str_t                   payload;    /* until the next call */
    ngx_uint_t                  code;       /* of CLOSE: what to answer */
} ngx_campfire_cable_frame_t;


/*
 * Takes bytes from *pos, which are unmasked where they lie.  NGX_OK: a frame
 * is complete and there may be more.  NGX_AGAIN: all is consumed.  NGX_ERROR:
 * the connection has to be closed with frame->code, and nothing more be read.
 */
ngx_int_t ngx_campfire_cable_frame_read(
    ngx_campfire_cable_frame_reader_t *reader, u_char **pos, u_char *last,
    ngx_campfire_cable_frame_t *frame);

/* Frees what an incomplete message holds. */
void ngx_campfire_cable_frame_cleanup(
    ngx_campfire_cable_frame_reader_t *reader);


/* Writes the header of a final frame of len bytes and returns its end. */
u_char *ngx_campfire_cable_frame_header(u_char *p,
    ngx_campfire_cable_frame_e opcode, size_t len);

/* The bytes of that header. */
size_t ngx_campfire_cable_frame_header_len(size_t len);

/* A close frame without a reason: 4 bytes. */
u_char *ngx_campfire_cable_frame_close(u_char *p, ngx_uint_t code);


#endif /* _NGX_CAMPFIRE_CABLE_FRAME_H_INCLUDED_ */
