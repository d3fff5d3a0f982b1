#!/usr/bin/env bash
# The only entry point: installs what is needed, builds the module, runs the
# server and the tests. Every verb does what it needs first and may be
# repeated; everything made lies in build/, nothing else is written.
set -euo pipefail

top=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
out=$top/build
stamp=$out/deps.stamp

# Debian 12 packages; the list is part of the stamp, so a change installs again.
packages=(
    nginx nginx-dev libnginx-mod-http-ndk libnginx-mod-http-ndk-dev
    gcc make pkg-config dpkg-dev ca-certificates curl openssl sqlite3 xz-utils
    libsqlite3-dev libssl-dev libcrypt-dev libjansson-dev libxxhash-dev
    libpcre2-dev wrk
    zlib1g-dev libcmocka-dev libjemalloc2 perl libwww-perl liburi-perl
    libtest-longstring-perl liblist-moreutils-perl libtest-base-perl
    libtext-diff-perl libipc-run-perl libprotocol-websocket-perl
    libdbi-perl libdbd-sqlite3-perl
    libio-socket-ssl-perl liblwp-protocol-https-perl chromium fonts-noto-color-emoji
    clang libclang-rt-14-dev
)

# Single packages that Debian 12 lacks, taken from sid by file.
sid_packages=(libtest-nginx-perl liblexbor3 liblexbor-dev)

say() { printf 'build.sh: %s\n' "$*"; }
die() { printf 'build.sh: %s\n' "$*" >&2; exit 1; }


# apt_install PACKAGE...: installs without upgrading anything present.
apt_install() {
    DEBIAN_FRONTEND=noninteractive apt-get install -y -q \
        --no-install-recommends --no-upgrade "$@" >>"$out/deps.log" 2>&1 \
        || die "apt-get could not install $* (see $out/deps.log)"
}


# debian_mirror: where this machine gets Debian 12 from.
debian_mirror() {
    apt-get indextargets --format '$(REPO_URI)' 'Codename: bookworm' \
        2>/dev/null | grep -v security | head -n 1 | grep .
}


# sid_fetch PACKAGE: downloads one .deb through a private apt root, so that
# the machine's own sources never learn of sid.
sid_fetch() {
    local root=$out/sid mirror

    mirror=$(debian_mirror) || die "no Debian mirror found in the apt sources"

    mkdir -p "$root"/{lists/partial,cache/archives/partial,deb}
    printf 'deb [signed-by=/usr/share/keyrings/debian-archive-keyring.gpg] %s sid main\n' \
        "$mirror" >"$root/sources.list"

    local opts=(-o "Dir::Etc::sourcelist=$root/sources.list"
                -o Dir::Etc::sourceparts=/dev/null
                -o "Dir::State::lists=$root/lists"
                -o "Dir::Cache=$root/cache"
                -o APT::Sandbox::User=root)

    [ -e "$root/updated" ] \
        || apt-get "${opts[@]}" update >>"$out/deps.log" 2>&1 \
        || die "the sid package list cannot be read (see $out/deps.log)"
    touch "$root/updated"

    (cd "$root/deb" && apt-get "${opts[@]}" download "$1" \
        >>"$out/deps.log" 2>&1) || die "cannot download $1 from sid"
}


deps() {
    local want
    mkdir -p "$out"
    want="${packages[*]} ${sid_packages[*]}"

    if [ -e "$stamp" ] && [ "$(cat "$stamp")" = "$want" ] \
       && dpkg -s "${packages[@]}" "${sid_packages[@]}" >/dev/null 2>&1
    then
        return
    fi

    [ "$(id -u)" = 0 ] || die "deps needs root: sudo ./build.sh deps"

    say "installing packages"
    if ! dpkg -s "${packages[@]}" >/dev/null 2>&1; then
        apt-get update -q >>"$out/deps.log" 2>&1 \
            || say "apt-get update failed, trying with the lists at hand"
        apt_install "${packages[@]}"
    fi

    local p
    for p in "${sid_packages[@]}"; do
        if ! dpkg -s "$p" >/dev/null 2>&1; then
            say "installing $p (sid)"
            sid_fetch "$p"
            apt_install "$out"/sid/deb/"${p}"_*.deb
        fi
    done

    # any Node from 18 on will do; Debian's only where there is none
    if ! command -v node >/dev/null || ! command -v npm >/dev/null; then
        say "installing Node.js"
        apt_install nodejs npm
    fi

    printf '%s' "$want" >"$stamp"
}


# npm_install FROM TO: the locked packages of one folder, into build/.
npm_install() {
    local from=$1 to=$2
    command -v npm >/dev/null || die "npm is missing: run ./build.sh deps"

    mkdir -p "$to"
    if [ -d "$to/node_modules" ] \
       && cmp -s "$from/package-lock.json" "$to/package-lock.json"
    then
        return
    fi

    say "fetching npm packages for ${from#"$top"/}"
    cp "$from/package.json" "$from/package-lock.json" "$to/"
    (cd "$to" && npm ci --no-audit --no-fund --loglevel=error) \
        >"$out/npm.log" 2>&1 \
        || { tail -n 5 "$out/npm.log" >&2; rm -f "$to/package-lock.json"
             die "npm ci failed (see $out/npm.log)"; }
}


# views: what is C only after this: schema, assets with their names, templates.
views() {
    npm_install "$top/templates/assets" "$out/npm"

    mkdir -p "$out/assets" "$out/generated" "$out/views"

    perl "$top/schema/embed.pl" >"$out/generated/schema.new" \
        || die "the schema cannot be embedded"
    if ! cmp -s "$out/generated/schema.new" \
                "$out/generated/ngx_campfire_db_schema_sql.h"
    then
        mv "$out/generated/schema.new" \
           "$out/generated/ngx_campfire_db_schema_sql.h"
    fi
    rm -f "$out/generated/schema.new"

    say "bundling assets"
    node "$top/templates/assets/build.mjs" --out "$out/assets" \
        --modules "$out/npm/node_modules" --prefix /assets \
        || die "the assets cannot be bundled"
    node "$top/templates/compiler/assets.js" --assets "$out/assets" \
        --out "$out/generated/ngx_campfire_view_asset_table.h" \
        || die "the table of assets cannot be made"

    say "compiling templates"
    (cd "$top/templates" && node compiler/compile.js --templates . \
        --manifest "$out/assets/manifest.json" --out "$out/views") \
        || die "the templates do not compile"
}


# configure_module SRC BUILDDIR ARG...: nginx's configure with our add-on,
# when something it looks at has changed.
configure_module() {
    local src=$1 dir=$2 files=$2.files h
    shift 2

    # a source file that came or went changes the Makefile, too
    (cd "$top" && find ngx_campfire_module build/views -name '*.[ch]' \
        2>/dev/null | sort; echo "$*") >"$files.new"

    if [ -e "$dir/Makefile" ] && [ ! "$top/config" -nt "$dir/Makefile" ] \
       && cmp -s "$files" "$files.new"
    then
        rm -f "$files.new"
        return
    fi

    say "configuring"
    mkdir -p "$dir"
    for h in "$dir"/ngx_auto_{config,headers}.h; do
        [ ! -e "$h" ] || mv "$h" "$h.before"
    done

    (cd "$src" && CAMPFIRE_BUILD=$out ./configure "$@" --builddir="$dir") \
        >"$out/configure.log" 2>&1 \
        || { grep -h 'error' "$out/configure.log" | tail -n 5 >&2
             die "configure failed (see $out/configure.log)"; }

    # with its old date nobody compiles nginx itself again
    for h in "$dir"/ngx_auto_{config,headers}.h; do
        ! cmp -s "$h" "$h.before" || mv "$h.before" "$h"
    done

    mv "$files.new" "$files"
}


# build [--nginx-source DIR]: against Debian's nginx, or against the sources
# of another version, whose module lies in build/module-VERSION.
build() {
    local src=/usr/share/nginx/src dir=$out/module cc="-g -O2 -fPIC -Wshadow"
    local version args

    if [ "${1:-}" = --nginx-source ]; then
        [ -n "${2:-}" ] || die "--nginx-source needs a directory"
        [ -x "$2/configure" ] || die "$2 has no configure script of nginx"
        src=$(cd "$2" && pwd)
        version=$(sed -n 's/#define NGINX_VERSION *"\(.*\)"/\1/p' \
                  "$src/src/core/nginx.h")
        dir=$out/module-$version
    elif [ -n "${1:-}" ]; then
        die "usage: ./build.sh build [--nginx-source DIR]"
    fi

    deps
    views

    if [ "$src" = /usr/share/nginx/src ]; then
        [ -r "$src/conf_flags" ] \
            || die "$src/conf_flags is missing: install nginx-dev"
        # shellcheck disable=SC1091
        . "$src/conf_flags"
        args=("${NGX_CONF_FLAGS[@]}")
    else
        args=(--with-compat --with-threads --with-http_ssl_module
              --with-http_v2_module)
    fi

    configure_module "$src" "$dir" "${args[@]}" --with-cc-opt="$cc" \
        --with-ld-opt="-Wl,-z,relro -Wl,-z,now -fPIC" \
        --add-dynamic-module="$top"

    say "compiling"
    make -s -j"$(nproc)" -f "$dir/Makefile" -C "$src" modules \
        >"$out/make.log" 2>&1 \
        || { grep -E 'error|warning' "$out/make.log" | head -n 20 >&2
             die "the module does not compile (see $out/make.log)"; }
    say "built $dir/ngx_campfire_module.so"
}


# secret_key: 64 random bytes in hex, as rails secret does.
secret_key() { openssl rand -hex 64; }

# vapid PEM public|private: the raw key in URL base64, as browsers take it.
vapid() {
    local der
    der=$(openssl ec -in "$1" -outform DER 2>/dev/null | od -An -v -tx1 \
          | tr -d ' \n')
    case $2 in
        private) der=${der:14:64} ;;
        public)  der=${der: -130} ;;
    esac
    printf '%s' "$der" | perl -ne 'print pack "H*", $_' | base64 -w0 \
        | tr '+/' '-_' | tr -d '='
}


# secrets STORAGE: STORAGE/secrets, made once; the environment goes first.
secrets() {
    local file=$1/secrets pem

    if [ ! -e "$file" ]; then
        pem=$(mktemp)
        openssl ecparam -name prime256v1 -genkey -noout -out "$pem" 2>/dev/null
        (umask 077
         {
            printf 'SECRET_KEY_BASE=%s\n' "$(secret_key)"
            printf 'VAPID_PUBLIC_KEY=%s\n' "$(vapid "$pem" public)"
            printf 'VAPID_PRIVATE_KEY=%s\n' "$(vapid "$pem" private)"
         } >"$file.new")
        rm -f "$pem"
        mv "$file.new" "$file"
        say "made new secrets in $file" >&2
    fi

    local name line
    for name in SECRET_KEY_BASE VAPID_PUBLIC_KEY VAPID_PRIVATE_KEY; do
        if [ -n "${!name:-}" ]; then
            printf '%s=%s\n' "$name" "${!name}"
        else
            line=$(grep "^$name=" "$file") \
                || die "$file has no line $name=..., and it is not set"
            printf '%s\n' "$line"
        fi
    done
}


# run: Debian's nginx in the foreground with a configuration of its own.
run() {
    local listen=127.0.0.1:3000 storage=./storage workers user=
    local dir=$out/run jemalloc files

    workers=$(nproc)
    while [ $# -gt 0 ]; do
        case $1 in
            --listen|--storage|--workers)
                [ -n "${2:-}" ] || die "$1 needs a value"
                case $1 in
                    --listen)  listen=$2 ;;
                    --storage) storage=$2 ;;
                    --workers) workers=$2 ;;
                esac
                shift 2 ;;
            *)  die "usage: ./build.sh run [--listen ADDR:PORT]" \
                    "[--storage DIR] [--workers N]" ;;
        esac
    done

    [[ $listen =~ ^[][0-9a-zA-Z.:-]+:[0-9]+$ ]] \
        || die "--listen wants ADDR:PORT, such as 127.0.0.1:3000"
    [[ $workers =~ ^[1-9][0-9]*$ ]] || die "--workers wants a number"

    build

    mkdir -p "$storage/db" "$storage/files" \
        || die "the storage directory $storage cannot be made"
    storage=$(cd "$storage" && pwd)

    mkdir -p "$dir/tmp"
    (umask 077; secrets "$storage" >"$dir/secrets")

    [ "$(id -u)" != 0 ] || user="user root;"

    cat >"$dir/nginx.conf" <<EOF
$user
daemon off;
pid $dir/nginx.pid;
error_log /dev/stderr notice;
worker_processes $workers;
worker_shutdown_timeout 30s;
load_module /usr/lib/nginx/modules/ndk_http_module.so;
load_module $out/module/ngx_campfire_module.so;
env LD_PRELOAD;
env MALLOC_CONF;
env APP_VERSION;
env GIT_REVISION;
events { worker_connections 4096; }
http {
    include /etc/nginx/mime.types;
    access_log off;
    client_max_body_size 0;
    client_body_temp_path $dir/tmp/body;
    proxy_temp_path $dir/tmp/proxy;
    fastcgi_temp_path $dir/tmp/fastcgi;
    uwsgi_temp_path $dir/tmp/uwsgi;
    scgi_temp_path $dir/tmp/scgi;
    gzip on;
    gzip_min_length 1024;
    gzip_types text/css text/javascript application/json image/svg+xml
               text/vnd.turbo-stream.html;
    server {
        listen $listen;
        location / {
            campfire $storage;
            campfire_secrets_file $dir/secrets;
            campfire_tls off;   # there is no certificate here
        }
        location /assets/ {
            alias $out/assets/;
            gzip_static on;
            add_header Cache-Control "public, max-age=31536000, immutable";
        }
    }
}
EOF

    nginx -t -q -e /dev/stderr -c "$dir/nginx.conf" \
        || die "nginx does not take this configuration"

    # as many open tabs as this shell may have files
    files=$(ulimit -Hn)
    [ "$files" != unlimited ] && [ "$files" -lt 65536 ] || files=65536
    ulimit -n "$files" 2>/dev/null || true

    jemalloc=$(ldconfig -p | sed -n 's/.*=> \(.*libjemalloc\.so\.2\)$/\1/p' \
               | head -n 1)
    [ -n "$jemalloc" ] || die "libjemalloc.so.2 is missing: run ./build.sh deps"

    say "Campfire is at http://$listen/ (Ctrl-C stops it)"
    LD_PRELOAD=$jemalloc \
    MALLOC_CONF=${MALLOC_CONF:-background_thread:true,dirty_decay_ms:5000} \
        exec nginx -e /dev/stderr -c "$dir/nginx.conf"
}


# unit: pure code against the Rails vectors, under the sanitizers, because
# these files read bytes that strangers send.
unit() {
    local f name
    mkdir -p "$out/unit"
    for f in "$top"/t/unit/test_*.c; do
        name=$(basename "$f" .c)
        gcc -std=gnu99 -g -O1 -Wall -Wextra -Wshadow -Werror \
            -Wno-unused-parameter -fno-omit-frame-pointer \
            -fsanitize=address,undefined -fno-sanitize-recover=undefined \
            -DNGX_CAMPFIRE_STANDALONE=1 \
            -I"$top/ngx_campfire_module" \
            "$f" "$top"/ngx_campfire_module/base/*.c \
            "$top"/ngx_campfire_module/rails/*.c \
            "$top"/ngx_campfire_module/richtext/*.c \
            "$top"/ngx_campfire_module/cable/ngx_campfire_cable_frame.c \
            "$top"/ngx_campfire_module/cable/ngx_campfire_cable_handshake.c \
            "$top"/ngx_campfire_module/cable/ngx_campfire_cable_protocol.c \
            -o "$out/unit/$name" -lcmocka -l:liblexbor_static.a -ljansson \
            -lcrypto -lcrypt \
            || die "$name does not compile"
    done
}


# nginx_source: the sources that Debian's nginx was built of, in build/; as
# their authors released them, through a private apt root with deb-src.
nginx_source() {
    local root=$out/source version mirror opts

    version=$(dpkg-query -W -f '${source:Upstream-Version}' nginx)
    nginx_tree=$out/nginx-$version
    [ ! -x "$nginx_tree/configure" ] || return 0

    mirror=$(debian_mirror) || return 1
    mkdir -p "$root"/{lists/partial,cache/archives/partial}
    printf 'deb-src [signed-by=/usr/share/keyrings/debian-archive-keyring.gpg] %s bookworm main\n' \
        "$mirror" >"$root/sources.list"

    opts=(-o "Dir::Etc::sourcelist=$root/sources.list"
          -o Dir::Etc::sourceparts=/dev/null
          -o "Dir::State::lists=$root/lists" -o "Dir::Cache=$root/cache"
          -o APT::Sandbox::User=root)

    say "fetching the sources of nginx $version"
    (cd "$root" && apt-get "${opts[@]}" update \
     && apt-get "${opts[@]}" source --download-only --tar-only nginx) \
        >"$out/source.log" 2>&1 || return 1

    tar -xzf "$root/nginx_$version.orig.tar.gz" -C "$out" \
        >>"$out/source.log" 2>&1
}


# sanitized: nginx itself and the module in build/asan, so that the product
# tests see every use of memory.  Only loads, shifts and such as nginx makes
# of old are let through; each small piece of a pool is a malloc of its own.
# Without the sources it is the module alone, in Debian's binary.
sanitized() {
    local dir=$out/asan nginx_tree src ld version
    local cc="-O1 -g -fno-omit-frame-pointer -Wshadow -DNGX_DEBUG_PALLOC=1
              -fsanitize=address,undefined -fno-sanitize-recover=undefined
              -fno-sanitize=alignment,pointer-overflow,null,nonnull-attribute"
    local args=(--with-compat --with-debug --with-threads --with-pcre-jit
                --with-http_ssl_module --with-http_v2_module
                --with-http_gzip_static_module --with-http_realip_module)

    cc=$(echo $cc)
    ld="-fsanitize=address,undefined"

    if nginx_source; then
        src=$nginx_tree
        asan_nginx=$dir/nginx
        asan_preload=
    else
        say "no sources of nginx (see $out/source.log):" \
            "only the module is sanitized, in Debian's nginx"
        src=/usr/share/nginx/src
        # shellcheck disable=SC1091
        . "$src/conf_flags"
        args=("${NGX_CONF_FLAGS[@]}")
        cc="$cc -fPIC"
        dir=$out/asan-module
        asan_nginx=/usr/sbin/nginx
        asan_preload=$(gcc -print-file-name=libasan.so)
    fi

    asan_module=$dir/ngx_campfire_module.so

    ASAN_OPTIONS=detect_leaks=0 \
    configure_module "$src" "$dir" "${args[@]}" --with-cc-opt="$cc" \
        --with-ld-opt="$ld" --add-dynamic-module="$top"

    say "compiling with sanitizers"
    make -s -j"$(nproc)" -f "$dir/Makefile" -C "$src" \
        $([ "$asan_preload" ] || echo "$dir/nginx") modules \
        >"$out/make-asan.log" 2>&1 \
        || { grep -E 'error|warning' "$out/make-asan.log" | head -n 20 >&2
             die "the sanitized module does not compile" \
                 "(see $out/make-asan.log)"; }
}


# core_unit: what needs nginx's pools, events and shared memory, linked with
# the objects of the sanitized tree.  Only nginx's main() gives way.
core_unit() {
    local dir=$out/asan to=$out/unit/core f name main
    local src=$out/nginx-$(dpkg-query -W -f '${source:Upstream-Version}' nginx)

    if [ "$asan_preload" ]; then
        rm -rf "$to"
        return
    fi

    mkdir -p "$to"

    if [ ! -e "$to/libcore.a" ] || [ "$dir/nginx" -nt "$to/libcore.a" ] \
       || [ "$asan_module" -nt "$to/libcore.a" ]
    then
        main=$to/nginx.o
        objcopy --redefine-sym main=ngx_main "$dir/src/core/nginx.o" "$main"
        rm -f "$to/libcore.a"
        find "$dir/src" "$dir/addon" "$dir/ngx_modules.o" -name '*.o' \
            ! -path "$dir/src/core/nginx.o" ! -name ngx_campfire_module.o \
            -exec ar qc "$to/libcore.a" "$main" {} +
        ranlib "$to/libcore.a"
    fi

    for f in "$top"/t/unit/core/test_*.c; do
        name=$(basename "$f" .c)
        [ "$to/libcore.a" -nt "$to/$name" ] || [ "$f" -nt "$to/$name" ] \
            || [ "$top/t/unit/core/models.h" -nt "$to/$name" ] \
            || [ "$top/t/unit/core/zone.h" -nt "$to/$name" ] || continue
        gcc -std=gnu11 -g -O1 -Wall -Wextra -Wshadow -Werror \
            -Wno-unused-parameter -Wno-unused-function \
            -fno-omit-frame-pointer -DNGX_DEBUG_PALLOC=1 \
            -fsanitize=address,undefined -fno-sanitize-recover=undefined \
            -fno-sanitize=alignment,pointer-overflow,null,nonnull-attribute \
            -I"$top/ngx_campfire_module" -I"$dir" -I"$out/generated" \
            -I"$out/views" -I"$src/src/core" -I"$src/src/event" \
            -I"$src/src/event/modules" -I"$src/src/event/quic" \
            -I"$src/src/os/unix" -I"$src/src/http" \
            -I"$src/src/http/modules" -I"$src/src/http/v2" \
            "$f" "$to/libcore.a" -o "$to/$name" -lcmocka \
            -l:liblexbor_static.a -lsqlite3 -ljansson -lssl -lcrypto -lcrypt \
            -lpcre2-8 -lz -lpthread -ldl \
            || die "$name does not compile"
    done
}


# fuzzers: each parser of foreign bytes as a libFuzzer target.
fuzzers() {
    local f name objects=()
    command -v clang >/dev/null || die "clang is missing: run ./build.sh deps"
    mkdir -p "$out/fuzz"

    for f in "$top"/t/fuzz/fuzz_*.c; do
        name=$(basename "$f" .c)
        name=${name#fuzz_}
        if [ -x "$out/fuzz/$name" ] && [ -z "$(find "$top/ngx_campfire_module" \
             "$f" -name '*.[ch]' -newer "$out/fuzz/$name" -print -quit)" ]
        then
            continue
        fi
        objects+=("$name")
    done

    [ ${#objects[@]} -gt 0 ] || return 0
    say "compiling fuzz targets"

    # shellcheck disable=SC2016
    printf '%s\n' "${objects[@]}" | xargs -P "$(nproc)" -I NAME \
        clang -std=gnu99 -g -O1 -fno-omit-frame-pointer \
            -fsanitize=fuzzer,address,undefined \
            -fno-sanitize-recover=undefined -DNGX_CAMPFIRE_STANDALONE=1 \
            -I"$top/ngx_campfire_module" "$top/t/fuzz/fuzz_NAME.c" \
            "$top"/ngx_campfire_module/base/*.c \
            "$top"/ngx_campfire_module/rails/*.c \
            "$top"/ngx_campfire_module/richtext/*.c \
            "$top"/ngx_campfire_module/cable/ngx_campfire_cable_frame.c \
            "$top"/ngx_campfire_module/cable/ngx_campfire_cable_handshake.c \
            "$top"/ngx_campfire_module/cable/ngx_campfire_cable_protocol.c \
            -o "$out/fuzz/NAME" -l:liblexbor_static.a -ljansson -lcrypto \
            -lcrypt -lm \
        || die "a fuzz target does not compile"
}


# fuzz [SECONDS]: all targets for longer than the tests do.
fuzz() {
    deps
    fuzzers
    CAMPFIRE_BUILD=$out CAMPFIRE_FUZZ_SECONDS=${1:-600} prove "$top/t/06-fuzz.t"
}


run_tests() {
    local status=0 product asan_nginx asan_module asan_preload

    build
    npm_install "$top/t/browser" "$out/npm-test"
    say "compiling unit tests"
    unit
    fuzzers
    sanitized
    core_unit
    cd "$top"

    CAMPFIRE_BUILD=$out TEST_NGINX_BINARY=/usr/sbin/nginx \
    TEST_NGINX_SERVROOT="$out/servroot" prove -I t/lib t/*.t || status=1

    # the product's own once more, with eyes on every byte
    say "the same under the sanitizers"
    mapfile -t product < <(grep -l '^use Campfire::Server' t/[1-4]*.t)
    CAMPFIRE_BUILD=$out CAMPFIRE_NGINX=$asan_nginx \
    CAMPFIRE_MODULE=$asan_module CAMPFIRE_PRELOAD=$asan_preload \
    ASAN_OPTIONS=detect_leaks=0:detect_odr_violation=0:handle_abort=1 \
    UBSAN_OPTIONS=print_stacktrace=1 \
        prove -I t/lib "${product[@]}" || status=1

    return $status
}


case "${1:-}" in
    deps)  deps ;;
    build) shift; build "$@" ;;
    run)   shift; run "$@" ;;
    test)  run_tests ;;
    bench) shift; build
           CAMPFIRE_BUILD=$out perl "$top/t/bench/bench.pl" "$@" ;;
    fuzz)  shift; fuzz "$@" ;;
    install|package|admin)
           die "'$1' is reserved and not available yet" ;;
    *)     die "usage: ./build.sh deps|build|run|test|bench|fuzz" ;;
esac
