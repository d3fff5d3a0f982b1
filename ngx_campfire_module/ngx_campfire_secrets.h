
/*
 * The three secrets of an instance: SECRET_KEY_BASE and the VAPID key pair.
 */

#ifndef _NGX_CAMPFIRE_SECRETS_H_INCLUDED_
#define _NGX_CAMPFIRE_SECRETS_H_INCLUDED_


#include "ngx_campfire.h"


/*
 * Reads path, lines of NAME=value as systemd's EnvironmentFile has them, or
 * the environment of the master when path is empty, and derives the keys.
 * At configuration time; logs what is wrong and how to mend it, never a
 * value.
 */
ngx_int_t ngx_campfire_secrets_load(ngx_conf_t *cf,
    ngx_campfire_instance_t *in, ngx_str_t *path);


#endif /* _NGX_CAMPFIRE_SECRETS_H_INCLUDED_ */
