
/*
 * The types the pure folders (base/, rails/, richtext/) are written with.
 *
 * Inside nginx they are nginx's own.  Unit tests and fuzzers compile the same
 * sources with NGX_CAMPFIRE_STANDALONE, where the few names used are defined
 * here over malloc(): every pool allocation is then a block of its own, so
 * that AddressSanitizer sees an overflow of any of them.
 */

#ifndef _NGX_CAMPFIRE_BASE_H_INCLUDED_
#define _NGX_CAMPFIRE_BASE_H_INCLUDED_


#if (NGX_CAMPFIRE_STANDALONE)

#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <sys/types.h>

typedef intptr_t   ngx_int_t;
typedef uintptr_t  ngx_uint_t;
typedef unsigned char  u_char;

typedef struct {
    size_t   len;
    u_char  *data;
} ngx_str_t;

typedef struct ngx_pool_s  ngx_pool_t;

#define NGX_OK        0
#define NGX_ERROR    -1
#define NGX_AGAIN    -2
#define NGX_BUSY     -3
#define NGX_DECLINED -5

#define ngx_string(str)     { sizeof(str) - 1, (u_char *) str }
#define ngx_null_string     { 0, NULL }
#define ngx_str_set(s, t)                                                     \
    (s)->len = sizeof(t) - 1; (s)->data = (u_char *) t
#define ngx_memcpy(dst, src, n)   (void) memcpy(dst, src, n)
#define ngx_cpymem(dst, src, n)   (((u_char *) memcpy(dst, src, n)) + (n))
#define ngx_memcmp(a, b, n)       memcmp(a, b, n)
#define ngx_memzero(p, n)         (void) memset(p, 0, n)

ngx_pool_t *ngx_create_pool(size_t size, void *log);
void ngx_destroy_pool(ngx_pool_t *pool);
void *ngx_palloc(ngx_pool_t *pool, size_t size);
void *ngx_pnalloc(ngx_pool_t *pool, size_t size);
void *ngx_pcalloc(ngx_pool_t *pool, size_t size);

#else

#include <ngx_config.h>
#include <ngx_core.h>

#endif


#endif /* _NGX_CAMPFIRE_BASE_H_INCLUDED_ */
