"""Makes a program smaller that shows a contradiction, as long as it shows one of the same kind."""
import copy
import tempfile

import generate
import judge
import tree


def kinds(wrong):
    """What is wrong, without lines and names, so that it can be recognised in a smaller program."""
    return {" ".join(w for w in text.split() if not any(c.isdigit() for c in w)) for text in wrong}


def bodies_of(program):
    for body in program.bodies():
        yield body
        for s in tree.walk(body):
            for part in s[1:]:
                if tree.is_body(part):
                    yield part


def smaller(program):
    """Programs with one statement less, with a statement replaced by its body, and the like."""
    count = sum(1 for _ in bodies_of(program))
    for which in range(count):
        length = len(list(bodies_of(program))[which])
        for i in range(length):
            for way in ("remove", "then", "else"):
                other = copy.deepcopy(program)
                body = list(bodies_of(other))[which]
                parts = [p for p in body[i][1:] if tree.is_body(p)]
                if way == "remove":
                    del body[i]
                elif way == "then" and parts:
                    body[i:i + 1] = parts[0]
                elif way == "else" and len(parts) > 1:
                    body[i:i + 1] = parts[1]
                else:
                    continue
                yield other
    if program.style:
        other = copy.deepcopy(program)
        other.style = 0
        yield other
    for group in ("vars", "mutexes", "sems", "barriers", "helpers"):
        for name in list(getattr(program, group)):
            other = copy.deepcopy(program)
            del getattr(other, group)[name]
            yield other
    for group in ("rwlocks", "conds", "onces"):
        for name in list(getattr(program, group)):
            other = copy.deepcopy(program)
            getattr(other, group).remove(name)
            yield other
    for name in list(program.threads):
        if name != "main":
            other = copy.deepcopy(program)
            del other.threads[name]
            yield other


def shows(program, wanted, options, folder):
    if not generate.legal(program):
        return False
    try:
        wrong, _, _ = judge.judge(options.heddle, options.explore, program, folder, "small",
                                  options.timeout, options.options)
    except (KeyError, IndexError):
        return False  # something that is used was removed
    return bool(wrong) and bool(kinds(wrong) & wanted)


def shrink(program, wrong, options):
    """The source of the smallest program found."""
    wanted = kinds(wrong)
    with tempfile.TemporaryDirectory() as folder:
        changed = True
        while changed:
            changed = False
            for other in smaller(program):
                if shows(other, wanted, options, folder):
                    program, changed = other, True
                    break
    source, _ = judge.explore(options.explore, program)
    return source
