
/*
 * The growing buffer that views append to, and the type of safe HTML.
 *
 * Appending never reports an error: running out of memory sets `failed`,
 * after which every append does nothing, and whoever takes the bytes checks
 * it once with ngx_campfire_base_buf_done().
 */

#ifndef _NGX_CAMPFIRE_BASE_BUF_H_INCLUDED_
#define _NGX_CAMPFIRE_BASE_BUF_H_INCLUDED_


#include "base/ngx_campfire_base.h"


/*
 * HTML that may stand in a page as it is: made by our own sanitizer or by a
 * view.  A type of its own, so that raw output of any other string does not
 * compile.
 */
typedef struct {
    ngx_str_t    str;
} ngx_campfire_html_t;


typedef struct {
    ngx_pool_t  *pool;
    u_char      *data;
    size_t       len;
    size_t       size;
    unsigned     failed:1;
} ngx_campfire_buf_t;


/* Starts empty; size is a hint, memory is taken at the first append. */
void ngx_campfire_base_buf_init(ngx_campfire_buf_t *b, ngx_pool_t *pool,
    size_t size);

/* NGX_OK and the bytes, which stay in the pool; NGX_ERROR: out of memory. */
ngx_int_t ngx_campfire_base_buf_done(ngx_campfire_buf_t *b, ngx_str_t *str);

void ngx_campfire_base_buf_append(ngx_campfire_buf_t *b, const void *data,
    size_t len);
void ngx_campfire_base_buf_str(ngx_campfire_buf_t *b, ngx_str_t str);
void ngx_campfire_base_buf_int(ngx_campfire_buf_t *b, int64_t n);
void ngx_campfire_base_buf_html_escape(ngx_campfire_buf_t *b, ngx_str_t str);
void ngx_campfire_base_buf_html(ngx_campfire_buf_t *b,
    ngx_campfire_html_t html);

/*
 * The inside of a JSON string as ActiveSupport writes it: besides what JSON
 * demands, < > & U+2028 U+2029 become \u escapes.  No quotes are added.
 */
void ngx_campfire_base_buf_json(ngx_campfire_buf_t *b, ngx_str_t str);

#define ngx_campfire_base_buf_lit(b, text)                                    \
    ngx_campfire_base_buf_append(b, text, sizeof(text) - 1)


/* What {{ x }} and {{{ x }}} of a template become. */

#define ngx_campfire_base_buf_print(b, x)                                     \
    _Generic((x),                                                             \
             ngx_str_t: ngx_campfire_base_buf_html_escape,                    \
             int: ngx_campfire_base_buf_int,                                  \
             long: ngx_campfire_base_buf_int,                                 \
             unsigned int: ngx_campfire_base_buf_int,                         \
             unsigned long: ngx_campfire_base_buf_int)(b, x)

#define ngx_campfire_base_buf_print_html(b, x)                                \
    _Generic((x),                                                             \
             ngx_campfire_html_t: ngx_campfire_base_buf_html)(b, x)


#endif /* _NGX_CAMPFIRE_BASE_BUF_H_INCLUDED_ */
