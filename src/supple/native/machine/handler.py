"""What XLA calls: a function of one call frame, of XLA's foreign function interface, that calls the program.

Offsets are those of the structures in jaxlib's `xla/ffi/api/c_api.h`, on a machine with pointers of 8 bytes. XLA
keeps them while the major version is what it is.
"""

from supple.native.machine.frame import ALIGNMENT

MAJOR, MINOR = 0, 3  # the version of the interface that the offsets were read from

METADATA = 1  # the kind of extension by which XLA asks for the version instead of a computation


def write_handler(inputs: int, outputs: int, call: str, counted: int | None = None) -> str:
    """The function `handler(call_frame)`: `call` with tables of so many buffers; NULL, which says that all went well.

    The last result is no output, but the memory that is worked in: XLA plans it with all other memory, so that nothing
    is allocated here. `call` may use `%states`, the length of the leading axis of the input at the position `counted`.
    """
    return f"""define ptr @handler(ptr %call) #0 {{
entry:
  %inputs = alloca [{inputs} x ptr]
  %outputs = alloca [{outputs} x ptr]
{_load("extension", "call", 8)}
  %is_extended = icmp ne ptr %extension, null
  br i1 %is_extended, label %extended, label %compute
extended:
{_load("kind", "extension", 8, "i32")}
  %is_question = icmp eq i32 %kind, {METADATA}
  br i1 %is_question, label %answer, label %compute
answer:
{_load("metadata", "extension", 24)}
{_store("major", "metadata", 24, MAJOR)}
{_store("minor", "metadata", 28, MINOR)}
{_store("traits", "metadata", 32, 0)}
  ret ptr null
compute:
{_load("arguments", "call", 72)}
{_load("results", "call", 112)}
{_table("input", "arguments", inputs)}
{_table("output", "results", outputs)}
{_buffer("memory", "results", outputs)}
  %begin = ptrtoint ptr %memory.data to i64
  %beyond = add i64 %begin, {ALIGNMENT - 1}
  %aligned = and i64 %beyond, {-ALIGNMENT}
  %frame = inttoptr i64 %aligned to ptr
{"" if counted is None else _count(counted)}
  {call}
  ret ptr null
}}
"""


def _load(name: str, structure: str, offset: int, type_: str = "ptr") -> str:
    """`%name`, read from a structure."""
    return f"""  %{name}.p = getelementptr i8, ptr %{structure}, i64 {offset}
  %{name} = load {type_}, ptr %{name}.p"""


def _store(name: str, structure: str, offset: int, value: int) -> str:
    """An integer, written to a structure."""
    return f"""  %{name}.p = getelementptr i8, ptr %{structure}, i64 {offset}
  store i32 {value}, ptr %{name}.p"""


def _buffer(name: str, buffers: str, position: int) -> str:
    """`%name`, one of XLA's buffers, and `%name.data`, where its numbers begin."""
    return f"{_load(name, buffers, 8 * position)}\n{_load(f'{name}.data', name, 24)}"


def _table(name: str, buffers: str, count: int) -> str:
    """The table `%names`: the addresses of the numbers in each of so many buffers."""
    return "\n".join(
        f"""{_buffer(f"{name}{k}", buffers, k)}
  %{name}{k}.to = getelementptr ptr, ptr %{name}s, i64 {k}
  store ptr %{name}{k}.data, ptr %{name}{k}.to"""
        for k in range(count)
    )


def _count(position: int) -> str:
    """`%states`, the length of an input's leading axis."""
    return f"{_load('axes', f'input{position}', 40)}\n  %states = load i64, ptr %axes"
