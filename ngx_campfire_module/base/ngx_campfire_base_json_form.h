
/*
 * application/json bodies as parameters.
 */

#ifndef _NGX_CAMPFIRE_BASE_JSON_FORM_H_INCLUDED_
#define _NGX_CAMPFIRE_BASE_JSON_FORM_H_INCLUDED_


#include "base/ngx_campfire_base.h"
#include "base/ngx_campfire_base_form.h"


/*
 * Turns a JSON body into the pairs a form with the same parameters has:
 * {"a":{"b":1},"c":["x"]} is a[b]=1 and c[]=x.  A body that is no object
 * stands under "_json".  Numbers and booleans are the text Ruby gives them,
 * null is a value without data, and null in a list, an empty list and an
 * empty object give no pair.  So do names that are empty or contain "[" or
 * "]": no parameter of ours is called so.
 *
 * NGX_ERROR, with form->reason set and no pairs, for anything malformed or
 * over the limits of ngx_campfire_base_form.h.  All is copied to pool.
 */
ngx_int_t ngx_campfire_base_json_form_parse(ngx_pool_t *pool,
    const ngx_str_t *body, ngx_campfire_base_form_t *form);


#endif /* _NGX_CAMPFIRE_BASE_JSON_FORM_H_INCLUDED_ */
