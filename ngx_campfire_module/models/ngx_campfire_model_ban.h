
#ifndef _NGX_CAMPFIRE_MODEL_BAN_H_INCLUDED_
#define _NGX_CAMPFIRE_MODEL_BAN_H_INCLUDED_


#include "models/ngx_campfire_model.h"


/* NGX_OK: the address, compared as text, is banned; NGX_DECLINED: not. */
ngx_int_t ngx_campfire_model_ban_exists(ngx_campfire_db_conn_t *conn,
    ngx_str_t *address);


#endif /* _NGX_CAMPFIRE_MODEL_BAN_H_INCLUDED_ */
