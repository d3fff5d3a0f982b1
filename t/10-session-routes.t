# Ways in and out, and what every answer has in common.
use lib 't/lib';
use strict;
use utf8;
use warnings;

use IO::Socket::SSL;
use Test::More;

use Campfire::Client;
use Campfire::Server qw(wait_for);
use Campfire::Signer;

my $server = Campfire::Server->new(workers => 2);
my $signer = Campfire::Signer->new($server->{secret});
my $callers = 1;

# A browser that calls from an address of its own.
sub browser {
    return Campfire::Client->new($server,
                                 address => '127.0.0.' . ++$callers, @_);
}

sub location {
    my ($answer) = @_;
    my $url = $answer->header('Location') // '';
    my $base = $server->url;
    $url =~ s/^\Q$base\E//;
    return $answer->code . " $url";
}

sub cookies { return map { /^([^=]+)=/ } $_[0]->header('Set-Cookie') }

sub cookie_line {
    my ($answer, $name) = @_;
    return (grep { /^\Q$name\E=/ } $answer->header('Set-Cookie'))[0] // '';
}

sub alert { return $_[0]->decoded_content =~ m{role="alert"[^>]*>([^<]*)<} ? $1 : '' }

my @person = ('user[name]' => 'Ada', 'user[email_address]' => 'ada@example.com',
              'user[password]' => 'secret123456');
my $ada = browser();

subtest 'R005 R009 first run of a fresh server' => sub {
    is(location($ada->get('/session/new')), '302 /first_run',
       'nobody can sign in yet');
    is(location($ada->get('/')), '302 /session/new', 'the root asks for it');
    is(location($ada->get('/session')), '302 /session/new', 'Q23');

    my $page = $ada->get('/first_run');
    is($page->code, 200, 'the page to set it up');
    my $html = $page->decoded_content;
    like($html, qr{<title>Set up Campfire</title>}, 'its title');
    like($html, qr{<body class="signup"}, 'its class');
    for my $field (qw(name email_address password)) {
        is(() = $html =~ /name="user\[$field\]"/g, 1, "one field $field");
    }
    is(() = $html =~ /<button[^>]*type="submit"/g, 1, 'one button');
    unlike($html, qr/current-user-id/, 'nobody is signed in');
    is(location($ada->get('/first_run.html')), '200 ', 'a suffix is allowed');

    is(location($ada->post('/session', [email_address => 'x', password => 'y'])),
       '302 /first_run', 'Q22: signing in leads to the first run');
};

subtest 'R008 first run without a person' => sub {
    my $rows = $server->rows;
    $ada->get('/first_run');
    is($ada->post('/first_run', [])->code, 400, 'nothing');
    is($ada->post('/first_run', [user => 'x'])->code, 400, 'a text');
    is($ada->post('/first_run', ['user[email_address]' => 'a@b.c'])->code, 422,
       'no name');
    is($server->rows, $rows, 'nothing was written');
};

subtest 'R007 R006 first run, five at once' => sub {
    my @children;
    for my $n (1 .. 5) {
        my $pid = fork;
        if (!$pid) {
            $server->{pid_of} = 0;
            my $one = Campfire::Client->new($server);
            $one->get('/first_run');
            my $answer = $one->post('/first_run', [
                'user[name]' => "Ada", 'user[email_address]' => "ada\@example.com",
                'user[password]' => 'secret123456']);
            require POSIX;
            POSIX::_exit(location($answer) eq '302 /' ? 0 : 1);
        }
        push @children, $pid;
    }
    my $failed = 0;
    for (@children) {
        waitpid $_, 0;
        $failed++ if $?;
    }
    is($failed, 0, 'everybody is led to the root');
    is($server->sql('SELECT count(*), max(name) FROM accounts'), '1|Campfire',
       'one account');
    is($server->sql('SELECT count(*), max(role), max(name) FROM users'),
       '1|1|Ada', 'one administrator');
    is($server->sql('SELECT count(*), max(name), max(type) FROM rooms'),
       '1|All Talk|Rooms::Open', 'one room');
    is($server->sql('SELECT room_id, user_id, involvement FROM memberships'),
       '1|1|mentions', 'the administrator is in it');
    is($server->sql('SELECT count(*) FROM sessions'), 1, 'one session');
    like($server->sql('SELECT join_code FROM accounts'),
         qr/^[A-Za-z0-9]{4}(-[A-Za-z0-9]{4}){2}$/, 'a join code');
    like($server->sql('SELECT password_digest FROM users'),
         qr/^\$2a\$12\$.{53}$/, 'a digest of bcrypt');
    is(location($ada->get('/first_run')), '302 /', 'R005 with an account');
    is(location($ada->post('/first_run', [@person])), '302 /', 'and by form');
};

subtest 'R010 the sign-in page' => sub {
    my $page = browser()->get('/session/new?email_address=a%22%3Cb@c');
    is($page->code, 200, 'is there');
    my $html = $page->decoded_content;
    like($html, qr{<title>Sign in</title>}, 'its title');
    like($html, qr{name="email_address"[^>]*value="a&quot;&lt;b\@c"},
         'the address is filled in, escaped');
    like($html, qr{<meta name="turbo-visit-control" content="reload">},
         'it is always loaded in full');
    like($html, qr{<button[^>]*name="log_in"}, 'the button');
    like($html, qr{mailto:[^"]*ada\@example\.com}, 'whom to ask');
    unlike($html, qr/role="alert"/, 'no alert');
    is_deeply([cookies($page)], ['_campfire_session'],
              'a session for the token');
    my ($token) = $html =~ /name="csrf-token" content="([^"]*)"/;
    is(length $token, 86, 'the token');
};

subtest 'R001 R011 sign in' => sub {
    my $me = browser();
    my $answer = $me->get('/rooms/1?x=1');
    is(location($answer), '302 /session/new', 'a stranger goes to sign in');
    like(cookie_line($answer, '_campfire_session'),
         qr{^_campfire_session=[^;]+; path=/; expires=\w{3}, \d\d \w{3} \d{4} \d\d:\d\d:\d\d GMT; httponly; samesite=lax$},
         'where he wanted to go is kept');
    $me->get('/session/new');
    my $rows = $server->sql('SELECT count(*) FROM sessions');
    $answer = $me->post('/session', [email_address => 'ada@example.com',
                                     password => 'secret123456']);
    is(location($answer), '302 /rooms/1?x=1', 'and goes there afterwards');
    is_deeply([cookies($answer)], ['session_token', '_campfire_session'],
              'cookies in their order');
    like(cookie_line($answer, 'session_token'),
         qr{^session_token=[A-Za-z0-9%*._-]+--[0-9a-f]{40}; path=/; expires=[^;]+ GMT; httponly; samesite=lax$},
         'the token and its attributes');
    my $year = (gmtime)[5] + 1920;
    like(cookie_line($answer, 'session_token'), qr/ $year /,
         'it holds for twenty years');
    is($server->sql('SELECT count(*) FROM sessions'), $rows + 1, 'a new row');
    is($server->sql('SELECT user_id, user_agent, ip_address, length(token)'
                    . ' FROM sessions ORDER BY id DESC LIMIT 1'),
       "1|campfire-test|127.0.0.$callers|24", 'tells who and whence');

    $answer = $me->get('/session/new');
    is($answer->code, 200, 'R009 the page is there for people who are in');
    unlike($answer->decoded_content, qr/current-user-id/,
           'Q21 and does not know them');

    $answer = $me->post('/session', [email_address => 'ada@example.com',
                                     password => 'secret123456']);
    is(location($answer), '302 /', 'the address is used once');

    my $page = $me->get('/rooms/1');
    is($page->code, 200, 'he is in');
    is_deeply([cookies($page)], ['last_room'],
              'a page sends only what is new');
    like(cookie_line($page, 'last_room'),
         qr{^last_room=1; path=/; expires=[^;]+ GMT; samesite=lax$},
         'for scripts to read');
};

subtest 'R001 what is not remembered' => sub {
    my %not = (
        'a frame'        => ['/rooms/1', 'Turbo-Frame' => 'x'],
        'a script'       => ['/rooms/1', 'X-Requested-With' => 'XMLHttpRequest'],
        'a stream'       => ['/rooms/1', Accept => 'text/vnd.turbo-stream.html'],
        'JSON'           => ['/rooms/1', Accept => 'application/json'],
        'a refresh'      => ['/rooms/1/refresh'],
        'a long address' => ['/rooms/1?' . 'x' x 2000],
    );
    for my $what (sort keys %not) {
        my ($path, @headers) = @{ $not{$what} };
        my $answer = browser()->request('GET', $path,
                                        [Accept => 'text/html', @headers]);
        is(location($answer), '302 /session/new', $what);
        is_deeply([cookies($answer)], [], "$what leaves no cookie");
    }
    my $me = browser();
    $me->get('/rooms/7');
    $me->post('/rooms/1/messages', ['message[body]' => 'x']);
    $me->get('/session/new');
    my $answer = $me->post('/session', [email_address => 'ada@example.com',
                                        password => 'secret123456']);
    is(location($answer), '302 /rooms/7', 'a form does not count either');

    $me = browser();
    my ($cookie) = $me->request('GET', '/rooms/1',
        [Host => 'other.example', Accept => 'text/html'])
        ->header('Set-Cookie');
    my ($value) = $cookie =~ /^_campfire_session=([^;]+)/;
    $me->set_cookie('_campfire_session', $value);
    $me->get('/session/new');
    $answer = $me->post('/session', [email_address => 'ada@example.com',
                                     password => 'secret123456']);
    is(location($answer), '302 /', 'another host is no way to go');
};

subtest 'R012 not signed in' => sub {
    my $code = $server->sql('SELECT join_code FROM accounts');
    for my $who (qw(Gone Banned)) {
        my $one = browser();
        ok($one->join($who), "$who joins");
    }
    $server->sql("UPDATE users SET status = 1 WHERE name = 'Gone'");
    $server->sql("UPDATE users SET status = 2 WHERE name = 'Banned'");
    $server->sql("INSERT INTO users (name, role, bot_token, created_at,"
        . " updated_at) VALUES ('Bot', 2, 'abcdefghijkl', '2026-01-01',"
        . " '2026-01-01')");
    my $rows = $server->rows;
    my $me;
    my @tries = (
        ['a wrong password' => 'ada@example.com', 'wrong'],
        ['no password'      => 'ada@example.com', ''],
        ['nobody'           => 'nobody@example.com', 'secret123456'],
        ['another case'     => 'Ada@example.com', 'secret123456'],
        ['a blank'          => ' ada@example.com', 'secret123456'],
        ['deactivated'      => 'gone@example.com', 'secret123456'],
        ['banned'           => 'banned@example.com', 'secret123456'],
        ['a bot'            => '', 'x'],
        ['a NUL'            => 'ada@example.com', "secret123456\0"],
        ['a long password'  => 'ada@example.com', 'x' x 100_000],
    );
    for (@tries) {
        my ($what, $email, $password) = @$_;
        $me = browser();
        $me->get('/session/new');
        my $answer = $me->post('/session', [email_address => $email,
                                            password => $password]);
        is($answer->code, 401, $what);
        is(alert($answer), 'Too many requests or unauthorized.', 'says so');
        like($answer->decoded_content, qr/<div class="panel shake">/, 'shakes');
        like($answer->decoded_content, qr/value="\Q$email\E"/,
             'and keeps the address');
    }
    $me = browser();
    $me->get('/session/new');
    is($me->post('/session', [])->code, 401, 'nothing at all');
    is($me->post('/session', ['email_address[]' => 'ada@example.com',
        'password' => 'secret123456'])->code, 401, 'a list as the address');
    is($me->post('/session', ['email_address' => 'ada@example.com',
        'password[x]' => 'secret123456'])->code, 401, 'a hash as the password');
    is($server->rows, $rows, 'no row was written');

    $me = browser();
    $me->get('/session/new');
    $server->sql("UPDATE users SET password_digest ="
        . " '\$2a\$04\$KIXQ4gG7XJ5mC0mRyPzHEuJXPrz6Gdr.b5o02KYELjwVZIjTzrEtG'"
        . " WHERE name = 'Gone'");
    $server->sql("UPDATE users SET status = 0 WHERE name = 'Gone'");
    is(location($me->post('/session', [email_address => 'gone@example.com',
        password => 'a' x 100])), '302 /', '72 bytes of a password count');
    $server->sql("UPDATE users SET password_digest = 'junk'"
                 . " WHERE name = 'Gone'");
    is($me->post('/session', [email_address => 'gone@example.com',
        password => 'a' x 100])->code, 401, 'a broken digest fits nothing');
};

subtest 'R013 ten attempts' => sub {
    my $me = browser();
    my $there = browser();
    $me->get('/session/new');
    my @login = (email_address => 'ada@example.com', password => '');
    is($me->post('/session', [@login], 'X-CSRF-Token' => 'x')->code, 422,
       'a forged one is not counted');
    is($me->post('/session', [@login])->code, 401, "attempt $_") for 1 .. 10;
    my $answer = $me->post('/session', [email_address => 'ada@example.com',
                                        password => 'secret123456']);
    is($answer->code, 429, 'the eleventh is too many, right or wrong');
    is(alert($answer), 'Too many requests or unauthorized.', 'says so');
    is($answer->header('Retry-After'), undef, 'and no more');
    is($me->post('/session', [@login],
       'X-Forwarded-For' => '203.0.113.1', 'X-Real-IP' => '203.0.113.1',
       'Forwarded' => 'for=203.0.113.1', 'Client-Ip' => '203.0.113.1')->code,
       429, 'whatever headers say');
    $there->get('/session/new');
    is($there->post('/session', [@login])->code, 401, 'others go on');
};

subtest 'R014 forged requests' => sub {
    my $me = browser();
    ok($me->join('Fay'), 'somebody is in');
    my ($form) = $me->get('/session/new')->decoded_content
        =~ /name="authenticity_token" value="([^"]*)"/;
    my $good = $me->{token};
    isnt($form, $good, 'a form has a token of its own');
    my $other = browser();
    $other->get('/session/new');
    my $url = $server->url;
    my $type = ['Content-Type' => 'application/x-www-form-urlencoded',
                'Accept' => 'text/html'];
    my $post = sub {
        my ($fields, @headers) = @_;
        return $me->request('POST', '/rooms/1/messages', [@$type, @headers],
            Campfire::Client::encode('message[body]' => 'x', @$fields))->code;
    };
    my $rows = $server->rows;
    my $answer = $me->request('POST', '/rooms/1/messages', $type,
                              'message[body]=x');
    is($answer->code, 422, 'no token');
    like($answer->decoded_content, qr/didn’t work \(422\)/, 'the 422 page');
    is_deeply([cookies($answer)], [], 'sets nothing');
    for my $bad ('', 'x', substr($good, 0, 85), "${good}A", $other->{token},
                 $form, 'A' x 43, 'A' x 86, 'A' x 100_0)
    {
        is($post->([], 'X-CSRF-Token' => $bad), 422, "bad header: "
           . substr $bad, 0, 20);
        is($post->([authenticity_token => $bad]), 422, 'as a parameter');
    }
    for my $origin ('null', 'http://other.example', "$url:1", "https" . substr($url, 4),
                    "$url/")
    {
        is($post->([], 'X-CSRF-Token' => $good, Origin => $origin), 422,
           "Origin: $origin");
        is($post->([], 'Sec-Fetch-Site' => 'same-origin', Origin => $origin),
           422, 'with Sec-Fetch-Site');
    }
    is($post->([], 'X-CSRF-Token' => $good, 'Sec-Fetch-Site' => 'cross-site'),
       422, 'a good token from another site');
    is($post->([], 'Sec-Fetch-Site' => $_), 422, "Sec-Fetch-Site: $_ alone")
        for qw(same-site none cross-site junk);
    is($server->rows, $rows, 'nothing was written by any of them');

    is($post->([], 'X-CSRF-Token' => $good), 302, 'a good header');
    is($post->([authenticity_token => $good]), 302, 'a good parameter');
    is($post->([authenticity_token => $good], 'X-CSRF-Token' => 'x'), 302,
       'either will do');
    is($post->([], 'X-CSRF-Token' => $good, Origin => $url), 302,
       'our own origin');
    is($post->([], 'X-CSRF-Token' => $good, 'Sec-Fetch-Site' => $_), 302,
       "a good token, $_") for qw(same-site none);
    is($post->([], 'Sec-Fetch-Site' => 'same-origin'), 302,
       'same-origin needs no token');
    is($post->([], 'Sec-Fetch-Site' => 'Same-Origin'), 302, 'in any case');
    is($server->sql('SELECT count(*) FROM messages'), 8, 'each wrote once');

    is($me->request('POST', '/session', $type,
        Campfire::Client::encode(authenticity_token => $form))->code, 401,
       'the token of a form is good for that form');
    is($me->request('DELETE', '/session', $type,
        Campfire::Client::encode(authenticity_token => $form))->code, 422,
       'and for no other');
    $answer = $me->request('POST', '/rooms/1/messages',
                           ['Content-Type' => 'application/json',
                            'Accept' => 'application/json'],
                           qq({"message":{"body":"x"}}));
    is($answer->code, 422, 'JSON without a token');
    is($answer->decoded_content,
       '{"status":422,"error":"Unprocessable Content"}', 'is told so in JSON');
    is($me->request('POST', '/rooms/1/messages',
                    ['Content-Type' => 'application/json',
                     'Accept' => 'text/html'],
                    qq({"authenticity_token":"$good","message":{"body":"x"}}))
       ->code, 302, 'JSON with one');

    my $stranger = browser();
    is(location($stranger->request('POST', '/rooms/1/messages', $type, 'x=1')),
       '302 /session/new', 'a stranger is led to sign in instead');
};

subtest 'R018 R019 joining' => sub {
    my $code = $server->sql('SELECT join_code FROM accounts');
    my $me = browser();
    my $page = $me->get("/join/$code");
    is($page->code, 200, 'the link');
    like($page->decoded_content, qr{<title>Sign up</title>}, 'its title');
    like($page->decoded_content, qr{action="/join/$code"}, 'its form');
    is(() = $page->decoded_content =~ /<button[^>]*type="submit"/g, 1,
       'one button');
    for my $bad (lc $code ne $code ? lc $code : uc $code, 'x', "${code}x",
                 substr $code, 1)
    {
        my $answer = $me->get("/join/$bad");
        is($answer->code, 404, 'R021 not a link');
        is($answer->decoded_content, '', 'nothing is said');
        is($me->post("/join/$bad", [@person])->code, 404, 'by form');
    }

    $server->sql("INSERT INTO rooms (name, type, creator_id, created_at,"
        . " updated_at) VALUES ('Open', 'Rooms::Open', 1, '2026-01-01',"
        . " '2026-01-01'), ('Closed', 'Rooms::Closed', 1, '2026-01-01',"
        . " '2026-01-01')");
    $me->get("/join/$code");
    my $answer = $me->post("/join/$code", [
        'user[name]' => 'Bea', 'user[email_address]' => 'bea@example.com',
        'user[password]' => 'secret123456', 'user[role]' => '1',
        'user[status]' => 2]);
    is(location($answer), '302 /', 'in');
    is_deeply([cookies($answer)], ['session_token'], 'with a session');
    is($server->sql("SELECT role, status FROM users WHERE name = 'Bea'"),
       '0|0', 'as an active member');
    is($server->sql("SELECT group_concat(r.name || ' ' || m.involvement, ', ')"
        . " FROM memberships m JOIN rooms r ON r.id = m.room_id"
        . " JOIN users u ON u.id = m.user_id WHERE u.name = 'Bea'"),
       'All Talk mentions, Open mentions', 'of all open rooms');
    is(location($me->get("/join/$code")), '302 /', 'once in, the link is a way home');
    is(location($me->get('/join/x')), '302 /', 'whatever the code');
    is(location($me->post('/join/x', [])), '302 /', 'by form, too');

    my $rows = $server->rows;
    $me = browser();
    $me->get("/join/$code");
    $answer = $me->post("/join/$code", [
        'user[name]' => 'Bea 2', 'user[email_address]' => 'bea@example.com',
        'user[password]' => 'x']);
    is(location($answer), '302 /session/new?email_address=bea%40example.com',
       'R020 an address that is taken');
    is($me->post("/join/$code", ['user[email_address]' => 'x@example.com'])
       ->code, 422, 'R021 no name');
    is($me->post("/join/$code", [])->code, 400, 'no person');
    is($me->post("/join/$code", ['user[name]' => 'x', 'user[password]' => "a\0b"])
       ->code, 422, 'a NUL in the password');
    is($me->post("/join/$code", ['user[name]' => 'x' x 4097])->code, 422,
       'a long name');
    is($me->post("/join/$code", ['user[name]' => 'x',
       'user[email_address]' => 'x' x 4097])->code, 422, 'a long address');
    is($server->rows, $rows, 'nobody was added');

    is(location($me->post("/join/$code", ['user[name]' => '<b>Cy & "co"</b>',
        'user[email_address]' => 'cy@example.com', 'user[password]' => ''])),
       '302 /', 'an empty password is taken');
    is($server->sql("SELECT password_digest IS NULL FROM users"
                    . " WHERE email_address = 'cy\@example.com'"), 1,
       'and makes no digest');
    my $html = $me->get('/rooms/1')->decoded_content;
    like($html, qr{name="current-user-name" content="&lt;b&gt;Cy &amp; &quot;co&quot;&lt;/b&gt;"},
         'a name is escaped');
    unlike($html, qr/<b>Cy/, 'everywhere');

    $me = browser();
    $me->get("/join/$code");
    $answer = $me->{ua}->request(HTTP::Request::Common::POST(
        $server->url("/join/$code"), 'X-CSRF-Token' => $me->{token},
        Content_Type => 'form-data', Content => [
            'user[name]' => 'Dee', 'user[email_address]' => 'dee@example.com',
            'user[password]' => 'secret123456',
            'user[avatar]' => [undef, '', Content_Type => 'application/octet-stream',
                               Content => '']]));
    is(location($answer), '302 /', 'the form as browsers send it');
    is($server->sql("SELECT count(*) FROM users WHERE name = 'Dee'"), 1,
       'works without a picture');
};

subtest 'R016 R017 transfers' => sub {
    my $me = browser();
    my $id = $signer->signed_id(1, 'user/transfer', 3600);
    my $page = $me->get('/session/transfers/any.thing');
    is($page->code, 406, 'a suffix is a format');
    $page = $me->get("/session/transfers/any");
    is($page->code, 200, 'any id has its page');
    like($page->decoded_content, qr{<form method="post" action="/session/transfers/any" data-controller="auto-submit">.*name="_method" value="put".*</form>}s,
         'with a form that sends itself');
    is(location($me->get('/')), '302 /session/new', 'which signs nobody in');
    my $rows = $server->rows;
    my %bad = (
        junk => 'x', expired => $signer->signed_id(1, 'user/transfer', -1),
        'another purpose' => $signer->signed_id(1, 'user/avatar', 3600),
        nobody => $signer->signed_id(999, 'user/transfer', 3600),
        forged => substr($id, 0, -1) . (substr($id, -1) eq '0' ? '1' : '0'),
        'another secret' =>
            Campfire::Signer->new('x' x 128)->signed_id(1, 'user/transfer', 60),
    );
    $server->sql("UPDATE users SET status = 1 WHERE name = 'Bea'");
    $bad{deactivated} = $signer->signed_id(
        $server->sql("SELECT id FROM users WHERE name = 'Bea'"),
        'user/transfer', 60);
    $bad{banned} = $signer->signed_id(
        $server->sql("SELECT id FROM users WHERE name = 'Banned'"),
        'user/transfer', 60);
    for (sort keys %bad) {
        my $answer = $me->put("/session/transfers/$bad{$_}", []);
        is($answer->code, 400, $_);
        is($answer->decoded_content, '', 'nothing is said');
    }
    is($server->rows, $rows, 'no session was made');
    my $answer = $me->put("/session/transfers/$id", []);
    is(location($answer), '302 /', 'a good one');
    is_deeply([cookies($answer)], ['session_token', '_campfire_session'],
              'signs in, and goes where one wanted to');
    is($me->get('/rooms/1')->code, 200, 'really');
    is($me->send('PATCH', "/session/transfers/$id", [])->code, 302,
       'again, with another verb');
};

subtest 'R015 sign out' => sub {
    my $me = browser();
    ok($me->sign_in('ada@example.com', 'secret123456'), 'in');
    my $session = $server->sql('SELECT max(id) FROM sessions');
    my $now = "'2026-01-01', '2026-01-01'";
    $server->sql("INSERT INTO push_subscriptions (endpoint, p256dh_key,"
        . " auth_key, user_id, created_at, updated_at) VALUES"
        . " ('https://a/', 'p', 'a', 1, $now), ('https://b/', 'p', 'a', 1, $now),"
        . " ('https://a/', 'p', 'a', 2, $now)");
    is($me->request('DELETE', '/session', [Accept => 'text/html'])->code, 422,
       'not without a token');
    my $answer = $me->delete('/session',
                             [push_subscription_endpoint => 'https://a/']);
    is(location($answer), '302 /', 'out');
    is(cookie_line($answer, 'session_token'),
       'session_token=; path=/; max-age=0; expires=Thu, 01 Jan 1970 00:00:00 GMT; samesite=lax',
       'the token is taken away');
    is_deeply([cookies($answer)], ['session_token', '_campfire_session'],
              'and the session is new');
    is($server->sql("SELECT count(*) FROM sessions WHERE id = $session"), 0,
       'its row is gone');
    is($server->sql("SELECT group_concat(endpoint || user_id)"
                    . " FROM push_subscriptions"), 'https://b/1,https://a/2',
       'and this device gets no more notices');
    is(location($me->get('/rooms/1')), '302 /session/new', 'outside');

    ok($me->sign_in('ada@example.com', 'secret123456'), 'in again');
    $answer = $me->post('/session', [_method => 'delete']);
    is(location($answer), '302 /', 'out by form');
    is($server->sql('SELECT count(*) FROM push_subscriptions'), 2,
       'without an endpoint nothing else goes');
};

subtest 'R031 banned addresses' => sub {
    $server->sql("INSERT INTO bans (user_id, ip_address, created_at, updated_at)"
        . " VALUES (2, '127.0.0.200', '2026-01-01', '2026-01-01')");
    my $me = Campfire::Client->new($server, address => '127.0.0.200');
    is($me->get('/session/new')->code, 200, 'may look');
    for my $path ('/session', '/join/x', '/first_run', '/rooms/1/messages') {
        my $answer = $me->post($path, []);
        is($answer->code, 429, "may not post $path");
        is($answer->decoded_content, '', 'nothing is said');
        is($answer->header('X-Frame-Options'), 'SAMEORIGIN', 'as usual');
    }
    is($me->post('/nowhere', [])->code, 404, 'routing comes first');
    is($me->request('POST', '/session', [], '')->code, 429,
       'even without a token');
    is($me->post('/session', [], 'X-Forwarded-For' => '127.0.0.1')->code, 429,
       'whatever headers say');
    is(browser()->request('HEAD', '/session/new')->code, 200, 'HEAD is a look');
};

subtest 'R133 R134 browsers' => sub {
    my %agents = (
        'old Chrome'  => [0, 'Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/119.0.0.0 Safari/537.36'],
        'Chrome'      => [1, 'Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/120.0.0.0 Safari/537.36'],
        'old Edge'    => [0, 'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/110.0.0.0 Safari/537.36 Edg/110.0.1587.41'],
        'EdgeHTML'    => [1, 'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/70.0.3538.102 Safari/537.36 Edge/18.19042'],
        'old Safari'  => [0, 'Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/17.1 Safari/605.1.15'],
        'Safari'      => [1, 'Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/17.10 Safari/605.1.15'],
        'old Firefox' => [0, 'Mozilla/5.0 (Windows NT 10.0; Win64; x64; rv:109.0) Gecko/20100101 Firefox/114.0'],
        'Firefox'     => [1, 'Mozilla/5.0 (X11; Linux x86_64; rv:121.0) Gecko/20100101 Firefox/121.0'],
        'a crawler'   => [1, 'Mozilla/5.0 (Linux; Android 6.0.1; compatible; Googlebot/2.1) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/80.0.0.0 Safari/537.36'],
        'curl'        => [1, 'curl/7.88.1'],
    );
    for my $name (sort keys %agents) {
        my ($good, $agent) = @{ $agents{$name} };
        my $me = Campfire::Client->new($server, agent => $agent);
        my $page = $me->get('/session/new');
        is($page->code, 200, "$name: 200 in any case");
        my $is = $page->decoded_content =~ m{<title>Unsupported browser</title>.*<h1[^>]*>Upgrade to a supported web browser</h1>}s;
        is(!$is, !!$good, $good ? 'and the page' : 'and the way out');
    }
    my $page = $server->raw("GET /session/new HTTP/1.0\r\n\r\n");
    like($page, qr{<title>Sign in</title>}, 'no name at all');

    my $rows = $server->rows;
    my $me = browser(agent => $agents{'old Firefox'}[1]);
    $me->get('/session/new');
    my $answer = $me->post('/session', [email_address => 'ada@example.com',
                                        password => 'secret123456']);
    is($answer->code, 200, 'a form gets 200, too');
    like($answer->decoded_content, qr/browser-list/, 'and the same page');
    is($server->rows, $rows, 'and does nothing');
    is(location($me->get('/rooms/1')), '302 /session/new',
       'signing in comes before');
    is($me->get('/up')->decoded_content =~ /green/, 1, '/up is for all');
};

subtest 'R138 a flash is shown once' => sub {
    my $me = browser();
    ok($me->sign_in('ada@example.com', 'secret123456'), 'in');
    my $answer = $me->get('/rooms/999');
    is(location($answer), '302 /', 'no such room');
    is_deeply([cookies($answer)], ['_campfire_session'], 'is kept for later');
    is(location($me->get('/')), '302 /rooms/1', 'a redirect leaves it');
    is(alert($me->get('/users/me/sidebar', 'Turbo-Frame' => 'x')), '',
       'a frame does not show it');
    is(alert($me->get('/rooms/1')), 'Room not found or inaccessible', 'now');
    is(alert($me->get('/rooms/1')), '', 'and never again');
};

subtest 'R135 R136 R137 session tokens' => sub {
    my $token = 'Tt3sTt3sTt3sTt3sTt3sTt3s';
    $server->sql("INSERT INTO sessions (user_id, token, user_agent, ip_address,"
        . " last_active_at, created_at, updated_at) VALUES (1, '$token', 'old',"
        . " '203.0.113.1', '2026-01-01 00:00:00.000000', '2026-01-01',"
        . " '2026-01-01')");
    my $try = sub {
        my ($value) = @_;
        return $server->raw("GET /rooms/1 HTTP/1.0\r\nHost: h\r\n"
            . "Accept: text/html\r\nUser-Agent: new\r\n"
            . "Cookie: session_token=$value\r\n\r\n");
    };
    my $good = $signer->session_token($token, seconds => 631_000_000);
    my $answer = $try->($good);
    like($answer, qr{^HTTP/1\.1 200 }, 'what Rails signs is taken');
    like($answer, qr{^Set-Cookie: session_token=}m, 'and signed again');
    ok(wait_for(sub {
        return $server->sql("SELECT user_agent, ip_address FROM sessions"
                            . " WHERE token = '$token'") eq 'new|127.0.0.1';
    }), 'R135 an old session is refreshed');
    unlike($try->($good), qr{^Set-Cookie: session_token=}m, 'once');

    my %bad = (
        truncated => substr($good, 0, -1), empty => '', junk => '%ff%00',
        'of another purpose' =>
            $signer->session_token($token, purpose => 'cookie.last_room'),
        expired => $signer->session_token($token, seconds => -1),
        'of another secret' =>
            Campfire::Signer->new('y' x 128)->session_token($token),
        unsigned => $token, 'upper case' => do {
            my ($data, $mac) = $good =~ /^(.*--)(.*)$/; $data . uc $mac },
        'a number' => $signer->sign_cookie('{"_rails":{"message":"MQ==","exp":null,"pur":"cookie.session_token"}}'),
        'a Marshal string' => $signer->sign_cookie("\x04\x08I\"\x1dTt3s\x06:\x06ET"),
        'of nobody' => $signer->session_token('nobody'),
    );
    for (sort keys %bad) {
        like($try->($bad{$_}), qr{^HTTP/1\.1 302 .*^Location: http://h/session/new\r}ms,
             "$_: a stranger");
    }
    my $flips = 0;
    for (my $i = 0; $i < length $good; $i += 7) {
        my $bent = $good;
        substr($bent, $i, 1) = substr($bent, $i, 1) eq 'A' ? 'B' : 'A';
        $flips++ unless $try->($bent) =~ m{^HTTP/1\.1 302 };
    }
    is($flips, 0, 'no byte of it can be changed');
    like($try->($signer->sign_cookie(qq("$token"))), qr{^HTTP/1\.1 200 },
         'one without an envelope is taken');
    like($try->("$good; session_token=x"), qr{^HTTP/1\.1 200 },
         'the first of two counts');
    $server->sql("DELETE FROM sessions WHERE token = '$token'");
    like($try->($good), qr{^HTTP/1\.1 302 }, 'without its row it is nothing');
};

subtest 'R125 R126 R128 what is not there' => sub {
    my $me = browser();
    my $page = $me->get('/nowhere');
    is($page->code, 404, 'a page');
    like($page->decoded_content, qr/<title>We can’t find that \(404\)<\/title>/,
         'says so');
    is($page->header('Content-Type'), 'text/html; charset=utf-8', 'in HTML');
    my $json = $me->request('GET', '/nowhere', [Accept => 'application/json']);
    is($json->code . $json->decoded_content,
       '404{"status":404,"error":"Not Found"}', 'or in JSON');
    is($json->header('Content-Type'), 'application/json; charset=utf-8',
       'as it says');
    my $head = $me->request('HEAD', '/nowhere');
    is($head->code, 404, 'HEAD');
    is($head->content, '', 'without a body');

    my @none = map { [split] } (
        'GET /first_run/new', 'GET /first_run/edit', 'PUT /first_run',
        'PATCH /first_run', 'DELETE /first_run', 'GET /session/edit',
        'PUT /session', 'PATCH /session', 'GET /account', 'GET /account/new',
        'POST /account', 'DELETE /account', 'GET /account/users/new',
        'GET /account/users/1', 'GET /account/users/1/edit',
        'POST /account/users', 'GET /account/bots/1',
        'GET /users/1/profile/new', 'GET /users/1/profile/edit',
        'POST /users/1/profile', 'DELETE /users/1/profile',
        'GET /users/1/push_subscriptions/new',
        'GET /users/1/push_subscriptions/1',
        'GET /users/1/push_subscriptions/1/edit',
        'PUT /users/1/push_subscriptions/1',
        'PATCH /users/1/push_subscriptions/1', 'GET /rooms/new',
        'GET /rooms/1/edit', 'POST /rooms', 'PUT /rooms/1', 'PATCH /rooms/1',
        'PUT /rooms/directs/1', 'PATCH /rooms/directs/1',
        'GET /rooms/1/messages/new', 'GET /messages/new',
        'GET /messages/1/boosts/1', 'GET /messages/1/boosts/1/edit',
        'PUT /messages/1/boosts/1', 'PATCH /messages/1/boosts/1',
        'GET /rooms/1/settings', 'OPTIONS /rooms/1', 'OPTIONS /',
        'PUT /rooms/1/messages', 'POST /up', 'DELETE /up',
        'POST /rails/action_mailbox/relay/inbound_emails',
        'LOCK /rooms/1', 'PROPFIND /');
    for (@none) {
        my ($method, $path) = @$_;
        my $answer = $me->request($method, $path, [Accept => 'text/html']);
        is($answer->code, 404, "$method $path");
        is_deeply([cookies($answer)], [], 'does not even look who asks');
    }
    for my $verb ('BREW', 'GETS', 'TRACE') {
        my $answer = $me->request($verb, '/rooms/1', [Accept => 'text/html']);
        is($answer->code, 405, "$verb is no verb");
        next if $verb eq 'TRACE';
        is($answer->decoded_content, '', 'nothing is said');
        is($me->request($verb, '/rooms/1', [Accept => 'application/json'])
           ->decoded_content, '{"status":405,"error":"Method Not Allowed"}',
           'but in JSON');
    }
    is($me->request($_ , '/404')->code, 200, "$_ /404") for qw(GET HEAD);
};

subtest 'R127 slashes' => sub {
    my $me = browser();
    ok($me->sign_in('ada@example.com', 'secret123456'), 'in');
    for my $path ('/rooms/1/', '//rooms//1', '/rooms/1//', '/rooms/./1',
                  '/x/../rooms/1', '/rooms/%31', '/%72ooms/1')
    {
        my $page = $me->get($path);
        is($page->code, 200, $path);
        like($page->decoded_content, qr/name="current-room-id" content="1"/,
             'is the room');
    }
    is($me->get('/session/new/')->code, 200, '/session/new/');
};

subtest 'R129 R140 methods in disguise' => sub {
    my $me = browser();
    ok($me->sign_in('ada@example.com', 'secret123456'), 'in');
    my $count = sub { $server->sql('SELECT count(*) FROM messages') };
    my $id = $me->say(1, 'one');
    is($me->post("/rooms/1/messages/$id", [_method => 'DELETE'])->code, 200,
       'in the body');
    is($count->() , 9, 'deletes');
    $id = $me->say(1, 'two');
    is($me->post("/rooms/1/messages/$id", [],
                 'X-HTTP-Method-Override' => 'delete')->code, 200,
       'in a header');
    is($count->() , 9, 'deletes');
    $id = $me->say(1, 'three');
    is($me->post("/rooms/1/messages/$id?_method=delete", [])->code, 404,
       'not in the query');
    is($me->post("/rooms/1/messages/$id", [_method => $_])->code, 404,
       "not $_") for qw(trace brew), '';
    is($me->put("/rooms/1/messages/$id", [_method => 'delete',
                'message[body]' => 'new'])->code, 302, 'not of a PUT');
    is($me->get("/rooms/1/messages/$id", 'X-HTTP-Method-Override' => 'delete')
       ->code, 200, 'not of a GET');
    is($me->request('POST', "/rooms/1/messages/$id",
        ['Content-Type' => 'application/json', 'X-CSRF-Token' => $me->{token}],
        '{"_method":"delete"}')->code, 404, 'not in JSON');
    is($count->() , 10, 'it is still there');
    is($me->post("/rooms/1/messages/$id", [_method => 'get'])->code, 200,
       'POST may be a GET');
    is($me->post("/rooms/1/messages/$id", [_method => $_])->code, 404,
       "$_ has no route") for qw(link unlink options);
    $me->delete("/rooms/1/messages/$id");
};

subtest 'R131 formats' => sub {
    my $me = browser();
    ok($me->sign_in('ada@example.com', 'secret123456'), 'in');
    for my $path ('/rooms/1.json', '/rooms/1.xyz', '/rooms/1?format=json',
                  '/users/me/sidebar.json', '/rooms/1/messages.json',
                  '/session/new.json', '/rooms/1/refresh.html',
                  '/rooms/1/refresh')
    {
        $me->say(1, 'x') if $path =~ /messages/;
        my $answer = $me->get($path);
        is($answer->code, 406, $path);
    }
    is($me->get('/rooms/1.json')->decoded_content,
       '{"status":406,"error":"Not Acceptable"}', 'says so in JSON');
    is($me->get('/rooms/1.xyz')->decoded_content, '', 'or nothing');
    is($me->get('/rooms/1.html')->code, 200, '/rooms/1.html');
    is($me->get('/rooms/1', Accept => $_)->code, 200, "Accept: $_")
        for '*/*', 'text/html', 'application/json,*/*;q=0.8',
            'image/png, text/html', 'application/xhtml+xml';
    is($me->request('GET', '/rooms/1', [Accept => $_])->code, 406,
       "Accept: $_") for 'application/json', 'image/png', 'text/javascript';
    is($me->request('GET', '/rooms/1', ['X-Requested-With' => 'XMLHttpRequest'])
       ->code, 406, 'a script without Accept wants a script');
    is($me->request('GET', '/rooms/1', [Accept => 'text/html'])
       ->header('Vary'), 'Accept', 'Vary when Accept took part');
    is($me->request('GET', '/rooms/1', [Accept => 'text/html,*/*;q=0.8'])
       ->header('Vary'), undef, 'not with that of a browser');
};

subtest 'R130 R132 headers of every answer' => sub {
    my $me = browser();
    ok($me->sign_in('ada@example.com', 'secret123456'), 'in');
    my $plain = browser();
    my @answers = (
        ['200'     => $me->get('/rooms/1')],
        ['302'     => $plain->get('/rooms/1')],
        ['404'     => $plain->get('/nowhere')],
        ['404 own' => $me->get('/rooms/1/messages/999')],
        ['405'     => $plain->request('BREW', '/')],
        ['406'     => $me->get('/rooms/1.json')],
        ['422'     => $me->request('POST', '/session', [], 'x=1')],
        ['401'     => $me->post('/session', [])],
        ['400'     => $me->get('/session/new?a=%zz')],
        ['204'     => $me->get('/rooms/2/messages')],
        ['413'     => $me->request('POST', '/session', [], 'x' x (1 << 21))],
        ['HEAD'    => $me->request('HEAD', '/rooms/1', [Accept => 'text/html'])],
        ['/up'     => $plain->get('/up')],
        ['304'     => $me->get('/session/new', 'If-None-Match' => '*')],
    );
    my %want = ('X-Frame-Options' => 'SAMEORIGIN',
                'X-Content-Type-Options' => 'nosniff',
                'X-Permitted-Cross-Domain-Policies' => 'none',
                'Referrer-Policy' => 'strict-origin-when-cross-origin',
                'X-Version' => '0', 'X-Rev' => '');
    for (@answers) {
        my ($name, $answer) = @$_;
        is($answer->header($_) // 'none', $want{$_}, "$name: $_")
            for sort keys %want;
        like($answer->header('X-Request-Id') // '',
             qr/^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/,
             "$name: X-Request-Id");
        like($answer->header('X-Runtime') // '', qr/^\d+\.\d+$/,
             "$name: X-Runtime");
        is($answer->header('X-XSS-Protection'), undef, "$name: no more");
        is($answer->header('Strict-Transport-Security'), undef,
           "$name: no TLS here");
    }
    my %code = map { $_->[0] => $_->[1]->code } @answers;
    is($code{$_}, $_, "$_ is $_") for qw(200 302 404 405 406 422 401 400 413 304);
    is($code{204}, 404, 'a room of others has no messages');

    is($me->get('/up', 'X-Request-Id' => 'abc-1_2@x')->header('X-Request-Id'),
       'abc-1_2@x', 'an id of the client');
    is($me->get('/up', 'X-Request-Id' => 'a b<c>"')->header('X-Request-Id'),
       'abc', 'as far as it is harmless');
    is(length $me->get('/up', 'X-Request-Id' => 'a' x 300)
       ->header('X-Request-Id'), 255, 'and not too long');

    my $get = $me->get('/rooms/1');
    my $head = $me->request('HEAD', '/rooms/1', [Accept => 'text/html']);
    is($head->code . $head->content, '200', 'R130 HEAD has no body');
    is($head->header('Content-Length'), $get->header('Content-Length'),
       'but its length');
    like(cookie_line($head, 'last_room'), qr/^last_room=1/, 'and the cookie');
    is($get->header('Cache-Control'), 'max-age=0, private, must-revalidate',
       'pages are private');
    like($get->header('ETag'), qr/^W\/"[^"]+"$/, 'with an ETag');
    is($me->get('/rooms/1', 'If-None-Match' => $get->header('ETag'))->code,
       304, 'which saves the second time');
    is($me->get('/rooms/1', 'If-None-Match' => '"x"')->code, 200,
       'if it is right');
};

subtest 'TLS on: a plain listener redirects' => sub {
    my ($cert, $key) = map { "$server->{dir}/$_.pem" } qw(cert key);
    system("openssl req -x509 -newkey rsa:2048 -nodes -subj /CN=127.0.0.1"
           . " -days 2 -keyout $key -out $cert 2>/dev/null") == 0
        or return fail('no certificate');
    my $port = Campfire::Server::free_port();
    my $tls = Campfire::Server->new(workers => 1, tls => 'on', server =>
        "listen 127.0.0.1:$port ssl; ssl_certificate $cert;"
        . " ssl_certificate_key $key;");
    my $plain = $tls->raw("GET /rooms/1?x=%31 HTTP/1.1\r\nHost: chat.example\r\n"
                          . "Connection: close\r\n\r\n");
    like($plain, qr{^HTTP/1\.1 301 .*\r\nLocation: https://chat\.example/rooms/1\?x=%31\r\n}s,
         'GET: 301');
    like($tls->raw("HEAD / HTTP/1.0\r\nHost: chat.example\r\n\r\n"),
         qr{^HTTP/1\.1 301 }, 'HEAD: 301');
    like($tls->raw("POST /session HTTP/1.0\r\nHost: chat.example\r\n"
                   . "Content-Length: 0\r\n\r\n"),
         qr{^HTTP/1\.1 308 .*\r\nLocation: https://chat\.example/session\r\n}s,
         'POST: 308');
    unlike($plain, qr/Set-Cookie/, 'no cookie');

    my $ask = sub {
        my ($text) = @_;
        my $fh = IO::Socket::SSL->new(PeerAddr => "127.0.0.1:$port",
                                      SSL_verify_mode => 0) or return '';
        print $fh $text;
        local $/;
        return scalar <$fh>;
    };
    my $page = $ask->("GET /first_run HTTP/1.0\r\nHost: chat.example\r\n\r\n");
    like($page, qr{^HTTP/1\.1 200 }, 'by TLS there is a page');
    like($page, qr{\r\nStrict-Transport-Security: max-age=63072000; includeSubDomains\r\n},
         'that asks for TLS from now on');
    like($page, qr{\r\nSet-Cookie: _campfire_session=[^;]+; path=/; expires=[^;]+; secure; httponly; samesite=lax\r\n},
         'and sets a secure cookie');
    my ($cookie) = $page =~ /Set-Cookie: (_campfire_session=[^;]+)/;
    my $body = Campfire::Client::encode(@person);
    my $answer = $ask->("POST /first_run HTTP/1.0\r\nHost: chat.example\r\n"
        . "Origin: https://chat.example\r\nSec-Fetch-Site: same-origin\r\n"
        . "Cookie: $cookie\r\nContent-Type: application/x-www-form-urlencoded\r\n"
        . "Content-Length: " . length($body) . "\r\n\r\n$body");
    like($answer, qr{\r\nLocation: https://chat\.example/\r\n}, 'set up');
    like($answer, qr{\r\nSet-Cookie: session_token=[^;]+; path=/; expires=[^;]+; httponly; samesite=lax; secure\r\n},
         'the token is secure');
    my ($token) = $answer =~ /Set-Cookie: (session_token=[^;]+)/;
    like($ask->("GET /rooms/1 HTTP/1.0\r\nHost: chat.example\r\nCookie: $token\r\n\r\n"),
         qr{\r\nSet-Cookie: last_room=1; path=/; expires=[^;]+; samesite=lax; secure\r\n},
         'and the room');
    is_deeply([$tls->alarms], [], 'no alarms');
    ok($tls->stop, 'stops');
    is($tls->{status}, 0, 'well');
};

subtest 'a cookie that grows old is sent anew' => sub {
    my $token = $server->sql('SELECT token FROM sessions WHERE user_id = 1'
                             . ' ORDER BY id DESC LIMIT 1');
    my $year = 365.25 * 86400;
    for my $case ([19.5, 0], [18.9, 1], [0.1, 1]) {
        my ($years, $again) = @$case;
        my $me = Campfire::Client->new($server);
        my $answer = $me->get('/rooms/1', Cookie => 'session_token='
            . $signer->session_token($token, seconds => $years * $year));
        is($answer->code, 200, "a token with $years years left is good");
        is(scalar(grep { $_ eq 'session_token' } cookies($answer)), $again,
           $again ? 'and replaced' : 'and left alone');
    }
};

is_deeply([$server->alarms], [], 'no alarms');
ok($server->stop, 'the server stops');
is($server->{status}, 0, 'and says so');

done_testing();
