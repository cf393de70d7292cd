"""Machine code of functions that numba compiles, kept on the disk and loaded without numba.

numba compiles the functions of a module once on a machine. Their code is kept in an object file
beside the module, or in the user's cache folder, and llvmlite alone loads it: in a twentieth of a
second, where numba takes half a second and 100 MB (scripts/bench/align_profile.md).

A function that is compiled like this allocates no array, raises no error, and calls functions of
numpy alone. It gets numbers, arrays that are contiguous, and tuples of arrays; it returns an
integer of 0 or more, or nothing. Its arguments are compared with the types that it is compiled for,
in the machine code, which reads data and shapes of arrays from their objects. `runs_object_code`
checks the layout of these objects.

This was tried with Linux on x86-64 alone, and is done there alone: elsewhere object files and
memory for code are of other kinds. numba loads its own code there (`kernel_groups.load_functions`).
"""

from __future__ import annotations

import ctypes
import hashlib
import json
import operator
import os
import platform
import re
import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import suppress
from importlib.util import cache_from_source
from pathlib import Path
from types import CodeType
from typing import Any, NamedTuple

import numpy as np

# Places in the object of an array of CPython, in words of 64 bits: its type, data, number of
# dimensions (32 bits), shape, data type and flags (32 bits).
_TYPE, _DATA, _DIMENSIONS, _SHAPE, _DTYPE, _FLAGS, _WORDS = 1, 2, 3, 4, 7, 8, 9
_READ, _WRITTEN = 0x101, 0x501  # flags: contiguous and aligned; writeable, too

_CONSTANT = int, float, str, dict  # the types of constants of modules
_ROOM = 1 << 18  # bytes: more than an object file has

# Options of numba: no code for calls from Python, as no such calls are made.
_BARE = {
    "error_model": "numpy",
    "no_cpython_wrapper": True,
    "no_cfunc_wrapper": True,
    "_nrt": False,
}

# Names that compiled code refers to where it would report an error, besides those of LLVM itself.
_REPORTS_ERRORS = r"llvm\.|mem|Py|numba_(gil_|do_raise|runtime_|unpickle)|NRT_(?!.*alloc)"

_engines: list[Any] = []  # the loaded code, which must outlive the functions


class ArrayType(NamedTuple):
    """The type of an argument: an array, and whether it is written to."""

    kind: str  # a data type of numpy, such as `i8`
    dimensions: int
    is_written: bool = False


# The type of an argument: `i8`, `f8` or `f4` for a number, an array, or a tuple of arrays.
Type = str | ArrayType | tuple[ArrayType, ...]
Function = Callable[..., Any]
Signatures = Mapping[str, tuple[Function, Sequence[Type]]]


def read(kind: str, dimensions: int = 1) -> ArrayType:
    """Return the type of an array that is only read."""
    return ArrayType(kind, dimensions)


def written(kind: str, dimensions: int = 1) -> ArrayType:
    """Return the type of an array that is written to."""
    return ArrayType(kind, dimensions, is_written=True)


def object_functions(
    signatures: Signatures, *, folders: Sequence[Path] | None = None, compiles: bool = True
) -> dict[str, Function] | None:
    """Load functions of a module, which are compiled if they are not on the disk.

    `signatures` has for each name a function, and the types of its arguments. `folders` are the
    folders for the object file, of which the first one that can be used is; by default the one of
    the module's byte code, and the user's cache folder. Without `compiles` functions whose code is
    not on the disk are not compiled, and None is returned.

    Returns None where they cannot be loaded: without llvmlite, without numba if the functions have
    to be compiled, or without a folder for their code.
    """
    if is_switched_off() or not runs_object_code():
        return None
    try:
        return _object_functions(signatures, folders, compiles=compiles)
    # An error of any kind: llvmlite or numba is not installed, or does not know the numpy that is;
    # a module of the user has the name of one that they import; the system forbids to run code
    # that is made. Results are the same without compiled functions.
    except Exception:  # noqa: BLE001
        return None


def _object_functions(
    signatures: Signatures, folders: Sequence[Path] | None, *, compiles: bool
) -> dict[str, Function] | None:
    import llvmlite  # takes 40 ms
    import llvmlite.binding as llvm

    llvm.check_jit_execution()
    llvm.initialize_native_target()
    llvm.initialize_native_asmprinter()
    machine, described = _machine(llvm)
    source = Path(next(iter(signatures.values()))[0].__globals__["__file__"])
    byte_code = Path(cache_from_source(str(source)))
    # Files of other processors, versions and installations have other names: none replaces another.
    name = f"{byte_code.stem}.{_digest(described, llvmlite.__version__, str(source))}.o"
    key = _key(signatures)
    paths = [folder / name for folder in folders or _folders(byte_code)]
    for path in paths:
        if (code := _kept(path, key)) is not None:
            return _loaded(llvm, machine, code, signatures)
    if compiles and (place := next(filter(_has_room, paths), None)):
        code = _compile(llvm, machine, signatures)
        _keep(place, key, code)
        return _loaded(llvm, machine, code, signatures)
    return None


def has_loaded() -> bool:
    """Check whether this process has loaded machine code."""
    return bool(_engines)


def is_switched_off() -> bool:
    """Check whether the environment variable `BITEXT_COMPILED` is 0."""
    return os.environ.get("BITEXT_COMPILED") == "0"


def runs_object_code() -> bool:
    """Check that code may be loaded here, and that arrays are laid out as described above."""
    if (platform.system(), platform.machine()) != ("Linux", "x86_64"):
        return False
    if sys.implementation.name != "cpython" or object.__basicsize__ != _DATA * 8:
        return False
    if ctypes.sizeof(ctypes.c_void_p) != 8:
        return False
    array = np.arange(6, dtype=np.int32).reshape(2, 3)
    words = (ctypes.c_int64 * _WORDS).from_address(id(array))
    halves = (ctypes.c_int32 * (2 * _WORDS)).from_address(id(array))
    known = words[_TYPE], words[_DATA], halves[2 * _DIMENSIONS], words[_DTYPE]
    if known != (id(np.ndarray), array.ctypes.data, 2, id(array.dtype)):
        return False
    shape = (ctypes.c_int64 * 2).from_address(words[_SHAPE])
    return tuple(shape) == (2, 3) and halves[2 * _FLAGS] == array.flags.num


def _digest(*parts: str | bytes) -> str:
    digest = hashlib.blake2b(digest_size=12)
    for part in parts:
        content = part.encode("utf-8", "surrogatepass") if isinstance(part, str) else part
        digest.update(len(content).to_bytes(8, "little") + content)
    return digest.hexdigest()


def _machine(llvm: Any) -> tuple[Any, str]:
    """Return LLVM's description of this processor, and a string that names it."""
    triple, cpu = llvm.get_process_triple(), llvm.get_host_cpu_name()
    features = llvm.get_host_cpu_features().flatten()
    # The options that numba has for x86-64, in `numba.core.codegen`.
    machine = llvm.Target.from_triple(triple).create_target_machine(
        cpu=cpu, features=features, opt=3, reloc="static", codemodel="jitdefault", jit=True
    )
    return machine, repr((triple, cpu, features))


def _key(signatures: Signatures) -> str:
    """Return a digest of functions in memory, and of the functions here that compile them.

    Source files may be newer than this process, or missing.
    """
    own = _machine, _compile, _library, _numba_types, _flat, _entry, _word, _refuse_others, _array
    known = [
        (name, types, _described(function.__code__, function.__globals__))
        for name, (function, types) in signatures.items()
    ]
    described = [_described(one.__code__, globals()) for one in (*own, _closed)]
    return _digest(repr((known, described)))


def _described(code: CodeType, names: Mapping[str, Any]) -> tuple[Any, ...]:
    """Return byte code, constants and names of a function, and constants outside that it names."""
    constants = [
        _described(one, names) if isinstance(one, CodeType) else one for one in code.co_consts
    ]
    outside = {one: names[one] for one in code.co_names if isinstance(names.get(one), _CONSTANT)}
    return code.co_code, constants, code.co_names, outside


# The object file: a line with a digest of the key and the rest, a line of JSON with the names of
# the functions, and the code. With this digest it is whole, and what this version has written.


class _Code(NamedTuple):
    names: dict[str, str]  # of each function, that of its entry in the code
    code: bytes


def _folders(byte_code: Path) -> Iterator[Path]:
    yield byte_code.parent
    if (cache := Path(os.environ.get("XDG_CACHE_HOME", ""))).is_absolute():
        yield cache / "bitext"
    else:
        with suppress(RuntimeError):  # no home
            yield Path.home() / ".cache" / "bitext"


def _kept(path: Path, key: str) -> _Code | None:
    try:
        digest, _, rest = path.read_bytes().partition(b"\n")
    except OSError:
        return None
    if digest != _digest(key, rest).encode():
        return None
    names, _, code = rest.partition(b"\n")
    return _Code(json.loads(names), code)


def _own(path: Path) -> Path:
    """Return the path of a file that this process alone writes."""
    return path.with_name(f"{path.name}.{os.getpid()}")


def _has_room(path: Path) -> bool:
    """Check that a file can be written, since to compile functions in vain takes many seconds."""
    own = _own(path)
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        own.write_bytes(bytes(_ROOM))
    except OSError:
        return False
    finally:
        with suppress(OSError):
            own.unlink()
    return True


def _keep(path: Path, key: str, code: _Code) -> None:
    """Write an object file, at once for other processes."""
    rest = json.dumps(code.names).encode() + b"\n" + code.code
    own = _own(path)
    try:
        own.write_bytes(_digest(key, rest).encode() + b"\n" + rest)
        own.replace(path)
    except OSError:  # the room is gone: a later process writes it
        with suppress(OSError):
            own.unlink()


# Compiling.


def _compile(llvm: Any, machine: Any, signatures: Signatures) -> _Code:
    """Compile functions by numba.

    numba's decorators would also compile the entries of functions from Python, and emit code for
    this process, which does not run it: all kernels would take 24 s of CPU instead of 16.
    """
    from numba.core import compiler  # takes half a second
    from numba.core.compiler_lock import global_compiler_lock
    from numba.core.registry import cpu_target

    typing, context = cpu_target.typing_context, cpu_target.target_context
    flags = compiler.Flags()
    cpu_target.options.parse_as_flags(flags, _BARE)
    flags.no_compile = True  # until the entry is there
    names, together = {}, llvm.parse_assembly("")
    with global_compiler_lock:
        for name, (function, types) in signatures.items():
            kinds, library = _numba_types(types), _library(context.codegen(), name)
            compiled = compiler.compile_extra(
                typing, context, function, kinds, None, flags, {}, library
            )
            names[name] = f"bitext_{name}"
            entry = _entry(names[name], types, compiled, returns=_returns(function))
            library.add_ir_module(entry)
            for one in library.get_defined_functions():
                if one.name != names[name]:
                    one.linkage = "internal"  # the entry alone calls it, and it becomes part of it
            library.finalize()
            together.link_in(llvm.parse_assembly(_closed(library.get_llvm_str())))
    return _Code(names, machine.emit_object(together))


def _library(codegen: Any, name: str) -> Any:
    """Return an empty library of numba, whose code is optimised and not emitted."""
    from numba.core.codegen import JITCodeLibrary

    class Library(JITCodeLibrary):  # type: ignore[misc] # no types are known of numba
        def _finalize_final_module(self) -> None:
            self._finalized = True

    return Library(codegen, name)


def _numba_types(types: Sequence[Type]) -> tuple[Any, ...]:
    import numba

    def of(kind: Any) -> Any:
        if _is_tuple(kind):
            return numba.types.BaseTuple.from_types([of(one) for one in kind])
        if not isinstance(kind, ArrayType):
            return numba.from_dtype(np.dtype(kind))
        return numba.types.Array(numba.from_dtype(np.dtype(kind.kind)), kind.dimensions, "C")

    return tuple(of(kind) for kind in types)


def _flat(types: Sequence[Type]) -> list[Any]:
    return [one for kind in types for one in (kind if _is_tuple(kind) else [kind])]


def _is_tuple(kind: Type) -> bool:
    return isinstance(kind, tuple) and not isinstance(kind, ArrayType)


def _returns(function: Function) -> bool:
    return function.__annotations__["return"] not in ("None", None)


def _entry(name: str, types: Sequence[Type], compiled: Any, *, returns: bool) -> Any:
    """Return code of a function of addresses that calls a compiled one with arrays.

    It returns -1 - k if argument k is no array of its type. Its first argument is the address of
    the addresses of numpy's type of arrays and of the data type of each argument.
    """
    from llvmlite import ir
    from numba.core.types import int64

    context, signature, flat = compiled.target_context, compiled.signature, _flat(types)
    word, double = ir.IntType(64), ir.DoubleType()
    module = compiled.library.create_ir_module(name)
    inputs = [word, *(double if kind in ("f4", "f8") else word for kind in flat)]
    entry = ir.Function(module, ir.FunctionType(word, inputs), name)
    builder = ir.IRBuilder(entry.append_basic_block())
    known, *given = entry.args
    values = []
    for k, (kind, value) in enumerate(zip(flat, given, strict=True)):
        if isinstance(kind, ArrayType):
            _refuse_others(builder, known, k, kind, value)
            values.append(_array(context, builder, kind, value))
        else:
            values.append(builder.fptrunc(value, ir.FloatType()) if kind == "f4" else value)
    arguments, left = [], iter(values)
    for kind, numba_type in zip(types, signature.args, strict=True):
        if isinstance(kind, tuple) and _is_tuple(kind):
            parts = [next(left) for _ in kind]
            arguments.append(context.make_tuple(builder, numba_type, parts))
        else:
            arguments.append(next(left))
    inner = context.declare_function(module, compiled.fndesc)
    status, result = context.call_conv.call_function(
        builder, inner, signature.return_type, signature.args, arguments
    )
    with builder.if_then(status.is_error, likely=False):
        builder.call(
            module.declare_intrinsic("llvm.trap", (), ir.FunctionType(ir.VoidType(), ())), ()
        )
        builder.unreachable()
    builder.ret(context.cast(builder, result, signature.return_type, int64) if returns else word(0))
    return module


def _word(builder: Any, address: Any, k: int) -> Any:
    """Return code that reads the k-th word of 64 bits from an address on."""
    pointer = builder.inttoptr(address, address.type.as_pointer())
    return builder.load(builder.gep(pointer, [address.type(k)]))


def _refuse_others(builder: Any, known: Any, k: int, kind: ArrayType, value: Any) -> None:
    """Add code that returns if argument k is no array of its type.

    Each word is read after those before it are right: others may lie beyond the object.
    """
    flags = _WRITTEN if kind.is_written else _READ
    for place, mask, wanted in (
        (_TYPE, -1, _word(builder, known, 0)),
        (_DTYPE, -1, _word(builder, known, k + 1)),
        (_DIMENSIONS, 0xFFFFFFFF, value.type(kind.dimensions)),
        (_FLAGS, flags, value.type(flags)),
    ):
        held = builder.and_(_word(builder, value, place), value.type(mask))
        with builder.if_then(builder.icmp_signed("!=", held, wanted), likely=False):
            builder.ret(value.type(-1 - k))


def _array(context: Any, builder: Any, kind: ArrayType, address: Any) -> Any:
    """Return code for the array of compiled code that is the one of numpy at an address."""
    from numba.np.arrayobj import make_array, populate_array

    (array_type,) = _numba_types([kind])
    result = make_array(array_type)(context, builder)
    itemsize = np.dtype(kind.kind).itemsize
    shape_at = _word(builder, address, _SHAPE)
    shape = [_word(builder, shape_at, axis) for axis in range(kind.dimensions)]
    strides = [address.type(itemsize)]
    for size in shape[:0:-1]:
        strides.insert(0, builder.mul(strides[0], size))
    populate_array(
        result,
        data=builder.inttoptr(_word(builder, address, _DATA), result.data.type),
        shape=shape,
        strides=strides,
        itemsize=itemsize,
        meminfo=None,
    )
    return result._getvalue()  # noqa: SLF001 - numba's name for it


def _closed(code: str) -> str:
    """Return code of LLVM that refers to nothing outside of it.

    The code of numba calls functions that report errors. Kernels raise none, so each of these
    functions becomes one that ends the process. Square roots become those of LLVM itself. Raises
    `NotImplementedError` for code that calls any other function.
    """
    for name, kind in (("sqrtf", "f32"), ("sqrt", "f64")):
        code = re.sub(rf"@{name}\(", f"@llvm.sqrt.{kind}(", code)
    for name in re.findall(r"^declare .*?@([\w.]+)\(", code, re.MULTILINE):
        if not re.match(_REPORTS_ERRORS, name, re.IGNORECASE):
            raise NotImplementedError(f"a function needs {name}")
    code = re.sub(
        r"^(@\S+ =) external (?:\w+ )*global i8\b.*",
        r"\1 internal global i8 0",
        code,
        flags=re.MULTILINE,
    )
    code = re.sub(
        r"^declare (.*?@(?!llvm\.|mem)[\w.]+\(.*?\)).*",
        r"define internal \1 { call void @llvm.trap() unreachable }",
        code,
        flags=re.MULTILINE,
    )
    return code if "declare void @llvm.trap" in code else f"{code}\ndeclare void @llvm.trap()\n"


# Loading.


def _loaded(llvm: Any, machine: Any, code: _Code, signatures: Signatures) -> dict[str, Function]:
    engine = llvm.create_mcjit_compiler(llvm.parse_assembly(""), machine)
    engine.add_object_file(llvm.ObjectFileRef.from_data(code.code))
    engine.finalize_object()
    _engines.append(engine)
    return {
        name: _callable(name, engine.get_function_address(code.names[name]), types)
        for name, (_, types) in signatures.items()
    }


def _int64(value: Any) -> int:
    number = operator.index(value)
    if not -1 << 63 <= number < 1 << 63:  # ctypes would leave bits out in silence
        raise OverflowError(f"{number} has more than 64 bits")
    return number


def _callable(name: str, address: int, types: Sequence[Type]) -> Function:
    """Return a Python function that calls machine code."""
    flat = _flat(types)
    tuples = [k for k, kind in enumerate(types) if _is_tuple(kind)]
    dtypes: list[Any] = [
        np.dtype(kind.kind) if isinstance(kind, ArrayType) else None for kind in flat
    ]
    known = np.array([id(np.ndarray), *map(id, dtypes)], dtype=np.int64)
    of_numbers: dict[str, Function] = {"f4": float, "f8": float, "i8": _int64}
    convert = [id if isinstance(kind, ArrayType) else of_numbers[kind] for kind in flat]
    kinds = [ctypes.c_double if kind in ("f4", "f8") else ctypes.c_int64 for kind in flat]
    # The lock of the interpreter is held: other threads may change arrays.
    code = ctypes.PYFUNCTYPE(ctypes.c_int64, ctypes.c_int64, *kinds)(address)
    known_address = known.ctypes.data

    def call(*arguments: Any) -> int:
        values = list(arguments)
        for k in reversed(tuples):
            values[k : k + 1] = values[k]
        numbers = [f(value) for f, value in zip(convert, values, strict=True)]
        result: int = code(known_address, *numbers)
        if result >= 0:
            return result
        return again(values, -1 - result)

    def again(values: list[Any], wrong: int) -> int:
        """Call the code with a view of an array whose type has another name, such as `longlong`."""
        dtype, value = dtypes[wrong], values[wrong]
        is_array = isinstance(value, np.ndarray) and value.dtype == dtype
        if not is_array or (type(value) is np.ndarray and value.dtype is dtype):
            raise TypeError(f"{name}: argument {wrong} is no array as it was compiled for")
        values[wrong] = np.asarray(value).view(dtype)
        result: int = code(known_address, *(f(v) for f, v in zip(convert, values, strict=True)))
        return result if result >= 0 else again(values, -1 - result)

    call.known = known  # type: ignore[attr-defined] # whose address the code gets
    call.types = dtypes  # type: ignore[attr-defined] # whose addresses are in it
    return call
