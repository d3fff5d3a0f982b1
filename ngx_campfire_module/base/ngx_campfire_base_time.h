
/*
 * Instants as microseconds since the epoch, UTC, and their texts.
 */

#ifndef _NGX_CAMPFIRE_BASE_TIME_H_INCLUDED_
#define _NGX_CAMPFIRE_BASE_TIME_H_INCLUDED_


#include "base/ngx_campfire_base.h"


#define NGX_CAMPFIRE_BASE_TIME_LEN  40     /* enough for every form below */


/*
 * Reads "YYYY-MM-DD HH:MM:SS", with "T" for the blank, a fraction of any
 * length, "Z", or an offset such as "+02:00".  NGX_DECLINED: no such instant.
 */
ngx_int_t ngx_campfire_base_time_parse(const u_char *p, size_t len,
    int64_t *us);

/*
 * Writers; buf has NGX_CAMPFIRE_BASE_TIME_LEN bytes, the result is the number
 * of bytes written.  db: six digits, none at all when they are zero.  iso: to
 * the second.  json: to the millisecond, cut.  http: for headers and cookies.
 * number: YYYYMMDDHHMMSS, as versions of avatars have it.
 */
size_t ngx_campfire_base_time_db(u_char *buf, int64_t us);
size_t ngx_campfire_base_time_iso(u_char *buf, int64_t us);
size_t ngx_campfire_base_time_json(u_char *buf, int64_t us);
size_t ngx_campfire_base_time_http(u_char *buf, int64_t us);
size_t ngx_campfire_base_time_number(u_char *buf, int64_t us);

/* Milliseconds, rounded down also before 1970. */
int64_t ngx_campfire_base_time_ms(int64_t us);

/*
 * The same day and time years later, as calendars count: of 29 February the
 * 28th where there is none.
 */
int64_t ngx_campfire_base_time_years(int64_t us, ngx_int_t years);


#endif /* _NGX_CAMPFIRE_BASE_TIME_H_INCLUDED_ */
