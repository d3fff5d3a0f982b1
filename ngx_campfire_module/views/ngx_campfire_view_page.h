
/*
 * What all pages have, and the pages of people who are not signed in yet.
 */

#ifndef _NGX_CAMPFIRE_VIEW_PAGE_H_INCLUDED_
#define _NGX_CAMPFIRE_VIEW_PAGE_H_INCLUDED_


#include "views/ngx_campfire_view.h"


typedef struct {
    ngx_str_t             title;
    ngx_str_t             body_class;
    ngx_str_t             logo;         /* path with its version */
    ngx_campfire_html_t   styles;       /* the account's own */
    ngx_uint_t            has_styles;
    ngx_uint_t            reload;       /* never shown from Turbo's cache */
    int64_t               room_id;      /* of a room page, or 0 */
} ngx_campfire_view_page_t;


/* Whom to ask for help: the first administrator. */
typedef struct {
    ngx_str_t    name;
    ngx_str_t    email;                 /* empty: nobody */
    ngx_str_t    mailto;                /* what follows the scheme */
} ngx_campfire_view_contact_t;


/* Signing in, joining, first run, transfer. */
typedef struct {
    ngx_campfire_view_page_t      page;
    ngx_campfire_view_contact_t   contact;
    ngx_str_t                     account_name;
    ngx_str_t                     action;       /* path of the form */
    ngx_str_t                     form_token;
    ngx_str_t                     email_address;
} ngx_campfire_view_entry_t;


/*
 * title: empty for the product's name.  body_class: what the page adds to the
 * classes every page has, or NULL.
 */
ngx_int_t ngx_campfire_view_page_init(ngx_campfire_view_ctx_t *view,
    const ngx_str_t *title, const char *body_class,
    ngx_campfire_view_page_t *page);

/* user NULL: there is nobody. */
ngx_int_t ngx_campfire_view_page_contact_init(ngx_campfire_view_ctx_t *view,
    const ngx_campfire_user_t *user, ngx_campfire_view_contact_t *contact);


#endif /* _NGX_CAMPFIRE_VIEW_PAGE_H_INCLUDED_ */
