
/*
 * Any bytes from a WebSocket client.
 *
 * However the bytes are cut on their way, the same messages come out, within
 * their limits; the first byte of the input says how they are cut.
 */

#include "cable/ngx_campfire_cable_frame.h"
#include "base/ngx_campfire_base_utf8.h"


/* What was read, as a hash over codes, lengths and payloads. */

static uint64_t
fuzz_frame_read(const uint8_t *data, size_t size, size_t step)
{
    size_t                               n, i;
    u_char                              *piece, *pos;
    uint64_t                             hash;
    ngx_int_t                            rc;
    ngx_campfire_cable_frame_t           frame;
    ngx_campfire_cable_frame_reader_t    reader;

    memset(&reader, 0, sizeof(reader));
    hash = 0xcbf29ce484222325ULL;
    rc = NGX_AGAIN;

    while (size && rc != NGX_ERROR) {
        n = size < step ? size : step;

        piece = malloc(n);
        if (piece == NULL) {
            abort();
        }

        memcpy(piece, data, n);
        pos = piece;

        for ( ;; ) {
            rc = ngx_campfire_cable_frame_read(&reader, &pos, piece + n,
                                               &frame);
            if (rc == NGX_AGAIN) {
                if (pos != piece + n) {
                    abort();
                }

                break;
            }

            hash = (hash ^ frame.opcode) * 0x100000001b3ULL;
            hash = (hash ^ frame.code) * 0x100000001b3ULL;
            hash = (hash ^ frame.payload.len) * 0x100000001b3ULL;

            for (i = 0; i < frame.payload.len; i++) {
                hash = (hash ^ frame.payload.data[i]) * 0x100000001b3ULL;
            }

            if (rc == NGX_ERROR) {
                break;
            }

            if (frame.payload.len > ((frame.opcode & 8)
                                     ? NGX_CAMPFIRE_CABLE_FRAME_CONTROL
                                     : NGX_CAMPFIRE_CABLE_FRAME_MESSAGE)
                || (frame.opcode == NGX_CAMPFIRE_CABLE_FRAME_TEXT
                    && !ngx_campfire_base_utf8_valid(frame.payload.data,
                                                     frame.payload.len)))
            {
                abort();
            }
        }

        free(piece);
        data += n;
        size -= n;
    }

    ngx_campfire_cable_frame_cleanup(&reader);

    return hash;
}


int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    uint64_t  hash;

    if (size < 2) {
        return 0;
    }

    hash = fuzz_frame_read(data + 1, size - 1, size);

    if (fuzz_frame_read(data + 1, size - 1, 1) != hash
        || fuzz_frame_read(data + 1, size - 1, (size_t) data[0] + 2) != hash)
    {
        abort();
    }

    return 0;
}
