"""Languages of the sentence splitter: codes, detection, and tables of abbreviations.

Language codes of the sentence splitter, and detection of the language of a text.

The script decides the language of a text, except in Latin and Cyrillic script, where words decide:
each language has a table of words that open sentences (below), mostly articles,
pronouns and conjunctions. These are a fifth to nearly a half of the words of a text in the
language, and rarely a tenth of the words of a text in another language.

Tables of abbreviations and of words that open sentences, by language, of five kinds.

- `never`: abbreviations that end no sentence, as they need a next word: titles, `z. B.`, `ul.`
- `numbers`: abbreviations that end no sentence before a number: `Nr. 7`, `cap. III`, `3 jan. 1990`
- `may`: abbreviations that end a sentence before an opener: `Acme Inc. She`, not `Acme Inc. London`
- `ends`: abbreviations that end a sentence before a capital letter: `etc.`, `usw.`
- `openers`: words that often begin sentences, and hardly ever names

Words are in lower case, without their last full stop and without blanks: `z.b` is also `z. B.`. The
mark `_` is a blank after a previous word that is needed: `и_др`. Kinds are tried in the order
`ends`, `may`, `never`, `numbers`, and the first one that applies to a word decides.
"""

from __future__ import annotations

import re
from collections import Counter
from functools import cache
from itertools import islice
from typing import TYPE_CHECKING, NamedTuple
from unicodedata import name as character_name

from bitext.errors import MissingExtraError, OptionError
from bitext.model.languages import identified_language, is_language, two_letters

if TYPE_CHECKING:
    from collections.abc import Sequence

    Spans = list[tuple[int, int]]


# Code of a language -> its Punkt model.
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
# Languages whose stops only mark ends of sentences.
SCRIPTS = ("ja", "yue", "zh")
# Script, as in the Unicode names of its characters -> codes of languages, the usual one first
# outside of Latin and Cyrillic script.
LANGUAGES_OF_SCRIPTS = {
    "LATIN": "af ca cs cy da de en es et eu fi fr ga gl hr hu id is it lt lv ms mt nb nl nn no pl "
    "pt ro sk sl sq sv sw tl tr vi",
    "CYRILLIC": "be bg mk ru uk",
    "ARABIC": "ar fa ps ur",
    "KANA": "ja",
    "CJK": "zh yue ja",
    "DEVANAGARI": "hi mr ne",
    "HEBREW": "he yi",
    "ARMENIAN": "hy",
    "BENGALI": "bn",
    "ETHIOPIC": "am",
    "GEORGIAN": "ka",
    "GREEK": "el",
    "GUJARATI": "gu",
    "HANGUL": "ko",
    "KHMER": "km",
    "LAO": "lo",
    "MYANMAR": "my",
    "TAMIL": "ta",
    "TELUGU": "te",
    "THAI": "th",
}
# Limits of the detection, all set by hand. Lengths bound the time for long texts.
_CHARACTERS_LOOKED_AT = 40_000  # characters examined, from the beginning of a text
_LETTERS = 2000  # letters examined for the script
_FEWEST_LETTERS = 20  # letters, fewer of which decide no script
_WORDS = re.compile(r"[^\W\d_]+")
_FEWEST_WORDS = 20  # words, fewer of which decide no language
_LEAST_SHARE = 0.12  # least share of openers, above that in texts of other languages (see above)
_LEAST_RATIO = 1.3  # least ratio to the share of the declared language, or of English
_SENTENCES = 2000  # sentences that are compared with a named language
_SOME_KANA = 0.1  # least share of kana in the letters of a Japanese text
# Languages that do not mark ends of sentences, or mark other places in the same way.
_WITHOUT_SENTENCE_ENDS = ("bo", "dz", "lo", "th")


def known_language(code: str) -> str:
    """Normalise the code of a language with marked sentence ends: `en` for `en-GB` and `eng`.

    Raises
    ------
    OptionError
        When `code` is no language, or a language that does not mark the ends of sentences.

    """
    name = re.split(r"[-_]", code.strip().lower())[0]
    name = two_letters(name)
    if name in _WITHOUT_SENTENCE_ENDS:
        raise OptionError(
            f"sentences of language {code!r} cannot be split: its script does not mark where they "
            f"end; want text with one sentence a line"
        )
    if not is_language(name):
        raise OptionError(
            f"sentences of language {code!r} cannot be split: want a code of ISO 639-1, as de, hu "
            f"or zh, or text with one sentence a line"
        )
    return name


def language_of_text(text: str, *, named: str = "") -> str:
    """Detect the language of a text from its script and words, if not the declared language.

    The result is empty for a text in the declared language, and where script and words do not
    decide.

    Parameters
    ----------
    text : str
        The text, of which the first 40,000 characters are examined.
    named : str
        The code of the declared language. Another code is returned only for a text that is clearly
        in another language.

    Examples
    --------
    >>> language_of_text("Er ging in das Haus und sie sah ihn nicht. " * 3)
    'de'
    >>> language_of_text("猫がそこに座ったのだった。" * 10), language_of_text("Ferry Tessel")
    ('ja', '')

    """
    text = text[:_CHARACTERS_LOOKED_AT]
    own = re.split(r"[-_]", named.strip().lower())[0]
    own = two_letters(own)
    script = _script(text)
    if script not in {"LATIN", "CYRILLIC"}:
        codes = LANGUAGES_OF_SCRIPTS.get(script, "").split()
        elsewhere = not own or any(own in row.split() for row in LANGUAGES_OF_SCRIPTS.values())
        return codes[0] if codes and elsewhere and own not in codes else ""
    words = Counter(_WORDS.findall(text.lower()))
    total = words.total()
    if total < _FEWEST_WORDS or (own and own not in TABLES_OF):
        return ""
    openers, tables = dict.fromkeys(TABLES_OF.values(), 0), _tables_of_openers()
    for word in tables.keys() & words.keys():
        for table in tables[word]:
            openers[table] += words[word]
    shares = {codes: number / total for codes, number in openers.items()}
    best = max(shares, key=shares.__getitem__)
    if shares[best] < _LEAST_SHARE or own in best.split():
        return ""
    other = shares[TABLES_OF[own or "en"]]
    return best.split()[0] if best == "en" or shares[best] > _LEAST_RATIO * other else ""


@cache
def _tables_of_openers() -> dict[str, list[str]]:
    """Return the languages of each word that begins sentences, as in `TABLES_OF`."""
    tables: dict[str, list[str]] = {}
    for codes in dict.fromkeys(TABLES_OF.values()):
        for word in abbreviations(codes.split()[0]).openers:
            tables.setdefault(word, []).append(codes)
    return tables


def language_of_words(sentences: Sequence[str]) -> str:
    """Identify the language of a text, by py3langid where it is installed, else by this module.

    The result is empty for a text that is too short or in several languages, and for a language
    without a code of ISO 639-1.

    Examples
    --------
    >>> language_of_words(["Er ging in das Haus und sie sah ihn nicht."] * 3)
    'de'

    """
    try:
        code = identified_language(sentences)
    except MissingExtraError:
        beginning, size = [], 0
        for sentence in sentences:
            beginning.append(sentence)
            size += len(sentence)
            if size > _CHARACTERS_LOOKED_AT:
                break
        return language_of_text("\n".join(beginning))
    return code if is_language(code) else ""


def other_language(sentences: Sequence[str], named: str) -> str:
    """Return the language of a text that is clearly not in the named one; empty otherwise.

    The words have to contradict the name by `language_of_text`, which needs no extra, and so do
    those of py3langid, where it is installed.
    """
    guess = language_of_text("\n".join(islice(sentences, _SENTENCES)), named=named)
    code = language_of_words(sentences) if guess else ""
    own = two_letters(re.split(r"[-_]", named.strip().lower())[0])
    alike = any({code, own} <= {*codes.split()} for codes in TABLES_OF.values())
    return "" if code == own or alike else code


def _script(text: str) -> str:
    """Return the most frequent script, by its name in Unicode; empty if there are few letters."""
    scripts = Counter[str]()
    for letter, number in Counter(islice(filter(str.isalpha, text), _LETTERS)).items():
        scripts[character_name(letter, "").partition(" ")[0]] += number
    kana = scripts["HIRAGANA"] + scripts["KATAKANA"]
    if kana > _SOME_KANA * scripts.total():
        return "KANA"
    return max(scripts, key=scripts.__getitem__) if scripts.total() >= _FEWEST_LETTERS else ""


# Tables of abbreviations and of words that open sentences, by language, of five kinds.


# Titles in all languages of a script, for the kind `never`.
TITLES = """
dr prof mr mrs ms mme mlle drs ths mgr ing inž inz
др проф акад инж див պրոֆ დრ პროფ
डॉ डा प्रो श्री ड ডা ড ডঃ মো డా ಡಾ ഡോ ਡਾ ડૉ ડા د م أ ا
"""
# Words for the kind `never` in languages without a list of their own; lists of others have them.
_WITHOUT_LIST = "st sr jr vs dk nr г р с ст ул вул"
# Words of the kinds `numbers` and `ends` in all languages.
_NUMBERS = """
nr nos fig figs tab vol vols art cap kap pp p ca tel str ref par
jan feb apr jun jul aug sep sept okt oct nov dec
"""
_ENDS = "etc"

_TABLES = {
    "af": """
never mnr mev mej bv d.w.s o.a
numbers bl bls no afb hfst jan feb mrt apr jun jul aug sept okt nov des
ends ens e.d.m
openers hy sy dit die hulle ek ons jy toe daar maar en dan
""",
    "be": """
never вул праф т.е г.зн ст гл
numbers стар мал гл с п т студз лют сак крас чэрв ліп жн вер кастр ліст снеж
may г гг і_інш і_пад
ends і_г.д і_г.п
openers ён яна яно яны гэта мы вы я потым там тут але у на з
""",
    "bg": """
never ул бул гр пл кв т.е т.нар напр проф доц инж акад арх св г-н г-жа
numbers стр фиг табл гл чл ал бр т с рис мин ок обр ян февр март апр септ окт ноем дек
may г гг
ends и_т.н и_др и_пр
openers той тя то те това този тази тези аз ние вие там тук после след когато но а и в на по
""",
    "bs hr sh": """
never ul npr tj tzv prof doc gđa gđica sv dipl ing mr
numbers str sl br čl st god pogl bilj mar avg sij velj ožu tra svi lip srp kol ruj lis stu
may god sur i_sl
ends itd i_dr
openers on ona ono oni one to taj ta ti ja mi vi onda potom zatim ali a i u na po kad tamo tu
""",
    "ca": """
never p.ex sr sra srta dr dra av avda pl pg st sta excm
numbers núm num pàg pàgs gen febr abr jul ag set oct nov des aprox
may ee.uu s.a
openers el la els les un una ell ella ells jo això aquest aquesta després però i a en quan l'
""",
    "cs": """
never na_nám u_nám z_nám do_nám od_nám při_nám přes_nám
never ul tř např tzv tzn tj mj resp ing mgr bc mudr judr phdr rndr doc prof sv p plk
numbers nám č čís obr kap str tab odst čl sv r roč led ún břez dub květ červ srp září říj list pros
may nábř s.r.o a.s př.n.l n.l hod min kč mil mld tis st stol csc gen
ends atd apod aj atp a_t.d
openers on ona ono oni ony to ten ta já my vy pak potom poté ale a v na s když tam zde je
""",
    "cy": """
numbers t tt rhif pen ion chwef maw ebr meh gorff awst medi hyd tach rhag
openers mae yr y dyma roedd ond a yna
""",
    "da": """
never f.eks bl.a dvs hr frk vedr evt jf skt
numbers nr s kap afsn bd bl kl art stk jan feb mar apr jun jul aug sep sept okt nov dec pkt
may kr mio mia min f.kr e.kr d.d
ends osv m.m m.v m.fl o.l o.lign o.s.v
openers han hun det den de der vi jeg i du man så da men og her nu på til efter dette denne en et
openers hvad hvem hvor alt alle
""",
    "de": """
never z.b d.h bzw vgl sog sogen hr hrn fa geb hl prof dr dipl ing st evtl ggf inkl zzgl insb bes
never i.d.r z.t m.e u.u österr ehem kath evang frhr gebr lt z.z med
numbers abb abs abschn anl anm art aufl az bd bde bl fn gl jg kap lfd lief nr nrn rn s sp str tel z
numbers ziff gem jan jän feb febr mär mrz apr jun jul aug sep sept okt nov dez
may inc co corp ltd u.a u.ä o.ä min std sek jh jhdt jhd mio mrd tsd v.chr n.chr u.s.a a.m p.m e.v
may a.d
ends usw usf u.s.w u.s.f u.a.m u.dgl und_dgl u.v.m
openers er sie es wir ich ihr du man der die das den dem ein eine einer dieser diese dieses dann
openers da dort hier jetzt so und aber doch auch als wenn in im am an auf bei mit nach von vor zu
openers für über unter es nun denn weil seit ist war hat wer was wie wo alle beide danach heute
""",
    "el": """
never π.χ δηλ βλ κα κ δρ καθ αγ λεωφ οδ πλ τηλ πρβλ
numbers αρ αριθ σελ εικ κεφ πίν άρθρ τόμ παρ στίχ ιαν φεβ φεβρ μαρ απρ αυγ σεπ σεπτ οκτ νοε δεκ
may π.μ μ.μ π.χρ μ.χ α.ε ε.ε
ends κ.λπ κλπ κ.ά κ.α κ.τ.λ κτλ κ.ο.κ κ.λ.π
openers ο η το οι τα αυτός αυτή αυτό αυτοί εγώ εμείς εσείς μετά όμως αλλά και στο στη στον στην
openers όταν εκεί εδώ τότε ήταν είναι ένα ένας μια για με από δεν τον την
""",
    "en": """
never mr mrs ms dr prof messrs msgr gen col capt lt sgt maj cmdr gov sen e.g i.e cf viz mt approx
never adm
numbers no nos fig figs sec vol pp p ch chap art eq para paras ref pt col ca bk ed
numbers jan feb mar apr jun jul aug sep sept oct nov dec
may st ave rd blvd a.m p.m u.s u.k u.n u.s.a d.c b.c a.d ph.d m.d b.a m.a b.sc m.sc et_al al dept
may inc co corp ltd jr bros sr plc llc hr hrs min ft oz lb lbs mm esq e.u
openers he she it they we i you the a an this that these those there then here his her its their
openers our my and but so if when while as at in on for from with by to of after before now yet or
openers what who where why how all both some each every no not is are was were do did
""",
    "eo": """
never ekz t.e d-ro prof s-ro s-ino kp
numbers p n-ro ĉap jan feb mar apr jun jul aŭg sep okt nov dec
may a.k.e p.k.e
ends ktp k.a k.t.p
openers li ŝi ĝi ili mi ni vi la tio tiu poste tie ĉi kaj sed en de je
""",
    "es": """
never sr sra srta sres sras dr dra d dña dn p.ej av avda pza plza prof profa lic ing gral excmo sto
never sta
numbers núm num no n pág págs cap art fig vol párr apdo ene febr feb mar abr may jun jul ago sept
numbers sep oct nov dic aprox
may ee.uu s.a a.c d.c a.m p.m cía ud uds vd vds
openers el la los las un una él ella ellos ellas yo nosotros esto este esta eso ese esa luego
openers después pero y a en de con por para cuando allí aquí no se su es era lo hay todo
""",
    "et": """
never näit hr pr prl nn s.t st sh dr prof
numbers lk joon nr ptk jn tab kd jaan veebr märts apr aug sept okt nov dets kl
may a s.a a.s ekr pkr
ends jne jms jm
openers ta tema see nad nemad ma me te siis aga ja kui seal siin need ning on oli
""",
    "eu": """
never adib jn and dr prof
numbers or orr zk zenb irud
may k.a k.o
ends etab e.a
openers hark hura hau hori ni gu zu gero baina eta han hemen bera haiek
""",
    "fi": """
never esim ts ns hra rva nti prof tri
numbers s ss nro n klo kl kpl nk tammik helmik maalisk huhtik toukok kesäk heinäk elok syysk lokak
numbers marrask jouluk puh
may min oy mmm milj mrd ekr jkr
ends jne yms ym tms
openers hän se he ne minä me sinä te tämä tuo nämä sitten mutta ja kun siellä täällä on oli nyt
""",
    "fr": """
never m mm p.ex mgr mme mlle dr prof av bd boul pl st ste cf env
numbers no nos n p pp art chap fig vol t tab réf al ann éd janv févr fév avr juill juil sept oct
numbers nov déc
may s.a éts cie
openers il elle ils elles on je nous vous tu le la les l' un une des ce c' cet cette ces ça cela
openers puis mais et à au aux en dans sur pour par avec quand là ici d' qu' j' n' son sa ses tout
""",
    "ga": """
never m.sh e.g dr
numbers lch uimh caib lgh ean feabh már aib beal meith lún mfómh dfómh samh noll
openers tá sé sí siad bhí an na is ach agus ansin seo sin
""",
    "gl": """
never sr sra srta dr dra p.ex av avda d dna
numbers páx páxs núm num cap xan febr mar abr xuñ xul ago set out nov dec
may ee.uu s.a
openers o a os as un unha el ela eles elas eu nós isto este esta iso logo despois pero e en de
""",
    "hu": """
never pl ún özv ifj id dr prof ill kb vö szt
numbers sz old o fej köt bek tel jan febr márc ápr máj jún júl aug szept okt nov dec u kb
numbers krt
may kft rt bt zrt nyrt
ends stb
openers ő ők ez az a azt ezt aztán majd de és itt ott most akkor amikor mi én te ti így nem van
openers volt ha hogy ezért is egy
""",
    "id ms": """
never jl jln dr drs ir h hj prof sdr sdri bpk yth tn ny
numbers hlm hal gbr no bab jil tgl tel jan feb mar apr jun jul agt agu sep okt nov des
may tbk
ends dll dsb dst
openers ia dia mereka saya kami kita itu ini tetapi dan lalu kemudian di pada dari yang dengan
""",
    "is": """
never t.d þ.e þ.e.a.s skv hr sbr nk m.a u.þ.b þ.m.t
numbers bls nr kl gr bd jan feb mars apr jún júl ág sept okt nóv des
may f.kr e.kr kr hf ehf klst
ends o.s.frv o.fl o.þ.h o.fl
openers hann hún það þau þeir þær ég við þið svo en og þá þar hér þetta þessi einnig á í um að
openers eftir með til nú
""",
    "it": """
never sig sigg dott dott.ssa prof p.es avv ing mons dr s ss gent spett arch geom rag sig.ra sig.na
never sig.re es v.le c.so p.zza p.le l.go
numbers n num nr p pp pag pagg art artt cap fig vol tab par gen febr feb mar apr mag giu lug ago
numbers sett set ott nov dic ca
may s.p.a s.r.l a.c d.c
ends ecc
openers il lo la i gli le un uno una l' un' egli ella lui lei loro io noi voi questo questa quello
openers poi ma e a in di da con per quando qui là non si è era c' tutto
""",
    "lb": """
never z.b d.h hr mme
numbers s nr kap abr mäe mee
ends asw
openers hien hatt si et mir ech de d' an mä dann do
""",
    "lt": """
never pvz t.y pr vad dr prof doc žr plg gyd kun vysk šv
numbers p psl pav lent sk nr str tel d mėn pr g k saus vas kov bal geg birž liep rugp rugs spal
numbers lapkr gruod
may m g val min a.a
ends t.t pan kt ir_t.t ir_pan ir_kt
openers jis ji jie jos aš mes tai tas ta paskui tada bet ir o kai ten čia šis ši nuo į
""",
    "lv": """
never piem t.i prof dr
numbers lpp att nod p nr sēj janv febr apr jūn jūl aug sept okt nov dec sk plkst
may m p.m.ē sia
ends utt u.c u.tml
openers viņš viņa viņi viņas es mēs tas tā tie šis šī tad bet un kad tur šeit no uz ar
""",
    "mk": """
never ул бул т.е т.н проф д-р инж св на_пр пр
numbers стр сл бр чл т фев јан мар апр мај јун јул авг септ окт ное ноем дек
may г год
ends итн и_др и_сл
openers тој таа тоа тие јас ние ова овој оваа потоа тогаш но а и во на кога таму тука
""",
    "nb nn no": """
never f.eks bl.a dvs hr frk jf evt
numbers nr s kap avsn bd kl art fig jan feb febr mars apr jun jul aug sept sep okt nov des pkt ca
may kr mill mrd min f.kr e.kr a.s
ends osv m.m m.v m.fl o.l o.s.v mv mm
openers han hun ho det den de der vi jeg eg i du man så da men og her nå på til etter dette denne en
openers et ei hva hvem hvor alt alle
""",
    "nl": """
never bijv bv mevr mw dhr mej ir drs dr mr ing prof o.a d.w.z m.a.w t.a.v resp zgn jhr
numbers blz nr nrs afb hfdst art tab dl par pag jan febr feb mrt apr jun jul aug sept okt nov dec
numbers ca tel p
may n.v b.v v.chr n.chr min mln mld st
ends enz e.d e.a
openers hij zij ze het de een er wij we ik je jij u dit dat deze die dan toen daar hier maar en in
openers op van met voor naar bij als nu daarna ook
""",
    "pl": """
never ul pl al np tzn tzw tj m.in prof dr inż mgr hab św bł ks płk mjr por zob dyr red doc woj hr
never kard
numbers str rys tab art ust pkt poz rozdz nr godz t s zał ok ark stycz lut kwiet czerw lip sierp wrz
numbers wrześ paźdz listop grudz tel sty mar kwi maj cze lip sie paź lis gru
may os r w s.a z.o.o n.e p.n.e im godz tys mln mld zł min tow gr gen
ends itd itp i_in i_t.d i_t.p
openers on ona ono oni one to ten ta te ja my wy potem wtedy teraz ale a i w na z do po gdy kiedy
openers tam tu jest był była było nie jego jej ich od za o
""",
    "pt": """
never sr sra sras srs srta dr dra drs dras d dona p.ex av r eng prof profa exmo gen cel trav pça
numbers núm num n no pág págs cap art fig vol tab jan fev mar abr mai jun jul ago set out nov dez
numbers aprox
may s.a a.c d.c ltda cia e.u.a
openers o a os as um uma ele ela eles elas eu nós isto isso este esta esse essa depois mas e em no
openers na de do da com por para quando ali aqui não se é era há
""",
    "ro": """
never dl dna d-na dr prof ing str bd bdul de_ex d.ex sf cca av
numbers nr pag pg fig cap art alin vol tab ian feb febr mar apr mai iun iul aug sept sep oct nov
numbers dec pct lit cca aprox
may s.a s.r.l î.hr d.hr a.m p.m
ends ș.a ș.a.m.d șamd
openers el ea ei ele eu noi voi aceasta acesta acest această asta apoi dar și în pe la cu de când
openers acolo aici nu un o este era după
""",
    "ru": """
never ул пл просп бул пер т.е т.н т.к напр проф акад доц инж св гр г-н г-жа тов ср пгт см
numbers стр рис гл табл ст п пп кн т тт разд прим с № ч д кв корп янв февр фев мар апр авг сент
numbers сен окт нояб ноя дек ок тел изд вып
may г гг в вв им руб коп тыс млн млрд чел мин ч н.э до_н.э пр р обл дол долл у.е
ends т.д т.п и_др и_пр и_мн.др
openers он она оно они это этот эта эти я мы вы ты потом затем там тут здесь но а и в на с по к у
openers о об из за от до при для когда если так тогда теперь все всё его её их не как был была
""",
    "sk": """
never na_nám z_nám do_nám od_nám pri_nám cez_nám
never ul napr tzv tzn t.j mgr ing mudr judr phdr rndr doc prof sv p resp
numbers nám č čís obr kap str tab ods čl r jan feb febr mar apr máj jún júl aug sept okt nov dec
may nábr s.r.o a.s hod min eur mil mld tis st pr.n.l n.l
ends atď a_pod atp ap
openers on ona ono oni to ten tá ja my vy potom ale a v na s keď tam tu je bol bola
""",
    "sl": """
never npr tj t.i gdč gosp g prof dr mag doc sv ul
numbers št str sl pogl čl tab zv odst jan feb mar apr jun jul avg sep sept okt nov dec
may ga d.d d.o.o tel min
ends itd itn ipd idr
openers on ona ono oni to ta te jaz mi vi potem nato a ampak in v na ko tam tu je bil bila
""",
    "sq": """
never p.sh d.m.th z znj dr prof rr
numbers f fq nr kap neni jan shk mar pr maj qer korr gush sht tet nën dhj
may sh.a
ends etj
openers ai ajo ata ato ky kjo unë ne ju pastaj por dhe në me kur atje këtu është
""",
    "sr": """
never ул npr нпр tj тј тзв tzv проф доц др dr инж гђа св sv ul бул
numbers стр сл бр чл ст str sl br čl st год god mar avg јан феб мар апр јун јул авг сеп септ окт
numbers нов дец
may год god г и_сл
ends итд itd и_др i_dr
openers он она оно они то тај та ја ми ви онда потом затим али а и у на по кад тамо ту on ona ono
openers oni to taj ta ja mi vi onda potom zatim ali a i u na po kad tamo tu
""",
    "sv": """
never t.ex bl.a dvs d.v.s s.k hr fr jfr resp inkl exkl prof dr f.d
numbers s nr kap fig avsn bd kl art tab jan febr feb mars apr jun jul aug sept sep okt nov dec ca
numbers st
may kr milj mkr min f.kr e.kr st
ends osv o.s.v m.m m.fl o.d o.dyl mm mfl
openers han hon det den de vi jag i du man så då men och här där nu på till efter detta denna en ett
openers sedan när vad vem var allt alla vissa varje
""",
    "tr": """
never dr prof doç av cad sok mah apt bkz yrd sn örn
numbers s ss no şek böl md tab c cilt sf tel oca şub mar nis may haz tem ağu eyl eki kas ara
may a.ş ltd.şti şti m.ö m.s
ends vb vd v.b v.s vs
openers o bu şu onlar biz ben sen siz ama ve sonra orada burada şimdi ancak fakat bir çünkü
""",
    "uk": """
never вул просп пл бул пров т.зв напр проф акад доц інж див св
numbers стор рис табл ст п пп кн розд прим с гл № кв буд корп січ лют бер квіт трав черв лип серп
numbers вер жовт лист груд
may р рр ст м ім грн тис млн млрд н.е до_н.е хв обл
ends т.д т.п і_т.ін та_ін і_ін й_ін
openers він вона воно вони це цей ця ці я ми ви ти потім там тут але а і й та в у на з до по за
openers коли якщо тоді тепер його її їх не
""",
    "vi": """
never tp gs ts pgs ths bs ks
numbers tr q p
ends v.v
openers anh chị ông bà nó họ tôi chúng đó đây nhưng và sau khi
""",
}
# Code of a language -> all codes that share its table.
TABLES_OF = {code: codes for codes in _TABLES for code in codes.split()}


class Abbreviations(NamedTuple):
    """The words of a language of each kind (see the head of the module)."""

    never: frozenset[str]
    numbers: frozenset[str]
    may: frozenset[str]
    ends: frozenset[str]
    openers: frozenset[str]


@cache
def abbreviations(lang: str, *, listed: bool = True) -> Abbreviations:
    """Return the words of a language of each kind, with the words of all languages.

    Parameters
    ----------
    lang : str
        A code, such as `de`. A language without a table has only the words of all languages.
    listed : bool
        Whether another list of abbreviations is used for the language. If not, common
        abbreviations of other languages are added.

    """
    kinds: dict[str, set[str]] = {kind: set() for kind in Abbreviations._fields}
    kinds["never"].update(TITLES.split())
    if not listed:
        kinds["never"].update(_WITHOUT_LIST.split())
    kinds["numbers"].update(_NUMBERS.split())
    kinds["ends"].update(_ENDS.split())
    for line in _TABLES.get(TABLES_OF.get(lang, ""), "").split("\n"):
        kind, *words = line.split() or ["never"]
        kinds[kind].update(word.lower() for word in words)
    return Abbreviations(**{kind: frozenset(words) for kind, words in kinds.items()})
