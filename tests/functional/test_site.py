"""The documentation site: it builds without a warning, no link is broken, and a browser shows every page."""

import fcntl
import functools
import http.server
import os
import re
import subprocess
import sys
import threading
from importlib.resources import files
from pathlib import Path

import pytest

pytest.importorskip("sphinx", reason="the extra 'docs' is not installed")

from website.link_check import broken_links, loaded_from_elsewhere
from website.navigation import sections
from website.tutorials import tutorial_names

pytestmark = pytest.mark.slow

ROOT = Path(__file__).parents[2]
DESK = {"width": 1280, "height": 900}
PHONE = {"width": 375, "height": 760}
QUICK = {"resultTypes": ["violations"], "preload": False}
ALL_BUT_CONTRAST = QUICK | {"rules": {"color-contrast": {"enabled": False}}}
CONTRAST = QUICK | {"runOnly": {"type": "rule", "values": ["color-contrast"]}}
MARK = """known => {
  const seen = new Set(known), found = [], grounds = new Map([[null, '']]);
  const groundOf = one => {
    if (!grounds.has(one)) {
      const style = getComputedStyle(one);
      const own = [style.backgroundColor, style.backgroundImage, style.opacity].join();
      grounds.set(one, (own === 'rgba(0, 0, 0, 0),none,1' ? '' : own) + groundOf(one.parentElement));
    }
    return grounds.get(one);
  };
  for (const one of document.body.querySelectorAll('*')) {
    if (![...one.childNodes].some(node => node.nodeType === 3 && node.textContent.trim())) continue;
    const own = getComputedStyle(one);
    const look = [own.color, own.fontSize, own.fontWeight, own.textDecorationLine, groundOf(one)].join();
    if (!seen.has(look)) { seen.add(look); found.push(look); one.dataset.look = 'new'; }
  }
  return found;
}"""
"""Mark the first of the elements whose text has the same colour, size, weight and grounds, and so the same contrast.
Looks that are known from other pages are not looked at again."""
HIDE = """() => {
  for (const one of document.querySelectorAll('article *'))
    if (!one.closest('[data-look]') && !one.querySelector('[data-look]')) one.style.display = 'none';
}"""
"""Hide what is not marked: a long page has ten thousand elements and some thirty looks."""
STICKS_OUT = "document.documentElement.scrollWidth - document.documentElement.clientWidth"


@pytest.fixture(scope="session")
def site(tmp_path_factory):
    """The built site; processes that run tests side by side build it once."""
    base = tmp_path_factory.getbasetemp()
    shared = base.parent if "PYTEST_XDIST_WORKER" in os.environ else base
    out = shared / "site" / "pages"
    out.parent.mkdir(exist_ok=True)
    with (out.parent / "lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        if not (out / "index.html").exists():
            command = [sys.executable, ROOT / "scripts" / "build_site.py", "--out", out]
            done = subprocess.run(command, capture_output=True, text=True, check=False)
            assert done.returncode == 0, done.stdout + done.stderr
    return out


@pytest.fixture(scope="module")
def address(site):
    """The address of a server for the site, on this machine."""
    handler = functools.partial(Quiet, directory=str(site))
    with http.server.ThreadingHTTPServer(("127.0.0.1", 0), handler) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        yield f"http://127.0.0.1:{server.server_port}"
        server.shutdown()


class Quiet(http.server.SimpleHTTPRequestHandler):
    def log_message(self, *words):
        pass


@pytest.fixture(scope="module")
def page(address, browser):
    """A page of a browser that remembers complaints of the console and requests to other machines."""
    context = browser.new_context(viewport=DESK, reduced_motion="reduce")
    opened = context.new_page()
    opened.set_default_timeout(120_000)
    opened.complaints = []
    opened.on("console", lambda said: opened.complaints.append(said.text) if said.type == "error" else None)
    opened.on("pageerror", lambda error: opened.complaints.append(str(error)))
    opened.on("request", lambda asked: None if asked.url.startswith((address, "data:")) else _elsewhere(opened, asked))
    yield opened
    context.close()


def _elsewhere(page, asked):
    page.complaints.append(f"asks another machine: {asked.url}")


def test_no_link_is_broken(site):
    assert broken_links(site) == []
    assert loaded_from_elsewhere(site) == []


def test_a_broken_link_would_be_found(tmp_path):
    (tmp_path / "a.html").write_text('<a href="b.html#there">b</a><a href="c.html">c</a><a href="b.html#gone">b</a>')
    (tmp_path / "b.html").write_text('<h1 id="there">b</h1><script src="https://elsewhere.example/x.js"></script>')
    assert [(each.address, each.reason) for each in broken_links(tmp_path)] == [
        ("c.html", "there is no such file"),
        ("b.html#gone", "the page has no such anchor"),
    ]
    assert [each.page for each in loaded_from_elsewhere(tmp_path)] == ["b.html"]


def test_every_document_and_tutorial_is_a_page(site):
    documents = [path.relative_to(ROOT / "docs").with_suffix(".html") for path in (ROOT / "docs").rglob("*.md")]
    pages = [*documents, *(Path(f"notebooks/{name}.html") for name in tutorial_names())]
    assert [page for page in map(str, pages) if not (site / page).exists()] == []
    assert sum(len(section.pages) for section in sections()) >= len(pages) - 1  # all but the first page


def test_options_keep_their_hyphens_and_names_are_those_that_readers_have(site):
    assert "--column group=NAME" in (site / "cli.html").read_text(encoding="utf-8")
    dashed = {path.name for path in site.rglob("*.html") if re.search(r"[ (]–[a-z]", path.read_text(encoding="utf-8"))}
    assert dashed == set()
    systems = (site / "reference" / "systems.html").read_text(encoding="utf-8")
    assert "similitude.systems." not in systems
    assert "maximum texts per batch" in systems


def test_an_address_without_a_page_leads_back(site):
    text = (site / "404.html").read_text(encoding="utf-8")
    for link in re.findall(r'<a href="([^"]+)"', text):  # it is shown at any depth, so that only whole addresses work
        assert link.startswith("https://similitude-sts.github.io/similitude/")
        assert (site / (link.removeprefix("https://similitude-sts.github.io/similitude/") or "index.html")).exists()


def test_every_measure_has_a_formula_on_its_page(site):
    from similitude.evaluate.measures import catalogue

    text = (site / "reference" / "measures.html").read_text(encoding="utf-8")
    assert text.count('<div class="formula"') == len(catalogue())
    assert text.count("<math") > len(catalogue())


def sticks_out(page) -> list[str]:
    """Widths at which the page is wider than the window."""
    found = []
    for size in (PHONE, DESK):
        page.set_viewport_size(size)
        pixels = page.evaluate(STICKS_OUT)
        found += [f"{pixels} pixels too wide for {size['width']}"] if pixels > 0 else []
    return found


def violations(page, axe: str, known: dict[str, set[str]]) -> list[str]:
    """What axe finds, without another load: contrast of looks that are not known yet, and everything else."""
    page.evaluate(axe)
    results = {"any": page.evaluate("options => axe.run(document, options)", ALL_BUT_CONTRAST)}
    new = {}
    for scheme in ("light", "dark"):
        page.emulate_media(color_scheme=scheme)
        new[scheme] = page.evaluate(MARK, sorted(known[scheme]))
        known[scheme] |= {*new[scheme]}
    schemes = [scheme for scheme in ("dark", "light") if new[scheme]]
    if schemes:
        page.evaluate(HIDE)
    for scheme in schemes:
        page.emulate_media(color_scheme=scheme)
        marked = "[...document.querySelectorAll('[data-look]')]"
        results[scheme] = page.evaluate(f"options => axe.run({marked}, options)", CONTRAST)
    return [
        f"{scheme} {rule['id']}: {node['html'][:160]}"
        for scheme, result in results.items()
        for rule in result["violations"]
        for node in rule["nodes"]
    ]


def test_every_page_fits_and_axe_finds_nothing(site, page, address):
    axe = files("axe_playwright_python").joinpath("axe.min.js").read_text(encoding="utf-8")
    found, known = {}, {"light": set(), "dark": set()}
    for path in sorted(site.rglob("*.html")):
        place = path.relative_to(site).as_posix()
        page.emulate_media(color_scheme="light")
        page.goto(f"{address}/{place}")
        found[place] = [*sticks_out(page), *violations(page, axe, known)]
    assert min(map(len, known.values())) > 20
    assert {place: said for place, said in found.items() if said} == {}
    assert len(found) > 70
    assert page.complaints == []


def test_a_page_that_is_too_wide_or_too_pale_would_be_found(page, address):
    axe = files("axe_playwright_python").joinpath("axe.min.js").read_text(encoding="utf-8")
    page.goto(f"{address}/index.html")
    page.evaluate("document.querySelector('h1').style.cssText = 'color: #ddd; width: 3000px'")
    page.evaluate("document.querySelector('main, article').innerHTML += '<img src=\"_static/plus.png\">'")
    assert any("too wide" in said for said in sticks_out(page))
    kinds = {said.partition(":")[0] for said in violations(page, axe, {"light": set(), "dark": set()})}
    assert {"any image-alt", "light color-contrast"} <= kinds
    page.complaints.clear()


def test_search_finds_a_word_without_a_network(page, address):
    page.goto(f"{address}/search.html?q=krippendorff")
    page.wait_for_selector("#search-results li > a:text-is('What alpha means')")  # results are added one by one
    titles = page.locator("#search-results li > a").all_inner_texts()
    assert "What alpha means" in titles
    assert any("Reliability" in title for title in titles)
    page.wait_for_selector("text=Search finished")
    assert "Changelog" not in page.locator("#search-results li > a").all_inner_texts()


def test_the_reader_chooses_between_light_and_dark(page, address):
    page.emulate_media(color_scheme="light")
    page.goto(f"{address}/index.html")
    ground = "getComputedStyle(document.body).backgroundColor"
    before = page.evaluate(ground)
    for _ in range(3):
        page.locator(".theme-toggle-header, .theme-toggle-content").locator("visible=true").first.click()
        if page.evaluate(ground) != before:
            return
    pytest.fail("the button does not change the colours")
