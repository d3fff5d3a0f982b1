
/*
 * The records that message bodies point to by signed global ids: today the
 * people who are mentioned.
 */

#ifndef _NGX_CAMPFIRE_MODEL_ATTACHABLE_H_INCLUDED_
#define _NGX_CAMPFIRE_MODEL_ATTACHABLE_H_INCLUDED_


#include "models/ngx_campfire_model.h"
#include "richtext/ngx_campfire_richtext.h"


/*
 * A resolver for richtext, to be used on the connection's thread while its
 * snapshot is open.  What preload found is not asked for again.
 */
typedef struct {
    ngx_campfire_richtext_resolver_t   resolver;   /* pass its address */
    ngx_campfire_db_conn_t            *conn;
    ngx_pool_t                        *pool;
    ngx_campfire_signers_t            *signers;
    ngx_str_t                          prefix;     /* of paths: "/chat" */
    ngx_campfire_users_t               users;      /* by id */
    ngx_campfire_ids_t                 asked;      /* in order, each once */
} ngx_campfire_model_attachable_t;


/*
 * base_url is where the page is shown: "https://chat.example.com", and the
 * mount point after it if there is one.  It must outlive the resolver.
 */
void ngx_campfire_model_attachable_init(ngx_campfire_model_attachable_t *a,
    ngx_campfire_db_conn_t *conn, ngx_pool_t *pool,
    ngx_campfire_signers_t *signers, const ngx_str_t *base_url);

/* Loads whoever n bodies may mention, in one statement or none. */
ngx_int_t ngx_campfire_model_attachable_preload(
    ngx_campfire_model_attachable_t *a, const ngx_str_t *bodies,
    ngx_uint_t n);

/*
 * The users whom a body mentions with a valid signature, each once, by id:
 * only they are notified.  Whether they exist is not looked at.
 */
ngx_int_t ngx_campfire_model_attachable_mentions(ngx_pool_t *pool,
    ngx_campfire_signers_t *signers, const ngx_str_t *body,
    ngx_campfire_ids_t *ids);

/* The user an sgid names, whatever its signature; NGX_DECLINED: none. */
ngx_int_t ngx_campfire_model_attachable_user_id(ngx_pool_t *pool,
    const ngx_str_t *sgid, int64_t *id);

/* The same, but only if it is signed and meant for attaching. */
ngx_int_t ngx_campfire_model_attachable_verify(ngx_pool_t *pool,
    ngx_campfire_signers_t *signers, const ngx_str_t *sgid, int64_t *id);


/* The sgid of a user, and the path of his avatar with its version. */
ngx_int_t ngx_campfire_model_attachable_sgid(ngx_pool_t *pool,
    ngx_campfire_signers_t *signers, int64_t user_id, ngx_str_t *sgid);
ngx_int_t ngx_campfire_model_attachable_avatar(ngx_pool_t *pool,
    ngx_campfire_signers_t *signers, const ngx_campfire_user_t *user,
    ngx_str_t *path);


#endif /* _NGX_CAMPFIRE_MODEL_ATTACHABLE_H_INCLUDED_ */
