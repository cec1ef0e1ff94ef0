"""What the semantic models say about two processes, or about one, from their meanings.

Every answer is (verdict, exact): an answer "fails" is always exact; "holds" is exact only when no
behaviour was cut off by the bound of meaning.py.
"""

import meaning
from meaning import ANY, FULL, SIGMA, TICK


def divergent(m, trace):
    """Whether some prefix of the trace diverges."""
    return any(trace[:i] in m.diverges for i in range(len(trace) + 1))


def refines(model, spec, impl):
    """Does `impl` refine `spec`?"""
    return all(allowed(model, spec, impl, t, r) for t, r in impl.refused.items())


def allowed(model, spec, impl, trace, refused):
    if model == "FD":
        if divergent(spec, trace):
            return True
        if trace in impl.diverges:
            return False
    if not spec.can(trace):
        return False
    return model == "T" or refused & ~spec.refused[trace] == 0


def deadlock_free(model, m):
    if model == "FD" and m.diverges:
        return False
    return not any(m.refused[t] >> FULL & 1 for t in m.running())


def divergence_free(m):
    return not m.diverges


def deterministic(model, m):
    if model == "FD" and m.diverges:
        return False
    for t in m.refused:
        if t and m.refused[t[:-1]] >> (1 << t[-1]) & 1:
            return False
    return True


def shown(model, spec, impl, trace, offers):
    """Whether a counterexample of the checker is one: a forbidden trace, a refusal or a divergence
    that the specification does not have."""
    if len(trace) - (trace[-1:] == (TICK,)) > meaning.BOUND:
        return True
    if not impl.can(trace):
        return False
    if model == "FD" and divergent(spec, trace[:-1] if trace[-1:] == (TICK,) else trace):
        return False
    if not spec.can(trace):
        return True
    if model == "FD" and trace in impl.diverges:
        return True
    refusal = FULL & ~offers
    if offers >> TICK & 1:
        refusal = SIGMA
    return (model != "T" and impl.refused[trace] >> refusal & 1 == 1
            and spec.refused[trace] >> refusal & 1 == 0)


__all__ = ["ANY", "refines", "deadlock_free", "divergence_free", "deterministic", "shown"]
