"""The frame: memory for the values that outlive the function that makes them."""

from dataclasses import dataclass, field

ALIGNMENT = 64  # of a cache line, and of the widest vector


@dataclass
class Frame:
    """Offsets in bytes. Slots that are released are used again, the latest first: they are in the cache."""

    size: int = 0
    _free: dict[int, list[int]] = field(default_factory=dict)

    def reserve(self, count: int) -> int:
        """The offset of so many bytes."""
        free = self._free.get(count)
        if free:
            return free.pop()
        step = min(ALIGNMENT, count)
        offset = -(-self.size // step) * step
        self.size = offset + count
        return offset

    def block(self, count: int) -> int:
        """The offset of so many bytes that are never released, on a boundary."""
        offset = -(-self.size // ALIGNMENT) * ALIGNMENT
        self.size = offset + count
        return offset

    def release(self, offset: int, count: int) -> None:
        """Give bytes back."""
        self._free.setdefault(count, []).append(offset)
