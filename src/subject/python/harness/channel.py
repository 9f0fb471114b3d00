"""The channel to genmorph, and the ends of calls.

All files of this folder are one program: they are put together in the order of `harness.rs`, and need nothing but the
standard library. The program has builtins of its own, so that a function that changes those of Python changes nothing here.
"""

import ast
import inspect
import os
import signal
import sys
import types
import typing
from array import array
from itertools import accumulate, chain, pairwise
from time import monotonic

BROKEN = 97

# How a row ended; `protocol.rs` has the same numbers.
RETURNED, THREW, FUEL, MEMORY, STACK, EXITED, HUNG, BAD = range(8)


class OutOfFuel(BaseException):
    """A call has used all that it may spend."""


class Stuck(BaseException):
    """A call has got nowhere for long."""


class Refused(Exception):
    """The function cannot be a subject; the message says why."""


class Unnamed(Refused):
    """A type has a name that only type checkers know, as after `if TYPE_CHECKING`."""


class Channel:
    """Frames from and to genmorph, on a descriptor that nobody else knows."""

    def __init__(self):
        self.socket = os.dup(0)
        self.errors = os.dup(2)
        nowhere = os.open(os.devnull, os.O_RDWR)
        for descriptor in (0, 1, 2):
            os.dup2(nowhere, descriptor)
        os.close(nowhere)

    def broken(self):
        """Says why this program cannot go on, and ends."""
        import traceback

        os.write(self.errors, traceback.format_exc()[-1500:].encode("utf-8", "replace"))
        os._exit(BROKEN)

    def read(self, count):
        parts = bytearray()
        while len(parts) < count:
            part = os.read(self.socket, count - len(parts))
            if not part:
                os._exit(0)
            parts += part
        return bytes(parts)

    def frame(self):
        """The next request: its kind and its body."""
        length = int.from_bytes(self.read(8), "little")
        body = self.read(length)
        return body[0], memoryview(body)[1:]

    def send(self, *parts):
        body = b"".join(parts)
        rest = memoryview(len(body).to_bytes(8, "little") + body)
        while rest:
            rest = rest[os.write(self.socket, rest) :]


class Reader:
    """Takes a frame apart, from its beginning."""

    def __init__(self, body):
        self.body = body
        self.at = 0

    def take(self, count):
        part = self.body[self.at : self.at + count]
        self.at += count
        return part

    def u32(self):
        return int.from_bytes(self.take(4), "little")

    def many(self, code, count):
        values = array(code)
        values.frombytes(self.take(count * values.itemsize))
        return values
