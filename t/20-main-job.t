# The main job: two people, two browsers, one room, live.
use lib 't/lib';
use strict;
use warnings;

use Test::More;

use Campfire::Client;
use Campfire::Server qw(wait_for);

my $server = Campfire::Server->new(workers => 2);
my $ada = Campfire::Client->new($server);
my $bob = Campfire::Client->new($server);

is($ada->first_run('Ada'), 1, 'the first run leads to the first room');
is($bob->join('Bob'), 1, 'somebody joins by the link and lands there, too');

my $ws = $bob->socket;
is($ws->{status}, 101, 'the cable answers');
ok($ws->welcome, 'and says welcome');

my ($stream) = $bob->{page} =~ /signed-stream-name="([^"]+)"/;
is($ws->subscribed(channel => 'RoomMessagesChannel',
                   signed_stream_name => $stream), 1, 'messages');
is($ws->subscribed(channel => 'PresenceChannel', room_id => 1), 1,
   'presence');
is($ws->subscribed(channel => 'UnreadRoomsChannel'), 1, 'unread rooms');
is($ws->subscribed(channel => 'HeartbeatChannel'), 1, 'heartbeat');

my $id = $ada->say(1, '<p>Hello <strong>Bob</strong></p>',
                   'message[client_message_id]' => 'first');
ok($id, 'Ada posts');

my $frame = $ws->expect(sub { $_->{message} });
like($frame->{message}, qr{^<turbo-stream action="append" target="messages_rooms_open_1"><template>.*Hello <strong>Bob</strong>.*</template></turbo-stream>$}s,
     'Bob sees it');
$frame = $ws->expect(sub { ref $_->{message} });
is($frame->{message}{roomId}, 1, 'and gets an unread notice');

like($ada->get('/rooms/1')->decoded_content, qr/Hello <strong>Bob/,
     'the page has it');

my $answer = $ada->put("/rooms/1/messages/$id",
                       ['message[body]' => '<p>Hello Robert</p>']);
is($answer->code, 302, 'Ada edits');
$frame = $ws->expect(sub { $_->{message} });
like($frame->{message}, qr{^<turbo-stream maintain_scroll="true" action="replace" target="presentation_message_first">.*Hello Robert}s,
     'Bob sees the edit');

$answer = $bob->delete("/rooms/1/messages/$id");
is($answer->code, 403, 'Bob may not delete it');

$answer = $ada->delete("/rooms/1/messages/$id");
is($answer->code, 200, 'Ada deletes');
is($answer->decoded_content,
   '<turbo-stream action="remove" target="message_first"></turbo-stream>',
   'the answer is the broadcast');
$frame = $ws->expect(sub { $_->{message} });
is($frame->{message}, $answer->decoded_content, 'Bob sees that as well');

$answer = $ada->delete('/session');
is($answer->code, 302, 'Ada signs out');
is($ada->get('/rooms/1')->header('Location'), $server->url('/session/new'),
   'and is outside');
is($ada->sign_in('ada@example.com', 'wrong'), undef, 'not with any password');
is($ada->sign_in('ada@example.com', 'secret123456'), 1, 'in again');

# a picture in the form is no hindrance, whatever its size
{
    my $eve = Campfire::Client->new($server);
    my $code = $server->sql('SELECT join_code FROM accounts');
    $eve->get("/join/$code");
    my $request = HTTP::Request::Common::POST(
        $server->url("/join/$code"), Content_Type => 'form-data',
        Content => ['user[name]' => 'Eve', 'user[password]' => 'secret123456',
                    'user[email_address]' => 'eve@example.com',
                    'user[avatar]' => [undef, 'me.png',
                        Content_Type => 'image/png',
                        Content => 'x' x 5_000_000]]);
    $request->header('X-CSRF-Token' => $eve->{token});
    is($eve->landed($eve->{ua}->request($request)), 1,
       'joining with a picture of 5 MB');
}

is_deeply([$server->alarms], [], 'no alarms');
ok($server->stop, 'the server stops');
is($server->{status}, 0, 'and says so');

done_testing();
