package Campfire::Client;

# A browser of few words: cookies, tokens, forms, and sockets.

use strict;
use warnings;

use Campfire::Socket;
use HTTP::Request;
use HTTP::Request::Common ();
use LWP::UserAgent;
use URI::Escape qw(uri_escape_utf8);

# new(server, agent, address, cookies): follows no redirects by itself.
# address is where it calls from, such as 127.0.0.2; cookies a client whose
# cookies it shares.
sub new {
    my ($class, $server, %args) = @_;
    my $ua = LWP::UserAgent->new(
        cookie_jar => $args{cookies} ? $args{cookies}{ua}->cookie_jar : {},
        max_redirect => 0, keep_alive => 4, timeout => 20,
        agent => $args{agent} || 'campfire-test',
        $args{address} ? (local_address => $args{address}) : ());
    return bless { server => $server, ua => $ua }, $class;
}

sub request {
    my ($self, $method, $path, $headers, $content) = @_;
    my $url = $path =~ /^http/ ? $path : $self->{server}->url($path);
    my $request = HTTP::Request->new($method, $url, undef, $content);
    my @headers = @{ $headers || [] };
    while (my ($name, $value) = splice @headers, 0, 2) {
        $request->header($name => $value);
    }
    my $response = $self->{ua}->request($request);
    my $type = $response->header('Content-Type') // '';
    my $body = $response->decoded_content // '';
    if ($body =~ /<meta name="csrf-token" content="([^"]+)"/) {
        $self->{token} = $1;
    }
    return $response;
}

sub get {
    my ($self, $path, @headers) = @_;
    return $self->request('GET', $path, ['Accept', 'text/html', @headers]);
}

# Follows redirects to a page.
sub visit {
    my ($self, $path) = @_;
    my $response = $self->get($path);
    for (1 .. 5) {
        last unless $response->code == 302;
        $response = $self->get($response->header('Location'));
    }
    return $response;
}

sub encode {
    my (@fields) = @_;
    my @pairs;
    while (my ($name, $value) = splice @fields, 0, 2) {
        push @pairs, uri_escape_utf8($name) . '=' . uri_escape_utf8($value);
    }
    return join '&', @pairs;
}

# send(method, path, fields, headers...): a form with the page's token.
# fields is a list of names and values, or the body itself.
sub send {
    my ($self, $method, $path, $fields, %headers) = @_;
    return $self->request($method, $path, [
        'Content-Type' => 'application/x-www-form-urlencoded',
        'Accept' => 'text/vnd.turbo-stream.html, text/html, application/xhtml+xml',
        'X-CSRF-Token' => $self->{token} // '', %headers,
    ], ref $fields ? encode(@$fields) : $fields // '');
}

sub post { my ($self, @rest) = @_; return $self->send('POST', @rest) }
sub put { my ($self, @rest) = @_; return $self->send('PUT', @rest) }
sub delete { my ($self, @rest) = @_; return $self->send('DELETE', @rest) }

# Sets up the server; the room it leads to.
sub first_run {
    my ($self, $name) = @_;
    $name ||= 'Ada';
    $self->get('/first_run');
    my $response = $self->post('/first_run', [
        'user[name]' => $name, 'user[email_address]' => lc("$name\@example.com"),
        'user[password]' => 'secret123456']);
    return $self->landed($response);
}

# Joins by the account's link.
sub join {
    my ($self, $name) = @_;
    my $code = $self->{server}->sql('SELECT join_code FROM accounts');
    $self->get("/join/$code");
    my $response = $self->post("/join/$code", [
        'user[name]' => $name, 'user[email_address]' => lc("$name\@example.com"),
        'user[password]' => 'secret123456']);
    return $self->landed($response);
}

sub sign_in {
    my ($self, $email, $password) = @_;
    $self->get('/session/new');
    my $response = $self->post('/session', [
        email_address => $email, password => $password]);
    return $self->landed($response);
}

# The room the redirects of an answer lead to, after loading its page.
sub landed {
    my ($self, $response) = @_;
    return undef unless $response->code == 302;
    my $page = $self->visit($response->header('Location'));
    $self->{page} = $page->decoded_content;
    ($self->{user_id}) = $self->{page} =~ /current-user-id" content="(\d+)"/;
    my ($room) = $page->request->uri->path =~ m{^/rooms/(\d+)$};
    return $room;
}

# Posts a message; its id.
sub say {
    my ($self, $room, $html, @more) = @_;
    my $response = $self->post("/rooms/$room/messages",
        ['message[body]' => $html, @more]);
    my ($id) = ($response->decoded_content // '') =~ /data-message-id="(\d+)"/;
    return $id;
}

# Puts a cookie into the jar, its value as it stands in a header.
sub set_cookie {
    my ($self, $name, $value) = @_;
    $self->{ua}->cookie_jar->set_cookie(0, $name, $value, '/', '127.0.0.1',
                                        undef, 1, 0, 86400);
}

sub cookie {
    my ($self) = @_;
    my $request = HTTP::Request->new(GET => $self->{server}->url('/'));
    $self->{ua}->cookie_jar->add_cookie_header($request);
    return $request->header('Cookie') // '';
}

# A cable socket with this browser's cookies.
sub socket {
    my ($self, %args) = @_;
    return Campfire::Socket->new(port => $self->{server}{port},
                                 cookie => $self->cookie, %args);
}

1;
