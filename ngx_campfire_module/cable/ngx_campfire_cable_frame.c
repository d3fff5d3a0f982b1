
/*
 * WebSocket frames (RFC 6455).
 *
 *    0                   1                   2                   3
 *    0 1 2 3 4 5 6 7 8 9 0 1 2 3 4 5 6 7 8 9 0 1 2 3 4 5 6 7 8 9 0 1
 *   +-+-+-+-+-------+-+-------------+-------------------------------+
 *   |F|R|R|R| opcode|M| length (7)  |  length (16 or 64, if 126/127)|
 *   +-+-+-+-+-------+-+-------------+-------------------------------+
 *   | mask (4 bytes, only from clients)    | payload, masked        |
 *   +--------------------------------------+------------------------+
 *
 * 1. Every length is checked against its limit before a byte of the payload
 *    is looked at, so nothing is ever stored beyond the limit of a message.
 * 2. A message that lies whole in the caller's buffer is handed out from
 *    there; only what arrives in pieces is copied.
 * 3. After an error the reader answers the same error for ever.
 */

#include "cable/ngx_campfire_cable_frame.h"
#include "base/ngx_campfire_base_utf8.h"


#if (NGX_CAMPFIRE_STANDALONE)
#define ngx_alloc(size, log)  malloc(size)
#define ngx_free              free
#endif


static ngx_int_t ngx_campfire_cable_frame_head(
    ngx_campfire_cable_frame_reader_t *reader, u_char **pos, u_char *last,
    ngx_campfire_cable_frame_t *frame);
static ngx_uint_t ngx_campfire_cable_frame_first(
    ngx_campfire_cable_frame_reader_t *reader);
static ngx_uint_t ngx_campfire_cable_frame_length(
    ngx_campfire_cable_frame_reader_t *reader);
static ngx_int_t ngx_campfire_cable_frame_data(
    ngx_campfire_cable_frame_reader_t *reader, u_char **pos, u_char *last,
    ngx_campfire_cable_frame_t *frame);
static ngx_int_t ngx_campfire_cable_frame_control(
    ngx_campfire_cable_frame_reader_t *reader, u_char **pos, u_char *last,
    ngx_campfire_cable_frame_t *frame);
static void ngx_campfire_cable_frame_unmask(
    ngx_campfire_cable_frame_reader_t *reader, u_char *p, size_t len);
static ngx_int_t ngx_campfire_cable_frame_store(
    ngx_campfire_cable_frame_reader_t *reader, u_char *p, size_t len);
static ngx_uint_t ngx_campfire_cable_frame_close_code(
    const ngx_str_t *payload);
static ngx_int_t ngx_campfire_cable_frame_fail(
    ngx_campfire_cable_frame_reader_t *reader,
    ngx_campfire_cable_frame_t *frame, ngx_uint_t code);


ngx_int_t
ngx_campfire_cable_frame_read(ngx_campfire_cable_frame_reader_t *reader,
    u_char **pos, u_char *last, ngx_campfire_cable_frame_t *frame)
{
    ngx_int_t  rc;

    if (reader->failed) {
        return ngx_campfire_cable_frame_fail(reader, frame, reader->failed);
    }

    if (reader->taken) {
        ngx_campfire_cable_frame_cleanup(reader);
    }

    for ( ;; ) {

        if (!reader->payload) {
            rc = ngx_campfire_cable_frame_head(reader, pos, last, frame);
            if (rc != NGX_OK) {
                return rc;
            }
        }

        if (reader->opcode & 8) {
            return ngx_campfire_cable_frame_control(reader, pos, last, frame);
        }

        rc = ngx_campfire_cable_frame_data(reader, pos, last, frame);

        if (rc != NGX_DECLINED) {
            return rc;
        }

        /* a fragment is complete, its message is not */
    }
}


void
ngx_campfire_cable_frame_cleanup(ngx_campfire_cable_frame_reader_t *reader)
{
    if (reader->buf) {
        ngx_free(reader->buf);
    }

    reader->buf = NULL;
    reader->len = 0;
    reader->size = 0;
    reader->taken = 0;
}


/* NGX_OK: the header is complete, and everything in it allowed. */
static ngx_int_t
ngx_campfire_cable_frame_head(ngx_campfire_cable_frame_reader_t *reader,
    u_char **pos, u_char *last, ngx_campfire_cable_frame_t *frame)
{
    size_t      need;
    ngx_uint_t  code;

    for ( ;; ) {

        need = 2;

        if (reader->nheader >= 2) {
            need = 6;

            if ((reader->header[1] & 0x7f) == 126) {
                need = 8;

            } else if ((reader->header[1] & 0x7f) == 127) {
                need = 14;
            }
        }

        if (reader->nheader == need) {
            break;
        }

        if (*pos == last) {
            return NGX_AGAIN;
        }

        reader->header[reader->nheader++] = *(*pos)++;

        if (reader->nheader == 2) {
            code = ngx_campfire_cable_frame_first(reader);
            if (code) {
                return ngx_campfire_cable_frame_fail(reader, frame, code);
            }
        }
    }

    code = ngx_campfire_cable_frame_length(reader);
    if (code) {
        return ngx_campfire_cable_frame_fail(reader, frame, code);
    }

    ngx_memcpy(reader->mask, reader->header + need - 4, 4);

    reader->nheader = 0;
    reader->ncontrol = 0;
    reader->phase = 0;
    reader->payload = 1;

    return NGX_OK;
}


/* The rules the first two bytes can break: 0, or the code to close with. */
static ngx_uint_t
ngx_campfire_cable_frame_first(ngx_campfire_cable_frame_reader_t *reader)
{
    u_char  *h;

    h = reader->header;

    reader->fin = h[0] >> 7;
    reader->opcode = h[0] & 0x0f;

    if (h[0] & 0x70) {
        return NGX_CAMPFIRE_CABLE_CLOSE_PROTOCOL;
    }

    switch (reader->opcode) {

    case NGX_CAMPFIRE_CABLE_FRAME_CONTINUATION:
        if (!reader->message) {
            return NGX_CAMPFIRE_CABLE_CLOSE_PROTOCOL;
        }

        break;

    case NGX_CAMPFIRE_CABLE_FRAME_TEXT:
    case NGX_CAMPFIRE_CABLE_FRAME_BINARY:
        if (reader->message) {
            return NGX_CAMPFIRE_CABLE_CLOSE_PROTOCOL;
        }

        break;

    case NGX_CAMPFIRE_CABLE_FRAME_CLOSE:
    case NGX_CAMPFIRE_CABLE_FRAME_PING:
    case NGX_CAMPFIRE_CABLE_FRAME_PONG:
        if (!reader->fin
            || (h[1] & 0x7f) > NGX_CAMPFIRE_CABLE_FRAME_CONTROL)
        {
            return NGX_CAMPFIRE_CABLE_CLOSE_PROTOCOL;
        }

        break;

    default:
        return NGX_CAMPFIRE_CABLE_CLOSE_PROTOCOL;
    }

    if (!(h[1] & 0x80)) {
        return NGX_CAMPFIRE_CABLE_CLOSE_UNACCEPTABLE;
    }

    return 0;
}


/* Sets left; a length has one form only, the shortest. */
static ngx_uint_t
ngx_campfire_cable_frame_length(ngx_campfire_cable_frame_reader_t *reader)
{
    u_char    *h;
    uint64_t   len;
    unsigned   i;

    h = reader->header;
    len = h[1] & 0x7f;

    if (len == 126) {
        len = ((unsigned) h[2] << 8) | h[3];

        if (len < 126) {
            return NGX_CAMPFIRE_CABLE_CLOSE_PROTOCOL;
        }

    } else if (len == 127) {
        len = 0;

        for (i = 2; i < 10; i++) {
            len = (len << 8) | h[i];
        }

        if (len < 65536 || len >> 63) {
            return NGX_CAMPFIRE_CABLE_CLOSE_PROTOCOL;
        }
    }

    if (!(reader->opcode & 8)
        && len > NGX_CAMPFIRE_CABLE_FRAME_MESSAGE - reader->len)
    {
        return NGX_CAMPFIRE_CABLE_CLOSE_TOO_LONG;
    }

    reader->left = len;

    return 0;
}


/* NGX_DECLINED: the frame is complete, but not the message. */
static ngx_int_t
ngx_campfire_cable_frame_data(ngx_campfire_cable_frame_reader_t *reader,
    u_char **pos, u_char *last, ngx_campfire_cable_frame_t *frame)
{
    size_t    n;
    u_char   *p;
    unsigned  opcode;

    p = *pos;
    n = (size_t) (last - p);

    if (reader->left < n) {
        n = (size_t) reader->left;
    }

    ngx_campfire_cable_frame_unmask(reader, p, n);

    *pos = p + n;
    reader->left -= n;

    opcode = reader->opcode ? reader->opcode : reader->message;

    if (reader->left == 0 && reader->fin && reader->buf == NULL) {
        frame->payload.data = p;
        frame->payload.len = n;

    } else {
        if (ngx_campfire_cable_frame_store(reader, p, n) != NGX_OK) {
            return ngx_campfire_cable_frame_fail(reader, frame,
                                            NGX_CAMPFIRE_CABLE_CLOSE_TOO_LONG);
        }

        if (reader->left) {
            return NGX_AGAIN;
        }

        frame->payload.data = reader->buf;
        frame->payload.len = reader->len;
    }

    reader->payload = 0;

    if (!reader->fin) {
        reader->message = opcode & 0x0f;
        return NGX_DECLINED;
    }

    reader->message = 0;
    reader->taken = (reader->buf != NULL);

    frame->opcode = opcode;
    frame->code = 0;

    if (opcode == NGX_CAMPFIRE_CABLE_FRAME_TEXT
        && !ngx_campfire_base_utf8_valid(frame->payload.data,
                                         frame->payload.len))
    {
        return ngx_campfire_cable_frame_fail(reader, frame,
                                             NGX_CAMPFIRE_CABLE_CLOSE_INVALID);
    }

    return NGX_OK;
}


static ngx_int_t
ngx_campfire_cable_frame_control(ngx_campfire_cable_frame_reader_t *reader,
    u_char **pos, u_char *last, ngx_campfire_cable_frame_t *frame)
{
    size_t  n;

    n = (size_t) (last - *pos);

    if (reader->left < n) {
        n = (size_t) reader->left;
    }

    if (n) {
        ngx_campfire_cable_frame_unmask(reader, *pos, n);
        ngx_memcpy(reader->control + reader->ncontrol, *pos, n);
    }

    *pos += n;
    reader->left -= n;
    reader->ncontrol = (reader->ncontrol + n) & 0x7f;

    if (reader->left) {
        return NGX_AGAIN;
    }

    reader->payload = 0;

    frame->opcode = reader->opcode;
    frame->payload.data = reader->control;
    frame->payload.len = reader->ncontrol;
    frame->code = 0;

    if (frame->opcode == NGX_CAMPFIRE_CABLE_FRAME_CLOSE) {
        frame->code = ngx_campfire_cable_frame_close_code(&frame->payload);
    }

    return NGX_OK;
}


/* Eight bytes at a time; the mask is turned to where the frame stands. */
static void
ngx_campfire_cable_frame_unmask(ngx_campfire_cable_frame_reader_t *reader,
    u_char *p, size_t len)
{
    size_t    i;
    u_char    turned[8];
    uint64_t  mask, word;

    for (i = 0; i < 8; i++) {
        turned[i] = reader->mask[(reader->phase + i) & 3];
    }

    ngx_memcpy(&mask, turned, 8);

    for (i = 0; len - i >= 8; i += 8) {
        ngx_memcpy(&word, p + i, 8);
        word ^= mask;
        ngx_memcpy(p + i, &word, 8);
    }

    for ( /* void */ ; i < len; i++) {
        p[i] ^= turned[i & 7];
    }

    reader->phase = (reader->phase + len) & 3;
}


static ngx_int_t
ngx_campfire_cable_frame_store(ngx_campfire_cable_frame_reader_t *reader,
    u_char *p, size_t len)
{
    size_t   size;
    u_char  *buf;

    if (reader->size - reader->len < len || reader->buf == NULL) {

        /* what this frame still needs, so that it is copied once */

        size = reader->len + len + (size_t) reader->left;

        if (size < 2 * reader->size) {
            size = 2 * reader->size;
        }

        buf = ngx_alloc(size ? size : 1, ngx_cycle->log);
        if (buf == NULL) {
            return NGX_ERROR;
        }

        if (reader->buf) {
            ngx_memcpy(buf, reader->buf, reader->len);
            ngx_free(reader->buf);
        }

        reader->buf = buf;
        reader->size = size;
    }

    if (len) {
        ngx_memcpy(reader->buf + reader->len, p, len);
        reader->len += len;
    }

    return NGX_OK;
}


static ngx_uint_t
ngx_campfire_cable_frame_close_code(const ngx_str_t *payload)
{
    ngx_uint_t  code;

    if (payload->len == 0) {
        return NGX_CAMPFIRE_CABLE_CLOSE_NORMAL;
    }

    if (payload->len == 1
        || !ngx_campfire_base_utf8_valid(payload->data + 2, payload->len - 2))
    {
        return NGX_CAMPFIRE_CABLE_CLOSE_PROTOCOL;
    }

    code = ((ngx_uint_t) payload->data[0] << 8) | payload->data[1];

    if ((code >= 1000 && code <= 1003) || (code >= 1007 && code <= 1011)
        || (code >= 3000 && code <= 4999))
    {
        return code;
    }

    return NGX_CAMPFIRE_CABLE_CLOSE_PROTOCOL;
}


static ngx_int_t
ngx_campfire_cable_frame_fail(ngx_campfire_cable_frame_reader_t *reader,
    ngx_campfire_cable_frame_t *frame, ngx_uint_t code)
{
    reader->failed = (uint16_t) code;

    frame->opcode = NGX_CAMPFIRE_CABLE_FRAME_CLOSE;
    frame->payload.data = NULL;
    frame->payload.len = 0;
    frame->code = code;

    return NGX_ERROR;
}


size_t
ngx_campfire_cable_frame_header_len(size_t len)
{
    return (len < 126) ? 2 : (len < 65536) ? 4 : 10;
}


u_char *
ngx_campfire_cable_frame_header(u_char *p, ngx_campfire_cable_frame_e opcode,
    size_t len)
{
    int  shift;

    *p++ = (u_char) (0x80 | opcode);

    if (len < 126) {
        *p++ = (u_char) len;
        return p;
    }

    if (len < 65536) {
        *p++ = 126;
        shift = 8;

    } else {
        *p++ = 127;
        shift = 56;
    }

    for ( /* void */ ; shift >= 0; shift -= 8) {
        *p++ = (u_char) ((uint64_t) len >> shift);
    }

    return p;
}


u_char *
ngx_campfire_cable_frame_close(u_char *p, ngx_uint_t code)
{
    p = ngx_campfire_cable_frame_header(p, NGX_CAMPFIRE_CABLE_FRAME_CLOSE, 2);

    *p++ = (u_char) (code >> 8);
    *p++ = (u_char) code;

    return p;
}
