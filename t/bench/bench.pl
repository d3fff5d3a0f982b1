#!/usr/bin/env perl
# Measures reading and posting against nginx's own static file of the same
# bytes, in the same run, and checks that every answer keeps its contract.
#
#   bench.pl [--seconds N] [--rounds N] [--json FILE]
#
# One worker on one core, the load generator (wrk) on another. Each row is the
# median of its rounds; ratios compare with the static file of that round.
# Exit code 1 when an answer is wrong or rows are missing, whatever the speed.

use strict;
use warnings;

use FindBin;
use lib "$FindBin::Bin/../lib";

use Getopt::Long;
use JSON::PP;
use Time::HiRes qw(time sleep);

use Campfire::Client;
use Campfire::Server qw(fixtures);

my ($seconds, $rounds, $json) = (3, 3, undef);
GetOptions('seconds=i' => \$seconds, 'rounds=i' => \$rounds,
           'json=s' => \$json)
    or die "usage: bench.pl [--seconds N] [--rounds N] [--json FILE]\n";

my $fixture = fixtures() . '/campfire-bench';
my $labels = do {
    open my $in, '<:raw', "$fixture/labels.json" or die "$fixture: $!";
    local $/;
    decode_json(<$in>);
};

my @wrong;
sub contract {
    my ($ok, $what) = @_;
    return if $ok;
    push @wrong, $what;
    warn "contract: $what\n";
}


# -- the server: one worker, on the first core --

my $server = Campfire::Server->new(
    start => 0, workers => 1, secret => $labels->{secrets}{SECRET_KEY_BASE}
        // $labels->{SECRET_KEY_BASE} // $labels->{secret_key_base},
    main => 'worker_cpu_affinity 01;', zone => '64m',
    server => '', level => 'error');
system("mkdir -p $server->{storage}/db && xz -dkc $fixture/db/production.sqlite3.xz"
       . " > $server->{storage}/db/production.sqlite3"
       . " && cp -r $fixture/files $server->{storage}/") == 0
    or die "the fixture cannot be unpacked\n";
my $static = "$server->{dir}/static";
mkdir $static or die $!;
$server->{server} = "location /static/ { alias $static/; }";
$server->start;

my ($person) = sort grep { /1$/ } keys %{ $labels->{session_cookies} };
my ($cookie) = map { /session_token=(\S+?)(?:;|$)/ ? "session_token=$1"
                                                   : "session_token=$_" }
    $labels->{session_cookies}{$person};

sub fetch {
    my ($path) = @_;
    my $client = Campfire::Client->new($server);
    my $answer = $client->get($path, Cookie => $cookie);
    return ($answer, $client->{token}, $client->cookie);
}


# -- what the pages must be --

my $room = 2;
my ($page, $token, $session) = fetch("/rooms/$room");
contract($page->code == 200, "room page answers " . $page->code);
my $body = $page->content;
my @ids = $body =~ /data-message-id="(\d+)"/g;
my @want = split /\n/, $server->sql("SELECT id FROM (SELECT id, created_at FROM"
    . " messages WHERE room_id = $room ORDER BY created_at DESC, id DESC"
    . " LIMIT 40) ORDER BY created_at, id");
contract("@ids" eq "@want", 'the room page has its last 40 messages in order');
contract($body =~ /<\/html>\s*$/, 'the room page is whole');

open my $out, '>:raw', "$static/room.html" or die $!;
print $out $body;
close $out;

my ($again) = fetch("/rooms/$room");
contract(abs(length($again->content) - length $body) < 200,
         'the cached page is as long as the first');


# -- measuring --

sub ticks {
    my ($pid) = $server->workers;
    open my $in, '<', "/proc/$pid/stat" or return 0;
    my @fields = split ' ', <$in>;
    return $fields[13] + $fields[14];
}

sub measure {
    my ($name, %env) = @_;
    my $connections = delete $env{connections} || 16;
    my $least = delete $env{least};
    local @ENV{keys %env} = values %env;
    local $ENV{COOKIE} = $env{MODE} eq 'post' ? "$cookie; $session" : $cookie;
    local $ENV{HOST} = "127.0.0.1:$server->{port}";
    my $before = ticks();
    my $text = `taskset -c 1 wrk -t1 -c$connections -d${seconds}s --timeout 20s -s $FindBin::Bin/requests.lua http://127.0.0.1:$server->{port}/ 2>&1`;
    my $cpu = (ticks() - $before) / 100;
    my %r = $text =~ /(\w+)=(\d+)/g;
    die "wrk says: $text\n" unless defined $r{good};
    contract($r{bad} == 0, "$name: $r{bad} answers were errors");
    contract($r{bytes} >= $r{good} * ($least || 0),
             "$name: answers of " . int($r{bytes} / ($r{good} || 1))
             . " bytes are too short");
    contract($r{socket} == 0, "$name: $r{socket} socket errors");
    contract($r{good} > 0, "$name: no answers");
    my $n = $r{good} || 1;
    return { name => $name, rate => $n / ($r{duration} / 1e6), good => $r{good},
             cpu => $cpu / $n * 1e6, p50 => $r{p50} / 1000,
             p99 => $r{p99} / 1000 };
}

sub median { my @s = sort { $a <=> $b } @_; return $s[$#s / 2] }

# whole pages only: not the oldest of the room
my $ids = "$server->{dir}/ids";
open $out, '>', $ids or die $!;
print $out $server->sql("SELECT id FROM messages WHERE room_id = 1"
    . " ORDER BY id LIMIT 30000 OFFSET 100"), "\n";
close $out;
my $least = int(0.98 * length $body);

my @plan = (
    ['static file of the same bytes', MODE => 'get',
     REQUEST_PATH => '/static/room.html', least => $least],
    ['room page, cached', MODE => 'get', REQUEST_PATH => "/rooms/$room",
     least => $least],
    ['page of messages, cached', MODE => 'get',
     REQUEST_PATH => "/rooms/$room/messages", least => 60000],
    ['room page around a message, never seen before', MODE => 'each',
     REQUEST_PATH => '/rooms/1/@%d', IDS => $ids,
     least => 60000],
    ['page of older messages, never seen before', MODE => 'each',
     REQUEST_PATH => '/rooms/1/messages?before=%d', IDS => $ids,
     least => 60000],
    ['post, 1 client', MODE => 'post', TOKEN => $token,
     REQUEST_PATH => '/rooms/3/messages', connections => 1],
    ['post, 16 clients', MODE => 'post', TOKEN => $token,
     REQUEST_PATH => '/rooms/3/messages'],
);

my %results;
my $posted = 0;
my $count = $server->sql('SELECT count(*) FROM messages');

for my $round (1 .. $rounds) {
    for my $row (@plan) {
        my ($name, %env) = @$row;
        $env{TAG} = "r$round" . ($env{connections} ? 'a' : 'b');
        my $result = measure($name, %env);
        push @{ $results{$name} }, $result;
        $posted += $result->{good} if $env{MODE} eq 'post';
    }
}

# wrk ends with requests on their way: some more rows may be there, no fewer
my $rows = $server->sql('SELECT count(*) FROM messages') - $count;
contract($rows >= $posted && $rows <= $posted + 17 * $rounds * 2,
         "$posted posts were answered, $rows rows are there");
my $lost = $server->sql(q{SELECT count(*) FROM messages m WHERE
    m.client_message_id LIKE 'r%x%' AND (NOT EXISTS (SELECT 1 FROM
    action_text_rich_texts t WHERE t.record_type = 'Message'
    AND t.record_id = m.id) OR NOT EXISTS (SELECT 1 FROM message_search_index
    i WHERE i.rowid = m.id))});
contract($lost == 0, "$lost messages lack their body or their index row");
contract($server->sql('PRAGMA quick_check') eq 'ok', 'the database is whole');

my $base = $plan[0][0];
my @table;
printf "%-48s %10s %8s %8s %8s %8s\n", "$rounds rounds of ${seconds} s",
    'requests/s', 'ratio', 'cpu us', 'p50 ms', 'p99 ms';
for my $row (@plan) {
    my $name = $row->[0];
    my $r = $results{$name};
    my $ratio = median(map { $r->[$_]{rate} / $results{$base}[$_]{rate} }
                       0 .. $#$r);
    my %m = map { my $k = $_; ($k => median(map { $_->{$k} } @$r)) }
        qw(rate cpu p50 p99);
    printf "%-48s %10.0f %8.3f %8.0f %8.2f %8.2f\n", $name, $m{rate}, $ratio,
        $m{cpu}, $m{p50}, $m{p99};
    push @table, { name => $name, ratio => $ratio, %m };
}
printf "page of %d bytes, %d messages in the database\n", length $body, $count;

if ($json) {
    open my $file, '>', $json or die "$json: $!";
    print $file JSON::PP->new->canonical->pretty->encode(
        { rows => \@table, seconds => $seconds, rounds => $rounds,
          bytes => length $body, wrong => \@wrong });
}

$server->stop;
exit(@wrong ? 1 : 0);
