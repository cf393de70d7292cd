"""Runs a target over many inputs, made by changing those that it begins with."""

from __future__ import annotations

import random
import time

from fuzz import containers
from fuzz.verdict import judged


def inputs(target, seed=0):
    """Yield inputs without end: first those to begin with, then changed ones, from the seed."""
    seeds = target.seeds()
    yield from seeds
    draw = random.Random(f"{target.name} {seed}")
    pool = list(seeds)
    while True:
        base = draw.choice(pool)
        made = changed(target, base, draw)
        yield made
        # Changes upon changes: some of what was made is changed again.
        if draw.random() < 0.05:
            if len(pool) < 8 * len(seeds) + 64:
                pool.append(made)
            else:
                pool[draw.randrange(len(seeds), len(pool))] = made


def changed(target, content, draw):
    """Return a changed input."""
    if target.change is not None:
        return target.change(content, draw, others=target.seeds())
    return containers.mutated(content, draw, kind=target.kind, others=target.seeds())


def bounded(target, many, seed=0):
    """Run so many inputs beside the seeds; return the findings with their inputs, one a sign."""
    found = {}
    for number, content in enumerate(inputs(target, seed)):
        if number >= many + len(target.seeds()):
            break
        finding = judged(target.run, content)
        if finding is not None:
            found.setdefault(finding.sign, (finding, content))
    return list(found.values())


def timed(target, seconds, *, seed=0, report, before=None):
    """Run for so many CPU seconds; return how many inputs it was.

    Each new finding is given to `report`, and each input to `before`, before it is run.
    """
    end = time.process_time() + seconds
    known = set()
    count = 0
    for content in inputs(target, seed):
        count += 1
        if before is not None:
            before(content)
        finding = judged(target.run, content)
        if finding is not None and finding.sign not in known:
            known.add(finding.sign)
            report(finding, content)
        if time.process_time() > end:
            break
    return count


def smaller(run, content, sign, *, tries=600):
    """Return a shorter input with the same finding, by leaving out pieces of it."""
    size = len(content) // 2
    while size >= 1 and tries > 0:
        at = 0
        while at < len(content) and tries > 0:
            shorter = content[:at] + content[at + size :]
            tries -= 1
            finding = judged(run, shorter)
            if finding is not None and finding.sign == sign:
                content = shorter
            else:
                at += size
        size //= 2
    return content
