
/*
 * What all pages have.
 */

#include "views/ngx_campfire_view_page.h"
#include "base/ngx_campfire_base_escape.h"
#include "base/ngx_campfire_base_time.h"


static ngx_int_t ngx_campfire_view_page_logo(ngx_campfire_view_ctx_t *view,
    ngx_str_t *logo);
static ngx_int_t ngx_campfire_view_page_styles(ngx_campfire_view_ctx_t *view,
    ngx_campfire_html_t *styles);


ngx_int_t
ngx_campfire_view_page_init(ngx_campfire_view_ctx_t *view,
    const ngx_str_t *title, const char *body_class,
    ngx_campfire_view_page_t *page)
{
    ngx_campfire_buf_t  classes;

    ngx_memzero(page, sizeof(ngx_campfire_view_page_t));

    if (title && title->len) {
        page->title = *title;

    } else {
        ngx_str_set(&page->title, "Campfire");
    }

    ngx_campfire_base_buf_init(&classes, view->pool, 64);

    if (body_class) {
        ngx_campfire_base_buf_append(&classes, body_class,
                                     ngx_strlen(body_class));
    }

    if (view->viewer && view->viewer->role == NGX_CAMPFIRE_ROLE_ADMINISTRATOR)
    {
        if (classes.len) {
            ngx_campfire_base_buf_lit(&classes, " ");
        }

        ngx_campfire_base_buf_lit(&classes, "admin");
    }

    if (view->account && view->account->has_logo) {
        if (classes.len) {
            ngx_campfire_base_buf_lit(&classes, " ");
        }

        ngx_campfire_base_buf_lit(&classes, "account-has-logo");
    }

    if (ngx_campfire_base_buf_done(&classes, &page->body_class) != NGX_OK) {
        return NGX_ERROR;
    }

    if (view->account && view->account->has_custom_styles) {
        page->has_styles = 1;

        if (ngx_campfire_view_page_styles(view, &page->styles) != NGX_OK) {
            return NGX_ERROR;
        }
    }

    return ngx_campfire_view_page_logo(view, &page->logo);
}


static ngx_int_t
ngx_campfire_view_page_logo(ngx_campfire_view_ctx_t *view, ngx_str_t *logo)
{
    u_char  *p;

    logo->data = ngx_pnalloc(view->pool, view->prefix.len
                                         + sizeof("/account/logo?v=")
                                         + NGX_CAMPFIRE_BASE_TIME_LEN);
    if (logo->data == NULL) {
        return NGX_ERROR;
    }

    p = ngx_sprintf(logo->data, "%V/account/logo", &view->prefix);

    if (view->account) {
        p = ngx_cpymem(p, "?v=", 3);
        p += ngx_campfire_base_time_number(p, view->account->updated_at);
    }

    logo->len = p - logo->data;

    return NGX_OK;
}


/* Administrators may style everything, but not leave the element. */
static ngx_int_t
ngx_campfire_view_page_styles(ngx_campfire_view_ctx_t *view,
    ngx_campfire_html_t *styles)
{
    u_char              *p, *start, *last;
    ngx_campfire_buf_t   out;

    p = view->account->custom_styles.data;
    last = p + view->account->custom_styles.len;

    ngx_campfire_base_buf_init(&out, view->pool, last - p);

    for (start = p; p + 1 < last; p++) {
        if (p[0] == '<' && p[1] == '/') {
            ngx_campfire_base_buf_append(&out, start, p - start);
            ngx_campfire_base_buf_lit(&out, "<\\");
            start = p + 1;
        }
    }

    ngx_campfire_base_buf_append(&out, start, last - start);

    return ngx_campfire_base_buf_done(&out, &styles->str);
}


ngx_int_t
ngx_campfire_view_page_contact_init(ngx_campfire_view_ctx_t *view,
    const ngx_campfire_user_t *user, ngx_campfire_view_contact_t *contact)
{
    u_char              *p;
    size_t               i;
    ngx_campfire_buf_t   out;
    static const u_char  hex[] = "0123456789ABCDEF";

    ngx_memzero(contact, sizeof(ngx_campfire_view_contact_t));

    if (user == NULL || user->email_address.len == 0) {
        return NGX_OK;
    }

    contact->name = user->name;
    contact->email = user->email_address;

    /* "Name" <address>, escaped for a URL (RFC 6068) */

    ngx_campfire_base_buf_init(&out, view->pool, 128);
    ngx_campfire_base_buf_lit(&out, "%22");

    for (i = 0; i < user->name.len; i++) {
        u_char  escaped[3];

        p = &user->name.data[i];

        if ((*p >= 'a' && *p <= 'z') || (*p >= 'A' && *p <= 'Z')
            || (*p >= '0' && *p <= '9'))
        {
            ngx_campfire_base_buf_append(&out, p, 1);
            continue;
        }

        escaped[0] = '%';
        escaped[1] = hex[*p >> 4];
        escaped[2] = hex[*p & 0xf];
        ngx_campfire_base_buf_append(&out, escaped, 3);
    }

    ngx_campfire_base_buf_lit(&out, "%22%20%3C");
    ngx_campfire_base_buf_str(&out, user->email_address);
    ngx_campfire_base_buf_lit(&out, "%3E");

    return ngx_campfire_base_buf_done(&out, &contact->mailto);
}
