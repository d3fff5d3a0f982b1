# Pages of messages in the cache: hit when nothing changed, never stale.
use lib 't/lib';
use strict;
use warnings;

use Test::More;

use Campfire::Client;
use Campfire::Server qw(wait_for);

my $server = Campfire::Server->new(workers => 2, location => '
    add_header X-Cache $campfire_cache;');
my $ada = Campfire::Client->new($server);
my $bob = Campfire::Client->new($server);
$ada->first_run('Ada');
$bob->join('Bob');
$server->sql(q{
    INSERT INTO rooms (id, name, type, creator_id, created_at, updated_at)
    VALUES (2, 'Other', 'Rooms::Open', 1, '2026-01-01 10:00:00', '2026-01-01 10:00:00');
    INSERT INTO memberships (room_id, user_id, created_at, updated_at, involvement)
    SELECT 2, id, '2026-01-01 10:00:00', '2026-01-01 10:00:00', 'mentions' FROM users;
});

sub cached {
    my ($client, $path) = @_;
    my $answer = $client->get($path);
    return ($answer->header('X-Cache') // '') . ' ' . $answer->code;
}

# What a page shows of its messages: ids, texts, authors, boosts.
sub shown {
    my ($client, $path) = @_;
    my $html = $client->get($path)->decoded_content;
    my @all = $html =~ /data-message-id="(\d+)"|<strong data-reply-target="author">([^<]*)|data-messages-target="body">(.*?)<\/div>\s*<turbo-frame|class="boost boost-item"|data-boost-delete-target="content"[^>]*>([^<]*)/gs;
    return join '|', map { $_ // '' } @all;
}

$ada->say(1, '<p>one</p>');
is(cached($ada, '/rooms/1'), 'MISS 200', 'the first time');
is(cached($ada, '/rooms/1'), 'HIT 200', 'the second time');
is(cached($bob, '/rooms/1'), 'HIT 200', 'somebody else shares it');
is(cached($ada, '/rooms/1/messages'), 'HIT 200', 'and the page of messages');
is(cached($bob, '/session/new'), '- 200', 'other pages have no say');

cached($ada, '/rooms/2');
$ada->say(1, '<p>two</p>');
is(cached($ada, '/rooms/2'), 'HIT 200', 'a post elsewhere leaves it alone');
is(cached($ada, '/rooms/1'), 'MISS 200', 'its own does not');
like(shown($bob, '/rooms/1'), qr/two/, 'it is there');

# each kind of write, over both workers, is on the very next page of everybody
my $id = $ada->say(1, '<p>three</p>');
for my $step (
    ['an edit', sub { $ada->put("/rooms/1/messages/$id",
                        ['message[body]' => '<p>3</p>']) }, qr/<p>3<\/p>/],
    ['a boost', sub { $bob->post("/messages/$id/boosts",
                        ['boost[content]' => 'yes!']) }, qr/yes!/],
    ['its end', sub { my ($b) = $bob->get("/messages/$id/boosts")
                        ->decoded_content =~ /id="boost_(\d+)"/;
                      $bob->delete("/messages/$id/boosts/$b") }, qr/^(?!.*yes!)/s],
    ['a deletion', sub { $ada->delete("/rooms/1/messages/$id") },
     qr/^(?!.*<p>3<\/p>)/s],
    ['a rename by another program', sub { $server->sql(
        "UPDATE users SET name = 'Augusta' WHERE id = 1") }, qr/Augusta/],
) {
    my ($name, $do, $want) = @$step;
    shown($bob, '/rooms/1') for 1 .. 3;
    $do->();
    my $wrong = 0;
    for (1 .. 6) {
        # a connection of its own: any of the workers
        my $client = Campfire::Client->new($server);
        $client->{ua}->cookie_jar($bob->{ua}->cookie_jar);
        my $html = $client->get('/rooms/1', Connection => 'close')
            ->decoded_content;
        $wrong++ unless $html =~ $want;
    }
    is($wrong, 0, "$name is on the next page, whoever asks");
}

# pages before and after, and around, belong to their anchor
my @ids = map { $ada->say(1, "<p>n$_</p>") } 1 .. 90;
for my $path ("/rooms/1/messages?before=$ids[60]",
              "/rooms/1/messages?after=$ids[20]", "/rooms/1/\@$ids[45]") {
    my $first = shown($ada, $path);
    is(cached($ada, $path), 'HIT 200', "$path is kept");
    is(shown($ada, $path), $first, 'the same');
}
is(cached($ada, "/rooms/1/messages?before=$ids[61]"), 'MISS 200',
   'another anchor is another page');

# rights are looked at before the cache
$server->sql('DELETE FROM memberships WHERE room_id = 2 AND user_id = 2');
cached($ada, '/rooms/2');
is(cached($ada, '/rooms/2'), 'HIT 200', 'a member has it from the cache');
is($bob->get('/rooms/2')->code, 302, 'who was removed has it no more');
is($bob->get('/rooms/2/messages')->code, 404, 'in no form');

# more pages than fit: the oldest go, nothing breaks
{
    my $big = '<p>' . ('word ' x 6000) . '</p>';
    my @big = map { $ada->say(2, $big) } 1 .. 45;
    for my $n (1 .. 60) {
        my $answer = $ada->get("/rooms/2/\@$big[$n % 45]");
        length($answer->content) > 500_000 or fail('a page is short'), last;
    }
    is(cached($ada, '/rooms/1/messages'), 'MISS 200', 'the oldest went');
    is(cached($ada, '/rooms/1/messages'), 'HIT 200', 'and came back');
}

# readers and writers at once: what one has written he reads
{
    my @children;
    for my $n (1 .. 4) {
        my $pid = fork // die;
        if (!$pid) {
            my $client = Campfire::Client->new($server);
            $client->{ua}->cookie_jar($ada->{ua}->cookie_jar);
            $client->{token} = $ada->{token};
            my $bad = 0;
            for my $i (1 .. 40) {
                my $mine = $client->say(1, "<p>child $n $i</p>");
                $bad++ unless $mine && $client->get('/rooms/1/messages')
                    ->content =~ /data-message-id="$mine"/;
            }
            require POSIX;
            POSIX::_exit($bad ? 1 : 0);
        }
        push @children, $pid;
    }
    my $bad = 0;
    for (@children) {
        waitpid $_, 0;
        $bad++ if $?;
    }
    is($bad, 0, 'everybody reads what he wrote, at once');
}

is_deeply([$server->alarms], [], 'no alarms');
ok($server->stop, 'the server stops');
is($server->{status}, 0, 'well');
done_testing();
