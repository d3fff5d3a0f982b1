# The product in Debian's Chromium: what people do, and no error in between.
use lib 't/lib';
use strict;
use warnings;

use JSON::PP;
use Test::More;

use Campfire::Server qw(build);

my $modules = build() . '/npm-test/node_modules';
my $shots = $ENV{CAMPFIRE_SHOTS} || '';

my $server = Campfire::Server->new(workers => 2);

# modules are found by the place of the test: give it one beside them
my $dir = build() . '/npm-test';
system('cp', glob('t/browser/*.mjs'), $dir) == 0 or die 'cannot copy';

sub browse {
    my ($script) = @_;
    open my $in, '-|', 'node', "$dir/$script.mjs", $server->url, $shots
        or die "node: $!";
    while (my $line = <$in>) {
        my $check = decode_json($line);
        ok($check->{ok}, $check->{name}) or diag($check->{detail});
    }
    ok(close($in), "$script ends well");
}

browse('main_job');

# rooms that no page can make yet
$server->sql(q{
    INSERT INTO rooms (id, name, type, creator_id, created_at, updated_at)
    VALUES (2, 'Beta', 'Rooms::Open', 1, '2026-01-01 10:00:00', '2026-01-01 10:00:00'),
           (3, NULL, 'Rooms::Direct', 1, '2026-01-01 10:00:00', '2026-01-01 10:00:00'),
           (4, 'alpha', 'Rooms::Closed', 1, '2026-01-01 10:00:00', '2026-01-01 10:00:00');
    INSERT INTO memberships (room_id, user_id, created_at, updated_at, involvement)
    SELECT r.id, u.id, '2026-01-01 10:00:00', '2026-01-01 10:00:00', 'everything'
    FROM rooms r, users u WHERE r.id > 1 AND u.name IN ('Ada', 'Bob');
});

browse('rooms');

is_deeply([$server->alarms], [], 'no alarms');
ok($server->stop, 'the server stops');
done_testing();
