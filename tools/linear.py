"""Whether a history of operations could be that of one thing that did them one after the other.

Each operation took place at some moment between its call and its return, as Herlihy and Wing define it (Linearizability: a correctness
condition for concurrent objects, ACM TOPLAS 12, 1990); the search is that of Wing and Gong, with states that were seen not looked at
again (Lowe, Testing for linearizability, 2017). What never returned may have taken place at any time after its call, or not at all.
"""
import collections, math

# The operation, its result (None if unknown), and the times of its call and return.
Operation = collections.namedtuple("Operation", "what result call end")


def is_linearizable(history, state, step):
    """`step(state, operation)` is the state after an operation, or None if its result cannot be.

    Of an operation without a result `step` says only what it would do.
    """
    history = sorted(history, key=lambda one: one.call)
    known = sum(1 << index for index, one in enumerate(history) if one.result is not None)
    seen, ways = {(0, state)}, [(0, state)]
    while ways:
        done, state = ways.pop()
        if done & known == known:
            return True
        # The next operation must be called before any remaining completed operation returns.
        limit = min((one.end for index, one in enumerate(history) if not done >> index & 1 and one.result is not None), default=math.inf)
        for index, one in enumerate(history):
            if one.call > limit:
                break
            if done >> index & 1:
                continue
            after = step(state, one)
            if after is None:
                continue
            way = (done | 1 << index, after)
            if way not in seen:
                seen.add(way)
                ways.append(way)
    return False


def document(value, one):
    """A document that is written if it is still the one that was read; each that is written is another one."""
    kind, old, new = one.what
    if kind == "read":
        return value if one.result in (None, value) else None
    if one.result is not None and one.result != (value == old):
        return None
    return new if value == old else value


def likes(state, one):
    """Two who may like each other: whoever does is told whether the other does."""
    kind, who = one.what
    if kind == "forget":
        return state - {who}
    other = 1 - who
    if one.result is not None and one.result != (other in state):
        return None
    return state | {who}


def friendship(state, one):
    """Two who may ask each other, accept, and end it."""
    kind, who = one.what
    if kind == "end":
        after = "none"
    elif state in ("none", who):
        after = who
    else:
        after = "friends"
    told = "asked" if after in (0, 1) else after
    return after if one.result in (None, told) else None
