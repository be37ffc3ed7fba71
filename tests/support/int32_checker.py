"""Loads the kernels so that every integer they compute is checked to fit a chip.

`install` makes imports of picograve's modules go through a rewriting of their source, on
the cpython runtime: each result of an operator must fit signed 32 bits, each index must not
be negative. (`array.array` itself refuses stores that do not fit its element type, and
indices beyond its end.) What cannot happen on 64-bit Python with big integers but would
on a chip thus raises here.
"""

import ast
import importlib.abc
import importlib.util
import sys

CHECK = "_check_int32"
CHECK_INDEX = "_check_index"


def check_int32(value, line):
    if isinstance(value, int) and not -(2**31) <= value < 2**31:
        raise OverflowError("line %d: %d leaves 32 bits" % (line, value))
    return value


def check_index(value, line):
    if isinstance(value, int) and value < 0:
        raise IndexError("line %d: negative index %d" % (line, value))
    return value


class _Checks(ast.NodeTransformer):
    """Only inside kernels: functions with the decorator @micropython.viper."""

    def __init__(self):
        self.inside = False

    def visit_FunctionDef(self, node):
        if any(ast.unparse(d) == "micropython.viper" for d in node.decorator_list):
            self.inside = True
            self.generic_visit(node)
            self.inside = False
        return node

    def visit_BinOp(self, node):
        self.generic_visit(node)
        return _call(CHECK, node, node) if self.inside else node

    def visit_UnaryOp(self, node):
        return self.visit_BinOp(node)

    def visit_AugAssign(self, node):
        self.generic_visit(node)
        if not (self.inside and isinstance(node.target, ast.Name)):
            return node  # an array checks its own stores
        load = ast.copy_location(ast.Name(node.target.id, ast.Load()), node)
        value = ast.copy_location(ast.BinOp(load, node.op, node.value), node)
        return ast.copy_location(ast.Assign([node.target], _call(CHECK, value, node)), node)

    def visit_Subscript(self, node):
        self.generic_visit(node)
        if self.inside:
            node.slice = _call(CHECK_INDEX, node.slice, node)
        return node


def _call(name, value, where):
    function = ast.Name(name, ast.Load())
    return ast.copy_location(ast.Call(function, [value, ast.Constant(where.lineno)], []), where)


class _Loader(importlib.abc.SourceLoader):
    def __init__(self, path):
        self.path = path

    def get_filename(self, name):
        return self.path

    def get_data(self, path):
        with open(path, "rb") as file:
            return file.read()

    def source_to_code(self, data, path, **_):
        tree = ast.fix_missing_locations(_Checks().visit(ast.parse(data)))
        return compile(tree, path, "exec")

    def path_stats(self, path):
        raise OSError("never cached: the code is not what the file says")

    def exec_module(self, module):
        setattr(module, CHECK, check_int32)
        setattr(module, CHECK_INDEX, check_index)
        super().exec_module(module)


class _Finder(importlib.abc.MetaPathFinder):
    def find_spec(self, name, path, target=None):
        if not name.startswith("picograve."):
            return None
        sys.meta_path.remove(self)
        try:
            spec = importlib.util.find_spec(name)
        finally:
            sys.meta_path.insert(0, self)
        if spec and not spec.submodule_search_locations:
            spec.loader = _Loader(spec.origin)
        return spec


def install():
    sys.meta_path.insert(0, _Finder())
