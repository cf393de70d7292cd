"""A server of the workbench that tests start and stop, and browsers that open its page."""

from __future__ import annotations

import threading

from bitext.workbench.access import Access
from bitext.workbench.bench import Bench
from bitext.workbench.changes import Bead, Sentence, Splice
from bitext.workbench.project import Project
from bitext.workbench.server import link, listen, serve
from reference.editor_driver import until

SIZE = 6
KEPT = "editor.store.status.kept && !editor.store.sending && !editor.store.turning"


class Served:
    """A server in a thread, which can go away and come back at its address."""

    def __init__(self, path, *others):
        self.path, self._stop, self._thread, self.port = path, None, None, 0
        self.access, self._paths = None, (path, *others)

    def start(self):
        listening = listen("127.0.0.1", self.port)
        self.port = listening.getsockname()[1]
        self.access = self.access or Access("anna", hosts={"127.0.0.1"}, port=self.port)
        self._projects = [Project(path, durable=False) for path in self._paths]
        benches = [Bench(project) for project in self._projects]
        begun, stops = threading.Event(), []
        self._thread = threading.Thread(
            target=serve,
            args=(benches if len(benches) > 1 else benches[0], self.access, listening),
            kwargs={"ready": begun.set, "stop": stops.append},
            daemon=True,
        )
        self._thread.start()
        assert begun.wait(20)
        self._stop = stops[0]

    def stop(self):
        if self._thread is not None:
            self._stop()
            self._thread.join(20)
            assert not self._thread.is_alive()
            self._thread = None
            for project in self._projects:
                project.close()

    def beads(self, number):
        """Return the beads as the file has them."""
        with Project(self.path, durable=False) as project:
            rows = project.rows(number)[1]["beads"]
        return [(list(row.source), list(row.target), row.state) for row in rows]


def ferry(path):
    """Make a project of a document of six beads, begun by anna."""
    with Project.create(path, "ferry", durable=False) as made:
        texts = []
        for side, lang in (("source", "en"), ("target", "de")):
            rows = [Sentence(f"{side[0]}{k}", f"{side} {k}.", k == 1) for k in range(1, SIZE + 1)]
            texts.append(made.add_text(side, lang, rows))
        beads = [Bead(f"b{k}", (f"s{k}",), (f"t{k}",), probability=0.5) for k in range(1, SIZE + 1)]
        document = made.add_document("ferry", *texts, beads)
        assert made.assign(document, "anna") == document + 1
    return path


def entered(browser, served, annotator="anna"):
    """Open the link of the server, and wait for the list of documents."""
    browser.open(f"{link(served.access, '127.0.0.1')}&annotator={annotator}")
    until(browser, "document.querySelector('.documents table')")


def chosen(browser, number):
    browser.run(f"location.hash = '#/alignments/{number}'; 0")
    until(browser, "window.editor?.store.events?.readyState === 1")
    browser.run("editor.grid.focus(); 0")


def merged(project, number, at, end, annotator):
    """Merge the beads of a stretch, as somebody has done in a session before."""
    rows = project.rows(number)[1]["beads"][at:end]
    sides = [sum((getattr(row, side) for row in rows), ()) for side in ("source", "target")]
    change = [Splice("beads", at, tuple(rows), (Bead(rows[0].id, *sides),))]
    project.change(number, change, name="merge", annotator=annotator)
