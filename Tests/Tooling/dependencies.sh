#!/bin/sh
# SPDX-FileCopyrightText: 2026 The Swiftlet authors
# SPDX-License-Identifier: ISC
#
# Scripts/dependencies on machines of all kinds, each a folder of pretended programs that is the whole PATH.
set -eu
cd "$(dirname "$0")/../.."
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
failures=0

# A machine: all packages but sox are there, one is root, Swift is new, apt-get works and the lists are fetched.
machine() {
  rm -rf "$work/bin" "$work/log" "$work/flaky"
  mkdir "$work/bin"
  : >"$work/log"
  for tool in sh env sed tr sort grep head cat find true; do ln -s "$(command -v "$tool")" "$work/bin/$tool"; done
  pretend id 'echo 0'
  pretend swift 'echo "Swift version 6.3.1 (swift-6.3.1-RELEASE)"'
  pretend dpkg-query 'shift 2; for name; do [ "$name" = sox ] || echo "installed $name"; done'
  pretend apt-get 'echo "apt-get [${DEBIAN_FRONTEND:-}] $*" >>"$LOG"'
}

pretend() {
  printf '#!/bin/sh\n%s\n' "$2" >"$work/bin/$1"
  chmod +x "$work/bin/$1"
}

# Asks for the test's packages as a pipe would, and keeps what is said and the exit code.
ask() {
  code=0
  said=$(env -i PATH="$work/bin" LOG="$work/log" WORK="$work" "$work/bin/sh" Scripts/dependencies test 2>&1 </dev/null) ||
    code=$?
  log=$(cat "$work/log")
}

expect() {
  sentence=$1
  shift
  if ! "$@"; then
    failures=$((failures + 1))
    printf 'does not hold: %s\n  exit code %s, said: %s\n  log: %s\n' "$sentence" "$code" "$said" "$log" >&2
  fi
}
says() { case $said in *"$1"*) ;; *) return 1 ;; esac; }
logs() { case $log in *"$1"*) ;; *) return 1 ;; esac; }
silent() { [ -z "$said$log" ]; }
exits() { [ "$code" = "$1" ]; }
untouched() { [ -z "$log" ]; }

machine
pretend dpkg-query 'shift 2; for name; do echo "installed $name"; done'
ask
expect 'where all is there, nothing is called and nothing is said' silent
expect 'where all is there, all is well' exits 0

machine
ask
expect 'what is missing is installed without a question' logs 'install --no-install-recommends sox'
expect 'only what is missing is installed' [ "${log#*ffmpeg}" = "$log" ]
expect 'no package asks a question of its own' logs '[noninteractive]'
expect 'installing succeeds' exits 0

machine
pretend apt-get 'echo "apt-get $*" >>"$LOG"; case "$*" in *install*) [ -f "$WORK/flaky" ] || { : >"$WORK/flaky"; exit 100; } ;; esac'
ask
expect 'lists that are out of date are fetched, and the packages tried again' logs 'update'
expect 'the second try counts' exits 0

machine
pretend apt-get 'exit 100'
ask
expect 'packages that cannot be installed are named' says '  sox'
expect 'packages that cannot be installed are an error' exits 1

machine
pretend id 'echo 1000'
ask
expect 'who is not root and has no sudo is told what to run' says 'install --no-install-recommends sox'
expect 'who is not root and has no sudo gets an error' exits 1
expect 'who is not root and has no sudo installs nothing' untouched

machine
pretend id 'echo 1000'
pretend sudo 'echo sudo >>"$LOG"; exec "$@"'
ask
expect 'who is not root installs through sudo' logs 'sudo'
expect 'sudo hands on that no questions are asked' logs '[noninteractive]'

machine
rm "$work/bin/swift"
ask
expect 'a machine without Swift is told so' says "no 'swift' on the PATH"
expect 'a machine without Swift downloads nothing' untouched
expect 'a machine without Swift gets an error' exits 1

for version in 5.10.1 6.2; do
  machine
  pretend swift "echo 'Swift version $version (swift-$version-RELEASE)'"
  ask
  expect "Swift $version is too old" says 'is too old: 6.3'
  expect "Swift $version is an error" exits 1
done
machine
pretend swift "echo 'Swift version 7.0 (swift-7.0-RELEASE)'"
ask
expect 'Swift 7.0 is new enough' exits 0

# What is under the GPL is asked for by who wants it, and by nobody else.
machine
said=$(Scripts/dependencies --list build run bench lint) log= code=0
expect 'Rubber Band is not built in unasked' eval '! says librubberband'
said=$(Scripts/dependencies --list build RubberBand)
expect 'the trait RubberBand has its library' says librubberband-dev
code=0
said=$(Scripts/dependencies --list build Rubberband 2>&1) || code=$?
expect 'a trait that is not there is an error' exits 2
expect 'a trait that is not there is told with those that are' says 'RubberBand'

# On a terminal there is a question; script(1) makes one.
if command -v script >/dev/null; then
  for answer in n y; do
    machine
    code=0
    said=$(echo "$answer" | script -qec \
      "env -i PATH='$work/bin' LOG='$work/log' '$work/bin/sh' Scripts/dependencies test" /dev/null) || code=$?
    log=$(cat "$work/log")
    expect "on a terminal the list is shown and asked for" says 'sox'
    expect "on a terminal there is a question" says '[Y/n]'
    if [ "$answer" = n ]; then
      expect 'no means no' untouched
      expect 'no is an error for who needs them' exits 1
    else
      expect 'yes means yes' logs 'install --no-install-recommends sox'
      expect 'after yes all is well' exits 0
    fi
  done
fi

[ "$failures" = 0 ] || exit 1
echo 'dependencies: every machine is served'
