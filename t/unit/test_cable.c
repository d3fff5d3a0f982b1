
/*
 * The pure parts of cable/: frames, handshake, commands.
 *
 * Every script of frames is read three times: in one piece, byte by byte and
 * cut in two at every place, with the same outcome.
 */

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>

#include "cable/ngx_campfire_cable_frame.h"
#include "cable/ngx_campfire_cable_handshake.h"
#include "cable/ngx_campfire_cable_protocol.h"

#include <cmocka.h>
#include <jansson.h>


#define countof(a)  (sizeof(a) / sizeof((a)[0]))


typedef struct {
    u_char    *data;
    size_t     len;
} bytes_t;


/* A client's frame: masked, with the shortest length. */

static void
frame(bytes_t *b, unsigned first, const void *payload, size_t len)
{
    size_t                i;
    u_char               *p;
    static const u_char   mask[4] = { 0x37, 0xfa, 0x21, 0x3d };

    b->data = realloc(b->data, b->len + 14 + len);
    assert_non_null(b->data);

    p = b->data + b->len;
    *p++ = (u_char) first;

    if (len < 126) {
        *p++ = (u_char) (0x80 | len);

    } else if (len < 65536) {
        *p++ = 0x80 | 126;
        *p++ = (u_char) (len >> 8);
        *p++ = (u_char) len;

    } else {
        *p++ = 0x80 | 127;

        for (i = 8; i > 0; i--) {
            *p++ = (u_char) ((uint64_t) len >> (8 * (i - 1)));
        }
    }

    memcpy(p, mask, 4);
    p += 4;

    for (i = 0; i < len; i++) {
        *p++ = ((const u_char *) payload)[i] ^ mask[i & 3];
    }

    b->len = (size_t) (p - b->data);
}


/*
 * Appends to out what the reader makes of len bytes: "1:hello ", with the
 * code of a close or an error in the place of the text.
 */

static ngx_int_t
feed(ngx_campfire_cable_frame_reader_t *reader, const u_char *data,
    size_t len, char *out, size_t size)
{
    u_char                      *copy, *pos;
    size_t                       used;
    ngx_int_t                    rc;
    ngx_campfire_cable_frame_t   f;

    copy = malloc(len ? len : 1);
    assert_non_null(copy);

    if (len) {
        memcpy(copy, data, len);
    }

    pos = copy;

    for ( ;; ) {
        rc = ngx_campfire_cable_frame_read(reader, &pos, copy + len, &f);
        used = strlen(out);

        if (rc == NGX_AGAIN) {
            assert_ptr_equal(pos, copy + len);
            break;
        }

        if (rc == NGX_ERROR) {
            snprintf(out + used, size - used, "!%d ", (int) f.code);
            break;
        }

        assert_int_equal(rc, NGX_OK);

        if (f.opcode == NGX_CAMPFIRE_CABLE_FRAME_CLOSE) {
            snprintf(out + used, size - used, "8:%d ", (int) f.code);

        } else if (f.payload.len > 200) {
            snprintf(out + used, size - used, "%d:(%d) ", (int) f.opcode,
                     (int) f.payload.len);

        } else {
            snprintf(out + used, size - used, "%d:%.*s ", (int) f.opcode,
                     (int) f.payload.len, (char *) f.payload.data);
        }
    }

    free(copy);

    return rc;
}


static void
expect(const u_char *data, size_t len, const char *want)
{
    char                                out[1024];
    size_t                              i;
    ngx_campfire_cable_frame_reader_t   reader;

    memset(&reader, 0, sizeof(reader));
    out[0] = '\0';
    (void) feed(&reader, data, len, out, sizeof(out));
    ngx_campfire_cable_frame_cleanup(&reader);
    assert_string_equal(out, want);

    memset(&reader, 0, sizeof(reader));
    out[0] = '\0';

    for (i = 0; i < len; i++) {
        if (feed(&reader, data + i, 1, out, sizeof(out)) == NGX_ERROR) {
            break;
        }
    }

    ngx_campfire_cable_frame_cleanup(&reader);
    assert_string_equal(out, want);

    for (i = 0; i <= len && len < 1000; i++) {
        memset(&reader, 0, sizeof(reader));
        out[0] = '\0';

        if (feed(&reader, data, i, out, sizeof(out)) != NGX_ERROR) {
            (void) feed(&reader, data + i, len - i, out, sizeof(out));
        }

        ngx_campfire_cable_frame_cleanup(&reader);
        assert_string_equal(out, want);
    }
}


static void
test_frame_messages(void **state)
{
    size_t    i, k;
    bytes_t   b;

    /* up to three frames, then what is read */

    static const struct {
        struct {
            unsigned     first;
            const char  *payload;
        } frames[4];
        const char      *want;
    } t[] = {
        { { { 0x81, "hello" } }, "1:hello " },
        { { { 0x81, "" } }, "1: " },
        { { { 0x82, "\xff\xfe" } }, "2:\xff\xfe " },
        { { { 0x81, "a" }, { 0x81, "b" }, { 0x81, "c" } }, "1:a 1:b 1:c " },

        /* fragments */
        { { { 0x01, "he" }, { 0x00, "l" }, { 0x80, "lo" } }, "1:hello " },
        { { { 0x01, "" }, { 0x00, "" }, { 0x80, "" } }, "1: " },
        { { { 0x01, "" }, { 0x80, "x" }, { 0x81, "y" } }, "1:x 1:y " },
        { { { 0x02, "a" }, { 0x80, "b" }, { 0x81, "c" } }, "2:ab 1:c " },
        { { { 0x01, "a" } }, "" },

        /* a character may be cut by fragments */
        { { { 0x01, "\xe2\x82" }, { 0x80, "\xac" } }, "1:\xe2\x82\xac " },

        /* control frames between fragments */
        { { { 0x01, "a" }, { 0x89, "p" }, { 0x80, "b" }, { 0x8a, "q" } },
          "9:p 1:ab 10:q " },
        { { { 0x01, "a" }, { 0x89, "" }, { 0x00, "b" }, { 0x80, "c" } },
          "9: 1:abc " },
        { { { 0x89, "\xff" } }, "9:\xff " },
        { { { 0x8a, "" } }, "10: " },

        /* sequence */
        { { { 0x80, "x" } }, "!1002 " },
        { { { 0x00, "x" } }, "!1002 " },
        { { { 0x01, "a" }, { 0x81, "b" } }, "!1002 " },
        { { { 0x01, "a" }, { 0x01, "b" } }, "!1002 " },
        { { { 0x01, "a" }, { 0x82, "b" } }, "!1002 " },
        { { { 0x81, "a" }, { 0x80, "b" } }, "1:a !1002 " },

        /* reserved bits and opcodes, fragmented control frames */
        { { { 0xc1, "a" } }, "!1002 " },
        { { { 0xa1, "a" } }, "!1002 " },
        { { { 0x91, "a" } }, "!1002 " },
        { { { 0x83, "a" } }, "!1002 " },
        { { { 0x87, "a" } }, "!1002 " },
        { { { 0x8b, "a" } }, "!1002 " },
        { { { 0x8f, "a" } }, "!1002 " },
        { { { 0x09, "a" } }, "!1002 " },
        { { { 0x0a, "a" } }, "!1002 " },
        { { { 0x08, "\x03\xe8" } }, "!1002 " },

        /* encoding: of text only, and of the whole */
        { { { 0x81, "\xff" } }, "!1007 " },
        { { { 0x81, "\xc3" } }, "!1007 " },
        { { { 0x81, "\xed\xa0\x80" } }, "!1007 " },
        { { { 0x81, "\xc0\x80" } }, "!1007 " },
        { { { 0x81, "\xf4\x90\x80\x80" } }, "!1007 " },
        { { { 0x01, "\xe2" }, { 0x80, "\x82" } }, "!1007 " }
    };

    for (i = 0; i < countof(t); i++) {
        b.data = NULL;
        b.len = 0;

        for (k = 0; k < 4 && t[i].frames[k].payload; k++) {
            frame(&b, t[i].frames[k].first, t[i].frames[k].payload,
                  strlen(t[i].frames[k].payload));
        }

        expect(b.data, b.len, t[i].want);
        free(b.data);
    }
}


static void
test_frame_close(void **state)
{
    char      want[32];
    size_t    i;
    bytes_t   b;

    static const struct {
        const char  *payload;
        size_t       len;
        int          code;
    } t[] = {
#define row(s, code)  { s, sizeof(s) - 1, code }
        row("", 1000),
        row("\x03", 1002),
        row("\x03\xe8", 1000),
        row("\x03\xe9", 1001),
        row("\x03\xeb", 1003),
        row("\x03\xec", 1002),      /* 1004 to 1006 are never sent */
        row("\x03\xed", 1002),
        row("\x03\xee", 1002),
        row("\x03\xef", 1007),
        row("\x03\xf3", 1011),
        row("\x03\xf4", 1002),
        row("\x03\xf7", 1002),      /* 1015 */
        row("\x00\x00", 1002),
        row("\x03\xe7", 1002),
        row("\x0b\xb7", 1002),      /* 2999 */
        row("\x0b\xb8", 3000),
        row("\x13\x87", 4999),
        row("\x13\x88", 1002),
        row("\xff\xff", 1002),
        row("\x03\xe8" "bye \xe2\x82\xac", 1000),
        row("\x03\xe8" "bye \xe2\x82", 1002)
#undef row
    };

    for (i = 0; i < countof(t); i++) {
        b.data = NULL;
        b.len = 0;
        frame(&b, 0x88, t[i].payload, t[i].len);
        sprintf(want, "8:%d ", t[i].code);
        expect(b.data, b.len, want);
        free(b.data);
    }
}


static void
test_frame_headers(void **state)
{
    size_t  i;

    /* as sent, incomplete where the header decides */

    static const struct {
        const char  *data;
        size_t       len;
        const char  *want;
    } t[] = {
#define row(s, want)  { s, sizeof(s) - 1, want }
        row("\x81\x05hello", "!1003 "),               /* no mask */
        row("\x81\x00", "!1003 "),
        row("\x89\x00", "!1003 "),
        row("\xc1\x00", "!1002 "),

        row("\x81\x85\0\0\0\0hello", "1:hello "),
        row("\x81\x85\x20\x20\x20\x20HELLO", "1:hello "),

        /* control frames longer than 125 */
        row("\x89\xfe", "!1002 "),
        row("\x88\xff", "!1002 "),
        row("\x8a\x7e", "!1002 "),

        /* a length in more bytes than it needs */
        row("\x81\xfe\x00\x05\0\0\0\0", "!1002 "),
        row("\x81\xfe\x00\x7d\0\0\0\0", "!1002 "),
        row("\x81\xff\0\0\0\0\0\0\xff\xff\0\0\0\0", "!1002 "),
        row("\x81\xff\0\0\0\0\0\0\0\x01\0\0\0\0", "!1002 "),
        row("\x81\xff\x80\0\0\0\0\0\0\0\0\0\0\0", "!1002 "),

        /* longer than a message may be */
        row("\x81\xff\0\0\0\0\0\x01\0\x01\0\0\0\0", "!1009 "),
        row("\x82\xff\0\0\0\0\0\x01\0\x01\0\0\0\0", "!1009 "),
        row("\x81\xff\x7f\xff\xff\xff\xff\xff\xff\xff\0\0\0\0", "!1009 "),
        row("\x01\x81\0\0\0\0x\x80\xff\0\0\0\0\0\x01\0\0\0\0\0\0", "!1009 "),

        row("", ""),
        row("\x81", ""),
        row("\x81\x85\0\0\0", ""),
        row("\x81\x85\0\0\0\0hell", "")
#undef row
    };

    for (i = 0; i < countof(t); i++) {
        expect((const u_char *) t[i].data, t[i].len, t[i].want);
    }
}


static void
test_frame_sizes(void **state)
{
    char      want[256];
    char     *payload;
    size_t    i;
    bytes_t   b;

    static const size_t  sizes[] = {
        124, 125, 126, 127, 199, 255, 256, 65535, 65536
    };

    payload = malloc(65537);
    assert_non_null(payload);
    memset(payload, 'x', 65537);

    for (i = 0; i < countof(sizes); i++) {
        b.data = NULL;
        b.len = 0;
        frame(&b, 0x81, payload, sizes[i]);

        if (sizes[i] > 200) {
            sprintf(want, "1:(%d) ", (int) sizes[i]);

        } else {
            sprintf(want, "1:%.*s ", (int) sizes[i], payload);
        }

        expect(b.data, b.len, want);
        free(b.data);
    }

    b.data = NULL;
    b.len = 0;
    frame(&b, 0x89, payload, 125);
    assert_int_equal(b.len, 6 + 125);
    free(b.data);

    /* the limit is that of a message, not of a frame */

    b.data = NULL;
    b.len = 0;
    frame(&b, 0x01, payload, 65000);
    frame(&b, 0x89, "p", 1);
    frame(&b, 0x80, payload, 536);
    frame(&b, 0x01, payload, 65000);
    frame(&b, 0x80, payload, 537);
    expect(b.data, b.len, "9:p 1:(65536) !1009 ");
    free(b.data);

    free(payload);
}


/* Payload bytes arrive as they were, at every position of the mask. */

static void
test_frame_unmask(void **state)
{
    u_char                               payload[64], *pos, *first;
    size_t                               i, n, cut;
    bytes_t                              b;
    ngx_int_t                            rc;
    ngx_campfire_cable_frame_t           f;
    ngx_campfire_cable_frame_reader_t    reader;

    for (i = 0; i < sizeof(payload); i++) {
        payload[i] = (u_char) (i * 37 + 11);
    }

    for (n = 0; n <= sizeof(payload); n++) {
        for (cut = 0; cut <= n; cut++) {
            memset(&reader, 0, sizeof(reader));
            b.data = NULL;
            b.len = 0;
            frame(&b, 0x82, payload, n);

            pos = b.data;
            first = b.data + 6 + cut;
            rc = ngx_campfire_cable_frame_read(&reader, &pos, first, &f);

            if (cut < n) {
                assert_int_equal(rc, NGX_AGAIN);
                rc = ngx_campfire_cable_frame_read(&reader, &pos,
                                                   b.data + b.len, &f);
            }

            assert_int_equal(rc, NGX_OK);
            assert_int_equal(f.payload.len, n);
            assert_memory_equal(f.payload.data, payload, n);

            ngx_campfire_cable_frame_cleanup(&reader);
            free(b.data);
        }
    }
}


/* The first error is the last word. */

static void
test_frame_failed(void **state)
{
    u_char                              *pos;
    ngx_campfire_cable_frame_t           f;
    ngx_campfire_cable_frame_reader_t    reader;

    u_char  text[] = "\x81\x81\0\0\0\0\xff\x81\x81\0\0\0\0x";

    memset(&reader, 0, sizeof(reader));
    pos = text;

    assert_int_equal(ngx_campfire_cable_frame_read(&reader, &pos, text + 14,
                                                   &f), NGX_ERROR);
    assert_int_equal(f.code, 1007);
    assert_int_equal(f.opcode, NGX_CAMPFIRE_CABLE_FRAME_CLOSE);

    assert_int_equal(ngx_campfire_cable_frame_read(&reader, &pos, text + 14,
                                                   &f), NGX_ERROR);
    assert_int_equal(f.code, 1007);

    ngx_campfire_cable_frame_cleanup(&reader);
}


static void
test_frame_write(void **state)
{
    u_char   buf[16], *p;
    size_t   i;

    static const struct {
        size_t       len;
        size_t       n;
        const char  *bytes;
    } t[] = {
        { 0, 2, "\x81\x00" },
        { 125, 2, "\x81\x7d" },
        { 126, 4, "\x81\x7e\x00\x7e" },
        { 65535, 4, "\x81\x7e\xff\xff" },
        { 65536, 10, "\x81\x7f\0\0\0\0\0\x01\0\0" },
        { 4194304, 10, "\x81\x7f\0\0\0\0\0\x40\0\0" }
    };

    for (i = 0; i < countof(t); i++) {
        p = ngx_campfire_cable_frame_header(buf, NGX_CAMPFIRE_CABLE_FRAME_TEXT,
                                            t[i].len);
        assert_int_equal(p - buf, t[i].n);
        assert_memory_equal(buf, t[i].bytes, t[i].n);
        assert_int_equal(ngx_campfire_cable_frame_header_len(t[i].len),
                         t[i].n);
    }

    p = ngx_campfire_cable_frame_close(buf, 1009);
    assert_int_equal(p - buf, 4);
    assert_memory_equal(buf, "\x88\x02\x03\xf1", 4);
}


static ngx_str_t
str(const char *s)
{
    ngx_str_t  v;

    v.data = (u_char *) s;
    v.len = strlen(s);

    return v;
}


static void
test_handshake(void **state)
{
    u_char            accept[NGX_CAMPFIRE_CABLE_HANDSHAKE_ACCEPT];
    size_t            i;
    ngx_str_t         s, upgrade, websocket, version;
    const ngx_str_t  *protocol;

    static const struct {
        const char  *value;
        ngx_uint_t   has;
    } lists[] = {
        { "upgrade", 1 },
        { "Upgrade", 1 },
        { "keep-alive, Upgrade", 1 },
        { "keep-alive,\tUPGRADE ,x", 1 },
        { ",,upgrade", 1 },
        { "", 0 },
        { ",", 0 },
        { "upgraded", 0 },
        { "up grade", 0 },
        { "keep-alive", 0 }
    };

    static const struct {
        const char  *key;
        ngx_uint_t   valid;
    } keys[] = {
        { "dGhlIHNhbXBsZSBub25jZQ==", 1 },
        { "AAAAAAAAAAAAAAAAAAAAAA==", 1 },
        { "++++//////////////////==", 1 },
        { "", 0 },
        { "dGhlIHNhbXBsZSBub25jZQ=", 0 },
        { "dGhlIHNhbXBsZSBub25jZQ===", 0 },
        { "dGhlIHNhbXBsZSBub25jZQQ=", 0 },
        { "dGhlIHNhbXBsZSBub25jZQQQ", 0 },
        { "dGhlIHNhbXBsZSBub25j Q==", 0 },
        { "dGhlIHNhbXBsZSBub25j-_==", 0 },
        { "=dGhlIHNhbXBsZSBub25jZ==", 0 }
    };

    static const struct {
        const char  *list;
        const char  *protocol;
    } protocols[] = {
        { "actioncable-v1-json, actioncable-unsupported",
          "actioncable-v1-json" },
        { "actioncable-unsupported,actioncable-v1-json",
          "actioncable-unsupported" },
        { "foo, actioncable-v1-json", "actioncable-v1-json" },
        { " actioncable-v1-json ", "actioncable-v1-json" },
        { "ActionCable-V1-JSON", NULL },
        { "actioncable-v1-jso", NULL },
        { "foo", NULL },
        { "", NULL }
    };

    upgrade = str("upgrade");
    websocket = str("websocket");
    version = str("13");

    for (i = 0; i < countof(lists); i++) {
        s = str(lists[i].value);
        assert_int_equal(ngx_campfire_cable_handshake_has(&s, &upgrade),
                         lists[i].has);
    }

    s = str("WebSocket");
    assert_true(ngx_campfire_cable_handshake_is(&s, &websocket));
    s = str("websockets");
    assert_false(ngx_campfire_cable_handshake_is(&s, &websocket));
    s = str("13");
    assert_true(ngx_campfire_cable_handshake_is(&s, &version));
    s = str("8");
    assert_false(ngx_campfire_cable_handshake_is(&s, &version));
    s = str("13, 8");
    assert_false(ngx_campfire_cable_handshake_is(&s, &version));

    for (i = 0; i < countof(keys); i++) {
        s = str(keys[i].key);

        if (ngx_campfire_cable_handshake_key_valid(&s) != keys[i].valid) {
            fail_msg("key \"%s\"", keys[i].key);
        }
    }

    for (i = 0; i < countof(protocols); i++) {
        s = str(protocols[i].list);
        protocol = ngx_campfire_cable_handshake_protocol(&s);

        if (protocols[i].protocol == NULL) {
            assert_null(protocol);
            continue;
        }

        assert_non_null(protocol);
        assert_int_equal(protocol->len, strlen(protocols[i].protocol));
        assert_memory_equal(protocol->data, protocols[i].protocol,
                            protocol->len);
    }

    s = str("dGhlIHNhbXBsZSBub25jZQ==");
    assert_int_equal(ngx_campfire_cable_handshake_accept(&s, accept), NGX_OK);
    assert_memory_equal(accept, "s3pPLMBiTxaQ9kYGzzhZRbK+xOo=",
                        sizeof(accept));

    s = str("short");
    assert_int_equal(ngx_campfire_cable_handshake_accept(&s, accept),
                     NGX_ERROR);
}


static void
test_protocol_command(void **state)
{
    size_t                          i;
    ngx_int_t                       rc;
    ngx_str_t                       s;
    ngx_pool_t                     *pool;
    ngx_campfire_cable_command_t    c;

    static const struct {
        const char  *text;
        int          command;       /* -1: ignored */
        const char  *identifier;
        const char  *data;
    } t[] = {
        { "{\"command\":\"subscribe\",\"identifier\":\"{}\"}",
          NGX_CAMPFIRE_CABLE_SUBSCRIBE, "{}", NULL },
        { " {\"identifier\":\"{ \\\"channel\\\" :1}\", \"x\":[], "
          "\"command\":\"unsubscribe\"} ",
          NGX_CAMPFIRE_CABLE_UNSUBSCRIBE, "{ \"channel\" :1}", NULL },
        { "{\"command\":\"message\",\"identifier\":\"i\",\"data\":\"d\"}",
          NGX_CAMPFIRE_CABLE_MESSAGE, "i", "d" },
        { "{\"command\":\"subscribe\",\"identifier\":\"\","
          "\"data\":\"\\u003c\"}",
          NGX_CAMPFIRE_CABLE_SUBSCRIBE, "", "<" },
        { "{\"command\":\"subscribe\",\"identifier\":\"i\",\"data\":7}",
          NGX_CAMPFIRE_CABLE_SUBSCRIBE, "i", NULL },
        { "{\"command\":\"message\",\"command\":\"subscribe\","
          "\"identifier\":\"i\"}",
          NGX_CAMPFIRE_CABLE_SUBSCRIBE, "i", NULL },
        { "{\"command\":\"subscribe\",\"identifier\":\"i\","
          "\"n\":99999999999999999999}",
          NGX_CAMPFIRE_CABLE_SUBSCRIBE, "i", NULL },

        { "", -1, NULL, NULL },
        { "x", -1, NULL, NULL },
        { "[]", -1, NULL, NULL },
        { "null", -1, NULL, NULL },
        { "\"subscribe\"", -1, NULL, NULL },
        { "{}", -1, NULL, NULL },
        { "{\"command\":\"subscribe\"}", -1, NULL, NULL },
        { "{\"identifier\":\"i\"}", -1, NULL, NULL },
        { "{\"command\":null,\"identifier\":\"i\"}", -1, NULL, NULL },
        { "{\"command\":[\"subscribe\"],\"identifier\":\"i\"}",
          -1, NULL, NULL },
        { "{\"command\":\"Subscribe\",\"identifier\":\"i\"}",
          -1, NULL, NULL },
        { "{\"command\":\"subscribe \",\"identifier\":\"i\"}",
          -1, NULL, NULL },
        { "{\"command\":\"subscribe\\u0000\",\"identifier\":\"i\"}",
          -1, NULL, NULL },
        { "{\"command\":\"pong\",\"identifier\":\"i\"}", -1, NULL, NULL },
        { "{\"command\":\"subscribe\",\"identifier\":{}}", -1, NULL, NULL },
        { "{\"command\":\"subscribe\",\"identifier\":null}", -1, NULL, NULL },
        { "{\"command\":\"message\",\"identifier\":\"i\"}", -1, NULL, NULL },
        { "{\"command\":\"message\",\"identifier\":\"i\",\"data\":{}}",
          -1, NULL, NULL },
        { "{\"command\":\"subscribe\",\"identifier\":\"i\"} x",
          -1, NULL, NULL },
        { "{\"command\":\"subscribe\",\"identifier\":\"\\ud800\"}",
          -1, NULL, NULL },
        { "{\"command\":\"subscribe\",\"identifier\":\"i\"", -1, NULL, NULL }
    };

    pool = ngx_create_pool(4096, NULL);

    for (i = 0; i < countof(t); i++) {
        s = str(t[i].text);
        rc = ngx_campfire_cable_protocol_command(pool, &s, &c);

        if (rc != (t[i].command < 0 ? NGX_DECLINED : NGX_OK)) {
            fail_msg("%s: %d", t[i].text, (int) rc);
        }

        if (rc != NGX_OK) {
            continue;
        }

        assert_int_equal(c.command, t[i].command);
        assert_int_equal(c.identifier.len, strlen(t[i].identifier));
        assert_memory_equal(c.identifier.data, t[i].identifier,
                            c.identifier.len);

        if (t[i].data == NULL) {
            assert_null(c.data.data);

        } else {
            assert_int_equal(c.data.len, strlen(t[i].data));
            assert_memory_equal(c.data.data, t[i].data, c.data.len);
        }
    }

    ngx_destroy_pool(pool);
}


static void
test_protocol_identifier(void **state)
{
    char                               text[256];
    size_t                             i;
    ngx_int_t                          rc;
    ngx_str_t                          s;
    ngx_pool_t                        *pool;
    ngx_campfire_cable_identifier_t    id;

    static const struct {
        const char  *json;
        const char  *channel;       /* NULL: ignored */
    } t[] = {
        { "{\"channel\":\"HeartbeatChannel\"}", "HeartbeatChannel" },
        { "{\"channel\":\"::HeartbeatChannel\"}", "HeartbeatChannel" },
        { "{\"channel\":\"Turbo::StreamsChannel\"}",
          "Turbo::StreamsChannel" },
        { "{\"channel\":\"::::X\"}", "::X" },
        { "{\"channel\":\"::\"}", "::" },
        { "{\"channel\":\"\"}", "" },
        { "{\"room_id\":1, \"channel\":\"X\"}", "X" },
        { "{}", NULL },
        { "{\"channel\":null}", NULL },
        { "{\"channel\":1}", NULL },
        { "{\"channel\":[\"X\"]}", NULL },
        { "[\"X\"]", NULL },
        { "\"X\"", NULL },
        { "X", NULL },
        { "", NULL }
    };

    static const struct {
        const char  *json;
        int          has;
        int64_t      id;
    } rooms[] = {
        { "1", 1, 1 },
        { "-1", 1, -1 },
        { "0", 1, 0 },
        { "9223372036854775807", 1, INT64_MAX },
        { "9223372036854775808", 0, 0 },
        { "99999999999999999999999", 0, 0 },
        { "1.9", 1, 1 },
        { "-1.9", 1, -1 },
        { "1e3", 1, 1000 },
        { "1e30", 0, 0 },
        { "true", 1, 1 },
        { "false", 1, 0 },
        { "null", 0, 0 },
        { "[1]", 0, 0 },
        { "{\"a\":1}", 0, 0 },
        { "\"1\"", 1, 1 },
        { "\"12abc\"", 1, 12 },
        { "\"abc\"", 1, 0 },
        { "\"\"", 0, 0 },
        { "\" \\t\\n 7\"", 1, 7 },
        { "\"+7\"", 1, 7 },
        { "\"-7\"", 1, -7 },
        { "\"--7\"", 1, 0 },
        { "\"1_2\"", 1, 12 },
        { "\"1__2\"", 1, 1 },
        { "\"_12\"", 1, 0 },
        { "\"12_\"", 1, 12 },
        { "\"0x1A\"", 1, 0 },
        { "\"1.9\"", 1, 1 },
        { "\"1\\u00002\"", 1, 1 },
        { "\"9999999999999999999\"", 0, 0 }
    };

    pool = ngx_create_pool(4096, NULL);

    for (i = 0; i < countof(t); i++) {
        s = str(t[i].json);
        rc = ngx_campfire_cable_protocol_identifier(pool, &s, &id);

        if (rc != (t[i].channel ? NGX_OK : NGX_DECLINED)) {
            fail_msg("%s: %d", t[i].json, (int) rc);
        }

        if (rc == NGX_OK) {
            assert_int_equal(id.channel.len, strlen(t[i].channel));
            assert_memory_equal(id.channel.data, t[i].channel,
                                id.channel.len);
            assert_null(id.signed_stream_name.data);
        }
    }

    for (i = 0; i < countof(rooms); i++) {
        sprintf(text, "{\"channel\":\"X\",\"room_id\":%s}", rooms[i].json);
        s = str(text);

        assert_int_equal(ngx_campfire_cable_protocol_identifier(pool, &s,
                                                                &id), NGX_OK);

        if (id.has_room_id != (unsigned) rooms[i].has
            || (id.has_room_id && id.room_id != rooms[i].id))
        {
            fail_msg("room_id %s: %d, %lld", rooms[i].json, id.has_room_id,
                     (long long) id.room_id);
        }
    }

    s = str("{\"channel\":\"X\",\"signed_stream_name\":\"a--b\"}");
    assert_int_equal(ngx_campfire_cable_protocol_identifier(pool, &s, &id),
                     NGX_OK);
    assert_int_equal(id.has_room_id, 0);
    assert_int_equal(id.signed_stream_name.len, 4);
    assert_memory_equal(id.signed_stream_name.data, "a--b", 4);

    s = str("{\"channel\":\"X\",\"signed_stream_name\":[\"a\"]}");
    assert_int_equal(ngx_campfire_cable_protocol_identifier(pool, &s, &id),
                     NGX_OK);
    assert_null(id.signed_stream_name.data);

    ngx_destroy_pool(pool);
}


static void
test_protocol_action(void **state)
{
    size_t       i;
    ngx_int_t    rc;
    ngx_str_t    s, action;
    ngx_pool_t  *pool;

    static const struct {
        const char  *data;
        const char  *action;        /* NULL: ignored */
    } t[] = {
        { "{\"action\":\"present\"}", "present" },
        { "{\"room\":{\"action\":\"x\"},\"action\":\"start\"}", "start" },
        { "{\"action\":\"\"}", "" },
        { "{\"action\":7}", NULL },
        { "{}", NULL },
        { "[]", NULL },
        { "\"present\"", NULL },
        { "present", NULL },
        { "", NULL }
    };

    pool = ngx_create_pool(4096, NULL);

    for (i = 0; i < countof(t); i++) {
        s = str(t[i].data);
        rc = ngx_campfire_cable_protocol_action(pool, &s, &action);

        if (rc != (t[i].action ? NGX_OK : NGX_DECLINED)) {
            fail_msg("%s: %d", t[i].data, (int) rc);
        }

        if (rc == NGX_OK) {
            assert_int_equal(action.len, strlen(t[i].action));
            assert_memory_equal(action.data, t[i].action, action.len);
        }
    }

    ngx_destroy_pool(pool);
}


static void
text_is(ngx_campfire_buf_t *out, const char *want)
{
    ngx_str_t  got;

    assert_int_equal(ngx_campfire_base_buf_done(out, &got), NGX_OK);

    if (got.len != strlen(want) || memcmp(got.data, want, got.len) != 0) {
        fail_msg("%.*s, not %s", (int) got.len, (char *) got.data, want);
    }

    out->len = 0;
}


static void
test_protocol_frames(void **state)
{
    json_t              *root;
    ngx_str_t            s, message, got;
    ngx_pool_t          *pool;
    ngx_campfire_buf_t   out;

    static const char  hard[] =
        "{\"a\": \"\\\\ <&> \xe2\x80\xa8 \0 \x01 \xc3\xa4\"}";

    pool = ngx_create_pool(4096, NULL);
    ngx_campfire_base_buf_init(&out, pool, 64);

    s = str("{\"channel\":\"X\"}");
    message = str("{\"room_id\":1}");

    ngx_campfire_cable_protocol_welcome(&out);
    text_is(&out, "{\"type\":\"welcome\"}");

    ngx_campfire_cable_protocol_ping(&out, 1767225600);
    text_is(&out, "{\"type\":\"ping\",\"message\":1767225600}");

    ngx_campfire_cable_protocol_confirm(&out, s);
    text_is(&out, "{\"identifier\":\"{\\\"channel\\\":\\\"X\\\"}\","
                  "\"type\":\"confirm_subscription\"}");

    ngx_campfire_cable_protocol_reject(&out, s);
    text_is(&out, "{\"identifier\":\"{\\\"channel\\\":\\\"X\\\"}\","
                  "\"type\":\"reject_subscription\"}");

    ngx_campfire_cable_protocol_message(&out, s, message);
    text_is(&out, "{\"identifier\":\"{\\\"channel\\\":\\\"X\\\"}\","
                  "\"message\":{\"room_id\":1}}");

    ngx_campfire_cable_protocol_disconnect(&out, "remote", 1);
    text_is(&out, "{\"type\":\"disconnect\",\"reason\":\"remote\","
                  "\"reconnect\":true}");

    ngx_campfire_cable_protocol_disconnect(&out, "unauthorized", 0);
    text_is(&out, "{\"type\":\"disconnect\",\"reason\":\"unauthorized\","
                  "\"reconnect\":false}");

    ngx_campfire_cable_protocol_disconnect(&out, NULL, 1);
    text_is(&out, "{\"type\":\"disconnect\",\"reason\":null,"
                  "\"reconnect\":true}");

    /* the client finds its own text again, whatever is in it */

    s.data = (u_char *) hard;
    s.len = sizeof(hard) - 1;

    ngx_campfire_cable_protocol_confirm(&out, s);
    assert_int_equal(ngx_campfire_base_buf_done(&out, &got), NGX_OK);

    root = json_loadb((char *) got.data, got.len, JSON_ALLOW_NUL, NULL);
    assert_non_null(root);
    assert_int_equal(json_string_length(json_object_get(root, "identifier")),
                     s.len);
    assert_memory_equal(json_string_value(json_object_get(root,
                                                          "identifier")),
                        s.data, s.len);
    json_decref(root);

    ngx_destroy_pool(pool);
}


int
main(void)
{
    const struct CMUnitTest  tests[] = {
        cmocka_unit_test(test_frame_messages),
        cmocka_unit_test(test_frame_close),
        cmocka_unit_test(test_frame_headers),
        cmocka_unit_test(test_frame_sizes),
        cmocka_unit_test(test_frame_unmask),
        cmocka_unit_test(test_frame_failed),
        cmocka_unit_test(test_frame_write),
        cmocka_unit_test(test_handshake),
        cmocka_unit_test(test_protocol_command),
        cmocka_unit_test(test_protocol_identifier),
        cmocka_unit_test(test_protocol_action),
        cmocka_unit_test(test_protocol_frames),
    };

    cmocka_set_message_output(CM_OUTPUT_TAP);

    return cmocka_run_group_tests(tests, NULL, NULL);
}
