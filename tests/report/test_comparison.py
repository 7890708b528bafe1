from rich.console import Console

from similitude.report.comparison import comparison_table


def printed(run, width: int) -> str:
    console = Console(width=width, force_terminal=False)
    with console.capture() as shown:
        console.print(comparison_table(run))
    return shown.get()


def test_without_confidence_it_is_the_plain_table(plain):
    shown = printed(plain, 100)
    assert "rank" not in shown
    assert "[" not in shown
    assert "SIMULATED judgements" in shown


def test_intervals_ranks_and_what_they_mean(opinions):
    shown = printed(opinions, 160)
    interval = opinions.confidence.intervals[0][0]
    assert f"[{interval.low:.2f}, {interval.high:.2f}]" in shown
    assert shown.startswith(opinions.conclusion.sentence[:50])
    assert any(line.split()[:2] == ["rank", "system"] for line in shown.splitlines())
    assert "rank: on spearman; systems that share a letter are not significantly different: paired bootstrap" in shown
    assert "300 resamples, all pairs together, 95 %" in shown
    assert "- kl is undefined for every system" in shown


def test_on_one_line_where_there_is_room_and_on_two_where_there_is_not(opinions):
    value = f"{opinions.figures[0][0].value:.3f} ["
    assert value in printed(opinions, 160)
    assert value not in printed(opinions, 90)
    assert printed(opinions, 90).count("[") == 4 * 3 + 1 + 3 * 2 + 4 * 2, "figures, the mean, ceilings, corrected"


def test_only_the_first_measure_keeps_its_intervals_in_a_narrow_terminal(opinions):
    shown = printed(opinions, 64)
    assert shown.count("[") == 4 + 3 + 4 * 2, "figures, ceilings, corrected"
    assert "a wider terminal shows the intervals" in shown


def test_no_line_is_longer_than_the_terminal(opinions, hostile):
    for run in (opinions, hostile):
        for width in (80, 100, 130, 160):
            assert max(map(len, printed(run, width).splitlines())) <= width


def test_a_system_without_a_figure_has_no_rank(hostile):
    (line,) = (line for line in printed(hostile, 160).splitlines() if " flat " in line)
    assert line.split()[:3] == ["-", "flat", "-"]
