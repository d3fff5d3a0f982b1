
/*
 * Addresses in texts become links: URLs first, then e-mail addresses in what
 * is left.
 *
 * The reference runs expressions over the escaped HTML.  Here they run over
 * decoded characters; that & < > are entities there, ending in a semicolon,
 * is why they neither end a URL nor count as its trailing punctuation, nor
 * belong to an e-mail address.
 */

#include "richtext/ngx_campfire_richtext_tree.h"

#include <strings.h>


/* Longer ones before those they end with: sftp before ftp. */
static const char  *const ngx_campfire_richtext_autolink_schemes[] = {
    "callto", "gopher", "mailto", "telnet", "webcal",
    "https", "rsync",
    "ed2k", "http", "news", "nntp", "xmpp", "feed", "sftp", "rtsp", "file",
    "ftp", "irc", "svn", "urn", "aim", "tag", "ssh", "afs"
};

typedef struct {
    const u_char  *start;
    const u_char  *rest;        /* behind :// or the dot of www. */
    const u_char  *end;
    unsigned       www:1;
} ngx_campfire_richtext_autolink_url_t;


static ngx_int_t ngx_campfire_richtext_autolink_find(const u_char *p,
    const u_char *last, ngx_campfire_richtext_autolink_url_t *url);
static const u_char *ngx_campfire_richtext_autolink_scheme(const u_char *p,
    const u_char *colon);
static const u_char *ngx_campfire_richtext_autolink_trim(
    ngx_campfire_richtext_autolink_url_t *url);
static void ngx_campfire_richtext_autolink_quoted(ngx_campfire_buf_t *b,
    const u_char *p, const u_char *last);
static void ngx_campfire_richtext_autolink_emails(ngx_campfire_buf_t *b,
    const u_char *p, const u_char *last);
static const u_char *ngx_campfire_richtext_autolink_domain(const u_char *p,
    const u_char *last);


#define ngx_campfire_richtext_autolink_is_word(c)                             \
    ((c) < 0x80 && ngx_campfire_richtext_char_is_word(c))


void
ngx_campfire_richtext_autolink(ngx_campfire_buf_t *b, const ngx_str_t *text)
{
    const u_char                          *p, *from, *last, *end, *c;
    ngx_campfire_richtext_autolink_url_t   url;

    p = text->data;
    from = p;
    last = p + text->len;

    while (ngx_campfire_richtext_autolink_find(p, last, &url)) {

        p = url.end;
        end = ngx_campfire_richtext_autolink_trim(&url);

        /* there must be something to go to */

        for (c = url.rest; c < end; ) {
            if (ngx_campfire_richtext_char_is_word(
                    ngx_campfire_richtext_char_next(&c, end)))
            {
                c = NULL;
                break;
            }
        }

        if (c) {
            continue;
        }

        ngx_campfire_richtext_autolink_emails(b, from, url.start);

        ngx_campfire_base_buf_lit(b, "<a target=\"_blank\" href=\"");

        if (url.www) {
            ngx_campfire_base_buf_lit(b, "http://");
        }

        ngx_campfire_richtext_write_text(b, url.start,
                                         (size_t) (end - url.start));
        ngx_campfire_base_buf_lit(b, "\">");
        ngx_campfire_richtext_write_text(b, url.start,
                                         (size_t) (end - url.start));
        ngx_campfire_base_buf_lit(b, "</a>");

        ngx_campfire_richtext_autolink_quoted(b, end, url.end);

        from = url.end;
    }

    ngx_campfire_richtext_autolink_emails(b, from, last);
}


static ngx_int_t
ngx_campfire_richtext_autolink_find(const u_char *p, const u_char *last,
    ngx_campfire_richtext_autolink_url_t *url)
{
    const u_char  *s, *end, *from;

    for (s = p; last - s > 3; s++) {

        if (*s == ':' && s[1] == '/' && s[2] == '/') {
            url->start = ngx_campfire_richtext_autolink_scheme(p, s);
            url->rest = s + 3;
            url->www = 0;
            from = url->rest;

        } else if ((*s | 0x20) == 'w' && last - s > 5
                   && strncasecmp((const char *) s, "www.", 4) == 0
                   && ngx_campfire_richtext_autolink_is_word(s[4]))
        {
            url->start = s;
            url->rest = s + 4;
            url->www = 1;
            from = s + 5;

        } else {
            continue;
        }

        if (url->start == NULL) {
            continue;
        }

        for (end = from; end < last; end++) {
            if (ngx_campfire_richtext_is_space(*end) || *end == '"'
                || (*end == 0xc2 && last - end > 1 && end[1] == 0xa0))
            {
                break;
            }
        }

        if (end > from) {
            url->end = end;
            return 1;
        }
    }

    return 0;
}


/* Where the scheme before the colon begins, at p or later, or NULL. */
static const u_char *
ngx_campfire_richtext_autolink_scheme(const u_char *p, const u_char *colon)
{
    size_t  i, len;

    for (i = 0; i < sizeof(ngx_campfire_richtext_autolink_schemes)
                    / sizeof(ngx_campfire_richtext_autolink_schemes[0]); i++)
    {
        len = strlen(ngx_campfire_richtext_autolink_schemes[i]);

        if ((size_t) (colon - p) >= len
            && strncasecmp((const char *) colon - len,
                           ngx_campfire_richtext_autolink_schemes[i], len)
               == 0)
        {
            return colon - len;
        }
    }

    return NULL;
}


/*
 * The end of the link without the punctuation of the sentence around it.  A
 * closing bracket stays if its opening one is in the link.
 */
static const u_char *
ngx_campfire_richtext_autolink_trim(ngx_campfire_richtext_autolink_url_t *url)
{
    size_t             i;
    uint32_t           c;
    const u_char      *p, *end;

    static const char  brackets[] = "([{)]}";
    ssize_t            surplus[3] = { 0, 0, 0 };

    for (p = url->start; p < url->end; p++) {
        for (i = 0; i < 6; i++) {
            if (*p == (u_char) brackets[i]) {
                surplus[i % 3] += i < 3 ? 1 : -1;
            }
        }
    }

    end = url->end;

    while (end > url->start) {
        p = end;
        c = ngx_campfire_richtext_char_prev(url->start, &p);

        if (c == '/' || c == '-' || c == '=' || c == ';' || c == '&'
            || c == '<' || c == '>' || ngx_campfire_richtext_char_is_word(c))
        {
            break;
        }

        for (i = 0; i < 6; i++) {
            if (c == (u_char) brackets[i]) {
                surplus[i % 3] -= i < 3 ? 1 : -1;
                break;
            }
        }

        if (i >= 3 && i < 6 && surplus[i % 3] > 0) {
            break;
        }

        end = p;
    }

    if (end > url->start && end[-1] == '>') {
        end--;
    }

    return end;
}


/* Text in which ' is an entity, too. */
static void
ngx_campfire_richtext_autolink_quoted(ngx_campfire_buf_t *b, const u_char *p,
    const u_char *last)
{
    const u_char  *from;

    for (from = p; p < last; p++) {
        if (*p == '\'') {
            ngx_campfire_richtext_write_text(b, from, (size_t) (p - from));
            ngx_campfire_base_buf_lit(b, "&#39;");
            from = p + 1;
        }
    }

    ngx_campfire_richtext_write_text(b, from, (size_t) (p - from));
}


/* A character an address may have before its @, and may not follow. */
static ngx_int_t
ngx_campfire_richtext_autolink_is_local(u_char c)
{
    return ngx_campfire_richtext_autolink_is_word(c)
           || (c && strchr(".!#$%'*/=?^`{|}~+-", c));
}


static void
ngx_campfire_richtext_autolink_emails(ngx_campfire_buf_t *b, const u_char *p,
    const u_char *last)
{
    const u_char       *s, *from, *start, *end;

    static const char   hex[] = "0123456789ABCDEF";

    from = p;

    for (s = p; s < last; s++) {
        s = memchr(s, '@', (size_t) (last - s));
        if (s == NULL) {
            break;
        }

        for (start = s;
             start > p && ngx_campfire_richtext_autolink_is_local(start[-1]);
             start--)
        {
            /* void */
        }

        if (start == s || start < from
            || (!ngx_campfire_richtext_autolink_is_word(*start)
                && strchr(".!#$%+-", *start) == NULL))
        {
            continue;
        }

        end = ngx_campfire_richtext_autolink_domain(s + 1, last);
        if (end == NULL) {
            continue;
        }

        ngx_campfire_richtext_write_text(b, from, (size_t) (start - from));
        ngx_campfire_base_buf_lit(b, "<a target=\"_blank\" href=\"mailto:");

        for (from = start; from < end; from++) {
            if (ngx_campfire_richtext_autolink_is_word(*from) || *from == '-'
                || *from == '.' || *from == '~' || *from == '@')
            {
                ngx_campfire_base_buf_append(b, from, 1);

            } else {
                ngx_campfire_base_buf_lit(b, "%");
                ngx_campfire_base_buf_append(b, &hex[*from >> 4], 1);
                ngx_campfire_base_buf_append(b, &hex[*from & 0x0f], 1);
            }
        }

        ngx_campfire_base_buf_lit(b, "\">");
        ngx_campfire_richtext_autolink_quoted(b, start, end);
        ngx_campfire_base_buf_lit(b, "</a>");

        s = end - 1;
    }

    ngx_campfire_richtext_write_text(b, from, (size_t) (last - from));
}


/* The end of a domain of two labels or more, or NULL. */
static const u_char *
ngx_campfire_richtext_autolink_domain(const u_char *p, const u_char *last)
{
    ngx_uint_t     labels;
    const u_char  *end;

    end = NULL;

    for (labels = 1; ; labels++) {

        if (p == last
            || (!ngx_campfire_richtext_autolink_is_word(*p) && *p != '-'))
        {
            return end;
        }

        while (p < last
               && (ngx_campfire_richtext_autolink_is_word(*p) || *p == '-'))
        {
            p++;
        }

        if (labels > 1) {
            end = p;
        }

        if (p == last || *p != '.') {
            return end;
        }

        p++;
    }
}
