"""Which texts of a unit are the source, the target, or neither.

The languages asked for hold; else the source is what `srclang` says and the target the one other
language. Units decide as they come: what is settled once holds to the end of the file.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from bitext.formats.languages import finds, known, normal
from bitext.remedies import remedy

if TYPE_CHECKING:
    from bitext.formats.opening import Source
    from bitext.formats.registry import ReadOptions
    from bitext.formats.tmx_units import Header, Unit

__all__ = ["TARGET", "Languages"]

TARGET = "x-targetlang"  # the type of the prop of a header that names the target language


class Languages:
    """Tells the side of a text by the code of its language.

    Parameters
    ----------
    source : Source
        Takes notes.
    options : ReadOptions
        Name the languages asked for.
    header : Header
        Names the source language.

    Attributes
    ----------
    codes : list of str
        The codes of source and target as they are written first; empty until then.

    """

    def __init__(self, source: Source, options: ReadOptions, header: Header) -> None:
        self._source = source
        self._asked = (options.src_lang, options.tgt_lang)
        claim = header.attributes.get("srclang", "").strip()
        self._claim = "" if claim == "*all*" else claim
        self._wanted = [options.src_lang, options.tgt_lang]
        named = [extra.text for extra in header.extras if extra.type == TARGET]
        self._told = [self._claim, *named]
        if not options.tgt_lang:
            self._wanted[1] = named[0] if named and not finds(options.src_lang, named[0]) else ""
        self._named = bool(self._wanted[1]) and not options.tgt_lang
        own = self._named and not options.src_lang
        if own:
            self._wanted[0] = self._claim
        self._sides: dict[str, int | None] = {}
        self._looked = False
        self._seen: dict[str, None] = {}
        self._paired = False
        self.codes = list(self._wanted) if own else ["", ""]

    def side(self, code: str) -> int | None:
        """Return 0 for a code of the source, 1 for one of the target, else `None`."""
        if code not in self._sides:
            self._sides[code] = self._side(code)
        return self._sides[code]

    def _side(self, code: str) -> int | None:
        fits = [
            (normal(wanted) == normal(code), len(normal(wanted)), -side)
            for side, wanted in enumerate(self._wanted)
            if wanted and finds(wanted, code)
        ]
        if not fits:
            return None
        side = -max(fits)[2]
        if not self.codes[side]:
            self.codes[side] = code
        wanted = self._wanted[side]
        if wanted and normal(wanted) != normal(code):
            kind = "codes of languages that say more than the one wanted, taken as that language"
            self._source.notes.add(kind, f"{self._source.path}: {code} for {wanted}")
        return side

    @property
    def same(self) -> bool:
        """Whether one language is asked for on both sides."""
        return bool(self._asked[0]) and normal(self._asked[0]) == normal(self._asked[1])

    @property
    def langs(self) -> tuple[str, str]:
        """The languages of the two texts, as far as they are known by now."""
        src = self.codes[0] or self._wanted[0] or self._claim
        return known(src), known(self.codes[1] or self._wanted[1])

    def settle(self, unit: Unit) -> None:
        """Settle what a unit tells of the languages.

        Raises
        ------
        FormatError
            When it has more than two, and which are wanted is not known.

        """
        if all(variant.lang in self._sides for variant in unit.variants):
            return
        codes = list({normal(v.lang): v.lang for v in reversed(unit.variants)}.values())[::-1]
        self._seen.update(dict.fromkeys(codes))
        if len(codes) > 1 and not self._looked:
            self._looked = True
            self._look(unit, codes)
        if not all(self._wanted):
            self._choose(unit, codes)
        for code in codes:
            if self.side(code) is None and not (all(self._asked) or self._named):
                self._source.notes.add(
                    f"further languages that turn up late, as columns; name the two wanted "
                    f"({remedy('src-lang', 'tgt-lang')})",
                    f"{self._source.path} line {unit.line}: {code}",
                )

    def pair(self) -> None:
        """Take note of a unit with two texts in the one language that is asked for."""
        self._paired = True

    def check_found(self) -> None:
        """Look, behind the last unit, whether there were texts in the languages asked for.

        Raises
        ------
        FormatError
            When no unit had one: the language may be mistyped.

        """
        if not self._seen:
            return
        missing = [
            repr(asked)
            for asked, code in zip(self._asked, self.codes, strict=True)
            if asked and not code and not self.same and not self._is_told(asked)
        ]
        options = remedy("src-lang", "tgt-lang")
        holds = f"it holds {', '.join(list(self._seen)[:30])}"
        if missing:
            raise self._source.error(
                f"has no text in {' nor in '.join(missing)}; {holds}: ask for two of them "
                f"({options})"
            )
        if self.same and not self._paired:
            raise self._source.error(
                f"has no unit with two texts in {self._asked[0]!r}, which is asked for on both "
                f"sides; {holds}: ask for two of them ({options})"
            )

    def _is_told(self, asked: str) -> bool:
        """Tell whether the header names a language, so that the file may do without its texts."""
        return any(told and finds(asked, told) for told in self._told)

    def _look(self, unit: Unit, codes: list[str]) -> None:
        """Hold the language that the file says is its source against those of a unit."""
        claim = self._claimed(unit)
        if claim and not any(finds(claim, code) for code in codes):
            self._source.notes.add(
                "files whose srclang is the language of no text",
                f"{self._source.path} line {unit.line}: {claim}, and here are {', '.join(codes)}",
            )

    def _claimed(self, unit: Unit) -> str:
        """Return the language that the unit, or else the file, says is the source."""
        claim = unit.attributes.get("srclang", "").strip()
        return self._claim if claim in {"", "*all*"} else claim

    def _choose(self, unit: Unit, codes: list[str]) -> None:
        """Choose the languages that were not asked for."""
        src, tgt = self._wanted
        claim = self._claimed(unit)
        if tgt and claim and finds(tgt, claim):
            claim = ""
        rest = [code for code in codes if not (tgt and finds(tgt, code))]
        if not src:
            if any(claim and finds(claim, code) for code in rest):
                src = self._wanted[0] = claim
            elif rest and (not claim or len(codes) > 1):
                src = self._wanted[0] = rest[0]
                if not tgt and not claim and len(codes) > 1:
                    self._source.notes.add(
                        f"files that do not say which language is the source, of which the first "
                        f"is taken ({remedy('src-lang')} names another)",
                        f"{self._source.path} line {unit.line}: {src} of {', '.join(codes[:30])}",
                    )
        exact = any(normal(code) == normal(src) for code in codes)
        others = [
            code
            for code in codes
            if not (src and (normal(code) == normal(src) if exact else finds(src, code)))
        ]
        if not tgt and len(others) > 1:
            listed = ", ".join(codes[:30])
            wanted = self._asked[0]
            lacks = bool(wanted) and not any(finds(wanted, code) for code in codes)
            none = f", and none in {wanted!r}" if lacks else ""
            sides = ("src", "tgt") if lacks or not wanted else ("tgt",)
            asked = " and ".join(remedy(f"{side}-lang") for side in sides)
            raise self._source.error(
                f"holds texts in {len(codes)} languages: {listed}{none}; choose two ({asked})",
                unit.line,
            )
        if not tgt and others:
            self._wanted[1] = others[0]
        self._sides.clear()
