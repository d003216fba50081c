"""Stop conditions as users write them."""

from __future__ import annotations

import contextlib

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from arbiter.contest.statistics.question import Better, GameCount, Precision, Question, parse_question
from arbiter.contest.statistics.sprt import Bounds
from arbiter.errors import UserError


@pytest.mark.parametrize(
    ("text", "question"),
    [
        ("better(new,old)", Better("new", "old")),
        ("better(new, old, elo0=0, elo1=5, alpha=0.05, beta=0.05)", Better("new", "old")),
        (" Better ( new , old , elo1 = 10 , elo0 = -3.5 ) ", Better("new", "old", Bounds(elo0=-3.5, elo1=10))),
        ("better(alpha=0.01,new,old)", Better("new", "old", Bounds(alpha=0.01))),
        ("better(my bot.py,greedy-2)", Better("my bot.py", "greedy-2")),
        ("better(\"a,b\", 'c(d)=e')", Better("a,b", "c(d)=e")),
        ("better(f(x),g)", Better("f(x)", "g")),
        ("precision(20)", Precision(20)),
        ("precision(7.5)", Precision(7.5)),
        ("precision(new,old,20)", Precision(20, ("new", "old"))),
        ("games(500)", GameCount(500)),
    ],
)
def test_what_can_be_asked(text: str, question: Question) -> None:
    assert parse_question(text) == question


FORMS = r"must be better\(A,B\), precision\(20\), precision\(A,B,20\) or games\(500\)"


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", FORMS),
        ("better", FORMS),
        ("better()", FORMS),
        ("better(a)", FORMS),
        ("better(a,)", FORMS),
        ("better(a,b,c)", FORMS),
        ("better(a,b", FORMS),
        ("best(a,b)", FORMS),
        ('better("a,b)', FORMS),
        ("better(a,b) now", FORMS),
        ("precision(a,20)", FORMS),
        ("precision(x)", "precision 'x': must be a number of Elo above 0"),
        ("precision(0)", "precision 0: must be a number of Elo above 0"),
        ("precision(-3)", "precision -3: must be a number of Elo above 0"),
        ("precision(nan)", "precision 'nan': must be a number of Elo above 0"),
        ("precision(20, alpha=0.1)", r"only better\(A,B\) takes elo0, elo1, alpha, beta"),
        ("games(0)", "games '0': must be a whole number, at least 1"),
        ("games(1.5)", "games '1.5': must be a whole number"),
        ("games(1e3)", "games '1e3': must be a whole number"),
        ("better(a,a)", "'a' is compared with itself; name two different agents"),
        ("better(a,b,elo2=3)", r"elo2= is unknown; better\(A,B\) takes elo0, elo1, alpha, beta"),
        ("better(a,b,elo0=1,elo0=2)", "elo0= is given twice"),
        ("better(a,b,elo1=five)", "elo1 'five': must be a number"),
        ("better(a,b,elo0=5)", "elo0=5 must be below elo1=5"),
        ("better(a,b,elo1=inf)", "elo1 'inf': must be a number"),
        ("better(a,b,alpha=0)", "alpha=0 must be above 0 and below 0.5"),
        ("better(a,b,beta=0.5)", "beta=0.5 must be above 0 and below 0.5"),
    ],
)
def test_mistakes_quote_the_question_and_say_what_is_wrong(text: str, message: str) -> None:
    with pytest.raises(UserError, match=message) as caught:
        parse_question(text)
    assert str(caught.value).startswith(f"until {text!r}: ")
    assert "\n" not in str(caught.value)


def test_agents_are_checked_if_names_are_given() -> None:
    names = ["greedy", "random"]
    assert parse_question("better(greedy,random)", names) == Better("greedy", "random")
    with pytest.raises(UserError, match="unknown agent 'gredy'; did you mean 'greedy'"):
        parse_question("better(gredy,random)", names)
    with pytest.raises(UserError, match="unknown agent 'x'; choose from greedy, random"):
        parse_question("precision(greedy,x,20)", names)


@settings(max_examples=80, deadline=None)
@given(st.text(alphabet="betr(a,b)\"'=0.5 precisong\n", max_size=30))
def test_any_text_is_a_question_or_a_mistake_of_the_user(text: str) -> None:
    with contextlib.suppress(UserError):
        assert isinstance(parse_question(text), Better | Precision | GameCount)
