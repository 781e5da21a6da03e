"""Where machine code comes from: a traced function, lowered when that is first needed, and the cache."""

import threading
import time
from dataclasses import dataclass, replace

from supple.native.cache import entry_name, fetch, keep
from supple.native.digest import digest
from supple.native.lower import Trace, lower_trace
from supple.native.machine.image import Image, compile_batch, compile_single
from supple.native.machine.link import Native
from supple.native.machine.target import Target, host
from supple.native.passes import MACHINE_PASSES
from supple.native.program import Program

# Of one state: None. Of a batch: which of the inputs differ from state to state.
Variant = tuple[bool, ...] | None


@dataclass(frozen=True)
class Seconds:
    """Wall-clock seconds of the stages of compilation; lowering and compiling are 0 if the cache spared them."""

    trace: float
    lower: float = 0.0
    compile: float = 0.0


@dataclass(frozen=True, eq=False)
class Loaded:
    """Machine code, and the function in memory."""

    image: Image
    native: Native
    cache_hit: bool


class Source:
    """A program's machine code in every variant. Safe to use from several threads; can be pickled."""

    def __init__(self, traced: Trace, trace_seconds: float) -> None:
        self.seconds = Seconds(trace_seconds)
        self._traced: Trace | None = traced
        self._digest = digest(traced.jaxpr)
        self._program: Program | None = None
        self._images: dict[tuple[Variant, Target], Image] = {}
        self._begin()

    def _begin(self) -> None:
        self._loaded: dict[Variant, Loaded] = {}
        self._lock = threading.RLock()

    @property
    def traced(self) -> Trace:
        """The function as JAX traced it, which is lost when it is pickled: JAX's programs cannot be."""
        if self._traced is None:
            raise TypeError("a compiled function that was pickled has no derivative: compile the function again")
        return self._traced

    @property
    def program(self) -> Program:
        """The scalar program."""
        with self._lock:
            if self._program is None:
                begun = time.perf_counter()
                self._program = lower_trace(self.traced, MACHINE_PASSES)
                self.seconds = replace(self.seconds, lower=time.perf_counter() - begun)
            return self._program

    def load(self, variant: Variant) -> Loaded:
        """The code of a variant: from memory, from disk, or new."""
        loaded = self._loaded.get(variant)
        if loaded is None:
            with self._lock:
                loaded = self._loaded.get(variant) or self._load(variant)
                self._loaded[variant] = loaded
        return loaded

    def _load(self, variant: Variant) -> Loaded:
        target = host()
        image = self._images.get((variant, target))
        name = None if self._digest is None else entry_name(self._digest, target, str(variant))
        if image is None and name is not None:
            image = fetch(name)
        cache_hit = image is not None
        if image is None:
            image = self._compile(variant, target)
            if name is not None:
                keep(name, image)
        self._images[variant, target] = image
        return Loaded(image, Native(image.code, image.symbol), cache_hit)

    def _compile(self, variant: Variant, target: Target) -> Image:
        program = self.program
        begun = time.perf_counter()
        image = compile_single(program, target) if variant is None else compile_batch(program, target, variant)
        self.seconds = replace(self.seconds, compile=self.seconds.compile + time.perf_counter() - begun)
        return image

    def __getstate__(self) -> dict[str, object]:
        return {
            "seconds": self.seconds,
            "_traced": None,
            "_digest": self._digest,
            "_program": self.program,
            "_images": dict(self._images),
        }

    def __setstate__(self, state: dict[str, object]) -> None:
        self.__dict__.update(state)
        self._begin()
