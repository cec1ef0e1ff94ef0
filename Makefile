# Short names for what Meson, Ninja and the scripts do. BUILD is the build directory.

BUILD = build
PREFIX = /usr/local
FUZZ_SECONDS = 60

# The build that is tested takes warnings for errors.
PLAIN = -Dtests=true -Dwerror=true
# Little optimisation: the compile time of the interpreter's loop under the sanitizers falls to a
# third, and the tests do not notice.
ASAN = -Dtests=true -Db_sanitize=address,undefined -Db_lundef=false -Doptimization=1

all:
	@scripts/deps --check build
	@scripts/build $(BUILD)

demo:          # install what is missing, build, and show heddle on the examples
	@scripts/deps build
	@scripts/build $(BUILD)
	@scripts/demo $(BUILD)/heddle

test:          # install what is missing, build, and run every test
	@scripts/deps build test
	@scripts/build $(BUILD) $(PLAIN)
	@scripts/build $(BUILD)/asan $(ASAN)
	@tests/run --build $(BUILD)

test-unit:     # the unit tests, the random ones five times as long
	@scripts/deps build test
	@scripts/build $(BUILD) $(PLAIN)
	@scripts/build $(BUILD)/asan $(ASAN)
	@tests/run --build $(BUILD) --slow --only 'unit:*'

test-model:    # the differential test of the interpreter on 1,000 random programs
	@scripts/deps build test
	@scripts/build $(BUILD) $(PLAIN)
	@tests/csmith/run.py --heddle $(BUILD)/heddle --count 1000 --keep $(BUILD)/csmith-differ

test-lowering: # the lowering of synchronisation against the interpreter, the whole corpus
	@scripts/deps build test
	@scripts/build $(BUILD) -Dtests=true
	@tests/run --build $(BUILD) --slow --only 'lowering:*'

test-automata: # automata of threads against the interpreter, the whole corpus
	@scripts/deps build test
	@scripts/build $(BUILD) -Dtests=true
	@tests/run --build $(BUILD) --slow --only 'automata:*'

test-circ-model: # formulas of blocks against the interpreter, the whole corpus
	@scripts/deps build test
	@scripts/build $(BUILD) -Dtests=true
	@tests/run --build $(BUILD) --slow --only 'circ_model:*'

test-contexts: # certificates of proofs by contexts, changed in 5,000 places
	@scripts/deps build test
	@scripts/build $(BUILD) -Dtests=true
	@tests/run --build $(BUILD) --slow --only 'contexts:*'

test-seq:      # heddle seq: 1,000 random programs against all their balanced executions, the whole corpus
	@scripts/deps build test
	@scripts/build $(BUILD) -Dtests=true
	@tests/run --build $(BUILD) --slow --only 'seq:*'

test-threads:  # verdicts on 1,000 random programs with threads against ThreadSanitizer
	@scripts/deps build test
	@scripts/build $(BUILD)
	@tests/threads/compare --heddle $(BUILD)/heddle --count 1000 --keep $(BUILD)/threads-differ

test-places:   # places in memory: 8,000 random questions whose truth is known by construction
	@scripts/deps build test
	@scripts/build $(BUILD) -Dtests=true
	@tests/places/run.py --build $(BUILD) --programs 200 --keep $(BUILD)/places

test-trust:    # verdicts on 2,000 random programs against an exhaustive explorer, engines alone
	@scripts/deps build test
	@scripts/build $(BUILD) -Dtests=true
	@tests/run --build $(BUILD) --slow --only 'trust:*'

test-exam:     # verdicts on some 500 programs whose truth is known by construction, 20 s each
	@scripts/deps build test
	@scripts/build $(BUILD) -Dtests=true
	@tests/exam/run --heddle $(BUILD)/heddle

test-browser:  # the HTML report in Chromium: clicks, keys, themes, hostile names, accessibility
	@scripts/deps build browser
	@scripts/build $(BUILD)
	@tests/browser/run --heddle $(BUILD)/heddle --folder $(BUILD)/browser

test-replay:   # errors of the scenarios of heddle run, and some of heddle check, replayed 100 times
	@scripts/deps build test
	@scripts/build $(BUILD) $(PLAIN)
	@tests/run --build $(BUILD) --slow --only 'run:scenarios*' --only 'confirm:*'

test-solve:    # terms and both solvers on many more random terms
	@scripts/deps build test
	@scripts/build $(BUILD) $(PLAIN)
	@tests/run --build $(BUILD) --slow --only 'solve:*'

test-kiss:     # KISS against all balanced schedules and rounds of 1,000 random programs
	@scripts/deps build test
	@scripts/build $(BUILD) $(PLAIN)
	@tests/run --build $(BUILD) --slow --only 'kiss:*'

test-circ:     # thread transition systems: nets and contexts against their meaning, 2,000 of each kind
	@scripts/deps build test
	@scripts/build $(BUILD) $(PLAIN)
	@tests/run --build $(BUILD) --slow --only 'tts:*'

test-csp:      # the CSP checker against the reference and the laws, 5,000 pairs each
	@scripts/deps build test
	@scripts/build $(BUILD) $(PLAIN)
	@tests/csp/reference/run.py --heddle $(BUILD)/heddle --pairs 5000 --stepwise 5000 --laws 5000 \
	  --networks 5000

fuzz:          # every fuzz target for FUZZ_SECONDS seconds
	@scripts/deps build test
	@scripts/fuzz $(BUILD)/fuzz $(FUZZ_SECONDS)

# Every bench-NAME below.
BENCHES = $(shell sed -n 's/^\(bench-[a-z]*\):.*/\1/p' Makefile)
bench: $(BENCHES)

bench-causes:  # what keeps real programs at unknown, by how many locations, see docs/real-programs.md
	@scripts/deps build bench
	@scripts/build $(BUILD)
	@bench/causes $(BUILD)/heddle

bench-circ:    # thread transition systems by nets and by contexts, families of them
	@scripts/build $(BUILD) $(PLAIN)
	@bench/circ $(BUILD)/tests/tts/tts_family

bench-csp:     # the CSP checker against Spin, on the same systems
	@scripts/deps build spin
	@scripts/build $(BUILD)
	@bench/csp $(BUILD)/heddle

bench-drivers: # races on the fields of drivers, in the columns of the KISS paper, see docs/drivers.md
	@scripts/deps build
	@scripts/build $(BUILD)
	@bench/kiss-drivers --heddle $(BUILD)/heddle

bench-section: # races on variables guarded by values, in the columns of section 6 of the CIRC paper
	@scripts/deps build
	@scripts/build $(BUILD)
	@bench/circ-section6 --heddle $(BUILD)/heddle

bench-field:   # are the limits of time and memory kept on real programs? see docs/real-programs.md
	@scripts/deps build bench
	@scripts/build $(BUILD)
	@bench/field $(BUILD)/heddle

bench-fieldrun: # heddle run beside ThreadSanitizer on real programs and their inputs, see docs/field.md
	@scripts/deps build bench fieldrun
	@scripts/build $(BUILD)
	@bench/field-run $(BUILD)/heddle

bench-front:   # heddle's load against clang's compile, on real programs
	@scripts/deps build bench
	@scripts/build $(BUILD)
	@bench/front $(BUILD)/heddle

bench-pointsto: # the points-to analysis alone, on generated programs and those of bench-front
	@scripts/build $(BUILD) $(PLAIN)
	@bench/pointsto --bench $(BUILD)/bench $(BUILD)/tests/pointsto/pointsto_watch

bench-races:   # what heddle check says about real programs, see docs/real-programs.md
	@scripts/deps build bench
	@scripts/build $(BUILD)
	@bench/races $(BUILD)/heddle

bench-run:     # heddle run beside ThreadSanitizer and Helgrind, figure 5.17, the cost of recording
	@scripts/deps build bench
	@scripts/build $(BUILD)
	@bench/run --heddle $(BUILD)/heddle --folder $(BUILD)/bench-run

bench-pools:   # are races of pools, dealt out differently in every run, shown in 100 of 100 runs?
	@scripts/deps build bench
	@scripts/build $(BUILD)
	@bench/pools --heddle $(BUILD)/heddle --folder $(BUILD)/bench-pools

bench-scenarios: # heddle run beside ThreadSanitizer and Helgrind on the scenarios of its tests
	@scripts/deps build bench
	@scripts/build $(BUILD)
	@bench/scenarios --heddle $(BUILD)/heddle --folder $(BUILD)/bench-scenarios

bench-small:   # heddle run beside ThreadSanitizer and Helgrind on small racy programs and their twins, one run each
	@scripts/deps build bench
	@scripts/build $(BUILD)
	@bench/small --heddle $(BUILD)/heddle --folder $(BUILD)/bench-small

bench-equal-time:   # one heddle run against as many runs of ThreadSanitizer and Helgrind as fit into its time
	@scripts/deps build bench
	@scripts/build $(BUILD)
	@bench/equal-time --heddle $(BUILD)/heddle --folder $(BUILD)/bench-equal-time

bench-solve:   # the two solvers of terms on the same formulas, see docs/solve.md
	@scripts/deps build test
	@scripts/build $(BUILD) $(PLAIN)
	@bench/solve $(BUILD)/heddle-solve

bench-static:  # what the lock set check costs as programs grow, against clang's compile
	@scripts/deps build
	@scripts/build $(BUILD)
	@bench/static $(BUILD)/heddle

bench-tftp:    # the case study of the layered approach, see docs/tftp.md
	@scripts/deps build
	@scripts/build $(BUILD)
	@bench/tftp --details $(BUILD)/heddle

bench-kiss:    # errors by sequential checking: what is found, and the cost against threads, turns, elements
	@scripts/deps build
	@scripts/build $(BUILD)
	@bench/kiss $(BUILD)/heddle

bench-html:    # a page of 10,000 findings in Chromium: to load, to search, to scroll
	@scripts/deps build browser
	@scripts/build $(BUILD)
	@bench/html --heddle $(BUILD)/heddle --folder $(BUILD)/browser

bench-petri:   # the Petri net engine: the paper's table, and families of nets
	@scripts/deps build
	@scripts/build $(BUILD)
	@bench/petri $(BUILD)/heddle

install:
	@scripts/deps --check build
	@scripts/install $(BUILD) $(PREFIX)

bare:          # prove demo and test on a minimal Debian (needs root)
	@tests/bare/run

clean:
	rm -rf $(BUILD)

.PHONY: $(shell sed -n 's/^\([a-z-]*\):.*/\1/p' Makefile)
