"""What a public project has beside its code: one version, links that lead somewhere, a site."""

import json
import re
import shutil
import subprocess
import sys
import tomllib
from importlib.metadata import requires
from pathlib import Path

import pytest
import weft
import yaml

ROOT = Path(__file__).parents[1]
#: Documents outside of docs/, whose links `make docs` does not follow.
OUTSIDE = sorted([*ROOT.glob("*.md"), *ROOT.glob("*/README.md")])
#: What a browser fetches by itself; links that a reader may click are none.
FETCHED = re.compile(
    r'<(?:script|img|iframe|source)[^>]+src="(?:https?:)?//[^"]+"'
    r'|<link[^>]+rel="(?:stylesheet|preload|preconnect)"[^>]+href="(?:https?:)?//[^"]+"'
    r"|@import|url\(['\"]?(?:https?:)?//"
)


def test_one_version_everywhere() -> None:
    citation = yaml.safe_load((ROOT / "CITATION.cff").read_text())
    newest = re.findall(r"^## \[(\d.+?)\]", (ROOT / "CHANGELOG.md").read_text(), re.M)[0]
    assert {citation["version"], newest} == {weft.__version__}


def test_zenodo_says_what_the_citation_says() -> None:
    """Zenodo reads one of both files only."""
    citation = yaml.safe_load((ROOT / "CITATION.cff").read_text())
    zenodo = json.loads((ROOT / ".zenodo.json").read_text())
    names = [author["name"] for author in citation["authors"]]
    assert [creator["name"] for creator in zenodo["creators"]] == names
    assert zenodo["upload_type"] == citation["type"]
    for key in ("title", "version", "license", "keywords"):
        assert zenodo[key] == citation[key], key


def test_the_catalogue_of_workflows_finds_what_it_reads() -> None:
    catalogue = yaml.safe_load((ROOT / ".snakemake-workflow-catalog.yml").read_text())
    usage = catalogue["usage"]
    (target,) = usage["mandatory-flags"]["flags"].split()
    assert (ROOT / "configs" / "experiment" / f"{Path(target).stem}.yaml").is_file()
    deployed = usage["software-stack-deployment"]
    assert deployed.keys() == {"conda", "apptainer", "apptainer+conda", "report"}
    assert deployed["conda"] == (ROOT / "envs" / "weft.yaml").is_file()


def test_the_package_asks_for_what_the_lock_is_made_from() -> None:
    ranges = (ROOT / "envs" / "requirements.in").read_text().splitlines()
    asked = {line.split("#")[0].strip() for line in ranges} - {""}
    names = {re.split(r"[<>=]", line)[0] for line in asked}
    always = [line for line in requires("weft") or [] if "extra ==" not in line]
    assert {re.split(r"[<>=]", line)[0] for line in always} == names


def test_the_readme_names_every_experiment() -> None:
    listed = (ROOT / "README.md").read_text().partition("## Experiments")[2]
    experiments = {path.stem for path in (ROOT / "configs" / "experiment").glob("*.yaml")}
    assert experiments - set(re.findall(r"`(\w+)`", listed)) == set()


def test_the_readme_leads_to_every_document() -> None:
    documents = {f"docs/{path.name}" for path in (ROOT / "docs").glob("*.md")} - {"docs/index.md"}
    assert documents - set(re.findall(r"\]\(([^)#]+)", (ROOT / "README.md").read_text())) == set()


def test_every_plugin_is_packaged_under_the_name_that_snakemake_looks_for() -> None:
    settings = tomllib.loads((ROOT / "pyproject.toml").read_text())
    included = settings["tool"]["setuptools"]["packages"]["find"]["include"]
    plugins = {path.name for path in (ROOT / "workflow").glob("snakemake_*_plugin_*")}
    assert plugins
    assert plugins <= set(included)


@pytest.mark.parametrize("path", OUTSIDE, ids=lambda path: str(path.relative_to(ROOT)))
def test_links_outside_of_the_site_lead_somewhere(path: Path) -> None:
    targets = re.findall(r"\]\(([^)#\s]+)[^)]*\)", path.read_text())
    local = [target for target in targets if "://" not in target]
    assert [target for target in local if not (path.parent / target).exists()] == []


def build(source: Path, to: Path) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-m", "sphinx", "-q", "-W", "--keep-going", "-n", source, to]
    return subprocess.run(command, capture_output=True, text=True, check=False)


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("site")
    done = build(ROOT / "docs", folder)
    assert done.returncode == 0, done.stderr
    return folder


@pytest.mark.slow
def test_the_site_fetches_nothing_from_the_network(site: Path) -> None:
    pages = [*site.rglob("*.html"), *site.rglob("*.css")]
    assert len(pages) > 20
    found = {page.name: FETCHED.findall(page.read_text()) for page in pages}
    assert {name: hits for name, hits in found.items() if hits} == {}


@pytest.mark.slow
def test_the_site_has_every_page_and_a_search(site: Path) -> None:
    pages = {path.relative_to(site).with_suffix(".md") for path in site.rglob("*.html")}
    documents = {path.relative_to(ROOT / "docs") for path in (ROOT / "docs").rglob("*.md")}
    assert documents <= pages
    assert "saturation" in (site / "searchindex.js").read_text()


@pytest.mark.slow
@pytest.mark.parametrize(
    ("broken", "said"),
    [
        ("[x](nowhere.md)", "nowhere.md"),
        ("[x](flow.md#no-such-heading)", "no-such-heading"),
    ],
)
def test_a_broken_link_fails_the_site(broken: str, said: str, tmp_path: Path) -> None:
    docs = tmp_path / "docs"
    docs.mkdir()
    shutil.copy(ROOT / "docs" / "conf.py", docs)
    version = tmp_path / "workflow" / "weft" / "__init__.py"
    version.parent.mkdir(parents=True)
    version.write_text('__version__ = "1.0.0"\n')
    (docs / "index.md").write_text("# weft\n\n```{toctree}\nflow\n```\n")
    (docs / "flow.md").write_text(f"# Flow\n\n{broken}\n")
    done = build(docs, tmp_path / "site")
    assert done.returncode != 0
    assert said in done.stderr
