
/*
 * The devices that take notifications.
 */

#include "models/ngx_campfire_model_push_subscription.h"


ngx_int_t
ngx_campfire_model_push_subscription_delete_endpoint(ngx_campfire_tx_t *tx,
    int64_t user_id, ngx_str_t *endpoint)
{
    return ngx_campfire_db_exec(tx->conn,
               "DELETE FROM push_subscriptions"
               " WHERE user_id = ?1 AND endpoint = ?2",
               "is", user_id, endpoint);
}
