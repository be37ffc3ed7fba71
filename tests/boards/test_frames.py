"""Frames and parts: what arrives is what was sent, or it is known to be damaged."""

import json
import random
import subprocess
from pathlib import Path

import picograve
import pytest
from hypothesis import example, given
from hypothesis import strategies as st
from picograve.frames import (
    KINDS,
    LONGEST,
    MOST_PARTS,
    PART,
    TO_BOARD,
    TO_HOST,
    Lines,
    Message,
    cut,
    decode,
    encode,
)  # fmt: skip
from picograve_board.service import Talk

JSON = st.recursive(
    st.none() | st.booleans() | st.integers(-(2**30), 2**30) | st.text(),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(), inner, max_size=3),
    max_leaves=8,
)
MESSAGES = st.dictionaries(st.text(), JSON, max_size=6)
PAYLOADS = st.binary(max_size=PART).map(lambda data: data.translate(None, b"\n\r~^ \t\x0b\x0c"))
KIND = st.sampled_from([KINDS[i : i + 1] for i in range(len(KINDS))])


def lines_of(stream):
    lines = Lines()
    return [line for line in map(lines.add, stream) if line]


@given(KIND, st.integers(0, 255), PAYLOADS)
def test_a_frame_comes_out_as_it_went_in(kind, number, payload):
    line = encode(TO_BOARD, kind, number, payload)
    assert decode(TO_BOARD, line) == (kind, number, payload)
    assert decode(TO_HOST, line) is None  # an echo is not an answer


@given(MESSAGES)
@example({"text": "~^\n\x03"})
def test_a_message_comes_out_as_it_went_in_over_lines(message):
    stream = b"".join(encode(TO_HOST, kind, 7, part) for kind, part in cut(message))
    assert stream.isascii() and stream.replace(b"\n", b"").decode().isprintable()
    together = Message()
    for line in lines_of(stream):
        kind, _, payload = decode(TO_HOST, line)
        assert together.add(kind, payload)
    assert together.value() == message


@given(st.binary(), KIND, st.integers(0, 255), PAYLOADS)
def test_noise_before_a_frame_does_not_hide_it(noise, kind, number, payload):
    frame = encode(TO_BOARD, kind, number, payload)
    last = lines_of(noise[:LONGEST] + frame)[-1]
    assert decode(TO_BOARD, last) == (kind, number, payload)


@given(st.data(), KIND, st.integers(0, 255), PAYLOADS)
def test_a_damaged_byte_never_gives_another_frame(data, kind, number, payload):
    frame = encode(TO_BOARD, kind, number, payload)[:-1]
    place = data.draw(st.integers(0, len(frame) - 1))
    byte = data.draw(st.integers(0, 255).filter(lambda byte: byte != frame[place]))
    damaged = frame[:place] + bytes([byte]) + frame[place + 1 :]
    assert decode(TO_BOARD, damaged) in (None, (kind, number, payload))


@given(st.binary(max_size=400))
@example(b"~S0000\n")
@example(b"~" + b"S0" * 100)
def test_any_bytes_are_taken_calmly(stream):
    for line in lines_of(stream + b"\n"):
        assert len(line) <= LONGEST
        decode(TO_BOARD, line)


def test_parts_without_a_first_one_and_endless_messages_are_refused():
    message = Message()
    assert not message.add(b"M", b"{}")
    assert message.add(b"F", b"{")
    assert all(message.add(b"M", b"x") for _ in range(MOST_PARTS - 1))
    assert not message.add(b"M", b"x")


def test_only_objects_are_messages():
    message = Message()
    message.add(b"S", b"[1]")
    with pytest.raises(ValueError, match="object"):
        message.value()


class TestTheBoardsSide:
    """Talk: a line in, a line out."""

    def talk(self):
        self.requests = []
        return Talk(lambda request: self.requests.append(request) or {"heard": request}, None)

    def ask(self, talk, message, number=1):
        """A message in as many frames as it takes; the whole answer."""
        for kind, part in cut(message):
            kind, _, payload = decode(TO_HOST, talk.reply(encode(TO_BOARD, kind, number, part)))
            number += 1
        answer = Message()
        answer.add(kind, payload)
        while kind not in (b"S", b"L"):
            kind, _, payload = decode(TO_HOST, talk.reply(encode(TO_BOARD, b"N", number)))
            answer.add(kind, payload)
            number += 1
        return answer.value()

    @given(MESSAGES)
    def test_answers_a_request_of_any_length(self, message):
        assert self.ask(self.talk(), message) == {"heard": message}

    def test_without_memory_for_an_answer_it_makes_room_and_says_so(self):
        room = []

        def answer(request):
            if not room:
                raise MemoryError
            return {"heard": request}

        talk = Talk(answer, lambda: room.append(True))
        assert self.ask(talk, {"do": "play"}) == {"error": "out of memory", "code": "lost"}
        assert self.ask(talk, {"do": "setup"}, number=50) == {"heard": {"do": "setup"}}

    def test_a_repeated_line_is_answered_again_and_changes_nothing(self):
        talk = self.talk()
        frame = encode(TO_BOARD, b"S", 9, b'{"do":1}')
        assert talk.reply(frame) == talk.reply(frame) == talk.reply(frame)
        assert self.requests == [{"do": 1}]

    @given(st.lists(st.binary(min_size=1, max_size=80), max_size=20), MESSAGES)
    def test_answers_every_line_with_one_and_stays_sound(self, lines, message):
        talk = self.talk()
        for line in lines:
            assert decode(TO_HOST, talk.reply(line)) is not None
        assert self.ask(talk, message) == {"heard": message}

    @given(st.lists(st.tuples(KIND, st.integers(0, 3), PAYLOADS), max_size=20), MESSAGES)
    def test_frames_out_of_order_do_not_upset_it(self, frames, message):
        talk = self.talk()
        for kind, number, payload in frames:
            reply = talk.reply(encode(TO_BOARD, kind, number, payload))
            assert decode(TO_HOST, reply)[1] == number
        assert self.ask(talk, message, number=100) == {"heard": message}


ON_MICROPYTHON = """
import sys, binascii
sys.path[:0] = sys.argv[1:]
from picograve.frames import TO_BOARD, Lines, decode
lines = Lines()
for row in sys.stdin:
    for byte in binascii.unhexlify(row.strip()):
        line = lines.add(byte)
        if line:
            print(decode(TO_BOARD, line))
"""


def test_micropython_reads_the_same_frames_from_the_same_noise(tmp_path, unix_port):
    """The parser that fuzzing has tried above, on the interpreter that boards run."""
    source = Path(picograve.__file__).parents[1]
    dice = random.Random(1)
    rows, expected, lines = [], [], Lines()
    for _ in range(500):
        data = bytearray(
            encode(TO_BOARD, b"S", dice.randrange(256), json.dumps(dice.random()).encode())
        )
        for _ in range(dice.randrange(4)):
            data[dice.randrange(len(data))] = dice.randrange(256)
        rows.append(bytes(data).hex())
        expected += [repr(decode(TO_BOARD, line)) for line in map(lines.add, data) if line]
    script = tmp_path / "frames.py"
    script.write_text(ON_MICROPYTHON)
    answer = subprocess.run(
        [unix_port, str(script), str(source)], input="\n".join(rows), capture_output=True, text=True
    )
    assert answer.stderr == ""
    assert answer.stdout.split("\n")[:-1] == expected
