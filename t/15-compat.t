# A storage that Rails wrote, with its secret: people stay signed in, what they
# wrote shows, and what we write leaves the database as it was.
use lib 't/lib';
use strict;
use utf8;
use warnings;

use DBI;
use JSON::PP qw(decode_json);
use Test::More;

use Campfire::Client;
use Campfire::Server qw(fixtures wait_for);
use Campfire::Signer;

binmode Test::More->builder->$_, ':utf8'
    for qw(output failure_output todo_output);

sub load {
    my ($file) = @_;
    open my $in, '<:raw', fixtures() . "/$file" or die "$file: $!";
    local $/;
    return decode_json(<$in>);
}

my $vectors = load('vectors.json');
my $labels = load('campfire-small/labels.json');
my %room = %{ $labels->{rooms} };
my %message = %{ $labels->{messages} };

my $server = Campfire::Server->new(fixture => 'campfire-small',
    secret => $vectors->{secret_key_base}, workers => 2, start => 0);

# Before we touch it: the schema and all the rows, as Rails left them.
sub schema {
    return $server->sql("SELECT type, name, tbl_name, sql FROM sqlite_master"
        . " WHERE name NOT LIKE 'campfire_%' ORDER BY type, name");
}

sub dump_of {
    my ($table, $columns) = @_;
    return $server->sql("SELECT $columns FROM $table ORDER BY 1");
}

my $schema = schema();
my %rows = map { $_ => dump_of($_, '*') } qw(accounts rooms users messages
    action_text_rich_texts active_storage_blobs active_storage_attachments
    active_storage_variant_records boosts bans webhooks searches
    push_subscriptions schema_migrations ar_internal_metadata);
$rows{memberships} = dump_of('memberships',
                             'id, room_id, user_id, involvement, unread_at');
$rows{message_search_index} = dump_of('message_search_index', 'rowid, body');

$server->start;

# A browser with the cookie that Rails gave a person.
sub person {
    my ($who) = @_;
    my ($row) = grep { $_->{who} eq $who && $_->{set_cookie} }
        @{ $vectors->{signed_cookies} };
    my $me = Campfire::Client->new($server);
    my ($value) = $row->{set_cookie}[0] =~ /^session_token=([^;]+)/;
    $me->set_cookie('session_token', $value);
    return $me;
}

sub html { return $_[0]->decoded_content }
sub ids { return [html($_[0]) =~ /data-message-id="(\d+)"/g] }

sub escaped {
    my ($text) = @_;
    my %as = ('&' => '&amp;', '<' => '&lt;', '>' => '&gt;', '"' => '&quot;',
              "'" => '&#39;');
    $text =~ s/([&<>"'])/$as{$1}/g;
    return $text;
}

sub location {
    my ($answer) = @_;
    my $url = $answer->header('Location') // '';
    my $base = $server->url;
    $url =~ s/^\Q$base\E//;
    return $answer->code . " $url";
}

subtest 'the database is opened as it is' => sub {
    is(schema(), $schema, 'no table, index or column of theirs changed');
    is($server->sql("SELECT count(*) FROM sqlite_master WHERE name LIKE"
                    . " 'campfire_%' AND type = 'table'"), 1,
       'one table was added');
    for (sort keys %rows) {
        my $columns = $_ eq 'memberships'
                    ? 'id, room_id, user_id, involvement, unread_at'
                    : $_ eq 'message_search_index' ? 'rowid, body' : '*';
        is(dump_of($_, $columns), $rows{$_}, "the rows of $_");
    }
};

my $ada = person('ada');

subtest 'R137 cookies of Rails' => sub {
    for my $who (qw(ada bruno chiara dmitri emile hana ivo)) {
        my $me = person($who);
        my $page = $me->visit('/');
        is($page->code, 200, "$who is in");
        like(html($page), qr{name="current-user-id" content="$labels->{users}{$who}"},
             'as that person');
        like(html($page), qr{name="current-user-name" content="[^"]+"}, 'by name');
        is(html($page) =~ /<body class="[^"]*\badmin\b/ ? 1 : 0,
           $who eq 'ada' || $who eq 'ivo' ? 1 : 0, 'with that role');
    }
    like(html(person('hana')->get('/')), qr{<title>No rooms yet</title>},
         'somebody without rooms');
    ok(wait_for(sub {
        return $server->sql("SELECT count(*) FROM sessions WHERE ip_address ="
            . " '127.0.0.1' AND user_agent = 'campfire-test'") == 7;
    }), 'R135 their sessions are refreshed');
    is($server->sql('SELECT count(*) FROM sessions'), 7, 'and no more');

    for (@{ $vectors->{signed_cookie_acceptance} }) {
        next if ref $_->{result};
        my $cookie = Campfire::Signer::escape($_->{cookie_value});
        my ($status) = $server->raw("GET /rooms/1 HTTP/1.0\r\nHost: h\r\n"
            . "Cookie: session_token=$cookie\r\n\r\n") =~ m{^HTTP\S+ (\d+)};
        is($status, defined $_->{result} ? 200 : 302, $_->{case});
    }
};

subtest 'R137 sessions of Rails' => sub {
    my %session = map { join(',', sort keys %{ $_->{data} }) => $_->{cookie_value} }
        @{ $vectors->{session_cookies} };
    my $token = $ada->cookie =~ /(session_token=[^;]+)/ ? $1 : '';
    my $ask = sub {
        my ($name, $method, $path, $body, $host, @cookies) = @_;
        my $cookie = join '; ', @cookies, '_campfire_session='
                     . Campfire::Signer::escape($session{$name});
        $body //= '';
        return $server->raw("$method $path HTTP/1.0\r\nHost: $host\r\n"
            . "Cookie: $cookie\r\nContent-Type: application/x-www-form-urlencoded"
            . "\r\nContent-Length: " . length($body) . "\r\n\r\n$body");
    };
    my $page = $ask->('_csrf_token,flash,session_id', 'GET', '/rooms/1', '',
                      'h', $token);
    utf8::decode($page);
    like($page, qr{role="alert"[^>]*>✓<}, 'a flash is shown');
    my ($shown) = $page =~ /name="csrf-token" content="([^"]+)"/;
    my ($again) = $ask->('_csrf_token,session_id', 'GET', '/rooms/1', '', 'h',
                         $token) =~ /name="csrf-token" content="([^"]+)"/;
    is($again, $shown, 'the secret of the session makes the token');

    my ($form) = grep { $_->{hmac_input} eq '/session#post' }
        @{ $vectors->{csrf}{per_form} };
    for my $good (@{ $vectors->{csrf}{global}{masked} }, @{ $form->{masked} },
                  $vectors->{csrf}{real_token_in_session})
    {
        my $answer = $ask->('_csrf_token,session_id', 'PUT', '/session/transfers/x',
            Campfire::Client::encode(authenticity_token => $good), 'h');
        my $per_form = grep { $_ eq $good } @{ $form->{masked} };
        like($answer, $per_form ? qr{^HTTP/1\.1 422 } : qr{^HTTP/1\.1 400 },
             'a token of Rails is taken where it belongs');
    }
    my $sign_in = sub {
        my ($token, $host, $name) = @_;
        return $ask->($name, 'POST', '/session', Campfire::Client::encode(
            authenticity_token => $token, email_address => 'ada@fixture.test',
            password => $labels->{passwords}{ada}), $host);
    };
    like($sign_in->($form->{masked}[0], '127.0.0.1:3000',
                    '_csrf_token,return_to_after_authenticating,session_id'),
         qr{\r\nLocation: http://127\.0\.0\.1:3000/rooms/2\r\n},
         'the page one wanted is found');
    like($sign_in->($form->{masked}[1], 'other.example',
                    '_csrf_token,return_to_after_authenticating,session_id'),
         qr{\r\nLocation: http://other\.example/\r\n},
         'unless it is on another host');
};

subtest 'R011 R012 passwords of Rails' => sub {
    my $n = 20;
    my $try = sub {
        my ($who, $password) = @_;
        my $me = Campfire::Client->new($server, address => '127.0.0.' . ++$n);
        return $me->sign_in($labels->{emails}{$who}, $password);
    };
    for my $who (qw(ada bruno chiara dmitri emile ivo)) {
        ok($try->($who, $labels->{passwords}{$who}), $who);
        is($try->($who, $labels->{passwords}{$who} . 'x'), undef,
           'with no other');
    }
    for my $who (qw(fenna gus)) {
        is($try->($who, $labels->{passwords}{$who}), undef, "not $who");
    }
    my $hana = Campfire::Client->new($server, address => '127.0.0.99');
    $hana->get('/session/new');
    is(location($hana->post('/session', [email_address => $labels->{emails}{hana},
       password => $labels->{passwords}{hana}])), '302 /', 'hana');
};

subtest 'R018 R017 R023 links of Rails' => sub {
    my $me = Campfire::Client->new($server);
    is($me->get("/join/$labels->{join_code}")->code, 200, 'the join link');
    is($me->put("/session/transfers/$_->{id}", [])->code, 400,
       "a transfer of $_->{who} that is over") for @{ $vectors->{transfer_ids} };
    for (@{ $vectors->{avatar_token_acceptance} }) {
        is($ada->get("/users/$_->{token}/avatar")->code,
           $_->{result} =~ /^\d+$/ ? 200 : 404, "an avatar, $_->{case}");
    }
    for (@{ $vectors->{avatar_tokens} }) {
        my $signer = Campfire::Signer->new($vectors->{secret_key_base});
        is($signer->signed_id($_->{user_id}, 'user/avatar'), $_->{token},
           'we sign alike');
        my $answer = $ada->get("/users/$_->{token}/avatar");
        is($answer->code, 200, "the avatar of $_->{user_id}");
    }
    like(html($ada->get('/users/me/sidebar')), qr{/users/\Q$vectors->{avatar_tokens}[0]{token}\E/avatar\?v=},
         'pages carry the same');
};

subtest 'rooms' => sub {
    for my $name (sort keys %room) {
        my $id = $room{$name};
        my $answer = $ada->get("/rooms/$id");
        if ($name eq 'without_ada') {
            is(location($answer), '302 /', "not $name");
            $ada->get('/rooms/1');
            next;
        }
        is($answer->code, 200, $name);
        my @want = split /\n/, $server->sql("SELECT id FROM (SELECT id, created_at"
            . " FROM messages WHERE room_id = $id AND creator_id IN (SELECT id"
            . " FROM users) ORDER BY created_at DESC, id DESC LIMIT 40)"
            . " ORDER BY created_at, id");
        is_deeply(ids($answer), \@want, 'shows its messages');
        like(html($answer), qr{^<!DOCTYPE html>.*</html>\s*$}s, 'in full');
    }
    for (grep { $_->{for_user} ne 'nobody' } @{ $vectors->{room_display_names} }) {
        my $me = person($_->{for_user});
        my $name = escaped($_->{name});
        like(html($me->get("/rooms/$room{ $_->{room} }")),
             qr{<title>\Q$name\E</title>}, "$_->{room} for $_->{for_user}");
    }
    like(html($ada->get("/rooms/$room{broken}")), qr{message--failed},
         'a message whose author is not there is said to be broken');
    my %signed = map { $_->{use} => $_->{signed} } @{ $vectors->{turbo_stream_names} };
    like(html($ada->get("/rooms/$room{design_review}")),
         qr{channel="RoomMessagesChannel" signed-stream-name="\Q$signed{'room messages'}\E"},
         'the stream has the name that Rails gives it');
    my $sidebar = html($ada->get('/users/me/sidebar'));
    like($sidebar, qr{signed-stream-name="\Q$signed{'rooms of everyone'}\E"}, 'so has that of all rooms');
    like($sidebar, qr{signed-stream-name="\Q$signed{'rooms of ada'}\E"}, 'and of one’s own');
    is_deeply([sort { $a <=> $b } $sidebar =~ m{class="[^"]* unread" href="/rooms/(\d+)"}g],
              [3, 11, 12], 'what is unread');
    unlike($sidebar, qr{data-room-id="$room{archive}"}, 'what is invisible');

    my @busy = split /\n/, $server->sql("SELECT id FROM messages WHERE room_id ="
        . " $room{busy_corner} ORDER BY created_at, id");
    my @walk = @{ ids($ada->get("/rooms/$room{busy_corner}/messages")) };
    while ((my $page = $ada->get("/rooms/$room{busy_corner}/messages?before=$walk[0]"))
           ->code == 200)
    {
        unshift @walk, @{ ids($page) };
    }
    is_deeply(\@walk, \@busy, 'page by page, all of a busy room');
};

subtest 'each message' => sub {
    my $list = html($ada->get("/rooms/$room{design_review}/messages"))
             . html($ada->get("/rooms/$room{design_review}/\@1"));
    unlike($list, qr{<script>(?!\s*</script>)alert|onerror=|javascript:alert}i,
           'nothing hostile gets through');
    for my $label (sort keys %message) {
        my $id = $message{$label};
        my $room = $server->sql("SELECT room_id FROM messages WHERE id = $id");
        my $want = $room == $room{without_ada} ? 404 : 200;
        next if $label =~ /^busy_\d+$/ && $id % 10;
        my $answer = $ada->get("/rooms/$room/messages/$id");
        is($answer->code, $want, $label);
        next if $want != 200 || $label eq 'orphan';
        is_deeply(ids($answer), [$id], 'is shown');
        is($ada->get("/rooms/$room/messages/$id/edit")->code, 200,
           'and can be edited');
        is($ada->get("/messages/$id/boosts")->code, 200, 'and boosted');
    }
    my $show = sub {
        return html($ada->get("/rooms/$room{design_review}/messages/$message{$_[0]}"));
    };
    like($show->('emoji_only'), qr{class="message message--emoji"}, 'an emoji');
    like($show->('emoji_heart'), qr{class="message message--emoji"}, 'a heart');
    like($show->('mention'), qr{class="mention"}, 'a mention');
    like($show->('mention_old_format'), qr{class="mention"}, 'an old mention');
    like($show->('sound_text'), qr{data-controller="sound"}, 'a sound');
    like($show->('opengraph'), qr{class="og-embed}, 'a preview');
    like($show->('by_deactivated'), qr{Fenna}, 'somebody who left');
    is(() = $show->('boosted_many') =~ /<div id="boost_\d+"/g, 7, 'boosts');
    like($show->('boosted_many'), qr{&lt;b&gt;&amp;}, 'as text');
};

subtest 'what is posted is what Rails would store' => sub {
    my $path = "/rooms/$room{design_review}/messages";
    for (grep { $_->{create_status} == 200 } @{ $vectors->{rich_text} }) {
        my $answer = $ada->post($path, ['message[body]' => $_->{submitted}]);
        my ($id) = @{ ids($answer) };
        (my $name = $_->{submitted}) =~ s/\s+/ /g;
        is($server->sql("SELECT body FROM action_text_rich_texts WHERE"
                        . " record_type = 'Message' AND record_id = $id"),
           $_->{stored}, substr $name, 0, 80);

        # newer versions set every heading apart; some rows Rails fails on
        my $text = $name =~ /<h6>/ ? "One\n\nTwo\n\nSix" : $_->{indexed_text};
        is($server->sql("SELECT body FROM message_search_index WHERE rowid"
                        . " = $id"), $text, 'its text') unless $_->{note};
        is($ada->delete("$path/$id")->code, 200, 'and deleted');
    }

    my $id = $ada->say($room{design_review}, '<p>Hello <strong>Rails</strong></p>');
    my $row = $server->sql("SELECT created_at, updated_at, typeof(created_at),"
        . " typeof(creator_id) FROM messages WHERE id = $id");
    like($row, qr/^(\d{4}-\d\d-\d\d \d\d:\d\d:\d\d\.\d{6})\|\1\|text\|integer$/,
         'times are written as Rails does');
    is($server->sql("SELECT name, record_type, body FROM action_text_rich_texts"
                    . " WHERE record_id = $id AND record_type = 'Message'"),
       'body|Message|<p>Hello <strong>Rails</strong></p>', 'its body');
    is($ada->put("$path/$id", ['message[body]' => 'edited'])->code, 302, 'edit');
    is($ada->post("/messages/$id/boosts", ['boost[content]' => '👍'])->code, 302,
       'boost');
    is($ada->put("/rooms/$room{archive}/involvement",
                 [involvement => 'mentions'])->code, 302, 'involvement');
    is(person('bruno')->get("/rooms/$room{design_review}")->code, 200,
       'others see it');
};

subtest 'the database afterwards' => sub {
    is($server->sql('PRAGMA integrity_check'), 'ok', 'is whole');
    is(schema(), $schema, 'its schema is as it was');
    is($server->sql('PRAGMA foreign_key_check'),
       "messages|$message{orphan}|users|0", 'only the planted row has no author');
    for my $table (qw(accounts users active_storage_blobs
                      active_storage_attachments active_storage_variant_records
                      bans webhooks searches push_subscriptions
                      schema_migrations ar_internal_metadata))
    {
        is(dump_of($table, '*'), $rows{$table}, "$table: nothing changed");
    }
    is($server->sql("SELECT count(*) FROM messages WHERE id <= 196"), 196,
       'every message is there');
    is(join("\n", grep { /^(\d+)\|/ && $1 <= 196 }
            split /\n/, dump_of('messages', '*')), $rows{messages},
       'unchanged');
};

is_deeply([$server->alarms], [], 'no alarms');
ok($server->stop, 'the server stops');
is($server->{status}, 0, 'and says so');

subtest 'R137 another reader' => sub {
    my $wal = $server->database . '-wal';
    ok(!-e $wal || -z $wal, 'nothing waits beside the database');
    my $db = DBI->connect('dbi:SQLite:dbname=' . $server->database, '', '',
                          { RaiseError => 1 });
    is($db->selectrow_array('PRAGMA integrity_check'), 'ok', 'is whole');
    is($db->selectrow_array("SELECT count(*) FROM message_search_index WHERE"
        . " message_search_index MATCH 'edited'"), 1, 'can be searched');
    $db->disconnect;
};

subtest 'with another secret nobody is in' => sub {
    my $other = Campfire::Server->new(storage => $server->{storage},
                                      secret => 'z' x 128);
    my $me = Campfire::Client->new($other);
    my ($value) = $vectors->{signed_cookies}[0]{set_cookie}[0]
        =~ /^session_token=([^;]+)/;
    $me->set_cookie('session_token', $value);
    is($me->get('/rooms/1')->code, 302, 'the cookie is not known');
    is($me->sign_in('ada@fixture.test', $labels->{passwords}{ada}), 1,
       'but the password is');
    like(html($me->get("/rooms/2/messages/$message{mention}")),
         qr{class="mention"}, 'and mentions still show');
    is_deeply([$other->alarms], [], 'no alarms');
    ok($other->stop, 'stops');
    is($other->{status}, 0, 'well');
};

done_testing();
