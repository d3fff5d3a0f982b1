# What nobody should send: every parameter of every route in every wrong way,
# broken bodies, and clients that leave.  Never a 5xx, a row, or a dead worker.
use lib 't/lib';
use strict;
use utf8;
use warnings;

use IO::Socket::INET;
use Test::More;
use Time::HiRes qw(sleep);

use Campfire::Client;
use Campfire::Server qw(wait_for);

binmode Test::More->builder->$_, ':utf8'
    for qw(output failure_output todo_output);

my $server = Campfire::Server->new(workers => 2,
                                   location => 'client_max_body_size 3m;');
my ($ada, $bob) = map { Campfire::Client->new($server) } 1, 2;
my $nobody = Campfire::Client->new($server);
$ada->first_run('Ada');
$bob->join('Bob');
my $code = $server->sql('SELECT join_code FROM accounts');
my $id = $ada->say(1, '<p>one</p>');
$ada->post("/messages/$id/boosts", ['boost[content]' => 'x']);
my $boost = $server->sql('SELECT max(id) FROM boosts');
my @workers = $server->workers;
my $callers = 1;

# The status, and what the request did to the rows.
sub ask {
    my ($who, $method, $path, $body, %headers) = @_;
    if ($path =~ m{^/session}) {

        # so that ten attempts are no limit
        $callers++;
        $who = Campfire::Client->new($server, cookies => $who, address =>
            '127.0.' . int($callers / 200) . '.' . (2 + $callers % 200));
    }
    my $answer = $who->request($method, $path, [
        'Accept' => 'text/vnd.turbo-stream.html, text/html',
        'Sec-Fetch-Site' => 'same-origin',
        defined $body ? ('Content-Type' => 'application/x-www-form-urlencoded')
                      : (), %headers], $body);
    return $answer->code;
}

# Each way to get a parameter wrong: name => text of the pair.
sub ways {
    my ($name) = @_;
    return (
        missing        => '',
        'no value'     => $name,
        empty          => "$name=",
        'a list'       => "${name}[]=x",
        'a hash'       => "${name}[a]=x",
        'a list of hashes' => "${name}[][a]=x",
        'a NUL'        => "$name=a%00b",
        'a line feed'  => "$name=a%0d%0aX-Bad:%201",
        '10 kB'        => "$name=" . 'x' x 10_000,
        'not UTF-8'    => "$name=a%ff",
        'half a sequence' => "$name=%e2%82",
        'a surrogate'  => "$name=%ed%a0%80",
        'raw bytes'    => "$name=\xe9\xff",
        'a bad escape' => "$name=%zz",
        'half an escape' => "$name=100%",
        'two ways'     => "$name=x&${name}[a]=y",
        'two ways back' => "${name}[]=x&$name=y",
        'an open bracket' => "${name}[=x",
        'a bad name'   => "%ff$name=x",
        'a number'     => "$name=99999999999999999999999999",
        'a minus'      => "$name=-1",
    );
}

# These break the whole request, whatever it asks for.
my %broken = map { $_ => 1 } 'not UTF-8', 'half a sequence', 'a surrogate',
    'raw bytes', 'a bad escape', 'half an escape', 'two ways', 'two ways back',
    'a bad name', 'an open bracket';

# [who, method, path, in the query?, parameter, the rest, answers that are
# right for what is not broken]
my @table = (
    [$nobody, 'GET', '/session/new', 1, 'email_address', '', [200]],
    [$nobody, 'GET', '/session/new', 1, 'format', '', [200, 406]],
    [$nobody, 'POST', '/session', 0, 'email_address', 'password=x', [401]],
    [$nobody, 'POST', '/session', 0, 'password',
     'email_address=ada@example.com', [401]],
    [$nobody, 'POST', '/session', 0, 'authenticity_token',
     'email_address=x&password=x', [401]],
    [$nobody, 'POST', '/first_run', 0, 'user', '', [302]],
    [$nobody, 'POST', '/first_run', 0, 'user[name]', '', [302]],
    [$nobody, 'POST', "/join/$code", 0, 'user', '', [400, 422]],
    [$nobody, 'POST', "/join/$code", 0, 'user[email_address]',
     'user[x]=y', [422]],
    [$nobody, 'POST', "/join/$code", 0, 'user[password]',
     'user[email_address]=x', [422]],
    [$nobody, 'POST', '/join/x', 0, 'user[name]', '', [404]],
    [$nobody, 'PUT', '/session/transfers/x', 0, 'x', '', [400]],
    [$nobody, 'GET', '/account/logo', 1, 'size', '', [200]],
    [$nobody, 'GET', '/up', 1, 'format', '', [200, 406]],
    [$bob, 'GET', '/', 1, 'x', '', [302]],
    [$bob, 'GET', '/rooms', 1, 'x', '', [302]],
    [$bob, 'GET', '/rooms/1', 1, 'message_id', '', [200]],
    [$bob, 'GET', '/rooms/1/refresh.turbo_stream', 1, 'since', '', [200]],
    [$bob, 'GET', '/rooms/1/messages', 1, 'before', '', [200, 404]],
    [$bob, 'GET', '/rooms/1/messages', 1, 'after', '', [200, 404]],
    [$bob, 'GET', '/messages', 1, 'room_id', '', [404]],
    [$bob, 'GET', "/messages/$id", 1, 'room_id', '', [404]],
    [$bob, 'POST', '/messages', 0, 'room_id', 'message[body]=x', [200]],
    [$bob, 'POST', '/rooms/1/messages', 0, 'message', '', [200, 400]],
    [$bob, 'POST', '/rooms/1/messages', 0, 'message[body]', '', [200, 400]],
    [$bob, 'POST', '/rooms/1/messages', 0, 'message[client_message_id]',
     'message[body]=x', [200, 422]],
    [$bob, 'POST', '/rooms/1/messages', 0, 'message[attachment]',
     'message[body]=x', [200, 422]],
    [$bob, 'POST', '/rooms/1/messages', 0, '_method', 'message[body]=x', [200]],
    [$bob, 'PUT', "/rooms/1/messages/$id", 0, 'message[body]', '', [403]],
    [$bob, 'DELETE', "/rooms/1/messages/$id", 0, 'x', '', [403]],
    [$ada, 'PUT', "/rooms/1/messages/$id", 0, 'message', '', [302, 400]],
    [$ada, 'PUT', "/rooms/1/messages/$id", 0, 'message[body]', '', [302, 400]],
    [$ada, 'PUT', '/rooms/1/involvement', 0, 'involvement', '', [422]],
    [$ada, 'PUT', '/rooms/1/involvement', 1, 'involvement', '', [422]],
    [$ada, 'POST', "/messages/$id/boosts", 0, 'boost', '', [302, 400, 422]],
    [$ada, 'POST', "/messages/$id/boosts", 0, 'boost[content]', '',
     [302, 400, 422]],
    [$bob, 'DELETE', "/messages/$id/boosts/$boost", 0, 'x', '', [404]],
    [$bob, 'DELETE', '/session', 0, 'push_subscription_endpoint', '', undef],
);

for my $row (@table) {
    my ($who, $method, $path, $query, $name, $rest, $right) = @$row;
    next unless $right;
    subtest "R140 $method $path $name" => sub {
        my %ways = ways($name);
        for my $way (sort keys %ways) {
            next if $query && $way eq 'raw bytes';
            my $pairs = join '&', grep { length } $rest, $ways{$way};
            my $rows = $server->rows;
            my $status = $query ? ask($who, $method, "$path?$pairs",
                                      $method eq 'GET' ? undef : '')
                       : ask($who, $method, $path, $pairs);
            if ($broken{$way}) {
                is($status, 400, $way);
            } elsif ($query && $way eq '10 kB') {
                is($status, 414, $way);
            } else {
                ok((grep { $_ == $status } @$right), "$way: $status");
            }
            is($server->rows, $rows, 'changes nothing')
                if $status >= 400 || $method eq 'GET';
        }
    };
}

subtest 'R140 signing out with a strange endpoint' => sub {
    my %ways = ways('push_subscription_endpoint');
    my $me = Campfire::Client->new($server);
    $me->sign_in('bob@example.com', 'secret123456');
    for my $way (sort grep { $broken{$_} } keys %ways) {
        is(ask($me, 'DELETE', '/session', $ways{$way}), 400, $way);
    }
    is($me->get('/rooms/1')->code, 200, 'still in');
    my $session = $server->sql('SELECT * FROM sessions WHERE user_id = 2'
                               . ' ORDER BY id DESC LIMIT 1');
    for my $way (sort grep { !$broken{$_} } keys %ways) {
        $server->sql("INSERT INTO sessions (id, user_id, token, last_active_at,"
            . " created_at, updated_at) SELECT " . (split /\|/, $session)[0]
            . ", 2, '" . (split /\|/, $session)[4] . "', '2036-01-01',"
            . " '2026-01-01', '2026-01-01' WHERE NOT EXISTS (SELECT 1 FROM"
            . " sessions WHERE id = " . (split /\|/, $session)[0] . ')');
        my $cookie = $me->cookie;
        is(ask($me, 'DELETE', '/session', $ways{$way}), 302, $way);
        my ($token) = $cookie =~ /session_token=([^;]+)/;
        $me->set_cookie('session_token', $token);
    }
};

subtest 'R140 paths' => sub {
    my @strange = ('x', '1x', '-1', '0', '01x', '1.5', '9' x 18, '9' x 19,
                   '9' x 400, '%20', '1%20', '%2e%2e', "'", '"', '<b>', '%25',
                   '1%3b', '\\', '%0a', '%D9%A1', '*', '@', '1,2', 'null');
    my @paths = ('/rooms/%s', '/rooms/%s/@1', '/rooms/1/@%s', '/rooms/%s/messages',
                 '/rooms/1/messages/%s', '/rooms/1/messages/%s/edit',
                 '/rooms/%s/refresh', '/rooms/%s/involvement', '/messages/%s',
                 '/messages/%s/boosts', '/messages/%s/boosts/new',
                 '/users/%s/avatar', '/join/%s', '/session/transfers/%s',
                 '/nowhere/%s', '/up.%s', '/assets/%s');
    my $rows = $server->rows;
    for my $path (@paths) {
        my $bad = 0;
        for my $strange (@strange) {
            for my $method (qw(GET PUT DELETE)) {

                # these are message 1, and the way out
                next if $method eq 'DELETE' && $strange =~ /^1\.5$|^%2e/;
                (my $full = $path) =~ s/%s/$strange/;
                my $status = ask($ada, $method, $full,
                                 $method eq 'GET' ? undef : '');
                next if $status < 500 && $status >= 200;
                $bad++;
                diag("$method $full: $status");
            }
        }
        is($bad, 0, $path);
    }
    is($server->rows, $rows, 'nothing was written');
    for my $path ('/rooms/%00', '/rooms/1%00', '/rooms/%ff', '/rooms/%zz',
                  '/rooms/%', '/%c0%af', '/rooms/1?%ff=1', '/rooms/1?a=%zz')
    {
        is(($server->raw("GET $path HTTP/1.0\r\n\r\n") =~ m{^HTTP\S+ (\d+)})[0],
           400, $path);
    }
    is(($server->raw('GET /' . 'x' x 10_000 . " HTTP/1.0\r\n\r\n")
        =~ m{^HTTP\S+ (\d+)})[0], 414, 'a path that is too long');
    for my $path ('/session/new?email_address=a', '/join/x', '/rooms/x') {
        my ($head) = split /\r\n\r\n/, $server->raw("GET $path%0d%0aSet-Cookie:"
            . "%20bad=1 HTTP/1.0\r\nHost: h\r\n\r\n");
        unlike($head, qr{^Set-Cookie: bad}m, 'no header is made up');
    }
    my $taken;
    for (1, 2) {
        $taken = Campfire::Client->new($server)->request('POST', "/join/$code",
            ['Sec-Fetch-Site' => 'same-origin',
             'Content-Type' => 'application/x-www-form-urlencoded'],
            'user[name]=x&user[email_address]=x%0d%0aX-Bad:%201');
    }
    like($taken->header('Location'), qr{email_address=x%0D%0AX-Bad%3A\+1$},
         'an address is escaped');
    is($taken->header('X-Bad'), undef, 'nor in a redirect');
};

subtest 'headers' => sub {
    my $cookie = $ada->cookie;
    my ($token) = $cookie =~ /session_token=([^;]+)/;
    my %bad = (
        'a cookie of NULs' => "Cookie: session_token=%00%00; last_room=%00",
        'a cookie of bytes' => "Cookie: session_token=\xff\xfe; _campfire_session=\xff",
        'a huge cookie' => 'Cookie: session_token=' . 'A' x 6000,
        'many cookies' => 'Cookie: ' . join('; ', map { "c$_=$_" } 1 .. 500),
        'no equals sign' => 'Cookie: session_token; _campfire_session; ;;; =',
        'quotes' => qq(Cookie: session_token="$token"; last_room="1"),
        'a bad session' => "Cookie: session_token=$token; _campfire_session=AAAA--BBBB--CCCC",
        'an empty session' => "Cookie: session_token=$token; _campfire_session=",
        'dashes' => 'Cookie: session_token=--; _campfire_session=----',
        'a long room' => "Cookie: session_token=$token; last_room=" . '9' x 4000,
        'an Accept of commas' => 'Accept: ' . ',;q=,' x 500,
        'an Accept of nothing' => "Accept: \t",
        'many types' => 'Accept: ' . join(',', ('a/b') x 300),
        'a bad If-None-Match' => 'If-None-Match: ,,, W/, "',
        'a long request id' => 'X-Request-Id: ' . "\xff" x 3000,
        'a strange browser' => "User-Agent: Mozilla/5.0 ((((; Chrome/ Safari/ Version/ \xff",
        'a browser of brackets' => 'User-Agent: ' . '(' x 5000,
        'a browser of numbers' => 'User-Agent: Mozilla/5.0 Chrome/' . '9' x 5000,
        'a frame of bytes' => "Turbo-Frame: \xff\xfe",
        'an override' => 'X-HTTP-Method-Override: ' . 'x' x 4000,
    );
    for (sort keys %bad) {
        for my $path ('/', '/session/new', '/rooms/1', '/up') {
            my ($status) = $server->raw("GET $path HTTP/1.0\r\nHost: h\r\n$bad{$_}\r\n\r\n")
                =~ m{^HTTP\S+ (\d+)};
            ok($status && $status >= 200 && $status < 500, "$_: $path")
                or diag($status // 'nothing');
        }
    }
    for my $host ('a b', 'a/b', '<b>', "a\0", '', 'x' x 3000) {
        my ($status) = $server->raw("GET / HTTP/1.1\r\nHost: $host\r\nConnection: close\r\n\r\n")
            =~ m{^HTTP\S+ (\d+)};
        ok($status && $status < 500, 'a strange Host');
    }
};

# POST with a body of any type: the status.
sub send_body {
    my ($type, $body, $path, %headers) = @_;
    return ask($ada, 'POST', $path || '/rooms/1/messages', $body,
               'Content-Type' => $type, %headers);
}

subtest 'R140 JSON bodies' => sub {
    my $rows = $server->rows;
    my %bad = (
        'half' => '{"message":', 'a word' => 'message', 'a stray comma' => '{"a":1,}',
        'bytes' => "{\"message\":{\"body\":\"\xff\"}}", 'a NUL' => "{\"a\":\"\0\"}",
        'a lone surrogate' => '{"message":{"body":"\ud800"}}',
        'two documents' => '{}{}', 'single quotes' => "{'a':1}",
        'a raw line feed' => "{\"a\":\"\n\"}",
        'too deep' => '{"a":' x 200 . '1' . '}' x 200,
        'very deep' => '[' x 100_000,
        'too many keys' => '{' . join(',', map { "\"k$_\":1" } 1 .. 1001) . '}',
    );
    is(send_body('application/json', $bad{$_}), 400, $_) for sort keys %bad;
    my %none = ('a list' => '[1,2]', 'a number' => '1', 'a text' => '"message"',
                'null' => 'null', 'nothing in it' => '{}',
                'another key' => '{"x":1}', 'a message of text' => '{"message":"x"}',
                'a message of null' => '{"message":null}',
                'a list as the message' => '{"message":["x"]}',
                'an empty message' => '{"message":{}}');
    is(send_body('application/json', $none{$_}), 400, "$_: no message")
        for sort keys %none;
    is($server->rows, $rows, 'nothing was written');
    for my $value ('5', '1.5', 'true', 'null', '[]', '{}', '["x"]', '{"a":1}',
                   '"\u0000"', '"\u00e9"')
    {
        my $status = send_body('application/json', "{\"message\":{\"body\":$value}}");
        ok($status == 200 || $status == 400 || $status == 422,
           "a body of $value: $status");
    }
    is(send_body('application/json; charset=utf-8',
                 '{"message":{"body":"<p>good</p>"}}'), 200, 'a good one');
};

subtest 'R140 multipart bodies' => sub {
    my $part = sub {
        my ($name, $value, $more) = @_;
        return "--B\r\nContent-Disposition: form-data; name=\"$name\""
             . ($more || '') . "\r\n\r\n$value\r\n";
    };
    my $good = $part->('message[body]', '<p>x</p>');
    my $type = 'multipart/form-data; boundary=B';
    is(send_body($type, "$good--B--\r\n"), 200, 'a good one');
    my $rows = $server->rows;
    my %bad = (
        'without a boundary' => ['multipart/form-data', "$good--B--\r\n"],
        'an empty boundary' => ['multipart/form-data; boundary=', "$good--B--\r\n"],
        'without an end' => [$type, $good],
        'cut in a header' => [$type, "--B\r\nContent-Dispo"],
        'cut in a part' => [$type, "--B\r\nContent-Disposition: form-data; name=\"a\"\r\n\r\nx"],
        '129 parts' => [$type, join('', map { $part->("p$_", 'x') } 1 .. 129) . "--B--\r\n"],
        'a huge header' => [$type, $part->('a', 'x', '; x="' . 'y' x 9000 . '"') . "--B--\r\n"],
        'bytes' => [$type, $part->('message[body]', "\xff") . "--B--\r\n"],
        'bytes in a name' => [$type, $part->("message[\xff]", 'x') . "--B--\r\n"],
        'two ways' => [$type, $part->('message', 'x') . "$good--B--\r\n"],
    );
    is(send_body(@{ $bad{$_} }), 400, $_) for sort keys %bad;
    my %none = (
        'another boundary' => [$type, "--C\r\n\r\n--C--\r\n"],
        'nothing' => [$type, '--B--' . "\r\n"],
        'an empty body' => [$type, ''],
        'a part without a name' => [$type, "--B\r\nContent-Disposition: form-data\r\n\r\nx\r\n--B--\r\n"],
        'a part without headers' => [$type, "--B\r\n\r\nx\r\n--B--\r\n"],
    );
    for (sort keys %none) {
        my $status = send_body(@{ $none{$_} });
        is($status, 400, "$_: no message");
    }
    is($server->rows, $rows, 'nothing was written');
    my $file = $part->('message[attachment]', 'x', '; filename="../../../etc/x"');
    my $status = send_body($type, "$file--B--\r\n");
    ok($status < 500, "a file with a path for a name: $status");
    is(send_body('text/plain', 'message[body]=x'), 400,
       'a type that has no parameters');
    is(send_body('application/octet-stream', "\0\xff" x 1000), 400, 'bytes');
};

subtest 'R140 limits' => sub {
    my $form = 'application/x-www-form-urlencoded';
    my $rows = $server->rows;
    is(send_body($form, join '&', map { "k$_=1" } 1 .. 1001), 400, '1001 keys');
    is(send_body($form, 'a' . '[b]' x 33 . '=1'), 400, '33 levels');
    is(send_body($form, 'message[body]=' . 'x' x (1 << 20)), 413, 'a form');
    is(send_body('application/json', '"' . 'x' x (1 << 20) . '"'), 413, 'JSON');
    is(send_body('text/plain', 'x' x (1 << 21)), 413, 'anything');
    is(send_body('multipart/form-data; boundary=B', 'x' x (3 << 20)
                 . 'x' x 100), 413, 'multipart, over the operator’s limit');
    is(ask($nobody, 'POST', '/session', 'password=' . 'x' x (1 << 20)), 413,
       'of strangers, too');
    my $chunk = sprintf "%x\r\n%s\r\n", 1 << 16, 'x' x (1 << 16);
    my $answer = $server->raw("POST /session HTTP/1.1\r\nHost: h\r\n"
        . "Content-Type: $form\r\nTransfer-Encoding: chunked\r\n"
        . "Connection: close\r\n\r\n" . $chunk x 20 . "0\r\n\r\n");
    like($answer, qr{^HTTP/1\.1 413 }, 'in chunks');
    is($server->rows, $rows, 'nothing was written');
    is(send_body($form, 'message[body]=' . 'x' x 200_000), 200,
       'less than that is taken');
};

subtest 'clients that leave' => sub {
    my $cookie = $ada->cookie;
    my $base = $server->url;
    my $count = sub { $server->sql('SELECT count(*) FROM messages') };
    my $request = sub {
        my ($body, $length) = @_;
        return "POST /rooms/1/messages HTTP/1.1\r\nHost: 127.0.0.1:$server->{port}\r\n"
            . "Cookie: $cookie\r\nSec-Fetch-Site: same-origin\r\n"
            . "Accept: text/vnd.turbo-stream.html\r\n"
            . "Content-Type: application/x-www-form-urlencoded\r\n"
            . 'Content-Length: ' . ($length // length $body) . "\r\n\r\n$body";
    };
    my $open = sub {
        return IO::Socket::INET->new(PeerAddr => "127.0.0.1:$server->{port}",
                                     Timeout => 5);
    };
    my $before = $count->();
    for (1 .. 20) {
        my $fh = $open->();
        syswrite $fh, $request->('message[body]=x', 1000);
        close $fh;
    }
    for (1 .. 10) {
        my $fh = $open->();
        syswrite $fh, substr $request->('message[body]=x'), 0, 40 * $_;
        close $fh;
    }
    sleep 0.3;
    is($count->(), $before, 'half a body writes nothing');

    for (1 .. 20) {
        my $fh = $open->();
        syswrite $fh, $request->("message[body]=left$_");
        close $fh;
    }
    my $long = 'message[body]=' . '<p>left</p>' x 5000;
    for (1 .. 5) {
        my $fh = $open->();
        setsockopt $fh, SOL_SOCKET, SO_LINGER, pack 'II', 1, 0;
        my $text = $request->($long);
        my $sent = 0;
        while ($sent < length $text) {
            $sent += syswrite($fh, $text, 65536, $sent) || last;
        }
        close $fh;
    }
    ok(wait_for(sub { $count->() >= $before + 20 }), 'a whole one is written');
    for (1 .. 5) {
        my $fh = $open->();
        my $body = 'email_address=ada@example.com&password=secret123456';
        syswrite $fh, "POST /session HTTP/1.1\r\nHost: h\r\n"
            . "Sec-Fetch-Site: same-origin\r\nContent-Type:"
            . " application/x-www-form-urlencoded\r\nContent-Length: "
            . length($body) . "\r\n\r\n$body";
        close $fh;
    }
    for (1 .. 20) {
        my $fh = $open->();
        syswrite $fh, "GET /rooms/1 HTTP/1.1\r\nHost: h\r\nCookie: $cookie\r\n\r\n";
        close $fh;
    }
    sleep 1;

    my $fh = $open->();
    for my $byte (split //, $request->('message[body]=slow')) {
        syswrite $fh, $byte;
        sleep 0.003;
    }
    my $answer = <$fh>;
    like($answer, qr{^HTTP/1\.1 200 }, 'a slow one is waited for');
    close $fh;
    ok($server->sql("SELECT count(*) FROM action_text_rich_texts WHERE"
                    . " body = 'slow'"), 'and written');

    $answer = $server->raw($request->('message[body]=first')
        . "GET /up HTTP/1.1\r\nHost: h\r\n\r\n"
        . $request->('message[body]=second')
        . "GET /up HTTP/1.1\r\nHost: h\r\nConnection: close\r\n\r\n");
    is_deeply([$answer =~ m{HTTP/1\.1 (\d+) }g], [200, 200, 200, 200],
              'four in a row are answered');
    ok(index($answer, 'first') < index($answer, 'second'), 'in their order');
    $answer = $server->raw("GET /up HTTP/1.1\r\nHost: h\r\nConnection: close\r\n"
                           . "Content-Length: 5\r\n\r\nhello");
    like($answer, qr{^HTTP/1\.1 200 }, 'a GET with a body');
    $answer = $server->raw("POST /session HTTP/1.1\r\nHost: h\r\nExpect:"
        . " 100-continue\r\nContent-Length: 0\r\nConnection: close\r\n\r\n");
    like($answer, qr{HTTP/1\.1 422 }, 'Expect');
};

is_deeply([$server->workers], \@workers, 'no worker died');
is($ada->get('/rooms/1')->code, 200, 'and all is well');
is($server->sql('PRAGMA integrity_check'), 'ok', 'so is the database');
unlike($server->log, qr/\[error\].*campfire:/, 'nothing of it is an error');
is_deeply([$server->alarms], [], 'no alarms');
ok($server->stop, 'the server stops');
is($server->{status}, 0, 'and says so');

done_testing();
