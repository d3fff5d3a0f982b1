# The campfire directive: what `nginx -t` accepts and how it refuses.
use lib 't/lib';
use Campfire;

repeat_each(2);
plan tests => repeat_each() * (3 * 3 + 3 * 3);
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
