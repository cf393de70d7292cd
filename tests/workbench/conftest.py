"""A project with a document, and clients of its server."""

from __future__ import annotations

from contextlib import contextmanager

import pytest

from bitext.workbench.access import Access
from bitext.workbench.bench import Bench
from bitext.workbench.project import Project
from bitext.workbench.server import application
from reference.browser import browser_or_skip
from reference.workbench_operations import first_rows
from reference.workbench_server import Served, ferry

PORT = 8765
ORIGIN = f"http://127.0.0.1:{PORT}"
WRITE = {"X-Bitext": "1", "Origin": ORIGIN}


def add_document(project, name="de-en"):
    rows = first_rows()
    texts = [project.add_text(side, "xx", rows[side]) for side in ("source", "target")]
    return project.add_document(name, *texts, rows["beads"])


def asset(name):
    return {"index.html": "<p>page</p>", "editor.js": "0", "page.css": "p{}"}[name]


@contextmanager
def project_in(folder):
    with Project.create(folder / "a.bitext", "a", durable=False) as made:
        add_document(made)
        made.assign(1, "anna")
        yield made


@pytest.fixture
def project(tmp_path):
    with project_in(tmp_path) as made:
        yield made


@pytest.fixture
def bench(project):
    made = Bench(project)
    yield made
    made.close()


def client_of(bench, access):
    from starlette.testclient import TestClient

    app = application(bench, access, asset=asset)
    return TestClient(app, base_url=ORIGIN, follow_redirects=False)


def access_of_anna():
    return Access("anna", hosts={"127.0.0.1", "localhost"}, port=PORT)


@pytest.fixture
def access():
    return access_of_anna()


@pytest.fixture
def stranger(bench, access):
    """A client without a session."""
    return client_of(bench, access)


def writing_client(bench, access):
    """Return a client that has opened the link, and writes as the page does."""
    made = client_of(bench, access)
    assert made.get("/", params={"token": access.token}).status_code == 200
    made.headers.update(WRITE)
    return made


@pytest.fixture
def client(bench, access):
    return writing_client(bench, access)


@pytest.fixture
def bea(bench, access):
    """Another annotator."""
    made = client_of(bench, access)
    made.get("/", params={"token": access.token, "annotator": "bea"})
    made.headers.update(WRITE)
    return made


@pytest.fixture
def served(tmp_path):
    """A server of a project with a document of six beads, which can go away and come back."""
    server = Served(ferry(tmp_path / "ferry.bitext"))
    server.start()
    yield server
    server.stop()


@pytest.fixture(scope="session")
def other():
    """Another browser."""
    found = browser_or_skip()
    yield found
    found.close()
