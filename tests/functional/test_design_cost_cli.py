"""``similitude design`` refuses a plan that would take minutes, with an estimate."""


def test_a_large_plan_is_refused_with_an_estimate(similitude, tmp_path):
    (tmp_path / "ids.txt").write_text("\n".join(f"i{n}" for n in range(1000)))
    refused = similitude("design", "best-worst", "ids.txt", "--per-item", "100000")
    assert (refused.returncode, refused.stderr.count("\n")) == (2, 1)
    assert "25,000,000 four-tuples with 125,000,000 answers take about 50 minutes and 35.0 GB" in refused.stderr
    done = similitude("design", "best-worst", "ids.txt", "--large")
    assert "every item in each place twice" in done.stdout
