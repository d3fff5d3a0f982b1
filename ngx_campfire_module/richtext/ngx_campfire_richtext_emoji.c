
/*
 * Texts of nothing but emoji, which are shown large.
 *
 *   E* = an emoji and any number of U+FE0F
 *
 *   digit or # or *, optional U+FE0F, U+20E3           keycap
 *   U+FE0F                                             on its own
 *   E* (U+200D E*)...                                  one, or joined ones
 *   E* U+E0020..U+E007E... U+E007F (U+200D E*)...      a flag with tags
 *
 * A text is all emoji if it is one or more of these and nothing else.
 */

#include "richtext/ngx_campfire_richtext.h"
#include "richtext/ngx_campfire_richtext_tree.h"


typedef struct {
    uint32_t  first;
    uint32_t  last;
} ngx_campfire_richtext_emoji_range_t;


/* Emoji_Presentation or Extended_Pictographic, of Unicode 16. */
static const ngx_campfire_richtext_emoji_range_t
    ngx_campfire_richtext_emoji_ranges[] =
{
    { 0xa9, 0xa9 }, { 0xae, 0xae }, { 0x203c, 0x203c }, { 0x2049, 0x2049 },
    { 0x2122, 0x2122 }, { 0x2139, 0x2139 }, { 0x2194, 0x2199 },
    { 0x21a9, 0x21aa }, { 0x231a, 0x231b }, { 0x2328, 0x2328 },
    { 0x2388, 0x2388 }, { 0x23cf, 0x23cf }, { 0x23e9, 0x23f3 },
    { 0x23f8, 0x23fa }, { 0x24c2, 0x24c2 }, { 0x25aa, 0x25ab },
    { 0x25b6, 0x25b6 }, { 0x25c0, 0x25c0 }, { 0x25fb, 0x25fe },
    { 0x2600, 0x2605 }, { 0x2607, 0x2612 }, { 0x2614, 0x2685 },
    { 0x2690, 0x2705 }, { 0x2708, 0x2712 }, { 0x2714, 0x2714 },
    { 0x2716, 0x2716 }, { 0x271d, 0x271d }, { 0x2721, 0x2721 },
    { 0x2728, 0x2728 }, { 0x2733, 0x2734 }, { 0x2744, 0x2744 },
    { 0x2747, 0x2747 }, { 0x274c, 0x274c }, { 0x274e, 0x274e },
    { 0x2753, 0x2755 }, { 0x2757, 0x2757 }, { 0x2763, 0x2767 },
    { 0x2795, 0x2797 }, { 0x27a1, 0x27a1 }, { 0x27b0, 0x27b0 },
    { 0x27bf, 0x27bf }, { 0x2934, 0x2935 }, { 0x2b05, 0x2b07 },
    { 0x2b1b, 0x2b1c }, { 0x2b50, 0x2b50 }, { 0x2b55, 0x2b55 },
    { 0x3030, 0x3030 }, { 0x303d, 0x303d }, { 0x3297, 0x3297 },
    { 0x3299, 0x3299 }, { 0x1f000, 0x1f0ff }, { 0x1f10d, 0x1f10f },
    { 0x1f12f, 0x1f12f }, { 0x1f16c, 0x1f171 }, { 0x1f17e, 0x1f17f },
    { 0x1f18e, 0x1f18e }, { 0x1f191, 0x1f19a }, { 0x1f1ad, 0x1f1ff },
    { 0x1f201, 0x1f20f }, { 0x1f21a, 0x1f21a }, { 0x1f22f, 0x1f22f },
    { 0x1f232, 0x1f23a }, { 0x1f23c, 0x1f23f }, { 0x1f249, 0x1f53d },
    { 0x1f546, 0x1f64f }, { 0x1f680, 0x1f6ff }, { 0x1f774, 0x1f77f },
    { 0x1f7d5, 0x1f7ff }, { 0x1f80c, 0x1f80f }, { 0x1f848, 0x1f84f },
    { 0x1f85a, 0x1f85f }, { 0x1f888, 0x1f88f }, { 0x1f8ae, 0x1f8ff },
    { 0x1f90c, 0x1f93a }, { 0x1f93c, 0x1f945 }, { 0x1f947, 0x1faff },
    { 0x1fc00, 0x1fffd }
};


static ngx_int_t ngx_campfire_richtext_emoji_keycap(const u_char **p,
    const u_char *last);
static ngx_int_t ngx_campfire_richtext_emoji_one(const u_char **p,
    const u_char *last);
static ngx_int_t ngx_campfire_richtext_emoji_tags(const u_char **p,
    const u_char *last);
static ngx_int_t ngx_campfire_richtext_emoji_take(const u_char **p,
    const u_char *last, uint32_t c);
static ngx_int_t ngx_campfire_richtext_emoji_is(uint32_t c);


ngx_int_t
ngx_campfire_richtext_all_emoji(const ngx_str_t *plain)
{
    const u_char  *p, *last;

    if (plain->len == 0) {
        return 0;
    }

    p = plain->data;
    last = p + plain->len;

    while (p < last) {

        if (ngx_campfire_richtext_emoji_take(&p, last, 0xfe0f)
            || ngx_campfire_richtext_emoji_keycap(&p, last))
        {
            continue;
        }

        if (!ngx_campfire_richtext_emoji_one(&p, last)
            || !ngx_campfire_richtext_emoji_tags(&p, last))
        {
            return 0;
        }

        while (ngx_campfire_richtext_emoji_take(&p, last, 0x200d)) {
            if (!ngx_campfire_richtext_emoji_one(&p, last)) {
                return 0;
            }
        }
    }

    return 1;
}


static ngx_int_t
ngx_campfire_richtext_emoji_keycap(const u_char **p, const u_char *last)
{
    const u_char  *s;

    s = *p;

    if ((*s < '0' || *s > '9') && *s != '#' && *s != '*') {
        return 0;
    }

    s++;
    (void) ngx_campfire_richtext_emoji_take(&s, last, 0xfe0f);

    if (!ngx_campfire_richtext_emoji_take(&s, last, 0x20e3)) {
        return 0;
    }

    *p = s;

    return 1;
}


static ngx_int_t
ngx_campfire_richtext_emoji_one(const u_char **p, const u_char *last)
{
    const u_char  *s;

    s = *p;

    if (s == last
        || !ngx_campfire_richtext_emoji_is(
               ngx_campfire_richtext_char_next(&s, last)))
    {
        return 0;
    }

    while (ngx_campfire_richtext_emoji_take(&s, last, 0xfe0f)) { /* void */ }

    *p = s;

    return 1;
}


/* 0 for tags without their end; having none is fine. */
static ngx_int_t
ngx_campfire_richtext_emoji_tags(const u_char **p, const u_char *last)
{
    uint32_t       c;
    ngx_uint_t     n;
    const u_char  *s;

    s = *p;

    for (n = 0; s < last; n++) {
        c = ngx_campfire_richtext_char_next(&s, last);

        if (c == 0xe007f && n) {
            *p = s;
            return 1;
        }

        if (c < 0xe0020 || c > 0xe007e) {
            break;
        }
    }

    return n == 0;
}


/* Advances past c, if that is the next character. */
static ngx_int_t
ngx_campfire_richtext_emoji_take(const u_char **p, const u_char *last,
    uint32_t c)
{
    const u_char  *s;

    s = *p;

    if (s == last || ngx_campfire_richtext_char_next(&s, last) != c) {
        return 0;
    }

    *p = s;

    return 1;
}


static ngx_int_t
ngx_campfire_richtext_emoji_is(uint32_t c)
{
    size_t                                      low, high, middle;
    const ngx_campfire_richtext_emoji_range_t  *range;

    low = 0;
    high = sizeof(ngx_campfire_richtext_emoji_ranges)
           / sizeof(ngx_campfire_richtext_emoji_ranges[0]);

    while (low < high) {
        middle = low + (high - low) / 2;
        range = &ngx_campfire_richtext_emoji_ranges[middle];

        if (c < range->first) {
            high = middle;

        } else if (c > range->last) {
            low = middle + 1;

        } else {
            return 1;
        }
    }

    return 0;
}
