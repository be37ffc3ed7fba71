"""Clients that mean harm against a real server: refused or cut, and others are served.

`python tests/play/hostile_clients.py` does far more of it.
"""

import hostile_clients
import pytest
from picograve_host.play import guard

pytestmark = pytest.mark.xdist_group("play")

MUCH = 30e6  # bytes of RAM: far less than what the clients below would make it keep


@pytest.fixture(scope="module")
def server(commands_in_c):
    with hostile_clients.victim() as server:
        assert server.plays()
        yield server


def test_wrong_origins_hosts_and_tokens_are_refused(server):
    assert all(server.refused(**wrong) for wrong in hostile_clients.wrongs(server))


def test_a_page_that_sends_too_fast_is_cut(server):
    assert server.fuzz(2000) > 0
    assert server.plays()


def test_connections_beyond_the_limit_are_cut_at_once(server):
    assert server.crowd(200) >= 200 - guard.MOST_CONNECTIONS
    assert server.plays()


def test_what_has_no_end_is_cut_and_not_kept(server):
    before = server.memory()
    for _, opening in server.openings():
        server.flood(40_000, opening)
    assert server.long_message(40_000) < 10e6
    assert server.plays()
    assert server.memory() - before < MUCH
