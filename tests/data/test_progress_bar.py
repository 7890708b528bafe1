"""The bar that a long call shows by itself: where, when, and what is left of it."""

import io
import subprocess
import sys
import time
from types import SimpleNamespace

import pytest
from patience import until
from rich.console import Console

from similitude.data.listeners import NoteKeeper, chosen_listener, with_progress_bar
from similitude.data.progress_bar import NotebookBar, TerminalBar, running_notebook


class FakeDisplay:
    """Records what a notebook would be told: (kind, bundle)."""

    def __init__(self) -> None:
        self.told: list[tuple[str, dict[str, str]]] = []

    def display(self, bundle, *, raw, display_id):
        assert raw is True
        assert display_id is True
        self.told.append(("display", bundle))
        return SimpleNamespace(update=lambda bundle, *, raw: self.told.append(("update", bundle)))


@pytest.fixture
def clock(monkeypatch: pytest.MonkeyPatch) -> SimpleNamespace:
    now = SimpleNamespace(seconds=100.0)
    monkeypatch.setattr("similitude.data.progress_bar.time.monotonic", lambda: now.seconds)
    return now


class TestNotebookBar:
    def test_short_work_shows_nothing(self, clock: SimpleNamespace) -> None:
        shown = FakeDisplay()
        with NotebookBar(shown) as bar:
            clock.seconds += 0.49
            bar.progress("scoring", 1, 2)
        assert shown.told == []

    def test_long_work_shows_one_bar_that_is_removed(self, clock: SimpleNamespace) -> None:
        shown = FakeDisplay()
        with NotebookBar(shown) as bar:
            clock.seconds += 0.5
            bar.progress("scoring", 1500, 2000)
        (first, bundle), (last, empty) = shown.told
        assert (first, last) == ("display", "update")
        assert 'max="2000" value="1500"' in bundle["text/html"]
        assert bundle["text/plain"] == "scoring: 1,500 of 2,000, 0 s"
        assert empty == {"text/html": "", "text/plain": ""}

    def test_updates_come_at_most_ten_times_a_second(self, clock: SimpleNamespace) -> None:
        shown = FakeDisplay()
        with NotebookBar(shown) as bar:
            clock.seconds += 0.5
            for done in range(1000):
                bar.progress("scoring", done, 1000)
                clock.seconds += 0.01
        assert 95 <= len(shown.told) - 1 <= 101

    def test_notes_are_left_once_each_and_escaped(self, clock: SimpleNamespace) -> None:
        shown = FakeDisplay()
        with NotebookBar(shown) as bar:
            bar.note("<b>cut</b>")
            bar.note("<b>cut</b>")
        ((kind, bundle),) = shown.told
        assert kind == "display"
        assert bundle["text/html"].count("&lt;b&gt;cut&lt;/b&gt;") == 1
        assert "<b>" not in bundle["text/html"]
        assert bundle["text/plain"] == "note: <b>cut</b>"

    def test_stage_names_are_escaped(self, clock: SimpleNamespace) -> None:
        shown = FakeDisplay()
        with NotebookBar(shown) as bar:
            clock.seconds += 125
            bar.progress("<script>", 1, 0)
        html = shown.told[0][1]["text/html"]
        assert "<script>" not in html
        assert "&lt;script&gt;" in html
        assert "2:05" in html


class TestTerminalBar:
    def _console(self) -> Console:
        return Console(file=io.StringIO(), force_terminal=True, width=100, color_system=None)

    def test_short_work_asks_for_no_console(self) -> None:
        with TerminalBar(lambda: pytest.fail("a console was made")) as bar:
            bar.progress("scoring", 1, 2)

    def test_long_work_shows_stage_and_counts_and_cleans_up(self) -> None:
        console = self._console()
        with TerminalBar(lambda: console, "sample", delay=0.01) as bar:
            bar.progress("[scoring]", 3, 20)
            until(lambda: "3/20" in console.file.getvalue(), "the first stage")
            bar.progress("resampling", 7, 20)
            until(lambda: "7/20" in console.file.getvalue(), "the second stage")
        said = console.file.getvalue()
        assert "sample: [scoring]" in said
        assert "3/20" in said
        assert "sample: resampling" in said
        assert "7/20" in said
        assert said.endswith("\x1b[2K")  # the last line is erased

    def test_notes_are_printed_once_unless_the_caller_does_it(self) -> None:
        for prints, expected in ((True, "note: two texts were cut\n"), (False, "")):
            console = self._console()
            with TerminalBar(lambda console=console: console, prints_notes=prints) as bar:
                bar.note("two texts were cut")
                bar.note("two texts were cut")
            assert console.file.getvalue() == expected

    def test_an_error_ends_the_bar(self) -> None:
        console = self._console()

        def fail() -> None:
            with TerminalBar(lambda: console, delay=0.01) as bar:
                bar.progress("scoring", 1, 2)
                until(lambda: "1/2" in console.file.getvalue(), "the bar")
                raise ValueError("broken")

        with pytest.raises(ValueError, match="broken"):
            fail()
        before = console.file.getvalue()
        time.sleep(0.2)
        assert console.file.getvalue() == before


class TestChosenListener:
    def test_the_callers_own_listener_is_told_even_if_quiet(self) -> None:
        mine = NoteKeeper()
        for quiet in (False, True):
            with chosen_listener(mine, quiet) as listener:
                assert listener is mine

    def test_a_script_whose_errors_are_redirected_shows_nothing(self) -> None:
        with chosen_listener() as listener:
            assert listener is None

    def test_a_terminal_gets_a_bar_unless_quiet(self, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setattr(sys, "stderr", SimpleNamespace(isatty=lambda: True))
        with chosen_listener() as listener:
            assert isinstance(listener, TerminalBar)
        with chosen_listener(quiet=True) as listener:
            assert listener is None

    def test_a_notebook_gets_a_bar_though_it_is_no_terminal(self, monkeypatch: pytest.MonkeyPatch) -> None:
        module = SimpleNamespace(get_ipython=lambda: SimpleNamespace(kernel=object()))
        monkeypatch.setitem(sys.modules, "IPython", module)
        monkeypatch.setitem(sys.modules, "IPython.display", FakeDisplay())
        with chosen_listener() as listener:
            assert isinstance(listener, NotebookBar)

    def test_a_terminal_of_ipython_is_no_notebook(self, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setitem(sys.modules, "IPython", SimpleNamespace(get_ipython=lambda: SimpleNamespace()))
        assert running_notebook() is None

    def test_without_a_standard_error_nothing_is_shown(self, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setattr(sys, "stderr", None)  # as under pythonw
        with chosen_listener() as listener:
            assert listener is None

    def test_a_decorated_function_gets_the_chosen_listener(self, monkeypatch: pytest.MonkeyPatch) -> None:
        @with_progress_bar
        def work(*, listener=None, quiet=False):
            return listener, quiet

        mine = NoteKeeper()
        assert work(listener=mine) == (mine, False)
        assert work(quiet=True) == (None, True)
        monkeypatch.setattr(sys, "stderr", SimpleNamespace(isatty=lambda: True))
        assert isinstance(work()[0], TerminalBar)

    def test_ipython_is_never_imported(self) -> None:
        script = (
            "import sys; from similitude.data.listeners import chosen_listener\n"
            "with chosen_listener(): pass\n"
            "print('IPython' in sys.modules, 'rich.progress' in sys.modules)"
        )
        done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True)
        assert done.stdout == "False False\n"
        assert done.stderr == ""
