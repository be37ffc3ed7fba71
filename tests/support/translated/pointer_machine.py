"""viper's pointers on CPython: a flat memory, in which kernels can be run and compared.

`run(text, name, arguments)` runs a kernel of the text and returns its result and what is in
the buffers then. A buffer is given as a pair of its item's type and a list, (ptr8, [1, 2]).
`int` of a pointer is its address and `ptr8` of an address a pointer, as viper has it; a read
or write outside the buffers is an error, as it is not on a chip.
"""

import struct

_FORMATS = {1: "<B", 2: "<H", 4: "<i"}


class Memory:
    def __init__(self):
        self.bytes = bytearray(64)  # addresses below are no buffer's
        self.legal = set()

    def place(self, size, items):
        """A buffer of the items, aligned as MicroPython would; nothing lies beside it."""
        pointer = Pointer(self, len(self.bytes), size)
        data = b"".join(struct.pack(_FORMATS[size], item) for item in items)
        self.legal.update(range(len(self.bytes), len(self.bytes) + len(data)))
        self.bytes += data + bytes(-len(data) % 16 + 64)
        return pointer


class Pointer:
    def __init__(self, memory, address, size):
        self.memory = memory
        self.address = address
        self.size = size

    def __int__(self):
        return self.address

    def _at(self, index):
        address = self.address + index * self.size
        if not self.memory.legal.issuperset((address, address + self.size - 1)):
            raise IndexError("nothing at %d" % address)
        return self.memory.bytes, address

    def __getitem__(self, index):
        return struct.unpack_from(_FORMATS[self.size], *self._at(index))[0]

    def __setitem__(self, index, value):
        struct.pack_into(_FORMATS[self.size], *self._at(index), value)


def run(text, name, arguments):
    memory = Memory()

    def pointer_type(size):
        return lambda where: Pointer(memory, int(where), size)

    class Micropython:
        viper = staticmethod(lambda function: function)

    sizes = {"ptr8": 1, "ptr16": 2, "ptr32": 4}
    types = {kind: pointer_type(size) for kind, size in sizes.items()}
    space = dict(types, micropython=Micropython, const=lambda value: value, int=int)
    exec(text, space)
    kernel = space[name]
    given = []
    declared = kernel.__code__.co_varnames[: kernel.__code__.co_argcount]
    for argument, value in zip(declared, arguments, strict=True):
        if isinstance(value, tuple):
            value = memory.place(sizes[value[0]], value[1])
            value = kernel.__annotations__.get(argument, lambda given: given)(value)
        given.append(value)
    return kernel(*given), bytes(memory.bytes)
