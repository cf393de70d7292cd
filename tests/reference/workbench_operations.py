"""Operations of editing, drawn at random, as changes of rows; a plain model of the journal."""

from __future__ import annotations

from bitext.workbench.changes import Bead, Segment, Sentence, Splice, inverse

SIDES = ("source", "target")


def sentences(letter, texts):
    return [Sentence(f"{letter}{k}", text, k == 0) for k, text in enumerate(texts)]


def first_rows(size=6):
    """Return rows of two texts, aligned one to one but for the last target sentence."""
    source = sentences("s", [f"Source {k} stands here. So it does." for k in range(size)])
    target = sentences("t", [f"Ziel {k} steht hier. So ist es." for k in range(size + 1)])
    beads = [Bead(f"b{k}", (f"s{k}",), (f"t{k}",), probability=0.5) for k in range(size)]
    beads.append(Bead(f"b{size}", (), (f"t{size}",)))
    return {"source": source, "target": target, "beads": beads}


def drawn_change(draw, rows, tag):
    """Draw an operation that fits the rows; return its name and its splices.

    `draw` is a `random.Random`, `tag` makes the ids of new rows.
    """
    tried = [confirm, mark, merge, split, move, swap, insert_empty, split_sentence, join_sentences]
    tried += [cut_elsewhere, correct, link_across]
    while True:
        operation = draw.choice(tried)
        splices = operation(draw, rows, tag)
        if splices:
            return operation.__name__, splices


def _replaced(at, rows, insert, size=1):
    return [Splice("beads", at, tuple(rows["beads"][at : at + size]), tuple(insert))]


def _bead(draw, rows):
    at = draw.randrange(len(rows["beads"]))
    return at, rows["beads"][at]


def confirm(draw, rows, _tag):
    at, bead = _bead(draw, rows)
    state = draw.choice(["confirmed", "doubtful"]) if bead.source or bead.target else "proposed"
    return _replaced(at, rows, [bead._replace(state=state)])


def mark(draw, rows, tag):
    at, bead = _bead(draw, rows)
    return _replaced(at, rows, [bead._replace(bookmark=not bead.bookmark, comment=f"{tag}\n<b>")])


def _sorted(rows, side, members):
    order = {row.id: k for k, row in enumerate(rows[side])}
    return tuple(sorted(set(members), key=order.__getitem__))


def merge(draw, rows, _tag):
    if len(rows["beads"]) < 3:
        return None
    at = draw.randrange(len(rows["beads"]) - 1)
    one, two = rows["beads"][at : at + 2]
    sides = [_sorted(rows, side, getattr(one, side) + getattr(two, side)) for side in SIDES]
    return _replaced(at, rows, [Bead(one.id, *sides)], 2)


def split(draw, rows, tag):
    at, bead = _bead(draw, rows)
    if not (bead.source and bead.target):
        return None
    return _replaced(
        at, rows, [Bead(bead.id, bead.source, ()), Bead(f"x{tag}", (), bead.target, "doubtful")]
    )


def move(draw, rows, _tag):
    """Move the last sentence of a side to the next bead."""
    if len(rows["beads"]) < 2:
        return None
    at = draw.randrange(len(rows["beads"]) - 1)
    side = draw.choice(SIDES)
    one, two = rows["beads"][at : at + 2]
    members = getattr(one, side)
    if not members:
        return None
    left = one._replace(state="proposed", **{side: members[:-1]})
    right = two._replace(**{side: _sorted(rows, side, (*getattr(two, side), members[-1]))})
    return _replaced(at, rows, [left, right], 2)


def swap(draw, rows, _tag):
    """Exchange two beads that may lie apart, in two splices."""
    if len(rows["beads"]) < 2:
        return None
    a, b = sorted(draw.sample(range(len(rows["beads"])), 2))
    one, two = rows["beads"][a], rows["beads"][b]
    return [
        Splice("beads", b, (two,), ()),
        Splice("beads", a, (one,), (two,)),
        Splice("beads", b, (), (one,)),
    ]


def insert_empty(draw, rows, tag):
    return [Splice("beads", draw.randrange(len(rows["beads"]) + 1), (), (Bead(f"e{tag}", (), ()),))]


def split_sentence(draw, rows, tag):
    side = draw.choice(SIDES)
    at = draw.randrange(len(rows[side]))
    row = rows[side][at]
    cut = draw.randrange(len(row.text) + 1)
    new = Sentence(f"{row.id[:1]}n{tag}", row.text[cut:].strip(), draw.random() < 0.2)
    splices = [Splice(side, at, (row,), (row._replace(text=row.text[:cut].strip()), new))]
    for k, bead in enumerate(rows["beads"]):
        members = getattr(bead, side)
        if row.id in members:
            k_of = members.index(row.id) + 1
            both = (*members[:k_of], new.id, *members[k_of:])
            splices.append(Splice("beads", k, (bead,), (bead._replace(**{side: both}),)))
    return splices


def join_sentences(draw, rows, _tag):
    """Join two sentences; the beads of the second have the first in its place."""
    side = draw.choice(SIDES)
    if len(rows[side]) < 3:
        return None
    at = draw.randrange(len(rows[side]) - 1)
    one, two = rows[side][at : at + 2]
    splices = [Splice(side, at, (one, two), (one._replace(text=f"{one.text} {two.text}"),))]
    for k, bead in enumerate(rows["beads"]):
        members = getattr(bead, side)
        if two.id in members:
            left = tuple(dict.fromkeys(one.id if each == two.id else each for each in members))
            splices.append(Splice("beads", k, (bead,), (bead._replace(**{side: left}),)))
    return splices


def cut_elsewhere(draw, rows, _tag):
    side = draw.choice(SIDES)
    if len(rows[side]) < 2:
        return None
    at = draw.randrange(len(rows[side]) - 1)
    one, two = rows[side][at : at + 2]
    whole = f"{one.text} {two.text}"
    cut = draw.randrange(len(whole) + 1)
    texts = whole[:cut].strip(), whole[cut:].strip()
    new = one._replace(text=texts[0]), two._replace(text=texts[1])
    return [Splice(side, at, (one, two), new)]


def correct(draw, rows, tag):
    side = draw.choice(SIDES)
    at = draw.randrange(len(rows[side]))
    row = rows[side][at]
    new = row._replace(text=f"{row.text[:40]} {tag} \u202e", paragraph=at == 0 or not row.paragraph)
    return [Splice(side, at, (row,), (new,))]


def link_across(draw, rows, _tag):
    """Add a sentence from anywhere to a bead: crossing, discontinuous, overlapping."""
    at, bead = _bead(draw, rows)
    side = draw.choice(SIDES)
    row = draw.choice(rows[side])
    members = _sorted(rows, side, (*getattr(bead, side), row.id))
    return _replaced(at, rows, [bead._replace(**{side: members})])


class Model:
    """What a project has to do, without a file: rows as they are, and a list of what was done."""

    def __init__(self, rows):
        self.rows = {name: list(each) for name, each in rows.items()}
        self.done = []
        self.undone = []

    def put(self, splices):
        for splice in splices:
            own = self.rows[splice.list]
            assert tuple(own[splice.at : splice.at + len(splice.remove)]) == splice.remove
            own[splice.at : splice.at + len(splice.remove)] = splice.insert

    def change(self, splices):
        self.put(splices)
        self.done.append(splices)
        self.undone.clear()

    def undo(self):
        self.undone.append(self.done.pop())
        self.put(inverse(self.undone[-1]))

    def redo(self):
        self.done.append(self.undone.pop())
        self.put(self.done[-1])


def drawn_boundary(draw, units, rows, tag):
    """Draw a change of a segmentation: set, remove, move, type, confirm; return its splice."""
    starts = {row.start for row in rows}
    order = {row.id: k for k, row in enumerate(units)}
    free = [row.id for row in units if row.id not in starts]
    kind = draw.choice(["set", "remove", "move", "type", "state"])
    at = draw.randrange(len(rows))
    row = rows[at]
    if kind == "set" and free:
        unit = draw.choice(free)
        at = sum(order[each.start] < order[unit] for each in rows)
        return _put(at, [], [Segment(f"n{tag}", unit, ("topic",))])
    if kind == "remove" and at:
        return _put(at, [row], [])
    if kind == "move" and at:
        low = order[rows[at - 1].start] + 1
        high = order[rows[at + 1].start] if at + 1 < len(rows) else len(units)
        return _put(at, [row], [row._replace(start=units[draw.randrange(low, high)].id)])
    if kind == "type" and at:
        types = tuple(draw.sample(["a", "b", "topic"], draw.randint(1, 3)))
        return _put(at, [row], [row._replace(types=types)])
    state = draw.choice(["proposed", "confirmed", "doubtful"])
    return _put(at, [row], [row._replace(state=state, comment=f"{tag}\n<b>", bookmark=True)])


def _put(at, remove, insert):
    return Splice("segments", at, tuple(remove), tuple(insert))
