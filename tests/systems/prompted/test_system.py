import json

import numpy as np
import polars as pl
import pytest

import similitude as sim
from similitude.data import Items, Scale
from similitude.data.item import ITEM_SCHEMA, with_all_columns
from similitude.data.protocols import Tells, UsesAnswers, UsesModel
from similitude.errors import ArgumentError, InputError, ScaleError
from similitude.gold.aggregation import make_gold
from similitude.models.language.protocol import ModelAnswer
from similitude.study.folder import RunFolder
from similitude.systems import make_system
from similitude.systems.prompted.answer_parser import replacement
from similitude.systems.prompted.system import Prompted

PAIRS = Items.from_pairs(["one", "two", "three", "four"], ["eins", "zwei", "drei", "vier"])
FIVE = Scale(low=1, high=5)


def items(**columns) -> Items:
    frame = pl.DataFrame({"id": [str(n) for n in range(len(columns["left"]))], **columns}, strict=False)
    return Items(with_all_columns(frame, ITEM_SCHEMA))


def by_left(**answers: str):
    """Says what the test wants of the pair whose left text this is."""

    def says(question):
        query = question.messages[-1].content
        return next(answer for left, answer in answers.items() if f"Text 1: {left}\n" in query)

    return says


class TestAnswers:
    def test_numbers_are_read_and_what_is_none_is_replaced(self, scripted, notes):
        says = by_left(one="4", two="No idea.", three="7", four="I say 2.")
        system = Prompted("m", opened=scripted(says)).with_listener(notes)
        judged = system.judge(PAIRS)
        drawn = [replacement(PAIRS[place], FIVE, seed=0) for place in (1, 2)]
        assert judged.predictions.scores.tolist() == [4, *drawn, 2]
        assert judged.predictions.invalid.tolist() == [0, 1, 1, 0]
        assert judged.predictions.sigmas is None
        tally = judged.tally
        assert (tally.answers, tally.invalid, tally.off_scale, tally.prose, tally.cut) == (4, 2, 0, 1, 0)
        assert tally.share("invalid") == 0.5
        assert notes.texts == [
            "2 of 4 answers (50 %) contained no number on the scale and were replaced by a random draw from the scale",
            "1 of 4 answers (25 %) contained words or other numbers around the score",
        ]

    def test_the_templates_of_c_sts_keep_what_is_off_the_scale_as_the_paper_does(self, scripted, notes):
        wanted = Prompted("m", opened=scripted(lambda question: "7"), template="csts-none").with_listener(notes)
        judged = wanted.judge(items(left=list("abcd"), right=list("efgh"), condition=["size"] * 4))
        assert judged.predictions.scores.tolist() == [7] * 4
        assert (judged.tally.invalid, judged.tally.off_scale) == (0, 4)
        assert notes.texts == [
            "4 of 4 answers (100 %) contained a number off the scale, which was kept, as in the paper"
        ]

    def test_empty_and_cut_answers_are_counted(self, scripted, notes):
        says = by_left(
            one=ModelAnswer("", finish="length"), two="3", three=ModelAnswer("4 beca", finish="length"), four=" "
        )
        tally = Prompted("m", opened=scripted(says), listener=notes).judge(PAIRS).tally
        assert (tally.empty, tally.invalid, tally.cut) == (2, 2, 2)
        assert "(2 were empty)" in notes.texts[0]

    def test_an_item_s_score_depends_on_nothing_but_the_item(self, scripted):
        says = by_left(one="4", two="?", three="?", four="2")
        system = Prompted("m", opened=scripted(says), seed=3)
        whole = system.score(PAIRS).scores
        order = np.array([2, 0, 3])
        assert system.score(PAIRS.take(order)).scores.tolist() == whole[order].tolist()
        assert len(set(whole.tolist())) == 4

    def test_no_items(self, scripted):
        for by in ("answer", "expected", "raters"):
            weighs = None if by != "expected" else (lambda choice: [0.0] * 5)
            assert len(Prompted("m", by=by, opened=scripted(weighs=weighs)).score(PAIRS.take(np.array([], int)))) == 0

    def test_the_scale_is_asked_for_and_declared(self, scripted):
        model = scripted()
        system = Prompted("m", opened=model, scale="0..100")
        system.score(PAIRS)
        assert "from 0 (unrelated) to 100" in model.asked[0].messages[0].content
        assert system.range.same_ends(Scale(low=0, high=100))

    def test_what_is_told_can_be_left_out(self, scripted):
        model = scripted()
        data = items(left=["Yes."], right=["No."], context=[["Tea?", "Yes."]], condition=["politeness"])
        assert Prompted("m", opened=model).reads == {"context", "condition"}
        Prompted("m", opened=model).score(data)
        bare = Prompted("m", opened=model, context=False, condition=False)
        bare.score(data)
        assert bare.reads == frozenset()
        told, untold = (question.messages[-1].content for question in model.asked)
        assert "Tea?" in told
        assert "politeness" in told
        assert untold == "Text 1: Yes.\nText 2: No.\nScore:"

    def test_settings_reach_the_question(self, scripted):
        model = scripted()
        Prompted("m", opened=model, temperature=0.5, top_p=0.9, longest=7, seed=2).score(PAIRS.take(np.array([0])))
        (question,) = model.asked
        assert (question.settings.temperature, question.settings.top_p, question.settings.longest) == (0.5, 0.9, 7)
        assert question.draw == 2_000_000
        assert question.settings.stop == ()

    def test_a_model_without_chat_gets_one_text(self, scripted):
        model = scripted(is_chat=False)
        Prompted("m", opened=model).score(PAIRS.take(np.array([0])))
        (question,) = model.asked
        assert len(question.messages) == 1
        assert question.messages[0].content.endswith("Score:")
        assert question.settings.stop == ("\n\n",)

    def test_a_template_of_one_s_own(self, scripted, tmp_path):
        (tmp_path / "own.txt").write_text("{left} = {right}?")
        model = scripted()
        system = Prompted("m", opened=model, template=str(tmp_path / "own.txt"))
        system.score(PAIRS.take(np.array([0])))
        assert model.asked[0].messages == (("user", "one = eins?"),)
        before = system.model_fingerprint()
        (tmp_path / "own.txt").write_text("{left} ~ {right}?")
        assert system.model_fingerprint() != before


class TestShots:
    def test_examples_come_from_a_file_on_the_scale_that_is_asked_for(self, scripted, tmp_path):
        path = tmp_path / "train.csv"
        path.write_text("left,right,score\na,b,0\nc,d,5\ne,f,0\n")
        model = scripted()
        system = Prompted("m", opened=model, shots=2, examples=str(path))
        system.score(PAIRS)
        for question in model.asked:
            roles = [message.role for message in question.messages]
            assert roles == ["system", "user", "assistant", "user", "assistant", "user"]
            answers = {question.messages[1].content[8]: question.messages[2].content}
            answers |= {question.messages[3].content[8]: question.messages[4].content}
            # 0..5 to 1..5: 0 becomes 1 and 5 stays 5
            assert all(answers[left] == {"a": "1", "c": "5", "e": "1"}[left] for left in answers)
        before = system.model_fingerprint()
        path.write_text("left,right,score\na,b,0\nc,d,4\ne,f,0\n")
        assert system.model_fingerprint() != before

    def test_the_same_before_all_queries(self, scripted):
        model = scripted()
        data = sim.read("sample:conditions")
        Prompted("m", opened=model, shots=4, examples="sample:conditions").score(data.items)
        prefixes = [question.messages[:-1] for question in model.asked]
        usual = max(prefixes, key=prefixes.count)
        # two of forty pairs are the examples: their own four queries see another in its place
        assert sum(prefix == usual for prefix in prefixes) == len(data) - 4
        for question, (item, _) in zip(model.asked, data, strict=True):
            shown = " ".join(message.content for message in question.messages[:-1])
            assert item.left not in shown
            assert item.right not in shown

    def test_shots_need_examples_and_whole_pairs(self, scripted):
        with pytest.raises(ArgumentError, match="2 shots need data"):
            Prompted("m", opened=scripted(), shots=2)
        odd = Prompted("m", opened=scripted(), shots=3, examples="sample:conditions")
        with pytest.raises(ArgumentError, match="would split a pair"):
            odd.score(PAIRS)


class TestExpected:
    def test_probabilities_of_levels_make_mean_and_spread(self, scripted, notes):
        # 1..5 with .1, 0, 0, .1, .2: mean (.1 + .4 + 1) / .4 = 3.75,
        # variance (.1 * 2.75^2 + .1 * .25^2 + .2 * 1.25^2) / .4
        with np.errstate(divide="ignore"):
            logs = np.log([0.1, 0, 0, 0.1, 0.2]).tolist()
        model = scripted(weighs=lambda choice: logs)
        judged = Prompted("m", by="expected", opened=model, listener=notes).judge(PAIRS)
        assert judged.predictions.scores == pytest.approx(np.full(4, 3.75))
        assert judged.predictions.sigmas == pytest.approx(np.full(4, np.sqrt((0.75625 + 0.00625 + 0.3125) / 0.4)))
        assert judged.predictions.invalid.tolist() == [0] * 4
        assert model.asked[0].options == ("1", "2", "3", "4", "5")
        assert notes.texts == ["the levels 1, 2, 3, 4, 5 had 40 % of the probability on average, and 40 % at least"]

    def test_options_bring_their_space_where_one_belongs(self, scripted):
        model = scripted(weighs=lambda choice: [0.0] * 5, is_chat=False)
        Prompted("m", by="expected", opened=model).score(PAIRS.take(np.array([0])))
        assert model.asked[0].options == (" 1", " 2", " 3", " 4", " 5")
        chinese = items(left=["猫"], right=["狗"], language=["zh"])
        Prompted("m", by="expected", opened=model).score(chinese)
        assert model.asked[1].options == ("1", "2", "3", "4", "5")

    def test_first_tokens_where_nothing_is_weighed(self, scripted, notes):
        first = (("4", np.log(0.3)), (" 2", np.log(0.1)), ("The", np.log(0.6)))
        says = by_left(
            one=ModelAnswer("4", first=first), two=ModelAnswer("x", first=(("x", -0.1),)), three="3", four="3"
        )
        model = scripted(says)
        system = Prompted("m", by="expected", opened=model, listener=notes)
        judged = system.judge(PAIRS.take(np.array([0, 1])))
        # 3/4 * 4 + 1/4 * 2; the second has no level among its first tokens
        assert judged.predictions.scores[0] == pytest.approx(3.5)
        assert judged.predictions.scores[1] == replacement(PAIRS[1], FIVE, 0)
        assert judged.predictions.sigmas == pytest.approx([np.sqrt(0.75), 4 / np.sqrt(12)])
        assert judged.predictions.invalid.tolist() == [0, 1]
        assert (model.asked[0].alternatives, model.asked[0].settings.longest) == (20, 1)

    def test_an_endpoint_that_shows_no_probabilities(self, scripted):
        with pytest.raises(ArgumentError, match="use by=answer"):
            Prompted("m", by="expected", opened=scripted()).score(PAIRS)

    def test_levels_of_several_digits_need_likelihoods(self, scripted):
        system = Prompted("m", by="expected", scale="0..1", opened=scripted())
        with pytest.raises(ArgumentError, match=r"do not distinguish levels such as 1.0"):
            system.score(PAIRS)

    def test_examples_show_levels(self, scripted):
        model = scripted(weighs=lambda choice: [0.0] * 5)
        Prompted("m", by="expected", opened=model, shots=2, examples="sample:opinions").score(PAIRS)
        shown = [message.content for message in model.asked[0].messages if message.role == "assistant"]
        assert set(shown) <= set("12345")


class TestRaters:
    def test_every_persona_is_asked_and_what_they_say_is_kept(self, scripted):
        def says(question):
            return "5" if "nurse" in question.messages[0].content else "2"

        model = scripted(says)
        judged = Prompted("m", by="raters", opened=model).judge(PAIRS.take(np.array([0])))
        samples = judged.predictions.samples
        assert samples.shape == (1, 10)
        assert sorted(samples[0].tolist()) == [2.0] * 9 + [5.0]
        # mean (9 * 2 + 5) / 10, variance of one 5 among ten: 9 * .1 * .9
        assert judged.predictions.scores == pytest.approx([2.3])
        assert judged.predictions.sigmas == pytest.approx([np.sqrt(0.81)])
        assert len({question.messages[0].content for question in model.asked}) == 10
        assert {question.settings.temperature for question in model.asked} == {1.0}

    def test_more_raters_than_personas_and_none_at_all(self, scripted):
        model = scripted()
        Prompted("m", by="raters", raters=12, opened=model).score(PAIRS.take(np.array([0])))
        assert [question.draw for question in model.asked] == [0] * 10 + [1] * 2
        model.asked.clear()
        Prompted("m", by="raters", raters=3, personas=None, opened=model, seed=1).score(PAIRS.take(np.array([0])))
        assert [question.draw for question in model.asked] == [1_000_000, 1_000_001, 1_000_002]
        assert len({question.messages for question in model.asked}) == 1

    def test_personas_speak_the_item_s_language(self, scripted):
        model = scripted()
        Prompted("m", by="raters", raters=1, opened=model).score(items(left=["a"], right=["b"], language=["de"]))
        assert "Grundschullehrerin" in model.asked[0].messages[0].content

    def test_asking_the_same_again_at_temperature_0_is_refused(self, scripted):
        for options in ({"raters": 11}, {"raters": 2, "personas": None}):
            system = Prompted("m", by="raters", temperature=0, opened=scripted(), **options)
            with pytest.raises(ArgumentError, match="at temperature 0 would repeat the same answers"):
                system.score(PAIRS)

    def test_an_unread_rating_is_left_out_and_only_an_item_without_any_is_replaced(self, scripted):
        def says(question):
            if "Text 1: two" in question.messages[-1].content:
                return "?"
            return "4" if question.draw else "none"

        system = Prompted("m", by="raters", raters=2, personas=None, opened=scripted(says))
        found = system.score(PAIRS.take(np.array([0, 1])))
        assert found.scores[0] == 4
        assert found.scores[1] == replacement(PAIRS[1], FIVE, 0)
        assert found.sigmas == pytest.approx([0, 4 / np.sqrt(12)])
        assert found.invalid.tolist() == [0.5, 1]

    def test_the_same_code_adds_up_simulated_ratings_and_those_of_people(self, scripted):
        system = Prompted(
            "m", by="raters", raters=5, personas=None, opened=scripted(lambda q: str(1 + len(str(q)) * q.draw % 5))
        )
        judged, made = system.score(PAIRS), make_gold(system.judgements(PAIRS))
        assert made.gold.scores == pytest.approx(judged.scores)
        assert made.gold.sigmas == pytest.approx(judged.sigmas)
        assert made.is_simulated
        with pytest.raises(ArgumentError, match="have no samples"):
            Prompted("m", opened=scripted()).judgements(PAIRS)


class TestRemembering:
    def test_nothing_is_asked_twice(self, scripted, memory):
        model = scripted(by_left(one="1", two="2", three="3", four="4"))
        system = Prompted("m", opened=model).with_answers(memory)
        first = system.score(PAIRS).scores.tolist()
        assert len(model.asked) == 4
        assert system.score(PAIRS.take(np.arange(4)[::-1].copy())).scores.tolist() == first[::-1]
        assert len(model.asked) == 4

    def test_a_dry_run_counts_what_is_left(self, scripted, memory):
        model = scripted(lambda question: "3")
        prices = {"price_in": 1.0, "price_out": 10.0}
        system = Prompted("m", url="http://localhost/v1", instruction=None, longest=5, **prices)
        system = system.with_model(model).with_answers(memory)
        system.score(PAIRS.take(np.array([0, 1])))
        model.asked.clear()
        found = system.estimate(PAIRS)
        # "Text 1: x\nText 2: y\nScore:" has 7 words
        assert (found.prompts, found.cached, found.tokens_in, found.tokens_out_at_most) == (4, 2, 14, 10)
        assert found.cost == pytest.approx((14 * 1 + 10 * 10) / 1e6)
        assert found.longest == 12
        assert model.asked == []
        assert "4 prompts, 2 of them cached; about 14 tokens" in str(found)

    def test_a_dry_run_of_choices(self, scripted):
        system = Prompted("m", by="expected", instruction=None, opened=scripted(weighs=lambda choice: [0.0] * 5))
        found = system.estimate(PAIRS)
        assert (found.prompts, found.tokens_out_at_most, found.cost) == (4, 0, None)


class TestMaking:
    @pytest.mark.parametrize(
        "written",
        [
            "prompted(gpt, url=http://localhost:8080/v1)",
            "prompted(./folder, by=expected, scale=0..5)",
            "prompted(m, instruction=none, shots=2, examples='pairs.csv')",
            "prompted(m, by=expected, levels=(1.0, 3.0, 5.0))",
            "prompted(m, by=raters, raters=4, personas=none, temperature=0.7, language=de)",
        ],
    )
    def test_is_rebuilt_from_its_identity(self, written):
        made = make_system(written)
        assert isinstance(made, Prompted)
        assert make_system(str(made.identity)) == made
        assert all(isinstance(made, shape) for shape in (UsesAnswers, Tells, UsesModel))
        json.dumps(dict(made.identity.keywords))

    @pytest.mark.parametrize(
        ("written", "said"),
        [
            ("prompted(m, by=guess)", "by=guess is not valid"),
            ("prompted(m, shots=-1)", "shots=-1 is not valid"),
            ("prompted(m, longest=0)", "longest=0"),
            ("prompted(m, top_p=0)", "top_p=0"),
            ("prompted(m, temperature=-1)", "temperature=-1"),
            ("prompted(m, seed=-1)", "seed=-1"),
            ("prompted(m, levels=(1, 2))", "levels apply to by=expected"),
            ("prompted(m, by=expected, scale=0..10)", "has no default levels"),
            ("prompted(m, template=x.txt, instruction=long)", "a template contains its own instruction"),
            ("prompted(m, concurrency=3)", "concurrency applies to a model at an endpoint; give url"),
            ("prompted(m, url=http://localhost/v1, device=cpu)", "device applies to a model on this machine"),
            ("prompted(m, url=http://localhost/v1, price_in=-1)", "price_in=-1 is no price; give price_in per million"),
            ("prompted()", "missing a required argument: 'model'"),
        ],
    )
    def test_what_cannot_be_meant(self, written, said):
        with pytest.raises(ArgumentError, match=said.replace("(", r"\(").replace(")", r"\)")):
            make_system(written)

    def test_a_scale_that_is_none(self):
        with pytest.raises(ScaleError):
            make_system("prompted(m, scale=high)")

    def test_files_that_are_not_there(self, scripted):
        for options in ({"template": "none.txt"}, {"by": "raters", "personas": "none.txt"}):
            with pytest.raises(InputError):
                Prompted("m", opened=scripted(), **options).score(PAIRS)

    def test_the_fingerprint_follows_the_model(self, scripted):
        one, other = (Prompted("m", opened=scripted(name=name)).model_fingerprint() for name in ("a", "b"))
        assert one != other

    def test_arguments_are_those_of_the_endpoint(self):
        import inspect
        from typing import get_args

        from similitude.models.language.endpoint import Constrain as Theirs
        from similitude.models.language.endpoint import open_endpoint
        from similitude.systems.prompted.language_model_system import _AT_ENDPOINT, Constrain

        theirs = inspect.signature(open_endpoint).parameters
        assert set(_AT_ENDPOINT) == set(theirs) - {"model", "url", "api"}
        made = Prompted("m")
        assert all(getattr(made, name) == theirs[name].default for name in _AT_ENDPOINT)
        assert set(get_args(Constrain)) == set(get_args(Theirs))

    def test_the_endpoint_is_opened_with_the_arguments(self):
        made = make_system("prompted(gpt, url=http://localhost:1/v1, concurrency=3, format=text, window=99)")
        model = made.language_model
        assert (model.endpoint.model, model.endpoint.concurrency, model.endpoint.api) == ("gpt", 3, "completions")
        assert model.window == 99
        assert made.language_model is model


class TestInAStudy:
    def test_shares_of_invalid_answers_and_samples_survive_in_the_folder(self, scripted, tmp_path):
        data = sim.read("sample:opinions")

        def says(question):
            return "?" if question.draw == 1 else str(1 + len(question.messages[-1].content) % 5)

        model = scripted(says)
        system = Prompted("m", by="raters", raters=3, personas=None, scale="0..5", opened=model)
        run = sim.run(
            data, [system, "levenshtein"], ["pearson", "kl", "sigma_spearman"], resamples=0, out=tmp_path / "r"
        )
        found = RunFolder(tmp_path / "r").predictions(run.systems[0]).predictions
        assert found.samples.shape == (60, 3)
        assert found.invalid == pytest.approx(np.full(60, 1 / 3))
        assert any("33.3 %" in note and "contained no number" in note for note in run.systems[0].notes)
        before = len(model.asked)
        again = sim.run(data, [system], ["pearson"], resamples=0, out=tmp_path / "r")
        assert len(model.asked) == before
        assert again.predictions[0].invalid == pytest.approx(np.full(60, 1 / 3))
        assert run.predictions[1].invalid is None
