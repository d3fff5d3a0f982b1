package Campfire::Signer;

# What Rails signs, made with a secret of the test's own choice: cookies and
# signed ids of people, as they are and forged.

use strict;
use warnings;

use Digest::SHA qw(hmac_sha1_hex hmac_sha256 hmac_sha256_hex);
use Exporter qw(import);
use MIME::Base64 qw(encode_base64);
use POSIX qw(strftime);

our @EXPORT_OK = qw(escape time_in);

my %KEYS;

sub new { my ($class, $secret) = @_; return bless { secret => $secret }, $class }

# PBKDF2 with HMAC-SHA256, 1000 rounds, 64 bytes.
sub key {
    my ($self, $salt) = @_;
    return $KEYS{ $self->{secret} }{$salt} ||= join '', map {
        my $block = my $u = hmac_sha256($salt . pack('N', $_),
                                        $self->{secret});
        for (2 .. 1000) {
            $u = hmac_sha256($u, $self->{secret});
            $block ^= $u;
        }
        $block;
    } 1, 2;
}

sub time_in {
    my ($seconds) = @_;
    return strftime('%Y-%m-%dT%H:%M:%S.000Z', gmtime(time + $seconds));
}

# As in a Cookie header.
sub escape {
    my ($text) = @_;
    $text =~ s/([^A-Za-z0-9*._-])/sprintf '%%%02X', ord $1/ge;
    return $text;
}

sub sign_cookie {
    my ($self, $payload) = @_;
    my $data = encode_base64($payload, '');
    return escape("$data--" . hmac_sha1_hex($data, $self->key('signed cookie')));
}

# session_token(token, purpose, seconds it still holds)
sub session_token {
    my ($self, $token, %args) = @_;
    my $purpose = $args{purpose} || 'cookie.session_token';
    my $expires = time_in($args{seconds} // 86400);
    my $message = encode_base64(qq("$token"), '');
    return $self->sign_cookie(
        qq({"_rails":{"message":"$message","exp":"$expires","pur":"$purpose"}}));
}

# signed_id(user id, purpose, seconds): for ever without seconds
sub signed_id {
    my ($self, $id, $purpose, $seconds) = @_;
    my $expires = defined $seconds
                ? sprintf(',"exp":"%s"', time_in($seconds)) : '';
    my $data = encode_base64(
        qq({"_rails":{"data":$id$expires,"pur":"$purpose"}}), '');
    $data =~ tr{+/}{-_};
    $data =~ s/=+$//;
    return "$data--"
           . hmac_sha256_hex($data, $self->key('active_record/signed_id'));
}

1;
