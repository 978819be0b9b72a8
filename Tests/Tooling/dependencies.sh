#!/bin/sh
# SPDX-FileCopyrightText: 2026 The Swiftlet authors
# SPDX-License-Identifier: ISC
#
# Tests Scripts/dependencies on simulated machines. Each is a folder of fake programs that is the whole PATH.
set -eu
cd "$(dirname "$0")/../.."
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
failures=0

# A machine: all packages except sox are installed, the user is root, Swift is new enough, apt-get works and its lists
# are up to date.
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

# Requests the test's packages without a terminal, and stores the output and the exit code.
request_packages() {
  code=0
  output=$(env -i PATH="$work/bin" LOG="$work/log" WORK="$work" "$work/bin/sh" Scripts/dependencies test 2>&1 </dev/null) ||
    code=$?
  log=$(cat "$work/log")
}

expect() {
  sentence=$1
  shift
  if ! "$@"; then
    failures=$((failures + 1))
    printf 'dependencies: failed: %s\n  exit code %s, output: %s\n  log: %s\n' "$sentence" "$code" "$output" "$log" >&2
  fi
}
output_has() { case $output in *"$1"*) ;; *) return 1 ;; esac; }
logs() { case $log in *"$1"*) ;; *) return 1 ;; esac; }
silent() { [ -z "$output$log" ]; }
exits() { [ "$code" = "$1" ]; }
untouched() { [ -z "$log" ]; }

machine
pretend dpkg-query 'shift 2; for name; do echo "installed $name"; done'
request_packages
expect 'with all packages installed, nothing runs and nothing is printed' silent
expect 'with all packages installed, the script succeeds' exits 0

machine
request_packages
expect 'without a terminal, missing packages are installed at once' logs 'install --no-install-recommends sox'
expect 'only missing packages are installed' [ "${log#*ffmpeg}" = "$log" ]
expect 'packages are installed without questions of their own' logs '[noninteractive]'
expect 'after installing, the script succeeds' exits 0

machine
pretend apt-get 'echo "apt-get $*" >>"$LOG"; case "$*" in *install*) [ -f "$WORK/flaky" ] || { : >"$WORK/flaky"; exit 100; } ;; esac'
request_packages
expect 'if installing fails, the package lists are updated' logs 'update'
expect 'if the second attempt succeeds, the script succeeds' exits 0

machine
pretend apt-get 'exit 100'
request_packages
expect 'packages that cannot be installed are listed' output_has '  sox'
expect 'packages that cannot be installed give status 1' exits 1

machine
pretend id 'echo 1000'
request_packages
expect 'without root or sudo, the command to run is printed' output_has 'install --no-install-recommends sox'
expect 'without root or sudo, the script exits with status 1' exits 1
expect 'without root or sudo, nothing is installed' untouched

machine
pretend id 'echo 1000'
pretend sudo 'echo sudo >>"$LOG"; exec "$@"'
request_packages
expect 'without root, packages are installed with sudo' logs 'sudo'
expect 'sudo passes the noninteractive mode on' logs '[noninteractive]'

machine
rm "$work/bin/swift"
request_packages
expect 'without Swift, the missing program is named' output_has "no 'swift' on the PATH"
expect 'without Swift, nothing is installed' untouched
expect 'without Swift, the script exits with status 1' exits 1

for version in 5.10.1 6.2; do
  machine
  pretend swift "echo 'Swift version $version (swift-$version-RELEASE)'"
  request_packages
  expect "Swift $version is reported as too old" output_has 'is too old: 6.3'
  expect "Swift $version gives status 1" exits 1
done
machine
pretend swift "echo 'Swift version 7.0 (swift-7.0-RELEASE)'"
request_packages
expect 'Swift 7.0 is accepted' exits 0

# The GPL library is listed only if its trait is requested.
machine
output=$(Scripts/dependencies --list build run bench lint) log= code=0
expect 'Rubber Band is not listed by default' eval '! output_has librubberband'
output=$(Scripts/dependencies --list build RubberBand)
expect 'the trait RubberBand lists its library' output_has librubberband-dev
code=0
output=$(Scripts/dependencies --list build Rubberband 2>&1) || code=$?
expect 'an unknown trait gives status 2' exits 2
expect 'the error for an unknown trait lists the known traits' output_has 'RubberBand'

# On a terminal the script asks; script(1) provides a terminal.
if command -v script >/dev/null; then
  for answer in n y; do
    machine
    code=0
    output=$(echo "$answer" | script -qec \
      "env -i PATH='$work/bin' LOG='$work/log' '$work/bin/sh' Scripts/dependencies test" /dev/null) || code=$?
    log=$(cat "$work/log")
    expect "on a terminal the missing packages are listed" output_has 'sox'
    expect "on a terminal the script asks" output_has '[Y/n]'
    if [ "$answer" = n ]; then
      expect 'after no, nothing is installed' untouched
      expect 'after no, the script exits with status 1' exits 1
    else
      expect 'after yes, the packages are installed' logs 'install --no-install-recommends sox'
      expect 'after yes, the script succeeds' exits 0
    fi
  done
fi

[ "$failures" = 0 ] || exit 1
echo 'dependencies: every simulated machine gives the expected result'
