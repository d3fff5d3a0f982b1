
/*
 * Strict UTF-8: validation and decoding.
 */

#ifndef _NGX_CAMPFIRE_BASE_UTF8_H_INCLUDED_
#define _NGX_CAMPFIRE_BASE_UTF8_H_INCLUDED_


#include "base/ngx_campfire_base.h"


/*
 * 1 if the bytes are well-formed UTF-8 (no overlong forms, no surrogates,
 * nothing above U+10FFFF, nothing truncated), else 0.  NUL is a character.
 */
ngx_int_t ngx_campfire_base_utf8_valid(const u_char *p, size_t len);

/*
 * Reads one character and advances *p past it.  NGX_ERROR, with *p and *cp
 * untouched, at last or before an ill-formed sequence.
 */
ngx_int_t ngx_campfire_base_utf8_decode(const u_char **p, const u_char *last,
    uint32_t *cp);

/* Writes one character, at most 4 bytes, and returns the end. */
u_char *ngx_campfire_base_utf8_encode(u_char *p, uint32_t cp);

/* The simple upper-case form of a character. */
uint32_t ngx_campfire_base_utf8_upper(uint32_t cp);


#endif /* _NGX_CAMPFIRE_BASE_UTF8_H_INCLUDED_ */
