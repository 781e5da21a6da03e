"""Between arrays of states, one after another in memory, and lanes, one per state.

Of a leaf with `size` elements, `lanes` states are a matrix of `lanes` rows. In the frame it stands
transposed: one vector per element. Tiles of t columns are transposed in registers, t a power of two:
`lanes / t` rows are put side by side into each of t vectors, and log t exchanges with the vector at half,
a quarter … of the distance do the rest. The last tile may overlap the one before.
"""

from supple.native.machine.writer import Writer


def tiles(size: int, lanes: int) -> list[tuple[int, int]]:
    """(first column, columns) of tiles that cover all columns and reach beyond none."""
    whole = size // lanes * lanes
    found = [(first, lanes) for first in range(0, whole, lanes)]
    rest = size - whole
    if rest == 0:
        return found
    if _power_from(rest) <= size:
        return [*found, (size - _power_from(rest), _power_from(rest))]
    most = _power_from(rest) // 2
    last = _power_from(rest - most)
    return [(0, most), (size - last, last)]


def _power_from(count: int) -> int:
    """The smallest power of two that is not less."""
    return 1 << (count - 1).bit_length()


def define_gather(size: int, bits: int, lanes: int) -> str:
    """A function that reads `lanes` rows of `size` numbers and writes them as `size` vectors."""
    w = Writer(lanes)
    for first, width in tiles(size, lanes):
        rows = [w.let(f"load {_piece(width, bits)}, ptr {_at(w, '%rows', (row * size + first) * bits // 8)}, align 1")
                for row in range(lanes)]  # fmt: skip
        vectors = [_beside(w, rows[k::width], width, bits) for k in range(width)]
        for column, vector in enumerate(_exchanged(w, vectors, width, bits)):
            target = _at(w, "%vectors", (first + column) * lanes * bits // 8)
            w.do(f"store <{lanes} x i{bits}> {vector}, ptr {target}, align {min(64, lanes * bits // 8)}")
    return _function(f"gather_{size}_{bits}", w)


def define_scatter(size: int, bits: int, lanes: int) -> str:
    """A function that reads `size` vectors and writes them as `lanes` rows of `size` numbers."""
    w = Writer(lanes)
    for first, width in tiles(size, lanes):
        vectors = []
        for column in range(first, first + width):
            source = _at(w, "%vectors", column * lanes * bits // 8)
            vectors.append(w.let(f"load <{lanes} x i{bits}>, ptr {source}, align {min(64, lanes * bits // 8)}"))
        for k, vector in enumerate(_exchanged(w, vectors, width, bits)):
            for block in range(lanes // width):
                mask = _mask([block * width + i for i in range(width)])
                piece = w.let(f"shufflevector <{lanes} x i{bits}> {vector}, <{lanes} x i{bits}> poison, {mask}")
                target = _at(w, "%rows", ((block * width + k) * size + first) * bits // 8)
                w.do(f"store {_piece(width, bits)} {piece}, ptr {target}, align 1")
    return _function(f"scatter_{size}_{bits}", w)


def _function(name: str, w: Writer) -> str:
    body = "\n".join(w.lines)
    return f"define internal void @{name}(ptr noalias %rows, ptr noalias %vectors) #0 {{\n{body}\n  ret void\n}}\n"


def _piece(width: int, bits: int) -> str:
    return f"<{width} x i{bits}>"


def _at(w: Writer, base: str, offset: int) -> str:
    return w.let(f"getelementptr i8, ptr {base}, i64 {offset}")


def _mask(indices: list[int]) -> str:
    return f"<{len(indices)} x i32> <{', '.join(f'i32 {index}' for index in indices)}>"


def _beside(w: Writer, pieces: list[str], width: int, bits: int) -> str:
    """Pieces of rows side by side in one vector."""
    while len(pieces) > 1:
        type_, mask = _piece(width, bits), _mask(list(range(2 * width)))
        pieces = [
            w.let(f"shufflevector {type_} {a}, {type_} {b}, {mask}")
            for a, b in zip(pieces[::2], pieces[1::2], strict=True)
        ]
        width *= 2
    return pieces[0]


def _exchanged(w: Writer, vectors: list[str], width: int, bits: int) -> list[str]:
    """Each square of `width` by `width` numbers in `width` vectors, transposed."""
    type_, lanes = f"<{w.lanes} x i{bits}>", range(w.lanes)
    vectors, distance = list(vectors), width // 2
    while distance:
        upper = _mask([i + w.lanes - distance if i & distance else i for i in lanes])
        lower = _mask([i + w.lanes if i & distance else i + distance for i in lanes])
        for k in range(width):
            if not k & distance:
                a, b = vectors[k], vectors[k + distance]
                vectors[k] = w.let(f"shufflevector {type_} {a}, {type_} {b}, {upper}")
                vectors[k + distance] = w.let(f"shufflevector {type_} {a}, {type_} {b}, {lower}")
        distance //= 2
    return vectors
