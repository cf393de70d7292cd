"""The server of the workbench: who is let in, what changes, what others see, hostile requests."""

from __future__ import annotations

import base64
import contextlib
import io
import json
import os
import re
import socket
import threading
import time
import zipfile
from urllib.parse import quote, unquote

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from bitext.errors import InputError, by_options
from bitext.workbench.access import HEADERS, Access, read_passwords
from bitext.workbench.bench import Bench
from bitext.workbench.changes import Bead
from bitext.workbench.project import Project
from bitext.workbench.server import Patience, link, listen, serve

from .conftest import (
    ORIGIN,
    PORT,
    WRITE,
    access_of_anna,
    add_document,
    client_of,
    project_in,
    writing_client,
)

ROUTES = [
    ("GET", "/"),
    ("GET", "/assets/editor.js"),
    ("GET", "/api/project"),
    ("GET", "/api/formats"),
    ("GET", "/api/agreement"),
    ("POST", "/api/import"),
    ("GET", "/api/alignments/2"),
    ("POST", "/api/alignments/2/changes"),
    ("POST", "/api/alignments/2/undo"),
    ("POST", "/api/alignments/2/redo"),
    ("POST", "/api/alignments/2/lock"),
    ("DELETE", "/api/alignments/2/lock"),
    ("POST", "/api/alignments/2/copy"),
    ("POST", "/api/alignments/2/compose"),
    ("POST", "/api/alignments/2/realign"),
    ("POST", "/api/alignments/2/link"),
    ("GET", "/api/alignments/2/events"),
    ("GET", "/api/alignments/2/export?format=tsv"),
    ("GET", "/api/alignments/2/history"),
    ("DELETE", "/api/jobs/x"),
]
WRITES = [route for route in ROUTES if route[0] != "GET"]


def state(client, number=2):
    return client.get(f"/api/alignments/{number}").json()


def confirmed(client, k=0, number=2, **more):
    """Confirm a bead as the page does."""
    now = state(client, number)
    bead = now["beads"][k]
    splice = {"list": "beads", "at": k, "remove": [bead], "insert": [{**bead, **more}]}
    if not more:
        splice["insert"][0] = {**bead, "state": "confirmed"}
    body = {"version": now["alignment"]["version"], "name": "confirm", "splices": [splice]}
    return client.post(f"/api/alignments/{number}/changes", json=body)


# Who is let in


@pytest.fixture(scope="module")
def unchanged(tmp_path_factory):
    """A project and its bench, of the tests whose requests are refused: it stays as it is."""
    with project_in(tmp_path_factory.mktemp("unchanged")) as project:
        before = project.counts(), len(project.alignments())
        bench = Bench(project)
        yield bench
        bench.close()
        assert (project.counts(), len(project.alignments())) == before
        assert project.locks() == {}


@pytest.fixture(scope="module")
def let_in(unchanged):
    """A client with a session of the project that stays as it is."""
    return writing_client(unchanged, access_of_anna())


def test_the_link_gives_a_cookie_that_scripts_and_other_sites_do_not_get(stranger, access):
    answer = stranger.get("/", params={"token": access.token})
    assert answer.status_code == 200
    assert 'http-equiv="refresh" content="0; url=/"' in answer.text
    cookie = answer.headers["set-cookie"].lower()
    assert all(word in cookie for word in (f"bitext-{PORT}=", "httponly", "samesite=strict"))
    assert access.token not in cookie + answer.text
    assert stranger.get("/").text == "<p>page</p>"
    assert link(access, "127.0.0.1") == f"{ORIGIN}/?token={access.token}"


@pytest.mark.parametrize(("method", "path"), ROUTES)
def test_nothing_is_answered_without_a_session(unchanged, access, method, path):
    stranger = client_of(unchanged, access)
    for cookies in ({}, {f"bitext-{PORT}": "guess"}):
        stranger.cookies = cookies
        answer = stranger.request(
            method, path, headers={**WRITE, "Content-Type": "application/json"}
        )
        assert answer.status_code == 401
        assert answer.json() == {"error": "no session: open the link that bitext edit has printed"}


@pytest.mark.parametrize("token", ["", "x", "é"])
def test_a_wrong_token_gives_no_session(stranger, token):
    answer = stranger.get("/", params={"token": token})
    assert answer.status_code == 401
    assert "set-cookie" not in answer.headers


@pytest.mark.parametrize("path", ["/", "/api/project"])
@pytest.mark.parametrize(
    "host", ["evil.example", "evil.example:8765", "127.0.0.1:9", "127.0.0.1", "[::1]:8765", ""]
)
def test_another_host_is_refused(let_in, host, path):
    answer = let_in.get(path, headers={"Host": host})
    assert (answer.status_code, answer.json()) == (
        403,
        {"error": "this name is none of the server"},
    )


@pytest.mark.parametrize(("method", "path"), WRITES)
@pytest.mark.parametrize(
    ("headers", "told"),
    [
        ({"Origin": "http://evil.example"}, "the request comes from another origin"),
        ({"Origin": f"http://127.0.0.1:{PORT + 1}"}, "the request comes from another origin"),
        ({"Origin": "null"}, "the request comes from another origin"),
        ({"Origin": "http://[x"}, "the request comes from another origin"),
        ({"Sec-Fetch-Site": "cross-site"}, "the request comes from another site"),
        ({"Sec-Fetch-Site": "same-site"}, "the request comes from another site"),
        ({"X-Bitext": "0"}, "a write has the header X-Bitext: 1"),
        ({"Content-Type": "text/plain"}, "a write is JSON (Content-Type: application/json)"),
        (
            {"Content-Type": "application/x-www-form-urlencoded"},
            "a write is JSON (Content-Type: application/json)",
        ),
    ],
)
def test_a_write_that_another_site_may_have_caused_is_refused(
    let_in, unchanged, method, path, headers, told
):
    answer = let_in.request(
        method, path, content="{}", headers={"Content-Type": "application/json", **headers}
    )
    assert (answer.status_code, answer.json()) == (403, {"error": told})
    assert unchanged.project.locks() == {}


def test_a_write_without_an_origin_is_refused(stranger, access):
    stranger.get("/", params={"token": access.token})
    answer = stranger.post("/api/alignments/2/lock", json={}, headers={"X-Bitext": "1"})
    assert (answer.status_code, answer.json()["error"]) == (
        403,
        "the request comes from another origin",
    )


def test_every_answer_has_the_headers_that_let_nothing_else_run(client):
    for path in (
        "/",
        "/assets/editor.js",
        "/assets/no",
        "/api/project",
        "/no",
        "/api/alignments/9",
    ):
        answer = client.get(path)
        assert {key: answer.headers[key] for key in HEADERS} == HEADERS
        assert "server" not in answer.headers
    for wrong in ({"Host": "evil"}, {"Cookie": ""}):
        answer = client.get("/", headers=wrong)
        assert {key: answer.headers[key] for key in HEADERS} == HEADERS
    assert "unsafe" not in HEADERS["Content-Security-Policy"]


def test_annotators_log_in_with_passwords(bench):
    access = Access("", hosts=set(), port=PORT, passwords={"anna": "x" * 8, "bea": "y" * 8})
    client = client_of(bench, access)
    assert link(access, "10.0.0.1") == f"http://10.0.0.1:{PORT}/"
    assert client.get("/").headers["location"] == "/login"
    assert 'name="password"' in client.get("/login").text
    assert client.get("/assets/page.css").status_code == 200
    assert client.get("/assets/editor.js").status_code == 401
    assert client.get("/", params={"token": "None"}).status_code == 401
    form = {"annotator": "anna", "password": "x" * 8}
    assert client.post("/login", data=form).status_code == 403  # without an origin
    assert client.post("/login", data=form, headers={"Origin": ORIGIN}).status_code == 303
    assert client.get("/api/project").json()["annotator"] == "anna"
    wrong = {"annotator": "anna", "password": "<b>"}
    for _ in range(10):
        answer = client.post("/login", data=wrong, headers={"Origin": ORIGIN})
        assert (answer.status_code, "wrong" in answer.text) == (401, True)
    answer = client.post("/login", data=form, headers={"Origin": ORIGIN})
    assert (answer.status_code, "wait a minute" in answer.text) == (429, True)


@pytest.mark.parametrize(
    ("content", "mode", "told"),
    [
        ("anna:secret-word\n", 0o644, r": others can read it: chmod 600"),
        ("anna:short\n", 0o600, r" line 1: want NAME:PASSWORD, with a password of 8"),
        ("\n# x\nanna\n", 0o600, r" line 3: want NAME:PASSWORD"),
        (":secret-word\n", 0o600, r" line 1: the name of an annotator"),
        ("a:secret-word\na:secret-word\n", 0o600, r" line 2: a stands there twice"),
        ("", 0o600, r": holds no password"),
    ],
)
def test_a_file_of_passwords_with_a_fault_is_refused_by_its_line(tmp_path, content, mode, told):
    path = tmp_path / "passwords"
    path.write_text(content, encoding="utf-8")
    path.chmod(mode)
    with pytest.raises(InputError, match=told) as caught:
        read_passwords(str(path))
    assert "secret" not in str(caught.value)
    path.chmod(0o600)
    path.write_text("\ufeffanna: with:colon\n", encoding="utf-8")
    assert read_passwords(str(path)) == {"anna": " with:colon"}


# Changes


def test_of_rows_that_the_version_tells_their_number_is_enough(client):
    rows = state(client)["beads"]
    splice = {"list": "beads", "at": 1, "count": 2, "insert": [rows[2], rows[1]]}
    body = {"version": 0, "name": "exchange", "splices": [splice]}
    path = "/api/alignments/2/changes"
    number = "count: want a number of rows, and the version"
    for tried, status, message in (
        ({**body, "version": None}, 400, number),
        ({**body, "splices": [{**splice, "count": True}]}, 400, number),
        ({**body, "splices": [{**splice, "count": 99}]}, 409, "there are no 99 rows at 1"),
        ({**body, "splices": [{**splice, "list": "segments"}]}, 400, "want rows with exactly"),
        ({**body, "splices": [splice, splice]}, 400, "want an object with list, at, remove"),
    ):
        answer = client.post(path, json=tried)
        assert answer.status_code == status
        assert message in answer.json()["error"]
    assert client.post(path, json=body).json() == {"version": 1}
    assert state(client)["beads"] == [rows[0], rows[2], rows[1], *rows[3:]]
    answer = client.post(path, json=body)
    assert (answer.status_code, answer.json()["version"]) == (409, 1)
    (change,) = answer.json()["changes"]
    assert [each["id"] for each in change["splices"][0]["remove"]] == [rows[1]["id"], rows[2]["id"]]
    # Who names the change that is taken back need not be told its rows.
    undo = "/api/alignments/2/undo"
    answer = client.post(undo, json={"version": 1, "of": 7})
    assert answer.json() == {"error": "another change is the next to undo"}
    answer = client.post(undo, json={"version": 1, "of": 1, "page": "mine"})
    assert answer.json() == {"version": 2, "places": [["beads", 1, 2, 2]]}
    assert state(client)["beads"] == rows
    assert client.post(undo, json={"of": "1"}).json() == {"error": "of: want a number, or null"}


def test_a_change_is_made_undone_and_done_again(client):
    assert confirmed(client).json() == {"version": 1}
    now = state(client)
    assert now["beads"][0]["state"] == "confirmed"
    assert now["alignment"]["locked_by"] == "anna"
    undone = client.post("/api/alignments/2/undo", json={"version": 1}).json()
    assert (undone["version"], undone["kind"], undone["name"]) == (2, "undo", "confirm")
    assert undone["splices"][0]["insert"][0]["state"] == "proposed"
    assert client.post("/api/alignments/2/redo", json={}).json()["version"] == 3
    answer = client.post("/api/alignments/2/redo", json={})
    assert (answer.status_code, answer.json()) == (409, {"error": "nothing to redo"})
    history = client.get("/api/alignments/2/history?limit=2").json()["changes"]
    assert [(each["version"], each["kind"]) for each in history] == [(3, "redo"), (2, "undo")]
    found = client.get("/api/project").json()
    assert found["alignments"] == [
        {
            "id": 2,
            "name": "de-en",
            "annotator": "anna",
            "document": 1,
            "texts": [1, 2],
            "beads": 7,
            "confirmed": 1,
            "doubtful": 0,
            "locked_by": "anna",
            "linked": 0,
            "words": 0,
        }
    ]
    assert found["documents"] == [{"id": 1, "name": "de-en", "kind": "alignment"}]


def test_a_change_on_an_old_version_is_told_what_came_between(client):
    confirmed(client)
    stale = {"version": 0, "name": "x", "splices": []}
    answer = client.post("/api/alignments/2/changes", json=stale)
    assert answer.status_code == 409
    told = answer.json()
    assert (told["version"], [each["name"] for each in told["changes"]]) == (1, ["confirm"])
    assert told["changes"][0]["splices"][0]["list"] == "beads"


def test_a_change_for_which_the_disk_has_no_room_is_one_to_send_again(client):
    resource = pytest.importorskip("resource")
    limits = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (1, limits[1]))
    try:
        answer = confirmed(client)
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, limits)
    assert answer.status_code == 503
    assert "a.bitext: cannot be used" in answer.json()["error"]
    assert confirmed(client).json() == {"version": 1}


@pytest.mark.skipif(os.name == "nt", reason="Windows deletes no file that is open")
def test_a_server_whose_project_was_moved_ends_as_others(client, bench, project):
    assert client.post("/api/alignments/2/lock", json={}).status_code == 200
    project.path.rename(project.path.with_suffix(".moved"))
    bench.close()
    project.path.with_suffix(".moved").rename(project.path)
    assert project.locks()
    bench.close()
    assert not project.locks()


@pytest.mark.skipif(os.name == "nt", reason="Windows deletes no file that is open")
def test_a_change_of_a_project_that_was_deleted_is_one_to_send_again(client, project):
    project.path.rename(project.path.with_suffix(".moved"))
    answer = confirmed(client)
    assert (answer.status_code, "was moved" in answer.json()["error"]) == (503, True)
    project.path.with_suffix(".moved").rename(project.path)
    assert confirmed(client).json() == {"version": 1}


def test_a_link_that_is_opened_again_does_not_lock_its_annotator_out(client, access):
    assert confirmed(client).json() == {"version": 1}
    assert client.get("/", params={"token": access.token}).status_code == 200
    assert confirmed(client, 1).json() == {"version": 2}
    client.get("/", params={"token": access.token, "annotator": "bea"})
    assert confirmed(client, 2).status_code == 423


def test_a_page_of_another_project_or_annotator_changes_nothing(client, access, bench, tmp_path):
    mark = client.get("/api/project").headers["x-bitext-page"]
    assert client.get("/api/alignments/2").headers["x-bitext-page"] == mark
    client.headers["x-bitext-page"] = mark
    assert confirmed(client).json() == {"version": 1}
    (tmp_path / "other").mkdir()
    with project_in(tmp_path / "other") as second:
        for benches in (Bench(second), [bench, Bench(second)]):  # as if served at the same port
            other = client_of(benches, access)
            other.cookies, other.headers = client.cookies, client.headers
            for method, path in ROUTES[2:]:
                answer = other.request(method, path, json=None if method == "GET" else {})
                assert (answer.status_code, "another project" in answer.text) == (503, True)
        events = f"/api/alignments/2/events?mark={mark}"
        del other.headers["x-bitext-page"]
        assert other.get(f"/projects/2{events}").status_code == 503
        assert other.head(f"/projects/1{events}").status_code == 200
        assert second.locks() == {}
        assert second.rows(2)[0].version == 0
    assert Bench(bench.project).identity() == bench.identity()  # of the server that follows
    client.get("/", params={"token": access.token, "annotator": "bea"})
    bench.project.unlock_all("")
    assert client.get("/api/project").status_code == 503
    del client.headers["x-bitext-page"]
    assert client.get("/api/project").headers["x-bitext-page"] != mark


def test_another_annotator_looks_on_and_has_an_alignment_of_her_own(client, bea):
    assert client.post("/api/alignments/2/lock", json={}).json()["locked_by"] == "anna"
    answer = confirmed(bea)
    assert (answer.status_code, answer.json()) == (
        423,
        {"error": "anna is editing this alignment", "locked_by": "anna"},
    )
    assert state(bea)["alignment"]["locked_by"] == "anna"
    own = bea.post("/api/alignments/2/copy", json={}).json()["id"]
    assert bea.post("/api/alignments/2/copy", json={}).json()["id"] == own
    assert confirmed(bea, 1, own).status_code == 200
    assert state(bea, own)["alignment"]["annotator"] == "bea"
    client.request("DELETE", "/api/alignments/2/lock", json={})
    assert confirmed(bea).status_code == 200


@pytest.mark.parametrize(
    ("body", "status", "told"),
    [
        ("", 400, "splices: want a list"),
        ("[]", 400, "the body is no object"),
        ("{", 400, "the body is no JSON"),
        ("\xff", 400, "the body is no JSON"),
        ("[" * 100_000, 400, "the body is no JSON"),
        ('{"version": NaN}', 400, "the body is no JSON"),
        ("{" + '"a": 1' + "0" * 5000 + "}", 400, "the body is no JSON"),
        ('{"version": true}', 400, "version: want a number"),
        ('{"version": 1e999}', 400, "version: want a number"),
        ('{"name": "", "splices": []}', 400, "name: want 1 to 100"),
        ('{"name": "a\\u0000", "splices": []}', 400, "name: want 1 to 100"),
        ('{"splices": [{"list": "beads"}]}', 400, "splice 0: want an object"),
    ],
)
def test_a_body_that_is_no_change_is_refused_in_one_line(client, body, status, told):
    headers = {"Content-Type": "application/json"}
    answer = client.post(
        "/api/alignments/2/changes", content=body.encode("latin-1"), headers=headers
    )
    assert answer.status_code == status
    assert answer.json()["error"].startswith(told)


def test_a_body_that_is_too_large_is_refused_without_being_held(client):
    sent = 0

    def parts():
        nonlocal sent
        for _ in range(200):
            sent += 1 << 20
            yield b" " * (1 << 20)

    headers = {"Content-Type": "application/json"}
    answer = client.post("/api/alignments/2/changes", content=parts(), headers=headers)
    assert (answer.status_code, answer.json()["error"]) == (
        413,
        "the request is larger than 32 MB",
    )


@pytest.mark.parametrize("path", ["/api/alignments/99", f"/api/alignments/{10**30}"])
def test_what_is_not_there_is_404(client, path):
    assert client.get(path).status_code == 404
    assert client.post(f"{path}/undo", json={}).status_code == 404
    assert client.get("/api/jobs/x").status_code == 405
    assert client.request("DELETE", "/api/jobs/x", json={}).status_code == 404
    assert client.get("/login").status_code == 404


@pytest.mark.parametrize("name", ["../project.py", "..%2fproject.py", "%00", "no.js", "a" * 5000])
def test_only_parts_of_the_page_are_sent(client, name):
    assert client.get(f"/assets/{name}").status_code == 404


# Files


def sent(client, *files, **more):
    spelled = [
        {"name": name, "content": base64.b64encode(content.encode()).decode(), **role}
        for name, content, role in files
    ]
    return client.post("/api/import", json={"files": spelled, **more})


def test_a_file_comes_in_and_goes_out_the_same_twice(client):
    table = "src\ttgt\tscore\nIt rained.\tIl pleuvait.\t0.5\n\tSeul.\t0.25\n"
    answer = sent(client, ("C:\\x\\../mill.tsv", table, {})).json()
    (number,) = answer["alignments"]
    assert state(client, number)["alignment"]["name"] == "mill"
    first, second = (client.get(f"/api/alignments/{number}/export?format=tsv") for _ in range(2))
    assert first.content == second.content == table.encode()
    assert first.headers["content-disposition"] == "attachment; filename*=UTF-8''mill.tsv"
    zipped = [client.get(f"/api/alignments/{number}/export?format=moses") for _ in range(2)]
    assert zipped[0].content == zipped[1].content
    assert zipped[0].headers["content-disposition"].endswith("mill.zip")
    lost = json.loads(unquote(zipped[0].headers["X-Bitext-Losses"]))
    assert any("scores" in each for each in lost)


def test_positions_come_with_their_texts(client):
    answer = sent(
        client,
        ("gold.vecalign", "[0]:[0]:0.1\n[1]:[1, 2]:0.2\n", {}),
        ("a.en", "One.\nTwo.\n", {"role": "src"}),
        ("a.fr", "Un.\nDeux.\nTrois.\n", {"role": "tgt"}),
    )
    (number,) = answer.json()["alignments"]
    assert [bead["target"] for bead in state(client, number)["beads"]] == [["t1"], ["t2", "t3"]]


DOCUMENT = '{{"src": ["0"], "tgt": ["0"], "src_text": "{}", "tgt_text": "b", "document": "{}"}}\n'


@pytest.mark.parametrize(
    ("files", "told"),
    [
        ([], "0 files were sent: want 1 to 16"),
        ([("x.tmx", "<tmx><body></tmx>", {})], "x.tmx line 1"),
        ([("x.vecalign", "[0]:[0]:0.1\n", {})], "x: the source text is not known"),
        (
            [("a.tsv", f"src\ttgt\n{'x' * 1_000_001}\tb\n", {})],
            "a: source: text is no string of 0 to 1,000,000 characters",
        ),
        (  # the second document is refused, and the first one with it
            [("a.jsonl", DOCUMENT.format("a", "x") + DOCUMENT.format("a" * 1_000_001, "y"), {})],
            "y: source: text is no string of 0 to 1,000,000 characters",
        ),
        ([("a.tsv", "a\tb\n", {}), ("a.tsv", "a\tb\n", {})], "two files have the name a.tsv"),
        ([("m", "src\ttgt\n/etc/passwd\t/etc/passwd\n", {}), ("n", "", {}), ("o", "", {})], "want"),
        (
            [("x.tmx", '<!DOCTYPE t [<!ENTITY a SYSTEM "/etc/passwd">]><tmx>&a;</tmx>', {})],
            "x.tmx line 1",
        ),
        ([("list.tsv", "path\n/etc/passwd\n", {})], "list.tsv"),
    ],
)
def test_a_file_that_is_none_is_refused_in_one_line_without_a_path(client, files, told):
    before = client.get("/api/project").json()
    answer = sent(client, *files)
    assert answer.status_code == 400
    error = answer.json()["error"]
    assert error.startswith(told)
    assert "root:" not in error
    assert "/tmp" not in error
    assert "bitext-" not in error
    assert "--" not in error.replace("-- of bitext edit", "")
    assert client.get("/api/project").json() == before


@pytest.mark.parametrize(
    ("files", "told"),
    [
        ([("a.x", "some words\nand more\n", {})], "format"),
        ([("a.jsonl", '{"src": [0], "tgt": [0]}\n', {})], "a file as source text"),
    ],
)
def test_what_helps_is_named_as_the_page_calls_it(client, files, told):
    for options in (contextlib.nullcontext(), by_options(on="edit")):
        with options:
            error = sent(client, *files).json()["error"]
        assert told in error
        assert "--" not in error
        assert "=" not in error


@pytest.mark.parametrize("way", ["{}", "file://{}", "../{}", "../../../../../..{}", "memory:{}"])
def test_a_file_that_was_sent_reads_no_other_file_of_the_machine(client, tmp_path, way):
    secret = tmp_path / "secret.xml"
    secret.write_text("<text><s id='1'>Secret</s></text>", encoding="utf-8")
    links = (
        f"<?xml version='1.0'?><cesAlign version='1.0'><linkGrp fromDoc='{way.format(secret)}' "
        "toDoc='own.xml'><link xtargets='1;1'/></linkGrp></cesAlign>"
    )
    own = ("own.xml", "<text><s id='1'>Own</s></text>", {"role": "document"})
    answer = sent(client, ("a.xces", links, {}), own)
    assert answer.status_code == 400
    assert "the source text is not known" in answer.json()["error"]
    assert sent(
        client, ("a.xces", links.replace(way.format(secret), "own.xml"), {}), own
    ).is_success


@pytest.mark.parametrize(
    "body",
    [
        {},
        {"files": {}},
        {"files": [1]},
        {"files": [{"name": 1, "content": ""}]},
        {"files": [{"name": "a", "content": "*"}]},
        {"files": [{"name": "a", "content": "", "role": "x"}]},
        {"files": [], "format": 1},
        {"files": [{"name": "a.tsv", "content": "YQli"}], "format": "nosuch"},
    ],
)
def test_an_import_of_another_form_is_refused(client, body):
    answer = client.post("/api/import", json=body)
    assert (answer.status_code, set(answer.json())) == (400, {"error"})


def test_an_export_of_a_format_that_is_not_written_is_refused(client):
    for form in ("", "nosuch", "ttx", "pharaoh"):
        answer = client.get("/api/alignments/2/export", params={"format": form})
        assert (answer.status_code, set(answer.json())) == (400, {"error"})


INTERTEXT = """<?xml version='1.0' encoding='utf-8'?>
<linkGrp toDoc='mill.fr.xml' fromDoc='mill.en.xml'>
<link type='1-1' xtargets='1:1;1:1' status='man'/>
<link type='2-1' xtargets='1:2 1:3;1:2' status='auto'/>
</linkGrp>
"""


def test_files_of_intertext_come_back_with_their_status(client):
    def document(*sentences):
        rows = "".join(f'<s id="1:{k}">{each}</s>' for k, each in enumerate(sentences, 1))
        return f'<?xml version="1.0"?><text><p id="1">{rows}</p></text>'

    answer = sent(
        client,
        ("mill.xml", INTERTEXT, {}),
        ("mill.en.xml", document("One.", "Two."), {"role": "document"}),
        ("mill.fr.xml", document("Un.", "Deux.", "Trois."), {"role": "document"}),
    )
    (number,) = answer.json()["alignments"]
    beads = state(client, number)["beads"]
    assert [bead["state"] for bead in beads] == ["confirmed", "proposed"]
    assert (beads[1]["source"], beads[1]["target"]) == (["1:2"], ["1:2", "1:3"])
    confirmed(client, 1, number)
    written = client.get(f"/api/alignments/{number}/export?format=xces").text
    assert written.count('status="man"') == 2


def test_the_three_files_of_intertext_come_back_as_they_were(client):
    confirmed(client, 1)
    confirmed(client, 2, comment="x", state="confirmed", source=["s2", "s4"])
    first = client.get("/api/alignments/2/export?format=intertext")
    assert first.content == client.get("/api/alignments/2/export?format=intertext").content
    assert "intertext" in client.get("/api/formats").json()["write"]
    with zipfile.ZipFile(io.BytesIO(first.content)) as archive:
        names = ["de-en.source.xml", "de-en.target.xml", "de-en.source.target.xml"]
        assert archive.namelist() == names
        held = {name: archive.read(name) for name in names}
    assert b'<linkGrp toDoc="de-en.target.xml" fromDoc="de-en.source.xml">' in held[names[2]]
    assert b"<link type='1-2' xtargets=\"t2;s2 s4\" status='man'/>" in held[names[2]]
    roles = ({"role": "document"}, {"role": "document"}, {})
    files = [(name, held[name].decode(), role) for name, role in zip(names, roles, strict=True)]
    answer = sent(client, files[2], *files[:2]).json()
    (number,) = answer["alignments"]
    one, two = (state(client, each) for each in (2, number))
    for side in ("source", "target"):
        assert two[side]["sentences"] == one[side]["sentences"]
    kept = ("source", "target", "state")
    beads = [[[bead[key] for key in kept] for bead in each["beads"]] for each in (one, two)]
    assert beads[0] == beads[1]


def test_ids_and_characters_that_intertext_cannot_have(client):
    table = "src\ttgt\nIt <rained> & 'so'.\tIl pleuvait.\n"
    (number,) = sent(client, ("a.tsv", table, {})).json()["alignments"]
    written = client.get(f"/api/alignments/{number}/export?format=intertext").content
    with zipfile.ZipFile(io.BytesIO(written)) as archive:
        assert "It &lt;rained&gt; &amp; 'so'." in archive.read("a.source.xml").decode()
    now = state(client, number)
    row = now["source"]["sentences"][0]
    splice = {"list": "source", "at": 0, "remove": [row], "insert": [{**row, "text": "\x01"}]}
    client.post(f"/api/alignments/{number}/changes", json={"name": "x", "splices": [splice]})
    answer = client.get(f"/api/alignments/{number}/export?format=intertext")
    assert (answer.status_code, "XML forbids" in answer.json()["error"]) == (400, True)


def test_two_texts_are_aligned_through_a_third(client, project):
    rows = project.rows(2)[1]
    info = project.info(1)
    third = project.add_text("third", "zz", [row._replace(id=f"u{k}")
                                             for k, row in enumerate(rows["target"])])  # fmt: skip
    beads = [Bead(f"b{k}", (row.id,), (f"u{k}",)) for k, row in enumerate(rows["target"])]
    two = [Bead("m", ("t0", "t1"), ("u0", "u1")), *beads[2:]]
    through = project.assign(project.add_document("de-zz", info.target, third, two), "anna")
    answer = client.post("/api/alignments/2/compose", json={"with": through}).json()
    made = state(client, answer["id"])
    assert (made["source"]["id"], made["target"]["id"]) == (info.source, third)
    assert [(bead["source"], bead["target"]) for bead in made["beads"][:2]] == [
        (["s0", "s1"], ["u0", "u1"]),
        (["s2"], ["u2"]),
    ]
    client.post("/api/alignments/2/compose", json={"with": through})  # by another name
    names = [each["name"] for each in client.get("/api/project").json()["documents"]]
    assert names == ["de-en", "de-zz", "source-third", "source-third-2"]
    for wrong in ({"with": 2}, {"with": "2"}, {}, {"with": 10**30}):
        assert client.post("/api/alignments/2/compose", json=wrong).status_code == 400
    assert client.post("/api/alignments/2/compose", json={"with": 99}).status_code == 404


# What others see, and work in the background


@pytest.fixture
def running(bench):
    """A server of its own thread, and a client with a session."""
    yield from run_server(bench)


@pytest.fixture
def running_several(bench, tmp_path):
    """The same with two projects."""
    with Project.create(tmp_path / "b.bitext", "b", durable=False) as second:
        add_document(second)
        second.assign(1, "anna")
        yield from run_server([bench, Bench(second)])


def run_server(bench, **options):
    import httpx2

    listening = listen("127.0.0.1", 0)
    port = listening.getsockname()[1]
    access = Access("anna", hosts={"127.0.0.1"}, port=port)
    begun = threading.Event()
    held = []

    def run():
        serve(bench, access, listening, ready=begun.set, stop=held.append, **options)

    thread = threading.Thread(target=run, daemon=True)
    thread.start()
    assert begun.wait(20)
    origin = f"http://127.0.0.1:{port}"
    with httpx2.Client(base_url=origin, timeout=20, trust_env=False) as client:
        client.get("/", params={"token": access.token})
        client.headers.update({"X-Bitext": "1", "Origin": origin})
        client.token = access.token
        yield client
    held[0]()
    thread.join(20)
    assert not thread.is_alive()


def events(client, number, since=0):
    """Yield the events of a stream as pairs of kind and data."""
    with client.stream(
        "GET", f"/api/alignments/{number}/events", params={"since": since}
    ) as answer:
        assert answer.headers["content-type"].startswith("text/event-stream")
        kind = ""
        for line in answer.iter_lines():
            if line.startswith("event: "):
                kind = line[7:]
            elif line.startswith("data: "):
                yield kind, json.loads(line[6:])


def test_changes_locks_and_realignments_are_told_as_they_happen(running, project):
    confirmed(running)
    told = events(running, 2)
    assert next(told) == ("lock", {"locked_by": "anna", "mine": True})
    kind, change = next(told)
    assert (kind, change["version"], change["name"]) == ("change", 1, "confirm")
    confirmed(running, 1)
    kind, change = next(told)
    assert (kind, change["version"], change["annotator"]) == ("change", 2, "anna")
    # What another process does is seen, too.
    with Project(project.path) as other:
        other.undo(2, annotator="bea")
    kind, change = next(told)
    assert (kind, change["kind"], change["annotator"]) == ("change", "undo", "bea")
    answer = running.post("/api/alignments/2/realign", json={"version": 3, "from": "b1"})
    job = answer.json()["job"]
    seen = []
    for kind, data in told:
        seen.append((kind, data))
        if kind == "job" and data["state"] != "running":
            break
    assert seen[-1][1]["state"] == "done"
    assert {data["job"] for kind, data in seen if kind == "job"} == {job}
    changes = [data for kind, data in seen if kind == "change"]
    assert [each["name"] for each in changes] == ["realign"]
    now = state(running)
    assert now["beads"][0]["state"] == "confirmed"
    assert all(bead["probability"] is not None for bead in now["beads"][1:])
    told.close()


def test_word_links_are_proposed_and_undone(running):
    before = state(running)
    assert before["source"]["words"] == before["target"]["words"] == "words-1"
    told = events(running, 2)
    job = running.post("/api/alignments/2/link", json={"version": before["alignment"]["version"]})
    seen = []
    for kind, data in told:
        seen.append((kind, data))
        if kind == "job" and data["state"] != "running":
            break
    told.close()
    assert (seen[-1][1]["job"], seen[-1][1]["state"]) == (job.json()["job"], "done")
    (change,) = [data for kind, data in seen if kind == "change"]
    assert change["name"] == "propose word links"
    now = state(running)["beads"]
    assert {link[4] for bead in now for link in bead["words"]} == {"proposed"}
    assert [{**bead, "words": []} for bead in now] == before["beads"]
    assert running.post("/api/alignments/2/link", json={"version": 0}).status_code == 409
    assert running.post("/api/alignments/2/undo", json={}).status_code == 200
    assert state(running)["beads"] == before["beads"]


def test_a_realignment_is_cancelled_at_once_and_changes_nothing(running):
    before = state(running)
    job = running.post("/api/alignments/2/realign", json={}).json()["job"]
    begun = time.monotonic()
    answer = running.request("DELETE", f"/api/jobs/{job}", json={})
    assert (answer.status_code, answer.json()["state"]) == (200, "cancelled")
    assert time.monotonic() - begun < 5
    assert state(running)["beads"] == before["beads"]
    assert running.request("DELETE", f"/api/jobs/{job}", json={}).json()["state"] == "cancelled"


@pytest.mark.parametrize("body", [{"from": "b9"}, {"from": 1}, {"from": "b2", "to": "b1"}])
def test_a_stretch_that_is_none_is_not_realigned(client, body):
    answer = client.post("/api/alignments/2/realign", json=body)
    assert (answer.status_code, set(answer.json())) == (400, {"error"})
    assert client.post("/api/alignments/2/realign", json={"version": 7}).status_code == 409


def test_an_address_that_is_taken_is_named():
    with listen("127.0.0.1", 0) as taken:
        port = taken.getsockname()[1]
        with pytest.raises(InputError, match=f"127.0.0.1 port {port}: Address already in use"):
            listen("127.0.0.1", port)
    assert isinstance(taken, socket.socket)


def test_an_answer_does_not_wait_for_the_acknowledgement_of_its_head():
    with listen("127.0.0.1", 0) as listening, socket.create_connection(listening.getsockname()):
        accepted, _ = listening.accept()
        accepted.close()
    # By this asyncio knows that the connection is one of TCP, and turns Nagle's algorithm off.
    assert accepted.proto == socket.IPPROTO_TCP


CODES = (
    '<?xml version="1.0"?>\n<tmx version="1.4"><header srclang="en"/><body>'
    '<tu tuid="1"><tuv xml:lang="en"><seg>A <bpt i="1">&lt;b&gt;</bpt>ferry<ept i="1">&lt;/b&gt;'
    '</ept> came.</seg></tuv><tuv xml:lang="fr"><seg>Un <ph x="1">{1}</ph>bac vint.</seg></tuv>'
    "</tu>"
    '<tu tuid="2"><tuv xml:lang="en"><seg>It <it pos="begin">i</it>left.</seg></tuv>'
    '<tuv xml:lang="fr"><seg>Il partit.</seg></tuv></tu></body></tmx>'
)
XLIFF = (
    '<xliff version="1.2" xmlns="urn:oasis:names:tc:xliff:document:1.2"><file original="a" '
    'source-language="en" target-language="fr" datatype="x"><body><trans-unit id="1"><source>A '
    '<g id="1">ferry</g> came.</source><target>Un <g id="1">bac</g> vint.</target></trans-unit>'
    "</body></file></xliff>"
)
CUES = "1\n00:00:01,500 --> 00:00:02,750\nThe ferry came.\nLe bac vint.\n"


def codes_of(path):
    import bitext

    read = bitext.read(str(path))
    spans = [None if text.times is None else text.times.tolist() for text in (read.src, read.tgt)]
    return [list(text.marked or []) for text in (read.src, read.tgt)], spans


@pytest.mark.parametrize(
    ("name", "content"), [("m.tmx", CODES), ("m.xliff", XLIFF), ("m.srt", CUES), ("m.vtt", CUES)]
)
def test_codes_and_times_come_back_in_the_format_of_the_file(client, tmp_path, name, content):
    if name.endswith("vtt"):
        content = "WEBVTT\n\n" + content.replace(",", ".")
    before = tmp_path / name
    before.write_text(content, encoding="utf-8")
    (number,) = sent(client, (name, content, {})).json()["alignments"]
    form = {"m.tmx": "tmx", "m.xliff": "xliff12", "m.srt": "srt", "m.vtt": "vtt"}[name]
    answer = client.get(f"/api/alignments/{number}/export", params={"format": form})
    assert answer.status_code == 200
    losses = json.loads(unquote(answer.headers.get("X-Bitext-Losses", "[]")))
    assert not [line for line in losses if "codes" in line or "times" in line]
    after = tmp_path / f"after-{name}"
    after.write_bytes(answer.content)
    assert codes_of(after) == codes_of(before)
    assert any(any(part or []) for kind in codes_of(after) for part in kind)


def test_codes_of_changed_sentences_are_lost_and_told(client, tmp_path):
    (number,) = sent(client, ("m.tmx", CODES, {})).json()["alignments"]
    now = state(client, number)
    old = now["source"]["sentences"][0]
    splice = {
        "list": "source",
        "at": 0,
        "remove": [old],
        "insert": [{**old, "text": "A boat came."}],
    }
    body = {"version": now["alignment"]["version"], "name": "correct", "splices": [splice]}
    assert client.post(f"/api/alignments/{number}/changes", json=body).status_code == 200
    answer = client.get(f"/api/alignments/{number}/export", params={"format": "tmx"})
    losses = json.loads(unquote(answer.headers["X-Bitext-Losses"]))
    told = f"changed sentences whose inline codes are not kept: 1, first m.tmx: {old['id']}"
    assert losses[0] == told
    after = tmp_path / "after.tmx"
    after.write_bytes(answer.content)
    (source, target), _ = codes_of(after)
    assert source == [None, 'It <it pos="begin">i</it>left.']
    assert target[0] == 'Un <ph x="1">{1}</ph>bac vint.'
    other = client.get(f"/api/alignments/{number}/export", params={"format": "intertext"})
    assert "inline codes" in unquote(other.headers["X-Bitext-Losses"])


# Several projects


@pytest.fixture
def several(bench, access, tmp_path):
    """A client of a server of two projects, whose alignments have the same numbers."""
    with Project.create(tmp_path / "b.bitext", "b <i>", durable=False) as second:
        add_document(second)
        second.assign(1, "anna")
        other = Bench(second)
        made = client_of([bench, other], access)
        made.get("/", params={"token": access.token})
        made.headers.update(WRITE)
        yield made
        other.close()


class At:
    """A client of one project of several."""

    def __init__(self, client, number):
        self._client, self._base = client, f"/projects/{number}"

    def __getattr__(self, name):
        act = getattr(self._client, name)
        return lambda *given, **more: act(*given[:-1], self._base + given[-1], **more)


def test_projects_are_listed_and_each_is_as_if_alone(several, project, access, bench):
    first, second = At(several, 1), At(several, 2)
    assert confirmed(second).status_code == 200
    assert state(first)["alignment"]["version"] == 0
    assert project.counts()[2] == {"proposed": 7}
    assert state(second)["beads"][0]["state"] == "confirmed"
    page = several.get("/").text
    assert "b &lt;i&gt;" in page
    assert re.findall(r'href="(/projects/[^"]+)"', page) == ["/projects/1/", "/projects/2/"]
    told = several.get("/api/projects").json()["projects"]
    assert [(each["name"], each["confirmed"], each["rows"]) for each in told] == [
        ("a", 0, 7),
        ("b <i>", 1, 7),
    ]
    assert several.get("/projects/2").headers["location"] == "/projects/2/"
    assert first.get("/").text == second.get("/").text == "<p>page</p>"
    # A lock of one project is none of the other.
    bea = client_of([bench, Bench(project)], access)
    bea.get("/", params={"token": access.token, "annotator": "bea"})
    bea.headers.update(WRITE)
    assert first.post("/api/alignments/2/lock", json={}).status_code == 200
    assert At(bea, 1).post("/api/alignments/2/lock", json={}).status_code == 423
    for path in ("/projects/3/", "/projects/0/api/project", "/projects/x/", "/api/project"):
        assert several.get(path).status_code == 404
    for path in ("/projects/1/../2/", "/projects/1//etc/passwd", "/projects/99999999999/"):
        assert several.get(path).status_code in {200, 404}


@pytest.mark.parametrize(("method", "path"), [*ROUTES, ("GET", "/projects"), ("GET", "/s")])
def test_no_project_of_several_answers_without_a_session(unchanged, access, method, path):
    stranger = client_of([unchanged, unchanged], access)
    inner = path.removeprefix("/projects").removesuffix("/s") or "/"
    for base in ("/projects/1", "/projects/2"):
        answer = stranger.request(method, f"{base}{inner}", headers=WRITE, json={})
        assert answer.status_code == 401
        strange = stranger.request(method, f"{base}{inner}", json={}, headers={"Host": "evil.com"})
        assert strange.status_code == 403
    for outer in ("/", "/api/projects"):
        assert stranger.get(outer).status_code == 401


def test_events_are_those_of_the_project(running_several):
    told = events(At(running_several, 2), 2)
    assert next(told) == ("lock", {"locked_by": None, "mine": False})
    confirmed(At(running_several, 1))
    confirmed(At(running_several, 2), 1)
    kinds = [next(told) for _ in range(2)]
    changes = [data for kind, data in kinds if kind == "change"]
    assert [each["splices"][0]["at"] for each in changes] == [1]
    told.close()


# Clients that are slow, silent or gone


@pytest.fixture
def hasty(bench):
    """A server that does not wait for long, and a client with a session."""
    yield from run_server(bench, patience=Patience(stall=0.6, slowest=1.5))


def dialled(running):
    made = socket.create_connection((running.base_url.host, running.base_url.port), timeout=20)
    cookies = "; ".join(f"{name}={value}" for name, value in running.cookies.items())
    head = f"Host: {running.base_url.netloc.decode()}\r\nCookie: {cookies}\r\n"
    return made, head


def ended(connection):
    """Return what comes until the server ends the connection; fail after the limit of a socket."""
    held = b""
    with connection:
        while True:
            try:
                part = connection.recv(1 << 16)
            except ConnectionResetError:
                return held
            if not part:
                return held
            held += part


@pytest.mark.parametrize(
    ("begun", "answer"),
    [
        ("", b""),
        ("GET /api/project HTTP/1.1\r\n{head}", b""),
        ("GET /api/project HTTP/1.1\r\n{head}\r\nGET /api/pro", b"HTTP/1.1 200"),
        ("POST /api/import HTTP/1.1\r\n{write}Content-Length: 99\r\n\r\n{{", b"HTTP/1.1 408"),
        ("POST /login HTTP/1.1\r\n{write}Content-Length: 99\r\n\r\n{{", b"HTTP/1.1 404"),
    ],
)
def test_a_request_that_does_not_end_is_ended(hasty, begun, answer):
    connection, head = dialled(hasty)
    write = f"{head}X-Bitext: 1\r\nOrigin: {str(hasty.base_url).rstrip('/')}\r\n"
    write += "Content-Type: application/json\r\n"
    connection.sendall(begun.format(head=head, write=write).encode())
    assert ended(connection).startswith(answer)
    assert hasty.get("/api/project").status_code == 200


def test_a_connection_in_use_stays_open(hasty):
    connection, head = dialled(hasty)
    request = f"HEAD /api/nothing HTTP/1.1\r\n{head}\r\n".encode()
    end = time.monotonic() + 1
    with connection:
        while time.monotonic() < end:
            connection.sendall(request)
            assert connection.recv(1 << 16).startswith(b"HTTP/1.1 404")
            time.sleep(0.05)


def test_a_body_that_drips_is_ended(hasty):
    connection, head = dialled(hasty)
    head += f"X-Bitext: 1\r\nOrigin: {str(hasty.base_url).rstrip('/')}\r\n"
    head += "Content-Type: application/json\r\nContent-Length: 1000\r\n\r\n"
    connection.sendall(f"POST /api/import HTTP/1.1\r\n{head}".encode())
    end = time.monotonic() + 15
    with contextlib.suppress(OSError):  # the server has closed it
        while time.monotonic() < end:
            connection.sendall(b" ")
            time.sleep(0.1)
    assert time.monotonic() < end
    connection.close()


@pytest.fixture
def less_hasty(bench):
    """A server that waits for a reader that a loaded machine holds up."""
    yield from run_server(bench, patience=Patience(stall=1.5, slowest=1.5))


def test_a_connection_that_is_accepted_while_the_server_ends_is_closed(served, monkeypatch):
    # The server asks open connections to end, and has not seen this one then.
    protocol = pytest.importorskip("uvicorn.protocols.http.h11_impl")
    monkeypatch.setattr(protocol.H11Protocol, "shutdown", lambda _: None)
    connection = socket.create_connection(("127.0.0.1", served.port), timeout=5)
    connection.sendall(b"GET / HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n")
    assert connection.recv(8) == b"HTTP/1.1"
    served.stop()
    ended(connection)


def test_an_answer_that_nobody_reads_is_given_up(less_hasty, bench, monkeypatch):
    monkeypatch.setattr(bench, "overview", lambda _: {"name": "x" * (24 << 20)})
    connection, head = dialled(less_hasty)
    connection.sendall(f"GET /api/project HTTP/1.1\r\n{head}\r\n".encode())
    assert connection.recv(12) == b"HTTP/1.1 200"
    time.sleep(2.5)
    assert len(ended(connection)) < 24 << 20
    # But who reads slowly gets all of it.
    connection, head = dialled(less_hasty)
    head = f"Connection: close\r\n{head}"
    connection.sendall(f"GET /api/project HTTP/1.1\r\n{head}\r\n".encode())
    read = 0
    while part := connection.recv(2 << 20):
        read += len(part)
        time.sleep(0.05)
    connection.close()
    assert read > 24 << 20


def test_an_upload_that_is_cut_off_changes_nothing_and_is_no_bug(running, project, capsys):
    before = len(project.alignments())
    for _ in range(3):
        connection, head = dialled(running)
        head += f"X-Bitext: 1\r\nOrigin: {str(running.base_url).rstrip('/')}\r\n"
        head += "Content-Type: application/json\r\nContent-Length: 100000\r\n\r\n"
        connection.sendall(f'POST /api/import HTTP/1.1\r\n{head}{{"files": ['.encode())
        connection.close()
    time.sleep(0.2)
    assert running.get("/api/project").status_code == 200
    assert len(project.alignments()) == before
    assert "Traceback" not in capsys.readouterr().err


def watched(held, client, path, count):
    """Open event streams; return the statuses."""
    return [held.enter_context(client.stream("GET", path)).status_code for _ in range(count)]


def test_more_pages_than_a_server_bears_are_refused_and_others_are_answered(running_several):
    from httpx2 import Client

    with contextlib.ExitStack() as held:
        paths = [f"/projects/{number}/api/alignments/2/events" for number in (1, 2)]
        base = str(running_several.base_url)
        # Of one person sixteen pages, whichever project they are of.
        assert watched(held, running_several, paths[0], 8) == [200] * 8
        assert watched(held, running_several, paths[1], 9) == [200] * 8 + [503]
        assert running_several.get("/api/projects").status_code == 200
        others = [held.enter_context(Client(base_url=base, trust_env=False)) for _ in range(8)]
        for k, other in enumerate(others):
            other.get("/", params={"token": running_several.token, "annotator": f"a{k}"})
            wanted = [200] * 16 if k < 7 else [503]
            assert watched(held, other, paths[k % 2], len(wanted)) == wanted
        assert confirmed(At(running_several, 1)).status_code == 200
    end = time.monotonic() + 20
    while True:
        with running_several.stream("GET", paths[0]) as again:
            if again.status_code == 200:
                break
        assert time.monotonic() < end
        time.sleep(0.1)


# Any request


@pytest.mark.parametrize("path", [path for method, path in ROUTES if method == "GET"])
def test_a_request_for_headers_alone_ends(let_in, path):
    answer = let_in.head(path)
    assert answer.status_code == 200
    if path.endswith("/events"):  # those of a stream, which goes on as long as someone reads
        assert answer.headers["content-type"].startswith("text/event-stream")
        assert answer.content == b""


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=8),
    lambda inner: (
        st.lists(inner, max_size=3)
        | st.dictionaries(
            st.sampled_from(
                ["version", "name", "splices", "list", "at", "remove", "insert", "files"]
            ),
            inner,
            max_size=4,
        )
    ),
    max_leaves=12,
)
# Without realignments, each of which starts a process.
FUZZED = [path.partition("?")[0] for _, path in ROUTES if not path.endswith(("/realign", "/link"))]
PATHS = st.sampled_from(FUZZED) | st.text(max_size=20).map(lambda text: "/" + text)


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(data=st.data())
def test_no_request_whatever_breaks_the_server_or_the_project(data, client, project):
    before = project.rows(2)[1]
    for _ in range(4):
        method = data.draw(st.sampled_from(["GET", "POST", "DELETE", "PUT", "HEAD", "OPTIONS"]))
        path = data.draw(PATHS)
        if path.endswith("/events") and method == "GET":
            continue  # which does not end
        number = data.draw(st.sampled_from(["2", "1", "0", "7", "9" * 25, "x", "-1"]))
        path = path.replace("/2", f"/{number}", 1)
        query = data.draw(
            st.dictionaries(st.sampled_from(["since", "before", "limit", "format", "token"]),
                            st.text(max_size=8), max_size=2)
        )  # fmt: skip
        body = data.draw(st.binary(max_size=30) | JSON.map(_spelled) | _changes(before))
        headers = {"Content-Type": "application/json"}
        if data.draw(st.integers(0, 9)) == 0:
            headers[data.draw(st.sampled_from(["Origin", "Host", "Cookie", "X-Bitext"]))] = "x"
        answer = client.request(method, quote(path), params=query, content=body, headers=headers)
        assert answer.status_code < 500
        if answer.status_code >= 400 and method != "HEAD":
            assert isinstance(answer.json()["error"], str)
            assert str(project.path.parent) not in answer.text
    with Project(project.path) as again:  # checks all that has to hold
        for each in again.alignments():
            assert again.rows(each.id) == project.rows(each.id)


def _spelled(value):
    return json.dumps(value).encode("utf-8", "surrogatepass")


def _changes(rows):
    """Changes that are nearly right."""
    beads = [row._asdict() for row in rows["beads"]]

    def changed(drawn):
        at, key, value, name = drawn
        bead = beads[at]
        splice = {"list": name, "at": at, "remove": [bead], "insert": [{**bead, key: value}]}
        return _spelled({"name": "x", "splices": [splice]})

    link = ["s0", 0, "t0", 1, "sure", None]
    values = JSON | st.sampled_from([["s0"], ["t1"], "confirmed", "doubtful", 0.5, "b1", [link]])
    names = ["id", "source", "target", "state", "probability", "comment", "words", "linked", "x"]
    keys = st.sampled_from(names)
    lists = st.sampled_from(["beads", "beads", "source"])
    return st.tuples(st.integers(0, len(beads) - 1), keys, values, lists).map(changed)


def test_a_second_server_of_one_project_sees_the_first(client, project):
    with Project(project.path) as other:
        access = Access("anna", hosts={"127.0.0.1"}, port=PORT)
        second = client_of(Bench(other), access)
        second.get("/", params={"token": access.token})
        confirmed(client)
        assert state(second)["beads"][0]["state"] == "confirmed"


def test_names_of_documents_and_annotators_are_data(client, project):
    hostile = "<img src=x onerror=alert(1)>\u202e"
    number = add_document(project, hostile)
    last = client.get("/api/project").json()["documents"][-1]
    assert last == {"id": number, "name": hostile, "kind": "alignment"}
    answer = client.get("/api/project")
    assert answer.headers["content-type"].startswith("application/json")
