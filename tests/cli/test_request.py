"""Requests are frozen values whose fields are the annotations of their classes."""

import pickle

import pytest

from bitext.cli.request import FrozenOptions, JobRequest, OutputRequest, request_from


class Named(FrozenOptions):
    name: str
    size: int = 3


def test_fields_without_a_default_have_to_be_given():
    assert (Named(name="a").name, Named(name="a").size) == ("a", 3)
    with pytest.raises(TypeError, match=r"missing \['name'\]"):
        Named()
    with pytest.raises(TypeError, match=r"unknown \['length'\]"):
        Named(name="a", length=1)


def test_a_request_cannot_be_changed():
    named = Named(name="a")
    with pytest.raises(AttributeError, match="frozen"):
        named.size = 4
    with pytest.raises(AttributeError, match="frozen"):
        del named.name
    assert named.replaced(size=4) == Named(name="a", size=4)
    assert named == Named(name="a")


def test_requests_are_equal_by_class_and_fields():
    assert Named(name="a") == Named(name="a", size=3)
    assert hash(Named(name="a")) == hash(Named(name="a", size=3))
    assert Named(name="a") != Named(name="b")
    assert OutputRequest() != JobRequest()
    assert repr(Named(name="a")) == "Named(name='a', size=3)"


def test_a_class_has_the_fields_of_its_bases():
    assert set(OutputRequest.fields) < set(JobRequest.fields)
    request = request_from(JobRequest, {"jobs": 2, "where": ["a"], "other": 1})
    assert (request.jobs, request.where, request.offered) == (2, ("a",), ("jobs", "where"))
    assert pickle.loads(pickle.dumps(request)) == request


def test_a_journal_without_an_option_is_refused():
    with pytest.raises(KeyError, match="jobs"):
        request_from(JobRequest, {"html": None}, ["jobs"])
