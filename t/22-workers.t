# Workers that come and go: reload, crash, quit; and commits of others.
use lib 't/lib';
use strict;
use warnings;

use Test::More;
use Time::HiRes qw(sleep time);

use Campfire::Client;
use Campfire::Server qw(wait_for);

my $server = Campfire::Server->new(workers => 2);
my $ada = Campfire::Client->new($server);
my $bob = Campfire::Client->new($server);
$ada->first_run('Ada');
$bob->join('Bob');

sub gauge {
    my ($name) = @_;
    my $sum = 0;
    my $text = $ada->get('/status')->decoded_content;
    $sum += $1 while $text =~ /^\Q$name\E\{[^}]*\} (\d+)$/mg;
    return $sum;
}

sub live {
    my ($client, $count) = @_;
    my ($name) = $client->get('/rooms/1')->decoded_content
        =~ /signed-stream-name="([^"]+)"/;
    my @sockets;
    for (1 .. $count) {
        my $ws = $client->socket;
        $ws->welcome or return;
        $ws->subscribed(channel => 'RoomMessagesChannel',
                        signed_stream_name => $name);
        push @sockets, $ws;
    }
    return @sockets;
}


# -- a foreign commit is seen by the next page --

{
    $ada->get('/rooms/1');
    my $before = gauge('campfire_foreign_commits_total');
    $server->sql(q{
        INSERT INTO messages (room_id, creator_id, client_message_id, created_at, updated_at)
        VALUES (1, 1, 'foreign', '2026-01-01 10:00:00', '2026-01-01 10:00:00');
        INSERT INTO action_text_rich_texts (name, body, record_type, record_id, created_at, updated_at)
        VALUES ('body', '<p>from outside</p>', 'Message', last_insert_rowid(),
                '2026-01-01 10:00:00', '2026-01-01 10:00:00');
    });
    like($ada->get('/rooms/1')->decoded_content, qr/from outside/,
         'what the sqlite3 shell wrote is on the next page');
    cmp_ok(gauge('campfire_foreign_commits_total'), '>', $before,
           'and counted as foreign');

    my $count = gauge('campfire_foreign_commits_total');
    $ada->say(1, '<p>ours</p>') for 1 .. 5;
    $ada->get('/rooms/1');
    is(gauge('campfire_foreign_commits_total'), $count,
       'our own commits are not');
}


# -- a lock held by another program --

{
    my $pid = open my $shell, '|-', 'sqlite3', $server->database or die $!;
    $shell->autoflush(1);
    print $shell "BEGIN IMMEDIATE;\n";
    sleep 0.3;
    my $t = time;
    is($ada->get('/rooms/1')->code, 200, 'reads go on');
    cmp_ok(time - $t, '<', 1, 'at once');
    my $child = fork // die;
    if (!$child) {
        sleep 1;
        print $shell "COMMIT;\n";
        require POSIX;
        POSIX::_exit(0);
    }
    ok($ada->say(1, '<p>waited</p>'), 'a post waits for the lock');
    cmp_ok(time - $t, '>', 0.8, 'that long');
    waitpid $child, 0;
    close $shell;
}


# -- reload --

{
    my @sockets = live($bob, 20);
    is(scalar @sockets, 20, 'twenty sockets');
    my @old = $server->workers;

    ok($server->reload, 'a reload brings new workers');

    my (%told, %lost, $posts);
    my $end = time + 12;
    my %seen;
    while (time < $end && keys %told < @sockets) {
        my $id = $ada->say(1, '<p>during</p>') or last;
        $posts++;
        for my $i (0 .. $#sockets) {
            next if $told{$i};
            while (my $frame = $sockets[$i]->next(0.002)) {
                if (($frame->{type} // '') eq 'disconnect') {
                    $told{$i} = "$frame->{reason}/$frame->{reconnect}";
                    last;
                }
                if (($frame->{message} // '') =~ /data-message-id="(\d+)"/) {
                    push @{ $seen{$i} }, $1;
                }
            }
            $lost{$i} = 1 if $sockets[$i]{closed} && !$told{$i};
        }
        sleep 0.05;
    }
    is(scalar(keys %told), 20, 'every socket is told');
    is_deeply([grep { $_ ne 'server_restart/1' } values %told], [],
              'to come back');
    is(scalar(keys %lost), 0, 'none is dropped without a word');
    cmp_ok($posts, '>', 5, "$posts posts were answered meanwhile");
    my $gaps = grep {
        my $list = $seen{$_} || [];
        grep { $list->[$_] != $list->[$_ - 1] + 1 } 1 .. $#$list;
    } keys %seen;
    is($gaps, 0, 'until then nothing was missed');

    my %now;
    ok(wait_for(sub {
        %now = map { $_ => 1 } $server->workers;
        return !grep { $now{$_} } @old;
    }, 15), 'the old workers are gone');

    my ($again) = live($bob, 1);
    my $id = $ada->say(1, '<p>after</p>');
    ok($again->expect(sub { ($_->{message} // '') =~ /data-message-id="$id"/ }),
       'new sockets get what comes then');
}


# -- a worker is killed --

{
    my @sockets = live($bob, 12);
    my @before = $server->workers;
    my ($victim) = @before;
    kill KILL => $victim;

    my $dead = 0;
    for my $ws (@sockets) {
        $ws->next(0.5);
        $dead++ if $ws->{closed};
    }
    cmp_ok($dead, '<', 12, 'the other worker keeps its sockets');
    ok(wait_for(sub { 2 == grep { $_ != $victim } $server->workers }),
       'there is a new worker');
    ok(wait_for(sub { gauge('campfire_workers_reclaimed_total') >= 1 }),
       'the slot is given back');

    my @alive = grep { !$_->{closed} } @sockets;
    my @new = live($bob, 6);
    my $id = $ada->say(1, '<p>still here</p>');
    ok($id, 'posts are taken');
    my $got = grep {
        $_->expect(sub { ($_->{message} // '') =~ /data-message-id="$id"/ }, 3)
    } @alive, @new;
    is($got, @alive + @new, 'and reach all who are left and new');
}


# -- killed with posts in flight: the lock is not left behind --

for my $round (1 .. 5) {
    my @children;
    for my $n (1 .. 4) {
        my $pid = fork // die;
        if (!$pid) {
            my $client = Campfire::Client->new($server);
            $client->{ua}->cookie_jar($ada->{ua}->cookie_jar);
            $client->{token} = $ada->{token};
            $client->say(1, "<p>storm $round $n $_</p>") for 1 .. 30;
            require POSIX;
            POSIX::_exit(0);
        }
        push @children, $pid;
    }
    sleep 0.05 * $round;
    my ($victim) = $server->workers;
    kill KILL => $victim;
    waitpid $_, 0 for @children;
    my $t = time;
    ok($ada->say(1, "<p>round $round</p>") || $ada->say(1, "<p>again</p>"),
       'a post right after a crash');
    cmp_ok(time - $t, '<', 4, 'does not wait for the dead');
}
is($server->sql('PRAGMA integrity_check'), 'ok', 'the database is whole');
is($server->sql('SELECT count(*) FROM messages m LEFT JOIN'
    . ' action_text_rich_texts t ON t.record_id = m.id'
    . " AND t.record_type = 'Message' WHERE t.id IS NULL"), 0,
   'no message without its body');


# -- quit: presence is taken back, nobody is left without a word --

{
    my ($ws) = live($bob, 1);
    is($ws->subscribed(channel => 'PresenceChannel', room_id => 1), 1,
       'Bob is present');
    my $connections = 'SELECT connections FROM memberships'
        . ' WHERE room_id = 1 AND user_id = 2';
    is($server->sql($connections), 1, 'counted');
    ok($server->stop('QUIT'), 'the server quits');
    is($server->{status}, 0, 'well');
    my $frame = $ws->expect(sub { ($_->{type} // '') eq 'disconnect' });
    is(($frame // {})->{reason}, 'server_restart', 'he is told');
    is($server->sql($connections), 0, 'and counted no more');
}

{
    $server->sql('UPDATE memberships SET connections = 3,'
        . " connected_at = '2099-01-01 00:00:00'");
    $server->start;
    is($server->sql('SELECT max(connections) FROM memberships'), 0,
       'at the first start nobody is connected');
    my ($ws) = live($bob, 1);
    $ws->subscribed(channel => 'PresenceChannel', room_id => 1);
    $server->reload;
    sleep 0.5;
    cmp_ok($server->sql('SELECT max(connections) FROM memberships'), '>=', 0,
       'a reload resets nothing by itself');
    ok($server->stop('TERM'), 'a fast stop');
    my $frame = $ws->expect(sub { ($_->{type} // '') eq 'disconnect' });
    is(($frame // {})->{reason}, 'server_restart', 'he is told there, too');
    ok(!-s $server->database . '-wal', 'the log is empty after the last one');
}

is_deeply([grep { !/signal 9/ } $server->alarms], [], 'no alarms');

done_testing();
