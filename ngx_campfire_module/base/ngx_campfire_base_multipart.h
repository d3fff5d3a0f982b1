
/*
 * multipart/form-data bodies: RFC 7578 with what browsers send and Rack takes.
 */

#ifndef _NGX_CAMPFIRE_BASE_MULTIPART_H_INCLUDED_
#define _NGX_CAMPFIRE_BASE_MULTIPART_H_INCLUDED_


#include "base/ngx_campfire_base.h"
#include "base/ngx_campfire_base_form.h"


#define NGX_CAMPFIRE_BASE_MULTIPART_MAX_PARTS     128
#define NGX_CAMPFIRE_BASE_MULTIPART_MAX_HEADERS   8192    /* of one part */
#define NGX_CAMPFIRE_BASE_MULTIPART_MAX_BOUNDARY  70


typedef struct {
    ngx_str_t                             name;      /* "a[b]", not empty */
    ngx_str_t                             filename;  /* last segment, UTF-8 */
    ngx_str_t                             type;      /* as sent, or empty */
    ngx_str_t                             data;      /* a slice of the body */
    unsigned                              file:1;
} ngx_campfire_base_multipart_part_t;


typedef struct {
    ngx_campfire_base_multipart_part_t   *parts;
    ngx_uint_t                            nparts;
    ngx_campfire_base_form_e              reason;
} ngx_campfire_base_multipart_t;


/*
 * Splits body by the boundary of the Content-Type header.  Parts without a
 * name, and file fields in which no file was chosen, are left out.  types and
 * data point into body; names may too, or are allocated from pool.
 *
 * NGX_ERROR, with mp->reason set and no parts, for anything malformed or over
 * a limit.  A body that ends before the last boundary is malformed.
 */
ngx_int_t ngx_campfire_base_multipart_parse(ngx_pool_t *pool,
    const ngx_str_t *type, const ngx_str_t *body,
    ngx_campfire_base_multipart_t *mp);

/*
 * The text parts as parameters, values being slices of the body.  NGX_ERROR
 * with form->reason set as ngx_campfire_base_form_parse() does, counting the
 * names of the files, too.
 */
ngx_int_t ngx_campfire_base_multipart_form(ngx_pool_t *pool,
    const ngx_campfire_base_multipart_t *mp, ngx_campfire_base_form_t *form);

/* The last file of that name, or NULL. */
ngx_campfire_base_multipart_part_t *ngx_campfire_base_multipart_file(
    const ngx_campfire_base_multipart_t *mp, const ngx_str_t *name);


#endif /* _NGX_CAMPFIRE_BASE_MULTIPART_H_INCLUDED_ */
