
/*
 * Instants and their texts, over the proleptic Gregorian calendar: no time
 * zone of the process is ever asked.
 */

#include "base/ngx_campfire_base_time.h"

#include <stdio.h>


typedef struct {
    int64_t   year;
    unsigned  month;         /* 1 to 12 */
    unsigned  day;
    unsigned  hour;
    unsigned  min;
    unsigned  sec;
    unsigned  us;
    unsigned  weekday;       /* 0: Sunday */
} ngx_campfire_base_tm_t;


static int64_t ngx_campfire_base_time_days(int64_t y, unsigned m, unsigned d);
static void ngx_campfire_base_time_split(int64_t us,
    ngx_campfire_base_tm_t *tm);
static ngx_int_t ngx_campfire_base_time_digits(const u_char **p,
    const u_char *end, ngx_uint_t n, int64_t *value);


/* Days since 1970-01-01 (H. Hinnant, days_from_civil). */
static int64_t
ngx_campfire_base_time_days(int64_t y, unsigned m, unsigned d)
{
    int64_t   era;
    unsigned  yoe, doy, doe;

    y -= (m <= 2);
    era = (y >= 0 ? y : y - 399) / 400;
    yoe = (unsigned) (y - era * 400);
    doy = (153 * (m > 2 ? m - 3 : m + 9) + 2) / 5 + d - 1;
    doe = yoe * 365 + yoe / 4 - yoe / 100 + doy;

    return era * 146097 + (int64_t) doe - 719468;
}


static void
ngx_campfire_base_time_split(int64_t us, ngx_campfire_base_tm_t *tm)
{
    int64_t   z, era, secs, days;
    unsigned  doe, yoe, doy, mp;

    secs = us / 1000000;
    us %= 1000000;

    if (us < 0) {
        us += 1000000;
        secs--;
    }

    days = secs / 86400;
    secs %= 86400;

    if (secs < 0) {
        secs += 86400;
        days--;
    }

    z = days + 719468;
    era = (z >= 0 ? z : z - 146096) / 146097;
    doe = (unsigned) (z - era * 146097);
    yoe = (doe - doe / 1460 + doe / 36524 - doe / 146096) / 365;
    doy = doe - (365 * yoe + yoe / 4 - yoe / 100);
    mp = (5 * doy + 2) / 153;

    tm->day = doy - (153 * mp + 2) / 5 + 1;
    tm->month = mp < 10 ? mp + 3 : mp - 9;
    tm->year = (int64_t) yoe + era * 400 + (tm->month <= 2);

    tm->hour = (unsigned) (secs / 3600);
    tm->min = (unsigned) (secs / 60 % 60);
    tm->sec = (unsigned) (secs % 60);
    tm->us = (unsigned) us;
    tm->weekday = (unsigned) (((days % 7) + 11) % 7);
}


static ngx_int_t
ngx_campfire_base_time_digits(const u_char **p, const u_char *end,
    ngx_uint_t n, int64_t *value)
{
    *value = 0;

    while (n--) {
        if (*p == end || **p < '0' || **p > '9') {
            return NGX_DECLINED;
        }

        *value = *value * 10 + (*(*p)++ - '0');
    }

    return NGX_OK;
}


ngx_int_t
ngx_campfire_base_time_parse(const u_char *p, size_t len, int64_t *us)
{
    int64_t                 year, month, day, hour, min, sec, frac, scale;
    int64_t                 oh, om, offset;
    const u_char           *end;
    static const unsigned   days[] = { 31, 29, 31, 30, 31, 30, 31, 31, 30, 31,
                                       30, 31 };

    end = p + len;

    if (ngx_campfire_base_time_digits(&p, end, 4, &year) != NGX_OK
        || p == end || *p++ != '-'
        || ngx_campfire_base_time_digits(&p, end, 2, &month) != NGX_OK
        || p == end || *p++ != '-'
        || ngx_campfire_base_time_digits(&p, end, 2, &day) != NGX_OK
        || p == end || (*p != ' ' && *p != 'T'))
    {
        return NGX_DECLINED;
    }

    p++;

    if (ngx_campfire_base_time_digits(&p, end, 2, &hour) != NGX_OK
        || p == end || *p++ != ':'
        || ngx_campfire_base_time_digits(&p, end, 2, &min) != NGX_OK
        || p == end || *p++ != ':'
        || ngx_campfire_base_time_digits(&p, end, 2, &sec) != NGX_OK)
    {
        return NGX_DECLINED;
    }

    if (month < 1 || month > 12 || day < 1 || day > days[month - 1]
        || hour > 23 || min > 59 || sec > 60)
    {
        return NGX_DECLINED;
    }

    if (month == 2 && day == 29
        && (year % 4 || (year % 100 == 0 && year % 400)))
    {
        return NGX_DECLINED;
    }

    frac = 0;

    if (p < end && *p == '.') {
        p++;

        for (scale = 100000; p < end && *p >= '0' && *p <= '9'; p++) {
            frac += (*p - '0') * scale;
            scale /= 10;
        }
    }

    offset = 0;

    if (p < end && (*p == '+' || *p == '-')) {
        offset = (*p++ == '-') ? -1 : 1;

        if (ngx_campfire_base_time_digits(&p, end, 2, &oh) != NGX_OK) {
            return NGX_DECLINED;
        }

        if (p < end && *p == ':') {
            p++;
        }

        if (ngx_campfire_base_time_digits(&p, end, 2, &om) != NGX_OK) {
            return NGX_DECLINED;
        }

        offset *= oh * 3600 + om * 60;

    } else if (p < end && *p == 'Z') {
        p++;

    } else if (end - p == 4 && memcmp(p, " UTC", 4) == 0) {
        p = end;
    }

    if (p != end) {
        return NGX_DECLINED;
    }

    *us = (ngx_campfire_base_time_days(year, (unsigned) month, (unsigned) day)
           * 86400 + hour * 3600 + min * 60 + sec - offset) * 1000000 + frac;

    return NGX_OK;
}


size_t
ngx_campfire_base_time_db(u_char *buf, int64_t us)
{
    int                     n;
    ngx_campfire_base_tm_t  tm;

    ngx_campfire_base_time_split(us, &tm);

    n = snprintf((char *) buf, NGX_CAMPFIRE_BASE_TIME_LEN,
                 "%04d-%02u-%02u %02u:%02u:%02u", (int) tm.year, tm.month,
                 tm.day, tm.hour, tm.min, tm.sec);

    if (tm.us) {
        n += snprintf((char *) buf + n, NGX_CAMPFIRE_BASE_TIME_LEN - n,
                      ".%06u", tm.us);
    }

    return n;
}


size_t
ngx_campfire_base_time_iso(u_char *buf, int64_t us)
{
    ngx_campfire_base_tm_t  tm;

    ngx_campfire_base_time_split(us, &tm);

    return snprintf((char *) buf, NGX_CAMPFIRE_BASE_TIME_LEN,
                    "%04d-%02u-%02uT%02u:%02u:%02uZ", (int) tm.year, tm.month,
                    tm.day, tm.hour, tm.min, tm.sec);
}


size_t
ngx_campfire_base_time_json(u_char *buf, int64_t us)
{
    ngx_campfire_base_tm_t  tm;

    ngx_campfire_base_time_split(us, &tm);

    return snprintf((char *) buf, NGX_CAMPFIRE_BASE_TIME_LEN,
                    "%04d-%02u-%02uT%02u:%02u:%02u.%03uZ", (int) tm.year,
                    tm.month, tm.day, tm.hour, tm.min, tm.sec, tm.us / 1000);
}


size_t
ngx_campfire_base_time_http(u_char *buf, int64_t us)
{
    ngx_campfire_base_tm_t  tm;
    static const char      *week[] = { "Sun", "Mon", "Tue", "Wed", "Thu",
                                       "Fri", "Sat" };
    static const char      *months[] = { "Jan", "Feb", "Mar", "Apr", "May",
                                         "Jun", "Jul", "Aug", "Sep", "Oct",
                                         "Nov", "Dec" };

    ngx_campfire_base_time_split(us, &tm);

    return snprintf((char *) buf, NGX_CAMPFIRE_BASE_TIME_LEN,
                    "%s, %02u %s %04d %02u:%02u:%02u GMT", week[tm.weekday],
                    tm.day, months[tm.month - 1], (int) tm.year, tm.hour,
                    tm.min, tm.sec);
}


size_t
ngx_campfire_base_time_number(u_char *buf, int64_t us)
{
    ngx_campfire_base_tm_t  tm;

    ngx_campfire_base_time_split(us, &tm);

    return snprintf((char *) buf, NGX_CAMPFIRE_BASE_TIME_LEN,
                    "%04d%02u%02u%02u%02u%02u", (int) tm.year, tm.month,
                    tm.day, tm.hour, tm.min, tm.sec);
}


int64_t
ngx_campfire_base_time_ms(int64_t us)
{
    return (us - (us < 0 ? 999 : 0)) / 1000;
}


int64_t
ngx_campfire_base_time_years(int64_t us, ngx_int_t years)
{
    int64_t                 y;
    ngx_campfire_base_tm_t  tm;

    ngx_campfire_base_time_split(us, &tm);

    y = tm.year + years;

    if (tm.month == 2 && tm.day == 29
        && (y % 4 || (y % 100 == 0 && y % 400)))
    {
        tm.day = 28;
    }

    return (ngx_campfire_base_time_days(y, tm.month, tm.day) * 86400
            + tm.hour * 3600 + tm.min * 60 + tm.sec) * 1000000 + tm.us;
}
