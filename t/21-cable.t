# The cable: handshake, every channel, bad input, limits (cable.md).
use lib 't/lib';
use strict;
use warnings;

use Test::More;
use Time::HiRes qw(sleep time);

use Campfire::Client;
use Campfire::Server qw(wait_for);
use Campfire::Socket;

my $server = Campfire::Server->new(workers => 2);
my $ada = Campfire::Client->new($server);
my $bob = Campfire::Client->new($server);
$ada->first_run('Ada');
$bob->join('Bob');
my $eve = Campfire::Client->new($server);
$eve->join('Eve');

# a closed room without Eve, written as another program would
$server->sql(q{
    INSERT INTO rooms (name, type, creator_id, created_at, updated_at)
    VALUES ('Secret', 'Rooms::Closed', 1, '2026-01-01 10:00:00', '2026-01-01 10:00:00');
    INSERT INTO memberships (room_id, user_id, created_at, updated_at, involvement)
    SELECT 2, id, '2026-01-01 10:00:00', '2026-01-01 10:00:00', 'mentions'
    FROM users WHERE id IN (1, 2);
});

sub stream {
    my ($client, $room) = @_;
    my ($name) = $client->get("/rooms/$room")->decoded_content
        =~ /channel="RoomMessagesChannel" signed-stream-name="([^"]+)"/;
    return $name;
}

sub sidebar_streams {
    my ($client) = @_;
    return $client->get('/users/me/sidebar')->decoded_content
        =~ /channel="Turbo::StreamsChannel" signed-stream-name="([^"]+)"/g;
}

sub status {
    my ($name) = @_;
    my $text = $ada->get('/status')->decoded_content;
    my ($value) = $text =~ /^\Q$name\E(?:\{[^}]*\})? (\d+)$/m;
    return $value;
}


# -- the handshake --

for my $case (
    ['GET without an upgrade', 404, headers => { Upgrade => undef }],
    ['another protocol', 404, headers => { Upgrade => 'h2c' }],
    ['no Connection: upgrade', 404, headers => { Connection => 'close' }],
    ['no Origin', 404, headers => { Origin => undef }],
    ['Origin null', 404, origin => 'null'],
    ['another origin', 404, origin => 'http://evil.example.com'],
    ['another scheme', 404, origin => "https://127.0.0.1:$server->{port}"],
    ['another port', 404, origin => 'http://127.0.0.1:1'],
    ['POST', 404, method => 'POST', headers => { 'Content-Length' => 0 }],
    ['a path below', 404, path => '/cable/x'],
    ['version 12', 400, headers => { 'Sec-WebSocket-Version' => 12 }],
    ['no version', 400, headers => { 'Sec-WebSocket-Version' => undef }],
    ['no key', 400, headers => { 'Sec-WebSocket-Key' => undef }],
    ['a short key', 400, headers => { 'Sec-WebSocket-Key' => 'YWJj' }],
) {
    my ($name, $status, %args) = @$case;
    is($ada->socket(%args)->{status}, $status, "handshake: $name is $status");
}

{
    my $answer = $ada->get('/cable');
    is($answer->code, 404, 'a page is not there');
    is($answer->header('Content-Type'), 'text/plain; charset=utf-8', 'text');
    is($answer->content, 'Page not found', 'says so');
}

{
    my $ws = $ada->socket(headers => {
        'Sec-WebSocket-Key' => 'dGhlIHNhbXBsZSBub25jZQ==',
        'Connection' => 'keep-alive, Upgrade', 'Upgrade' => 'WebSocket' });
    is($ws->{status}, 101, 'any case, a list');
    like($ws->{head}, qr/^Sec-WebSocket-Accept: s3pPLMBiTxaQ9kYGzzhZRbK\+xOo=\r?$/m,
         'the accept of RFC 6455');
    like($ws->{head}, qr/^Sec-WebSocket-Protocol: actioncable-v1-json\r?$/mi,
         'the protocol');
    unlike($ws->{head}, qr/^(Set-Cookie|Sec-WebSocket-Extensions):/mi,
           'no cookies, no extensions');
}

for my $case (['actioncable-unsupported, actioncable-v1-json',
               'actioncable-unsupported'],
              ['soap', undef], [undef, undef]) {
    my ($list, $answer) = @$case;
    my $ws = $ada->socket(headers => { 'Sec-WebSocket-Protocol' => $list });
    my ($got) = $ws->{head} =~ /^Sec-WebSocket-Protocol: (\S+)\r?$/mi;
    is($got, $answer, 'protocol of ' . ($list // 'no list'));
    ok($ws->welcome, 'and it works');
}

is($ada->socket(path => '/cable/')->{status}, 101, 'a slash at the end');

for my $cookie (undef, 'session_token=forged', '') {
    my $ws = Campfire::Socket->new(port => $server->{port}, cookie => $cookie);
    is($ws->{status}, 101, 'nobody is answered on the socket');
    is_deeply($ws->next, { type => 'disconnect', reason => 'unauthorized',
                           reconnect => JSON::PP::false }, 'unauthorized');
    is($ws->next, undef, 'and no more');
    is($ws->{closed}, 1000, 'closed');
}


# -- commands before the welcome --

{
    my $heartbeat = Campfire::Socket::text(
        '{"command":"subscribe","identifier":"{\"channel\":\"HeartbeatChannel\"}"}');
    my $ws = $ada->socket(early => $heartbeat);
    ok($ws->welcome, 'a command in the segment of the handshake: welcome');
    is($ws->next->{type}, 'confirm_subscription', 'and answer');

    $ws = $ada->socket;
    $ws->welcome;
    for my $byte (split //, $heartbeat) {
        $ws->raw($byte);
    }
    is(($ws->next // {})->{type}, 'confirm_subscription', 'byte by byte');
}


# -- channels --

{
    my $ws = $ada->socket;
    $ws->welcome;

    for my $channel (qw(HeartbeatChannel UnreadRoomsChannel ReadRoomsChannel
                        ApplicationCable::Channel ::HeartbeatChannel)) {
        is($ws->subscribed(channel => $channel), 1, "$channel is confirmed");
    }

    for my $channel (qw(PresenceChannel TypingNotificationsChannel
                        RoomChannel)) {
        is($ws->subscribed(channel => $channel, room_id => 1), 1,
           "$channel of a member");
        is($ws->subscribed(channel => $channel, room_id => 99), 0,
           "$channel of no room");
        is($ws->subscribed(channel => $channel), 0, "$channel without one");
        is($ws->subscribed(channel => $channel, room_id => [1]), 0,
           "$channel with a list");
        is($ws->subscribed(channel => $channel, room_id => 'abc'), 0,
           "$channel with words");
        is($ws->subscribed(channel => $channel, room_id => '1x'), 1,
           "$channel with a leading number");
        is($ws->subscribed(channel => $channel, room_id => '9' x 30), 0,
           "$channel out of range");
    }

    my $name = stream($ada, 1);
    is($ws->subscribed(channel => 'RoomMessagesChannel',
                       signed_stream_name => $name), 1, 'room messages');
    is($ws->subscribed(channel => 'RoomMessagesChannel',
                       signed_stream_name => "x$name"), 0, 'forged');
    is($ws->subscribed(channel => 'RoomMessagesChannel'), 0, 'missing');
    is($ws->subscribed(channel => 'RoomMessagesChannel',
                       signed_stream_name => 7), 0, 'a number');
    is($ws->subscribed(channel => 'Turbo::StreamsChannel',
                       signed_stream_name => $name), 0,
       'room messages have one door only');

    my ($rooms, $own) = sidebar_streams($ada);
    is($ws->subscribed(channel => 'Turbo::StreamsChannel',
                       signed_stream_name => $rooms), 1, 'rooms of all');
    is($ws->subscribed(channel => 'Turbo::StreamsChannel',
                       signed_stream_name => $own), 1, 'rooms of mine');
    my (undef, $others) = sidebar_streams($bob);
    is($ws->subscribed(channel => 'Turbo::StreamsChannel',
                       signed_stream_name => $others), 0, 'not those of others');
}

{
    my $name = stream($ada, 2);
    my $ws = $eve->socket;
    $ws->welcome;
    is($ws->subscribed(channel => 'RoomMessagesChannel',
                       signed_stream_name => $name), 0,
       'a harvested name does not let strangers in');
    for my $channel (qw(PresenceChannel TypingNotificationsChannel
                        RoomChannel)) {
        is($ws->subscribed(channel => $channel, room_id => 2), 0,
           "$channel of a stranger");
    }
}


# -- presence, unread and read --

sub row {
    my ($room, $user) = @_;
    return $server->sql("SELECT connections || '/' || (connected_at IS NOT NULL)"
        . " || '/' || (unread_at IS NOT NULL) FROM memberships"
        . " WHERE room_id = $room AND user_id = $user");
}

{
    $ada->say(2, '<p>psst</p>');
    is(row(2, 2), '0/0/1', 'a message marks the absent');
    is(row(2, 1), '0/0/0', 'but not its author');

    my $one = $bob->socket;
    my $two = $bob->socket;
    $_->welcome for $one, $two;
    is($one->subscribed(channel => 'ReadRoomsChannel'), 1, 'first tab');
    my $id = $two->subscribe(channel => 'PresenceChannel', room_id => 2);
    is($two->expect(sub { $_->{type} })->{type}, 'confirm_subscription',
       'second tab is present');
    is_deeply($one->expect(sub { $_->{message} })->{message}, { room_id => 2 },
              'the first learns that it is read');
    is(row(2, 2), '1/1/0', 'it is written down');

    is($one->subscribed(channel => 'PresenceChannel', room_id => 2), 1, 'both');
    is(row(2, 2), '2/1/0', 'two');
    $two->perform($id, 'absent');
    ok(wait_for(sub { row(2, 2) eq '1/1/0' }), 'one is absent');
    $two->unsubscribe($id);
    sleep 0.2;
    is(row(2, 2), '1/1/0', 'and counted once');
    $two->subscribed(channel => 'PresenceChannel', room_id => 2);
    $two->perform($id, 'present');
    sleep 0.2;
    is(row(2, 2), '2/1/0', 'present again is no more than present');
    $two->perform($id, 'refresh');
    $two->close;
    ok(wait_for(sub { row(2, 2) eq '1/1/0' }), 'a tab closes');
    $one->close;
    ok(wait_for(sub { row(2, 2) eq '0/0/0' }), 'the last one');
}

{
    my $ws = $bob->socket;
    $ws->welcome;
    is($ws->subscribed(channel => 'UnreadRoomsChannel'), 1, 'unread rooms');
    my $stranger = $eve->socket;
    $stranger->welcome;
    is($stranger->subscribed(channel => 'UnreadRoomsChannel'), 1, 'hers, too');
    $ada->say(2, '<p>again</p>');
    is_deeply($ws->expect(sub { $_->{message} })->{message}, { roomId => 2 },
              'a member is told');
    is($stranger->expect(sub { $_->{message} }, 0.5), undef, 'a stranger not');
}


# -- typing --

{
    my ($a, $b) = ($ada->socket, $bob->socket);
    $_->welcome for $a, $b;
    my $id = $a->subscribe(channel => 'TypingNotificationsChannel',
                           room_id => 2);
    $a->expect(sub { $_->{type} });
    is($b->subscribed(channel => 'TypingNotificationsChannel', room_id => 2),
       1, 'typing');
    $a->perform($id, 'start', extra => 1);
    for my $ws ($a, $b) {
        is_deeply($ws->expect(sub { $_->{message} })->{message},
                  { action => 'start', user => { id => 1, name => 'Ada' } },
                  'start reaches all');
    }
    $a->perform($id, 'stop');
    is($b->expect(sub { $_->{message} })->{message}{action}, 'stop', 'stop');
    $a->perform($id, $_) for qw(subscribed unsubscribe receive), '';
    $a->perform($id, 'start');
    is($b->expect(sub { $_->{message} })->{message}{action}, 'start',
       'other actions do nothing');
}


# -- bad input closes nothing --

{
    my $ws = $ada->socket;
    $ws->welcome;
    my @bad = (
        'x', '[]', '7', '""', 'null', '{}', '{"command":"subscribe"}',
        '{"command":7}', '{"command":"dance","identifier":"{}"}',
        '{"command":"subscribe","identifier":7}',
        '{"command":"subscribe","identifier":"x"}',
        '{"command":"subscribe","identifier":"[]"}',
        '{"command":"subscribe","identifier":"{}"}',
        '{"command":"subscribe","identifier":"{\"channel\":7}"}',
        '{"command":"subscribe","identifier":"{\"channel\":\"Kernel\"}"}',
        '{"command":"subscribe","identifier":"{\"channel\":\"ActionCable::Channel::Base\"}"}',
        '{"command":"message","identifier":"{\"channel\":\"X\"}","data":"{}"}',
        '{"command":"unsubscribe","identifier":"nothing"}',
        '[' x 3000, '{"command":"subscribe","identifier":"' . ('[' x 2000) . '"}',
        "{\"command\":\"subscribe\",\"identifier\":\"\\u0000\"}",
    );
    $ws->raw(Campfire::Socket::text($_)) for @bad;
    $ws->raw(Protocol::WebSocket::Frame->new(
        buffer => 'x', type => 'binary', masked => 1)->to_bytes);
    is($ws->subscribed(channel => 'HeartbeatChannel'), 1,
       'after all that it still answers');
    is(scalar @{ $ws->{seen} || [] }, 0, 'and has said nothing else');

    my $id = Campfire::Socket::identifier(channel => 'HeartbeatChannel');
    $ws->subscribe(channel => 'HeartbeatChannel');
    $ws->unsubscribe($id);
    is($ws->subscribed(channel => 'HeartbeatChannel'), 1,
       'a duplicate is ignored, after unsubscribing it is not');
    is(scalar @{ $ws->{seen} || [] }, 0, 'once');

    $ws->raw(Protocol::WebSocket::Frame->new(
        buffer => 'hello', type => 'ping', masked => 1)->to_bytes);
    wait_for(sub { $ws->next(0.1); $ws->{pong} });
    is($ws->{pong}, 'hello', 'a ping has its pong');
}

for my $case (
    ['unmasked', "\x81\x02{}", 1003],
    ['a reserved bit', "\xc1\x80abcd", 1002],
    ['a reserved opcode', "\x83\x80abcd", 1002],
    ['a fragmented ping', "\x09\x80abcd", 1002],
    ['a long ping', "\x89\xfe\x00\x7eabcd", 1002],
    ['a continuation of nothing', "\x80\x80abcd", 1002],
    ['too long', "\x81\xff" . pack('Q>', 70000) . 'abcd', 1009],
    ['not UTF-8', "\x81\x82\0\0\0\0\xc3\x28", 1007],
    ['a close code of nobody', "\x88\x82\0\0\0\0" . pack('n', 1005), 1002],
    ['a close', "\x88\x82\0\0\0\0" . pack('n', 1001), 1001],
) {
    my ($name, $bytes, $code) = @$case;
    my $ws = $ada->socket;
    $ws->welcome;
    $ws->raw($bytes);
    $ws->expect(sub { 0 }, 3);
    is($ws->{closed}, $code, "$name closes with $code");
}


# -- limits --

{
    my $ws = $ada->socket;
    $ws->welcome;
    is($ws->subscribed(channel => 'HeartbeatChannel', pad => 'x' x 5000), 0,
       'an identifier over 4 KiB is rejected');
    for my $n (1 .. 101) {
        $ws->subscribe(channel => 'HeartbeatChannel', n => $n);
    }
    my ($yes, $no) = (0, 0);
    while (my $frame = $ws->expect(sub { $_->{type} }, $yes + $no < 101 ? 5 : 0.2)) {
        $frame->{type} eq 'confirm_subscription' ? $yes++ : $no++;
    }
    is("$yes/$no", '100/1', 'a hundred subscriptions and no more');

    my $t = time;
    my $id = Campfire::Socket::identifier(channel => 'HeartbeatChannel', n => 1);
    for (1 .. 300) {
        $ws->unsubscribe($id);
    }
    sleep 0.2;                          # read by now, and over the rate
    $ws->subscribe(channel => 'HeartbeatChannel', n => 1);
    ok($ws->expect(sub { $_->{type} }, 15), 'what is over the rate is done');
    cmp_ok(time - $t, '>', 1, 'but later');
}


# -- order and revocation over both workers --

{
    my @sockets = map { $bob->socket } 1 .. 12;
    my $name = stream($ada, 2);
    for my $ws (@sockets) {
        $ws->welcome;
        $ws->subscribed(channel => 'RoomMessagesChannel',
                        signed_stream_name => $name);
    }
    my %owners;
    for my $pid ($server->workers) {
        $owners{$pid} = grep { (readlink($_) // '') =~ /^socket:/ }
            glob "/proc/$pid/fd/*";
    }
    is(scalar(grep { $_ > 2 } values %owners), 2, 'both workers have sockets')
        or diag(explain(\%owners));

    my @ids = map { $ada->say(2, "<p>number $_</p>") } 1 .. 20;
    my $bad = 0;
    for my $ws (@sockets) {
        for my $id (@ids) {
            my $frame = $ws->expect(sub { $_->{message} });
            $bad++ unless $frame
                       && $frame->{message} =~ /data-message-id="$id"/;
        }
    }
    is($bad, 0, 'all sockets see all messages in order');

    my $ping = $sockets[0]->expect(sub { 0 }, 0.1);
    my $deadline = time + 4;
    my $seen;
    while (time < $deadline && !$seen) {
        my $frame = $sockets[0]->next(1, 1) // {};
        $seen = ($frame->{type} // '') eq 'ping' && $frame->{message};
    }
    cmp_ok(abs(($seen // 0) - time), '<', 5, 'pings carry the time');

    is($bob->delete('/session')->code, 302, 'Bob signs out');
    my $remote = 0;
    for my $ws (@sockets) {
        my $frame = $ws->expect(sub { ($_->{type} // '') eq 'disconnect' });
        $remote++ if $frame && $frame->{reason} eq 'remote'
                  && $frame->{reconnect};
    }
    is($remote, 12, 'all his sockets are told to come back');

    my $id = $ada->say(2, '<p>and nothing after that</p>');
    my $late = grep { $_->expect(sub { $_->{message} }, 0.3) } @sockets;
    is($late, 0, 'nothing reaches them any more');
}

ok(wait_for(sub {
    my @left = $ada->get('/status')->decoded_content
        =~ /^campfire_sockets\{[^}]*\} (\d+)$/mg;
    return @left && !grep { $_ > 1 } @left;
}, 8), 'and they are gone') or diag($ada->get('/status')->decoded_content);

is_deeply([$server->alarms], [], 'no alarms');
ok($server->stop, 'the server stops');
is($server->{status}, 0, 'well');

done_testing();
