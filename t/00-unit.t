# Runs the unit tests that ./build.sh compiled, under ASan and UBSan.
use strict;
use warnings;

use Cwd qw(abs_path);
use File::Basename qw(dirname);
use Test::More;

my $top = dirname(dirname(abs_path(__FILE__)));
my $build = $ENV{CAMPFIRE_BUILD} || "$top/build";
my $fixtures = $ENV{CAMPFIRE_FIXTURES} || "$top/../shared/fixtures";

$ENV{CAMPFIRE_VECTORS} = "$fixtures/vectors.json";

my @sources = sort(glob("$top/t/unit/test_*.c"),
                   glob("$top/t/unit/core/test_*.c"));
ok(@sources > 0, 'there are unit tests');

for my $source (@sources) {
    my ($name) = $source =~ m{/unit/(.+)\.c$};

  SKIP: {
        # these need nginx's own sources, which may be out of reach
        skip "$name: nginx was not built", 2
            if $name =~ m{^core/} && !-d "$build/unit/core";

        my $out = `$build/unit/$name 2>&1`;
        is($?, 0, "$name succeeds") or diag($out);

        my $passed = () = $out =~ /^ok \d+/mg;
        ok($passed > 0, "$name ran $passed tests") or diag($out);
    }
}

done_testing();
