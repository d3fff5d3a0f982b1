#!/usr/bin/env perl
# The SQL files of schema/: a new database equals the reference's, the additions
# are the named objects and no others, and handing back removes them.  Needs only
# the sqlite3 command line tool.  CAMPFIRE_FIXTURES names the directory with the
# databases campfire-empty and campfire-small; without it the parts that need
# them are skipped and the committed dump is compared alone.

use strict;
use warnings;

use File::Basename qw(dirname);
use File::Copy qw(copy);
use File::Spec;
use File::Temp qw(tempdir);
use IPC::Open3 qw(open3);
use Test::More;

my $root = File::Spec->rel2abs(dirname(__FILE__) . '/..');
my $fixtures = $ENV{CAMPFIRE_FIXTURES} || "$root/../shared/fixtures";
my $tmp = tempdir(CLEANUP => 1);

$ENV{HOME} = $tmp;    # no ~/.sqliterc
delete $ENV{XDG_CONFIG_HOME};

plan skip_all => 'no sqlite3 command line tool'
    unless grep { -x "$_/sqlite3" } File::Spec->path;

my $MASTER = 'SELECT type,name,tbl_name,sql FROM sqlite_master ORDER BY rowid';

sub slurp {
    my ($path) = @_;
    open my $fh, '<', $path or die "$path: $!";
    local $/;
    return scalar <$fh>;
}

# Runs SQL text on a database; gives the exit code and all output.
my $seq = 0;

sub run_sql {
    my ($db, $sql) = @_;
    my $path = "$tmp/in" . $seq++ . '.sql';
    open my $w, '>', $path or die "$path: $!";
    print {$w} $sql;
    close $w or die "$path: $!";
    open my $in, '<', $path or die "$path: $!";
    my $pid = open3('<&' . fileno($in), my $out, undef,
        qw(sqlite3 -batch -bail -noheader -list), $db);
    my $text = do { local $/; <$out> };
    waitpid $pid, 0;
    return ($? >> 8 || $? & 127, defined $text ? $text : '');
}

sub query {
    my ($db, $sql) = @_;
    my ($rc, $text) = run_sql($db, "$sql;\n");
    die "sqlite3 failed: $text" if $rc;
    return $text;
}

sub apply_ok {
    my ($db, $file, $name) = @_;
    my ($rc, $text) = run_sql($db, slurp("$root/schema/$file"));
    ok($rc == 0 && $text eq '', $name) or diag("exit $rc: $text");
    return;
}

sub fixture_copy {
    my ($name) = @_;
    my $from = "$fixtures/$name/db/production.sqlite3";
    return unless -f $from;
    my $dir = tempdir(DIR => $tmp);
    for my $suffix ('', '-wal') {
        next unless -f "$from$suffix";
        copy("$from$suffix", "$dir/db.sqlite3$suffix") or die "$from$suffix: $!";
    }
    return "$dir/db.sqlite3";
}

# Tables with their columns: name, type, NOT NULL, default, key, hidden.
my $COLUMNS = <<'SQL';
SELECT m.name, x.cid, x.name, x.type, x."notnull", quote(x.dflt_value), x.pk, x.hidden
FROM sqlite_master m JOIN pragma_table_xinfo(m.name) x
WHERE m.type = 'table' ORDER BY m.name, x.cid
SQL

my $VERSIONS = join '', map { "$_\n" } qw(
    20231215043540 20231220143106 20240110071740 20240115124901 20240130003150
    20240130213001 20240131105830 20240209110503 20250825100957 20250825100958
    20250825100959 20251126092013 20251126115722 20251126130131 20251212154340
);

# A new database.

my $db = "$tmp/new.sqlite3";
apply_ok($db, 'schema.sql', 'schema.sql runs on an empty database');

my $master = query($db, $MASTER);
is($master, slurp("$root/t/fixtures/empty_sqlite_master.txt"),
    'sqlite_master equals the committed dump');
is(query($db, 'SELECT version FROM schema_migrations ORDER BY version'),
    $VERSIONS, 'the 15 schema versions');
is(query($db, 'SELECT key, value FROM ar_internal_metadata ORDER BY key'),
    "environment|production\n"
        . "schema_sha1|f75da8dad38bfb179ffd757bd7a7c2b3f818bc29\n",
    'internal metadata');
is(query($db, <<'SQL'), "2\n", 'internal metadata has text times');
SELECT count(*) FROM ar_internal_metadata
WHERE typeof(created_at) = 'text' AND typeof(updated_at) = 'text'
AND created_at GLOB '[0-9][0-9][0-9][0-9]-[0-9][0-9]-[0-9][0-9] [0-9][0-9]:[0-9][0-9]:[0-9][0-9].[0-9][0-9][0-9]'
AND updated_at GLOB '[0-9][0-9][0-9][0-9]-[0-9][0-9]-[0-9][0-9] [0-9][0-9]:[0-9][0-9]:[0-9][0-9].[0-9][0-9][0-9]'
SQL
is(query($db, 'PRAGMA integrity_check'), "ok\n", 'integrity check');

SKIP: {
    my $empty = fixture_copy('campfire-empty')
        or skip 'no fixture campfire-empty', 4;
    is($master, query($empty, $MASTER), 'sqlite_master equals the fixture');
    for my $sql (
        'SELECT version FROM schema_migrations ORDER BY rowid',
        'SELECT key, value FROM ar_internal_metadata ORDER BY rowid',
        $COLUMNS =~ s/\n\z//r,
        )
    {
        my ($table) = $sql =~ /FROM (\w+)/;
        is(query($db, $sql), query($empty, $sql),
            $table eq 'sqlite_master' ? 'columns equal' : "rows of $table equal");
    }
}

# The additions.

apply_ok($db, 'additions.sql', 'additions apply');
my $added = query($db, $MASTER);
apply_ok($db, 'additions.sql', 'additions apply again');
is(query($db, $MASTER), $added, 'the second time changes nothing');
is(substr($added, 0, length $master), $master, 'the other objects stay');
is(query($db, <<'SQL'), <<'ROWS', 'the named objects');
SELECT type, name, tbl_name FROM sqlite_master WHERE name LIKE 'campfire%' ORDER BY name
SQL
table|campfire_jobs|campfire_jobs
index|campfire_jobs_due|campfire_jobs
index|campfire_messages_room_created|messages
index|campfire_messages_room_updated|messages
ROWS
is(query($db, <<'SQL'), (() = $master =~ /^(?:table|index)\|/mg) . "\n", 'and no others');
SELECT count(*) FROM sqlite_master WHERE name NOT LIKE 'campfire%'
SQL
unlike(substr($added, length $master), qr/--/, 'no comment inside a statement');
is(query($db, <<'SQL'), <<'ROWS', 'columns of the indexes');
SELECT m.name, group_concat(x.name) FROM sqlite_master m, pragma_index_info(m.name) x
WHERE m.type = 'index' AND m.name LIKE 'campfire%' GROUP BY m.name ORDER BY m.name
SQL
campfire_jobs_due|state,run_at
campfire_messages_room_created|room_id,created_at,id
campfire_messages_room_updated|room_id,updated_at
ROWS
is(query($db, <<'SQL'), <<'ROWS', 'columns of campfire_jobs');
SELECT name, type, "notnull", dflt_value, pk FROM pragma_table_xinfo('campfire_jobs')
SQL
id|INTEGER|0||1
kind|TEXT|1||0
payload|TEXT|1||0
attempts|INTEGER|1|0|0
run_at|INTEGER|1||0
leased_until|INTEGER|0||0
lease_owner|TEXT|0||0
last_error|TEXT|0||0
state|TEXT|1|'queued'|0
created_at|INTEGER|1||0
ROWS

my $plan = query($db, <<'SQL');
EXPLAIN QUERY PLAN SELECT id FROM messages WHERE room_id=1
ORDER BY created_at DESC, id DESC LIMIT 40
SQL
like($plan, qr/\bcampfire_messages_room_created\b/, 'a page uses the index');
unlike($plan, qr/TEMP B-TREE/, 'a page is not sorted');

# Full text.

is(query($db, <<'SQL'), "7\n", "'running' finds 'run'");
INSERT INTO message_search_index (rowid, body) VALUES (7, 'we run at noon'), (8, 'we walk');
SELECT rowid FROM message_search_index WHERE message_search_index MATCH 'running'
SQL

# Handing back.

apply_ok($db, 'handback.sql', 'handback applies');
is(query($db, $MASTER), $master, 'sqlite_master is as before');
apply_ok($db, 'handback.sql', 'handback applies again');

SKIP: {
    my $small = fixture_copy('campfire-small')
        or skip 'no fixture campfire-small', 5;
    my $rowids = 'SELECT rowid,type,name,tbl_name,sql FROM sqlite_master ORDER BY rowid';
    my $before = query($small, $rowids);
    apply_ok($small, 'additions.sql', 'additions apply to a database in use');
    isnt(query($small, $rowids), $before, 'and change it');
    apply_ok($small, 'handback.sql', 'handback applies to it');
    is(query($small, $rowids), $before, 'its sqlite_master is as before');
    is(query($small, 'PRAGMA integrity_check'), "ok\n", 'its integrity check');
}

done_testing();
