# The template compiler: what small templates print, and how it refuses.
#
# Views are compiled to C, linked with base/ and a small main() under the
# sanitizers, and called; a refusal is one line with file and line.
use strict;
use warnings;

use Cwd qw(abs_path);
use File::Basename qw(dirname);
use File::Path qw(make_path remove_tree);
use File::Temp qw(tempdir);
use Test::More;

my $top = dirname(dirname(abs_path(__FILE__)));
my $module = "$top/ngx_campfire_module";
my $tmp = tempdir(CLEANUP => 1);

my $CC = 'gcc -std=gnu99 -g -Wall -Wextra -Wshadow -Werror '
    . '-Wno-unused-parameter -DNGX_CAMPFIRE_STANDALONE=1';
my $SANITIZE = '-O1 -fsanitize=address,undefined '
    . '-fno-sanitize-recover=undefined';

my $MANIFEST = '{"files":{"app.css":{"path":"/assets/app-1a.css"},'
    . '"bad.js":{"path":"/a\"b"}}}';

# What templates know: a view context and the types of their arguments.
my $TYPES = <<'C';
#ifndef TYPES_H
#define TYPES_H
#include "base/ngx_campfire_base_buf.h"
typedef struct { ngx_str_t prefix; } ngx_campfire_view_ctx_t;
typedef struct { ngx_str_t name; ngx_int_t n; } item_t;
typedef struct { item_t *elts; ngx_uint_t nelts; } items_t;
typedef struct { items_t *elts; ngx_uint_t nelts; } groups_t;
typedef struct { const char *c; double d; ngx_str_t *s; } odd_t;
#endif
C


sub spew {
    my ($file, $content) = @_;

    make_path(dirname($file));
    open(my $fh, '>:raw', $file) or die "$file: $!";
    print $fh $content;
    close($fh) or die "$file: $!";
}


sub slurp {
    my ($file) = @_;

    open(my $fh, '<:raw', $file) or die "$file: $!";
    local $/;
    return scalar <$fh>;
}


# Writes the templates and runs the compiler: its status and what it says.
my $sets = 0;
my $dir;

sub compile {
    my ($templates) = @_;

    $dir = "$tmp/" . ++$sets;
    make_path("$dir/templates");
    spew("$dir/types.h", $TYPES);
    spew("$dir/manifest.json", $MANIFEST);
    spew("$dir/templates/$_", $templates->{$_}) for keys %$templates;

    return run_compiler();
}


sub run_compiler {
    my $said = `cd $dir && node $top/templates/compiler/compile.js \\
        --templates templates --manifest manifest.json --out out \\
        --include types.h 2>&1`;

    return ($? >> 8, $said);
}


# The status and messages of the C compiler for one view of the set.
sub check_c {
    my ($name) = @_;
    my $said = `cd $dir && $CC -fsyntax-only -I$module -I. -Iout \\
        out/$name.c 2>&1`;

    return ($? >> 8, $said);
}


# ---------------------------------------------------------------- printing

my %templates = (
    'pages/text.html' => "{% view text() %}\n"
        . "<p class=\"a\">\\n %d 100% \xc3\xa4 ??= {x} } }} %} #}\ttab</p>\n",
    'pages/empty.html' => "{% view empty() %}\n",
    'pages/print.html' => "{% view print(ngx_str_t s, ngx_int_t n) %}\n"
        . '<a title="{{ s }}">{{s}}{{ n }}</a>{{ n - 8 }}{{ -n }}',
    'pages/html.html' => "{% view html(ngx_campfire_html_t h) %}\n"
        . '<b>{{{ h }}}</b>',
    'pages/fields.html' => "{% view fields(item_t *i) %}\n"
        . '{{ i->name }}/{{ (i->n) }}/{{ (*i).n }}/{{ i->n ? 1 : 2 }}',
    'pages/cond.html' => "{% view cond(int n) %}\n"
        . '{% if n == 1 %}one{% elsif n == 2 || (n == 3) %}few'
        . '{% elsif !n %}{% else %}many{% end %}.',
    'pages/attr.html' => "{% view attr(int on) %}\n"
        . '<i class="a{% if on %} b{% end %}"{% if (on) %} hidden{% end %}>',
    'pages/char.html' => "{% view char(ngx_str_t s) %}\n"
        . "{% if s.len && s.data[0] == '}' %}brace{% end %}"
        . "{% if s.len && s.data[0] == '%' %}percent{% end %}",
    'pages/loop.html' => "{% view loop(items_t l) %}\n"
        . '{% for item_t *i in l %}[{{ i->name }}{{ i->n }}]{% end %}',
    'pages/loops.html' => "{% view loops(groups_t *g) %}\n"
        . '{% for items_t *l in *g %}<{% for item_t *i in *l %}'
        . '{% if i->n > 1 %}+{% end %}{{ i->n }}{% end %}>{% end %}'
        . '{% for items_t *l in *g %}{{ l->nelts }}{% end %}',
    'partials/part.html' => "{% view part(item_t *i, int n) %}\n"
        . '({{ i->name }}:{{ n }})',
    'pages/render.html' => "{% view render(items_t *l) %}\n"
        . '{% for item_t *i in *l %}{% render part(i, i->n + 1) %}{% end %}'
        . '{% render part(&l->elts[0], 7) %}{% render empty() %}',
    'layouts/outer.html' => "{% view outer(ngx_str_t t) %}\n"
        . "<html><title>{{ t }}</title>\n{% yield %}\n</html>\n",
    'layouts/inner.html' => "{% view inner(ngx_str_t t) %}\n"
        . '{% layout outer(t) %}<main>{% yield %}</main>{% end %}',
    'pages/wrapped.html' => "{% view wrapped(ngx_str_t t, int n) %}\n"
        . '{% layout inner(t) %}{% if n %}body{% end %}{% end %}',
    'pages/asset.html' => "{% view asset() %}\n"
        . '<link href="{% asset "app.css" %}">',
    'pages/inlined.html' => "{% view inlined() %}\n"
        . '<i>{% inline "icons/x.svg" %}</i>{% inline "icons/x.svg" %}',
    'icons/x.svg' => "<svg>\n{{ no tag }}\n</svg>\n",
    'pages/comment.html' => "{% view comment() %}\n"
        . "a{# don't {{ x }} {% end %} \" #}b{#\n\n#}c",
    'pages/trim.html' => "{% view trim(int n) %}\n"
        . "a \n {%- if n -%} \n b \n {%- end %} c {% if n -%} d{% end %}"
        . "\n{% if n %}\n e\n{%- end -%}\n",
    'pages/head.html' => "{# before #}\n{% view head() %}\n"
        . "{% include \"types.h\" %}\n{# after #}\n\n  text\n",
    'streams/stream.html' => "{% view stream(ngx_str_t s) %}\n"
        . "<turbo-stream target=\"{{ s }}\"></turbo-stream>\n",
);

my $nasty = '<&>"\\\'';
my $escaped = '&lt;&amp;&gt;&quot;\\&#39;';

# name, arguments in C, what is printed
my @printed = (
    ['text', '', "<p class=\"a\">\\n %d 100% \xc3\xa4 ??= {x} } }} %} #}"
        . "\ttab</p>"],
    ['empty', '', ''],
    ['print', 'S("<&>\\"\\\\\'"), 7',
        "<a title=\"$escaped\">${escaped}7</a>-1-7"],
    ['html', '(ngx_campfire_html_t) { S("<i>&amp;</i>") }',
        '<b><i>&amp;</i></b>'],
    ['fields', '&items[0]', 'a&lt;/1/1/1'],
    ['cond', '1', 'one.'],
    ['cond', '2', 'few.'],
    ['cond', '3', 'few.'],
    ['cond', '0', '.'],
    ['cond', '9', 'many.'],
    ['attr', '1', '<i class="a b" hidden>'],
    ['attr', '0', '<i class="a">'],
    ['char', 'S("}")', 'brace'],
    ['char', 'S("%")', 'percent'],
    ['loop', '(items_t) { items, 2 }', '[a&lt;1][b2]'],
    ['loop', '(items_t) { NULL, 0 }', ''],
    ['loops', '&groups', '<1+2><><+2>201'],
    ['render', '&lists[0]', '(a&lt;:2)(b:3)(a&lt;:7)'],
    ['outer_begin', 'S("T&")', "<html><title>T&amp;</title>\n"],
    ['outer_end', 'S("T&")', "\n</html>"],
    ['wrapped', 'S("T"), 1',
        "<html><title>T</title>\n<main>body</main>\n</html>"],
    ['asset', '', '<link href="/chat&amp;/assets/app-1a.css">'],
    ['inlined', '', "<i><svg>\n{{ no tag }}\n</svg></i>"
        . "<svg>\n{{ no tag }}\n</svg>"],
    ['comment', '', 'abc'],
    ['trim', '1', "ab c d\n\n e"],
    ['trim', '0', "a c \n"],
    ['head', '', '  text'],
    ['stream', 'S("a\\"")',
        '<turbo-stream target="a&quot;"></turbo-stream>'],
);

my ($status, $said) = compile(\%templates);
is($status, 0, 'the templates compile');
is($said, '', 'and the compiler is silent');

my $calls = join('', map {
    my $args = join(', ', '&view', '&out', length $_->[1] ? $_->[1] : ());
    "    ngx_campfire_view_$_->[0]($args);\n    end(&out);\n";
} @printed);

spew("$dir/main.c", <<"C");
#include <stdio.h>
#include "ngx_campfire_views.h"

#define S(text)  ((ngx_str_t) { sizeof(text) - 1, (u_char *) text })

static void
end(ngx_campfire_buf_t *out)
{
    ngx_str_t  s;

    if (ngx_campfire_base_buf_done(out, &s) != NGX_OK) {
        abort();
    }

    fwrite(s.data, 1, s.len, stdout);
    putchar(0);
    out->len = 0;
}

int
main(void)
{
    ngx_pool_t               *pool = ngx_create_pool(4096, NULL);
    ngx_campfire_buf_t        out;
    ngx_campfire_view_ctx_t   view = { S("/chat&") };

    item_t    items[] = { { S("a<"), 1 }, { S("b"), 2 } };
    items_t   lists[] = { { items, 2 }, { NULL, 0 }, { items + 1, 1 } };
    groups_t  groups = { lists, 3 };

    ngx_campfire_base_buf_init(&out, pool, 16);

$calls
    ngx_destroy_pool(pool);

    return 0;
}
C

$said = `cd $dir && $CC $SANITIZE -I$module -I. -Iout -o main main.c \\
    out/*.c $module/base/ngx_campfire_base_buf.c \\
    $module/base/ngx_campfire_base_escape.c \\
    $module/base/ngx_campfire_base_standalone.c 2>&1`;
is($?, 0, 'the generated C compiles without a warning') or diag($said);

my @got = split(/\0/, `$dir/main`, -1);
is($?, 0, 'the views run under the sanitizers');

for my $i (0 .. $#printed) {
    my ($name, $args, $want) = @{ $printed[$i] };
    is($got[$i], $want, "$name($args)");
}


# ---------------------------------------------------------- files written

my $before = (stat("$dir/out/loop.c"))[9];
utime($before - 100, $before - 100, "$dir/out/loop.c", "$dir/out/cond.c");
spew("$dir/out/other.c", "/* not ours */\n");
spew("$dir/templates/pages/cond.html", "{% view cond(int n) %}\nnew");
unlink("$dir/templates/pages/attr.html");

($status, $said) = run_compiler();
is($status, 0, 'the templates compile again');
is((stat("$dir/out/loop.c"))[9], $before - 100, 'what is the same is kept');
isnt((stat("$dir/out/cond.c"))[9], $before - 100, 'what changed is written');
ok(!-e "$dir/out/attr.c", 'what has no template any more is removed');
ok(-e "$dir/out/other.c", 'what is not generated is left alone');
unlike(slurp("$dir/out/ngx_campfire_views.h"), qr/view_attr\b/,
    'the header forgets the removed view');

my $text = slurp("$dir/out/render.c");
($status, $said) = run_compiler();
is(slurp("$dir/out/render.c"), $text, 'the output never varies');

my $literals = () = slurp("$dir/out/inlined.c") =~ /buf_lit\(/g;
is($literals, 1, 'literals next to each other become one');


# ------------------------------------------------------ refused by C alone

# name, template, whether C takes it, line of the error
my @typed = (
    ['safe', "{% view safe(ngx_campfire_html_t x) %}\n\n{{{ x }}}", 1],
    ['raw', "{% view raw(ngx_str_t x) %}\n\n{{{ x }}}", 0, 3],
    ['raw_int', "{% view raw_int(int x) %}\n{{{ x }}}", 0, 2],
    ['raw_char', "{% view raw_char(odd_t *x) %}\n{{{ x->c }}}", 0, 2],
    ['print_html', "{% view print_html(ngx_campfire_html_t x) %}\n\n\n"
        . '{{ x }}', 0, 4],
    ['print_struct', "{% view print_struct(odd_t x) %}\n{{ x }}", 0, 2],
    ['print_double', "{% view print_double(odd_t *x) %}\n{{ x->d }}", 0, 2],
    ['unknown', "{% view unknown() %}\n{{ nobody }}", 0, 2],
    ['member', "{% view member(item_t *x) %}\n{% if x->q %}{% end %}", 0, 2],
    ['wrong', "{% view wrong(item_t *x) %}\n{% render safe(x->name) %}",
        0, 2],
    ['list', "{% view list(item_t *x) %}\n\n{% for item_t *i in x %}{% end %}",
        0, 3],
    ['element', "{% view element(items_t x) %}\n"
        . '{% for odd_t *i in x %}{% end %}', 0, 2],
);

($status, $said) = compile({ map { ("pages/$_->[0].html", $_->[1]) } @typed });
is($status, 0, 'templates with wrong types are left to the C compiler')
    or diag($said);

for (@typed) {
    my ($name, undef, $fine, $line) = @$_;

    ($status, $said) = check_c($name);

    if ($fine) {
        is($status, 0, "C takes $name") or diag($said);
        next;
    }

    isnt($status, 0, "C refuses $name");
    like($said, qr{templates/pages/\Q$name\E\.html:$line:}, 'and says where')
        or diag($said);
}


# --------------------------------------------------- refused by the compiler

# what is wrong, the body after a {% view %} with item_t *a, line, message
my @refused = (
    ['an unknown tag', '{% foo %}', 2, qr/unknown tag \{% foo %\}/],
    ['an empty tag', '{% %}', 2, qr/unknown tag/],
    ['an if without end', "\n{% if a %}\n\n", 3, qr/\{% if %\} without its/],
    ['a for without end', '{% for item_t *i in *a %}', 2,
        qr/\{% for %\} without its/],
    ['a layout without end', '{% layout l() %}', 2,
        qr/\{% layout %\} without its/],
    ['an end too many', "{% if a %}{% end %}\n{% end %}", 3,
        qr/\{% end %\} without its/],
    ['an end with a word', '{% if a %}{% end if %}', 2,
        qr/\{% end %\} takes nothing/],
    ['an else alone', '{% else %}', 2, qr/\{% else %\} without its/],
    ['an elsif alone', '{% elsif a %}', 2, qr/\{% elsif %\} without its/],
    ['an else in a for', '{% for item_t *i in *a %}{% else %}{% end %}', 2,
        qr/\{% else %\} without its/],
    ['two elses', '{% if a %}{% else %}{% else %}{% end %}', 2,
        qr/after \{% else %\}/],
    ['an elsif after else', '{% if a %}{% else %}{% elsif a %}{% end %}', 2,
        qr/after \{% else %\}/],
    ['an else with a condition', '{% if a %}{% else if a %}{% end %}', 2,
        qr/\{% else %\} takes nothing/],
    ['an if without condition', '{% if %}{% end %}', 2,
        qr/an expression is missing/],

    ['a tag that does not close', "\n{% if a", 3, qr/'\{%' without its '%\}'/],
    ['a print that does not close', '{{ a', 2, qr/'\{\{' without its/],
    ['a print closed by one brace', '{{ a }', 2, qr/'\{\{' without its/],
    ['a comment that does not close', '{# a', 2, qr/'\{#' without its/],
    ['a string that does not close', '{% asset "app.css %}', 2,
        qr/a string without its end/],
    ['trimming by a print', '{{- a->n }}', 2, qr/does not trim/],

    ['an empty expression', '{{ }}', 2, qr/an expression is missing/],
    ['empty parentheses', '{{ () }}', 2, qr/an expression is missing/],
    ['empty parentheses in an if', '{% if (()) %}{% end %}', 2,
        qr/an expression is missing/],
    ['a call', '{{ f(a) }}', 2, qr/a call \('f\('\)/],
    ['a call through a pointer', '{{ (a->f)(1) }}', 2, qr/a call/],
    ['an assignment', '{% if a->n = 1 %}{% end %}', 2,
        qr/an assignment \('='\)/],
    ['a compound assignment', '{{ a->n += 1 }}', 2, qr/an assignment/],
    ['an increment', '{{ a->n++ }}', 2, qr/an increment/],
    ['a decrement', '{{ --a->n }}', 2, qr/a decrement/],
    ['a comma', '{{ a, a }}', 2, qr/a comma/],
    ['a statement', '{{ a->n; }}', 2, qr/unexpected ';'/],
    ['a block', '{{ ({ 1 }) }}', 2, qr/unexpected '\{'/],
    ['a comment in an expression', '{{ a /* x */ }}', 2, qr/a comment/],
    ['a preprocessor line', "{{ a\n#define x }}", 2, qr/unexpected '#'/],
    ['a bracket too many', '{{ a) }}', 2, qr/'\)' without its opening/],
    ['a bracket too few', '{{ (a }}', 2, qr/'\(' without its end/],
    ['brackets that cross', '{{ a[(0]) }}', 2, qr/without its opening/],

    ['a for without in', '{% for item_t *i %}{% end %}', 2,
        qr/must be \{% for TYPE/],
    ['a for without a pointer', '{% for item_t i in *a %}{% end %}', 2,
        qr/visits by pointer/],
    ['a for that hides an argument', '{% for item_t *a in *a %}{% end %}', 2,
        qr/'a' hides an outer name/],
    ['a for that takes the name of the buffer',
        '{% for item_t *out in *a %}{% end %}', 2, qr/'out' is taken/],

    ['an unknown view', "\n\n{% render nobody(a) %}", 4,
        qr/there is no such view/],
    ['an unknown layout', '{% layout nobody() %}{% end %}', 2,
        qr/there is no such view/],
    ['too few arguments', '{% render x() %}', 2, qr/takes 1 arguments, not 0/],
    ['too many arguments', '{% render x(a, a) %}', 2,
        qr/takes 1 arguments, not 2/],
    ['an empty argument', '{% render x(a,) %}', 2,
        qr/an expression is missing/],
    ['an argument that calls', '{% render x(f(a)) %}', 2, qr/a call/],
    ['render without parentheses', '{% render x %}', 2,
        qr/must be NAME\(\.\.\.\)/],
    ['render of a layout', '{% render l() %}', 2, qr/use \{% layout %\}/],
    ['a page as layout', '{% layout x(a) %}{% end %}', 2, qr/is no layout/],
    ['a yield outside a layout', '{% yield %}', 2, qr/outside a layout/],

    ['an unknown asset', "\n{% asset \"app.js\" %}", 3,
        qr/unknown asset "app\.js"/],
    ['an asset called like a method', '{% asset "toString" %}', 2,
        qr/unknown asset/],
    ['an asset with a strange path', '{% asset "bad.js" %}', 2,
        qr/is unusable/],
    ['an asset without a name', '{% asset %}', 2, qr/takes one string/],
    ['an asset named by a variable', '{% asset a %}', 2,
        qr/takes one string/],
    ['a missing icon', '{% inline "icons/no.svg" %}', 2,
        qr/no such file or directory/],
    ['an icon outside', '{% inline "../types.h" %}', 2, qr/must name a file/],
    ['an icon by absolute path', '{% inline "/etc/passwd" %}', 2,
        qr/must name a file/],

    ['a late include', 'x{% include "types.h" %}', 2,
        qr/must stand in the first lines/],
    ['a second view', '{% view x(item_t *a) %}', 2,
        qr/a second \{% view %\}/],
    ['an include that is no header', '{% include "x.c" %}', 2,
        qr/must name a header/],
    ['invalid UTF-8', "\xff", 1, qr/not valid UTF-8/],
    ['a control character', "\n\0", 3, qr/control character/],
);

my $layout = "{% view l() %}\n{% yield %}";
my %bad = ('layouts/l.html' => $layout,
           'pages/x.html' => "{% view x(item_t *a) %}\n");

for my $i (0 .. $#refused) {
    $bad{"pages/x$i.html"} = "{% view x$i(item_t *a) %}\n$refused[$i][1]";
}

# Calls are looked at when all files are well formed, so in a second run.
my %lines;

for (1 .. 2) {
    ($status, $said) = compile(\%bad);
    is($status, 1, 'bad templates are refused');
    ok(!-e "$dir/out", 'and nothing is written');

    for my $line (split(/\n/, $said)) {
        my ($file) = $line =~ m{\Atemplates/([^:]+):};
        push(@{ $lines{$file // ''} }, $line);
        delete $bad{$file // ''};
    }
}

for my $i (0 .. $#refused) {
    my ($what, undef, $line, $message) = @{ $refused[$i] };
    my @said = @{ delete $lines{"pages/x$i.html"} || [] };

    is(scalar(@said), 1, "$what is refused in one line") or diag(@said);
    like($said[0] // '', qr{\Atemplates/pages/x$i\.html:$line: .*$message},
        'that says where');
}

is(join('', map { @$_ } values %lines), '', 'and nothing else is said');

# whole files: what is wrong, its files, the message
my @files = (
    ['a file without view', { 'pages/x.html' => "hello\n" },
        qr{pages/x\.html:1: the first line must be \{% view x}],
    ['an empty file', { 'pages/x.html' => '' },
        qr{pages/x\.html:1: the first line must be}],
    ['another name', { 'pages/x.html' => '{% view y() %}' },
        qr{pages/x\.html:1: \{% view y %\} in a file named x\.html}],
    ['a bad file name', { 'pages/x-y.html' => '{% view x() %}' },
        qr{pages/x-y\.html:1: .*is no view name}],
    ['an argument without a name', { 'pages/x.html' => '{% view x(int) %}' },
        qr{pages/x\.html:1: 'int' must be TYPE name}],
    ['two arguments of one name',
        { 'pages/x.html' => '{% view x(int a, int a) %}' },
        qr{pages/x\.html:1: two arguments named 'a'}],
    ['one name in two folders',
        { 'pages/x.html' => '{% view x() %}',
          'partials/x.html' => '{% view x() %}' },
        qr{partials/x\.html:1: the view x is in templates/pages/x\.html}],
    ['the name of half a layout',
        { 'layouts/l.html' => $layout,
          'pages/l_end.html' => '{% view l_end() %}' },
        qr{pages/l_end\.html:1: the name l_end belongs to}],
    ['a layout without yield', { 'layouts/l.html' => '{% view l() %}' },
        qr{layouts/l\.html:1: a layout needs \{% yield %\}}],
    ['two yields', { 'layouts/l.html' => "$layout\n{% yield %}" },
        qr{layouts/l\.html:3: a second \{% yield %\}}],
    ['a yield in an if',
        { 'layouts/l.html' =>
              "{% view l(int n) %}\n{% if n %}{% yield %}{% end %}" },
        qr{layouts/l\.html:2: \{% yield %\} within \{% if %\}}],
    ['no template at all', {}, qr{templates: no templates found}],
);

for (@files) {
    my ($what, $files, $message) = @$_;

    ($status, $said) = compile($files);
    is($status, 1, "$what is refused");
    like($said, qr{\A[^\n]*$message[^\n]*\n\z}, 'in one line that says where');
}

($status, $said) = compile({ 'pages/x.html' => '{% view x() %}{{ f() }}',
                             'pages/y.html' => '{% view y() %}{% end %}' });
is($status, 1, 'two bad files are refused');
is(scalar(() = $said =~ /\n/g), 2, 'in two lines');

compile({ 'pages/x.html' => "{% view x() %}\n\n" . '{% asset "app.css" %}' });
unlink("$dir/manifest.json");
($status, $said) = run_compiler();
is($status, 1, 'a missing manifest is refused');
like($said, qr{\Atemplates/pages/x\.html:3: the asset manifest},
    'with a place');

my $js = "$top/templates/compiler/compile.js";

for my $args ('', '--templates x', '--foo 1', '--templates') {
    $said = `node $js $args 2>&1`;
    is($? >> 8, 1, "compile.js '$args' is refused");
    like($said, qr/\Acompile\.js: [^\n]+\n\z/, 'in one line');
}

done_testing();
