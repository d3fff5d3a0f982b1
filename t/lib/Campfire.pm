package Campfire;

# Test::Nginx with our modules loaded and a storage directory of its own,
# which blocks name as $TEST_NGINX_STORAGE.

use strict;
use warnings;

use Cwd qw(abs_path);
use File::Basename qw(dirname);
use File::Path qw(make_path);
use File::Temp qw(tempdir);

# The environment is read when Test::Nginx is loaded.
BEGIN {
    my $top = dirname(dirname(dirname(abs_path(__FILE__))));
    my $build = $ENV{CAMPFIRE_BUILD} || "$top/build";

    $ENV{TEST_NGINX_SERVROOT} ||= "$build/servroot";
    my $storage = tempdir(CLEANUP => 1) . '/storage';
    make_path($storage);
    open(my $fh, '>', "$storage/file") or die "$storage/file: $!";
    close($fh);

    make_path("${storage}2");
    my %files = ('no-key' => "VAPID_PUBLIC_KEY=x\nVAPID_PRIVATE_KEY=y\n",
                 'no-lines' => "hello\n");
    for my $name (keys %files) {
        open(my $out, '>', "${storage}2/$name") or die "$name: $!";
        print $out $files{$name};
        close($out);
    }
    $ENV{TEST_NGINX_SECOND} = "${storage}2";
    $ENV{TEST_NGINX_STORAGE} = $storage;
    $ENV{SECRET_KEY_BASE} = 'c' x 128;
    $ENV{VAPID_PUBLIC_KEY} = 'public';
    $ENV{VAPID_PRIVATE_KEY} = 'private';
    $ENV{DISABLE_SSL} = 1;
    $ENV{TEST_NGINX_LOAD_MODULES} =
        "/usr/lib/nginx/modules/ndk_http_module.so "
        . "$build/module/ngx_campfire_module.so";
}

use Test::Nginx::Socket -Base;

master_on();
workers(2);
no_long_string();
no_root_location();

1;
