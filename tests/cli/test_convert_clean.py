"""`bitext convert --clean`: profiles of filters, reports, rejected bisegments."""

import json

TSV = (
    "src\ttgt\nOne bridge.\tUn pont.\nTwo bridges, 12 boats.\t\nSame text.\tSame text.\n"
    "one BRIDGE\tun pont\nSee http://a.example now.\tVoir ici maintenant.\n"
)


def test_a_profile_a_report_and_the_rejected(bitext, write, tmp_path):
    out, rejected, report = (tmp_path / name for name in ("b.tsv", "r.tsv", "r.json"))
    made = bitext(
        *("convert", write("a.tsv", TSV), out, "--clean", "default"),
        *("--keep-rejected", rejected, "--clean-report", report),
    )
    assert made.status == 0
    assert out.read_text() == "One bridge.\tUn pont.\n"
    rows = [line.split("\t") for line in rejected.read_text().splitlines()]
    assert rows[0] == ["src", "tgt", "filter", "value", "place"]
    assert sorted(row[2] for row in rows[1:]) == ["empty", "identical", "near-duplicates", "urls"]
    assert "left out: bisegments with the same text on both sides (identical max 0): 1" in made.err
    document = json.loads(report.read_text())
    assert document["schema"] == "bitext.cleaning/1"
    assert sum(row["rejected"] for row in document["filters"]) == 4


def test_a_page_and_a_table(bitext, write, tmp_path):
    path, page, table = write("a.tsv", TSV), tmp_path / "r.html", tmp_path / "r.txt"
    for report in (page, table):
        made = bitext(
            "convert", path, tmp_path / "b.tsv", "--clean", "default", "--clean-report", report
        )
        assert made.status == 0
    assert "4 of 5 bisegments rejected by the profile" in page.read_text()
    assert "identical" in table.read_text()


def test_several_files_by_jobs_equal_one_by_one(bitext, write, tmp_path):
    paths = [write(f"{name}.tsv", TSV) for name in "ab"]
    profile = write("p.toml", '[[filter]]\nname = "duplicates"\n[[filter]]\nname = "empty"\n')
    reports = []
    for jobs in ("1", "2"):
        folder = tmp_path / jobs
        report = tmp_path / f"{jobs}.json"
        made = bitext(
            *("convert", *paths, f"{folder}/", "--to", "tsv", "-j", jobs),
            *("--clean", profile, "--clean-report", report),
        )
        assert made.status == 0
        assert "duplicates: compared within each file; of all with one file as OUT" in made.err
        files = [one.read_text() for one in sorted(folder.iterdir())]
        reports.append((files, json.loads(report.read_text())["filters"]))
    assert reports[0] == reports[1]
    assert [row["rejected"] for row in reports[0][1]] == [0, 2]


def test_options_that_do_not_go_together(bitext, write, tmp_path):
    path, out = write("a.tsv", TSV), tmp_path / "b.tsv"
    made = bitext("convert", path, out, "--keep-rejected", tmp_path / "r.tsv")
    assert "--keep-rejected is for what --clean leaves out: give both" in made.err
    made = bitext("convert", path, out, "--clean", "default", "--keep-rejected", out)
    assert made.status == 2
    made = bitext("convert", path, f"{tmp_path}/x/", "--to", "tsv", "--clean", "default",
                  "--keep-rejected", tmp_path / "r.tsv")  # fmt: skip
    assert "--keep-rejected writes one file, and OUT is the folder" in made.err
    made = bitext("convert", path, out, "--clean", "defualt")
    assert "'defualt' is no profile of filters" in made.err
    assert not out.exists()


def test_check_reports_what_convert_leaves_out(bitext, write, tmp_path):
    path, out = write("a.tsv", TSV), tmp_path / "r.json"
    bitext("convert", path, tmp_path / "b.tsv", "--clean", "default", "--clean-report", out)
    left_out = {row["filter"]: row["rejected"] for row in json.loads(out.read_text())["filters"]}
    made = bitext("check", path, "--clean", "default", "--json")
    assert made.status == 1
    kinds = {row["kind"]: row["count"] for row in json.loads(made.out)["rows"]}
    for name in ("empty", "identical", "urls"):
        (count,) = [count for kind, count in kinds.items() if f"({name} max 0)" in kind]
        assert count == left_out[name]


def test_proposed_bounds_are_a_profile(bitext, write, tmp_path):
    rows = [
        f"The boat {k} is at quay {k % 7}.\tLe bateau {k} est au quai {k % 7}." for k in range(300)
    ]
    path = write("a.tsv", "\n".join([*rows, "x" * 900 + "\ty"]) + "\n")
    profile, page = tmp_path / "p.toml", tmp_path / "p.html"
    assert bitext("check", path, "--suggest", profile).status in {0, 1}
    assert bitext("check", path, "--suggest", page).status in {0, 1}
    assert 'name = "ratio-chars"' in page.read_text()
    assert page.read_text().count("<svg") == profile.read_text().count("[[filter]]") - 1
    out = tmp_path / "b.tsv"
    assert bitext("convert", path, out, "--clean", profile).status == 0
    assert out.read_text().splitlines() == rows
    few = bitext("check", write("b.tsv", TSV), "--suggest", profile)
    assert "bounds are proposed from 100 bisegments" in few.err
    assert "want a name that ends in" in bitext("check", path, "--suggest", "p.json").err
