# Rooms, the way to them and what stands beside them.
use lib 't/lib';
use strict;
use utf8;
use warnings;

use Test::More;
use Time::HiRes qw(time);

use Campfire::Client;
use Campfire::Server;

binmode Test::More->builder->$_, ':utf8'
    for qw(output failure_output todo_output);

my $server = Campfire::Server->new(workers => 2);
my $now = "'2026-01-01 00:00:00.000000', '2026-01-01 00:00:00.000000'";
my ($ada, $bob, $cy) = map { Campfire::Client->new($server) } 1 .. 3;
$ada->first_run('Ada Marlow');
$bob->join('Bob');
$cy->join('Cy');

sub location {
    my ($answer) = @_;
    my $url = $answer->header('Location') // '';
    my $base = $server->url;
    $url =~ s/^\Q$base\E//;
    return $answer->code . " $url";
}

sub cookies { return map { /^([^;]+)/ } $_[0]->header('Set-Cookie') }
sub html { return $_[0]->decoded_content }
sub ids { return [$_[0] =~ /data-message-id="(\d+)"/g] }
sub alert { return html($_[0]) =~ m{role="alert"[^>]*>([^<]*)<} ? $1 : '' }

# Messages of a room as the database has them, oldest first.
sub messages {
    my ($room, $more) = @_;
    return [split /\n/, $server->sql("SELECT id FROM messages WHERE room_id ="
        . " $room " . ($more || '') . ' ORDER BY created_at, id')];
}

# room(type, name, [people]): its id
sub room {
    my ($type, $name, @people) = @_;
    my $involvement = $type eq 'Direct' ? 'everything' : 'mentions';
    $name =~ s/'/''/g;
    my $id = $server->sql("INSERT INTO rooms (name, type, creator_id,"
        . " created_at, updated_at) VALUES (nullif('$name', ''),"
        . " 'Rooms::$type', 1, $now); SELECT max(id) FROM rooms");
    $server->sql("INSERT INTO memberships (room_id, user_id, involvement,"
        . " created_at, updated_at) VALUES ($id, $_, '$involvement', $now)")
        for @people;
    return $id;
}

# write(room, how many, time): messages behind the server's back
sub write_messages {
    my ($room, $many, $time) = @_;
    my $at = defined $time ? "'$time'"
           : "strftime('%Y-%m-%d %H:%M:%f', '2026-02-01 00:00:00.5', n || ' minutes')";
    $server->sql("WITH RECURSIVE c(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM c"
        . " WHERE n < $many) INSERT INTO messages (client_message_id, room_id,"
        . " creator_id, created_at, updated_at) SELECT 'c' || n || '-$room',"
        . " $room, 1, $at || CASE length($at) WHEN 23 THEN '000' ELSE '' END,"
        . " $at || CASE length($at) WHEN 23 THEN '000' ELSE '' END FROM c;"
        . " INSERT INTO action_text_rich_texts (name, record_type, record_id,"
        . " body, created_at, updated_at) SELECT 'body', 'Message', id,"
        . " '<p>m' || id || '</p>', created_at, updated_at FROM messages"
        . " WHERE room_id = $room AND id NOT IN (SELECT record_id FROM"
        . " action_text_rich_texts WHERE record_type = 'Message')");
}

my $odd = q(R&D <Lab> "quotes" 'n' more);
my $closed = room('Closed', $odd, 1);
my $ping = room('Direct', '', 1, 2);
my $busy = room('Open', 'busy', 1, 2);
write_messages($busy, 95);

subtest 'R002 R003 R004 the root' => sub {
    my $me = Campfire::Client->new($server);
    $me->sign_in('ada marlow@example.com', 'secret123456');
    my $ask = sub {
        my ($room) = @_;
        $me->set_cookie('last_room', $room);
        return location($me->get('/'));
    };
    is($ask->($closed), "302 /rooms/$closed", 'the last room');
    is($ask->($_), '302 /rooms/' . $server->sql('SELECT id FROM rooms r WHERE id'
        . ' IN (SELECT room_id FROM memberships WHERE user_id = 1)'
        . ' ORDER BY created_at, id LIMIT 1'), "last_room=$_: the oldest")
        for 999, 'x', '1x', '-1', '9' x 30, '';
    $bob->set_cookie('last_room', $closed);
    is(location($bob->get('/')), "302 /rooms/$ping",
       'a room of others does not count');

    $server->sql('DELETE FROM memberships WHERE user_id = 3');
    my $page = $cy->get('/');
    is($page->code, 200, 'R004 without a room');
    like(html($page), qr{<title>No rooms yet</title>}, 'it is said');
    like(html($page), qr{<body class="sidebar"}, 'with a sidebar');
    like(html($page), qr{<turbo-frame id="user_sidebar"[^>]*src="/users/me/sidebar"},
         'to be loaded');
    like(html($page), qr{message-area--empty}, 'and nothing else');
    is(location($cy->get('/rooms')), '302 /', 'R061 Q6 no room to go to');
};

subtest 'R061 R077 /rooms and its kinds' => sub {
    is(location($ada->get('/rooms')), '302 /rooms/' . $server->sql(
       'SELECT max(room_id) FROM memberships WHERE user_id = 1'),
       'the highest');
    for my $kind (qw(opens closeds directs)) {
        my $answer = $bob->get("/rooms/$kind");
        is(location($answer), '302 /', "/rooms/$kind is no room");
        is(alert($bob->get("/rooms/$busy")), 'Room not found or inaccessible',
           'as the next page says');
    }
};

subtest 'R062 a room' => sub {
    my $page = $ada->get("/rooms/$busy");
    is($page->code, 200, 'for a member');
    like(html($page), qr{^<!DOCTYPE html>.*</html>\s*$}s, 'in full');
    like(html($page), qr{<title>busy</title>}, 'its title');
    like(html($page), qr{name="current-room-id" content="$busy"}, 'its id');
    like(html($page), qr{name="current-user-id" content="1"}, 'the reader');
    like(html($page), qr{<body class="sidebar admin"}, 'an administrator');
    is_deeply([cookies($page)], ["last_room=$busy"], 'is remembered');
    is(() = html($page) =~ /id="messages_/g, 1, 'one list');
    like(html($page), qr{<div id="messages_rooms_open_$busy" class="messages"},
         'of its kind');
    is(() = html($page) =~ /<turbo-cable-stream-source channel="RoomMessagesChannel" signed-stream-name="[^"]+"/g,
       1, 'one stream');
    like(html($page), qr{data-messages-page-url-value="\Q${\ $server->url("/rooms/$busy/messages")}\E"},
         'where more is');
    like(html($page), qr{<form[^>]* id="composer"|<form id="composer"},
         'somewhere to write');
    is($page->header('Content-Type'), 'text/html; charset=utf-8', 'HTML');
    unlike(html($bob->get("/rooms/$busy")), qr{<body class="[^"]*admin},
           'a member is no administrator');

    for my $id ($closed, 999, 0, '1x', 'x', '-1', '9' x 18, '9' x 40, '%00x') {
        my $answer = $bob->get("/rooms/$id");
        next if $id eq '%00x';
        is(location($answer), '302 /', "not room $id");
        is_deeply([map { /^([^=]+)/ } cookies($answer)], ['_campfire_session'],
                  'is not remembered');
        is(alert($bob->get("/rooms/$busy")), 'Room not found or inaccessible',
           'is told');
    }
    is($bob->get('/rooms/%00x')->code, 400, 'a NUL is no path');
    is($bob->get('/rooms/%ff')->code, 400, 'nor is what is not UTF-8');
};

subtest 'R062 names are text' => sub {
    my $page = html($ada->get("/rooms/$closed"));
    my $escaped = 'R&amp;D &lt;Lab&gt; &quot;quotes&quot; &#39;n&#39; more';
    like($page, qr{<title>\Q$escaped\E</title>}, 'in the title');
    like($page, qr{<h1[^>]*>\s*\Q$escaped\E\s*</h1>}, 'in the heading');
    unlike($page, qr{<Lab>}, 'nowhere else');
    like($page, qr{href="/rooms/closeds/$closed/edit"}, 'settings of its kind');
    my $sidebar = html($ada->get('/users/me/sidebar'));
    like($sidebar, qr{data-sorted-list-name="\Q$escaped\E"><span[^>]*>\Q$escaped\E</span>},
         'in the sidebar');
    $server->sql("UPDATE users SET name = '<script>alert(1)</script>'"
                 . " WHERE id = 2");
    $page = html($ada->get("/rooms/$ping"));
    like($page, qr{<title>&lt;script&gt;alert\(1\)&lt;/script&gt;</title>},
         'a ping has the name of the other');
    like($page, qr{Ping with</span>\s*&lt;script&gt;}, 'with the word before');
    unlike($page, qr{<script>alert}, 'as text');
    unlike(html($ada->get('/users/me/sidebar')), qr{<script>alert},
           'in the sidebar, too');
    $server->sql("UPDATE users SET name = 'Bob' WHERE id = 2");
    like(html($bob->get("/rooms/$ping")), qr{<title>Ada Marlow</title>},
         'and for the other the name of the one');
    my $trio = room('Direct', '', 1, 2, 3);
    like(html($ada->get("/rooms/$trio")), qr{<title>Bob and Cy</title>}, 'two');
    my $self = room('Direct', '', 1);
    like(html($ada->get("/rooms/$self")), qr{<title>Ada Marlow</title>},
         'oneself');
    $server->sql("DELETE FROM memberships WHERE room_id IN ($trio, $self);"
                 . " DELETE FROM rooms WHERE id IN ($trio, $self)");
};

subtest 'R063 the last forty' => sub {
    my @all = @{ messages($busy) };
    is(@all, 95, 'of many');
    is_deeply(ids(html($ada->get("/rooms/$busy"))), [@all[55 .. 94]],
              'in their order');
    my $same = room('Open', 'same', 1);
    write_messages($same, 50, '2026-02-01 00:00:00.500000');
    is_deeply(ids(html($ada->get("/rooms/$same"))),
              [@{ messages($same) }[10 .. 49]], 'by id at the same time');
    $server->sql("UPDATE messages SET created_at = '2026-01-01 00:00:00.000000'"
                 . " WHERE id = $all[94]");
    is_deeply(ids(html($ada->get("/rooms/$busy"))), [@all[54 .. 93]],
              'by time before id');
    $server->sql("UPDATE messages SET created_at = updated_at WHERE id = $all[94]");
};

subtest 'R064 permalinks' => sub {
    my @all = @{ messages($busy) };
    my $page = sub { return ids(html($ada->get("/rooms/$busy/$_[0]"))) };
    is_deeply($page->("\@$all[45]"), [@all[5 .. 85]], '40 before and after');
    is_deeply($page->("\@$all[0]"), [@all[0 .. 40]], 'the first');
    is_deeply($page->("\@$all[94]"), [@all[54 .. 94]], 'the last');
    is_deeply(ids(html($ada->get("/rooms/$busy?message_id=$all[45]"))),
              [@all[5 .. 85]], 'as a parameter');
    $ada->say(1, 'elsewhere');
    my ($other) = @{ messages(1) };
    is_deeply($page->("\@$_"), [@all[55 .. 94]], "\@$_: the last forty")
        for $other, 99999, 'x', '1x', '9' x 30;
    my $answer = $ada->get("/rooms/$busy/\@$all[3]");
    is_deeply([cookies($answer)], ["last_room=$busy"], 'is remembered');
    $answer = $bob->get("/rooms/$closed/\@1");
    is(location($answer), '302 /', 'not for strangers');
    is(alert($bob->get("/rooms/$busy")), 'Room not found or inaccessible',
       'who are told');
    is($ada->get("/rooms/$busy/$all[3]")->code, 404, 'only with the sign');
};

subtest 'R004 the welcome card' => sub {
    my $oldest = $server->sql('SELECT id FROM rooms ORDER BY created_at, id'
                              . ' LIMIT 1');
    like(html($ada->get("/rooms/$oldest")), qr{<div id="system_welcome"},
         'in the oldest room');
    my $code = $server->sql('SELECT join_code FROM accounts');
    like(html($ada->get("/rooms/$oldest")),
         qr{id="invite_url"[^>]*value="\Q${\ $server->url("/join/$code")}\E"},
         'with the link');
    unlike(html($ada->get("/rooms/$busy")), qr{system_welcome}, 'and no other');
    write_messages($oldest, 41 - @{ messages($oldest) });
    unlike(html($ada->get("/rooms/$oldest")), qr{system_welcome},
           'until it has more than a page');
    $server->sql("DELETE FROM messages WHERE room_id = $oldest");
};

subtest 'R139 frames' => sub {
    write_messages(1, 1) unless @{ messages(1) };
    my ($id) = @{ messages(1) };
    for my $path ("/rooms/$busy", '/users/me/sidebar', "/rooms/$busy/involvement",
                  "/rooms/1/messages/$id", "/rooms/1/messages/$id/edit",
                  "/messages/$id/boosts", "/messages/$id/boosts/new")
    {
        my $frame = html($ada->get($path, 'Turbo-Frame' => 'x'));
        like($frame, qr{^<html>\s*<head>.*</head>\s*<body>.*</body>\s*</html>\s*$}s,
             "$path: a small document");
        unlike($frame, qr{<!DOCTYPE|<nav|<footer|<title|stylesheet|<aside}i,
               'and nothing around it');
        like($frame, qr{name="csrf-token"}, 'but the token');
        like(html($ada->get($path)), qr{^<!DOCTYPE html>.*<nav id="nav">.*<main id="main-content">.*<aside id="sidebar".*</html>\s*$}s,
             'in full otherwise');
    }
};

subtest 'R051 R052 the sidebar' => sub {
    my $page = html($ada->get('/users/me/sidebar'));
    is($ada->get('/users/77/sidebar')->code, 200, 'the id does not matter');
    is(html($ada->get('/users/77/sidebar')), $page, 'it is always one’s own');
    like($page, qr{<turbo-frame id="user_sidebar" target="_top" data-turbo-permanent="true"},
         'the frame');
    is(() = $page =~ /<turbo-cable-stream-source channel="Turbo::StreamsChannel" signed-stream-name=/g,
       2, 'two streams');
    my $shared = sub {
        my ($who) = @_;
        my ($list) = html($who->get('/users/me/sidebar'))
            =~ m{<div id="shared_rooms"(.*?)</div>}s;
        return [$list =~ /data-room-id="(\d+)"/g];
    };
    my $directs = sub {
        my ($who) = @_;
        my ($list) = html($who->get('/users/me/sidebar'))
            =~ m{<div id="direct_rooms"(.*?)<div contents>}s;
        return [$list =~ /data-room-id="(\d+)"/g];
    };
    my $upper = room('Open', 'Aardvark', 1);
    my $lower = room('Closed', 'aardwolf', 1);
    is_deeply($shared->($ada), [split /\n/, $server->sql(
        "SELECT r.id FROM rooms r JOIN memberships m ON m.room_id = r.id"
        . " WHERE user_id = 1 AND type != 'Rooms::Direct'"
        . " ORDER BY lower(name), r.id")], 'rooms by name without case');
    my $later = room('Direct', '', 1, 3);
    $server->sql("UPDATE rooms SET updated_at = '2026-03-01 00:00:00.000000'"
                 . " WHERE id = $later");
    is_deeply($directs->($ada), [$later, $ping], 'pings by last change');
    is_deeply($shared->($bob), [split /\n/, $server->sql(
        "SELECT r.id FROM rooms r JOIN memberships m ON m.room_id = r.id"
        . " WHERE user_id = 2 AND type != 'Rooms::Direct'"
        . " ORDER BY lower(name), r.id")], 'to each his own');

    $server->sql("UPDATE memberships SET involvement = 'invisible'"
                 . " WHERE room_id IN ($upper, $later) AND user_id = 1;"
                 . " UPDATE memberships SET involvement = NULL"
                 . " WHERE room_id = $lower AND user_id = 1");
    is_deeply([grep { $_ == $upper || $_ == $lower } @{ $shared->($ada) }], [],
              'invisible rooms are left out');
    is_deeply($directs->($ada), [$ping], 'and pings');

    $server->sql('UPDATE memberships SET unread_at = NULL');
    unlike(html($ada->get('/users/me/sidebar')), qr{ class="[^"]*\bunread\b},
           'nothing is unread');
    $server->sql("UPDATE memberships SET unread_at = '2026-03-01 00:00:00.000000'"
                 . " WHERE room_id IN ($busy, $ping) AND user_id = 1");
    my $unread = html($ada->get('/users/me/sidebar'));
    like($unread, qr{<a id="list_rooms_open_$busy" class="[^"]* unread"},
         'a room is');
    like($unread, qr{<a id="list_rooms_direct_$ping" class="direct unread"},
         'a ping is');
    unlike(html($bob->get('/users/me/sidebar')), qr{ class="[^"]*\bunread\b},
           'not for others');
    $server->sql('UPDATE memberships SET unread_at = NULL');

    my $placeholders = sub {
        my ($who) = @_;
        return [html($who->get('/users/me/sidebar'))
                =~ m{action="/rooms/directs\?user_ids\[\]=(\d+)"}g];
    };
    is_deeply($placeholders->($bob), [3], 'people one has no ping with');
    $server->sql("WITH RECURSIVE c(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM c"
        . " WHERE n < 30) INSERT INTO users (name, created_at, updated_at)"
        . " SELECT 'User ' || n, $now FROM c");
    is(@{ $placeholders->($cy) }, 20 - 2 - 1, 'with one other 17');
    $server->sql("DELETE FROM memberships WHERE user_id = 3");
    is(@{ $placeholders->($cy) }, 19, 'without a ping 19');
    is_deeply($placeholders->($cy), [split /\n/, $server->sql(
        'SELECT id FROM users WHERE id != 3 AND status = 0'
        . ' ORDER BY created_at, id LIMIT 19')], 'by the day they joined');
    $server->sql('DELETE FROM users WHERE id > 3');

    like(html($bob->get('/users/me/sidebar')), qr{aria-label="New Chat Room"},
         'everybody may make rooms');
    $server->sql("UPDATE accounts SET settings ="
        . " '{\"restrict_room_creation_to_administrators\":true}'");
    unlike(html($bob->get('/users/me/sidebar')), qr{aria-label="New Chat Room"},
           'until that is restricted');
    like(html($ada->get('/users/me/sidebar')), qr{aria-label="New Chat Room"},
         'but for administrators');
    $server->sql("DELETE FROM memberships WHERE room_id IN ($upper, $lower, $later);"
                 . "DELETE FROM rooms WHERE id IN ($upper, $lower, $later)");
};

subtest 'R078 refresh' => sub {
    my $room = room('Open', 'fresh', 1, 2);
    my $stream = ['Accept', 'text/vnd.turbo-stream.html'];
    my $ask = sub {
        my ($query) = @_;
        return $bob->request('GET', "/rooms/$room/refresh$query", $stream);
    };
    my $answer = $ask->('?since=0');
    is($answer->code . $answer->decoded_content, '200', 'nothing yet');
    is($answer->header('Content-Type'),
       'text/vnd.turbo-stream.html; charset=utf-8', 'as a stream');
    write_messages($room, 45);
    my @all = @{ messages($room) };
    for my $since ('', '?since=', '?since=0', '?since=x', '?since=1.5',
                   '?since=-1', '?since=9' . '9' x 30, '?since[]=1',
                   '?since=1&reason=x')
    {
        my $text = $ask->($since)->decoded_content;
        is_deeply(ids(($text =~ m{^(<turbo-stream action="append".*?</turbo-stream>)}s)[0]),
                  [@all[0 .. 39]], "'$since': the oldest forty");
        is(() = $text =~ /<turbo-stream action="append" target="messages_rooms_open_$room">/g,
           1, 'in one element');
        is_deeply([$text =~ /action="replace" target="message_([^"]+)"/g],
                  [map { "c$_-$room" } 41 .. 45],
                  'what changed beside them is replaced');
    }
    my $ms = $server->sql("SELECT strftime('%s', '2026-02-01 00:43:00') * 1000 + 500");
    my $text = $ask->("?since=$ms")->decoded_content;
    is_deeply(ids($text), [@all[43, 44]], 'only later than that');
    $server->sql("UPDATE messages SET updated_at = '2026-02-02 00:00:00.000000'"
                 . " WHERE id IN ($all[1], $all[44])");
    $text = $ask->("?since=$ms")->decoded_content;
    is_deeply([$text =~ /<turbo-stream action="(\w+)" target="([^"]+)"/g],
              ['append', "messages_rooms_open_$room", 'replace', "message_c2-$room"],
              'and each that changed, once');
    is($ask->('?since=' . int(time * 1000))->decoded_content, '', 'up to date');
    is($bob->get("/rooms/$room/refresh")->code, 406, 'HTML has no such thing');
    is($bob->get("/rooms/$room/refresh.turbo_stream")->code, 200, 'by suffix');
    is($bob->request('GET', "/rooms/$_/refresh", $stream)->code, 404,
       "room $_ is not there") for $closed, 999, 'x', '1x';
};

subtest 'R079 R080 involvement' => sub {
    my $get = sub { return $server->sql("SELECT coalesce(involvement, 'null')"
        . " FROM memberships WHERE user_id = 2 AND room_id = $_[0]") };
    my %labels = (mentions => 'Notifying about @ mentions',
                  everything => 'Notifying about all messages',
                  nothing => 'Notifications are off',
                  invisible => 'Notifications are off and room invisible in sidebar');
    my %shared = (mentions => 'everything', everything => 'nothing',
                  nothing => 'invisible', invisible => 'mentions');
    my %direct = (mentions => 'everything', everything => 'nothing',
                  nothing => 'everything', invisible => 'everything');
    for my $case ([$busy, 'rooms_open', \%shared], [$ping, 'rooms_direct', \%direct]) {
        my ($room, $kind, $next) = @$case;
        for my $value (qw(everything nothing invisible mentions)) {
            my $answer = $bob->put("/rooms/$room/involvement",
                                   [involvement => $value]);
            is(location($answer), "302 /rooms/$room/involvement", "$value");
            is($get->($room), $value, 'is kept');
            my $page = html($bob->get("/rooms/$room/involvement"));
            like($page, qr{<turbo-frame id="involvement_${kind}_$room"><form[^>]*action="/rooms/$room/involvement\?involvement=$next->{$value}"}s,
                 "next is $next->{$value}");
            like($page, qr{<button class="btn $value" type="submit" role="checkbox" aria-checked="true"},
                 'the button');
            like($page, qr{id="involvement_label_${kind}_$room"[^>]*>\Q$labels{$value}\E<},
                 'its name');
        }
    }
    is($bob->put("/rooms/$busy/involvement?involvement=nothing", [])->code, 302,
       'in the query');
    is($bob->send('PATCH', "/rooms/$busy/involvement",
                  [involvement => 'mentions'])->code, 302, 'PATCH');
    is($bob->post("/rooms/$busy/involvement",
                  [_method => 'put', involvement => 'nothing'])->code, 302,
       'as forms do');
    for my $bad ([involvement => 'junk'], [involvement => ''], [],
                 ['involvement[]' => 'everything'], ['involvement[a]' => 'x'],
                 [involvement => 'Everything'], [involvement => "nothing\0"])
    {
        is($bob->put("/rooms/$busy/involvement", $bad)->code, 422,
           "R080 (@$bad)");
        is($get->($busy), 'nothing', 'the row stays');
    }
    for my $room ($closed, 999, 'x') {
        is($bob->get("/rooms/$room/involvement")->code, 404, "room $room: GET");
        is($bob->put("/rooms/$room/involvement", [involvement => 'nothing'])
           ->code, 404, 'PUT');
    }
    $server->sql("UPDATE memberships SET involvement = NULL WHERE user_id = 2"
                 . " AND room_id = $busy");
    like(html($bob->get("/rooms/$busy/involvement")),
         qr{class="btn invisible"}, 'Q8 null reads as invisible');
    is($bob->put("/rooms/$busy/involvement", [involvement => 'mentions'])->code,
       302, 'and can be changed');
    is($get->($busy), 'mentions', 'to something');
};

subtest 'somebody who left sees nothing from the next request on' => sub {
    my $room = room('Closed', 'secret', 1, 2);
    write_messages($room, 1);
    my ($id) = @{ messages($room) };
    my @gets = ("/rooms/$room/messages", "/rooms/$room/messages/$id",
                "/rooms/$room/messages/$id/edit", "/rooms/$room/involvement",
                "/messages/$id/boosts", "/messages/$id/boosts/new",
                "/messages/$id?room_id=$room", "/messages?room_id=$room");
    $server->sql("UPDATE messages SET creator_id = 2 WHERE id = $id");
    is($bob->get($_)->code, 200, "$_ is there") for @gets, "/rooms/$room";
    $server->sql("DELETE FROM memberships WHERE room_id = $room AND user_id = 2");
    is($bob->get($_)->code, 404, "$_ is not") for @gets;
    is(location($bob->get("/rooms/$room")), '302 /', 'nor the room');
    unlike(html($bob->get('/users/me/sidebar')), qr{data-room-id="$room"},
           'nor in the sidebar');
    my $rows = $server->rows;
    like(html($bob->post("/rooms/$room/messages", ['message[body]' => 'x'])),
         qr{This room was deleted\.}, 'no posting');
    is($bob->put("/rooms/$room/messages/$id", ['message[body]' => 'x'])->code,
       404, 'no editing');
    is($bob->delete("/rooms/$room/messages/$id")->code, 404, 'no deleting');
    is($bob->post("/messages/$id/boosts", ['boost[content]' => 'x'])->code, 404,
       'no boosting');
    is($server->rows, $rows, 'nothing was written');
};

is_deeply([$server->alarms], [], 'no alarms');
ok($server->stop, 'the server stops');
is($server->{status}, 0, 'and says so');

done_testing();
