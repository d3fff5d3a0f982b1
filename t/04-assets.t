# The assets: unit tests of the scripts, hashed names, compressed twins.
use strict;
use warnings;

use Cwd qw(abs_path);
use File::Basename qw(dirname);
use File::Temp qw(tempdir);
use JSON::PP;
use Test::More;

my $top = dirname(dirname(abs_path(__FILE__)));
my $build = $ENV{CAMPFIRE_BUILD} || "$top/build";

sub slurp {
    my ($file) = @_;
    open my $in, '<:raw', $file or die "$file: $!";
    local $/;
    return scalar <$in>;
}

sub bundle {
    my ($dir) = @_;
    my $out = `node $top/templates/assets/build.mjs --out $dir --modules $build/npm/node_modules --prefix /assets 2>&1`;
    is($?, 0, 'bundling succeeds') or diag($out);
    is($out, '', 'and is silent');
    return decode_json(slurp("$dir/manifest.json"))->{files};
}

# modules of their own are found from build/npm, where the bundler is
my $out = `node --test --test-reporter=tap $top/t/browser/unit/ 2>&1`;
is($?, 0, 'the unit tests of the scripts pass') or diag($out);
my ($passed) = $out =~ /^# pass (\d+)/m;
cmp_ok($passed // 0, '>', 30, "$passed of them");

my $dir = tempdir(CLEANUP => 1);
my $files = bundle($dir);

for my $name (qw(app.js app.css editor.js service_worker.js images/logo.png)) {
    ok($files->{$name}, "$name is there") or next;
    my ($file) = $files->{$name}{path} =~ m{^/assets/([\w-]+-\w{8}\.\w+)$};
    ok($file, "$name has a hashed name") or next;
    ok(-s "$dir/$file", "$file is a file");
    next if $name =~ /\.png$/;
    is(`gzip -dc $dir/$file.gz`, slurp("$dir/$file"),
       "$file.gz is the same, compressed");
}

is_deeply(decode_json(slurp("$build/assets/manifest.json"))->{files}, $files,
          'the same sources always give the same names');

my %before = map { $_ => (stat $_)[9] } glob "$dir/*";
sleep 1;
bundle($dir);
is_deeply({ map { $_ => (stat $_)[9] } glob "$dir/*" }, \%before,
          'what is there already is not written again');

my $error = `node $top/templates/assets/build.mjs --out $dir --modules $dir 2>&1`;
isnt($?, 0, 'without its modules it fails');
like($error, qr/^build\.mjs: esbuild is not in .*: run npm ci\n$/, 'in one line');

# what the module was built with is what nginx serves
my $table = slurp("$build/generated/ngx_campfire_view_asset_table.h");
for my $name (sort keys %$files) {
    ok(index($table, "ngx_string(\"$files->{$name}{path}\")") > 0,
       "the module knows $name");
}

done_testing();
