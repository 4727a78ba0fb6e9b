PREFIX ?= /usr/local
DESTDIR ?=
PROGRAMS ?= .build/release

# A Swift trap would start the backtracer, which can wait on the terminal for minutes.
export SWIFT_BACKTRACE = enable=no

.PHONY: all demo test test-all check bench measure-files install dist clean

all:
	scripts/setup
	scripts/build-release

demo:
	scripts/setup
	scripts/build-demo
	ERRAND_BIN="$(CURDIR)/.build/debug" scripts/demo

# Builds and tests the release.
test:
	scripts/setup test
	scripts/test

# Runs randomised tests with more cases; takes about half an hour on two cores.
test-all:
	ERRAND_TESTS=all $(MAKE) test

check:
	scripts/setup test
	scripts/check

bench:
	scripts/setup bench
	scripts/build-release cel-bench bench-engine bench-store
	Benchmarks/run
	Benchmarks/Engine/compare
	Benchmarks/CEL/compare

# Measures the reading of other programs' files; prints a table.
measure-files: all
	scripts/measure-files

# Builds nothing, so that it can run as root: `make && sudo make install`.
install:
	install -d "$(DESTDIR)$(PREFIX)/bin"
	for program in errand-net errand; do \
	  strip -o "$(DESTDIR)$(PREFIX)/bin/.$$program.new" "$(PROGRAMS)/$$program" && \
	  chmod 755 "$(DESTDIR)$(PREFIX)/bin/.$$program.new" && \
	  mv -f "$(DESTDIR)$(PREFIX)/bin/.$$program.new" "$(DESTDIR)$(PREFIX)/bin/$$program" || exit 1; \
	done
	umask 022; share="$(DESTDIR)$(PREFIX)/share"; \
	put() { install -d "$$share/$${1%/*}" && "$(PROGRAMS)/errand" $$2 >"$$share/$$1"; }; \
	put bash-completion/completions/errand "completion bash" && \
	put zsh/site-functions/_errand "completion zsh" && \
	put fish/vendor_completions.d/errand.fish "completion fish" && \
	put man/man1/errand.1 "__man errand.1" && \
	put man/man5/errand-language.5 "__man errand-language.5"

# Makes a tarball and a Debian package in dist/, and tries them in an empty folder.
dist: all
	scripts/setup dist
	scripts/dist
	scripts/try-dist

clean:
	rm -rf .build dist
