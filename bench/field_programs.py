"""The programs of bench/field-run: how each is built, and what it is given to do.

A program is a recipe of bench/front (the shell runs its steps in the unpacked source, where CC and CXX
are set) and a task. The words of a task are those behind the program's name; {data} is the folder of the
input, {work} an empty folder, {port} a free port, {bin} the folder of the natively built program, {way} that of all
programs which were built in the same way, where `needs` says which ones are to be there. What
`piped` names comes through a pipe as standard input. `clients` is the command of a shell that drives a
server; when it has ended, the server is asked to end. A task with a `suite` is a script of the shell that runs the
program many times, as $PROGRAM.
"""

import collections
import os
import random
import shlex
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
CLIENTS = shlex.join([sys.executable, os.path.join(HERE, "field_clients.py")])
Task = collections.namedtuple("Task", "words piped clients suite needs", defaults=(None, None, None, ()))

# Where the patches of Debian do not come along, neither does the script that they would make.
RECONF = "test -x configure || autoreconf -fi; "
FLAGS = "-O2 -g"

RECIPES = {
    "ag": ("silversearcher-ag", "ag", RECONF + './configure CC="$CC" CFLAGS="-O2 -g -fcommon"', "make"),
    "bgzip": ("htslib", "bgzip", 'autoreconf -fi && ./configure CC="$CC" --with-external-htscodecs '
              "--disable-libcurl --disable-lzma --disable-plugins", "make bgzip"),
    "bonnie++": ("bonnie++", "bonnie++", 'CXX="$CXX" ./configure', 'make CXX="$CXX" LINK="$CXX" bonnie++'),
    "civetweb": ("civetweb", "civetweb", None,
                 "$CC %s -pthread -DNO_SSL -DNO_CGI -DUSE_WEBSOCKET -DUSE_SERVER_STATS -Iinclude src/main.c "
                 "src/civetweb.c -o civetweb -ldl" % FLAGS),
    # the source of a service for Windows is not in Debian's archive; its patches take it out of the lists
    "dash": ("dash", "src/dash", 'autoreconf -fi && ./configure CC="$CC" CFLAGS="-O2 -g"', "make"),
    "iperf": ("iperf", "src/iperf", 'autoreconf -fi && ./configure CC="$CC" CXX="$CXX" CFLAGS="-O2 -g" CXXFLAGS="-O2 -g"',
              "make"),
    "lbzip2": ("lbzip2", "src/lbzip2",
               './configure CC="$CC" CPPFLAGS="-D_IO_ftrylockfile -D_IO_IN_BACKUP=0x100"', "make"),
    "leveldb": ("leveldb", "db_bench", None,
                "mkdir -p o && cmake -S . -B o -DCMAKE_CXX_COMPILER=clang++-19 -DLEVELDB_BUILD_TESTS=OFF "
                "-DLEVELDB_BUILD_BENCHMARKS=OFF >/dev/null && $CXX %s -std=c++17 -pthread "
                "-DLEVELDB_PLATFORM_POSIX=1 -Io/include -I. -Iinclude $(ls db/*.cc table/*.cc util/*.cc | "
                "grep -v -e _test -e windows -e leveldbutil ) benchmarks/db_bench.cc -o db_bench" % FLAGS),
    "memcached": ("memcached", "memcached", './configure CC="$CC"', "make memcached"),
    "pbzip2": ("pbzip2", "pbzip2", None,
               'make CXX="$CXX" CXXFLAGS="-O2 -g -std=gnu++98 -pthread -D_LARGEFILE64_SOURCE '
               '-D_FILE_OFFSET_BITS=64" pbzip2'),
    "xz": ("xz-utils", "src/xz/xz", './configure CC="$CC" --disable-shared --disable-nls --disable-doc',
           "make"),
    "zpaq": ("zpaq", "zpaq", None, '$CXX %s -Dunix -pthread zpaq.cpp libzpaq.cpp -o zpaq' % FLAGS),
}

TASKS = {
    "ag": Task(["--workers", "4", "-c", "lorem[0-9]", "{data}/tree"]),
    "bgzip": Task(["-@", "4", "-c"], piped="text"),
    "bonnie++": Task(["-d", "{work}", "-s", "8", "-r", "1", "-n", "1", "-c", "4", "-u", "root", "-q"]),
    "civetweb": Task(["-listening_ports", "{port}", "-document_root", "{data}/tree", "-num_threads", "4"],
                     clients=CLIENTS + " http {port}"),
    # a shell that starts programs with threads, three of them at the same time, in pipelines
    "dash": Task(["-c", "for i in 1 2 3; do head -c 1000000 {data}/text | {way}/lbzip2/src/lbzip2 -n 2 -c > {work}/$i.bz2 & "
                  "done; wait; {way}/pbzip2/pbzip2 -p2 -b1 -d -c {work}/1.bz2 > {work}/1"], needs=("lbzip2", "pbzip2")),
    "iperf": Task(["-s", "-p", "{port}"], clients=CLIENTS + " iperf {port} {bin}"),
    "lbzip2": Task(["-n", "4", "-c"], piped="text"),
    "leveldb": Task(["--db={work}/db", "--threads=4", "--num=1000", "--write_buffer_size=65536",
                     "--benchmarks=fillrandom,readwhilewriting,compact"]),
    "memcached": Task(["-t", "4", "-A", "-u", "root", "-s", "{work}/socket", "-m", "32"],
                      clients=CLIENTS + " memcached {work}/socket"),
    "pbzip2": Task(["-p4", "-b1", "-k", "-c", "{data}/text"]),
    "xz": Task(["-T4", "--block-size=65536", "-c", "{data}/text"]),
    "xz-suite": Task([], suite=os.path.join(HERE, "field_suite.sh")),
    "zpaq": Task(["add", "{work}/a.zpaq", "{data}/tree", "-t4", "-m1"]),
}
# Tasks whose program is that of another one.
SHARED = {"xz-suite": "xz"}


def make_input(folder):
    """A text of 4 MiB and a tree of small files, always the same."""
    draw = random.Random(15)
    words = ["lorem", "ipsum", "dolor", "sit", "amet", "race", "lock", "thread"]
    line = lambda: " ".join(draw.choice(words) + str(draw.randrange(1000)) for _ in range(12)) + "\n"
    os.makedirs(folder, exist_ok=True)
    with open(os.path.join(folder, "text"), "w", encoding="ascii") as out:
        out.writelines(line() for _ in range(40000))
    for i in range(12):
        os.makedirs(os.path.join(folder, "tree", "d%d" % i), exist_ok=True)
        for j in range(12):
            with open(os.path.join(folder, "tree", "d%d" % i, "f%d.txt" % j), "w", encoding="ascii") as out:
                out.writelines(line() for _ in range(40))
