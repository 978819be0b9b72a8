# SPDX-FileCopyrightText: 2026 The Swiftlet authors
# SPDX-License-Identifier: ISC
#
# Debian 12 with Swift 6.3 and make is all that is needed beforehand: each target installs what it lacks.

PREFIX ?= /usr/local
DESTDIR ?=
BINDIR ?= $(PREFIX)/bin
LIBDIR ?= $(PREFIX)/lib
DATADIR ?= $(PREFIX)/share
MANDIR ?= $(DATADIR)/man

# What `make run` hosts, what it plays into which node (a recorded voice, which Debian's alsa-utils brings), for how
# many seconds, and anything else to say: `make run FOR=60 ARGS='-v --set echo.time=200ms'`.
MANIFEST ?= manifests/vocal.yaml
PLAY ?= $(if $(filter %vocal.yaml,$(MANIFEST)),mic=/usr/share/sounds/alsa/Front_Center.wav)
FOR ?= 10
ARGS ?=

# Package traits: `TRAITS=RubberBand` builds in the engine `finest` for speed and pitch, and makes the tool
# GPL-3.0-or-later. `make install` wants to hear of it, too: what it is not told of it does not build.
TRAITS ?=

swiftlet := .build/release/swiftlet
# One set of flags for every release build, so that no target undoes another's work.
trait_flags := $(if $(TRAITS),--traits $(TRAITS))
# Symbols are looked up when it starts (`-z now`), not where the audio thread first calls them.
release_flags := -c release --static-swift-stdlib -Xswiftc -use-ld=lld -Xlinker -z -Xlinker now $(trait_flags) \
  --product
# What is tested is optimised as what is installed is, since debug code runs DSP seventy times slower; but every
# assertion stays in, and the witnesses of the audio thread watch.
test_flags := -c release -Xswiftc -enable-testing -Xswiftc -assert-config -Xswiftc Debug $(trait_flags) \
  --scratch-path .build/tests
# Everything whose change means building again; folders too, which change when a file goes.
sources := Package.swift $(wildcard Package.resolved) $(shell find Sources Plugins -not -name '.*')
swift_files := Package.swift $(wildcard Sources Plugins Tests Fuzz Examples Benchmarks)

# The built-in effects as LV2 plugins, for every host.
bundle := .build/lv2/swiftlet.lv2

# The jobs of the goals, for one question about packages instead of several.
goals := $(or $(MAKECMDGOALS),build)
needs := build $(TRAITS) $(if $(filter run torture,$(goals)),run) $(if $(filter test test-tools test-code torture,$(goals)),run test) \
  $(if $(filter bench,$(goals)),bench) $(if $(filter lint,$(goals)),lint) \
  $(if $(filter audit,$(goals)),audit)

.PHONY: build lv2 run test test-tools test-code test-rubberband test-tsan test-asan torture soak fuzz \
  fuzz-proof lint docs format bench audit install uninstall deps clean help always
.NOTPARALLEL:

## build      the `swiftlet` tool, its manual pages and completions, in release
build: .build/stage/.done

## lv2        the built-in effects as an LV2 bundle, in .build/lv2
lv2: .build/lv2/.done

## run        the vocal chain on a private dummy JACK server, a recorded voice as singer, for ten seconds
run: .build/swiftlet.done
	@Scripts/dependencies $(needs)
	@$(swiftlet) run $(MANIFEST) --dummy --for $(FOR) $(if $(PLAY),--play $(PLAY)) --takes takes $(ARGS)

## test       everything: object code, installation, and all tests under RealtimeSanitizer
test: test-tools test-code

test-tools: .build/stage/.done
	@Scripts/dependencies $(needs)
	@Scripts/object-code --self-test
	@Scripts/object-code .build/release
	@# What no other test compiles: the trait, and all in debug, where the compiler checks the marks of the audio
	@# thread before anything is optimised away.
	swift build --traits RubberBand --scratch-path .build/rubberband --product swiftlet
	@for test in Tests/Tooling/*.sh; do echo "$$test …"; sh "$$test" || exit 1; done

test-code:
	@Scripts/dependencies $(needs)
	@# An engine in a studio of its own: libjack serves one server at a time in a process. Plugins that loop on the audio
	@# thread run while nothing else does.
	@SWIFTLET_LIVE_TESTS=1 Scripts/test $(test_flags) --filter 'EngineTests.LiveTests|CommandTests.LoopingPluginTests'
	@SWIFTLET_SOAK=120 Scripts/test $(test_flags) --skip-build --filter EngineTests.SoakTests
	@Scripts/test $(test_flags) --skip-build

## test-rubberband  what the trait RubberBand brings, in a build of its own
test-rubberband:
	@Scripts/dependencies build run test RubberBand
	@Scripts/test $(test_flags) --traits RubberBand --scratch-path .build/rubberband \
	  --filter 'StretchTests|StretchEngineTests|PitchTests|ConformanceTests|RealTimeTests|CommandLineTests'

## test-tsan  the tests where threads meet, under ThreadSanitizer; shows first that it finds planted races
test-tsan:
	@Scripts/dependencies build run test
	@Scripts/sanitize thread

## test-asan  the tests of our C, of files and of plugins, under AddressSanitizer and LeakSanitizer; shows that they work
test-asan:
	@Scripts/dependencies build run test
	@Scripts/sanitize address

## torture    kills recordings and recoveries at random: KILLS=1000 in all, FOR=3600 seconds now; goes on where it ended
torture: .build/swiftlet.done
	@Scripts/dependencies $(needs)
	@Scripts/torture $(swiftlet) --servers --kills $(or $(KILLS),1000) $(if $(filter command line,$(origin FOR)),--for $(FOR)) \
	  --log .build/torture.log

## soak       an edited show for FOR seconds (2700) whose memory, threads and files may not grow; each call starts anew
soak:
	@Scripts/dependencies build run test
	@mkdir -p .build
	@# The allocator counts what threads keep of freed blocks as given out.
	@GLIBC_TUNABLES=glibc.malloc.tcache_count=0 TEST_LIMIT=3h SWIFTLET_SOAK=$(if $(filter command line,$(origin FOR)),$(FOR),2700) \
	  SWIFTLET_SOAK_LOG=$(CURDIR)/.build/soak.log Scripts/test $(test_flags) --filter EngineTests.SoakTests

## fuzz       FOR seconds of fuzzing for each parser of outside bytes, or for TARGET alone: `make fuzz FOR=60 TARGET=json`
fuzz:
	@Scripts/dependencies build run
	@Scripts/fuzz run $(FOR) $(TARGET)

## fuzz-proof  shows that each fuzz target finds a planted fault within FOR seconds
fuzz-proof:
	@Scripts/dependencies build run
	@Scripts/fuzz proof $(FOR) $(TARGET)

## lint       formatting, rules of the audio thread, licences, the public API and its comments, code and manifests in documents
lint: .build/swiftlet.done
	@Scripts/dependencies $(needs)
	swift format lint --strict --parallel --recursive $(swift_files)
	Scripts/lint
	reuse lint --quiet
	Scripts/public-api
	Scripts/parameter-docs
	Scripts/snippets
	Scripts/manifests

## docs       the documentation of the API as a website, in .build/docs; a warning is an error
docs: .build/swiftlet.done
	@Scripts/dependencies $(needs)
	Scripts/docs

## format     formats every Swift file in place
format:
	swift format --in-place --parallel --recursive $(swift_files)

## bench      the numbers that Swiftlet promises, measured on this machine; some of them with ARGS='export memory'
bench: .build/swiftlet.done
	@Scripts/dependencies $(needs)
	Benchmarks/run $(ARGS)

## audit      audits the plugins of Debian's packages and writes docs/plugins.md; goes on where it ended
audit: .build/swiftlet.done
	@Scripts/dependencies $(needs)
	@XDG_CACHE_HOME=$(CURDIR)/.build/audit/cache nice Scripts/audit $(swiftlet) docs/plugins.md \
	  $(filter-out binutils,$(shell Scripts/dependencies --list audit))

## install    tool and LV2 bundle, under PREFIX (/usr/local), BINDIR, LIBDIR, DATADIR, MANDIR; DESTDIR goes in front
install: .build/stage/.done
	@DESTDIR='$(DESTDIR)' BINDIR='$(BINDIR)' LIBDIR='$(LIBDIR)' DATADIR='$(DATADIR)' MANDIR='$(MANDIR)' \
	  Scripts/install .build/stage

## uninstall  removes exactly what install put there
uninstall:
	@DESTDIR='$(DESTDIR)' DATADIR='$(DATADIR)' Scripts/install --remove

## deps       installs all that any target needs, and does nothing else
deps:
	@Scripts/dependencies build $(TRAITS) run test lint bench

## clean      removes what was built
clean:
	rm -rf .build

## help       this list
help:
	@sed -n 's/^## /  make /p' Makefile

# `swift build` takes half a second to find that nothing changed; make takes a few milliseconds.
.build/swiftlet.done: $(sources) .build/traits
	@Scripts/dependencies $(needs)
	swift build $(release_flags) swiftlet
	swift build $(release_flags) swiftlet-plugin-host
	SWIFTLET_RTSAN=$$(Scripts/rtsan-flags --object $(CURDIR)/.build/rtsan.o) swift build $(release_flags) swiftlet-audit-host
	@touch $@

# The traits of the last build: another file only where they change.
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
