
/*
 * What the ways in have in common: signing in, joining, first run, transfer.
 */

#ifndef _NGX_CAMPFIRE_ACTION_ENTRY_H_INCLUDED_
#define _NGX_CAMPFIRE_ACTION_ENTRY_H_INCLUDED_


#include "http/ngx_campfire_http.h"
#include "views/ngx_campfire_view_page.h"


/* A new person, as the two forms send it. */
typedef struct {
    ngx_str_t                   name;
    ngx_str_t                   email_address;
    ngx_str_t                   password;       /* data NULL: none */
    ngx_str_t                   digest;         /* data NULL: none */
    ngx_str_t                   join_code;
    u_char                      buf[64];
    ngx_int_t                   rc;
    ngx_campfire_http_done_pt   next;
} ngx_campfire_action_entry_person_t;


/*
 * Fills ctx->view and the page; action is the path its form goes to, with the
 * token for it.
 */
ngx_int_t ngx_campfire_action_entry_init(ngx_campfire_ctx_t *ctx,
    const char *title, const char *body_class, const char *action,
    ngx_campfire_view_entry_t *entry);

/*
 * A session for the user, then on to where he wanted to go.  refused: the
 * status when he may no longer sign in.
 */
ngx_int_t ngx_campfire_action_entry_sign_in(ngx_campfire_ctx_t *ctx,
    int64_t user_id, ngx_uint_t refused);

/* The session of job->text begins with this answer. */
ngx_int_t ngx_campfire_action_entry_signed_in(ngx_campfire_ctx_t *ctx,
    ngx_uint_t forget);

/*
 * Reads user[...] into ctx->data, makes the digest of the password in a
 * thread, and calls next.  400: no user; 422: not to be stored.
 */
ngx_int_t ngx_campfire_action_entry_person(ngx_campfire_ctx_t *ctx,
    ngx_campfire_http_done_pt next);


#endif /* _NGX_CAMPFIRE_ACTION_ENTRY_H_INCLUDED_ */
