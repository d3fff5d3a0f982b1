
/*
 * Message bodies from people who try: what must not be shown, what may look
 * like an address, what becomes of bodies that are too large, too deep or
 * made to be slow; and plain text.
 */

#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <stdio.h>
#include <time.h>
#include <cmocka.h>

#include "richtext.h"


/* Bodies that attack, and what is shown of them. */
static const struct {
    ngx_str_t    body;
    const char  *shown;
} attacks[] = {
    { ngx_string("<script>alert(1)</script>hi"),
      "hi" },
    { ngx_string("<SCRIPT SRC=//evil/x.js></SCRIPT>hi"),
      "hi" },
    { ngx_string("<div><script>alert(1)</script>hi</div>"),
      "<div>hi</div>" },
    { ngx_string("<img src=x onerror=alert(1)>hi"),
      "hi" },
    { ngx_string("<img src='https://evil/x.svg'>hi"),
      "hi" },
    { ngx_string("<svg onload=alert(1)></svg>hi"),
      "hi" },
    { ngx_string("<svg><script>alert(1)</script></svg>hi"),
      "hi" },
    { ngx_string("<svg><a xlink:href='javascript:alert(1)'><text>x</text></"
                 "a></svg>hi"),
      "hi" },
    { ngx_string("<svg><style><img src=x onerror=alert(1)></style></svg>hi"),
      "hi" },
    { ngx_string("<math><mtext><table><mglyph><style><!--</style><img title"
                 "=\"--&gt;&lt;img src=1 onerror=alert(1)&gt;\">"),
      "" },
    { ngx_string("<math href='javascript:alert(1)'>x</math>hi"),
      "hi" },
    { ngx_string("<a href='javascript:alert(1)'>x</a>"),
      "<a>x</a>" },
    { ngx_string("<a href='JaVaScRiPt:alert(1)'>x</a>"),
      "<a>x</a>" },
    { ngx_string("<a href=' javascript:alert(1)'>x</a>"),
      "<a>x</a>" },
    { ngx_string("<a href='java&#10;script:alert(1)'>x</a>"),
      "<a>x</a>" },
    { ngx_string("<a href='java&Tab;script:alert(1)'>x</a>"),
      "<a>x</a>" },
    { ngx_string("<a href='&#1;javascript:alert(1)'>x</a>"),
      "<a>x</a>" },
    { ngx_string("<a href='javascript&colon;alert(1)'>x</a>"),
      "<a>x</a>" },
    { ngx_string("<a href='javascript&#58;alert(1)'>x</a>"),
      "<a>x</a>" },
    { ngx_string("<a href='javascript&amp;#58;alert(1)'>x</a>"),
      "<a>x</a>" },
    { ngx_string("<a href='javascript&amp;#58alert(1)'>x</a>"),
      "<a>x</a>" },
    { ngx_string("<a href='javascript%3Aalert(1)'>x</a>"),
      "<a>x</a>" },
    { ngx_string("<a href='vbscript:msgbox(1)'>x</a>"),
      "<a>x</a>" },
    { ngx_string("<a href='data:text/html,<script>alert(1)</script>'>x</a>"),
      "<a>x</a>" },
    { ngx_string("<a href='data:text/html;base64,PHNjcmlwdD4='>x</a>"),
      "<a>x</a>" },
    { ngx_string("<a href='data:image/png;base64,AAAA'>x</a>"),
      "<a>x</a>" },
    { ngx_string("<a href='data:image/svg+xml,<svg onload=alert(1)>'>x</a>"),
      "<a>x</a>" },
    { ngx_string("<a href='data:,x'>x</a>"),
      "<a>x</a>" },
    { ngx_string("<a href='data:nocomma'>x</a>"),
      "<a>x</a>" },
    { ngx_string("<a href='blob:https://x/1'>x</a>"),
      "<a>x</a>" },
    { ngx_string("<a href='intent://x#Intent;end'>x</a>"),
      "<a>x</a>" },
    { ngx_string("<a href='//evil.example/x'>x</a>"),
      "<a href=\"//evil.example/x\">x</a>" },
    { ngx_string("<a href='/rooms/1' onclick=alert(1) style='position:fixed"
                 "' id=a>x</a>"),
      "<a href=\"/rooms/1\">x</a>" },
    { ngx_string("<a href='https://ok.example' target=_self rel=opener down"
                 "load ping=//e>x</a>"),
      "<a href=\"https://ok.example\">x</a>" },
    { ngx_string("<a name=body id=x>x</a>"),
      "<a>x</a>" },
    { ngx_string("<div onmouseover='alert(1)' style='background:url(javascr"
                 "ipt:alert(1))' class='message--me'>x</div>"),
      "<div class=\"message--me\">x</div>" },
    { ngx_string("<p style='color:red;position:fixed;inset:0'>x</p>"),
      "<p>x</p>" },
    { ngx_string("<b/onclick=alert(1)>x</b>"),
      "<b>x</b>" },
    { ngx_string("<b onclick\n=\n'alert(1)'>x</b>"),
      "<b>x</b>" },
    { ngx_string("<iframe src='javascript:alert(1)'></iframe>hi"),
      "hi" },
    { ngx_string("<iframe srcdoc='<script>alert(1)</script>'></iframe>hi"),
      "hi" },
    { ngx_string("<object data='javascript:alert(1)'></object><embed src='j"
                 "avascript:alert(1)'>hi"),
      "hi" },
    { ngx_string("<form action='/session' method=post><input name=_method v"
                 "alue=delete><button>x</button></form>hi"),
      "hi" },
    { ngx_string("<meta http-equiv=refresh content='0;url=//evil'>hi"),
      "hi" },
    { ngx_string("<base href='//evil/'>hi"),
      "hi" },
    { ngx_string("<link rel=stylesheet href='//evil/x.css'>hi"),
      "hi" },
    { ngx_string("<style>*{display:none}</style>hi"),
      "hi" },
    { ngx_string("<template><script>alert(1)</script></template>hi"),
      "hi" },
    { ngx_string("<noscript><p title=\"</noscript><img src=x onerror=alert("
                 "1)>\"></noscript>hi"),
      "" },
    { ngx_string("<textarea></textarea><script>alert(1)</script>hi"),
      "hi" },
    { ngx_string("<title></title><img src=x onerror=alert(1)>hi"),
      "hi" },
    { ngx_string("<xmp><img src=x onerror=alert(1)></xmp>hi"),
      "hi" },
    { ngx_string("<plaintext>hi<b>there"),
      "" },
    { ngx_string("<video src=x onerror=alert(1)></video><audio src=x onerro"
                 "r=alert(1)>hi"),
      "" },
    { ngx_string("<details open ontoggle=alert(1)><summary>s</summary>x</de"
                 "tails>hi"),
      "hi" },
    { ngx_string("<input autofocus onfocus=alert(1)>hi"),
      "hi" },
    { ngx_string("<marquee onstart=alert(1)>x</marquee>hi"),
      "hi" },
    { ngx_string("<!--<img src=x onerror=alert(1)>-->hi"),
      "hi" },
    { ngx_string("<![CDATA[<img src=x onerror=alert(1)>]]>hi"),
      "]]&gt;hi" },
    { ngx_string("<?php echo 1 ?>hi"),
      "hi" },
    { ngx_string("<<script>alert(1)//<</script>hi"),
      "&lt;hi" },
    { ngx_string("<scr<script>ipt>alert(1)</script>hi"),
      "" },
    { ngx_string("<img \"\"\"><script>alert(1)</script>\">hi"),
      "\"&gt;hi" },
    { ngx_string("<div><table><tr><td><a href=javascript:alert(1)>x</a></ta"
                 "ble></div>"),
      "<div><table><tbody><tr><td><a>x</a></td></tr></tbody></table></div>" },
    { ngx_string("&lt;script&gt;alert(1)&lt;/script&gt;"),
      "&lt;script&gt;alert(1)&lt;/script&gt;" },
    { ngx_string("<p title='\"><script>alert(1)</script>'>x</p>"),
      "<p title=\"&quot;><script>alert(1)</script>\">x</p>" },
    { ngx_string("<span title='x> http://a.example/onmouseover=alert(1)//'>"
                 "x</span>"),
      "<span title=\"x> http://a.example/onmouseover=alert(1)//\">x</span>" },
    { ngx_string("<turbo-frame id='user_sidebar' src='//evil/'></turbo-fram"
                 "e>hi"),
      "hi" },
    { ngx_string("<turbo-stream action='replace' target='messages'><templat"
                 "e>x</template></turbo-stream>hi"),
      "hi" },
    { ngx_string("<div data-controller='auto-submit' data-action='click->co"
                 "mposer#submit' data-turbo-method='delete'>x</div>"),
      "<div>x</div>" },
    { ngx_string("<a href='/session' data-turbo-method='delete' data-turbo-"
                 "confirm='x'>x</a>"),
      "<a href=\"/session\">x</a>" },
    { ngx_string("<lexxy-editor value='x'></lexxy-editor>hi"),
      "hi" },
    { ngx_string("<action-text-attachment content-type='text/html' content="
                 "'&lt;img src=x onerror=alert(1)&gt;&lt;script&gt;alert(2)"
                 "&lt;/script&gt;&lt;b onclick=1&gt;b&lt;/b&gt;'></action-t"
                 "ext-attachment>"),
      "\n  alert(2)<b>b</b>\n\n" },
    { ngx_string("<action-text-attachment content-type='text/html' content="
                 "'&lt;a href=\"javascript:alert(1)\"&gt;x&lt;/a&gt;'></act"
                 "ion-text-attachment>"),
      "\n  <a>x</a>\n\n" },
    { ngx_string("<action-text-attachment sgid='\"><script>alert(1)</script"
                 ">' onclick='alert(1)'><script>alert(1)</script></action-t"
                 "ext-attachment>"),
      "\342\230\222" },
    { ngx_string("<figure data-trix-attachment='{\"contentType\":\"text/htm"
                 "l\",\"content\":\"&lt;img src=x onerror=alert(1)&gt;\"}'>"
                 "</figure>"),
      "\n  \n\n" },
    { ngx_string("<figure data-trix-attachment='{bad json'></figure>hi"),
      "hi" },
    { ngx_string("<a href='https://a.example'>o<a href='javascript:alert(1)"
                 "'>n</a></a>"),
      "<a href=\"https://a.example\">o</a><a>n</a>" },
    { ngx_string("\000<script>alert(1)</script>hi"),
      "hi" },
    { ngx_string("<a href='https://a.example/\000x'>x</a>"),
      "<a href=\"https://a.example/\357\277\275x\">x</a>" },
    { ngx_string("<form><math><mtext></form><form><mglyph><style></math><im"
                 "g src onerror=alert(1)>"),
      "" },
    { ngx_string("<svg></p><style><a id=\"</style><img src=1 onerror=alert("
                 "1)>\">"),
      "<p></p>\"&gt;" },
    { ngx_string("<select><template><img src=x onerror=alert(1)></template>"
                 "</select>hi"),
      "hi" },
    { ngx_string("<blockquote cite='javascript:alert(1)'>x</blockquote>"),
      "<blockquote>x</blockquote>" },
    { ngx_string("<del cite='javascript:alert(1)' datetime='2020'>x</del>"),
      "<del datetime=\"2020\">x</del>" },
    { ngx_string("<i lang=en xml:lang=en dir=rtl hidden>x</i>"),
      "<i lang=\"en\" xml:lang=\"en\">x</i>" },
    { ngx_string("<li value=1 type=a>x</li><ol start=5 reversed><li>y</li><"
                 "/ol>"),
      "<li>x</li><ol><li>y</li></ol>" },
};


static void
test_attacks(void **state)
{
    size_t  i;

    for (i = 0; i < sizeof(attacks) / sizeof(attacks[0]); i++) {
        equal("attack", i, render(canonical(attacks[i].body), NULL),
              inside(attacks[i].shown));
    }
}


#define A(url, text)  "<a target=\"_blank\" href=\"" url "\">" text "</a>"
#define U(url)        A(url, url)
#define W(url)        A("http://" url, url)

static const char  *const addresses[][2] = {
    { "see http://a.com.", "see " U("http://a.com") "." },
    { "http://a.com, and", U("http://a.com") ", and" },
    { "http://a.com!", U("http://a.com") "!" },
    { "(http://a.com)", "(" U("http://a.com") ")" },
    { "{http://a.com}", "{" U("http://a.com") "}" },
    { "http://a.com/x_(y)", U("http://a.com/x_(y)") },
    { "(http://a.com/x_(y))", "(" U("http://a.com/x_(y)") ")" },
    { "http://a.com/(a))", U("http://a.com/(a)") ")" },
    { "http://a.com/?q=1&amp;r=2", U("http://a.com/?q=1&amp;r=2") },
    { "http://a.com; http://a.com- http://a.com=",
      U("http://a.com;") " " U("http://a.com-") " " U("http://a.com=") },
    { "http://a.com/* http://a.com/# http://a.com/a%",
      U("http://a.com/") "* " U("http://a.com/") "# "
      U("http://a.com/a") "%" },
    { "http://a.com/'", U("http://a.com/") "&#39;" },
    { "http://a.com/#x http://a.com/%20",
      U("http://a.com/#x") " " U("http://a.com/%20") },
    { "http://a.com/\xc3\xa9 http://a.com/\xe4\xb8\xad\xe6\x96\x87\xe3\x80\x82",
      U("http://a.com/\xc3\xa9") " "
      U("http://a.com/\xe4\xb8\xad\xe6\x96\x87") "\xe3\x80\x82" },
    { "http://a.com\xe2\x80\xa6", U("http://a.com") "\xe2\x80\xa6" },
    { "&lt;http://a.com&gt;", "&lt;" U("http://a.com") "&gt;" },
    { "http://a.com&lt;b", U("http://a.com&lt;b") },
    { "\"http://a.com\"", "\"" U("http://a.com") "\"" },
    { "http://a.com&nbsp;foo", U("http://a.com") "&nbsp;foo" },
    { "www.a.com.", W("www.a.com") "." },
    { "WWW.A.COM", W("WWW.A.COM") },
    { "www. www.- http:// awww.b tel:123 javascript://x",
      "www. www.- http:// awww.b tel:123 javascript://x" },
    { "http://.", "http://." },
    { "file:///etc/passwd svn://a ftp://a/x",
      U("file:///etc/passwd") " " U("svn://a") " " U("ftp://a/x") },
    { "http://user:pw@a.com http://a.com/x@b.com",
      U("http://user:pw@a.com") " " U("http://a.com/x@b.com") },
    { "foohttp://a.com xwww.a.com xsftp://a.b",
      "foo" U("http://a.com") " x" W("www.a.com") " x" U("sftp://a.b") },
    { "http://a.com,http://b.com", U("http://a.com,http://b.com") },
    { "a@b.com", A("mailto:a@b.com", "a@b.com") },
    { "a.b+c@d-e.co.uk.",
      A("mailto:a.b%2Bc@d-e.co.uk", "a.b+c@d-e.co.uk") "." },
    { "mailto:a@b.com?x", "mailto:" A("mailto:a@b.com", "a@b.com") "?x" },
    { "#a@b.com", A("mailto:%23a@b.com", "#a@b.com") },
    { "a'b@c.com", A("mailto:a%27b@c.com", "a&#39;b@c.com") },
    { "a&amp;b@c.com", "a&amp;" A("mailto:b@c.com", "b@c.com") },
    { "a@b 'a@b.com' /a@b.com =a@b.com \xc3\xa9@b.com",
      "a@b 'a@b.com' /a@b.com =a@b.com \xc3\xa9@b.com" },
    { "a@b.com@c.com", A("mailto:a@b.com", "a@b.com") "@c.com" },
    { "<a href=\"http://a.com\">http://a.com</a>",
      "<a href=\"http://a.com\">http://a.com</a>" },
    { "<a><b>http://a.com</b></a>", "<a><b>http://a.com</b></a>" },
    { "<b>http://a.com</b>", "<b>" U("http://a.com") "</b>" },
    { "<code>www.a.com</code>", "<code>" W("www.a.com") "</code>" },
    { "http://a.com<br>x", U("http://a.com") "<br>x" },
    { "http://a<script>x</script>.com", U("http://a.com") }
};


static void
test_autolink(void **state)
{
    size_t  i;

    for (i = 0; i < sizeof(addresses) / sizeof(addresses[0]); i++) {
        equal("address", i, render(cstr(addresses[i][0]), NULL),
              inside(addresses[i][1]));
    }
}


static const char  *const texts[][2] = {
    { "<div>Hello<br>World</div>", "Hello\nWorld" },
    { "<p>a</p>\n<p>b</p>", "a\n\nb" },
    { "<div><br></div><div>x</div>", "\nx" },
    { "<p><br></p>", "" },
    { "<h1>T</h1>body", "T\n\nbody" },
    { "<ul><li>one</li><li>two</li></ul>after",
      "\xe2\x80\xa2 one\n\xe2\x80\xa2 two\n\nafter" },
    { "<ul><li>one<ul><li>in</li><li>in2</li></ul></li><li>two</li></ul>",
      "\xe2\x80\xa2 one\n  \xe2\x80\xa2 in\n  \xe2\x80\xa2 in2\n"
      "\xe2\x80\xa2 two" },
    { "<ol><li>one<ol><li>in</li></ol></li><li>two</li></ol>",
      "1. one\n  1. in\n2. two" },
    { "<ul><li>x</li><li value=\"2\"><ul><li>nested</li></ul></li></ul>",
      "\xe2\x80\xa2 x\n\xe2\x80\xa2 \n  \xe2\x80\xa2 nested" },
    { "<ol><li><p>a</p></li><li><p>b</p></li></ol>", "1. a\n2. b" },
    { "<li>x</li>", "\xe2\x80\xa2 x" },
    { "<ul><li>a</li></ul><ul><li>b</li></ul>",
      "\xe2\x80\xa2 a\n\n\xe2\x80\xa2 b" },
    { "<blockquote>q</blockquote><cite>Dave <a href=\"/x\">#</a></cite>"
      "<br>hello",
      "\xe2\x80\x9cq\xe2\x80\x9d\n\nDave #\nhello" },
    { "<blockquote><p>a</p><p>b</p></blockquote>",
      "\xe2\x80\x9c" "a\n\nb\xe2\x80\x9d" },
    { "<blockquote>a<blockquote>b</blockquote></blockquote>",
      "\xe2\x80\x9c" "a\xe2\x80\x9c" "b\xe2\x80\x9d\xe2\x80\x9d" },
    { "<blockquote> <br> </blockquote>x", "\xe2\x80\x9c\xe2\x80\x9dx" },
    { "<pre>line1\nline2\n</pre>x", "line1\nline2x" },
    { "<table><tr><td>a</td><td>b</td></tr><tr><td>c</td></tr></table>",
      "abc" },
    { "<figure>x<figcaption>cap</figcaption></figure>y", "x[cap]y" },
    { "<p></p>x", "\n\nx" },
    { "<textarea>hi</textarea>", "hi" },
    { "<title>x</title>y<style>z</style>", "xy" },
    { "<div>a&nbsp;b</div>", "a\xc2\xa0" "b" },
    { "a<br><br>b<br>", "a\n\nb" },
    { "<action-text-attachment content-type=image/png"
      " url=https://a.test/i.png caption=C></action-text-attachment>",
      "[C]" }
};


static void
test_plain(void **state)
{
    size_t  i;

    for (i = 0; i < sizeof(texts) / sizeof(texts[0]); i++) {
        equal("text", i, plain(canonical(cstr(texts[i][0])), NULL),
              cstr(texts[i][1]));
    }
}


/* n times something, with something else around it. */
static ngx_str_t
times(const char *before, const char *unit, size_t n, const char *after)
{
    ngx_campfire_buf_t  b;
    ngx_str_t           s;

    ngx_campfire_base_buf_init(&b, pool, 0);
    ngx_campfire_base_buf_append(&b, before, strlen(before));

    while (n--) {
        ngx_campfire_base_buf_append(&b, unit, strlen(unit));
    }

    ngx_campfire_base_buf_append(&b, after, strlen(after));
    assert_int_equal(ngx_campfire_base_buf_done(&b, &s), NGX_OK);

    return s;
}


static ngx_str_t
many_attrs(size_t n)
{
    size_t              i;
    char                name[32];
    ngx_campfire_buf_t  b;
    ngx_str_t           s;

    ngx_campfire_base_buf_init(&b, pool, 0);
    ngx_campfire_base_buf_lit(&b, "<p");

    for (i = 0; i < n; i++) {
        (void) snprintf(name, sizeof(name), " a%zu", i);
        ngx_campfire_base_buf_append(&b, name, strlen(name));
    }

    ngx_campfire_base_buf_lit(&b, " class=k>x</p>");
    assert_int_equal(ngx_campfire_base_buf_done(&b, &s), NGX_OK);

    return s;
}


static void
limit(ngx_str_t body, ngx_int_t want)
{
    ngx_int_t  rc;
    ngx_str_t  stored;

    rc = ngx_campfire_richtext_canonicalize(pool, &body, &stored);

    if (rc != want) {
        fail_msg("%d for %.40s of %zu bytes", (int) rc, (char *) body.data,
                 body.len);
    }
}


static void
test_limits(void **state)
{
    ngx_str_t  body, html;

#define ATTACHMENT  "<action-text-attachment></action-text-attachment>"

    limit(times("", "x", 262144, ""), NGX_OK);
    limit(times("", "x", 262145, ""), NGX_DECLINED);
    limit(times("", "&", 100000, ""), NGX_DECLINED);
    limit(times("", "<div>", 400, ""), NGX_OK);
    limit(times("", "<div>", 401, ""), NGX_DECLINED);
    limit(times("", "<p>", 20000, ""), NGX_OK);
    limit(times("", "<p>", 20001, ""), NGX_DECLINED);
    limit(times("", ATTACHMENT, 100, ""), NGX_OK);
    limit(times("", ATTACHMENT, 101, ""), NGX_DECLINED);
    limit(many_attrs(399), NGX_OK);
    limit(many_attrs(400), NGX_DECLINED);
    limit(times("<p title=", "x", 65536, ">x"), NGX_OK);
    limit(times("<p title=", "x", 65537, ">x"), NGX_DECLINED);
    limit(times("<p content=", "x", 131072, ">x"), NGX_OK);
    limit(times("<p content=", "x", 131073, ">x"), NGX_DECLINED);
    limit(cstr("a\xff"), NGX_DECLINED);

    /* a stored body over them is shown all the same */

    html = render(times("", "<div>", 401, "x"), NULL);
    equal("limit", 0, html, inside("\xe2\x98\x92"));
    html = render(times("", "<p>", 20001, "x"), NULL);
    equal("limit", 1, html, inside("\xe2\x98\x92"));

    body = times("<b>\xc3\xa9", "x", 262138, "\xc3\xa9");
    html = render(body, NULL);
    body.len -= 1;
    assert_int_equal(body.len, 262144);
    body = times("&lt;b&gt;\xc3\xa9", "x", 262138, "");
    equal("limit", 2, html, join(OPEN, body, CLOSE));
    body = times("<b>\xc3\xa9", "x", 262138, "\xc3\xa9");
    equal("limit", 3, plain(body, NULL), times("<b>\xc3\xa9", "x", 262138, ""));

    equal("limit", 4, render(many_attrs(400), NULL), inside("<p>x</p>"));
    equal("limit", 5, render(times("<p title=", "\xc3\xa9", 32769, ">x"),
                             NULL),
          join(OPEN, times("<p title=\"", "\xc3\xa9", 32768, "\">x</p>"),
               CLOSE));
    equal("limit", 6, render(times("", ATTACHMENT, 101, ""), NULL),
          join(OPEN, times("", "\xe2\x98\x92", 101, ""), CLOSE));
    equal("limit", 7, render(cstr("a\xff<b>\xc3</b>"), NULL),
          inside("a\xef\xbf\xbd<b>\xef\xbf\xbd</b>"));
}


/* Each of these would take a parser without limits seconds. */
static void
test_hostile(void **state)
{
    size_t           i, k, n;
    char             many[2048];
    ngx_str_t        body, text;
    struct timespec  start, end;

    static const struct {
        const char  *before;
        const char  *unit;
        size_t       n;
    } hostile[] = {
        { "", "<div>", 52428 },
        { "", "<b><i><a>", 29127 },
        { "", "x</b>", 52428 },
        { "<table>", "x<b>", 65500 },
        { "", "<svg><a>", 32768 },
        { "", "<template>", 26214 },
        { "", "<button><p>", 23831 },
        { "", "<table><tr><td>", 17476 },
        { "", "<blockquote>", 21845 },
        { "", "<ol><li>", 32768 },
        { "http://a.com/", ")", 262131 },
        { "", ".a@b", 65536 },
        { "", "://", 87381 },
        { "", "<!-- -->x", 29127 },
        { "<p ", "a ", 131070 },
        { "", "<", 262144 },
        { "<a href='", "&#x3a", 13000 }
    };

    for (i = 0; i < sizeof(hostile) / sizeof(hostile[0]) + 2; i++) {

        if (i < sizeof(hostile) / sizeof(hostile[0])) {
            body = times(hostile[i].before, hostile[i].unit, hostile[i].n, "");

        } else if (i == sizeof(hostile) / sizeof(hostile[0])) {
            body = many_attrs(40000);

        } else {
            for (k = 0, n = 0; k < 90; k++) {
                n += (size_t) snprintf(many + n, sizeof(many) - n,
                                       "<b id=%zu>", k);
            }

            body = times(many, "<p>x", 60000, "");
        }

        (void) clock_gettime(CLOCK_MONOTONIC, &start);

        (void) ngx_campfire_richtext_canonicalize(pool, &body, &text);
        (void) render(body, NULL);
        (void) api(body, NULL);
        (void) plain(body, NULL);

        (void) clock_gettime(CLOCK_MONOTONIC, &end);

        /* milliseconds without the sanitizers */

        if (end.tv_sec - start.tv_sec > 4) {
            fail_msg("hostile body %zu", i);
        }
    }
}


int
main(void)
{
    int  rc;

    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_attacks),
        cmocka_unit_test(test_autolink),
        cmocka_unit_test(test_plain),
        cmocka_unit_test(test_limits),
        cmocka_unit_test(test_hostile),
    };

    cmocka_set_message_output(CM_OUTPUT_TAP);

    pool = ngx_create_pool(4096, NULL);
    rc = cmocka_run_group_tests(tests, NULL, NULL);
    ngx_destroy_pool(pool);

    return rc;
}
