# The examples of conf/ as an operator would use them, with a certificate.
use lib 't/lib';
use strict;
use warnings;

use Test::More;

use Campfire::Client;
use Campfire::Server qw(build top wait_for);

my $server = Campfire::Server->new(start => 0, workers => 2);
my $dir = $server->{dir};
my $tls = Campfire::Server::free_port();

sub slurp {
    my ($file) = @_;
    open my $in, '<', $file or die "$file: $!";
    local $/;
    return scalar <$in>;
}

system("openssl req -x509 -newkey ec -pkeyopt ec_paramgen_curve:prime256v1"
       . " -nodes -keyout $dir/key.pem -out $dir/cert.pem -days 2"
       . " -subj /CN=chat.example.com >/dev/null 2>&1") == 0
    or die 'no certificate';

# only what differs on every machine is put in
my $main = slurp(top() . '/conf/main.conf');
my $site = slurp(top() . '/conf/campfire.conf');
my $module = $ENV{CAMPFIRE_MODULE} || build() . '/module/ngx_campfire_module.so';
my $user = $> == 0 ? 'root' : 'www-data';

$main =~ s/^user .*;/user $user;/m;
$main =~ s/^worker_processes .*;/worker_processes 2;/m;
$main =~ s/^worker_rlimit_nofile.*\n//m;
$main =~ s/worker_connections \d+/worker_connections 512/;
$main =~ s{^include /etc/nginx/modules-enabled.*$}
          {load_module /usr/lib/nginx/modules/ndk_http_module.so;
load_module $module;}m;
$main =~ s{include /etc/nginx/conf.d/\*\.conf;}{include $dir/site.conf;
    client_body_temp_path $dir/tmp/body; proxy_temp_path $dir/tmp/p;
    fastcgi_temp_path $dir/tmp/f; uwsgi_temp_path $dir/tmp/u;
    scgi_temp_path $dir/tmp/s;};
$site =~ s/listen 80;/listen 127.0.0.1:$server->{port};/;
$site =~ s/listen 443 /listen 127.0.0.1:$tls /;
$site =~ s{/etc/ssl/chat.example.com.pem}{$dir/cert.pem};
$site =~ s{/etc/ssl/private/chat.example.com.key}{$dir/key.pem};
$site =~ s{/var/lib/campfire/storage}{$server->{storage}};
$site =~ s{/etc/campfire/secrets}{$dir/secrets};
$site =~ s{/var/log/nginx}{$dir};
$site =~ s{ buffer=64k flush=1s}{};
$site =~ s{/usr/share/campfire/assets}{build() . '/assets'}e;

like(slurp(top() . '/conf/50-mod-http-campfire.conf'),
     qr/^load_module modules\/ngx_campfire_module\.so;$/m, 'the module file');
like(slurp(top() . '/conf/nginx-jemalloc.conf'),
     qr/^Environment=LD_PRELOAD=libjemalloc\.so\.2$/m, 'the drop-in');

{
    no warnings 'redefine';
    my $config = "daemon off;\npid $dir/nginx.pid;\n"
               . "error_log $dir/error.log info;\n$main";
    *Campfire::Server::config = sub { return $config };
}
open my $out, '>', "$dir/site.conf" or die $!;
print $out $site;
close $out;
$server->start;
ok(1, 'nginx takes the examples');

sub curl {
    my (@args) = @_;
    open my $in, '-|', 'curl', '-sk', '-i', '--max-time', 20, @args or die $!;
    local $/;
    return scalar <$in>;
}

like(curl("http://127.0.0.1:$server->{port}/rooms/1?x=1"),
     qr{^HTTP/1\.1 301 .*^Location: https://127\.0\.0\.1:\d+/rooms/1\?x=1\r$}ms,
     'plain HTTP leads to HTTPS');
like(curl('-X', 'POST', "http://127.0.0.1:$server->{port}/session"),
     qr{^HTTP/1\.1 308 }, 'a form as it is');

my $page = curl('--http2', "https://127.0.0.1:$tls/first_run");
like($page, qr{^HTTP/2 200 }, 'HTTP/2');
like($page, qr{^strict-transport-security: max-age=63072000; includeSubDomains\r$}m,
     'HTTPS from now on');
like($page, qr{^set-cookie: _campfire_session=.*; secure}m, 'secure cookies');
my ($css) = $page =~ m{href="(/assets/app-[^"]+\.css)"};
like(curl('--http2', '-H', 'Accept-Encoding: gzip', '-o', '/dev/null', '-D', '-',
          "https://127.0.0.1:$tls$css"),
     qr{^HTTP/2 200 .*^content-encoding: gzip\r\n.*^cache-control: public, max-age=31536000, immutable\r$}ms,
     'assets are compressed already and stay');
like(curl("https://127.0.0.1:$tls/cable", '--http2'), qr{^HTTP/2 404 },
     'no cable over HTTP/2');

# a person over TLS, with a socket
my $secure = bless { %$server, port => $tls, pid => undef }, 'Campfire::Server';
{
    no warnings 'redefine', 'once';
    *Campfire::Server::url = sub {
        return "https://127.0.0.1:$_[0]{port}" . ($_[1] // '') };
}
my $ada = Campfire::Client->new($secure);
$ada->{ua}->ssl_opts(verify_hostname => 0, SSL_verify_mode => 0);
is($ada->first_run('Ada'), 1, 'the first run over TLS');
my $ws = $ada->socket(tls => 1);
is($ws->{status}, 101, 'a socket over TLS');
ok($ws->welcome, 'welcome');
my ($name) = $ada->{page} =~ /signed-stream-name="([^"]+)"/;
is($ws->subscribed(channel => 'RoomMessagesChannel',
                   signed_stream_name => $name), 1, 'subscribed');
for my $n (1 .. 5) {
    $ada->say(1, "<p>$n " . ('long ' x 8000) . '</p>');
}
my $seen = 0;
for (1 .. 5) {
    my $frame = $ws->expect(sub { $_->{message} }) or last;
    $seen++ if length $frame->{message} > 40000;
}
is($seen, 5, 'large frames come whole');

ok(wait_for(sub { slurp("$dir/campfire.log") =~ /route=\/rooms\/:room_id\/messages user=1 / }),
   'the log knows route and user') or diag(slurp("$dir/campfire.log"));
like(`curl -s --max-time 5 -k https://127.0.0.1:$tls/campfire-status`,
     qr/^# TYPE campfire_/m, 'the status page');

is_deeply([$server->alarms], [], 'no alarms');
ok($server->stop, 'the server stops');
is($server->{status}, 0, 'well');
done_testing();
