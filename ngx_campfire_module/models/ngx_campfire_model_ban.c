
/*
 * Addresses that may not write.
 */

#include "models/ngx_campfire_model_ban.h"
#include "models/ngx_campfire_model_row.h"


ngx_int_t
ngx_campfire_model_ban_exists(ngx_campfire_db_conn_t *conn,
    ngx_str_t *address)
{
    return ngx_campfire_model_row_exists(
               ngx_campfire_db_query(conn,
                   "SELECT 1 FROM bans WHERE ip_address = ?1 LIMIT 1", "s",
                   ngx_campfire_model_row_nullable(address)));
}
