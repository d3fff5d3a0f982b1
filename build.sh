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
    libsqlite3-dev libssl-dev libcrypt-dev libjansson-dev libpcre2-dev
    zlib1g-dev libcmocka-dev libjemalloc2 perl libwww-perl liburi-perl
    libtest-longstring-perl liblist-moreutils-perl libtest-base-perl
    libtext-diff-perl libipc-run-perl libprotocol-websocket-perl
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


# sid_fetch PACKAGE: downloads one .deb through a private apt root, so that
# the machine's own sources never learn of sid.
sid_fetch() {
    local root=$out/sid mirror

    mirror=$(apt-get indextargets --format '$(REPO_URI)' 'Codename: bookworm' \
             2>/dev/null | grep -v security | head -n 1)
    [ -n "$mirror" ] || die "no Debian mirror found in the apt sources"

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

    printf '%s' "$want" >"$stamp"
}


build() {
    local src=/usr/share/nginx/src cc="-g -O2 -fPIC -Wshadow" jobs

    deps
    jobs=$(nproc)
    [ -r "$src/conf_flags" ] || die "$src/conf_flags is missing: install nginx-dev"

    # shellcheck disable=SC1091
    . "$src/conf_flags"

    # a source file that came or went changes the Makefile, too
    local files=$out/files.txt
    (cd "$top" && find ngx_campfire_module -name '*.[ch]' | sort) \
        >"$files.new"

    if [ ! -e "$out/module/Makefile" ] \
       || [ "$top/config" -nt "$out/module/Makefile" ] \
       || ! cmp -s "$files" "$files.new"
    then
        say "configuring"
        mkdir -p "$out/module"
        (cd "$src" && ./configure "${NGX_CONF_FLAGS[@]}" \
            --with-cc-opt="$cc" --with-ld-opt="-Wl,-z,relro -Wl,-z,now -fPIC" \
            --add-dynamic-module="$top" --builddir="$out/module") \
            >"$out/configure.log" 2>&1 \
            || { tail -n 5 "$out/configure.log" >&2; die "configure failed"; }
        mv "$files.new" "$files"
    fi

    say "compiling"
    make -s -j"$jobs" -f "$out/module/Makefile" \
        -C "$src" modules >"$out/make.log" 2>&1 \
        || { tail -n 30 "$out/make.log" >&2; die "the module does not compile"; }
    say "built $out/module/ngx_campfire_module.so"
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
            -o "$out/unit/$name" -lcmocka -l:liblexbor_static.a -ljansson \
            -lcrypto -lcrypt \
            || die "$name does not compile"
    done
}


run_tests() {
    build
    say "compiling unit tests"
    unit
    cd "$top"
    CAMPFIRE_BUILD=$out TEST_NGINX_BINARY=/usr/sbin/nginx \
    TEST_NGINX_SERVROOT="$out/servroot" prove -I t/lib t/*.t
}


case "${1:-}" in
    deps)  deps ;;
    build) build ;;
    test)  run_tests ;;
    run|bench|install|package|admin|fuzz)
           die "'$1' is reserved and not available yet" ;;
    *)     die "usage: ./build.sh deps|build|test" ;;
esac
