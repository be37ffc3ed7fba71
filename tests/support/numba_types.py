"""The types that Numba finds in a kernel: all of compiling but the machine code.

A kernel that comes from Numba's cache has no types any more, and making all of them from nothing
takes minutes.
"""

from numba.core.compiler import CompilerBase, DefaultPassBuilder, Flags, compile_extra
from numba.core.compiler_machinery import AnalysisPass, PassManager, register_pass


@register_pass(mutates_CFG=False, analysis_only=True)
class _Result(AnalysisPass):
    """What the pipeline answers instead of a compiled function."""

    _name = "types_only"

    def __init__(self):
        AnalysisPass.__init__(self)

    def run_pass(self, state):
        state.cr = dict(state.typemap)
        return True


class _TypesOnly(CompilerBase):
    def define_pipelines(self):
        passes = PassManager("types_only")
        for part in (
            DefaultPassBuilder.define_untyped_pipeline(self.state),
            DefaultPassBuilder.define_typed_pipeline(self.state),
        ):
            passes.passes.extend(part.passes)
        passes.add_pass(_Result, "answers types")
        passes.finalize()
        return [passes]


def types_in(kernel, arguments):
    """{variable: type} of a kernel that is called with arguments of these types."""
    target = kernel.targetdescr
    flags = Flags()
    target.options.parse_as_flags(flags, kernel.targetoptions)
    return compile_extra(
        target.typing_context,
        target.target_context,
        kernel.py_func,
        args=arguments,
        return_type=None,
        flags=flags,
        locals={},
        pipeline_class=_TypesOnly,
    )
