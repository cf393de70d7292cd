"""nltk's client against a server that answers as CoreNLP does.

nltk talks over the package `requests`; where that is not installed, a small stand-in with its
interface does.
"""

import importlib.util
import json
import sys
import threading
import time
import types
import urllib.error
import urllib.parse
import urllib.request
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

import pytest

from bitext.errors import InputError, OptionError
from bitext.model import Sentence
from bitext.syntax.adapters import CoreNlpParser

SENTENCES = [
    Sentence(["It", "left", "Milan", "(", "Italy", ")", "."], id="a", source="wire"),
    Sentence(["New York", "is", "{", "big", "}"]),
    Sentence(["Yes"], id="c"),
]
TREES = {
    "It left Milan -LRB- Italy -RRB- .": """(ROOT
  (S
    (NP (PRP It))
    (VP (VBD left)
      (NP
        (NP (NNP Milan))
        (PRN (-LRB- -LRB-)
          (NP (NNP Italy))
          (-RRB- -RRB-))))
    (. .)))""",
    "New_York is -LCB- big -RCB-": """(ROOT
  (S
    (NP (NNP New_York))
    (VP (VBZ is)
      (ADJP (-LRB- -LCB-) (JJ big) (-RRB- -RCB-)))))""",
    "Yes": "(ROOT (INTJ (UH Yes)))",
}


def answer(lines):
    """Answer as CoreNLP 4.5 does to the annotators tokenize, ssplit, pos and parse."""
    return {
        "sentences": [
            {
                "index": number,
                "parse": TREES[line],
                "tokens": [
                    {
                        "index": place,
                        "word": word,
                        "originalText": word,
                        "lemma": word,
                        "characterOffsetBegin": 0,
                        "characterOffsetEnd": 0,
                        "pos": "NN",
                        "before": "",
                        "after": " ",
                    }
                    for place, word in enumerate(line.split(), start=1)
                ],
            }
            for number, line in enumerate(lines)
        ]
    }


class Server(ThreadingHTTPServer):
    """Capabilities what it is asked; `behave` makes the answer."""

    daemon_threads = True

    def __init__(self):
        super().__init__(("127.0.0.1", 0), Handler)
        self.asked = []
        self.behave = lambda lines: (200, json.dumps(answer(lines)))

    @property
    def url(self):
        return f"http://127.0.0.1:{self.server_address[1]}"


class Handler(BaseHTTPRequestHandler):
    def do_POST(self):
        body = self.rfile.read(int(self.headers["Content-Length"])).decode()
        query = urllib.parse.parse_qs(urllib.parse.urlsplit(self.path).query)
        lines = body.split("\n")
        self.server.asked.append((lines, json.loads(query["properties"][0])))
        status, said = self.server.behave(lines)
        self.send_response(status)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(said.encode())))
        self.end_headers()
        try:
            self.wfile.write(said.encode())
        except BrokenPipeError:
            self.close_connection = True

    def log_message(self, *args):
        """Keep quiet."""


@pytest.fixture
def server():
    made = Server()
    thread = threading.Thread(target=made.serve_forever, kwargs={"poll_interval": 0.02})
    thread.start()
    yield made
    made.shutdown()
    thread.join()
    made.server_close()


class Response:
    """What nltk uses of `requests.Response`."""

    def __init__(self, url, status, reason, content):
        self.url, self.status_code, self.reason, self.content = url, status, reason, content
        self.encoding = "utf-8"

    def raise_for_status(self):
        if self.status_code >= 400:
            raise sys.modules["requests"].exceptions.HTTPError(self.content.decode())

    def json(self, **options):
        return json.loads(self.content, **options)


class Session:
    """What nltk uses of `requests.Session`."""

    def post(self, url, *, params, data, headers, timeout):
        failures = sys.modules["requests"].exceptions
        full = f"{url}?{urllib.parse.urlencode(params)}"
        request = urllib.request.Request(full, data=data, headers=headers)
        opener = urllib.request.build_opener(urllib.request.ProxyHandler({}))
        try:
            with opener.open(request, timeout=timeout) as found:
                return Response(full, found.status, found.reason, found.read())
        except urllib.error.HTTPError as error:
            with error:
                return Response(full, error.code, error.reason, error.read())
        except TimeoutError as error:
            raise failures.Timeout(str(error)) from error
        except urllib.error.URLError as error:
            raise failures.ConnectionError(str(error)) from error


def _failed(self, message, response=None):
    OSError.__init__(self, message)
    self.response = response


@pytest.fixture(autouse=True)
def _requests(monkeypatch):
    """Put a stand-in for `requests` in its place where it is not installed."""
    if importlib.util.find_spec("requests") is None:
        base = type("RequestException", (OSError,), {"__init__": _failed})
        names = ("Timeout", "ConnectionError", "HTTPError")
        kinds = {name: type(name, (base,), {}) for name in names}
        module = types.ModuleType("requests")
        module.Session = Session
        module.exceptions = types.SimpleNamespace(RequestException=base, **kinds)
        monkeypatch.setitem(sys.modules, "requests", module)


def parsed(url, sentences=SENTENCES, **options):
    return list(CoreNlpParser(url=url, **options).parse(sentences))


def test_the_server_parses(server):
    found = parsed(server.url)
    assert [s.forms for s in found] == [s.forms for s in SENTENCES]
    assert [s.tree.words for s in found] == [s.forms for s in SENTENCES]
    assert [(s.id, s.source) for s in found] == [("a", "wire"), (None, None), ("c", None)]
    assert [t.iob for t in found[0]] == ["B-NP", "B-VP", "B-NP", "O", "B-NP", "O", "O"]
    assert found[0][4].trace == ("I-S", "I-VP", "I-NP", "I-PRN", "B-NP")
    assert all(sentence.analysed for sentence in found)


def test_what_is_asked(server):
    parsed(server.url, batch=2, model="englishSR.ser.gz")
    assert [lines for lines, _ in server.asked] == [
        ["It left Milan -LRB- Italy -RRB- .", "New_York is -LCB- big -RCB-"],
        ["Yes"],
    ]
    assert server.asked[0][1] == {
        "outputFormat": "json",
        "annotators": "tokenize,ssplit,pos,parse",
        "tokenize.whitespace": "true",
        "ssplit.eolonly": "true",
        "parse.model": "englishSR.ser.gz",
    }


def test_no_sentences_ask_nothing(server):
    assert parsed(server.url, []) == []
    assert server.asked == []


def test_no_server():
    made = Server()
    url = made.url
    made.server_close()
    told = f"parser corenlp: {url}: no CoreNLP server answers: start one in the folder of CoreNLP: "
    with pytest.raises(InputError, match=told):
        parsed(url)


def test_no_answer_within_the_time(server):
    def slow(_):
        time.sleep(1)
        return 200, "{}"

    server.behave = slow
    told = (
        r"no answer within 0\.2 seconds, from sentence 1 \(a\) on: give it more time with timeout="
    )
    with pytest.raises(InputError, match=told):
        parsed(server.url, timeout=0.2)


def without_parse(lines):
    made = answer(lines)
    for sentence in made["sentences"]:
        del sentence["parse"]
    return made


def other_words(lines):
    made = answer(lines)
    made["sentences"][0]["parse"] = made["sentences"][0]["parse"].replace("Milan", "Rome")
    return made


@pytest.mark.parametrize(
    ("status", "behave", "told"),
    [
        (
            500,
            lambda _: "CoreNLP request timed out.\nToo long.",
            r"refused .* from sentence 1 \(a\)",
        ),
        (200, lambda _: "<html>It works!</html>", "the answer is not that of a CoreNLP server"),
        (200, lambda _: "[]", "0 sentences in the answer, 0 of them with a tree, for 3 from sent"),
        (200, lambda _: '{"sentences": [1]}', "1 sentence in the answer, 0 of them with a tree"),
        (200, lambda lines: json.dumps(answer(lines[:2])), "2 sentences in .*, 2 .* for 3 from"),
        (200, lambda lines: json.dumps(without_parse(lines)), "3 sentences in the answer, 0 of"),
        (200, lambda lines: json.dumps(other_words(lines)), r"1 \(a\): word 3 is 'Milan' in the"),
    ],
)
def test_an_answer_of_another_kind_is_told(server, status, behave, told):
    server.behave = lambda lines: (status, behave(lines))
    with pytest.raises(InputError, match=told) as error:
        parsed(server.url)
    assert "\n" not in str(error.value)
    assert server.url in str(error.value)


def test_options_are_checked():
    with pytest.raises(OptionError, match="url is 'localhost:9000': want the address of a server"):
        CoreNlpParser(url="localhost:9000")
    with pytest.raises(OptionError, match="timeout is 0"):
        CoreNlpParser(timeout=0)
    with pytest.raises(OptionError, match="batch is 0"):
        CoreNlpParser(batch=0)
