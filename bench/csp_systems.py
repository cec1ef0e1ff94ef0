"""The systems of bench/csp, each as a CSP_M script and as a Promela program of the same states.

Each family is a function of n that returns (script, program). The two describe one system in the
manner of their languages: components that synchronise on events there, processes with guarded atomic
steps on shared variables here, so that a step of one is a step of the other and both have the same
reachable states. Promela programs keep no variable longer than it is needed, and their processes have
one location wherever the system allows it: that is the form in which Spin is fastest."""

import os

HERE = os.path.dirname(os.path.abspath(__file__))


def philosophers(n):
    """Forks to the left and right; the last philosopher reaches the other way round."""
    script = """
N = %d
SEATS = {0..N-1}
next(i) = (i + 1) %% N
channel pick, put : SEATS.SEATS
first(i) = if i == N-1 then next(i) else i
second(i) = if i == N-1 then i else next(i)
PHIL(i) = pick.i.first(i) -> pick.i.second(i) -> put.i.second(i) -> put.i.first(i) -> PHIL(i)
FORK(i) = [] p : {i, (i - 1) %% N} @ pick.p.i -> put.p.i -> FORK(i)
TABLE = (||| i : SEATS @ PHIL(i)) [| {|pick, put|} |] (||| i : SEATS @ FORK(i))
assert TABLE :[deadlock free [F]]
""" % n
    program = """
#define N %d
bool taken[N];
#define PICK(f) atomic { !taken[f] -> taken[f] = true }
proctype phil(byte a; byte b) {
  do
  :: PICK(a); PICK(b); taken[b] = false; taken[a] = false
  od
}
init { atomic {
  byte i = 0;
  do
  :: i < N - 1 -> run phil(i, i + 1); i++
  :: else -> break
  od;
  run phil(0, N - 1); i = 0 } }
""" % n
    return script, program


def ring(n):
    """One token; nodes come to want it on their own and give it on when they do not use it."""
    script = """
N = %d
NODES = {0..N-1}
channel want, enter, leave, token : NODES
next(i) = (i + 1) %% N
IDLE(i, has) = want.i -> WANT(i, has) [] MOVE(i, has, IDLE)
WANT(i, has) = has & enter.i -> leave.i -> IDLE(i, true) [] MOVE(i, has, WANT)
MOVE(i, has, P) = if has then token.next(i) -> P(i, false) else token.i -> P(i, true)
RING = || i : NODES @ [{want.i, enter.i, leave.i, token.i, token.next(i)}] IDLE(i, i == 0)
assert RING :[deadlock free [F]]
""" % n
    program = """
#define N %d
byte at;
byte mode[N];
proctype node(byte i) {
  do
  :: atomic { mode[i] == 0 -> mode[i] = 1 }
  :: atomic { at == i && mode[i] == 1 -> mode[i] = 2 }
  :: atomic { mode[i] == 2 -> mode[i] = 0 }
  :: atomic { at == i && mode[i] != 2 -> at = (at + 1) %% N }
  od
}
init { atomic {
  byte i = 0;
  do
  :: i < N -> run node(i); i++
  :: else -> break
  od;
  i = 0 } }
""" % n
    return script, program


def buffers(n):
    """A chain of one-place buffers of two values."""
    script = """
DATA = {0, 1}
channel left, right : DATA
COPY = left?x -> right!x -> COPY
CHAIN(1) = COPY
CHAIN(n) = COPY [right <-> left] CHAIN(n - 1)
assert CHAIN(%d) :[deadlock free [F]]
""" % n
    program = """
#define N %d
byte cell[N];
proctype move(byte i) {
  do
  :: atomic { cell[i] != 0 && cell[i + 1] == 0 -> cell[i + 1] = cell[i]; cell[i] = 0 }
  od
}
proctype ends() {
  do
  :: atomic { cell[0] == 0 -> cell[0] = 1 }
  :: atomic { cell[0] == 0 -> cell[0] = 2 }
  :: atomic { cell[N - 1] != 0 -> cell[N - 1] = 0 }
  od
}
init { atomic {
  byte i = 0;
  do
  :: i < N - 1 -> run move(i); i++
  :: else -> break
  od;
  run ends(); i = 0 } }
""" % n
    return script, program


def window(n):
    """A sliding window of n over lossy queues of two messages; numbers modulo n + 2."""
    script = """
W = %d
M = W + 2
C = 2
SEQ = {0..M-1}
channel send, arrive, answer, confirm : SEQ
channel lose : {0, 1}
SENDER(b, k) = k < W & send.((b + k) %% M) -> SENDER(b, k + 1)
            [] k > 0 & send.b -> SENDER(b, k)
            [] confirm?a -> (let d = (a - b) %% M
                             within if d <= k then SENDER(a, k - d) else SENDER(b, k))
RECEIVER(e) = arrive?x -> (let f = if x == e then (e + 1) %% M else e
                           within answer.f -> RECEIVER(f))
QUEUE(i, in, out, s) = #s < C & in?x -> QUEUE(i, in, out, s^<x>)
                    [] #s > 0 & (out.head(s) -> QUEUE(i, in, out, tail(s))
                                 [] lose.i -> QUEUE(i, in, out, tail(s)))
LINE = QUEUE(0, send, arrive, <>) ||| QUEUE(1, answer, confirm, <>)
SYSTEM = (SENDER(0, 0) ||| RECEIVER(0)) [| {|send, arrive, answer, confirm|} |] LINE
assert SYSTEM :[deadlock free [F]]
""" % n
    program = """
#define W %d
#define M (W + 2)
#define C 2
chan data = [C] of { byte };
chan acks = [C] of { byte };
proctype sender() {
  byte b, k, a;
  do
  :: atomic { k < W && nfull(data) -> data!((b + k) %% M); k++ }
  :: atomic { k > 0 && nfull(data) -> data!b }
  :: atomic { acks?a -> if
       :: (a + M - b) %% M <= k -> k = k - (a + M - b) %% M; b = a
       :: else
       fi; a = 0 }
  od
}
proctype receiver() {
  byte e, x; bool pending;
  do
  :: atomic { !pending && nempty(data) -> data?x; if
       :: x == e -> e = (e + 1) %% M
       :: else
       fi; x = 0; pending = true }
  :: atomic { pending && nfull(acks) -> acks!e; pending = false }
  od
}
proctype loss() {
  do
  :: data?_
  :: acks?_
  od
}
init { atomic { run sender(); run receiver(); run loss() } }
""" % n
    return script, program


def tables(n):
    """Philosophers with more steps, with the deadlock and without, for partial order reduction."""
    with open(os.path.join(HERE, "..", "examples", "csp", "philosophers.csp")) as file:
        lines = file.read().replace("N = 4", "N = %d" % n).split("\n")
    rest = [line for line in lines if not line.startswith("assert")]
    for name in ("TABLE", "CURED"):
        yield ("philosophers of %d seats, %s" % (n, "with the deadlock" if name == "TABLE" else
                                                 "without it"),
               "\n".join(rest + ["assert %s :[deadlock free [F]] :[partial order reduce]" % name]))


# Family → sizes, from some 10^5 to some 10^7 states.
FAMILIES = {
    "philosophers": (philosophers, [10, 12, 14]),
    "ring": (ring, [13, 16, 18]),
    "buffer chain": (buffers, [11, 13, 15]),
    "sliding window": (window, [10, 20, 40]),
}
