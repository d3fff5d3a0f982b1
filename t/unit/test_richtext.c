
/*
 * Message bodies against the vectors that the Rails application made, whose
 * file is named by CAMPFIRE_VECTORS, and attachments.
 *
 * The vectors are of the older reference.  Where the newer one, or we on
 * purpose, show something else, the tables below say what and why; every
 * other vector must match to the byte, wrapper class aside.
 */

#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <stdio.h>
#include <cmocka.h>
#include <jansson.h>

#include "richtext.h"


#define THEIRS  "<div class=\"trix-content\">"
#define OURS    "<div class=\"" NGX_CAMPFIRE_RICHTEXT_CLASS "\">"

#define CARD_TOP(class)                                                       \
    "\n  \n    <div class=\"" class "\">\n"                                   \
    "      <div class=\"og-embed__content\">\n"                               \
    "        <div class=\"og-embed__title\">\n          "

#define CARD_TEXT(text)                                                       \
    "\n        </div>\n"                                                      \
    "        <div class=\"og-embed__description\">" text "</div>\n"           \
    "      </div>\n"

#define CARD_IMAGE(src)                                                       \
    "        <div class=\"og-embed__image\">\n"                               \
    "          <img src=\"" src "\" class=\"image center\" alt=\"\">\n"       \
    "        </div>\n"

#define CARD_END  "    </div>\n  \n"

#define FIGURE(html)                                                          \
    "<figure class=\"attachment attachment--content attachment--og\">" html   \
    "</figure>"


typedef struct {
    size_t       row;
    const char  *html;
} other_t;


/* Vectors of rich_text that show something else on a page. */
static const other_t  other_shown[] = {

    /* the newer reference shows s, u, mark, tables and data-language */
    { 17, "<strong>s</strong><em>e</em><del>d</del><u>u</u><s>s</s>"
          "<mark>m</mark>" },
    { 22, "<pre data-language=\"ruby\" class=\"lang\">x</pre>" },
    { 29, "<table><tbody><tr><td>cell</td></tr></tbody></table>" },
    { 30, "<table><tbody><tr><th>h</th></tr></tbody></table>" },

    /* an element of a body has no name: it would shadow the document's */
    { 46, "<a href=\"https://a.test\" class=\"c\" title=\"t\">attrs</a>" },

    /* the reference fails; the address is not one of a picture */
    { 115, "<div>\xe2\x98\x92</div>" },

    /* the embed of a body that is only its address is shown once */
    { 119, "<div>" CARD_TOP("og-embed gap")
           "<a href=\"https://a.test/p\">T</a>" CARD_TEXT("D")
           CARD_IMAGE("https://a.test/i.png") CARD_END "</div>" },

    /* an embed has no image, or no link, rather than a broken one */
    { 120, "<div><a target=\"_blank\" href=\"https://a.test/p\">"
           "https://a.test/p</a> " CARD_TOP("og-embed gap")
           "<a href=\"https://a.test/p\">T &lt;b&gt;</a>"
           CARD_TEXT("&lt;script&gt;alert(1)&lt;/script&gt;"
                     "&lt;b&gt;D&lt;/b&gt;")
           CARD_END "</div>" },
    { 121, "<div>" CARD_TOP("og-embed gap") CARD_TEXT("") CARD_END "</div>" },

    /* the newer reference marks the embed itself, too */
    { 122, "<div class=\"cf-twitter-avatar\">"
           CARD_TOP("og-embed gap og-embed--twitter-avatar")
           "<a href=\"https://twitter.com/a/status/1\">A (@a)</a>"
           CARD_TEXT("tweet")
           CARD_IMAGE("https://pbs.twimg.com/profile_images/1/a.jpg")
           CARD_END "</div>" },

    /* a picture inside of an attachment must be on another host */
    { 128, "<div>\n  hi\n\n</div>" },

    { 0, NULL }
};


/* The same for the API. */
static const other_t  other_api[] = {
    { 17, "<strong>s</strong><em>e</em><del>d</del><u>u</u><s>s</s>"
          "<mark>m</mark>" },
    { 22, "<pre data-language=\"ruby\" class=\"lang\">x</pre>" },
    { 26, "<ol start=\"3\"><li>three</li></ol>" },
    { 29, "<table><tbody><tr><td>cell</td></tr></tbody></table>" },
    { 30, "<figure class=\"lexxy-content__table-wrapper\"><table><tbody><tr>"
          "<th>h</th></tr></tbody></table></figure>" },
    { 46, "<a href=\"https://a.test\" class=\"c\" title=\"t\">attrs</a>" },
    { 120, "<div>https://a.test/p <action-text-attachment content-type="
           "\"application/vnd.actiontext.opengraph-embed\""
           " url=\"javascript:alert(1)\" href=\"https://a.test/p\""
           " filename=\"T <b>\" caption=\"<script>alert(1)</script>"
           "<b>D</b>\">"
           FIGURE(CARD_TOP("og-embed gap")
                  "<a href=\"https://a.test/p\">T &lt;b&gt;</a>"
                  CARD_TEXT("&lt;script&gt;alert(1)&lt;/script&gt;"
                            "&lt;b&gt;D&lt;/b&gt;")
                  CARD_END)
           "</action-text-attachment></div>" },
    { 121, "<div><action-text-attachment content-type="
           "\"application/vnd.actiontext.opengraph-embed\" url=\"\""
           " filename=\"T\" caption=\"D\">"
           FIGURE(CARD_TOP("og-embed gap") "T" CARD_TEXT("D") CARD_END)
           "</action-text-attachment></div>" },
    { 122, "<div>https://x.com/a/status/1?s=20<action-text-attachment"
           " content-type=\"application/vnd.actiontext.opengraph-embed\""
           " url=\"https://pbs.twimg.com/profile_images/1/a.jpg\""
           " href=\"https://twitter.com/a/status/1\" filename=\"A (@a)\""
           " caption=\"tweet\">"
           FIGURE(CARD_TOP("og-embed gap og-embed--twitter-avatar")
                  "<a href=\"https://twitter.com/a/status/1\">A (@a)</a>"
                  CARD_TEXT("tweet")
                  CARD_IMAGE("https://pbs.twimg.com/profile_images/1/a.jpg")
                  CARD_END)
           "</action-text-attachment></div>" },
    { 0, NULL }
};


/* Vectors of rich_text with another plain text. */
static const other_t  other_text[] = {
    /* all headings are paragraphs, not the first kind alone */
    { 18, "One\n\nTwo\n\nSix" },
    /* what is shown as missing is no image */
    { 115, "" },
    { 0, NULL }
};


/* Vectors of stored_rendering that show something else: reasons as above. */
static const other_t  other_stored[] = {
    { 2, "<p>lexxy <mark>m</mark></p>" },
    { 4, CARD_TOP("og-embed gap") "<a href=\"https://a.test/p\">T</a>"
         CARD_TEXT("D") CARD_IMAGE("https://a.test/i.png") CARD_END },
    { 0, NULL }
};


/* Emoji made of several characters: joined, keycaps and tags. */
static const char  *const  other_emoji[] = {
    "\xf0\x9f\x91\xa8\xe2\x80\x8d\xf0\x9f\x91\xa9\xe2\x80\x8d\xf0\x9f\x91\xa7",
    "1\xef\xb8\x8f\xe2\x83\xa3",
    "#\xef\xb8\x8f\xe2\x83\xa3",
    "\xf0\x9f\x8f\xb4\xf3\xa0\x81\xa7\xf3\xa0\x81\xa2\xf3\xa0\x81\xa5"
    "\xf3\xa0\x81\xae\xf3\xa0\x81\xa7\xf3\xa0\x81\xbf",
    NULL
};


#define AVATAR                                                                \
    "/users/eyJfcmFpbHMiOnsiZGF0YSI6MiwicHVyIjoidXNlci9hdmF0YXIifX0--"        \
    "e8eb823407abe114bb2d43a7c9a9d188aff8e3f667f50075a970bf219073cf35"        \
    "/avatar?v=20260122150000"


static json_t                            *vectors;
static ngx_str_t                          user_sgid;
static ngx_str_t                          user_old_sgid;
static ngx_str_t                          user_html;


static ngx_str_t
get(json_t *object, const char *name)
{
    json_t     *v;
    ngx_str_t   s;

    v = json_object_get(object, name);
    assert_true(json_is_string(v));
    s.data = (u_char *) json_string_value(v);
    s.len = json_string_length(v);

    return s;
}


static const char *
other(const other_t *list, size_t row)
{
    for ( /* void */ ; list->html; list++) {
        if (list->row == row) {
            return list->html;
        }
    }

    return NULL;
}


/* What a vector shows, in our wrapper, or what we show instead. */
static ngx_str_t
shown(json_t *object, const char *name, const other_t *list, size_t row)
{
    ngx_str_t    s;
    const char  *html;

    html = other(list, row);
    if (html) {
        return join(OPEN, cstr(html), CLOSE);
    }

    s = get(object, name);

    if (s.len > sizeof(THEIRS)
        && memcmp(s.data, THEIRS, sizeof(THEIRS) - 1) == 0)
    {
        s.data += sizeof(THEIRS) - 1;
        s.len -= sizeof(THEIRS) - 1;
        return join(OURS, s, "");
    }

    return s;
}


/* User 2 in the markup of the vectors' time, or in ours. */
static ngx_int_t
find(void *data, ngx_pool_t *p,
    const ngx_campfire_richtext_attachment_t *attachment,
    ngx_campfire_richtext_attachable_t *out)
{
    const ngx_str_t                   *sgid;
    ngx_campfire_richtext_mention_t    user;

    sgid = &attachment->values[NGX_CAMPFIRE_RICHTEXT_SGID];

    if ((sgid->len != user_sgid.len
         || memcmp(sgid->data, user_sgid.data, sgid->len) != 0)
        && (sgid->len != user_old_sgid.len
            || memcmp(sgid->data, user_old_sgid.data, sgid->len) != 0))
    {
        return NGX_DECLINED;
    }

    out->mention = 1;
    out->text = cstr("@Bruno Pike");
    out->values[NGX_CAMPFIRE_RICHTEXT_CONTENT_TYPE] =
        cstr("application/octet-stream");

    if (data) {
        out->html.str = user_html;
        return NGX_OK;
    }

    user.id = 2;
    user.sgid = user_sgid;
    user.name = cstr("Bruno Pike");
    user.bio = cstr("Support & <cats>");
    user.avatar = cstr(AVATAR);

    return ngx_campfire_richtext_mention(p, &user, &out->html);
}


static ngx_campfire_richtext_resolver_t  old_resolver = {
    find, &user_html, ngx_string("campfire.test")
};

static ngx_campfire_richtext_resolver_t  resolver = {
    find, NULL, ngx_string("campfire.test")
};


static void
test_rich_text(void **state)
{
    size_t       i, done;
    json_t      *row, *body, *list;
    ngx_str_t    stored, text;
    const char  *kind, *words;

    list = json_object_get(vectors, "rich_text");
    assert_int_equal(json_array_size(list), 151);
    done = 0;

    json_array_foreach(list, i, row) {
        stored = canonical(get(row, "submitted"));
        equal("stored", i, stored, get(row, "stored"));
        equal("stored again", i, canonical(stored), stored);
        done++;

        if (json_is_true(json_object_get(row, "unrenderable"))) {
            /* the reference fails on a bad sgid, we do not find it */
            assert_int_equal(i, 112);
            equal("unrenderable", i, render(stored, &old_resolver),
                  inside("<div>x \xe2\x98\x92 y</div>"));
            continue;
        }

        text = plain(stored, &resolver);
        words = other(other_text, i);
        equal("text", i, text, words ? cstr(words)
                                     : get(row, "indexed_text"));

        kind = json_string_value(json_object_get(row, "kind"));

        assert_int_equal(ngx_campfire_richtext_sound(&text) != NULL,
                         strcmp(kind, "sound") == 0);
        assert_int_equal(ngx_campfire_richtext_all_emoji(&text),
                         json_is_true(json_object_get(row, "emoji_class")));

        if (strcmp(kind, "text") == 0) {
            equal("shown", i, render(stored, &old_resolver),
                  shown(row, "presentation", other_shown, i));
        }

        body = json_object_get(row, "json_body");

        if (json_is_string(json_object_get(body, "html"))) {
            equal("api", i, api(stored, &old_resolver),
                  shown(body, "html", other_api, i));
        }
    }

    assert_int_equal(done, 151);
}


static void
test_stored_rendering(void **state)
{
    size_t      i;
    json_t     *row, *list;

    list = json_object_get(vectors, "stored_rendering");
    assert_int_equal(json_array_size(list), 7);

    json_array_foreach(list, i, row) {
        equal("text", i, plain(get(row, "stored"), &resolver), get(row, "plain"));
        equal("shown", i, render(get(row, "stored"), &old_resolver),
              shown(row, "presentation", other_stored, i));
        equal("api", i, api(get(row, "stored"), &old_resolver),
              shown(row, "json_html", &other_stored[2], i));
    }
}


static void
test_emoji(void **state)
{
    size_t       i, k, n;
    json_t      *row, *list;
    ngx_str_t    text;
    ngx_int_t    want;

    static const char  *const no[] = {
        "", "1", "#", "\xf0\x9f\x94\xa5 \xf0\x9f\x92\xaf",
        "\xf0\x9f\x94\xa5\n", "a\xf0\x9f\x8e\x89", "\xe2\x80\x8d",
        "\xf0\x9f\x91\xa8\xe2\x80\x8d", "\xe2\x80\x8d\xf0\x9f\x91\xa9",
        "\xf0\x9f\x8f\xb4\xf3\xa0\x81\xa7\xf3\xa0\x81\xa2", "\xff"
    };

    static const char  *const yes[] = {
        "\xef\xb8\x8f", "\xf0\x9f\x8e\x89" "1\xef\xb8\x8f\xe2\x83\xa3",
        "*\xe2\x83\xa3",
        "\xf0\x9f\x91\xa9\xf0\x9f\x8f\xbd\xe2\x80\x8d\xe2\x9d\xa4\xef\xb8\x8f"
        "\xe2\x80\x8d\xf0\x9f\x91\xa8\xf0\x9f\x8f\xbb",
        "\xf0\x9f\x87\xba\xf0\x9f\x87\xb8"
    };

    list = json_object_get(vectors, "all_emoji");
    assert_int_equal(json_array_size(list), 33);
    n = 0;

    json_array_foreach(list, i, row) {
        text = get(row, "text");
        want = json_is_true(json_object_get(row, "all_emoji"));

        for (k = 0; other_emoji[k]; k++) {
            if (strcmp((char *) text.data, other_emoji[k]) == 0) {
                want = 1;
                n++;
            }
        }

        if (ngx_campfire_richtext_all_emoji(&text) != want) {
            fail_msg("all_emoji %zu: %s", i, text.data);
        }
    }

    assert_int_equal(n, 4);

    for (i = 0; i < sizeof(no) / sizeof(no[0]); i++) {
        text = cstr(no[i]);
        assert_int_equal(ngx_campfire_richtext_all_emoji(&text), 0);
    }

    for (i = 0; i < sizeof(yes) / sizeof(yes[0]); i++) {
        text = cstr(yes[i]);
        assert_int_equal(ngx_campfire_richtext_all_emoji(&text), 1);
    }
}


/* A mention as it is shown now, alone, in a link, and where it is escaped. */
static void
test_mention(void **state)
{
    ngx_str_t                        stored, *sgids;
    ngx_uint_t                       n;
    ngx_campfire_html_t              html;
    ngx_campfire_richtext_mention_t  user;

#define LINK                                                                  \
    "<a title=\"Bruno Pike \xe2\x80\x93 Support &amp; <cats>\" class=\"btn "   \
    "avatar\" href=\"/users/2\"><img src=\"" AVATAR "\" width=\"48\" "        \
    "height=\"48\"></a>"

    stored = join("<p>Hey <action-text-attachment sgid=\"", user_sgid,
                  "\" content=\"&lt;img src=x onerror=1&gt;\">"
                  "</action-text-attachment> yo</p>");

    equal("mention", 0, render(stored, &resolver),
          inside("<p>Hey <span class=\"mention\">" LINK " Bruno Pike</span>"
                 " yo</p>"));
    equal("mention", 1, render(stored, NULL),
          inside("<p>Hey \xe2\x98\x92 yo</p>"));
    equal("mention", 2, plain(stored, &resolver), cstr("Hey @Bruno Pike yo"));

    assert_int_equal(ngx_campfire_richtext_sgids(pool, &stored, &sgids, &n),
                     NGX_OK);
    assert_int_equal(n, 1);
    equal("mention", 3, sgids[0], user_sgid);

    stored = join("<a href=\"/x\">q <action-text-attachment sgid=\"",
                  user_sgid, "\"></action-text-attachment> r</a>");

    equal("mention", 4, render(stored, &resolver),
          inside("<a href=\"/x\">q <span class=\"mention\"></span></a>" LINK
                 " Bruno Pike r"));

    user.id = 7;
    user.sgid = cstr("s\"");
    user.name = cstr("A <b>'\"&");
    user.bio = cstr(" \n");
    user.avatar = cstr("/a");

    assert_int_equal(ngx_campfire_richtext_mention(pool, &user, &html),
                     NGX_OK);
    equal("mention", 5, html.str,
          cstr("<span class=\"mention\" sgid=\"s&quot;\"><a title=\"A &lt;b"
               "&gt;&#39;&quot;&amp;\" class=\"btn avatar\" data-turbo-frame="
               "\"_top\" href=\"/users/7\"><img aria-hidden=\"true\" src="
               "\"/a\" width=\"48\" height=\"48\" /></a> A &lt;b&gt;&#39;"
               "&quot;&amp;</span>"));
}



/* The editor gets back what it shows, and gives it back as it was. */
static void
test_edit(void **state)
{
    ngx_str_t                          stored, value, saved;
    ngx_campfire_richtext_attr_t      *content;
    ngx_campfire_richtext_node_t      *root;
    ngx_campfire_richtext_resolver_t  *with;

    with = &old_resolver;

    stored = join("<action-text-attachment sgid=\"", user_sgid,
                  "\"></action-text-attachment> hi");

    assert_int_equal(ngx_campfire_richtext_edit(pool, &stored, with, &value),
                     NGX_OK);
    assert_int_equal(ngx_campfire_richtext_parse(pool, &value,
                                          NGX_CAMPFIRE_RICHTEXT_STRICT, &root),
                     NGX_OK);

    content = ngx_campfire_richtext_tree_attr(root->first, "content");
    assert_non_null(content);
    equal("edit", 0, content->value, user_html);

    saved = canonical(value);
    equal("edit", 1, saved, value);
    equal("edit", 2, render(saved, with), render(stored, with));

    /* an embed with attributes becomes one that has only its content */

    stored = cstr("<p>x</p><action-text-attachment content-type=\""
                  "application/vnd.actiontext.opengraph-embed\" url=\""
                  "https://a.test/i.png\" href=\"https://a.test/p\" "
                  "filename=\"T &lt;\" caption=\"D\">"
                  "</action-text-attachment>");

    assert_int_equal(ngx_campfire_richtext_edit(pool, &stored, with, &value),
                     NGX_OK);
    assert_int_equal(ngx_campfire_richtext_parse(pool, &value,
                                          NGX_CAMPFIRE_RICHTEXT_STRICT, &root),
                     NGX_OK);

    content = ngx_campfire_richtext_tree_attr(root->last, "content");
    assert_non_null(content);

    content->next = NULL;
    root->last->attrs = content;
    saved = cstr("application/vnd.actiontext.opengraph-embed");
    assert_int_equal(ngx_campfire_richtext_tree_set(pool, root->last,
                                                    "content-type", &saved),
                     NGX_OK);
    assert_int_equal(ngx_campfire_richtext_write_string(pool, root, &saved),
                     NGX_OK);

    equal("edit", 3, render(saved, with), render(stored, with));

    /* an early version wrote the content as a JSON string */

    saved = cstr("<p>x</p><action-text-attachment content-type=\""
                 "application/vnd.actiontext.opengraph-embed\" content='"
                 "\"<div class=\\\"og-embed__title\\\"><a href=\\\""
                 "https://a.test/p\\\"> T &amp;lt; </a></div>"
                 "<p class=\\\"og-embed__description\\\">D</p>"
                 "<div class=\\\"og-embed__image\\\"><img src=\\\""
                 "https://a.test/i.png\\\"></div>\"'>"
                 "</action-text-attachment>");

    equal("edit", 4, render(saved, with), render(stored, with));
}


/* What Trix submits. */
static const char  *const trix[][2] = {
    { "<figure data-trix-attachment='{\"contentType\":\"application/vnd.campf"
      "ire.mention\",\"sgid\":\"S\",\"content\":\"<span class=\\\"mention\\\">"
      "D</span>\"}'>x</figure> hi",
      "<action-text-attachment sgid=\"S\" content-type=\"application/vnd.campf"
      "ire.mention\" content=\"<span class=&quot;mention&quot;>D</span>\">"
      "</action-text-attachment> hi" },
    { "<i data-trix-attachment='{\"height\":10,\"width\":2.5,\"filesize\":1e20"
      ",\"previewable\":true,\"filename\":null,\"other\":1,\"caption\":\"a\"}'"
      " data-trix-attributes='{\"caption\":\"b\",\"presentation\":\"gallery\","
      "\"href\":\"no\"}'>x</i>",
      "<action-text-attachment filename=\"\" filesize=\"1.0e+20\" width=\"2.5"
      "\" height=\"10\" previewable=\"true\" presentation=\"gallery\" "
      "caption=\"b\"></action-text-attachment>" },
    { "a<figure data-trix-attachment='[1]'>x</figure>b", "ab" },
    { "<action-text-attachment sgid=S extra=1><b>x</b>"
      "</action-text-attachment>",
      "<action-text-attachment sgid=\"S\" extra=\"1\">"
      "</action-text-attachment>" },
    { "<div class=g><action-text-attachment presentation=gallery>"
      "</action-text-attachment>\n<action-text-attachment presentation=gallery>"
      "</action-text-attachment></div>",
      "<div><action-text-attachment presentation=\"gallery\">"
      "</action-text-attachment>\n<action-text-attachment presentation="
      "\"gallery\"></action-text-attachment></div>" },
    { "<div class=g><action-text-attachment presentation=gallery>"
      "</action-text-attachment>x</div>",
      "<div class=\"g\"><action-text-attachment presentation=\"gallery\">"
      "</action-text-attachment>x</div>" },
    { " \n\xef\xbb\xbf<pre>\n\n\nx</pre>\r\n", "<pre>\nx</pre>" },
    { "<p>a\r\nb\rc</p>", "<p>a\nb\nc</p>" }
};


static void
test_trix(void **state)
{
    size_t  i;

    for (i = 0; i < sizeof(trix) / sizeof(trix[0]); i++) {
        equal("trix", i, canonical(cstr(trix[i][0])), cstr(trix[i][1]));
    }

    equal("gallery", 0, render(cstr(trix[4][1]), NULL),
          inside("<div class=\"attachment-gallery attachment-gallery--2\">\n"
                 "  \xe2\x98\x92\xe2\x98\x92\n</div>"));
}


/* Attachments that a body describes by itself. */
static const char  *const described[][2] = {
    { "<action-text-attachment content-type='image/png' url='https://e.test/"
      "t.png' caption='&lt;script&gt;1'></action-text-attachment>",
      "\n  <img src=\"https://e.test/t.png\">\n  \n    &lt;script&gt;1\n  \n"
    },
    { "<action-text-attachment content-type='image/png' url='javascript:"
      "alert(1)'></action-text-attachment>", "\xe2\x98\x92" },
    { "<action-text-attachment content-type='video/mp4' url='https://e.test/v'"
      "></action-text-attachment>", "\xe2\x98\x92" },
    { "<action-text-attachment content-type='image/png' url='//e.test/t.png'>"
      "</action-text-attachment>", "\n  \xe2\x98\x92\n" },
    { "<action-text-attachment content-type='image/png' url='https://campfire"
      ".TEST:80/rooms'></action-text-attachment>", "\n  \xe2\x98\x92\n" },
    { "<action-text-attachment content-type='application/vnd.actiontext."
      "opengraph-embed' href='javascript:alert(1)' url='javascript:alert(2)' "
      "filename='&lt;b&gt;T' caption='&lt;img src=x onerror=1&gt;'>"
      "</action-text-attachment>",
      CARD_TOP("og-embed gap") CARD_TEXT("") CARD_END },
    { "<action-text-attachment content-type='application/vnd.actiontext."
      "opengraph-embed' href='https://ok.example/' url='/users/me' "
      "filename='T' caption='c'></action-text-attachment>",
      CARD_TOP("og-embed gap") "<a href=\"https://ok.example/\">T</a>"
      CARD_TEXT("c") CARD_END },
    { "<p>https://netflix.com/x?y=1</p><action-text-attachment content-type="
      "'application/vnd.actiontext.opengraph-embed' "
      "href='https://netflix.com/x' filename='T'></action-text-attachment>",
      CARD_TOP("og-embed gap") "<a href=\"https://netflix.com/x\">T</a>"
      CARD_TEXT("") CARD_END }
};


static void
test_described(void **state)
{
    size_t  i;

    for (i = 0; i < sizeof(described) / sizeof(described[0]); i++) {
        equal("described", i, render(canonical(cstr(described[i][0])),
                                     &resolver),
              inside(described[i][1]));
    }
}


static void
test_url(void **state)
{
    size_t     i;
    ngx_str_t  url, host;

    static const char  *const remote[] = {
        "https://a.test/x", "HTTP://a.test", "http://a.test:80/",
        "http://u:p@a.test/?q#f", "https://a.test./", "https://1.2.3.4a/",
        "https://a_b.test/%20"
    };

    static const char  *const local[] = {
        "", "/x", "//a.test/x", "ftp://a.test/", "http:a.test", "http:///x",
        "http://localhost/", "http://127.0.0.1/", "http://0x7f.0x1/",
        "http://[::1]/", "http://a.test:8x/", "http://a.test\\@b.test/",
        "http://campfire.test/", "https://CAMPFIRE.test.:1/x",
        "http://x@campfire.test", "http://a.t%65st/", "http://a.test/%zz",
        "http://a.test/ ", "http://a.test/\xc3\xa9", "http://a.test/\"", "h"
    };

    host = cstr("campfire.test");

    for (i = 0; i < sizeof(remote) / sizeof(remote[0]); i++) {
        url = cstr(remote[i]);

        if (!ngx_campfire_richtext_url_remote(&url, &host)) {
            fail_msg("%s", remote[i]);
        }
    }

    for (i = 0; i < sizeof(local) / sizeof(local[0]); i++) {
        url = cstr(local[i]);

        if (ngx_campfire_richtext_url_remote(&url, &host)) {
            fail_msg("%s", local[i]);
        }
    }
}


static void
test_from_text(void **state)
{
    ngx_str_t  text, stored;

    text = cstr("a < b & c\r\n  two\n\nend  \"x\"\r");

    assert_int_equal(ngx_campfire_richtext_from_text(pool, &text, &stored),
                     NGX_OK);
    equal("from text", 0, stored,
          cstr("<p>a &lt; b &amp; c<br>&nbsp;&nbsp;two<br><br>end &nbsp;\"x\""
               "<br></p>"));
    equal("from text", 1, canonical(stored), stored);
    equal("from text", 2, plain(stored, NULL),
          cstr("a < b & c\n\xc2\xa0\xc2\xa0two\n\nend \xc2\xa0\"x\""));
}


static void
test_sound(void **state)
{
    size_t                                i;
    json_t                               *row, *list;
    ngx_str_t                             text;
    const ngx_campfire_richtext_sound_t  *sound;

    static const char  *const no[] = {
        "/play", "/play ", "/play nope", "/play bell\n", "/play  bell",
        "/PLAY bell", " /play bell", "/play bell x", "/play bel"
    };

    list = json_object_get(vectors, "sounds");
    assert_int_equal(json_array_size(list), 56);

    json_array_foreach(list, i, row) {
        text.data = (u_char *) json_string_value(row);
        text.len = json_string_length(row);
        text = join("/play ", text, "");

        sound = ngx_campfire_richtext_sound(&text);
        assert_non_null(sound);
        assert_true((sound->text.len != 0) != (sound->image.len != 0));
        assert_int_equal(sound->image.len != 0,
                         sound->width != 0 && sound->height != 0);
    }

    for (i = 0; i < sizeof(no) / sizeof(no[0]); i++) {
        text = cstr(no[i]);
        assert_null(ngx_campfire_richtext_sound(&text));
    }
}


static void
test_blank(void **state)
{
    ngx_str_t  text;

    text = cstr(" \t\n\xc2\xa0\xe2\x80\x83\xe3\x80\x80\xe2\x80\xa8");
    assert_int_equal(ngx_campfire_richtext_blank(&text), 1);

    text = cstr("");
    assert_int_equal(ngx_campfire_richtext_blank(&text), 1);

    text = cstr(" \xe2\x80\x8b ");
    assert_int_equal(ngx_campfire_richtext_blank(&text), 0);
}


int
main(void)
{
    int          rc;
    json_t      *list;
    ngx_str_t    stored;
    u_char      *p;

    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_rich_text),
        cmocka_unit_test(test_stored_rendering),
        cmocka_unit_test(test_emoji),
        cmocka_unit_test(test_mention),
        cmocka_unit_test(test_edit),
        cmocka_unit_test(test_trix),
        cmocka_unit_test(test_described),
        cmocka_unit_test(test_url),
        cmocka_unit_test(test_from_text),
        cmocka_unit_test(test_sound),
        cmocka_unit_test(test_blank),
    };

    cmocka_set_message_output(CM_OUTPUT_TAP);

    vectors = getenv("CAMPFIRE_VECTORS")
              ? json_load_file(getenv("CAMPFIRE_VECTORS"), JSON_ALLOW_NUL,
                               NULL)
              : NULL;
    if (vectors == NULL) {
        fprintf(stderr, "CAMPFIRE_VECTORS is not a JSON file\n");
        return 1;
    }

    pool = ngx_create_pool(4096, NULL);

    list = json_object_get(vectors, "sgid_resolution");
    user_sgid = get(json_array_get(list, 0), "sgid");

    stored = get(json_array_get(json_object_get(vectors, "rich_text"), 111),
                 "stored");
    p = (u_char *) strstr((char *) stored.data, "sgid=\"") + 6;
    user_old_sgid.data = p;
    user_old_sgid.len = (size_t) ((u_char *) strchr((char *) p, '"') - p);

    user_html = join("<div class=\"mention\" sgid=\"", user_sgid,
                     "\">\n  <a title=\"Bruno Pike \xe2\x80\x93 Support &amp; "
                     "&lt;cats&gt;\" class=\"btn avatar\" data-turbo-frame="
                     "\"_top\" href=\"/users/2\"><img aria-hidden=\"true\" "
                     "src=\"" AVATAR "\" width=\"48\" height=\"48\" /></a>\n"
                     "  Bruno Pike\n</div>");

    rc = cmocka_run_group_tests(tests, NULL, NULL);

    ngx_destroy_pool(pool);
    json_decref(vectors);

    return rc;
}
