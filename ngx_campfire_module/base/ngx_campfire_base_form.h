
/*
 * application/x-www-form-urlencoded bodies and query strings.
 */

#ifndef _NGX_CAMPFIRE_BASE_FORM_H_INCLUDED_
#define _NGX_CAMPFIRE_BASE_FORM_H_INCLUDED_


#include "base/ngx_campfire_base.h"


#define NGX_CAMPFIRE_BASE_FORM_MAX_PAIRS  1000
#define NGX_CAMPFIRE_BASE_FORM_MAX_DEPTH  32


typedef enum {
    NGX_CAMPFIRE_BASE_FORM_OK = 0,
    NGX_CAMPFIRE_BASE_FORM_NO_MEMORY,
    NGX_CAMPFIRE_BASE_FORM_TOO_MANY,
    NGX_CAMPFIRE_BASE_FORM_BAD_ESCAPE,
    NGX_CAMPFIRE_BASE_FORM_BAD_UTF8,
    NGX_CAMPFIRE_BASE_FORM_BAD_NESTING,
    NGX_CAMPFIRE_BASE_FORM_TOO_DEEP,
    NGX_CAMPFIRE_BASE_FORM_BAD_SYNTAX,      /* of JSON or multipart */
    NGX_CAMPFIRE_BASE_FORM_TOO_LARGE        /* headers of a part */
} ngx_campfire_base_form_e;


typedef struct {
    ngx_str_t                       key;    /* in full: "a[b][]" */
    ngx_str_t                       value;  /* data is NULL without a "=" */
} ngx_campfire_base_form_pair_t;


typedef struct {
    ngx_campfire_base_form_pair_t  *pairs;
    ngx_uint_t                      npairs;
    ngx_campfire_base_form_e        reason;
} ngx_campfire_base_form_t;


/*
 * Decodes src into form->pairs, in order, skipping empty keys as Rack does.
 * NGX_ERROR, with form->reason set and no pairs, for anything malformed, over
 * a limit, or using one name both as a scalar and as a list or hash.
 */
ngx_int_t ngx_campfire_base_form_parse(ngx_pool_t *pool, const ngx_str_t *src,
    ngx_campfire_base_form_t *form);

/*
 * The last step of the above for pairs that came another way: every key well
 * formed, no name used in two ways.  On NGX_ERROR form->reason is set and the
 * pairs are gone.
 */
ngx_int_t ngx_campfire_base_form_check(ngx_campfire_base_form_t *form);

/*
 * The value of the next pair with exactly that key, from pair number *pos on,
 * which is advanced past it; NULL after the last.  Iterates "a[]" from 0.
 */
ngx_str_t *ngx_campfire_base_form_next(const ngx_campfire_base_form_t *form,
    const ngx_str_t *key, ngx_uint_t *pos);

/* The value of the first pair with exactly that key, or NULL. */
ngx_str_t *ngx_campfire_base_form_first(const ngx_campfire_base_form_t *form,
    const ngx_str_t *key);

/* The value of the last such pair, the one Rails gives a scalar, or NULL. */
ngx_str_t *ngx_campfire_base_form_last(const ngx_campfire_base_form_t *form,
    const ngx_str_t *key);


#endif /* _NGX_CAMPFIRE_BASE_FORM_H_INCLUDED_ */
