
#ifndef _NGX_CAMPFIRE_MODEL_PUSH_SUBSCRIPTION_H_INCLUDED_
#define _NGX_CAMPFIRE_MODEL_PUSH_SUBSCRIPTION_H_INCLUDED_


#include "models/ngx_campfire_model.h"


/* For a write: deletes the user's subscriptions of exactly that endpoint. */
ngx_int_t ngx_campfire_model_push_subscription_delete_endpoint(
    ngx_campfire_tx_t *tx, int64_t user_id, ngx_str_t *endpoint);


#endif /* _NGX_CAMPFIRE_MODEL_PUSH_SUBSCRIPTION_H_INCLUDED_ */
