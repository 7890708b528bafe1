"""The page in a real browser, where there is one."""

import subprocess
from pathlib import Path

import pytest

from similitude.report.page import report_page

CHROMIUM = Path("/usr/bin/chromium")
pytestmark = pytest.mark.skipif(not CHROMIUM.exists(), reason=f"needs {CHROMIUM}")
OPTIONS = ("--headless", "--no-sandbox", "--disable-gpu", "--disable-background-networking", "--hide-scrollbars")


@pytest.fixture
def browse(tmp_path):
    def call(*options: str) -> subprocess.CompletedProcess[str]:
        profile = f"--user-data-dir={tmp_path / 'profile'}"
        url = (tmp_path / "page.html").as_uri()
        return subprocess.run(
            [CHROMIUM, *OPTIONS, profile, *options, url], capture_output=True, text=True, timeout=60, check=False
        )

    return call


@pytest.mark.slow
def test_the_script_runs_under_the_policy_and_the_page_prints(hostile, browse, tmp_path):
    (tmp_path / "page.html").write_text(report_page(hostile), encoding="utf-8")
    shown = browse("--enable-logging=stderr", "--v=0", "--dump-dom")
    assert '<button type="button">rank</button>' in shown.stdout, "sorting is there once the script has run"
    assert "Content Security Policy" not in shown.stderr
    assert "alert" not in shown.stdout.replace("&lt;script&gt;alert(", "").replace("onerror=alert(1)&gt;", "")
    browse(f"--print-to-pdf={tmp_path / 'page.pdf'}", "--no-pdf-header-footer")
    assert (tmp_path / "page.pdf").read_bytes()[:5] == b"%PDF-"
