"""What the JSON of a lattice must have: checked as a reader without this library would."""

from __future__ import annotations


def is_acyclic(held):
    """Tell whether the nodes can be put in an order that all arcs follow."""
    after = {node["id"]: set() for node in held["nodes"]}
    for tail, head, _ in held["arcs"]:
        after[tail].add(head)
    waiting = {node: sum(node in heads for heads in after.values()) for node in after}
    ready = [node for node, count in waiting.items() if not count]
    done = 0
    while ready:
        done += 1
        for head in after[ready.pop()]:
            waiting[head] -= 1
            if not waiting[head]:
                ready.append(head)
    return done == len(after)


def accepted(held, sentence):
    """Tell whether a sentence is a path from start to accept, by arcs that name it."""
    node_of = {tuple(m): node["id"] for node in held["nodes"] for m in node["members"]}
    arcs = {(tail, head): names for tail, head, names in held["arcs"]}
    path = [node_of[sentence, w] for w in range(len(held["tokens"][sentence]))]
    steps = zip([held["start"], *path], [*path, held["accept"]], strict=True)
    return all(sentence in arcs.get(step, ()) for step in steps)
