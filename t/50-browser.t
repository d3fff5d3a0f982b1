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

open my $in, '-|', 'node', "$dir/main_job.mjs", $server->url, $shots
    or die "node: $!";
while (my $line = <$in>) {
    my $check = decode_json($line);
    ok($check->{ok}, $check->{name}) or diag($check->{detail});
}
ok(close($in), 'the browser test ends well');

is_deeply([$server->alarms], [], 'no alarms');
ok($server->stop, 'the server stops');
done_testing();
