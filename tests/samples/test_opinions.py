"""The made pairs hold what they promise: people differ over what stands in the text, and that can be learned."""

import numpy as np
import pytest
from sklearn.ensemble import RandomForestRegressor
from sklearn.feature_extraction.text import CountVectorizer
from sklearn.linear_model import Ridge

import similitude as sim
from similitude.errors import ArgumentError
from similitude.inspect.checks import check
from similitude.samples.opinions import make_opinions
from similitude.samples.opinions.crowd import HIGH, LOW, POOL, draw_crowd, rate
from similitude.samples.opinions.meetings import FACTS, Meeting, Meetings, draw_meetings
from similitude.samples.opinions.vocabulary import DOMAINS, vocabulary
from similitude.stats import pearson, spearman

WORDS = vocabulary()


@pytest.fixture(scope="module")
def made() -> sim.Benchmark:
    return make_opinions(pairs=1500, seed=1)


# ------------------------------------------------------------------------------------------------------ vocabulary


@pytest.mark.parametrize("domain", WORDS.domains, ids=lambda domain: domain.name)
def test_wordings_stand_for_one_thing(domain):
    assert len(domain.facts) > FACTS
    wordings = [
        wording
        for fact in domain.facts
        for kind in fact.kinds
        for wording in (*kind.vague, *(exact for value in kind.values for exact in value))
    ]
    assert len(set(wordings)) == len(wordings)
    for fact in domain.facts:
        assert len(fact.kinds) >= 2, fact.name
        for kind in fact.kinds:
            assert len(kind.vague) >= 2, fact.name
            assert len(kind.values) >= 2, fact.name
            assert all(len(value) == 2 for value in kind.values), fact.name


# ------------------------------------------------------------------------------------------------------ pairs


def test_a_benchmark_with_splits_and_every_rating(made):
    assert made.splits == ["train", "dev", "test"]
    assert made.frame["domain"].unique().sort().to_list() == list(DOMAINS)
    assert len(made) == 2 * (1500 + 300 + 300)
    ratings, items = made.gold.ratings
    assert len(ratings) == 8 * len(made)
    assert set(np.unique(ratings % 0.5)) == {0.0}
    assert ratings.min() >= 0.0
    assert ratings.max() <= 5.0
    first = ratings[items == 0]
    assert made.gold.scores[0] == pytest.approx(first.mean())
    assert made.gold.sigmas[0] == pytest.approx(first.std())
    assert all(len(set(raters)) == 8 for raters in made.frame["raters"].to_list())
    assert made.is_simulated


def test_no_pair_occurs_twice_and_no_texts_are_the_same(made):
    pairs = list(zip(made.items.lefts, made.items.rights, strict=True))
    assert len(set(pairs)) == len(pairs)
    assert all(left != right for left, right in pairs)


def test_the_same_seed_makes_the_same_and_sizes_do_not_matter():
    one, other = make_opinions(pairs=50, held_out=20, seed=4), make_opinions(pairs=90, held_out=20, seed=4)
    again = make_opinions(pairs=50, held_out=20, seed=4)
    assert one.fingerprint == again.fingerprint
    for split in ("dev", "test"):
        assert one.select(split=split).frame.equals(other.select(split=split).frame)
    alone = make_opinions(pairs=50, held_out=20, seed=4, domain="trips")
    assert alone.frame["id"].is_in(one.frame["id"].to_list()).all()
    assert make_opinions(pairs=50, held_out=20, seed=5).fingerprint != one.fingerprint


def test_by_name_with_and_without_arguments():
    assert len(sim.read("sample:opinions")) == 60
    made = sim.read("sample:opinions(pairs=30, held_out=10, domain=meals, raters=3)")
    assert made.name == "sample:opinions(pairs=30, domain=meals, held_out=10, raters=3)"
    assert len(made) == 50
    assert sim.read(made.name).fingerprint == made.fingerprint


@pytest.mark.parametrize(
    ("arguments", "told"),
    [
        ("pairs=0", "cannot make opinions with pairs=0"),
        ("held_out=0", "held_out=0"),
        ("raters=1", "raters=1; give a number from 2 to 32"),
        ("seed=-1", "seed=-1"),
        ("domain=cars", "domain=cars is not valid"),
        ("size=3", "arguments of 'opinions'"),
    ],
)
def test_arguments_that_make_no_sense_are_one_line(arguments, told):
    with pytest.raises(ArgumentError) as error:
        sim.read(f"sample:opinions({arguments})")
    assert told in str(error.value)


# ------------------------------------------------------------------------------------------------------ ratings


def meetings(*of_facts: tuple[Meeting, Meeting, Meeting], feeling: int = 0) -> Meetings:
    facts = np.tile(np.arange(FACTS), (len(of_facts), 1))
    return Meetings(facts, np.array(of_facts), np.full(len(of_facts), feeling))


def test_what_people_say_by_hand():
    """Everybody is asked, so means are over the whole crowd, whose lenience is 0 and whose heart is 0.5 on average."""
    rng = np.random.default_rng(0)
    crowd = draw_crowd(rng)
    assert crowd.lenience.mean() == pytest.approx(0, abs=1e-12)
    assert crowd.heart.mean() == pytest.approx(0.5)
    same, far, vague = Meeting.SAME, Meeting.FAR, Meeting.VAGUE
    pairs = meetings((same, same, same), (far, far, far), (same, far, far), (same, vague, vague))
    weights = np.array([2.0, 1.0, 1.0])
    said = rate(rng, crowd, pairs, weights, POOL).ratings
    # All the same; nothing; the heavy fact is the same, half of all weight; one exact fact, the same, counts alone.
    expected = [HIGH, LOW, (LOW + HIGH) / 2, HIGH]
    np.testing.assert_allclose(said.mean(axis=1), expected, atol=0.2)
    spread = said.std(axis=1)
    assert spread[:3].max() < 0.35
    # Two vague facts move a rater by 1.4 x lenience, whose standard deviation is the root of a half.
    assert spread[3] == pytest.approx(1.4 * np.sqrt(0.5), abs=0.2)


def test_opposite_feelings_part_people_and_like_ones_do_not():
    rng = np.random.default_rng(0)
    crowd, exact = draw_crowd(rng), [(Meeting.SAME, Meeting.FAR, Meeting.SAME)] * 20
    like, opposite = (rate(rng, crowd, meetings(*exact, feeling=kind), np.ones(3), POOL).ratings for kind in (1, 2))
    assert opposite.std(axis=1).mean() > 1.6 * like.std(axis=1).mean()
    assert opposite.mean() < like.mean() - 0.5


def test_one_fact_at_least_is_exact():
    drawn = draw_meetings(np.random.default_rng(0), 2000, 7, 0.9)
    assert (drawn.of_facts == Meeting.VAGUE).sum(axis=1).max() == FACTS - 1


# ------------------------------------------------------------------------------------------------------ learning


def texts(benchmark: sim.Benchmark) -> list[str]:
    return [f"{left} | {right}" for left, right in zip(benchmark.items.lefts, benchmark.items.rights, strict=True)]


def test_spread_can_be_learned_from_the_words_and_not_from_the_mean(made):
    train, test = made.select(split="train"), made.select(split="test")
    words = CountVectorizer(ngram_range=(1, 2), min_df=2)
    rows = words.fit_transform(texts(train))
    learned = Ridge(3.0).fit(rows, train.gold.sigmas).predict(words.transform(texts(test)))
    by_words = spearman(learned, test.gold.sigmas)
    forest = RandomForestRegressor(100, min_samples_leaf=30, random_state=0)
    forest.fit(train.gold.scores[:, None], train.gold.sigmas)
    by_mean = spearman(forest.predict(test.gold.scores[:, None]), test.gold.sigmas)
    assert by_words > 0.5
    assert by_mean < 0.35
    assert by_words > by_mean + 0.2


def test_the_mean_goes_with_what_is_shared(made):
    shared = [
        len(set(left.split()) & set(right.split())) / len(set(left.split()) | set(right.split()))
        for left, right in zip(made.items.lefts, made.items.rights, strict=True)
    ]
    assert 0.15 < pearson(np.array(shared), made.gold.scores) < 0.6


def test_meals_are_more_contentious_than_trips(made):
    share = {name: float((made.frame.filter(domain=name)["sigma"] > 0.5).mean()) for name in DOMAINS}
    assert 0.3 < share["trips"] < share["meals"] < 0.8


def test_nothing_is_wrong_with_the_data(made):
    assert check(made).worst in (None, "note")
