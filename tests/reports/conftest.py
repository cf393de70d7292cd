"""One browser for the pages of all tests here: to start one takes longer than most of them."""

import pytest

from reference.browser import browser_or_skip


@pytest.fixture(scope="session")
def browser():
    found = browser_or_skip()
    yield found
    found.close()
