
/*
 * Escaping for HTML, and for cookies and forms.
 */

#ifndef _NGX_CAMPFIRE_BASE_ESCAPE_H_INCLUDED_
#define _NGX_CAMPFIRE_BASE_ESCAPE_H_INCLUDED_


#include "base/ngx_campfire_base.h"


typedef enum {
    NGX_CAMPFIRE_BASE_UNESCAPE_FORM = 0,    /* a malformed % is an error */
    NGX_CAMPFIRE_BASE_UNESCAPE_COOKIE       /* a malformed % stays as it is */
} ngx_campfire_base_unescape_e;


/* The number of bytes ngx_campfire_base_escape_html() will write. */
size_t ngx_campfire_base_escape_html_len(const u_char *src, size_t len);

/*
 * Copies with & < > " ' as &amp; &lt; &gt; &quot; &#39; and returns the end
 * of what was written.
 */
u_char *ngx_campfire_base_escape_html(u_char *dst, const u_char *src,
    size_t len);

/* The number of bytes ngx_campfire_base_escape_cookie() will write. */
size_t ngx_campfire_base_escape_cookie_len(const u_char *src, size_t len);

/*
 * Copies as application/x-www-form-urlencoded (A-Z a-z 0-9 * - . _ kept,
 * space as +, the rest as %XX) and returns the end of what was written.
 */
u_char *ngx_campfire_base_escape_cookie(u_char *dst, const u_char *src,
    size_t len);

/*
 * Undoes the above: + is a space, %XX a byte.  Writes at most len bytes to
 * dst, which may be src, and their number to *n.  NGX_ERROR for a malformed
 * % in form mode.
 */
ngx_int_t ngx_campfire_base_unescape(u_char *dst, size_t *n,
    const u_char *src, size_t len, ngx_campfire_base_unescape_e mode);


#endif /* _NGX_CAMPFIRE_BASE_ESCAPE_H_INCLUDED_ */
