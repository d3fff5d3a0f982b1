# Two Campfires in one nginx, a mount point, the log, the status page.
use lib 't/lib';
use strict;
use warnings;

use File::Path qw(make_path);
use Test::More;

use Campfire::Client;
use Campfire::Server qw(wait_for);

my $server = Campfire::Server->new(workers => 2, start => 0);
my $dir = $server->{dir};
my $other = Campfire::Server::free_port();

make_path("$dir/second", "$dir/third");
for my $name (qw(second third)) {
    open my $out, '>', "$dir/$name.secrets" or die $!;
    print $out 'SECRET_KEY_BASE=' . substr($name, 0, 1) x 128 . "\n",
               "VAPID_PUBLIC_KEY=p\nVAPID_PRIVATE_KEY=q\n";
    chmod 0600, $out;
    close $out;
}

$server->{http} = <<"END";
    log_format campfire '\$campfire_request|\$campfire_user_id|'
                        '\$campfire_cache|\$status|\$route';
    server {
        listen 127.0.0.1:$other;
        location / {
            campfire $dir/second;
            campfire_secrets_file $dir/second.secrets;
            campfire_tls off;
            campfire_zone second 16m;
        }
        location /chat/ {
            campfire $dir/third;
            campfire_secrets_file $dir/third.secrets;
            campfire_tls off;
            campfire_zone third 16m;
        }
    }
END
$server->{location} = <<"END";
            campfire_set_route \$route \$request_uri;
            access_log $dir/access.log campfire;
END
$server->start;

my $second = bless { %$server, port => $other, storage => "$dir/second",
                     pid => undef }, 'Campfire::Server';
my $third = bless { %$second, storage => "$dir/third" }, 'Campfire::Server';

my $ada = Campfire::Client->new($server);
my $bob = Campfire::Client->new($second);
is($ada->first_run('Ada'), 1, 'one is set up');
is($bob->first_run('Bob'), 1, 'the other is set up by itself');
is($server->sql('SELECT group_concat(name) FROM users'), 'Ada', 'data of one');
is($second->sql('SELECT group_concat(name) FROM users'), 'Bob',
   'data of the other');

# a cookie of one is nothing to the other
{
    my $cookie = $ada->cookie;
    my $stranger = Campfire::Client->new($second);
    my $answer = $stranger->get('/rooms/1', Cookie => $cookie);
    is($answer->header('Location'), $second->url('/session/new'),
       'a cookie of one does not open the other');
}

# sockets
{
    my ($one, $two) = ($ada->socket, $bob->socket);
    ok($_->welcome, 'a socket') for $one, $two;
    for my $pair ([$ada, $one], [$bob, $two]) {
        my ($client, $ws) = @$pair;
        my ($name) = $client->get('/rooms/1')->decoded_content
            =~ /signed-stream-name="([^"]+)"/;
        is($ws->subscribed(channel => 'RoomMessagesChannel',
                           signed_stream_name => $name), 1, 'subscribed');
        is($ws->subscribed(channel => 'UnreadRoomsChannel'), 1, 'unread, too');
    }
    $ada->say(1, '<p>for Ada only</p>');
    like(($one->expect(sub { $_->{message} }) // {})->{message},
         qr/for Ada only/, 'a broadcast of one');
    is($two->expect(sub { $_->{message} }, 0.5), undef,
       'is not heard in the other');
}

# below a path
{
    my $client = Campfire::Client->new($third);
    my $page = $client->get('/chat/first_run')->decoded_content;
    like($page, qr{action="/chat/first_run"}, 'forms keep the mount point');
    my $answer = $client->post('/chat/first_run', [
        'user[name]' => 'Cid', 'user[email_address]' => 'cid@example.com',
        'user[password]' => 'secret123456']);
    is($answer->header('Location'), $third->url('/chat/'), 'redirects, too');
    $page = $client->visit('/chat/')->decoded_content;
    like($page, qr{action-cable-url" content="/chat/cable"}, 'and the cable');
    my @bare = $page =~ m{(?:href|src|action)="(/(?!chat/|assets/)[^"]*)"}g;
    is_deeply(\@bare, [], 'no link leaves it');
    my ($stream) = $page =~ /signed-stream-name="([^"]+)"/;
    my $ws = $client->socket(path => '/chat/cable');
    ok($ws->welcome, 'the cable answers there');
    is($ws->subscribed(channel => 'RoomMessagesChannel',
                       signed_stream_name => $stream), 1, 'and delivers');
    my $posted = $client->post('/chat/rooms/1/messages',
                               ['message[body]' => '<p>below</p>']);
    is($posted->code, 200, 'posting works below a path');
    like(($ws->expect(sub { $_->{message} }) // {})->{message},
         qr{href="/chat/rooms/1/@\d+"}, 'links of broadcasts as well');
}

# the access log
{
    $ada->get('/rooms/1');
    $ada->get('/join/abcd-efgh-ijkl');
    $ada->get('/session/transfers/secret-token');
    $ada->get('/rooms/1?bot_key=7-abcdefghijkl');
    Campfire::Client->new($server)->get('/session/new');
    my $log = '';
    wait_for(sub {
        open my $in, '<', "$dir/access.log" or return 0;
        local $/;
        $log = <$in> // '';
        return $log =~ m{session/new};
    });
    like($log, qr{^GET /rooms/1 HTTP/1\.1\|1\|[A-Z-]+\|200\|/rooms/:id$}m,
         'request, user, cache, status and route');
    like($log, qr{\|-\|[A-Z-]+\|200\|/session/new$}m, 'nobody is a dash');
    unlike($log, qr/abcd-efgh|secret-token|abcdefghijkl/, 'no secrets');
}

# the status page
{
    my $answer = $ada->get('/status');
    is($answer->code, 200, 'the status page');
    like($answer->header('Content-Type'), qr{^text/plain; version=0\.0\.4},
         'of Prometheus');
    my $text = $answer->decoded_content;
    my %types = $text =~ /^# TYPE (\S+) (\S+)$/mg;
    cmp_ok(scalar(keys %types), '>', 15, 'has many metrics');
    my @samples = grep { !/^#/ } split /\n/, $text;
    is_deeply([grep {
        !/^[a-z_]+\{storage="[^"]*"(?:,[a-z_]+="[^"]*")*\} \d+(?:\.\d+)?$/
    } @samples], [], 'every line is one');
    is_deeply([sort { $a cmp $b } do { my %s; $s{$_}++ for
        $text =~ /storage="([^"]*)"/g; keys %s }],
        [sort "$dir/second", "$dir/storage", "$dir/third"],
        'of every Campfire');
    my @unknown = grep { my ($n) = /^([a-z_]+)/; !$types{$n} } @samples;
    is_deeply(\@unknown, [], 'and is described');
    is($ada->post('/status', [])->code, 405, 'only for reading');
}

# a test of the configuration leaves no trace
{
    my $new = Campfire::Server->new(start => 0);
    $new->write_config;
    my $nginx = $ENV{CAMPFIRE_NGINX} || '/usr/sbin/nginx';
    my $out = `$nginx -t -p $new->{dir} -e $new->{dir}/error.log -c $new->{dir}/nginx.conf 2>&1`;
    is($?, 0, 'nginx -t is content') or diag($out);
    is_deeply([glob "$new->{storage}/*"], [], 'and the storage untouched');
}

is_deeply([$server->alarms], [], 'no alarms');
ok($server->stop, 'the server stops');
is($server->{status}, 0, 'well');

done_testing();
