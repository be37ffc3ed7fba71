"""tools/go_playout.c as a native module: what the C of our kernels is measured against on a chip.

    compiled(arch)    the bytes of yardstick.mpy, with one function: play(playouts, seed)

Compiled by the same GCC with the same flags as kernels (module.py).
"""

from pathlib import Path

from picograve_tools import mpy
from picograve_tools.cache import say_on_stderr
from picograve_tools.native import module

GAME = "go9"  # that go_playout.c plays
SOURCE = Path(__file__).parents[1] / "go_playout.c"
# GCC copies structs by these two.
TEXT = """\
#define GO_PLAYOUT_ONLY
%(header)s
void *memcpy(void *to, const void *from, size_t count) {
    copy_bytes(to, from, count);
    return to;
}

void *memset(void *to, int value, size_t count) {
    for (size_t i = 0; i < count; i++) {
        ((uint8_t *)to)[i] = value;
    }
    return to;
}

%(source)s
static mp_obj_t play(mp_obj_t playouts, mp_obj_t seed) {
    return number(half_points_of(number_of(playouts), number_of(seed)));
}
static MP_DEFINE_CONST_FUN_OBJ_2(play_object, play);

mp_obj_t mpy_init(mp_obj_fun_bc_t *self, size_t n_args, size_t n_kw, mp_obj_t *args) {
    MP_DYNRUNTIME_INIT_ENTRY
    mp_store_global(MP_QSTR_play, MP_OBJ_FROM_PTR(&play_object));
    MP_DYNRUNTIME_INIT_EXIT
}
"""


def compiled(arch, say=say_on_stderr):
    text = TEXT % dict(header=module.HEADER.read_text(), source=SOURCE.read_text())
    nothing_else = mpy.compiled("", "yardstick.py", arch)
    return module.merged(text, nothing_else, arch, module.linker(say), say)
