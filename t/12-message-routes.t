# Messages and boosts.
use lib 't/lib';
use strict;
use utf8;
use warnings;

use HTTP::Request::Common ();
use Test::More;

use Campfire::Client;
use Campfire::Server;

binmode Test::More->builder->$_, ':utf8'
    for qw(output failure_output todo_output);

my $server = Campfire::Server->new(workers => 2);
my $now = "'2026-01-01 00:00:00.500000', '2026-01-01 00:00:00.500000'";
my ($ada, $bob, $cy) = map { Campfire::Client->new($server) } 1 .. 3;
$ada->first_run('Ada');
$bob->join('Bob');
$cy->join('Cy');
my $STREAM = 'text/vnd.turbo-stream.html; charset=utf-8';
my $EMPTY = 'text/vnd.turbo-stream.html';

sub location {
    my ($answer) = @_;
    my $url = $answer->header('Location') // '';
    my $base = $server->url;
    $url =~ s/^\Q$base\E//;
    return $answer->code . " $url";
}

sub html { return $_[0]->decoded_content }
sub ids { return [html($_[0]) =~ /data-message-id="(\d+)"/g] }
sub sql { return $server->sql(@_) }

sub room {
    my ($name, @people) = @_;
    my $id = sql("INSERT INTO rooms (name, type, creator_id, created_at,"
        . " updated_at) VALUES ('$name', 'Rooms::Closed', 1, $now);"
        . ' SELECT max(id) FROM rooms');
    sql("INSERT INTO memberships (room_id, user_id, created_at, updated_at)"
        . " VALUES ($id, $_, $now)") for @people;
    return $id;
}

my $room = room('Closed', 1, 2);
my $other = room('Other', 1);
my $posts = "/rooms/$room/messages";

sub last_id { return sql('SELECT max(id) FROM messages') }
sub body { return sql("SELECT body FROM action_text_rich_texts WHERE"
    . " record_type = 'Message' AND name = 'body' AND record_id = $_[0]") }

subtest 'R082 an empty room' => sub {
    my $answer = $ada->get($posts);
    is($answer->code . html($answer), '204', 'has no page');
    is($ada->get("$posts?before=1")->code, 404, 'nor an anchor');
};

subtest 'R084 create' => sub {
    sql("UPDATE rooms SET updated_at = '2026-01-01 00:00:00.500000'");
    my $answer = $ada->post($posts, [
        'message[body]' => '<p>Hello <strong>Bob</strong> &amp; co</p>',
        'message[client_message_id]' => 'abc-123']);
    my $id = last_id();
    is($answer->code, 200, 'the answer');
    is($answer->header('Content-Type'), $STREAM, 'is a stream');
    like(html($answer), qr{^<turbo-stream action="append" target="messages_rooms_closed_$room"><template>.*</template></turbo-stream>$}s,
         'of one element');
    is(() = html($answer) =~ /<turbo-stream/g, 1, 'really one');
    is_deeply(ids($answer), [$id], 'with the message');
    like(html($answer), qr{<div id="message_abc-123" class="message" data-controller="reply" data-user-id="1" data-message-id="$id" data-client-message-id="abc-123"},
         'under the id of the page');
    like(html($answer), qr{<div class="lexxy-content trix-content">\s*<p>Hello <strong>Bob</strong> &amp; co</p>\s*</div>},
         'as it was written');
    unlike(html($answer), qr{authenticity_token|csrf}, 'no token is in it');
    my ($fragment) = html($answer) =~ m{<template>(.*)</template>}s;
    like(html($ada->get($posts)), qr{\Q$fragment\E}, 'the page has the same');
    like(html($bob->get("/rooms/$room")), qr{\Q$fragment\E}, 'for everybody');

    is(sql("SELECT creator_id, room_id, client_message_id FROM messages"
           . " WHERE id = $id"), "1|$room|abc-123", 'the row');
    is(body($id), '<p>Hello <strong>Bob</strong> &amp; co</p>', 'the body');
    is(sql("SELECT body FROM message_search_index WHERE rowid = $id"),
       'Hello Bob & co', 'can be found');
    is(sql("SELECT created_at = updated_at FROM messages WHERE id = $id"), 1,
       'one time');
    is(sql("SELECT updated_at = (SELECT created_at FROM messages WHERE id = $id)"
           . " FROM rooms WHERE id = $room"), 1, 'the room changed');
    is(sql("SELECT group_concat(user_id) FROM memberships"
           . " WHERE room_id = $room AND unread_at IS NOT NULL"), '2',
       'unread for the others');

    $ada->post($posts, ['message[body]' => 'x']);
    like(sql('SELECT client_message_id FROM messages ORDER BY id DESC LIMIT 1'),
         qr/^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/,
         'without an id of the page it gets one');
    ok($ada->say($room, 'x', 'message[client_message_id]' => 'abc-123'),
       'the same id again is no mistake');
    ok($ada->say($room, 'x', 'message[client_message_id]' => ''), 'nor none');
    is(sql("SELECT count(*) FROM messages WHERE client_message_id = ''"), 0,
       'which is like leaving it out');
    sql('UPDATE memberships SET unread_at = NULL');
};

subtest 'R088 what may be sent' => sub {
    my $rows = $server->rows;
    for my $bad ([], [message => 'x'], ['message[]' => 'x'], [message => ''],
                 [x => 'y'])
    {
        my $answer = $ada->post($posts, $bad);
        is($answer->code, 400, "(@$bad) is no message");
        is(html($answer), '', 'nothing is said');
        is($ada->post($posts, $bad, Accept => 'application/json')
           ->decoded_content, '{"status":400,"error":"Bad Request"}',
           'but in JSON');
    }
    is($ada->post($posts, ['message[body]' => 'x',
       'message[client_message_id]' => 'x' x 256])->code, 422, 'a long id');
    is($ada->post($posts, ['message[body]' => 'x' x 262_145])->code, 422,
       'a long body');
    is($ada->post($posts, ['message[attachment]' => 'junk'])->code, 422,
       'Q2 no file of ours');
    is($server->rows, $rows, 'nothing was written');

    ok($ada->say($room, 'x', 'message[client_message_id]' => 'x' x 255),
       'an id of 255 bytes');
    ok($ada->say($room, '<p>' . 'x' x 262_000 . '</p>'), 'a body of 256 KB');
    for my $empty (['message[body]' => ''], ['message[other]' => 'x'],
                   ['message[body][]' => 'x'], ['message[body][a]' => 'x'],
                   ['message[body]' => 'x', 'message[attachment]' => ''])
    {
        my $answer = $ada->post($posts, $empty);
        is($answer->code, 200, "(@$empty) is taken");
        my $id = last_id();
        is(body($id), $empty->[1] eq 'x' && $empty->[0] eq 'message[body]'
                      ? 'x' : '', 'with its text');
        like(html($answer), qr{data-message-id="$id"}, 'and shown');
    }
    my $unicode = "漢字 👨‍👩‍👧 é ‮ \x{E000} \x{1F9D1}";
    ok($ada->say($room, $unicode), 'any character');
    like(html($ada->get($posts)), qr{\Q$unicode\E}, 'comes back');
};

subtest 'R087 Q1 other answers' => sub {
    my $count = sub { sql("SELECT count(*) FROM messages WHERE room_id = $room") };
    my $n = $count->();
    for my $accept ('text/html', 'application/json', 'image/png') {
        is(location($ada->post($posts, ['message[body]' => 'x'],
                               Accept => $accept)),
           "302 /rooms/$room", "$accept: to the room");
        is($count->(), ++$n, 'it was written once');
    }
    for my $accept ('*/*', $EMPTY, "text/html, $EMPTY") {
        my $answer = $ada->post($posts, ['message[body]' => 'x'],
                                Accept => $accept);
        is($answer->code . ' ' . $answer->header('Content-Type'),
           "200 $STREAM", "$accept: the stream");
        is($count->(), ++$n, 'it was written once');
    }
    my $answer = $ada->request('POST', $posts,
        ['Content-Type' => 'application/json', Accept => $EMPTY,
         'X-CSRF-Token' => $ada->{token}],
        '{"message":{"body":"<p>from \u00e9 JSON</p>","client_message_id":"j"}}');
    like(html($answer), qr{id="message_j".*<p>from é JSON</p>}s, 'JSON');
    $answer = $ada->{ua}->request(HTTP::Request::Common::POST(
        $server->url($posts), 'X-CSRF-Token' => $ada->{token}, Accept => '*/*',
        Content_Type => 'form-data', Content => [
            'message[body]' => '<p>from multipart</p>',
            'message[client_message_id]' => 'm',
            'message[attachment]' => [undef, '', Content_Type =>
                'application/octet-stream', Content => '']]));
    like(html($answer), qr{id="message_m".*<p>from multipart</p>}s,
         'multipart without a file');
    is(sql("SELECT count(*) FROM messages WHERE client_message_id IN ('j', 'm')"),
       2, 'both are written');
};

subtest 'R086 R093 where one may not write' => sub {
    my $rows = $server->rows;
    for my $path ($posts, '/rooms/999/messages', '/rooms/x/messages',
                  '/messages', "/messages?room_id=$room", '/messages?room_id=x')
    {
        for my $accept ($EMPTY, 'text/html', 'application/json', '*/*') {
            my $answer = $cy->post($path, ['message[body]' => 'x'],
                                   Accept => $accept);
            is($answer->code, 200, "$path, $accept");
            is($answer->header('Content-Type'), 'text/html; charset=utf-8',
               'HTML');
            like(html($answer), qr{^<turbo-frame id="composer-frame"><span class="composer__input input shake">This room was deleted\.</span></turbo-frame>\s*$},
                 'for the composer');
        }
    }
    like(html($cy->post($posts, [])), qr{This room was deleted},
         'which is looked at first');
    is($server->rows, $rows, 'nothing was written');
    ok($ada->post("/messages?room_id=$room", ['message[body]' => 'by query'])
       ->content =~ /by query/, 'a room as a parameter');
    ok($ada->post('/messages', [room_id => $room, 'message[body]' => 'by body'])
       ->content =~ /by body/, 'of the body');
};

subtest 'markup of strangers' => sub {
    my @evil = (
        '<script>alert(1)</script>', '<img src=x onerror=alert(1)>',
        '<a href="javascript:alert(1)">x</a>', '<svg onload=alert(1)>',
        '<p onclick="alert(1)">x</p>', '<style>*{display:none}</style>',
        '<iframe src="//evil"></iframe>', '<form action="//evil"><input></form>',
        '</template></turbo-stream><script>alert(1)</script>',
        '"><script>alert(1)</script>', '<!--><script>alert(1)</script>-->',
        '<math><mtext><table><mglyph><style><img src=x onerror=alert(1)>',
        '<p style="background:url(javascript:alert(1))">x</p>',
        '<a href="data:text/html,<script>alert(1)</script>">x</a>');
    for my $evil (@evil) {
        my $answer = $ada->post($posts, ['message[body]' => $evil]);
        is($answer->code, 200, $evil);
        my $id = last_id();
        for my $html (html($answer), html($ada->get("$posts/$id")),
                      html($ada->get("/rooms/$room")))
        {
            $html =~ s/^.*?(?=class="messages")//s;
            my @presented = $html =~ m{<div id="presentation_message_(.*?)<turbo-frame}sg;
            ok(!(grep { m{<script|<svg |<img|<style|<iframe|<form|<math|\son\w+=|javascript:|href="data:}i }
                 @presented), 'is harmless');
            is(() = $html =~ m{alert\(1\)</script>}g, 0, 'no script');
        }
        is(() = html($answer) =~ m{</template></turbo-stream>}g, 1,
           'the stream ends once');
    }
    my $id = q("><script>alert(1)</script>'&);
    my $answer = $ada->post($posts, ['message[body]' => 'x',
                                     'message[client_message_id]' => $id]);
    my $escaped = '&quot;&gt;&lt;script&gt;alert(1)&lt;/script&gt;&#39;&amp;';
    like(html($answer), qr{<div id="message_\Q$escaped\E" class}, 'an id is text');
    unlike(html($answer), qr{<script}, 'everywhere');
    unlike(html($ada->get("/rooms/$room")), qr{<script>alert}, 'in the page');
    my $number = last_id();
    unlike(html($ada->get("$posts/$number/$_")), qr{<script>alert}, $_)
        for 'edit', '../' . $number;
    is(html($ada->delete("$posts/$number")),
       qq(<turbo-stream action="remove" target="message_$escaped"></turbo-stream>),
       'and in a target');
    sql("UPDATE users SET name = '<i>Ada</i>', bio = '\"><b>' WHERE id = 1");
    $answer = $ada->post($posts, ['message[body]' => 'named']);
    like(html($answer), qr{<strong data-reply-target="author">&lt;i&gt;Ada&lt;/i&gt;</strong>},
         'a name is text');
    unlike(html($answer), qr{<i>Ada|<b>}, 'and a bio');
    sql("UPDATE users SET name = 'Ada', bio = NULL WHERE id = 1");
    sql("DELETE FROM action_text_rich_texts; DELETE FROM messages;"
        . " DELETE FROM message_search_index");
};

subtest 'emoji' => sub {
    for ('👍', '🎉🔥', '<p>❤️</p>', '👍🏽') {
        like(html($ada->post($posts, ['message[body]' => $_])),
             qr{class="message message--emoji"}, "$_ alone");
    }
    for ('👍 yes', 'x', '1', '') {
        unlike(html($ada->post($posts, ['message[body]' => $_])),
               qr{message--emoji}, "'$_' is not");
    }
    sql("DELETE FROM action_text_rich_texts; DELETE FROM messages;"
        . " DELETE FROM message_search_index");
};

subtest 'R081 R082 pages' => sub {
    sql("WITH RECURSIVE c(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM c"
        . " WHERE n < 100) INSERT INTO messages (client_message_id, room_id,"
        . " creator_id, created_at, updated_at) SELECT 'p' || n, $room, 1,"
        . " printf('2026-02-01 00:%02d:00.500000', CASE WHEN n BETWEEN 30 AND 75"
        . " THEN 30 WHEN n < 9 THEN 59 - n ELSE n / 2 END), '2026-02-01 00:00:00.500000' FROM c;"
        . " INSERT INTO action_text_rich_texts (name, record_type, record_id,"
        . " body, created_at, updated_at) SELECT 'body', 'Message', id,"
        . " client_message_id, created_at, created_at FROM messages;"
        . " INSERT INTO message_search_index (rowid, body)"
        . " SELECT record_id, body FROM action_text_rich_texts");
    my @all = split /\n/, sql("SELECT id FROM messages WHERE room_id = $room"
                              . ' ORDER BY created_at, id');
    isnt("@all", join(' ', sort { $a <=> $b } @all), 'time is not the order of ids');
    is_deeply(ids($ada->get($posts)), [@all[60 .. 99]], 'the last forty');
    my $answer = $ada->get($posts);
    is($answer->header('Content-Type'), 'text/html; charset=utf-8', 'HTML');
    unlike(html($answer), qr{<html|<!DOCTYPE|<body}i, 'and no document');
    for my $n (0, 1, 5, 39, 40, 41, 50, 70, 98, 99) {
        my $from = $n < 40 ? 0 : $n - 40;
        my $page = $ada->get("$posts?before=$all[$n]");
        is_deeply($n ? ids($page) : $page->code,
                  $n ? [@all[$from .. $n - 1]] : 204, "before number $n");
        my $to = $n > 59 ? 99 : $n + 40;
        $page = $ada->get("$posts?after=$all[$n]");
        is_deeply($n < 99 ? ids($page) : $page->code,
                  $n < 99 ? [@all[$n + 1 .. $to]] : 204, "after number $n");
    }
    my @walk = @{ ids($ada->get($posts)) };
    while ((my $page = $ada->get("$posts?before=$walk[0]"))->code == 200) {
        unshift @walk, @{ ids($page) };
    }
    is_deeply(\@walk, \@all, 'page by page nothing is lost, nothing twice');
    is_deeply(ids($ada->get("$posts?before=$all[50]&after=$all[60]")),
              [@all[10 .. 49]], 'before wins');
    is_deeply(ids($ada->get("$posts?before=")), [@all[60 .. 99]],
              'an empty one is none');
    my $foreign = $ada->say($other, 'elsewhere');
    is($ada->get("$posts?$_")->code, 404, "R082 $_") for
        "before=$foreign", "after=$foreign", 'before=99999', 'after=99999',
        'before=x', 'before=1x', 'after=-1', 'before=' . '9' x 30;
    is($_->[0]->get($_->[1])->code, 404, "R082 $_->[1]") for
        [$cy, $posts], [$ada, '/rooms/999/messages'], [$ada, '/rooms/x/messages'],
        [$ada, '/messages'], [$ada, '/messages?room_id=x'],
        [$cy, "/messages?room_id=$room"];
    is_deeply(ids($ada->get("/messages?room_id=$room&after=$all[97]")),
              [@all[98, 99]], 'R093 a room as a parameter');
};

subtest 'R083 conditional pages' => sub {
    my $page = $ada->get($posts);
    my $etag = $page->header('ETag');
    my ($id) = @{ ids($page) };
    like($etag, qr{^W/"}, 'a weak ETag');
    is($page->header('Cache-Control'), 'max-age=0, private, must-revalidate',
       'to be asked for each time');
    is($page->header('Last-Modified'), 'Sun, 01 Feb 2026 00:00:00 GMT',
       'the time of the last change');
    my $again = sub { return $ada->get($posts, 'If-None-Match' => $_[0])->code };
    is($again->($etag), 304, 'the same');
    is($ada->get($posts, 'If-None-Match' => $etag)->content, '', 'is not sent');
    is($again->("\"x\", $etag"), 304, 'one of several');
    is($again->(substr $etag, 2), 304, 'strong or weak');
    is($again->('"x"'), 200, 'another');
    is($ada->get($posts, 'If-Modified-Since' => $page->header('Last-Modified'))
       ->code, 304, 'by time');
    is($ada->get($posts, 'If-Modified-Since' => $page->header('Last-Modified'),
       'If-None-Match' => '"x"')->code, 200, 'but the ETag decides');
    my %change = (
        'a boost' => sub { $bob->post("/messages/$id/boosts",
                                      ['boost[content]' => 'x']) },
        'a boost less' => sub { $bob->delete("/messages/$id/boosts/"
                                             . sql('SELECT max(id) FROM boosts')) },
        'an edit' => sub { $ada->put("$posts/$id", ['message[body]' => 'new']) },
        'a name' => sub { sql("UPDATE users SET name = 'Eve', updated_at ="
                              . " '2026-05-01 10:00:00' WHERE id = 1") },
        'a picture' => sub { sql("UPDATE users SET updated_at = '2026-05-02 10:00:00'"
                                 . " WHERE id = 1") },
    );
    for ('a boost', 'a boost less', 'an edit', 'a name', 'a picture') {
        my $before = $ada->get($posts)->header('ETag');
        is($again->($before), 304, "before $_");
        $change{$_}->();
        is($again->($before), 200, 'and after');
    }
    my $modified = $ada->get($posts)->header('Last-Modified');
    isnt($modified, $page->header('Last-Modified'), 'the time changed, too');
    sql("UPDATE users SET name = 'Ada' WHERE id = 1");
};

subtest 'R089 one message' => sub {
    my $id = $ada->say($room, 'one');
    my $page = $bob->get("$posts/$id");
    is($page->code, 200, 'for a member');
    is_deeply(ids($page), [$id], 'alone');
    is($_->[0]->get($_->[1])->code, 404, "$_->[1]") for
        [$cy, "$posts/$id"], [$ada, "/rooms/$other/messages/$id"],
        [$ada, "$posts/99999"], [$ada, "$posts/x"], [$ada, "$posts/${id}x"],
        [$ada, "/messages/$id"], [$ada, "/messages/$id?room_id=$other"],
        [$ada, "/messages/$id/edit"];
    is($ada->get("/messages/$id?room_id=$room")->code, 200, 'R093 by parameter');
    is($ada->get("/messages/$id/edit?room_id=$room")->code, 200, 'R093 to edit');
};

subtest 'R090 R091 R092 who may change it' => sub {
    my %may = (author => [$bob, 1], admin => [$ada, 1], other => [$cy, 0]);
    sql("INSERT INTO memberships (room_id, user_id, created_at, updated_at)"
        . " VALUES ($room, 3, $now)");
    for my $who (sort keys %may) {
        my ($me, $ok) = @{ $may{$who} };
        my $id = $bob->say($room, '<p>Bob’s</p>',
                           'message[client_message_id]' => "by-$who");
        my $rows = $server->rows;
        my $answer = $me->get("$posts/$id/edit", 'Turbo-Frame' => 'x');
        is($answer->code, $ok ? 200 : 403, "$who: edit");
        if ($ok) {
            like(html($answer), qr{<turbo-frame id="edit_message_by-$who">},
                 'a frame');
            like(html($answer), qr{name="message\[body\]"[^>]*aria-label="Edit message"[^>]*value="&lt;p&gt;Bob’s&lt;/p&gt;"},
                 'with the text');
            like(html($answer), qr{id="form_message_by-$who" method="post" action="$posts/$id"},
                 'and its form');
        } else {
            is(html($answer), '', 'nothing is said');
        }
        $answer = $me->put("$posts/$id", ['message[body]' => '<p>new <em>text</em></p>']);
        is(location($answer), $ok ? "302 $posts/$id" : '403 ', 'update');
        is(body($id), $ok ? '<p>new <em>text</em></p>' : '<p>Bob’s</p>', 'the body');
        is(sql("SELECT body FROM message_search_index WHERE rowid = $id"),
           $ok ? 'new text' : 'Bob’s', 'the index');
        is(sql("SELECT created_at < updated_at FROM messages WHERE id = $id"),
           $ok ? 1 : 0, 'the time');
        is(sql("SELECT creator_id FROM messages WHERE id = $id"), 2,
           'it is still his');
        is($server->rows, $rows, 'no row more or less');

        $answer = $me->delete("$posts/$id");
        is($answer->code, $ok ? 200 : 403, 'destroy');
        if ($ok) {
            is($answer->header('Content-Type'), $STREAM, 'a stream');
            is(html($answer), qq(<turbo-stream action="remove" target="message_by-$who"></turbo-stream>),
               'that removes it');
        }
        for (['messages', 'id'], ['message_search_index', 'rowid'],
             ['action_text_rich_texts', 'record_id'])
        {
            is(sql("SELECT count(*) FROM $_->[0] WHERE $_->[1] = $id"),
               $ok ? 0 : 1, "the row in $_->[0]");
        }
        is($me->get("$posts/$id")->code, $ok ? 404 : 200, 'and the page');
    }
    my $id = $bob->say($room, 'kept');
    is($cy->get("/rooms/$other/messages/$id/edit")->code, 404,
       'not in the room: 404');
    for my $path ("/rooms/$other/messages/$id", "$posts/99999", "$posts/x",
                  "/messages/$id", "/messages/$id?room_id=$other")
    {
        is($ada->put($path, ['message[body]' => 'x'])->code, 404, "PUT $path");
        is($ada->delete($path)->code, 404, "DELETE $path");
    }
    is($bob->put("$posts/$id", $_)->code, 400, "(@$_) is no message")
        for [], [message => 'x'], ['message[]' => 'x'];
    is($bob->put("$posts/$id", ['message[body]' => 'x' x 262_145])->code, 422,
       'a long body');
    is(location($bob->put("$posts/$id", ['message[x]' => 'y'])),
       "302 $posts/$id", 'nothing to change');
    is(body($id), 'kept', 'changes nothing');
    is($bob->send('PATCH', "/messages/$id?room_id=$room",
       ['message[body]' => 'by parameter'])->code, 302, 'R093 PATCH');
    is(body($id), 'by parameter', 'is the same');
    is(location($bob->delete("/messages/$id?room_id=$room", [],
                             Accept => 'text/html')),
       "302 /rooms/$room", 'Q1 deleted, then to the room');
    is(sql("SELECT count(*) FROM messages WHERE id = $id"), 0, 'once');
    is($bob->delete("$posts/$id")->code, 404, 'again: it is gone');
};

subtest 'R094 R095 boosts' => sub {
    my $id = $ada->say($room, 'x', 'message[client_message_id]' => 'boosted');
    my $boosts = "/messages/$id/boosts";
    like(html($bob->get($boosts, 'Turbo-Frame' => 'x')),
         qr{<turbo-frame id="boosting_message_boosted">}, 'R094 the list');
    my $new = html($bob->get("$boosts/new", 'Turbo-Frame' => 'x'));
    like($new, qr{<turbo-frame id="new_boost_message_boosted">}, 'R094 the form');
    like($new, qr{action="$boosts"}, 'goes to the list');
    is(() = $new =~ /name="boost\[content\]"/g, 1, 'one field');
    unlike($new, qr{maxlength}, 'the server counts');

    sql("UPDATE messages SET updated_at = '2026-02-01 00:00:00.500000'"
        . " WHERE id = $id");
    is(location($bob->post($boosts, ['boost[content]' => '👀'])),
       "302 $boosts", 'R095 created');
    is(sql('SELECT booster_id, message_id, content FROM boosts'), "2|$id|👀",
       'the row');
    isnt(sql("SELECT updated_at FROM messages WHERE id = $id"),
         '2026-02-01 00:00:00.500000', 'the message is touched');
    my $boost = sql('SELECT max(id) FROM boosts');
    my $html = html($ada->get($boosts));
    like($html, qr{<div id="boost_$boost" class="boost boost-item"[^>]*booster-id-value="2"},
         'shown');
    like($html, qr{<span class="txt-small txt-medium" [^\n]*>👀</span>},
         'as an emoji');
    is(location($bob->post($boosts, ['boost[content]' => $_->[1]])),
       "302 $boosts", "$_->[0]") for
        ['an empty one'     => ''], ['16 letters' => 'abcdefghijklmnop'],
        ['16 families'      => '👨‍👩‍👧' x 16], ['a flag' => '🏴󠁧󠁢󠁥󠁮󠁧󠁿'],
        ['CR LF is one'     => "\r\n" x 16],
        ['markup'           => '<b>"&\'</b>'];
    $html = html($ada->get($boosts));
    like($html, qr{data-boost-delete-target="content" [^\n]*>&lt;b&gt;&quot;&amp;&#39;&lt;/b&gt;</span>},
         'is text');
    unlike($html, qr{<b>"}, 'everywhere');
    my $rows = $server->rows;
    is($bob->post($boosts, ['boost[content]' => $_->[1]])->code, 422, $_->[0]) for
        ['17 letters' => 'a' x 17], ['17 families' => '👨‍👩‍👧' x 17],
        ['endless marks' => 'a' . "\x{301}" x 600],
        ['CR LF CR LF' => "\r\n" x 17];
    is($bob->post($boosts, ['boost[x]' => 'y'])->code, 422, 'Q4 no content');
    is($bob->post($boosts, ['boost[content][]' => 'y'])->code, 422, 'a list');
    is($bob->post($boosts, $_)->code, 400, "(@$_) is no boost")
        for [], [boost => 'x'], ['boost[]' => 'x'];
    is($server->rows, $rows, 'nothing was written');

    is($_->[0]->post("/messages/$_->[1]/boosts", ['boost[content]' => 'x'])
       ->code, 404, "R097 message $_->[1]") for
        [$bob, $ada->say($other, 'x')], [$ada, 99999], [$ada, 'x'], [$ada, "${id}x"];
    is($bob->get('/messages/' . sql("SELECT id FROM messages WHERE room_id ="
        . " $other LIMIT 1") . "/$_")->code, 404, "R097 $_")
        for 'boosts', 'boosts/new';

    $rows = $server->rows;
    is($ada->delete("$boosts/$boost")->code, 404,
       'R096 an administrator may not take it away');
    is($cy->delete("$boosts/$boost")->code, 404, 'nor somebody else');
    my $second = $ada->say($room, 'y');
    is($bob->delete("/messages/$second/boosts/$boost")->code, 404,
       'nor from another message');
    is($bob->delete("$boosts/$_")->code, 404, "nor $_") for 'x', 99999;
    is(sql("SELECT count(*) FROM boosts WHERE id = $boost"), 1, 'it is there');
    my $answer = $bob->delete("$boosts/$boost");
    is($answer->code . html($answer), '204', 'the booster may');
    is(sql("SELECT count(*) FROM boosts WHERE id = $boost"), 0, 'it is gone');
    is($bob->delete("$boosts/$boost")->code, 404, 'once');
    is($ada->delete("$posts/$id")->code, 200, 'a message goes');
    is(sql("SELECT count(*) FROM boosts WHERE message_id = $id"), 0,
       'with its boosts');
};

is_deeply([$server->alarms], [], 'no alarms');
ok($server->stop, 'the server stops');
is($server->{status}, 0, 'and says so');

done_testing();
