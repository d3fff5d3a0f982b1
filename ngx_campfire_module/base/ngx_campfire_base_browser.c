
/*
 * The browser check.  A User-Agent is "Product/Version (comment)" repeated;
 * products are told apart by which of them are there, first match wins.
 */

#include "base/ngx_campfire_base_browser.h"


#define NGX_CAMPFIRE_BASE_BROWSER_TOKENS  32


typedef struct {
    ngx_str_t   name;
    ngx_str_t   version;
    ngx_str_t   comment;
} ngx_campfire_base_browser_token_t;

typedef struct {
    ngx_campfire_base_browser_token_t
                tokens[NGX_CAMPFIRE_BASE_BROWSER_TOKENS];
    ngx_uint_t  ntokens;
} ngx_campfire_base_browser_t;


static void ngx_campfire_base_browser_parse(const ngx_str_t *ua,
    ngx_campfire_base_browser_t *b);
static ngx_campfire_base_browser_token_t *ngx_campfire_base_browser_find(
    ngx_campfire_base_browser_t *b, const char *name);
static ngx_uint_t ngx_campfire_base_browser_is(
    ngx_campfire_base_browser_token_t *token, const char *name);
static ngx_uint_t ngx_campfire_base_browser_crawler(
    ngx_campfire_base_browser_t *b);
static ngx_uint_t ngx_campfire_base_browser_explorer(
    const ngx_str_t *comment);
static ngx_uint_t ngx_campfire_base_browser_contains(const ngx_str_t *text,
    const char *word);
static ngx_uint_t ngx_campfire_base_browser_at_least(
    const ngx_str_t *version, unsigned major, unsigned minor);
static void ngx_campfire_base_browser_ios(const ngx_str_t *comment,
    ngx_str_t *version);


ngx_uint_t
ngx_campfire_base_browser_supported(const ngx_str_t *user_agent)
{
    ngx_str_t                           version;
    ngx_campfire_base_browser_t         b;
    ngx_campfire_base_browser_token_t  *first, *last, *t;

    ngx_campfire_base_browser_parse(user_agent, &b);

    if (b.ntokens == 0 || ngx_campfire_base_browser_crawler(&b)) {
        return 1;
    }

    first = &b.tokens[0];
    last = &b.tokens[b.ntokens - 1];

    if (ngx_campfire_base_browser_is(last, "Edge")) {
        return 1;
    }

    if (ngx_campfire_base_browser_explorer(&first->comment)) {
        return 0;
    }

    if (ngx_campfire_base_browser_is(first, "Opera")
        || ngx_campfire_base_browser_is(last, "OPR"))
    {
        t = ngx_campfire_base_browser_find(&b, "Version");
        if (t == NULL) {
            t = ngx_campfire_base_browser_find(&b, "OPR");
        }

        return t == NULL
               || ngx_campfire_base_browser_at_least(&t->version, 104, 0);
    }

    if (ngx_campfire_base_browser_find(&b, "MicroMessenger")
        || ngx_campfire_base_browser_find(&b, "Vivaldi"))
    {
        return 1;
    }

    t = ngx_campfire_base_browser_find(&b, "CriOS");
    if (t == NULL) {
        t = ngx_campfire_base_browser_find(&b, "Chrome");
    }

    if (t) {
        return ngx_campfire_base_browser_at_least(&t->version, 120, 0);
    }

    if (ngx_campfire_base_browser_find(&b, "AppleWebKit")) {

        if (ngx_campfire_base_browser_contains(&first->comment, "Android")
            || ngx_campfire_base_browser_contains(&first->comment,
                                                  "BlackBerry"))
        {
            return 1;
        }

        t = ngx_campfire_base_browser_find(&b, "Version");

        if (t) {
            version = t->version;
        } else {
            ngx_campfire_base_browser_ios(&first->comment, &version);
        }

        return ngx_campfire_base_browser_at_least(&version, 17, 2);
    }

    if (ngx_campfire_base_browser_is(first, "Mozilla")
        && ngx_campfire_base_browser_find(&b, "PaleMoon") == NULL)
    {
        t = ngx_campfire_base_browser_find(&b, "Firefox");

        return t == NULL
               || ngx_campfire_base_browser_at_least(&t->version, 121, 0);
    }

    return 1;
}


static void
ngx_campfire_base_browser_parse(const ngx_str_t *ua,
    ngx_campfire_base_browser_t *b)
{
    u_char                             *p, *end, *start;
    ngx_uint_t                          depth;
    ngx_campfire_base_browser_token_t  *t;

    b->ntokens = 0;

    p = ua->data;
    end = p + ua->len;
    t = NULL;

    while (p < end) {

        if (*p == ' ' || *p == ',' || *p == ';') {
            p++;
            continue;
        }

        if (*p == '(') {
            start = ++p;
            depth = 1;

            while (p < end) {
                if (*p == '(') {
                    depth++;

                } else if (*p == ')' && --depth == 0) {
                    break;
                }

                p++;
            }

            if (t && t->comment.data == NULL) {
                t->comment.data = start;
                t->comment.len = p - start;
            }

            p++;
            continue;
        }

        if (b->ntokens == NGX_CAMPFIRE_BASE_BROWSER_TOKENS) {
            return;
        }

        t = &b->tokens[b->ntokens++];
        ngx_memzero(t, sizeof(ngx_campfire_base_browser_token_t));

        t->name.data = p;
        while (p < end && *p != '/' && *p != ' ' && *p != '(') {
            p++;
        }

        t->name.len = p - t->name.data;

        if (p < end && *p == '/') {
            t->version.data = ++p;
            while (p < end && *p != ' ' && *p != '(') {
                p++;
            }

            t->version.len = p - t->version.data;
        }
    }
}


static ngx_uint_t
ngx_campfire_base_browser_is(ngx_campfire_base_browser_token_t *token,
    const char *name)
{
    return token->name.len == strlen(name)
           && memcmp(token->name.data, name, token->name.len) == 0;
}


static ngx_campfire_base_browser_token_t *
ngx_campfire_base_browser_find(ngx_campfire_base_browser_t *b,
    const char *name)
{
    ngx_uint_t  i;

    for (i = 0; i < b->ntokens; i++) {
        if (ngx_campfire_base_browser_is(&b->tokens[i], name)) {
            return &b->tokens[i];
        }
    }

    return NULL;
}


/* Case does not matter. */
static ngx_uint_t
ngx_campfire_base_browser_contains(const ngx_str_t *text, const char *word)
{
    size_t  i, k, len;
    u_char  a, w;

    len = strlen(word);

    for (i = 0; i + len <= text->len; i++) {
        for (k = 0; k < len; k++) {
            a = text->data[i + k];
            w = (u_char) word[k];

            if ((a | 0x20) != (w | 0x20)) {
                break;
            }
        }

        if (k == len) {
            return 1;
        }
    }

    return 0;
}


static ngx_uint_t
ngx_campfire_base_browser_crawler(ngx_campfire_base_browser_t *b)
{
    ngx_uint_t  i;

    if (ngx_campfire_base_browser_find(b, "Chrome-Lighthouse")) {
        return 1;
    }

    for (i = 0; i < b->ntokens; i++) {
        if (ngx_campfire_base_browser_contains(&b->tokens[i].comment, "bot")) {
            return 1;
        }
    }

    for (i = 0; i < b->ntokens; i++) {
        if (b->tokens[i].comment.data) {
            return ngx_campfire_base_browser_contains(&b->tokens[i].name,
                                                      "bot");
        }
    }

    return 0;
}


static ngx_uint_t
ngx_campfire_base_browser_explorer(const ngx_str_t *comment)
{
    u_char     *p;
    ngx_str_t   second;

    p = comment->len ? memchr(comment->data, ';', comment->len) : NULL;

    if (p) {
        second.data = p + 1;
        second.len = comment->data + comment->len - second.data;

        p = memchr(second.data, ';', second.len);
        if (p) {
            second.len = p - second.data;
        }

        if (ngx_campfire_base_browser_contains(&second, "MSIE")) {
            return 1;
        }
    }

    return ngx_campfire_base_browser_contains(comment, "Trident")
           && ngx_campfire_base_browser_contains(comment, "rv:");
}


/* "CPU iPhone OS 16_0 like Mac OS X" holds the version of the system. */
static void
ngx_campfire_base_browser_ios(const ngx_str_t *comment, ngx_str_t *version)
{
    u_char  *p, *end;

    version->len = 0;
    version->data = NULL;

    p = comment->data;
    end = p + comment->len;

    for ( /* void */ ; p && end - p > 4; p++) {
        if (memcmp(p, " OS ", 4) == 0 && p[4] >= '0' && p[4] <= '9') {
            version->data = p + 4;

            for (p += 4; p < end && *p != ' ' && *p != ';'; p++) {
                version->len++;
            }

            return;
        }
    }
}


/* True also when there is no number to compare. */
static ngx_uint_t
ngx_campfire_base_browser_at_least(const ngx_str_t *version, unsigned major,
    unsigned minor)
{
    size_t    i;
    unsigned  n[2], k;

    if (version->len == 0 || version->data[0] < '0' || version->data[0] > '9')
    {
        return 1;
    }

    n[0] = n[1] = 0;

    for (i = 0, k = 0; i < version->len && k < 2; i++) {

        if (version->data[i] >= '0' && version->data[i] <= '9') {
            if (n[k] < 100000) {
                n[k] = n[k] * 10 + (version->data[i] - '0');
            }

        } else if (version->data[i] == '.' || version->data[i] == '_') {
            k++;

        } else {
            break;
        }
    }

    return n[0] > major || (n[0] == major && n[1] >= minor);
}
