# Pictures, app files, health, static pages, logs.
use lib 't/lib';
use strict;
use utf8;
use warnings;

use IO::Uncompress::Gunzip ();
use JSON::PP qw(decode_json);
use Test::More;

use Campfire::Client;
use Campfire::Server qw(build);
use Campfire::Signer;

binmode Test::More->builder->$_, ':utf8'
    for qw(output failure_output todo_output);

my $server = Campfire::Server->new(workers => 2,
    http => 'log_format campfire'
        . q( '$campfire_user_id|$status|$campfire_request|';),
    location => 'access_log access.log campfire;');
my $signer = Campfire::Signer->new($server->{secret});
my $now = "'2026-01-01 00:00:00.500000', '2026-01-01 00:00:00.500000'";
my $stranger = Campfire::Client->new($server);

sub sql { return $server->sql(@_) }

subtest 'R114 before there is an account' => sub {
    my $manifest = decode_json($stranger->get('/webmanifest.json')->content);
    is($manifest->{name}, 'Campfire', 'the manifest has a name');
    like($stranger->get('/account/logo')->content, qr/^\x89PNG/, 'a logo');
    is($stranger->get('/up')->code, 200, 'it is up');
};

my $ada = Campfire::Client->new($server);
$ada->first_run('Ada');

subtest 'R121 health' => sub {
    my $page = $stranger->get('/up');
    is($page->code, 200, 'HTML');
    is($page->content, '<!DOCTYPE html><html><body style="background-color:'
       . ' green"></body></html>', 'is green');
    is($page->header('Content-Type'), 'text/html; charset=utf-8', 'its type');
    for my $json ($stranger->get('/up.json'),
                  $stranger->request('GET', '/up', [Accept => 'application/json']))
    {
        is($json->code, 200, 'JSON');
        is($json->header('Content-Type'), 'application/json; charset=utf-8',
           'its type');
        my $data = decode_json($json->content);
        is($data->{status}, 'up', 'its state');
        like($data->{timestamp}, qr/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/,
             'its time');
    }
    is($stranger->get('/up.xml')->code, 406, 'nothing else');
    is($stranger->request('GET', '/up', [Accept => 'image/png'])->code, 406,
       'by Accept, too');
    is($stranger->request('GET', '/up', [])->code, 200, 'no Accept');
    is($ada->get('/up')->header('Set-Cookie'), undef, 'no cookie');
    is($stranger->request('HEAD', '/up')->content, '', 'HEAD');
    is($ada->post('/up', [])->code, 404, 'for reading only');
};

subtest 'R023 R024 R025 avatars' => sub {
    my $path = sub { '/users/' . $signer->signed_id($_[0], 'user/avatar')
                     . '/avatar' };
    my $answer = $ada->get($path->(1) . '?v=1');
    is($answer->code, 200, 'there is one');
    is($answer->header('Content-Type'), 'image/svg+xml; charset=utf-8', 'SVG');
    is($answer->header('Cache-Control'),
       'max-age=1800, public, stale-while-revalidate=604800', 'for everybody');
    is($answer->header('Set-Cookie'), undef, 'without a cookie');
    like($answer->decoded_content, qr{^<svg [^>]*class="avatar"[^>]*viewBox="0 0 512 512".*>A</text></svg>\s*$}s,
         'of the initials');
    is($ada->get($path->(1) . '.svg')->code, 200, 'with a suffix');
    is($ada->get($path->(1), Accept => 'image/avif,image/webp,*/*;q=0.8')->code,
       200, 'as browsers ask');
    my ($shown) = $ada->get('/rooms/1')->decoded_content
        =~ m{src="(/users/[^"/]+/avatar\?v=\d{14})"};
    is($ada->get($shown)->code, 200, 'the address of the page');
    is($ada->get($shown)->content, $answer->content, 'is the same');

    my $etag = $answer->header('ETag');
    like($etag, qr{^W/"}, 'an ETag');
    is($ada->get($path->(1), 'If-None-Match' => $etag)->code, 304,
       'R024 the same');
    sql("UPDATE users SET name = 'Ada Bee Cee <x>', updated_at ="
        . " '2026-05-01 10:00:00' WHERE id = 1");
    $answer = $ada->get($path->(1), 'If-None-Match' => $etag);
    is($answer->code, 200, 'R024 changed');
    like($answer->decoded_content, qr{ textLength="85%" lengthAdjust="spacingAndGlyphs">ABCx</text>},
         'four letters');

    open my $in, '<:raw', Campfire::Server::fixtures() . '/vectors.json' or die;
    my $vectors = decode_json(do { local $/; <$in> });
    my $color = sub { ($_[0] =~ /fill="(#[0-9A-Fa-f]{6})"/)[0] };
    sql("WITH RECURSIVE c(n) AS (SELECT 2 UNION ALL SELECT n + 1 FROM c"
        . " WHERE n < 45) INSERT INTO users (name, created_at, updated_at)"
        . " SELECT 'U' || n, $now FROM c");
    my $colors = 0;
    for (grep { $_->{id} <= 45 } @{ $vectors->{avatar_colors} }) {
        my $got = $color->($ada->get($path->($_->{id}))->decoded_content);
        $colors++;
        is($got, $_->{color}, "the colour of person $_->{id}");
    }
    ok($colors > 30, 'many of them');
    for (grep { $_->{initials} ne '' } @{ $vectors->{initials} }) {
        my $name = $_->{name};
        $name =~ s/'/''/g;
        sql("UPDATE users SET name = '$name' WHERE id = 2");
        my ($text) = $ada->get($path->(2))->decoded_content =~ m{>([^<]*)</text>};
        is($text, $_->{initials}, "the initials of $_->{name}");
    }
    sql("UPDATE users SET role = 2, bot_token = 'abcdefghijkl' WHERE id = 3");
    $answer = $ada->get($path->(3));
    is($answer->header('Content-Type'), 'image/svg+xml', 'a bot has a picture');
    like($answer->decoded_content, qr{^<svg }, 'SVG');
    unlike($answer->decoded_content, qr{<text}, 'and no letters');
    sql('UPDATE users SET status = 1 WHERE id = 4');
    is($ada->get($path->(4))->code, 200, 'somebody who left still has one');

    is($ada->get($path->(999))->code, 404, 'nobody has none');
    my $good = $signer->signed_id(1, 'user/avatar');
    my %bad = (
        junk => 'x', tampered => substr($good, 0, -1) . (substr($good, -1) eq '0' ? 1 : 0),
        'another purpose' => $signer->signed_id(1, 'user/transfer', 60),
        'another secret' => Campfire::Signer->new('z' x 128)
                            ->signed_id(1, 'user/avatar'),
        unsigned => ($good =~ /^(.*)--/)[0], 'a number' => 1, dashes => '--');
    for (sort keys %bad) {
        my $answer = $ada->get("/users/$bad{$_}/avatar");
        is($answer->code . $answer->content, '404', "$_: nothing");
        is($answer->header('X-Frame-Options'), 'SAMEORIGIN', 'as usual');
    }
    $answer = $stranger->get($path->(1));
    is($answer->code, 302, 'R025 strangers');
    is($answer->header('Location'), $server->url('/session/new'), 'sign in');

    sql("UPDATE sessions SET last_active_at = '2026-01-01 00:00:00.5'");
    $answer = $ada->get($path->(1));
    is($answer->header('Set-Cookie'), undef,
       'not even a refreshed session leaves a cookie on what is public');
    for (1 .. 50) {
        last if sql("SELECT count(*) FROM sessions WHERE last_active_at >"
                    . " '2026-01-02'");
        select undef, undef, undef, 0.1;
    }
    is(sql("SELECT count(*) FROM sessions WHERE last_active_at > '2026-01-02'"),
       1, 'though it is refreshed');
    sql("UPDATE users SET name = 'Ada' WHERE id = 1");
    sql('DELETE FROM users WHERE id > 1');
};

subtest 'R036 the logo' => sub {
    for (['/account/logo', 512], ['/account/logo?size=small', 192],
         ['/account/logo.png?v=1', 512], ['/account/logo?size=junk', 512],
         ['/account/logo?size[]=small', 512])
    {
        my ($path, $size) = @$_;
        my $answer = $stranger->get($path, Accept => 'image/*,*/*;q=0.8');
        is($answer->code, 200, $path);
        is($answer->header('Content-Type'), 'image/png', 'PNG');
        my ($width, $height) = unpack 'x16NN', $answer->content;
        is("$width $height", "$size $size", 'of its size');
        is($answer->header('Content-Disposition'), 'inline', 'to be shown');
        is($answer->header('Cache-Control'),
           'max-age=300, public, stale-while-revalidate=604800',
           'for everybody');
        is($answer->header('Set-Cookie'), undef, 'without a cookie');
        is($stranger->get($path, 'If-None-Match' => $answer->header('ETag'))
           ->code, 304, 'once');
    }
    is($ada->get('/account/logo')->header('Set-Cookie'), undef,
       'nor for people who are in');
};

subtest 'R114 R115 the app' => sub {
    sql(q(UPDATE accounts SET name = '"Fix" & <Sons> \\ é'));
    for my $path ('/webmanifest.json', '/webmanifest') {
        my $answer = $stranger->get($path);
        is($answer->code, 200, $path);
        is($answer->header('Content-Type'), 'application/json; charset=utf-8',
           'JSON');
        my $manifest = decode_json($answer->content);
        is($manifest->{name}, '"Fix" & <Sons> \\ é', 'the name');
        is_deeply([map { "$_->{src} $_->{sizes} $_->{type} " . ($_->{purpose} // '') }
                   @{ $manifest->{icons} }],
                  ['/account/logo?size=small 192x192 image/png ',
                   '/account/logo 512x512 image/png ',
                   '/account/logo 512x512 image/png maskable'], 'the icons');
        is("@$manifest{qw(start_url scope display theme_color background_color)}",
           '/ / standalone #ffffff #ffffff', 'the rest');
        is_deeply([map { $_->{url} } @{ $manifest->{shortcuts} }],
                  ['/rooms/opens/new', '/users/me/profile'], 'the shortcuts');
        for (map { @{ $_->{icons} } } @{ $manifest->{shortcuts} }) {
            is($_->{type} . ' ' . $_->{sizes}, 'image/svg+xml any', 'an icon');
            is($stranger->get($_->{src})->code, 200, 'that is there');
        }
    }
    sql("UPDATE accounts SET name = 'Campfire'");
    for my $path ('/service-worker.js', '/service-worker') {
        my $answer = $stranger->get($path, Accept => '*/*');
        is($answer->code, 200, $path);
        is($answer->header('Content-Type'), 'text/javascript; charset=utf-8',
           'JavaScript');
        like($answer->decoded_content, qr/["']push["']/, 'takes notices');
        like($answer->decoded_content, qr/["']notificationclick["']/,
             'and clicks');
        unlike($answer->decoded_content, qr/addEventListener\(["']fetch["']/,
               'and nothing else');
    }
};

subtest 'R123 R124 static pages' => sub {
    my $answer = $stranger->get('/robots.txt');
    is($answer->code, 200, 'robots.txt');
    like($answer->header('Content-Type'), qr{^text/plain}, 'text');
    like($answer->content, qr/^#[^\n]*\n?$/, 'one comment');
    my %title = (404 => 'We can’t find that (404)', 422 => 'That didn’t work (422)',
                 500 => 'Something went wrong (500)', 502 => 'Starting Campfire…');
    for my $page (sort keys %title) {
        for my $path ("/$page", "/$page.html") {
            my $answer = $stranger->get($path);
            is($answer->code, 200, $path);
            like($answer->decoded_content,
                 qr{<title>\Q$title{$page}\E</title>}, 'its title');
            is($answer->header('Set-Cookie'), undef, 'no cookie');
            unlike($answer->decoded_content, qr{src="http|href="http},
                   'nothing from elsewhere');
        }
    }
    like($stranger->get('/502')->decoded_content, qr{http-equiv="refresh" content="10},
         'that one loads again');
    my %text = (recede => 'Going back…', resume => 'Staying put…',
                refresh => 'Refreshing…');
    for (sort keys %text) {
        my $answer = $stranger->get("/${_}_historical_location");
        is($answer->code, 200, $_);
        is($answer->header('Content-Type'), 'text/html; charset=utf-8', 'HTML');
        is($answer->decoded_content, $text{$_}, 'says so');
    }
};

subtest 'R122 the cable without a socket' => sub {
    my $answer = $ada->get('/cable');
    is($answer->code, 404, 'not found');
    is($answer->header('Content-Type'), 'text/plain; charset=utf-8', 'text');
    is($answer->content, 'Page not found', 'says so');
    is($answer->header('X-Frame-Options'), 'SAMEORIGIN', 'as usual');
};

subtest 'R123 assets' => sub {
    my $page = $ada->get('/rooms/1')->decoded_content
             . $stranger->get('/session/new')->decoded_content;
    my %asset = map { $_ => 1 } $page =~ m{"(/assets/[^"]+)"}g;
    ok(keys %asset >= 3, 'pages name some');
    for my $path (sort keys %asset) {
        my $answer = $stranger->get($path);
        is($answer->code, 200, $path);
        ok(length $answer->content, 'has something');
    }
    my ($css) = grep { /app-\w+\.css$/ } keys %asset;
    my $plain = $stranger->request('GET', $css);
    is($plain->header('Content-Type'), 'text/css', 'CSS');
    my $packed = $stranger->request('GET', $css, ['Accept-Encoding' => 'gzip']);
    is($packed->header('Content-Encoding'), 'gzip', 'packed beforehand');
    ok(length $packed->content < length $plain->content, 'is smaller');
    is($packed->header('Content-Length'), -s build() . "$css.gz",
       'the very file');
    IO::Uncompress::Gunzip::gunzip(\$packed->content, \my $unpacked);
    is($unpacked, $plain->content, 'and the same');
    is($stranger->get('/assets/nothing-12345678.css')->code, 404,
       'what is not there');
};

subtest 'the page of numbers' => sub {
    my $numbers = sub {
        my $answer = $stranger->get('/status');
        is($answer->code, 200, 'is there');
        like($answer->header('Content-Type'), qr{^text/plain; version=0\.0\.4},
             'in the format of Prometheus');
        return $answer->content;
    };
    my $text = $numbers->();
    my $lines = 0;
    for (split /\n/, $text) {
        $lines++;
        like($_, qr/^(?:# (?:HELP|TYPE) campfire_\w+ .+|campfire_\w+(?:\{[^}]*\})? -?\d+(?:\.\d+)?)$/,
             'a line') or last;
    }
    ok($lines > 30, 'of many');
    my %seen;
    is((grep { $seen{$_}++ } $text =~ /^# TYPE (\w+)/mg), 0, 'each name once');
    my $value = sub { ($_[1] =~ /^\Q$_[0]\E(?:\{[^}]*\})? (\d+)$/m)[0] };
    $ada->get('/up') for 1 .. 5;
    $ada->say(1, 'x');
    my $later = $numbers->();
    ok($value->('campfire_requests_total', $later)
       >= $value->('campfire_requests_total', $text) + 6, 'requests are counted');
    is($value->('campfire_writes_total', $later),
       $value->('campfire_writes_total', $text) + 1, 'writes are counted');
    unlike($later, qr/\Q$server->{secret}\E|secret/i, 'no secret');
};

subtest 'the access log hides secrets' => sub {
    open my $log, '<', "$server->{dir}/access.log" or die $!;
    seek $log, 0, 2;
    my @cases = (
        ['/up', '-|200|GET /up HTTP/1.1|'],
        ['/rooms/1?x=1', '1|200|GET /rooms/1?x=1 HTTP/1.1|'],
        ['/join/S3CRET', '-|302|GET /join/[FILTERED] HTTP/1.1|'],
        ['/session/transfers/S3CRET', '-|200|GET /session/transfers/[FILTERED] HTTP/1.1|'],
        ['/users/S3CRET/avatar?v=1', '1|404|GET /users/[FILTERED]/avatar?v=1 HTTP/1.1|'],
        ['/qr_code/S3CRET', '-|404|GET /qr_code/[FILTERED] HTTP/1.1|'],
        ['/rooms/1/7-S3CRET/messages?after=1', '-|404|GET /rooms/1/[FILTERED]/messages?after=1 HTTP/1.1|'],
        ['/rails/active_storage/blobs/redirect/S3CRET/a.png', '-|404|GET /rails/active_storage/blobs/redirect/[FILTERED]/a.png HTTP/1.1|'],
        ['/rails/active_storage/disk/S3CRET/a.png', '-|404|GET /rails/active_storage/disk/[FILTERED]/a.png HTTP/1.1|'],
        ['/nowhere/S3CRETS3CRETS3CRETS3CRET', '-|404|GET /nowhere/[FILTERED] HTTP/1.1|'],
        ['/up?bot_key=S3CRET&a=b&token=S3CRET', '-|200|GET /up?bot_key=[FILTERED]&a=b&token=[FILTERED] HTTP/1.1|'],
        ['/up?user[password]=S3CRET&PASSWORD=S3CRET', '-|200|GET /up?user[password]=[FILTERED]&PASSWORD=[FILTERED] HTTP/1.1|'],
        ['/session/new?email_address=S3CRET', '-|200|GET /session/new?email_address=[FILTERED] HTTP/1.1|'],
        ['/up?user%5Bpassword%5D=S3CRET', '-|200|GET /up?user%5Bpassword%5D=[FILTERED] HTTP/1.1|'],
        ['/up?push_subscription[endpoint]=S3CRET&x', '-|200|GET /up?push_subscription[endpoint]=[FILTERED]&x HTTP/1.1|'],
    );
    for (@cases) {
        my ($path, $want) = @$_;
        my $cookie = $ada->cookie;
        my $answer = $server->raw("GET $path HTTP/1.1\r\nHost: h\r\n"
            . "Accept: text/html\r\nCookie: $cookie\r\nConnection: close\r\n\r\n");
        my ($code) = $answer =~ /^HTTP\S+ (\d+)/;
        my $line = '';
        for (1 .. 50) {
            seek $log, 0, 1;
            $line = <$log> // '';
            last if $line;
            select undef, undef, undef, 0.05;
        }
        chomp $line;
        $want =~ s/^[^|]*\|\d+//;
        my ($user, $status, $rest) = $line =~ /^([^|]*)\|(\d+)(.*)$/;
        is($rest, $want, $path);
        is($status, $code, 'with its status');
        unlike($line, qr/S3CRET/, 'and no secret');
    }
    open $log, '<', "$server->{dir}/access.log" or die $!;
    my $all = do { local $/; <$log> };
    like($all, qr{^1\|200\|GET /rooms/1 }m, 'who asked is known');
    like($all, qr{^-\|200\|GET /session/new }m, 'or not');
    unlike($server->log, qr/S3CRET/, 'nor is one in the error log');
};

is_deeply([$server->alarms], [], 'no alarms');
ok($server->stop, 'the server stops');
is($server->{status}, 0, 'and says so');

done_testing();
