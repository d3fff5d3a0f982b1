
/*
 * The words the database and the page have for enumerated values.
 */

#include "models/ngx_campfire_model.h"


const ngx_str_t  ngx_campfire_model_room_classes[3] = {
    ngx_string("Rooms::Open"),
    ngx_string("Rooms::Closed"),
    ngx_string("Rooms::Direct")
};

const ngx_str_t  ngx_campfire_model_room_keys[3] = {
    ngx_string("rooms_open"),
    ngx_string("rooms_closed"),
    ngx_string("rooms_direct")
};

const ngx_str_t  ngx_campfire_model_involvements[4] = {
    ngx_string("invisible"),
    ngx_string("nothing"),
    ngx_string("mentions"),
    ngx_string("everything")
};


ngx_int_t
ngx_campfire_model_involvement_parse(const ngx_str_t *text,
    ngx_campfire_involvement_e *involvement)
{
    ngx_uint_t        i;
    const ngx_str_t  *word;

    for (i = 0; i < 4; i++) {
        word = &ngx_campfire_model_involvements[i];

        if (text->len == word->len
            && ngx_memcmp(text->data, word->data, word->len) == 0)
        {
            *involvement = (ngx_campfire_involvement_e) i;
            return NGX_OK;
        }
    }

    return NGX_DECLINED;
}
