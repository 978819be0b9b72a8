# SPDX-FileCopyrightText: 2026 The Swiftlet authors
# SPDX-License-Identifier: ISC
#
# Requires Debian 12 with Swift 6.3 and make. Each target installs the packages that it lacks.

PREFIX ?= /usr/local
DESTDIR ?=
BINDIR ?= $(PREFIX)/bin
LIBDIR ?= $(PREFIX)/lib
DATADIR ?= $(PREFIX)/share
MANDIR ?= $(DATADIR)/man

# The manifest of `make run`, the file that it plays into a node (a recorded voice from Debian's alsa-utils), the
# duration in seconds, and further arguments: `make run FOR=60 ARGS='-v --set echo.time=200ms'`.
MANIFEST ?= manifests/vocal.yaml
PLAY ?= $(if $(filter %vocal.yaml,$(MANIFEST)),mic=/usr/share/sounds/alsa/Front_Center.wav)
FOR ?= 10
ARGS ?=

# Package traits: `TRAITS=RubberBand` adds the algorithm `finest` for speed and pitch, and makes the tool
# GPL-3.0-or-later. `make install` needs the same setting; otherwise it builds without the trait.
TRAITS ?=

swiftlet := .build/release/swiftlet
# All release builds share one set of flags, so that targets do not invalidate each other's builds.
trait_flags := $(if $(TRAITS),--traits $(TRAITS))
# The program resolves symbols when it starts (`-z now`), not when the audio thread first calls them.
release_flags := -c release --static-swift-stdlib -Xswiftc -use-ld=lld -Xlinker -z -Xlinker now $(trait_flags) \
  --product
# Tests are optimised like the installed program, since debug code runs DSP seventy times slower. Assertions stay
# enabled, and the run-time checks of the audio thread are linked in.
test_flags := -c release -Xswiftc -enable-testing -Xswiftc -assert-config -Xswiftc Debug $(trait_flags) \
  --scratch-path .build/tests
# All files whose change requires a build, and their folders, which change when a file is removed.
sources := Package.swift $(wildcard Package.resolved) $(shell find Sources Plugins -not -name '.*')
swift_files := Package.swift $(wildcard Sources Plugins Tests Fuzz Examples Benchmarks)

# The built-in effects as LV2 plugins for other hosts.
bundle := .build/lv2/swiftlet.lv2

# The package groups of all goals, so that Scripts/dependencies asks only once.
goals := $(or $(MAKECMDGOALS),build)
needs := build $(TRAITS) $(if $(filter run torture,$(goals)),run) $(if $(filter test test-tools test-code torture,$(goals)),run test) \
  $(if $(filter bench,$(goals)),bench) $(if $(filter lint,$(goals)),lint) \
  $(if $(filter audit,$(goals)),audit)

.PHONY: build lv2 run test test-tools test-code test-rubberband test-tsan test-asan torture soak fuzz \
  fuzz-proof lint docs format bench audit install uninstall deps clean help always
.NOTPARALLEL:

## build      builds the `swiftlet` tool, its manual pages and completions, in release
build: .build/stage/.done

## lv2        builds the built-in effects as an LV2 bundle, in .build/lv2
lv2: .build/lv2/.done

## run        runs the vocal chain with a recorded voice on a private dummy JACK server, for ten seconds
run: .build/swiftlet.done
	@Scripts/dependencies $(needs)
	@$(swiftlet) run $(MANIFEST) --dummy --for $(FOR) $(if $(PLAY),--play $(PLAY)) --takes takes $(ARGS)

## test       tests everything: object code, installation, and all tests under RealtimeSanitizer
test: test-tools test-code

test-tools: .build/stage/.done
	@Scripts/dependencies $(needs)
	@Scripts/object-code --self-test
	@Scripts/object-code .build/release
	@# No other test compiles the trait, or a debug build, in which the compiler checks the marks of the audio thread
	@# before it optimises code away.
	swift build --traits RubberBand --scratch-path .build/rubberband --product swiftlet
	@for test in Tests/Tooling/*.sh; do echo "$$test …"; sh "$$test" || exit 1; done

test-code:
	@Scripts/dependencies $(needs)
	@# These tests run alone: libjack supports one server at a time in a process, and some tests occupy a processor with
	@# real-time priority.
	@SWIFTLET_LIVE_TESTS=1 Scripts/test $(test_flags) --filter 'EngineTests.LiveTests|CommandTests.(IsolatedDeadline|LoopingPlugin|Overload|PlayerUnderrun)Tests'
	@SWIFTLET_SOAK=120 Scripts/test $(test_flags) --skip-build --filter EngineTests.SoakTests
	@Scripts/test $(test_flags) --skip-build

## test-rubberband  tests the trait RubberBand, in a separate build
test-rubberband:
	@Scripts/dependencies build run test RubberBand
	@Scripts/test $(test_flags) --traits RubberBand --scratch-path .build/rubberband \
	  --filter 'StretchTests|StretchAlgorithmTests|PitchTests|ConformanceTests|RealTimeTests|CommandLineTests'

## test-tsan  runs the tests with several threads under ThreadSanitizer; checks first that it finds planted races
test-tsan:
	@Scripts/dependencies build run test
	@Scripts/sanitize thread

## test-asan  runs the tests of C code, files and plugins under AddressSanitizer and LeakSanitizer; checks first that they work
test-asan:
	@Scripts/dependencies build run test
	@Scripts/sanitize address

## torture    kills recordings and recoveries at random, KILLS=1000 in total, for FOR=3600 seconds; continues the last call
torture: .build/swiftlet.done
	@Scripts/dependencies $(needs)
	@Scripts/torture $(swiftlet) --servers --kills $(or $(KILLS),1000) $(if $(filter command line,$(origin FOR)),--for $(FOR)) \
	  --log .build/torture.log

## soak       edits a playing graph for FOR seconds (2700); fails if memory, threads or open files grow; each call starts anew
soak:
	@Scripts/dependencies build run test
	@mkdir -p .build
	@# The allocator counts freed blocks in the caches of threads as used, so these caches are disabled.
	@GLIBC_TUNABLES=glibc.malloc.tcache_count=0 TEST_LIMIT=3h SWIFTLET_SOAK=$(if $(filter command line,$(origin FOR)),$(FOR),2700) \
	  SWIFTLET_SOAK_LOG=$(CURDIR)/.build/soak.log Scripts/test $(test_flags) --filter EngineTests.SoakTests

## fuzz       fuzzes each parser of outside bytes for FOR seconds, or TARGET alone: `make fuzz FOR=60 TARGET=json`
fuzz:
	@Scripts/dependencies build run
	@Scripts/fuzz run $(FOR) $(TARGET)

## fuzz-proof  checks that each fuzz target finds a planted fault within FOR seconds
fuzz-proof:
	@Scripts/dependencies build run
	@Scripts/fuzz proof $(FOR) $(TARGET)

## lint       checks formatting, rules of the audio thread, licences, the public API and its comments, code and manifests in documents
lint: .build/swiftlet.done
	@Scripts/dependencies $(needs)
	swift format lint --strict --parallel --recursive $(swift_files)
	Scripts/lint
	Scripts/language
	reuse lint --quiet
	Scripts/public-api
	Scripts/parameter-docs
	Scripts/snippets
	Scripts/manifests

## docs       builds the documentation of the API as a website, in .build/docs; a warning is an error
docs: .build/swiftlet.done
	@Scripts/dependencies $(needs)
	Scripts/docs

## format     formats every Swift file in place
format:
	swift format --in-place --parallel --recursive $(swift_files)

## bench      measures the figures that the documentation states; ARGS='export memory' selects some of them
bench: .build/swiftlet.done
	@Scripts/dependencies $(needs)
	Benchmarks/run $(ARGS)

## audit      audits the plugins of Debian's packages, renders and runs each, and writes docs/plugins.md; continues the last call
audit: .build/swiftlet.done
	@Scripts/dependencies $(needs)
	@XDG_CACHE_HOME=$(CURDIR)/.build/audit/cache nice Scripts/audit $(swiftlet) docs/plugins.md \
	  $(filter-out binutils,$(shell Scripts/dependencies --list audit))
	@XDG_CACHE_HOME=$(CURDIR)/.build/audit/cache nice Scripts/sweep $(swiftlet) docs/plugins.md \
	  $(filter-out binutils,$(shell Scripts/dependencies --list audit))

## install    installs tool and LV2 bundle under PREFIX (/usr/local), BINDIR, LIBDIR, DATADIR, MANDIR; DESTDIR is the prefix of all
install: .build/stage/.done
	@DESTDIR='$(DESTDIR)' BINDIR='$(BINDIR)' LIBDIR='$(LIBDIR)' DATADIR='$(DATADIR)' MANDIR='$(MANDIR)' \
	  Scripts/install .build/stage

## uninstall  removes exactly the files that install created
uninstall:
	@DESTDIR='$(DESTDIR)' DATADIR='$(DATADIR)' Scripts/install --remove

## deps       installs the packages of all targets, and does nothing else
deps:
	@Scripts/dependencies build $(TRAITS) run test lint bench

## clean      removes all build products
clean:
	rm -rf .build

## help       prints this list
help:
	@sed -n 's/^## /  make /p' Makefile

# `swift build` takes half a second to find that nothing changed; make takes a few milliseconds.
.build/swiftlet.done: $(sources) .build/traits
	@Scripts/dependencies $(needs)
	swift build $(release_flags) swiftlet
	swift build $(release_flags) swiftlet-plugin-host
	SWIFTLET_RTSAN=$$(Scripts/rtsan-flags --object $(CURDIR)/.build/rtsan.o) swift build $(release_flags) swiftlet-audit-host
	@touch $@

# The traits of the last build. The file is written only if they change.
.build/traits: always
	@mkdir -p .build
	@[ -f $@ ] && [ "$$(cat $@)" = '$(TRAITS)' ] || echo '$(TRAITS)' >$@

.build/lv2/.done: Scripts/lv2-bundle Plugins/LV2/Entry.swift \
  $(shell find Sources/Signal Sources/LV2Export Sources/CLV2 Sources/CRealtime Plugins/Effects -not -name '.*')
	@Scripts/dependencies $(needs)
	Scripts/lv2-bundle $(bundle) Plugins/Effects
	@touch $@

.build/stage/.done: .build/swiftlet.done .build/lv2/.done Scripts/stage Scripts/manual-pages \
  README.md CHANGELOG.md $(wildcard LICENSES/*) $(shell find docs/man manifests 2>/dev/null)
	Scripts/stage $(swiftlet) $(bundle) .build/stage
	@touch $@
