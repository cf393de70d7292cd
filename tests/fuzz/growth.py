"""Whether time grows as fast as the input: parts of inputs repeated more and more often."""

from __future__ import annotations

import random
import re
import time

from bitext.errors import BitextError

SIZES = (1 << 14, 1 << 16, 1 << 18)  # bytes, four times as much each
LEAST = 0.3  # seconds, below which nothing is told
MOST = 8.0  # times as long for four times as much: linear is 4, quadratic is 16
_PART = re.compile(rb"<[^<>]*>|[^<>\n]+\n?|\n")


def steps(target, seconds, *, seed, clock=None):
    """Yield for each part that was repeated the times, if they grow too fast, and the input.

    The clock takes a function and an input, and returns the seconds of the call.
    """
    clock = clock or _seconds
    draw = random.Random(f"growth {target.name} {seed}")
    seeds = target.seeds()
    end = time.process_time() + seconds
    while time.process_time() < end:
        base = draw.choice(seeds)
        parts = _PART.findall(base) or [base or b"x"]
        at = draw.randrange(len(parts))
        many = draw.choice((1, 1, 2, 3, 6))
        before, after = b"".join(parts[:at]), b"".join(parts[at + many :])
        part = b"".join(parts[at : at + many])
        if draw.random() < 0.3:
            part = part[draw.randrange(len(part)) :][: draw.choice((1, 2, 5))]
        times = []
        for size in SIZES:
            content = before + part * (size // len(part)) + after
            times.append(clock(target.run, content))
            if len(times) > 1 and times[-1] < LEAST / 16:
                break
        slow = len(times) == len(SIZES) and times[-1] > LEAST and times[-1] > MOST * times[-2]
        yield times if slow else None, content


def _seconds(run, content):
    begun = time.process_time()
    try:
        run(content)
    except (BitextError, Warning):
        return time.process_time() - begun
    except Exception:  # noqa: BLE001 - is found by the other ways
        return 0.0
    return time.process_time() - begun
