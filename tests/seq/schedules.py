"""All executions of small concurrent programs, by kinds of schedules. A reference for engines and
translations that look at a part of the schedules only.

    failing(program, mode)   the assertions (their sites) that can fail
    races(program, mode)     {(variable, site, site)}: two threads stand before these accesses, at
                             least one of which writes

`mode` says which schedules count:

    All()        every interleaving
    Balanced()   those whose string of thread numbers is balanced (KISS, section 4.1)
    Rounds(k)    round robin: k rounds, in each of which the threads, in the order of their
                 creation, run one after the other for as long as they like

Three more kinds have too few or too many: what they alone show, or hide, is worth asking for.

    InOrder()    balanced, but a thread that is interrupted by one created before it never goes on
    AllEnd()     balanced, but nobody is left before its end
    Unlocked()   balanced, but locks and sections keep nobody out

    seen(program, mode)      {(site, number)}: what assertions may look at, if none of them fails

A Program has `variables` (names, all 0 at the start), `locks` (how many) and `functions`: lists of
operations, of which functions[0] is main. Operations are tuples whose second member is the site, a
number that is unique in the program; locals are numbers, all 0 at the start:

    ("load", site, local, variable)            local = variable
    ("store", site, variable, local, number, factor)
                                               variable = factor * local + number; local None: = number
    ("lock", site, lock)  ("unlock", site, lock)
    ("begin", site)       ("end", site)        an atomic section
    ("create", site, local, function, given)   local = the new thread, whose local ARGUMENT is the
                                               local `given` of this one; None: nothing is given
    ("join", site, local)
    ("assert", site, local, "==" or "!=", number)
    ("if", site, local, number, target)        unless local == number, go on at index `target`
    ("goto", site, target)

What only its own thread can see (if, goto, assert) happens together with the step before it: that
loses nothing, since nobody else can tell. An assertion that fails ends the execution, and so does the
end of main. A string is balanced if no two threads a, b occur in it as a … b … a … b: that is what
the grammar of the paper generates."""

import collections
import itertools

Program = collections.namedtuple("Program", "variables locks functions")
Thread = collections.namedtuple("Thread", "function pc locals ended")

LOCALS = 6
ARGUMENT = LOCALS - 1
INVISIBLE = ("if", "goto", "assert")


class All:
    """Every interleaving: nothing is remembered of the past."""

    locks = True

    def start(self):
        return ()

    def move(self, memory, thread, state):
        return memory


class Balanced:
    """The past is a stack of threads: who moves while others are above closes them for ever."""

    locks = True

    def start(self):
        return ((), frozenset())

    def move(self, memory, thread, state):
        stack, closed = memory
        if thread in closed:
            return None
        if thread not in stack:
            return (stack + (thread,), closed)
        at = stack.index(thread) + 1
        if not all(self.may_close(other, thread, state) for other in stack[at:]):
            return None
        return (stack[:at], closed | frozenset(stack[at:]))

    def may_close(self, other, thread, state):
        """Is the thread allowed to go on, so that the other one never does?"""
        return True


class InOrder(Balanced):
    def may_close(self, other, thread, state):
        return other > thread


class AllEnd(Balanced):
    def may_close(self, other, thread, state):
        return state.threads[other].ended


class Unlocked(Balanced):
    locks = False


class Rounds:
    """The past is the round and the thread that moved last in it."""

    locks = True

    def __init__(self, rounds):
        self.rounds = rounds

    def start(self):
        return (1, 0)

    def move(self, memory, thread, state):
        number, last = memory
        if thread >= last:
            return (number, thread)
        return (number + 1, thread) if number < self.rounds else None


State = collections.namedtuple("State", "values owners section threads")


def first_state(program):
    main = Thread(0, 0, (0,) * LOCALS, False)
    return State((0,) * len(program.variables), (None,) * program.locks, None, (main,))


def put(values, index, value):
    return values[:index] + (value,) + values[index + 1:]


def operation(program, thread):
    """What the thread does next; None at the end of its function."""
    body = program.functions[thread.function]
    return body[thread.pc] if thread.pc < len(body) else None


def settle(program, thread, seen=None):
    """The thread after what only it can see, and the site of an assertion that failed there. With a set
    of what was seen, no assertion fails."""
    while True:
        op = operation(program, thread)
        if op is None or op[0] not in INVISIBLE:
            return thread, None
        pc = thread.pc + 1
        if op[0] == "goto":
            pc = op[2]
        elif op[0] == "if":
            pc = pc if thread.locals[op[2]] == op[3] else op[4]
        elif seen is not None:
            seen.add((op[1], thread.locals[op[2]]))
        elif (thread.locals[op[2]] == op[4]) != (op[3] == "=="):
            return thread, op[1]
        thread = thread._replace(pc=pc)


def can_move(program, state, number, locks=True):
    thread = state.threads[number]
    if thread.ended or state.threads[0].ended or (locks and state.section not in (None, number)):
        return False
    op = operation(program, thread)
    if op is None:
        return True
    if op[0] == "lock" and locks:
        return state.owners[op[2]] is None
    if op[0] == "join":
        return state.threads[thread.locals[op[2]]].ended
    return True


def step(program, state, number, seen=None):
    """The state after one step of a thread that can move, and the assertion that failed or None."""
    thread = state.threads[number]
    op = operation(program, thread)
    threads, values, owners, section = state.threads, state.values, state.owners, state.section
    if op is None:
        return state._replace(threads=put(threads, number, thread._replace(ended=True))), None
    if op[0] not in INVISIBLE:
        after = thread._replace(pc=thread.pc + 1)
        if op[0] == "load":
            after = after._replace(locals=put(after.locals, op[2], values[op[3]]))
        elif op[0] == "store":
            values = put(values, op[2], op[4] + (op[5] * thread.locals[op[3]] if op[3] is not None else 0))
        elif op[0] == "lock":
            owners = put(owners, op[2], number)
        elif op[0] == "unlock":
            owners = put(owners, op[2], None)
        elif op[0] == "begin":
            section = number
        elif op[0] == "end":
            section = None
        elif op[0] == "create":
            after = after._replace(locals=put(after.locals, op[2], len(threads)))
            given = thread.locals[op[4]] if op[4] is not None else 0
            threads = threads + (Thread(op[3], 0, put((0,) * LOCALS, ARGUMENT, given), False),)
        thread = after
    thread, failed = settle(program, thread, seen)
    return State(values, owners, section, put(threads, number, thread)), failed


def reachable(program, mode, seen=None):
    """Every state that a schedule of this kind reaches, with the assertion that failed in the step
    to it (or None)."""
    start = (first_state(program), mode.start())
    known, todo = {start}, [start]
    yield start[0], None
    while todo:
        state, memory = todo.pop()
        for number in range(len(state.threads)):
            if not can_move(program, state, number, mode.locks):
                continue
            after = mode.move(memory, number, state)
            if after is None:
                continue
            next_state, failed = step(program, state, number, seen)
            if failed is not None:
                yield next_state, failed
                continue
            if (next_state, after) not in known:
                known.add((next_state, after))
                todo.append((next_state, after))
                yield next_state, None


def failing(program, mode):
    return {failed for _, failed in reachable(program, mode) if failed is not None}


def seen(program, mode, most=None):
    """Of the first `most` states only, if there are more."""
    found = set()
    for _ in itertools.islice(reachable(program, mode, found), most):
        pass
    return found


def next_access(program, state, number):
    """(variable, site, writes) of a thread that stands before an access. One inside of a section
    moves alone, but the others stand where they stand."""
    thread = state.threads[number]
    op = None if thread.ended else operation(program, thread)
    if op and op[0] == "load":
        return op[3], op[1], False
    if op and op[0] == "store":
        return op[2], op[1], True
    return None


def races(program, mode):
    found = set()
    for state, failed in reachable(program, mode):
        if failed is not None or state.threads[0].ended:
            continue
        standing = [a for a in (next_access(program, state, n)
                                for n in range(len(state.threads))) if a]
        for i, first in enumerate(standing):
            for second in standing[i + 1:]:
                if first[0] == second[0] and (first[2] or second[2]):
                    found.add((program.variables[first[0]],) + tuple(sorted((first[1], second[1]))))
    return found
