"""`--encoding`: one for all files or one a side; what files say themselves, what hardly fits."""

import gzip

import pytest

import bitext as package
from bitext.errors import OptionError
from bitext.formats.io.encodings import likelier_page, misread_utf_8, name_encoding

LATIN, UTF = "Café un.\ndéjà vu\n".encode("latin-1"), "Ärger äußern\nüben und nähen\n".encode()
LINKS = "[0]:[0]:0\n[1]:[1]:0\n"
TMX = (
    '<?xml version="1.0" encoding="{}"?><tmx version="1.4"><header creationtool="x" '
    'creationtoolversion="1" segtype="sentence" o-tmf="x" adminlang="en" srclang="fr" '
    'datatype="plaintext"/><body><tu><tuv xml:lang="fr"><seg>Café</seg></tuv><tuv xml:lang="de">'
    "<seg>Übung</seg></tuv></tu></body></tmx>"
)


@pytest.fixture
def texts(write):
    return write("a.fr", LATIN), write("a.de", UTF)


def test_each_side_has_its_encoding(bitext, write, texts, tmp_path):
    fr, de = texts
    right = "Café un.\tÄrger äußern\ndéjà vu\tüben und nähen\n"
    ways = ["--to", "tsv", "--encoding", "src=latin-1,tgt=utf-8"]
    assert bitext("convert", f"{fr},{de}", "-", *ways).out == right
    ways = ["--to", "tsv", "--src", fr, "--tgt", de, "--encoding", "src=latin-1"]
    found = bitext("convert", write("a.align", LINKS), "-", *ways)
    assert [line.split("\t")[:2] for line in found.out.splitlines()[1:]] == [
        line.split("\t") for line in right.splitlines()
    ]
    out = tmp_path / "out.tsv"
    assert bitext("align", de, fr, "-o", out, "--encoding", "tgt=latin-1").status == 0
    assert "Ärger äußern\tCafé un.\t" in out.read_text()
    assert bitext("check", f"{fr},{de}", "--encoding", "src=latin-1").status == 0
    found = bitext("show", f"{fr},{de}", "--encoding", "src=latin-1")
    assert "déjà vu" in found.out
    assert "üben" in found.out
    assert package.read(f"{fr},{de}", encoding="src=latin-1").pairs()[0] == (
        ["Café un."],
        ["Ärger äußern"],
    )


def test_the_sides_of_a_system_that_is_exchanged_are_those_of_the_gold_standard(bitext, texts):
    fr, de = texts
    ways = ["--names", "x", "--swap", "x", "--encoding", "src=latin-1", "-g", "word"]
    found = bitext("score", f"{fr},{de}", f"{de},{fr}", *ways, "--format", "tsv")
    assert found.out.splitlines()[1].startswith("x\t-\tword\tmicro\t1.0\t1.0")


def test_utf_8_that_is_read_otherwise_is_noted_with_its_side(bitext, texts, write):
    fr, de = texts
    found = bitext("convert", f"{fr},{de}", "-", "--to", "tsv", "--encoding", "latin-1")
    told = "files that seem to be UTF-8, and are read as iso8859-1 (--encoding tgt=utf-8): 1, first"
    assert found.err.count(told) == 1
    path = write("a.tsv", UTF.decode().replace("\n", "\tx\n"))
    found = bitext("convert", path, "-", "--to", "tsv", "--encoding", "cp1252")
    assert "are read as cp1252 (--encoding utf-8)" in found.err
    links = write("a.align", LINKS)
    ways = ["--src", fr, "--tgt", de, "--encoding", "latin-1"]
    assert "(--encoding tgt=utf-8)" in bitext("score", links, links, *ways).err


def test_an_encoding_that_a_file_says_itself_is_told(bitext, write):
    path = write("a.tmx", TMX.format("UTF-8"))
    found = bitext("convert", path, "-", "--to", "tsv", "--encoding", "latin-1")
    assert found.out == "Café\tÜbung\n"
    told = "files that declare their encoding, read in that and not as --encoding iso8859-1"
    assert f"{told}: 1, first {path}: UTF-8" in found.err
    path = write("b.tmx", TMX.format("ISO-8859-1"))
    found = bitext("convert", path, "-", "--to", "tsv")
    told = "files that seem to be UTF-8, and are read as ISO-8859-1"
    assert f"{told} (correct the declaration in the file)" in found.err
    marked = write("c.tsv", b"\xef\xbb\xbfa\tb\n")
    found = bitext("convert", marked, "-", "--to", "tsv", "--encoding", "latin-1")
    assert f"read in that and not as --encoding iso8859-1: 1, first {marked}: utf-8" in found.err


def test_a_charset_in_the_header_of_po_that_is_wrong_is_told(bitext, write):
    head = 'msgid ""\nmsgstr "Content-Type: text/plain; charset=ISO-8859-1\\n"\n\n'
    path = write("a.po", f'{head}msgid "tea"\nmsgstr "thé"\n')
    found = bitext("convert", path, "-", "--to", "tsv")
    assert (
        "seem to be UTF-8, and are read as iso8859-1 (correct the declaration in the file)"
        in found.err
    )


def test_the_remedies_of_errors_name_the_side_and_work(bitext, texts, write):
    fr, de = texts
    found = bitext("convert", f"{fr},{de}", "-", "--to", "tsv")
    assert "a.fr line 1: byte 4 of the line is 0xe9, which is not utf-8" in found.err
    assert "(--encoding src=latin-1)" in found.err
    wide = write("b.de", UTF.decode().encode("utf-16-le"))
    for command in (["convert", f"{fr},{wide}", "-", "--to", "tsv"], ["align", fr, wide]):
        found = bitext(*command, "--encoding", "src=latin-1")
        assert "read it with --encoding tgt=utf-16-le, or" in found.err
        assert bitext(*command, "--encoding", "src=latin-1,tgt=utf-16-le").status == 0


@pytest.mark.parametrize("wrong", ["utf-16", "utf-16-be", "ascii", "shift_jis"])
def test_utf_8_that_is_given_as_another_encoding_is_named_so(bitext, write, wrong):
    sentences = "Der Fluß führt größere Schäden an Brücken herbei.\n"
    texts = write("a.en", "The river damages bridges.\n"), write("a.de", sentences)
    command = "convert", ",".join(map(str, texts)), "-", "--to", "tsv", "--encoding"
    found = bitext(*command, f"src=utf-8,tgt={wrong}")
    assert (found.status, len(found.lines())) == (2, 1)
    assert "UTF-8" in found.err
    assert ": read it so (--encoding tgt=utf-8)" in found.err
    wide = write("a.de", sentences.encode("utf-16"))
    found = bitext(*command, "src=utf-8,tgt=utf-16")
    assert sentences.strip() in found.out, wide
    assert "declare their encoding" not in found.err


def test_a_file_in_two_encodings_is_told(bitext, write):
    path = write("a.fr", "é è à ù ô\n".encode() + b"d\xe9j\xe0\n")
    found = bitext("convert", f"{path},{path}", "-", "--to", "tsv")
    assert "line 2: byte 2 of the line is 0xe9, which is not utf-8; the text before is" in found.err
    assert "convert this line to UTF-8" in found.err


@pytest.mark.parametrize(
    ("arguments", "told"),
    [
        (["convert", "a.tsv", "-", "--to", "jsonl"], "is for two files, and a.tsv holds both"),
        (["paraphrase", "a.tsv"], "is for the two sides of a bitext in two files"),
        (["compare", "a.tsv", "a.tsv"], "is for the two sides of a bitext in two files"),
    ],
)
def test_sides_where_there_are_none_are_refused(bitext, write, monkeypatch, arguments, told):
    monkeypatch.chdir(write("a.tsv", "a\tb\n").parent)
    found = bitext(*arguments, "--encoding", "src=latin-1")
    assert (found.status, told in found.err) == (2, True)


@pytest.mark.parametrize("encoding", ["src=latin-1,x=utf-8", "src=", "src=latin-1,src=utf-8"])
def test_encodings_that_are_none(texts, encoding):
    fr, de = texts
    with pytest.raises(OptionError, match=r"want one|is not known"):
        package.read(f"{fr},{de}", encoding=encoding)


@pytest.mark.parametrize(
    ("text", "encoding"),
    [
        ("Überraschung, déjà vu, señor", "latin-1"),
        ("Привет, как дела? Съешь ещё этих мягких французских булок", "cp1251"),
        ("Съешь ещё этих мягких французских булок, да выпей чаю", "cp866"),
        ("Съешь ещё этих мягких французских булок, да выпей чаю", "koi8-r"),
        ("Ξεσκεπάζω την ψυχοφθόρα βδελυγμία", "iso8859-7"),
        ("กินข้าวหรือยัง วันนี้อากาศดีมาก", "tis-620"),
        ("吾輩は猫である。名前はまだ無い。どこで生れたか頓と見当がつかぬ。", "shift_jis"),
        ("我是一只猫，还没有名字。", "gb18030"),
    ],
)
def test_texts_in_other_encodings_do_not_seem_to_be_utf_8(text, encoding):
    assert not misread_utf_8(text.encode(encoding), encoding)
    assert misread_utf_8(text.encode(), encoding)


@pytest.mark.parametrize("page", ["koi8-r", "cp1251", "iso8859-5", "cp866"])
def test_capitals_of_another_script_show_its_page(page):
    text = "Мельница стояла целый год. Никто не знал, почему она стоит, и мельник вышел."
    assert likelier_page(text.upper().encode(page), "latin-1") == page
    assert likelier_page(text.encode(page), "latin-1") == page
    greek = "Ο μύλος στάθηκε έναν ολόκληρο χρόνο, και κανείς δεν ήξερε γιατί στέκεται."
    assert likelier_page(greek.upper().encode("cp1253"), "latin-1") == "cp1253"


@pytest.mark.parametrize(
    "text", ["½cup, 1½cups, ½tsp, ½kg, ½l", "m² km² cm³ m² m³", "• £5 € ½cup ½l 3¾kg"]
)
def test_signs_and_small_numbers_show_no_page(text):
    assert likelier_page(text.encode("cp1252"), "cp1252") == ""
    assert "125" not in name_encoding("", text.encode("cp1252"), text.encode("cp1252")).replace(
        "cp1252", ""
    )


def test_damaged_utf_16_is_no_text(bitext, write):
    content = "one\tun\n".encode("utf-16-le")
    path = write("a.tsv", content[:6] + b"x" + content[6:] * 9)
    found = bitext("convert", path, "-", "--to", "jsonl")
    assert (found.status, found.out) == (2, "")
    assert "has a NUL byte for each letter, as damaged UTF-16 has" in found.err


@pytest.mark.parametrize(
    ("content", "encoding", "told"),
    [
        (b"\x93One\x94\tUn\n", "latin-1", "seem to be cp1252, and are read as iso8859-1"),
        (b"\x84Raz\x94\tOne\n", "iso8859-2", "seem to be cp1250, and are read as iso8859-2"),
        ("Привет, мир\tHello\n".encode("cp1251"), "latin-1", "most letters have accents, read as"),
        ("Привет, мир\tHello\n".encode("koi8-r"), "cp1252", "most letters have accents, read as"),
    ],
)
def test_a_page_that_hardly_fits_is_noted(bitext, write, content, encoding, told):
    path = write("a.tsv", content)
    found = bitext("convert", path, "-", "--to", "tsv", "--encoding", encoding)
    assert (found.status, told in found.err) == (0, True)


CZECH = "Příliš žluťoučký kůň úpěl ďábelské ódy."
HUNGARIAN = "Árvíztűrő tükörfúrógép. Öt szép szűzlány őrült írót nyúz. Fűnyíró."
UKRAINIAN = "Її дід жив у старому місті біля річки, і щоранку виходив до саду."
# In CP866 і is a Latin letter.
BELARUSIAN = "Воўк жыў у лесе, i быў ён шэры. Дзяўчына пайшла ў вёску, каб купiць хлеба i солi."
POLISH = "Zażółć gęślą jaźń. Pchnąć w tę łódź jeża lub ośm skrzyń fig."


@pytest.mark.parametrize(
    ("text", "encoding", "used", "told"),
    [
        (CZECH, "iso8859-2", "latin-1", "iso8859-2"),
        (CZECH, "iso8859-2", "cp1250", "iso8859-2"),
        (CZECH, "cp1250", "latin-1", "cp1250"),
        (CZECH + "\tSchöne Grüße", "cp1250", "latin-1", "cp1250"),
        (HUNGARIAN, "cp1250", "cp1252", "cp1250"),
        (POLISH, "iso8859-2", "cp1252", "iso8859-2"),
        (
            "Pijamalı hasta yağız şoföre çabucak güvendi. Şu dağ, ağaç, şişe.",
            "cp1254",
            "cp1252",
            "cp1254",
        ),
        ("Zwölf Boxkämpfer jagen größere Füße.", "mac-roman", "cp1252", "mac-roman"),
        ("Zwölf Boxkämpfer jagen größere Füße.", "cp850", "latin-1", "cp850"),
        ("Привет, мир. Да.", "cp1251", "koi8-r", "cp1251"),
        ("Привет, мир. Да.", "koi8-r", "cp1251", "koi8-r"),
        ("Вот таблица остатков: ╟вода╢ ╟соль╢ ╟река╢ ╟лес╢ ╟сено╢", "koi8-r", "cp1251", "koi8-r"),
        (UKRAINIAN, "koi8-u", "koi8-r", "koi8-u"),
        (UKRAINIAN, "koi8-u", "cp1251", "koi8-u"),
        (UKRAINIAN, "koi8-u", "latin-1", "koi8-u"),
        (UKRAINIAN, "cp1125", "cp866", "cp1125"),
        (UKRAINIAN, "cp1125", "latin-1", "cp1125"),
    ],
)
def test_code_pages_of_other_languages_are_told_apart(bitext, write, text, encoding, used, told):
    path = write("a.tsv", f"{text}\tOne\n".encode(encoding))
    arguments = ("convert", path, "-", "--to", "tsv", "--columns", "src=1,tgt=2", "--encoding")
    assert f"seem to be {told}, and are read as" in bitext(*arguments, used).err
    assert "seem to be" not in bitext(*arguments, encoding).err


def test_letters_of_belarusian_are_not_taken_for_ukrainian():
    assert likelier_page(BELARUSIAN.encode("cp866"), "latin-1") == "cp866"
    assert likelier_page(BELARUSIAN.encode("cp866"), "cp866") == ""


@pytest.mark.parametrize(
    ("text", "encoding"),
    [
        ("Le cœur déçu mais l'âme plutôt naïve, Louÿs rêva. Größe, Füße, Öl.", "cp1252"),
        ("Luís argüia à Júlia que «brações, fé, chá, óxido, pôr, zângão» eram palavras.", "cp1252"),
        ("Sævör grét áðan því úlpan var ónýt. Kæmi ný öxi hér.", "latin-1"),
        ("El pingüino Wenceslao hizo kilómetros; 1º, 2ª, 5 µm. Añejo, ñandú, ½ más.", "latin-1"),
        ("Fix Schwyz, quäkt Jürgen blöd vom Paß. Ça va, garçon? El Niño. Søren.", "cp1252"),
    ],
)
def test_texts_in_western_languages_are_not_taken_for_others(bitext, write, text, encoding):
    path = write("a.tsv", f"{text}\tOne\n".encode(encoding))
    arguments = ("convert", path, "-", "--to", "tsv", "--encoding", encoding)
    assert "seem to be" not in bitext(*arguments).err


def test_pages_may_be_named_with_a_hyphen(bitext, write):
    path = write("a.tsv", f"{POLISH}\tOne\n".encode("iso8859-2"))
    found = bitext("convert", path, "-", "--to", "tsv", "--encoding", "Latin-2")
    assert (found.status, found.out) == (0, f"{POLISH}\tOne\n")


def test_the_encoding_of_a_file_that_is_not_utf_8_is_guessed_by_its_letters(bitext, write):
    path = write("a.tsv", f"One\t{POLISH}\n".encode("iso8859-2"))
    found = bitext("convert", path, "-", "--to", "tsv")
    assert found.status == 2
    assert "(as --encoding iso8859-2 for Polish)" in found.err


def test_a_declaration_of_latin_1_on_a_file_of_windows_is_noted(bitext, write):
    path = write("a.tmx", TMX.format("ISO-8859-1").encode("latin-1").replace(b"Caf", b"\x93Caf"))
    found = bitext("convert", path, "-", "--to", "tsv")
    assert "seem to be cp1252, and are read as ISO-8859-1 (correct the declaration" in found.err


@pytest.mark.parametrize(
    ("text", "encoding"),
    [
        ("Überraschung, déjà vu, señor", "latin-1"),
        ("„Ja“ – œuvre", "cp1252"),
        ("Привет, мир", "cp1251"),
        ("Привет, мир", "iso8859-5"),
        ("Aéée", "latin-1"),
    ],
)
def test_pages_that_fit_are_not_noted(text, encoding):
    assert likelier_page(text.encode(encoding), encoding) == ""


def test_the_remedy_for_a_text_in_another_script_is_no_western_encoding(bitext, write):
    path, other = write("a.ru", "Привет, мир\n".encode("cp1251")), write("a.en", "Hello\n")
    found = bitext("convert", f"{other},{path}", "-", "--to", "tsv")
    assert "(as --encoding tgt=cp1251 for Russian) or convert it to UTF-8" in found.err
    found = bitext("convert", f"{other},{path}", "-", "--to", "tsv", "--encoding", "tgt=cp1251")
    assert found.out == "Hello\tПривет, мир\n"
    for text, page in (
        ("老磨坊，河边。", "gb18030 for Chinese"),
        ("ひらがな", "shift_jis for Japanese"),
    ):
        path = write("b.x", f"{text}\n".encode(page.split()[0]))
        found = bitext("convert", f"{other},{path}", "-", "--to", "tsv")
        assert f"(as --encoding tgt={page}) or convert it" in found.err


_OF_SCRIPTS = (
    ("Έβρεχε όλη μέρα και το ποτάμι ανέβηκε πάνω από τον μύλο.", "cp1253", "Greek"),
    ("ירד גשם כל היום והנהר עלה מעל הטחנה.", "cp1255", "Hebrew"),
    ("هطل المطر طوال اليوم وارتفع النهر فوق الطاحونة.", "cp1256", "Arabic"),
    ("هطل المطر طوال اليوم وارتفع النهر فوق الطاحونة.", "iso8859-6", "Arabic"),
    ("ฝนตกทั้งวัน แม่น้ำเอ่อขึ้นเหนือโรงสี", "cp874", "Thai"),
    (
        "비가 하루 종일 내렸다. 강물이 물레방앗간 위로 차올랐다. 그는 집으로 갔다.",
        "cp949",
        "Korean",
    ),
    ("雨下了一整天。河水漲到了磨坊上面。他說誰也沒見過這樣的洪水。", "big5", "Chinese"),
    ("雨が一日中降った。川は水車の上まで上がった。", "euc_jp", "Japanese"),
)


@pytest.mark.parametrize(("text", "page", "language"), _OF_SCRIPTS)
def test_the_remedy_for_each_script_reads_the_text(bitext, write, text, page, language):
    path, other = write("a.txt", f"{text}\n".encode(page)), write("a.en", "It rained.\n")
    found = bitext("convert", f"{other},{path}", "-", "--to", "tsv")
    assert f"(as --encoding tgt={page} for {language}) or convert it to UTF-8" in found.err
    found = bitext("convert", f"{other},{path}", "-", "--to", "tsv", "--encoding", f"tgt={page}")
    assert found.out == f"It rained.\t{text}\n"
    assert "seem to be" not in found.err
    assert likelier_page(text.encode(page), "latin-1") == page


@pytest.mark.parametrize(
    "text",
    [
        "À l'été, où l'élève a été créée à Nîmes, l'œuvre fut achevée — voilà… « déjà vu »",
        "Føroyar: Øystein på Færøerne så æbler og øl",
        "———————————————————— «»«»«»«» …………………… ÉÉ",
        "Größe über Müßiggang, Ähnliches und Österliches",
    ],
)
@pytest.mark.parametrize("encoding", ["cp1252", "latin-1"])
def test_texts_in_latin_script_are_in_no_page_of_another_one(text, encoding):
    written = text.encode(encoding, "ignore")
    assert likelier_page(written, encoding) == ""
    assert "for " not in name_encoding(around=written, part=written)


@pytest.mark.parametrize("mark", ["utf-8-sig", "utf-16"])
def test_a_byte_order_mark_alone_is_an_empty_file(bitext, write, mark):
    path = write("a.tsv", "".encode(mark))
    found = bitext("convert", path, "-", "--to", "jsonl")
    assert (found.status, found.out) == (2, "")
    assert "a.tsv: is empty; give the file" in found.err


def test_pictures_and_films_are_refused_with_a_remedy(bitext, write):
    text = write("b.de", "Eins.\n")
    for begin, told in (
        (
            b"\x89PNG\r\n\x1a\n",
            "is a picture, as scans are, not text: recognise its text first (OCR)",
        ),
        (b"\xff\xd8\xff\xe0", "is a picture"),
        (b"\x1a\x45\xdf\xa3", "is a film (Matroska), not text: extract its subtitles first"),
    ):
        path = write("a.en", begin + bytes(24))
        found = bitext("align", path, text)
        assert (found.status, told in found.err) == (2, True)
        found = bitext("convert", path, "-", "--to", "tsv")
        assert (found.status, "is a" in found.err) == (2, True)


def test_files_that_are_compressed_twice_and_compiled_catalogues_are_named(bitext, write):
    twice = write("a.tsv.gz", gzip.compress(gzip.compress(b"One\tUn\n")))
    catalogue = write("a.mo", b"\xde\x12\x04\x95" + bytes(24))
    for path, told in (
        (twice, "is a file that is compressed twice (gz), not an alignment: unpack it once"),
        (catalogue, "is a compiled catalogue of gettext (.mo): give the .po of it"),
    ):
        found = bitext("convert", path, "-", "--to", "jsonl")
        assert (found.status, told in found.err) == (2, True)


@pytest.mark.parametrize(
    "ways", [["check"], ["convert", "--to", "tmx", "--keep-going", "-o", "o/"]]
)
def test_an_unknown_encoding_is_no_fault_of_the_files(bitext, write, ways):
    files = write("a.tsv", "a\tb\n"), write("b.tsv", "c\td\n")
    found = bitext(*ways, *files, "--encoding", "nonsense")
    assert (found.status, found.out) == (2, "")
    assert "encoding 'nonsense' is not known: want one as utf-8" in found.err
