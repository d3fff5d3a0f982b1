# Each fuzz target for a while, as many at once as there are processors.
use strict;
use warnings;

use Cwd qw(abs_path);
use File::Basename qw(dirname);
use Test::More;

my $top = dirname(dirname(abs_path(__FILE__)));
my $build = $ENV{CAMPFIRE_BUILD} || "$top/build";
my $seconds = $ENV{CAMPFIRE_FUZZ_SECONDS} || 30;

my @targets = map { m{fuzz_(\w+)\.c$} } sort glob "$top/t/fuzz/fuzz_*.c";
cmp_ok(scalar @targets, '>=', 7, 'there are fuzz targets');

chomp(my $processors = `nproc`);
my %running;

sub reap {
    my $pid = wait;
    my $name = delete $running{$pid};
    my $status = $?;
    open my $in, '<', "$build/fuzz/$name.log" or die $!;
    my $log = do { local $/; <$in> };
    my ($runs) = $log =~ /stat::number_of_executed_units:\s*(\d+)/;
    is($status, 0, "$name finds nothing") or diag(substr $log, -4000);
    cmp_ok($runs // 0, '>', 50, ($runs // 'no') . " runs of $name");
}

for my $name (@targets) {
    reap() while keys %running >= $processors;
    my $pid = fork // die "fork: $!";
    if (!$pid) {
        open STDOUT, '>', "$build/fuzz/$name.log" or die $!;
        open STDERR, '>&', \*STDOUT;
        my $found = "$build/fuzz/corpus/$name";
        system('mkdir', '-p', $found);
        my @corpus = grep { -d } "$top/t/fuzz/corpus/$name";
        chdir "$build/fuzz" or die $!;
        exec "$build/fuzz/$name", "-max_total_time=$seconds", '-timeout=10',
            '-rss_limit_mb=2048', '-max_len=65536', '-print_final_stats=1',
            '-detect_leaks=0', $found, @corpus;
        exit 127;
    }
    $running{$pid} = $name;
}
reap() while keys %running;

done_testing();
