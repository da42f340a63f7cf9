#!/bin/sh
# Makes packages of the last commit, and tries them: Debian packages (deb), a Python wheel (wheel), and
# with try-deb and try-wheel each on a bare Debian 12, which debootstrap makes (as root); try-install does
# there what the README says of building and installing, try-demo and try-test its two commands, in a clone.
# What is made lies in build-package/.
# Usage: scripts/package.sh deb|wheel|try-deb|try-wheel|try-install|try-demo|try-test...
# SPDX-License-Identifier: GPL-3.0-or-later
set -eu
cd "$(dirname "$0")/.."
out=$PWD/build-package
mirror=${DEBIAN_MIRROR:-http://deb.debian.org/debian}

fail() { echo "package.sh: $*" >&2; exit 1; }

export DEB_BUILD_OPTIONS="${DEB_BUILD_OPTIONS:-parallel=$(nproc)}"

make_deb()
{
    command -v dpkg-buildpackage >/dev/null && command -v dh >/dev/null ||
        fail "apt-get install dpkg-dev debhelper dh-python lintian"
    rm -rf "$out/source" && mkdir -p "$out/source/perfmodel"
    git archive HEAD | tar -x -C "$out/source/perfmodel"
    (cd "$out/source/perfmodel" && dpkg-buildpackage -b -us -uc)
    rm -f "$out"/*.deb "$out"/*.changes "$out"/*.buildinfo
    mv "$out"/source/*.deb "$out/"
    mv "$out"/source/*.changes "$out"/source/*.buildinfo "$out/"
    rm -rf "$out/source"
    ! command -v lintian >/dev/null || lintian --fail-on error,warning "$out"/*.changes
    ls -l "$out"/*.deb
}

make_wheel()
{
    mkdir -p "$out"
    rm -f "$out"/*.whl
    python3 -m venv "$out/venv"
    "$out/venv/bin/pip" wheel -q --no-deps -w "$out" --config-settings=build-dir="$out/wheel" ./python
    ls -l "$out"/*.whl
}

# A bare system in the folder $bare, new each time. It is unpacked from an archive that the first call
# makes.
bare_system()
{
    [ "$(id -u)" -eq 0 ] || fail "a bare system is made by root"
    command -v debootstrap >/dev/null || fail "apt-get install debootstrap"
    mkdir -p "$out"
    bare=$(mktemp -d "${TMPDIR:-/tmp}/perfmodel-bare.XXXXXX")
    trap 'rm -rf "$bare"' EXIT
    if [ ! -e "$out/bookworm.tar" ]; then
        debootstrap --variant=minbase bookworm "$bare/first" "$mirror" >"$out/debootstrap.log" ||
            fail "no bare system: see $out/debootstrap.log"
        tar -C "$bare/first" -cf "$out/bookworm.tar" .
        rm -rf "$bare/first"
    fi
    tar -C "$bare" -xf "$out/bookworm.tar"
    cp /etc/resolv.conf "$bare/etc/"
    echo force-unsafe-io >"$bare/etc/dpkg/dpkg.cfg.d/unsafe" # it is thrown away
    for path in /etc/hosts /etc/apt/apt.conf.d/*proxy*; do
        [ ! -e "$path" ] || cp "$path" "$bare$path"
    done
}

# Runs a shell's commands there, with a /proc and a /sys, which PoCL looks into.
inside()
{
    unshare --mount chroot "$bare" /usr/bin/env -i PATH=/usr/sbin:/usr/bin:/sbin:/bin HOME=/root LC_ALL=C.UTF-8 \
        DEBIAN_FRONTEND=noninteractive ${PIP_CERT:+PIP_CERT=/root/pip.pem} \
        sh -eu -c "mount -t proc proc /proc; mount -t sysfs sysfs /sys; $1"
}

try_deb()
{
    ls "$out"/perfmodel_*.deb >/dev/null 2>&1 || make_deb
    bare_system
    mkdir "$bare/packages"
    cp "$out"/*.deb "$bare/packages/"
    rm -f "$bare"/packages/*-dbgsym_*
    inside '
        apt-get update -q
        apt-get install -y -q --no-install-recommends /packages/*.deb gcc libc6-dev pkg-config python3-pandas
        perfmodel predict --target gtx980 --program nbody
        perfmodel trace --program nbody --target h100
        perfmodel advise --template >/tmp/my.workload
        perfmodel trace --target gtx980 /tmp/my.workload >/dev/null
        printf "#include <perfmodel.h>\n#include <stdio.h>\nint main(void) { return puts(pm_library_version()) < 0; }\n" >/tmp/a.c
        gcc /tmp/a.c -o /tmp/a $(pkg-config --cflags --libs perfmodel)
        /tmp/a
        python3 -c "import perfmodel; print(perfmodel.predict(\"gtx980\", programs=\"nbody\").frame())"
        man -w perfmodel 2>/dev/null || ls /usr/share/man/man1/perfmodel.1.gz
        apt-get purge -y -q perfmodel perfmodel-common libperfmodel1 >/dev/null
        ! ls -d /usr/share/perfmodel /usr/lib/*/perfmodel 2>/dev/null'
    echo "package.sh: the Debian packages work on a bare Debian 12"
}

try_wheel()
{
    ls "$out"/perfmodel-*.whl >/dev/null 2>&1 || make_wheel
    bare_system
    cp "$out"/perfmodel-*.whl "$bare/root/"
    [ -z "${PIP_CERT:-}" ] || cp "$PIP_CERT" "$bare/root/pip.pem"
    # Its run-time libraries; then what it traces with.
    inside '
        apt-get update -q
        apt-get install -y -q --no-install-recommends python3-venv libgsl27 libblis4-serial libjansson4 libcsv3 libxxhash0 ocl-icd-libopencl1
        python3 -m venv /root/venv
        /root/venv/bin/pip install -q /root/perfmodel-*.whl pandas
        cd /
        /root/venv/bin/python -c "import perfmodel; print(perfmodel.predict(\"gtx980\", programs=\"nbody\").frame())"
        apt-get install -y -q --no-install-recommends clang-19 libclang1-19 libclc-19
        /root/venv/bin/python -c "import perfmodel; print(perfmodel.trace(\"nbody\", target=\"gtx980\").frame().iloc[0, :8])"'
    echo "package.sh: the wheel works on a bare Debian 12"
}

# The words of the README. The sources are gone before what they were installed as is used.
try_install()
{
    bare_system
    mkdir "$bare/root/perfmodel"
    git archive HEAD | tar -x -C "$bare/root/perfmodel"
    inside '
        cd /root/perfmodel
        scripts/setup.sh
        cmake -G Ninja -S . -B build && cmake --build build
        cmake --install build --prefix ~/.local
        cd / && rm -rf /root/perfmodel
        export PATH=$HOME/.local/bin:$PATH
        perfmodel predict --target h200 --from h100 >/dev/null
        perfmodel trace --program nbody --target h100
        perfmodel advise --template >/tmp/my.workload
        perfmodel advise --target gtx980 /tmp/my.workload
        perfmodel report --target h100 --target gtx980 --program matmul -o /tmp/report.html
        perfmodel collect --program copy --variant float --size 16 -o /tmp/copy.csv
        mv ~/.local /opt/perfmodel
        /opt/perfmodel/bin/perfmodel predict --target gtx980 --program nbody
        printf "#include <perfmodel.h>\n#include <stdio.h>\nint main(void) { return puts(pm_library_version()) < 0; }\n" >/tmp/a.c
        export PKG_CONFIG_PATH=$(dirname "$(find /opt/perfmodel -name perfmodel.pc)")
        gcc /tmp/a.c -o /tmp/a $(pkg-config --cflags --libs perfmodel)
        /tmp/a'
    echo "package.sh: what the README says of installing works on a bare Debian 12"
}

# One of the README's two commands. A bare system has no git: it is cloned from outside, with its history.
try_command()
{
    bare_system
    [ -z "${PIP_CERT:-}" ] || cp "$PIP_CERT" "$bare/root/pip.pem"
    git clone -q --no-hardlinks . "$bare/root/perfmodel"
    inside "cd /root/perfmodel; scripts/$1.sh"
    echo "package.sh: scripts/$1.sh works on a bare Debian 12"
}

possible="deb, wheel, try-deb, try-wheel, try-install, try-demo or try-test"
[ $# -gt 0 ] || fail "say what: $possible"
for what; do
    case $what in
    deb) make_deb ;;
    wheel) make_wheel ;;
    try-deb) (try_deb) ;;
    try-wheel) (try_wheel) ;;
    try-install) (try_install) ;;
    try-demo) (try_command demo) ;;
    try-test) (try_command test) ;;
    *) fail "$what: $possible are possible" ;;
    esac
done
