package Campfire::Server;

# An nginx of its own with the module, for tests that need two workers,
# signals, or several Campfires.  Stopped when the object goes away.

use strict;
use warnings;

use Cwd qw(abs_path);
use Exporter qw(import);
use File::Basename qw(dirname);
use File::Copy qw(copy);
use File::Path qw(make_path);
use File::Temp qw(tempdir);
use IO::Select;
use IO::Socket::INET;
use Test::More;
use Time::HiRes qw(sleep time);

our @EXPORT_OK = qw(fixtures top build wait_for);

# The secret of the fixtures' vectors; storages are made with it.
my $SECRET;

sub top { return dirname(dirname(dirname(dirname(abs_path(__FILE__))))) }
sub build { return $ENV{CAMPFIRE_BUILD} || top() . '/build' }
sub fixtures { return $ENV{CAMPFIRE_FIXTURES} || top() . '/../shared/fixtures' }

sub free_port {
    my $s = IO::Socket::INET->new(LocalAddr => '127.0.0.1', Listen => 1)
        or die "no free port: $!";
    return $s->sockport;
}

# Calls the code until it is true; its value, or undef after some seconds.
sub wait_for {
    my ($code, $seconds) = @_;
    my $end = time + ($seconds || 10);
    while (time < $end) {
        my $value = $code->();
        return $value if $value;
        sleep 0.02;
    }
    return undef;
}

sub vectors {
    require JSON::PP;
    open my $in, '<:raw', fixtures() . '/vectors.json'
        or die fixtures() . "/vectors.json: $!";
    local $/;
    return JSON::PP::decode_json(<$in>);
}

# new(workers, storage, fixture, secret, http, server, location, main, tls,
#     zone, level, start)
sub new {
    my ($class, %args) = @_;
    my $dir = tempdir('campfire-XXXXXX', TMPDIR => 1, CLEANUP => 1);
    my $self = bless {
        dir      => $dir,
        port     => free_port(),
        workers  => $args{workers} || 2,
        storage  => $args{storage} || "$dir/storage",
        secret   => $args{secret} || 'c' x 128,
        http     => $args{http} || '',
        server   => $args{server} || '',
        location => $args{location} || '',
        main     => $args{main} || '',
        tls      => $args{tls} || 'off',
        zone     => $args{zone} || '16m',
        level    => $args{level} || 'info',
        pid_of   => $$,
    }, $class;

    make_path($self->{storage}, map { "$dir/tmp/$_" } 0);
    $self->copy_fixture($args{fixture}) if $args{fixture};
    $self->start unless defined $args{start} && !$args{start};
    return $self;
}

sub copy_fixture {
    my ($self, $name) = @_;
    system('cp', '-r', fixtures() . "/$name/.", $self->{storage}) == 0
        or die "cannot copy $name";
    system('chmod', '-R', 'u+w', $self->{storage});
}

sub config {
    my ($self) = @_;
    my ($dir, $build) = ($self->{dir}, build());
    my $user = $> == 0 ? 'user root;' : '';
    my $nginx_modules = $ENV{CAMPFIRE_MODULES} || '/usr/lib/nginx/modules';
    my $module = $ENV{CAMPFIRE_MODULE} || "$build/module/ngx_campfire_module.so";
    return <<"END";
$user
daemon off;
pid $dir/nginx.pid;
error_log $dir/error.log $self->{level};
worker_processes $self->{workers};
worker_shutdown_timeout 20s;
load_module $nginx_modules/ndk_http_module.so;
load_module $module;
$self->{main}
events { worker_connections 1024; }
http {
    types { text/css css; text/javascript js; image/svg+xml svg; image/png png; }
    default_type application/octet-stream;
    access_log off;
    keepalive_requests 100000;
    client_max_body_size 0;
    client_body_temp_path $dir/tmp/body;
    proxy_temp_path $dir/tmp/proxy;
    fastcgi_temp_path $dir/tmp/fastcgi;
    uwsgi_temp_path $dir/tmp/uwsgi;
    scgi_temp_path $dir/tmp/scgi;
    $self->{http}
    server {
        listen 127.0.0.1:$self->{port} reuseport;
        $self->{server}
        location / {
            campfire $self->{storage};
            campfire_secrets_file $dir/secrets;
            campfire_tls $self->{tls};
            campfire_zone test $self->{zone};
            $self->{location}
        }
        location /assets/ { alias $build/assets/; gzip_static on; }
        location = /status { campfire_status; }
    }
}
END
}

sub write_config {
    my ($self) = @_;
    open my $out, '>', "$self->{dir}/nginx.conf" or die $!;
    print $out $self->config;
    close $out;
    my $umask = umask 077;
    open $out, '>', "$self->{dir}/secrets" or die $!;
    umask $umask;
    print $out "SECRET_KEY_BASE=$self->{secret}\n",
               "VAPID_PUBLIC_KEY=public\nVAPID_PRIVATE_KEY=private\n";
    close $out;
}

sub start {
    my ($self) = @_;
    $self->write_config;
    my $nginx = $ENV{CAMPFIRE_NGINX} || '/usr/sbin/nginx';
    my $pid = fork;
    die "fork: $!" unless defined $pid;
    if ($pid == 0) {
        open STDIN, '<', '/dev/null';
        open STDOUT, '>', "$self->{dir}/stdout.log";
        open STDERR, '>&', \*STDOUT;
        $ENV{LD_PRELOAD} = $ENV{CAMPFIRE_PRELOAD} if $ENV{CAMPFIRE_PRELOAD};
        exec $nginx, '-p', $self->{dir}, '-e', "$self->{dir}/error.log",
            '-c', "$self->{dir}/nginx.conf";
        exit 127;
    }
    $self->{pid} = $pid;
    wait_for(sub {
        my $s = IO::Socket::INET->new(PeerAddr => "127.0.0.1:$self->{port}",
                                      Timeout => 1) or return 0;
        print $s "GET /up HTTP/1.0\r\n\r\n";
        my $line = <$s>;
        return $line && $line =~ / (?:200|301) /;
    }, 20) or die "nginx does not start: " . $self->log;
    return $self;
}

sub url { my ($self, $path) = @_; return "http://127.0.0.1:$self->{port}" . ($path || '') }
sub database { return $_[0]{storage} . '/db/production.sqlite3' }

sub log {
    my ($self) = @_;
    open my $in, '<', "$self->{dir}/error.log" or return '';
    local $/;
    return scalar <$in>;
}

# Lines that must never be there.
sub alarms {
    my ($self) = @_;
    return grep { /\[(alert|emerg|crit)\]|AddressSanitizer|runtime error/
                  && !/setrlimit/ }
        split /\n/, $self->log . $self->stdout;
}

sub stdout {
    my ($self) = @_;
    open my $in, '<', "$self->{dir}/stdout.log" or return '';
    local $/;
    return scalar(<$in>) // '';
}

sub workers {
    my ($self) = @_;
    my @pids;
    for my $stat (glob '/proc/[0-9]*/stat') {
        open my $in, '<', $stat or next;
        my $line = <$in> // next;
        my ($pid, $name, $ppid) = $line =~ /^(\d+) \((.*)\) \S (\d+)/ or next;
        push @pids, $pid if $ppid == $self->{pid};
    }
    return sort { $a <=> $b } @pids;
}

sub signal { my ($self, $name) = @_; kill $name, $self->{pid} }

# Loads the configuration again and waits until new workers are there.
sub reload {
    my ($self) = @_;
    my %old = map { $_ => 1 } $self->workers;
    $self->write_config;
    $self->signal('HUP');
    return wait_for(sub {
        return $self->{workers} <= grep { !$old{$_} } $self->workers;
    });
}

sub stop {
    my ($self, $name) = @_;
    return unless $self->{pid};
    (delete $self->{db})->disconnect if $self->{db};
    kill $name || 'QUIT', $self->{pid};
    my $end = time + 25;
    my $done = 0;
    while (time < $end) {
        last if $done = waitpid($self->{pid}, 1) > 0;
        sleep 0.02;
    }
    kill 'KILL', $self->{pid} unless $done;
    waitpid $self->{pid}, 0 unless $done;
    $self->{status} = $?;
    delete $self->{pid};
    return $done;
}

# What sqlite3 prints for a statement, as characters.
sub sql {
    my ($self, $sql) = @_;
    utf8::encode($sql) if utf8::is_utf8($sql);
    open my $in, '-|:utf8', 'sqlite3', '-cmd', '.timeout 5000', $self->database,
        $sql or die "sqlite3: $!";
    my $text = join '', <$in>;
    close $in;
    chomp $text;
    return $text;
}

# How many rows each table has, as one text to compare.  Keeps a connection,
# for this is asked often.
sub rows {
    my ($self) = @_;
    require DBI;
    my $db = $self->{db} ||= DBI->connect('dbi:SQLite:dbname='
        . $self->database, '', '', { RaiseError => 1, ReadOnly => 1 });
    $self->{tables} ||= join " || ' ' || ",
        map { "'$_=' || (SELECT count(*) FROM \"$_\")" }
        @{ $db->selectcol_arrayref("SELECT name FROM sqlite_master"
           . " WHERE type = 'table' AND name NOT LIKE 'sqlite_%'"
           . " AND name NOT LIKE '%index_%' ORDER BY name") };
    return $db->selectrow_array("SELECT $self->{tables}");
}

# Sends bytes on a connection of its own; everything that comes back until the
# end, or until nothing came for the seconds given.
sub raw {
    my ($self, $bytes, $seconds) = @_;
    my $fh = IO::Socket::INET->new(PeerAddr => "127.0.0.1:$self->{port}",
                                   Timeout => 5) or return undef;
    local $SIG{PIPE} = 'IGNORE';
    my $sent = 0;
    my $answer = '';
    my $in = IO::Select->new($fh);
    while ($sent < length $bytes) {
        last if $in->can_read(0);
        my $n = syswrite $fh, $bytes, 65536, $sent;
        last unless $n;
        $sent += $n;
    }
    while ($in->can_read($seconds || 5)) {
        sysread($fh, $answer, 65536, length $answer) or last;
    }
    return $answer;
}

sub DESTROY {
    my ($self) = @_;
    local ($?, $!, $@);
    $self->stop('TERM') if $self->{pid} && $self->{pid_of} == $$;
}

1;
