
/*
 * The HTML that is shown for attachments.
 *
 * All values come from bodies or records and are escaped here.  The white
 * space is the reference's, byte for byte.
 */

#include "richtext/ngx_campfire_richtext_attachment.h"


#define NGX_CAMPFIRE_RICHTEXT_PARTIAL_TITLE        280
#define NGX_CAMPFIRE_RICHTEXT_PARTIAL_DESCRIPTION  560

#define NGX_CAMPFIRE_RICHTEXT_PARTIAL_MISSING      "\xe2\x98\x92"


static void ngx_campfire_richtext_partial_embed(ngx_campfire_buf_t *b,
    ngx_campfire_richtext_embed_t *embed);
static void ngx_campfire_richtext_partial_image(ngx_campfire_buf_t *b,
    ngx_campfire_richtext_resolved_t *resolved);
static void ngx_campfire_richtext_partial_truncate(ngx_campfire_buf_t *b,
    const ngx_str_t *text, ngx_uint_t n);


ngx_int_t
ngx_campfire_richtext_partial(ngx_pool_t *pool,
    ngx_campfire_richtext_resolved_t *resolved, ngx_str_t *html)
{
    ngx_campfire_buf_t  b;

    ngx_campfire_base_buf_init(&b, pool, 0);

    switch (resolved->kind) {

    case NGX_CAMPFIRE_RICHTEXT_EMBED:
        ngx_campfire_richtext_partial_embed(&b, &resolved->embed);
        break;

    case NGX_CAMPFIRE_RICHTEXT_RECORD:
        *html = resolved->record.html.str;
        return NGX_OK;

    case NGX_CAMPFIRE_RICHTEXT_CONTENT_ATTACHMENT:
        ngx_campfire_base_buf_lit(&b,
                    "<figure class=\"attachment attachment--content\">\n  ");
        ngx_campfire_base_buf_str(&b,
             *ngx_campfire_richtext_attachment_value(resolved, CONTENT_HTML));
        ngx_campfire_base_buf_lit(&b, "\n\n</figure>");
        break;

    case NGX_CAMPFIRE_RICHTEXT_IMAGE:
        ngx_campfire_richtext_partial_image(&b, resolved);
        break;

    default:
        ngx_campfire_base_buf_lit(&b, NGX_CAMPFIRE_RICHTEXT_PARTIAL_MISSING);
    }

    return ngx_campfire_base_buf_done(&b, html);
}


static void
ngx_campfire_richtext_partial_embed(ngx_campfire_buf_t *b,
    ngx_campfire_richtext_embed_t *embed)
{
    ngx_campfire_base_buf_lit(b,
        "<figure class=\"attachment attachment--content attachment--og\">\n"
        "  \n"
        "    <div class=\"og-embed gap");

    if (ngx_campfire_richtext_is_avatar(embed)) {
        ngx_campfire_base_buf_lit(b, " og-embed--twitter-avatar");
    }

    ngx_campfire_base_buf_lit(b, "\">\n"
        "      <div class=\"og-embed__content\">\n"
        "        <div class=\"og-embed__title\">\n"
        "          ");

    if (embed->href.len) {
        ngx_campfire_base_buf_lit(b, "<a href=\"");
        ngx_campfire_base_buf_html_escape(b, embed->href);
        ngx_campfire_base_buf_lit(b, "\">");
    }

    ngx_campfire_richtext_partial_truncate(b, &embed->title,
                                         NGX_CAMPFIRE_RICHTEXT_PARTIAL_TITLE);

    if (embed->href.len) {
        ngx_campfire_base_buf_lit(b, "</a>");
    }

    ngx_campfire_base_buf_lit(b, "\n"
        "        </div>\n"
        "        <div class=\"og-embed__description\">");

    ngx_campfire_richtext_partial_truncate(b, &embed->description,
                                   NGX_CAMPFIRE_RICHTEXT_PARTIAL_DESCRIPTION);

    ngx_campfire_base_buf_lit(b, "</div>\n"
        "      </div>\n");

    if (embed->image.len) {
        ngx_campfire_base_buf_lit(b,
            "        <div class=\"og-embed__image\">\n"
            "          <img src=\"");
        ngx_campfire_base_buf_html_escape(b, embed->image);
        ngx_campfire_base_buf_lit(b, "\" class=\"image center\" alt=\"\">\n"
            "        </div>\n");
    }

    ngx_campfire_base_buf_lit(b,
        "    </div>\n"
        "  \n"
        "</figure>");
}


static void
ngx_campfire_richtext_partial_image(ngx_campfire_buf_t *b,
    ngx_campfire_richtext_resolved_t *resolved)
{
    const ngx_str_t  *url, *width, *height, *caption;

    url = &resolved->embed.image;
    width = ngx_campfire_richtext_attachment_value(resolved, WIDTH);
    height = ngx_campfire_richtext_attachment_value(resolved, HEIGHT);
    caption = ngx_campfire_richtext_attachment_value(resolved, CAPTION);

    ngx_campfire_base_buf_lit(b,
                    "<figure class=\"attachment attachment--preview\">\n  ");

    if (url->len) {
        ngx_campfire_base_buf_lit(b, "<img");

        if (width->data) {
            ngx_campfire_base_buf_lit(b, " width=\"");
            ngx_campfire_base_buf_html_escape(b, *width);
            ngx_campfire_base_buf_lit(b, "\"");
        }

        if (height->data) {
            ngx_campfire_base_buf_lit(b, " height=\"");
            ngx_campfire_base_buf_html_escape(b, *height);
            ngx_campfire_base_buf_lit(b, "\"");
        }

        ngx_campfire_base_buf_lit(b, " src=\"");
        ngx_campfire_base_buf_html_escape(b, *url);
        ngx_campfire_base_buf_lit(b, "\">");

    } else {
        ngx_campfire_base_buf_lit(b, NGX_CAMPFIRE_RICHTEXT_PARTIAL_MISSING);
    }

    ngx_campfire_base_buf_lit(b, "\n");

    if (!ngx_campfire_richtext_blank(caption)) {
        ngx_campfire_base_buf_lit(b,
            "  <figcaption class=\"attachment__caption\">\n    ");
        ngx_campfire_base_buf_html_escape(b, *caption);
        ngx_campfire_base_buf_lit(b, "\n  </figcaption>\n");
    }

    ngx_campfire_base_buf_lit(b, "</figure>");
}


/* At most n characters, the last one … if there were more. */
static void
ngx_campfire_richtext_partial_truncate(ngx_campfire_buf_t *b,
    const ngx_str_t *text, ngx_uint_t n)
{
    ngx_str_t      s;
    const u_char  *p, *last, *cut;

    if (text->len == 0) {
        return;
    }

    p = text->data;
    cut = p;
    last = p + text->len;

    while (p < last && n) {
        cut = p;
        (void) ngx_campfire_richtext_char_next(&p, last);
        n--;
    }

    s = *text;

    if (p == last) {
        ngx_campfire_base_buf_html_escape(b, s);
        return;
    }

    s.len = (size_t) (cut - text->data);

    ngx_campfire_base_buf_html_escape(b, s);
    ngx_campfire_base_buf_lit(b, "\xe2\x80\xa6");
}


ngx_int_t
ngx_campfire_richtext_mention(ngx_pool_t *pool,
    const ngx_campfire_richtext_mention_t *user, ngx_campfire_html_t *html)
{
    ngx_campfire_buf_t  b;

    ngx_campfire_base_buf_init(&b, pool, 512);

    ngx_campfire_base_buf_lit(&b, "<span class=\"mention\" sgid=\"");
    ngx_campfire_base_buf_html_escape(&b, user->sgid);
    ngx_campfire_base_buf_lit(&b, "\"><a title=\"");
    ngx_campfire_base_buf_html_escape(&b, user->name);

    if (!ngx_campfire_richtext_blank(&user->bio)) {
        ngx_campfire_base_buf_lit(&b, " \xe2\x80\x93 ");
        ngx_campfire_base_buf_html_escape(&b, user->bio);
    }

    ngx_campfire_base_buf_lit(&b,
        "\" class=\"btn avatar\" data-turbo-frame=\"_top\" href=\"/users/");
    ngx_campfire_base_buf_int(&b, user->id);
    ngx_campfire_base_buf_lit(&b, "\"><img aria-hidden=\"true\" src=\"");
    ngx_campfire_base_buf_html_escape(&b, user->avatar);
    ngx_campfire_base_buf_lit(&b, "\" width=\"48\" height=\"48\" /></a> ");
    ngx_campfire_base_buf_html_escape(&b, user->name);
    ngx_campfire_base_buf_lit(&b, "</span>");

    return ngx_campfire_base_buf_done(&b, &html->str);
}
