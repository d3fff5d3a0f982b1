#!/usr/bin/env perl
# Turns the SQL of this folder into a C header on standard output.  Comment
# lines are left out; what is between them stays byte for byte, since SQLite
# stores the statements.

use strict;
use warnings;

use File::Basename qw(basename dirname);

my $dir = dirname(__FILE__);

# The text of a file as adjacent C string literals, one a line.
sub literal {
    my ($path, $indent) = @_;
    open my $in, '<:raw', $path or die "$path: $!\n";

    my $text = '';
    while (my $line = <$in>) {
        next if $line =~ /^--/ || $line =~ /^\s*$/;
        chomp $line;
        $line =~ s/(["\\])/\\$1/g;
        die "$path:$.: only printable ASCII is expected\n"
            if $line =~ /[^\x20-\x7e]/;
        $text .= "\n$indent\"$line\\n\"";
    }
    close $in;

    return $text eq '' ? "\n$indent\"\"" : $text;
}

print <<'HEADER';

/*
 * Made from schema/ by schema/embed.pl.
 */

#ifndef _NGX_CAMPFIRE_DB_SCHEMA_SQL_H_INCLUDED_
#define _NGX_CAMPFIRE_DB_SCHEMA_SQL_H_INCLUDED_


HEADER

for my $name (qw(schema additions)) {
    print "static const char  ngx_campfire_db_schema_$name\[] =",
        literal("$dir/$name.sql", ' ' x 4), ";\n\n\n";
}

print <<'TABLE';
/* Changes to older installations, in order. */
static const struct {
    const char  *version;
    const char  *sql;
} ngx_campfire_db_schema_upgrades[] = {
TABLE

for my $path (sort glob "$dir/upgrade/*.sql") {
    my ($version) = basename($path) =~ /^(\d{14})\.sql$/
        or die "$path: the name is not a version\n";
    print qq(    { "$version",), literal($path, ' ' x 6), " },\n\n";
}

print <<'FOOTER';
};


#endif /* _NGX_CAMPFIRE_DB_SCHEMA_SQL_H_INCLUDED_ */
FOOTER
