# SPDX-License-Identifier: MIT
# Read by test-deb.sh and test-dist.sh: a new root in build/NAME that has nothing but Debian's base, and what is done
# in it. Needs to be root, debootstrap, and a mirror (MIRROR).

# new_root NAME: makes it, with an empty folder given/; its log is build/NAME.log.
new_root() {
    root=$PWD/build/$1 log=$PWD/build/$1.log
    [ "$(id -u)" = 0 ] && command -v debootstrap >/dev/null || { echo "SKIP: not root, or no debootstrap"; exit 77; }
    . /etc/os-release
    # One that was interrupted has /proc mounted still, which is not to be removed with it.
    ! mountpoint -q "$root/proc" || umount "$root/proc"
    rm -rf --one-file-system "$root"
    mkdir -p build
    debootstrap --variant=minbase "$VERSION_CODENAME" "$root" ${MIRROR:+"$MIRROR"} >"$log" 2>&1 || {
        tail -n 20 "$log" >&2
        exit 1
    }
    mkdir "$root/given"
}

# inside COMMANDS: runs them in the root, in the folder given/.
inside() {
    chroot "$root" env -i PATH=/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin LC_ALL=C.UTF-8 \
        DEBIAN_FRONTEND=noninteractive sh -euc "cd /given; $1" </dev/null
}

# install PACKAGE...: with what they ask for, and nothing else.
install() {
    inside "apt-get -qy install --no-install-recommends $*" >>"$log" 2>&1 || {
        tail -n 20 "$log" >&2
        exit 1
    }
}
