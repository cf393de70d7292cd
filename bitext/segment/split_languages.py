"""The languages that running text can be split into sentences in, by their codes."""

from __future__ import annotations

import re

from bitext.errors import OptionError

__all__ = ["MODELS", "SCRIPTS", "is_language", "known_language"]

# code: the model of Punkt
MODELS = {
    "cs": "czech",
    "da": "danish",
    "de": "german",
    "el": "greek",
    "en": "english",
    "es": "spanish",
    "et": "estonian",
    "fi": "finnish",
    "fr": "french",
    "it": "italian",
    "ml": "malayalam",
    "nb": "norwegian",
    "nl": "dutch",
    "nn": "norwegian",
    "no": "norwegian",
    "pl": "polish",
    "pt": "portuguese",
    "ru": "russian",
    "sl": "slovene",
    "sv": "swedish",
    "tr": "turkish",
}
# Languages whose stops end a sentence and nothing else.
SCRIPTS = ("ja", "yue", "zh")
# Languages that do not mark where a sentence ends, or mark other places in the same way.
_WITHOUT = ("bo", "dz", "lo", "th")

# ISO 639: of two letters, and of three
_CODES = """
aa:aar ab:abk ae:ave af:afr ak:aka am:amh an:arg ar:ara as:asm av:ava ay:aym az:aze ba:bak be:bel
bg:bul bi:bis bm:bam bn:ben bo:bod br:bre bs:bos ca:cat ce:che ch:cha co:cos cr:cre cs:ces cu:chu
cv:chv cy:cym da:dan de:deu dv:div dz:dzo ee:ewe el:ell en:eng eo:epo es:spa et:est eu:eus fa:fas
ff:ful fi:fin fj:fij fo:fao fr:fra fy:fry ga:gle gd:gla gl:glg gn:grn gu:guj gv:glv ha:hau he:heb
hi:hin ho:hmo hr:hrv ht:hat hu:hun hy:hye hz:her ia:ina id:ind ie:ile ig:ibo ii:iii ik:ipk io:ido
is:isl it:ita iu:iku ja:jpn jv:jav ka:kat kg:kon ki:kik kj:kua kk:kaz kl:kal km:khm kn:kan ko:kor
kr:kau ks:kas ku:kur kv:kom kw:cor ky:kir la:lat lb:ltz lg:lug li:lim ln:lin lo:lao lt:lit lu:lub
lv:lav mg:mlg mh:mah mi:mri mk:mkd ml:mal mn:mon mr:mar ms:msa mt:mlt my:mya na:nau nb:nob nd:nde
ne:nep ng:ndo nl:nld nn:nno no:nor nr:nbl nv:nav ny:nya oc:oci oj:oji om:orm or:ori os:oss pa:pan
pi:pli pl:pol ps:pus pt:por qu:que rm:roh rn:run ro:ron ru:rus rw:kin sa:san sc:srd sd:snd se:sme
sg:sag sh:hbs si:sin sk:slk sl:slv sm:smo sn:sna so:som sq:sqi sr:srp ss:ssw st:sot su:sun sv:swe
sw:swa ta:tam te:tel tg:tgk th:tha ti:tir tk:tuk tl:tgl tn:tsn to:ton tr:tur ts:tso tt:tat tw:twi
ty:tah ug:uig uk:ukr ur:urd uz:uzb ve:ven vi:vie vo:vol wa:wln wo:wol xh:xho yi:yid yo:yor za:zha
zh:zho zu:zul
sq:alb hy:arm eu:baq my:bur zh:chi cs:cze nl:dut fr:fre ka:geo de:ger el:gre is:ice mk:mac mi:mao
ms:may fa:per ro:rum sk:slo bo:tib cy:wel
"""
_BY_LONGER = {longer: short for short, _, longer in (one.partition(":") for one in _CODES.split())}
_KNOWN = {*_BY_LONGER.values(), *SCRIPTS}


def is_language(code: str) -> bool:
    """Return whether it is the code of a language, in small letters and without more."""
    return code in _KNOWN or code in _BY_LONGER


def known_language(code: str) -> str:
    """Return the code of a language that text can be split in: `en` for `en-GB` and `eng`.

    Raises
    ------
    OptionError
        When it is the code of no language, or of one that does not mark where sentences end.

    """
    name = re.split(r"[-_]", code.strip().lower())[0]
    name = _BY_LONGER.get(name, name)
    if name in _WITHOUT:
        raise OptionError(
            f"sentences of language {code!r} cannot be split: its script does not mark where they "
            f"end; want text with one sentence a line"
        )
    if name not in _KNOWN:
        raise OptionError(
            f"sentences of language {code!r} cannot be split: want a code of ISO 639-1, as de, hu "
            f"or zh, or text with one sentence a line"
        )
    return name
