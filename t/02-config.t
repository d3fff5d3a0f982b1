# The directives: what `nginx -t` accepts and how it refuses.
use lib 't/lib';
use Campfire;

repeat_each(1);
plan tests => repeat_each() * (3 * 3 + 19 * 3);
run_tests();

__DATA__

=== TEST 1: the health check is green
--- config
    location / { campfire $TEST_NGINX_STORAGE; }
--- request
GET /up
--- response_body chomp
<!DOCTYPE html><html><body style="background-color: green"></body></html>
--- error_code: 200
--- no_error_log
[alert]


=== TEST 2: a path without a route is not found
--- config
    location / { campfire $TEST_NGINX_STORAGE; }
--- request
GET /upper
--- response_body_like: 404
--- error_code: 404
--- no_error_log
[alert]


=== TEST 3: the health check is for reading only
--- config
    location / { campfire $TEST_NGINX_STORAGE; }
--- request
POST /up
x=1
--- response_body_like: 404
--- error_code: 404
--- no_error_log
[alert]


=== TEST 4: a missing storage directory is named
--- config
    location / { campfire $TEST_NGINX_STORAGE/missing; }
--- must_die
--- error_log eval
[qr/campfire: storage directory ".*\/missing" cannot be used, create it/,
 qr/No such file or directory/]


=== TEST 5: a file is no storage directory
--- config
    location / { campfire $TEST_NGINX_STORAGE/file; }
--- must_die
--- error_log eval
[qr/campfire: ".*\/file" is not a directory/, qr/nginx\.conf:\d+/]


=== TEST 6: one storage under two names is refused
--- config
    location /a/ { campfire $TEST_NGINX_STORAGE; }
    location /b/ { campfire $TEST_NGINX_STORAGE/../storage; }
--- must_die
--- error_log eval
[qr/is already served by the location in .*nginx\.conf:\d+/, qr/storage/]


=== TEST 7: campfire stands once in a location
--- config
    location / { campfire $TEST_NGINX_STORAGE; campfire $TEST_NGINX_STORAGE; }
--- must_die
--- error_log eval
[qr/"campfire" directive is duplicate/,
 qr/nginx\.conf:\d+/]



=== TEST 8: an empty path
--- config
    location / { campfire ''; }
--- must_die
--- error_log eval
[qr/"campfire" directive needs the path of a storage directory/,
 qr/nginx\.conf:\d+/]



=== TEST 9: campfire needs a path
--- config
    location / { campfire; }
--- must_die
--- error_log eval
[qr/invalid number of arguments in "campfire" directive/,
 qr/nginx\.conf:\d+/]



=== TEST 10: a location by expression has no mount point
--- config
    location ~ ^/x { campfire $TEST_NGINX_STORAGE; }
--- must_die
--- error_log eval
[qr/must stand in a location with a prefix, such as "\/"/,
 qr/nginx\.conf:\d+/]



=== TEST 11: an exact location serves nothing below it
--- config
    location = /x { campfire $TEST_NGINX_STORAGE; }
--- must_die
--- error_log eval
[qr/must stand in a location with a prefix/,
 qr/nginx\.conf:\d+/]



=== TEST 12: campfire does not stand in a server
--- config
    campfire $TEST_NGINX_STORAGE;
--- must_die
--- error_log eval
[qr/"campfire" directive is not allowed here/,
 qr/nginx\.conf:\d+/]



=== TEST 13: a zone too small
--- config
    location / { campfire $TEST_NGINX_STORAGE; campfire_zone chat 1m; }
--- must_die
--- error_log eval
[qr/"campfire_zone" directive is too small, 16m is the least/,
 qr/nginx\.conf:\d+/]



=== TEST 14: a zone without a size
--- config
    location / { campfire $TEST_NGINX_STORAGE; campfire_zone chat much; }
--- must_die
--- error_log eval
[qr/"campfire_zone" directive needs a name and a size, such as "chat 64m"/,
 qr/nginx\.conf:\d+/]



=== TEST 15: a zone twice
--- config
    location / { campfire $TEST_NGINX_STORAGE; campfire_zone a 16m; campfire_zone b 16m; }
--- must_die
--- error_log eval
[qr/"campfire_zone" directive is duplicate/,
 qr/nginx\.conf:\d+/]



=== TEST 16: a zone without a Campfire
--- config
    location / { campfire_zone chat 16m; }
--- must_die
--- error_log eval
[qr/campfire_zone: the location "\/" has no "campfire" directive/,
 qr/emerg/]



=== TEST 17: a zone of two
--- config
    location /a/ { campfire $TEST_NGINX_STORAGE; campfire_zone chat 16m; }
    location /b/ { campfire $TEST_NGINX_SECOND; campfire_zone chat 16m; }
--- must_die
--- error_log eval
[qr/campfire_zone: "chat" in .*nginx\.conf:\d+ is in use by another location, each needs its own/,
 qr/emerg/]



=== TEST 18: another kind of TLS
--- config
    location / { campfire $TEST_NGINX_STORAGE; campfire_tls maybe; }
--- must_die
--- error_log eval
[qr/invalid value "maybe"/,
 qr/nginx\.conf:\d+/]



=== TEST 19: a limit that is no size
--- config
    location / { campfire $TEST_NGINX_STORAGE; campfire_form_limit many; }
--- must_die
--- error_log eval
[qr/"campfire_form_limit" directive invalid value/,
 qr/nginx\.conf:\d+/]



=== TEST 20: secrets that are not there
--- config
    location / { campfire $TEST_NGINX_STORAGE; campfire_secrets_file $TEST_NGINX_STORAGE/nothing; }
--- must_die
--- error_log eval
[qr/campfire_secrets_file: .*\/nothing"/,
 qr/No such file or directory/]



=== TEST 21: secrets without the one that matters
--- config
    location / { campfire $TEST_NGINX_STORAGE; campfire_secrets_file $TEST_NGINX_SECOND/no-key; }
--- must_die
--- error_log eval
[qr/campfire: ".*\/no-key" has no line SECRET_KEY_BASE=/,
 qr/nginx\.conf:\d+/]



=== TEST 22: secrets that are something else
--- config
    location / { campfire $TEST_NGINX_STORAGE; campfire_secrets_file $TEST_NGINX_SECOND/no-lines; }
--- must_die
--- error_log eval
[qr/campfire_secrets_file: line 1 of ".*\/no-lines" is not NAME=value/,
 qr/emerg/]

