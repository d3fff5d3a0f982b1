package Campfire::Socket;

# A client of the cable.

use strict;
use warnings;

use IO::Select;
use IO::Socket::INET;
use JSON::PP;
use MIME::Base64 qw(encode_base64);
use Protocol::WebSocket::Frame;
use Time::HiRes qw(time);

my $json = JSON::PP->new->canonical->allow_nonref;

# new(port, cookie, origin, headers, path, method, tls, early): early is sent
# with the handshake.
sub new {
    my ($class, %args) = @_;
    my $fh = $args{tls}
           ? do {
                 require IO::Socket::SSL;
                 IO::Socket::SSL->new(PeerAddr => "127.0.0.1:$args{port}",
                     Timeout => 5, SSL_verify_mode => 0);
             }
           : IO::Socket::INET->new(PeerAddr => "127.0.0.1:$args{port}",
                                   Timeout => 5);
    $fh or return undef;
    my $self = bless { fh => $fh, in => '', frames => [],
                       frame => Protocol::WebSocket::Frame->new(
                           max_payload_size => 0) }, $class;
    my %h = (
        'Host' => "127.0.0.1:$args{port}", 'Connection' => 'Upgrade',
        'Upgrade' => 'websocket', 'Sec-WebSocket-Version' => '13',
        'Sec-WebSocket-Key' => encode_base64('0123456789abcdef', ''),
        'Sec-WebSocket-Protocol' =>
            'actioncable-v1-json, actioncable-unsupported',
        'Origin' => $args{origin} // ($args{tls} ? 'https' : 'http')
                                     . "://127.0.0.1:$args{port}",
        'Cookie' => $args{cookie}, %{ $args{headers} || {} });
    my $path = $args{path} || '/cable';
    my $method = $args{method} || 'GET';
    my $request = "$method $path HTTP/1.1\r\n";
    $request .= "$_: $h{$_}\r\n" for grep { defined $h{$_} } sort keys %h;
    syswrite $fh, "$request\r\n" . ($args{early} // '');

    my $head = '';
    while ($head !~ /\r\n\r\n/) {
        ($args{tls} && $fh->pending) || IO::Select->new($fh)->can_read(5)
            or last;
        sysread($fh, $head, 4096, length $head) or last;
    }
    ($self->{head}, $self->{in}) = split /\r\n\r\n/, $head, 2;
    ($self->{status}) = ($self->{head} // '') =~ m{^HTTP/1.1 (\d+)};
    $self->{frame}->append($self->{in}) if length($self->{in} // '');
    return $self;
}

# The bytes of a masked text frame.
sub text {
    my ($text) = @_;
    return Protocol::WebSocket::Frame->new(buffer => $text, type => 'text',
                                           masked => 1)->to_bytes;
}

sub raw { my ($self, $bytes) = @_; return syswrite $self->{fh}, $bytes }
sub write { my ($self, $data) = @_; return $self->raw(text($json->encode($data))) }

sub identifier { my (%params) = @_; return $json->encode(\%params) }

sub subscribe {
    my ($self, %params) = @_;
    my $identifier = identifier(%params);
    $self->write({ command => 'subscribe', identifier => $identifier });
    return $identifier;
}

sub perform {
    my ($self, $identifier, $action, %data) = @_;
    $self->write({ command => 'message', identifier => $identifier,
                   data => $json->encode({ action => $action, %data }) });
}

sub unsubscribe {
    my ($self, $identifier) = @_;
    $self->write({ command => 'unsubscribe', identifier => $identifier });
}

# The next frame that is no ping, decoded; undef after the time given.
# $self->{closed} is the close code, or "eof".
sub next {
    my ($self, $seconds, $pings) = @_;
    my $end = time + ($seconds // 5);
    while (1) {
        while (defined(my $payload = $self->{frame}->next_bytes)) {
            if ($self->{frame}->is_close) {
                $self->{closed} = length $payload >= 2
                                ? unpack 'n', $payload : 1005;
                return undef;
            }
            if ($self->{frame}->is_pong) {
                $self->{pong} = $payload;
                next;
            }
            my $frame = $json->decode($payload);
            next if !$pings && ref $frame eq 'HASH'
                 && ($frame->{type} // '') eq 'ping';
            return $frame;
        }
        return undef if $self->{closed};
        my $left = $end - time;
        return undef if $left <= 0;
        ($self->{fh}->can('pending') && $self->{fh}->pending)
            || IO::Select->new($self->{fh})->can_read($left)
            or return undef;
        my $n = sysread $self->{fh}, my $bytes, 65536;
        if (!$n) {
            $self->{closed} = 'eof';
            return undef;
        }
        $self->{frame}->append($bytes);
    }
}

# The next frame for which the code is true; others are kept in {seen}.
sub expect {
    my ($self, $code, $seconds) = @_;
    my $end = time + ($seconds // 5);
    while ((my $left = $end - time) > 0) {
        my $frame = $self->next($left);
        return undef unless defined $frame;
        local $_ = $frame;
        return $frame if $code->($frame);
        push @{ $self->{seen} }, $frame;
    }
    return undef;
}

# Subscribes and waits: 1 confirmed, 0 rejected, undef nothing.
sub subscribed {
    my ($self, %params) = @_;
    my $identifier = $self->subscribe(%params);
    my $frame = $self->expect(sub {
        ($_->{identifier} // '') eq $identifier
            && ($_->{type} // '') =~ /^(confirm|reject)_subscription$/ });
    return undef unless $frame;
    return $frame->{type} eq 'confirm_subscription' ? 1 : 0;
}

sub welcome {
    my ($self) = @_;
    my $frame = $self->next;
    return $frame && ($frame->{type} // '') eq 'welcome';
}

sub close { my ($self) = @_; close $self->{fh} }

1;
