
/*
 * Any bytes as a message of an Action Cable client, and as the identifier
 * and the data within one.
 *
 * What the server answers is JSON that gives the identifier back unchanged.
 */

#include "cable/ngx_campfire_cable_protocol.h"

#include <jansson.h>


static void
fuzz_protocol_answer(ngx_pool_t *pool, ngx_str_t identifier)
{
    json_t              *root, *value;
    ngx_str_t            answer;
    ngx_campfire_buf_t   out;

    ngx_campfire_base_buf_init(&out, pool, 64);
    ngx_campfire_cable_protocol_confirm(&out, identifier);

    if (ngx_campfire_base_buf_done(&out, &answer) != NGX_OK) {
        abort();
    }

    root = json_loadb((char *) answer.data, answer.len, JSON_ALLOW_NUL, NULL);
    value = json_object_get(root, "identifier");

    if (value == NULL
        || json_string_length(value) != identifier.len
        || memcmp(json_string_value(value), identifier.data, identifier.len)
           != 0)
    {
        abort();
    }

    json_decref(root);
}


static void
fuzz_protocol_inner(ngx_pool_t *pool, ngx_str_t *text)
{
    ngx_str_t                          action;
    ngx_campfire_cable_identifier_t    identifier;

    if (ngx_campfire_cable_protocol_identifier(pool, text, &identifier)
        == NGX_OK
        && (identifier.channel.data == NULL
            || (!identifier.has_room_id && identifier.room_id != 0)))
    {
        abort();
    }

    if (ngx_campfire_cable_protocol_action(pool, text, &action) == NGX_OK
        && action.data == NULL)
    {
        abort();
    }
}


int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    ngx_str_t                       text;
    ngx_pool_t                     *pool;
    ngx_campfire_cable_command_t    command;

    pool = ngx_create_pool(4096, NULL);

    text.len = size;
    text.data = ngx_pnalloc(pool, size);

    if (text.data == NULL) {
        abort();
    }

    ngx_memcpy(text.data, data, size);

    fuzz_protocol_inner(pool, &text);

    if (ngx_campfire_cable_protocol_command(pool, &text, &command) == NGX_OK) {
        fuzz_protocol_answer(pool, command.identifier);
        fuzz_protocol_inner(pool, &command.identifier);

        if (command.data.data) {
            fuzz_protocol_inner(pool, &command.data);

        } else if (command.command == NGX_CAMPFIRE_CABLE_MESSAGE) {
            abort();
        }
    }

    ngx_destroy_pool(pool);

    return 0;
}
