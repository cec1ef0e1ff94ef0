#!/usr/bin/env python3
"""Random programs about places in memory, with the truth known by construction.

    tests/places/generate.py SEED COUNT [--only K] > program.c

A program holds COUNT questions. Each has an object of its own, of a random type (structures and
unions, arrays of one and two dimensions, arrays of structures, bit-fields, a flexible array at the end
of an allocated block), and two functions, one for each of two threads. Each function accesses some
bytes of the object in some way that C programs do: by member, element, index, walking pointer, bytes
of a member or of the whole, memset, memcpy and memmove across members, from a member to its
structure. The bytes that each may touch are worked out here, from the layout, which static assertions
in the program confirm. There are no locks: a question is racy exactly if the two sets of bytes meet
and one of the accesses writes. Questions come in twins, one racy and one free of races, with the same
type and the same first access.

What C leaves undefined is not used, except what programs do all the same: a row of a two-dimensional
array is left for the next one, and memset goes on behind the member that it begins in."""

import random
import sys

SCALARS = (("char", 1), ("short", 2), ("int", 4), ("long", 8))


class Type:
    """size, align; parts(): direct subobjects as (suffix, offset, type)."""

    def __init__(self, size, align):
        self.size, self.align = size, align

    def parts(self):
        return []


class Scalar(Type):
    def __init__(self, name, size):
        super().__init__(size, size)
        self.name = name

    def declare(self, name):
        return "%s %s" % (self.name, name)


class Bits(Type):
    """Two bit-fields in four bytes: one location, for C."""

    def __init__(self):
        super().__init__(4, 4)


class Array(Type):
    def __init__(self, elem, count):
        super().__init__(elem.size * count, elem.align)
        self.elem, self.count = elem, count

    def declare(self, name):
        return self.elem.declare("%s[%d]" % (name, self.count))

    def parts(self):
        return [("[%d]" % i, i * self.elem.size, self.elem) for i in range(self.count)]


class Record(Type):
    """A structure or union. `tail` is the element of a flexible array at the end, or None."""

    def __init__(self, fields, union=False, tail=None, old_style=False):
        self.fields, self.union, self.tail, self.old_style = fields, union, tail, old_style
        self.offsets, at, align = [], 0, 1
        for _, ty in fields:
            align = max(align, ty.align)
            at = 0 if union else -(-at // ty.align) * ty.align
            self.offsets.append(at)
            at += ty.size
        if union:
            at = max(ty.size for _, ty in fields)
        if tail:
            align = max(align, tail.align)
            at = -(-at // tail.align) * tail.align
            self.tail_at = at
            at += tail.size if old_style else 0
        super().__init__(-(-at // align) * align, align)

    def declare(self, name):
        out = []
        for field, ty in self.fields:
            if isinstance(ty, Bits):
                out.append("unsigned : 0; unsigned %sb0 : 20, %sb1 : 12;" % (field, field))
            else:
                out.append(ty.declare(field) + ";")
        if self.tail:
            out.append(self.tail.declare("tail[%s]" % ("1" if self.old_style else "")) + ";")
        return "%s { %s } %s" % ("union" if self.union else "struct", " ".join(out), name)

    def parts(self):
        return [("." + f, o, t) for (f, t), o in zip(self.fields, self.offsets)]


def random_type(rng, depth, names):
    roll = rng.random()
    if depth == 0 or roll < 0.35:
        return Scalar(*rng.choice(SCALARS))
    if roll < 0.72:
        elem = Scalar(*rng.choice(SCALARS)) if rng.random() < 0.6 else random_type(rng, depth - 1, names)
        return Array(elem, rng.randint(2, 4))
    return random_record(rng, depth, names, rng.random() < 0.35)


def random_record(rng, depth, names, union=False, tail=False):
    fields = []
    for _ in range(rng.randint(2, 4)):
        names[0] += 1
        bits = not union and rng.random() < 0.1
        fields.append(("m%d" % names[0], Bits() if bits else random_type(rng, depth - 1, names)))
    end = Scalar(*rng.choice(SCALARS[1:])) if tail else None
    return Record(fields, union, end, tail and rng.random() < 0.5)


def subobjects(ty, suffix="", at=0):
    """All (suffix, offset, type) at any depth, the whole first."""
    out = [(suffix, at, ty)]
    for s, o, t in ty.parts():
        out += subobjects(t, suffix + s, at + o)
    return out


class Access:
    """One function's code and the bytes that it may touch. `g` is the text of the object."""

    def __init__(self, rng, ty, total, writes, tag):
        self.rng, self.ty, self.total, self.writes, self.tag = rng, ty, total, writes, tag
        self.all = [x for x in subobjects(ty)]
        self.helper = ""

    def touch(self, lvalue):
        return "%s = 1;" % lvalue if self.writes else "sink += %s;" % lvalue

    def pick(self, test):
        found = [x for x in self.all if test(x[2])]
        return self.rng.choice(found) if found else None

    def cover(self, at, size):
        return set(range(at, at + size))

    def scalar(self, g):
        x = self.pick(lambda t: isinstance(t, Scalar))
        return x and (self.touch(g + x[0]), self.cover(x[1], x[2].size))

    def bits(self, g):
        x = self.pick(lambda t: isinstance(t, Bits))
        return x and (self.touch(g + x[0] + "b" + self.rng.choice("01")), self.cover(x[1], 4))

    def row(self):
        """An array of scalars: (suffix, offset, type, low, high)."""
        x = self.pick(lambda t: isinstance(t, Array) and isinstance(t.elem, Scalar))
        if not x:
            return None
        low = self.rng.randint(0, x[2].count - 1)
        return x + (low, self.rng.randint(low + 1, x[2].count))

    def loop(self, g):
        x = self.row()
        if not x:
            return None
        s, at, ty, low, high = x
        step = ty.elem.size
        return ("for (int i = %d; i < %d; i++) %s" % (low, high, self.touch("%s%s[i]" % (g, s))),
                self.cover(at + low * step, (high - low) * step))

    def coin(self, g):
        x = self.row()
        if not x:
            return None
        s, at, ty, a, b = x
        b -= 1
        step = ty.elem.size
        return ("int i = coin%s ? %d : %d; %s" % (self.tag, a, b, self.touch("%s%s[i]" % (g, s))),
                self.cover(at + a * step, step) | self.cover(at + b * step, step))

    def pointer(self, g):
        x = self.row()
        if not x:
            return None
        s, at, ty, low, high = x
        step, name = ty.elem.size, ty.elem.name
        return ("%s *p = %s%s; for (int i = %d; i < %d; i++) %s" % (
            name, g, s, low, high, self.touch("p[i]")), self.cover(at + low * step, (high - low) * step))

    def walk(self, g):
        x = self.row()
        if not x:
            return None
        s, at, ty, low, high = x
        step, name = ty.elem.size, ty.elem.name
        return ("for (%s *p = %s%s + %d; p < %s%s + %d; p++) %s" % (
            name, g, s, low, g, s, high, self.touch("*p")), self.cover(at + low * step, (high - low) * step))

    def members(self, g):
        """One member of every element of an array of structures."""
        x = self.pick(lambda t: isinstance(t, Array) and isinstance(t.elem, Record))
        if not x:
            return None
        s, at, ty = x
        inner = [y for y in subobjects(ty.elem) if isinstance(y[2], Scalar)]
        f = self.rng.choice(inner) if inner else None
        if not f:
            return None
        found = set()
        for i in range(ty.count):
            found |= self.cover(at + i * ty.elem.size + f[1], f[2].size)
        return "for (int i = 0; i < %d; i++) %s" % (ty.count, self.touch("%s%s[i]%s" % (g, s, f[0]))), found

    def grid(self, g):
        """Two dimensions, by two indices or flat."""
        x = self.pick(lambda t: isinstance(t, Array) and isinstance(t.elem, Array) and
                      isinstance(t.elem.elem, Scalar))
        if not x:
            return None
        s, at, ty = x
        n, m = ty.count, ty.elem.count
        if self.rng.random() < 0.5:
            column = self.rng.randint(0, m - 1)
            found = set()
            for i in range(n):
                found |= self.cover(at + (i * m + column) * ty.elem.elem.size, ty.elem.elem.size)
            return "for (int i = 0; i < %d; i++) %s" % (n, self.touch("%s%s[i][%d]" % (g, s, column))), found
        return ("%s *p = &%s%s[0][0]; for (int i = 0; i < %d; i++) %s" % (
            ty.elem.elem.name, g, s, n * m, self.touch("p[i]")), self.cover(at, ty.size))

    def bytes_of(self, g):
        """The bytes of one subobject, through a pointer to it."""
        s, at, ty = self.rng.choice([x for x in self.all if not isinstance(x[2], Bits)])
        return ("char *p = (char *)&%s%s; for (int i = 0; i < %d; i++) %s" % (
            g, s, ty.size, self.touch("p[i]")), self.cover(at, ty.size))

    def span(self):
        at = self.rng.randint(0, self.total - 1)
        return at, self.rng.randint(1, min(self.total - at, 12))

    def bytes_from(self, g):
        """Some bytes of the whole, wherever members begin and end."""
        at, n = self.span()
        if self.rng.random() < 0.5:
            code = "char *p = (char *)&%s; for (int i = %d; i < %d; i++) %s" % (
                g, at, at + n, self.touch("p[i]"))
        else:
            code = "for (char *p = (char *)&%s + %d, *e = p + %d; p < e; p++) %s" % (
                g, at, n, self.touch("*p"))
        return code, self.cover(at, n)

    def words_from(self, g):
        """The same by aligned words of a size that fits, at byte distances."""
        name, size = self.rng.choice(SCALARS[1:])
        if self.ty.align < size or self.total < size:
            return None
        at = self.rng.randint(0, self.total // size - 1)
        n = self.rng.randint(1, min(self.total // size - at, 3))
        return ("char *p = (char *)&%s; for (int i = %d; i < %d; i++) %s" % (
            g, at, at + n, self.touch("*(%s *)(p + %d * i)" % (name, size))), self.cover(at * size, n * size))

    def filled(self, g):
        """memset and its kin: from a subobject on, as far as it goes."""
        s, at, ty = self.rng.choice([x for x in self.all if not isinstance(x[2], Bits)])
        n = self.rng.randint(1, min(self.total - at, 16))
        place = "&%s%s" % (g, s)
        if self.rng.random() < 0.4:
            place, back = "(char *)&%s + %d" % (g, at), 0
        if not self.writes:
            return "char b[16]; memcpy(b, %s, %d); sink += b[0];" % (place, n), self.cover(at, n)
        if self.rng.random() < 0.5:
            return "memset(%s, 0, %d);" % (place, n), self.cover(at, n)
        return "char b[16] = {0}; memcpy(%s, b, %d);" % (place, n), self.cover(at, n)

    def moved(self, g):
        """memmove inside of the object."""
        if not self.writes:
            return None
        a, n = self.span()
        b = self.rng.randint(0, self.total - n)
        return ("memmove((char *)&%s + %d, (char *)&%s + %d, %d);" % (g, a, g, b, n),
                (self.cover(a, n), self.cover(b, n)))

    def outwards(self, g):
        """From a pointer to a member to its structure, and to another member."""
        if not isinstance(self.ty, Record) or self.ty.union:
            return None
        x = self.rng.choice([x for x in self.all[1:] if not isinstance(x[2], Bits)] or [None])
        y = self.pick(lambda t: isinstance(t, Scalar))
        if not x or not y or not self.named:
            return None
        return ("void *m = &%s%s; %s *o = (void *)((char *)m - %d); %s" % (
            g, x[0], self.named, x[1], self.touch("o->" + y[0][1:])), self.cover(y[1], y[2].size))

    def assigned(self, g):
        """A subobject as a whole."""
        x = self.pick(lambda t: isinstance(t, Record))
        if not x:
            return None
        code = "__typeof__(%s%s) c = {0}; %s%s = c;" if self.writes else "__typeof__(%s%s) c = %s%s; (void)c;"
        return code % (g, x[0], g, x[0]), self.cover(x[1], x[2].size)

    def passed(self, g):
        """By a helper that is given a pointer and a number."""
        x = self.row()
        if not x:
            return None
        s, at, ty, low, high = x
        step, name = ty.elem.size, ty.elem.name
        self.helper = "static void h%s(%s *p, int n) { int sink = 0; for (int i = 0; i < n; i++) %s (void)sink; }\n" % (
            self.tag, name, self.touch("p[i]"))
        return "h%s(&%s%s[%d], %d);" % (self.tag, g, s, low, high - low), self.cover(at + low * step, (high - low) * step)

    def flexible(self, g):
        if not isinstance(self.ty, Record) or not self.ty.tail:
            return None
        step = self.ty.tail.size
        count = (self.total - self.ty.tail_at) // step
        low = self.rng.randint(0, count - 1)
        high = self.rng.randint(low + 1, count)
        return ("for (int i = %d; i < %d; i++) %s" % (low, high, self.touch(g + ".tail[i]")),
                self.cover(self.ty.tail_at + low * step, (high - low) * step))

    IDIOMS = (scalar, scalar, scalar, bits, loop, coin, pointer, walk, members, grid, grid, bytes_of,
              bytes_of, bytes_from, bytes_from, words_from, filled, filled, moved, outwards, assigned,
              passed, flexible)

    def make(self, g, named):
        """(code, bytes read, bytes written)"""
        self.named = named
        while True:
            got = self.rng.choice(self.IDIOMS)(self, g)
            if not got:
                continue
            code, found = got
            if isinstance(found, tuple):
                return code, found[1], found[0]
            return (code, set(), found) if self.writes else (code, found, set())


def meet(a, b):
    return bool(a[2] & (b[1] | b[2]) or b[2] & (a[1] | a[2]))


class Question:
    """number, racy, declarations, the object's text, code of both sides."""

    def __init__(self, number, racy, ty, how, total):
        self.number, self.racy, self.ty, self.how, self.total = number, racy, ty, how, total

    def object(self):
        return "(*g%d)" % self.number if self.how == "heap" else \
            "(*q)" if self.how == "given" else "g%d" % self.number


def twins(rng, number):
    """Two questions with the same type and first access; None if one of them cannot be had."""
    names = [0]
    how = rng.choice(("direct", "direct", "given", "heap"))
    tail = how == "heap" and rng.random() < 0.3
    ty = random_record(rng, 3, names, not tail and rng.random() < 0.2, tail)
    if ty.size > 400:
        return None
    total = ty.size + (ty.tail.size * 3 if ty.tail else 0)
    out = []
    seed = rng.random()
    for k, racy in ((0, True), (1, False)):
        q = Question(number + k, racy, ty, how, total)
        a = Access(random.Random(seed), ty, total, True, "a%d" % q.number)
        first = a.make(q.object(), "T%d" % q.number)
        for _ in range(40):
            b = Access(rng, ty, total, rng.random() < 0.6, "b%d" % q.number)
            second = b.make(q.object(), "T%d" % q.number)
            if meet(first, second) == racy:
                break
        else:
            return None
        q.code = ((a.helper, first[0]), (b.helper, second[0]))
        out.append(q)
    return out


def questions(seed, count):
    rng = random.Random(seed)
    out = []
    while len(out) < count:
        out += twins(rng, len(out)) or []
    return out[:count]


def program(asked):
    """(the text, {line of the object: question})"""
    lines = ["#include <pthread.h>", "#include <stdlib.h>", "#include <string.h>"]
    where = {}
    for q in asked:
        n = q.number
        lines.append("typedef %s;" % q.ty.declare("T%d" % n))
        lines.append("_Static_assert(sizeof(T%d) == %d, \"layout\");" % (n, q.ty.size))
        if isinstance(q.ty, Record) and q.ty.tail:
            lines.append("_Static_assert(__builtin_offsetof(T%d, tail) == %d, \"layout\");" % (n, q.ty.tail_at))
        for s, at, t in subobjects(q.ty)[1:]:
            if not isinstance(t, Bits):
                lines.append("_Static_assert(__builtin_offsetof(T%d, %s) == %d, \"layout\");" % (n, s[1:], at))
        lines.append("static T%d %sg%d;" % (n, "*" if q.how == "heap" else "", n))
        if q.how != "heap":
            where[len(lines)] = q
        lines.append("static int coina%d, coinb%d;" % (n, n))
        for side, (helper, code) in zip("ab", q.code):
            lines += helper.splitlines()
            given = "T%d *q" % n if q.how == "given" else "void"
            lines.append("static void %s%d(%s) { int sink = 0; %s (void)sink; }  /* %s */" % (
                side, n, given, code, "racy" if q.racy else "free of races"))
    for side in "ab":
        lines.append("static void *thread_%s(void *arg) {" % side)
        for q in asked:
            lines.append("  %s%d(%s);" % (side, q.number, "&g%d" % q.number if q.how == "given" else ""))
        lines.append("  return arg;")
        lines.append("}")
    lines.append("int main(int argc, char **argv) {")
    lines.append("  (void)argv;")
    for q in asked:
        lines.append("  coina%d = argc & 1; coinb%d = argc & 2;" % (q.number, q.number))
        if q.how == "heap":
            lines.append("  g%d = calloc(1, %d);" % (q.number, q.total))
            where[len(lines)] = q
    lines += ["  pthread_t a, b;", "  pthread_create(&a, NULL, thread_a, NULL);",
              "  pthread_create(&b, NULL, thread_b, NULL);", "  pthread_join(a, NULL);",
              "  pthread_join(b, NULL);", "  return 0;", "}"]
    return "\n".join(lines) + "\n", where


def main():
    seed, count = int(sys.argv[1]), int(sys.argv[2])
    asked = questions(seed, count)
    if "--only" in sys.argv:
        asked = [q for q in asked if q.number == int(sys.argv[sys.argv.index("--only") + 1])]
    sys.stdout.write(program(asked)[0])


if __name__ == "__main__":
    main()
