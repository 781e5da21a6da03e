"""The machine that code is generated for: this one."""

import functools
from dataclasses import dataclass
from typing import Any

import numpy as np
from llvmlite import binding as llvm

LEVEL = 3  # LLVM's effort in instruction selection and scheduling; its optimiser is not run


@dataclass(frozen=True)
class Target:
    """A processor: its name and features, and the bits of its widest vector register."""

    triple: str
    cpu: str
    features: str
    vector_bits: int

    def lanes(self, dtype: np.dtype) -> int:
        """How many numbers of a type one register holds."""
        return self.vector_bits // (8 * dtype.itemsize)

    @property
    def attributes(self) -> str:
        """What every function must say so that LLVM uses the widest registers."""
        return (
            f'nounwind "prefer-vector-width"="{self.vector_bits}" "min-legal-vector-width"="{self.vector_bits}" '
            f'"target-cpu"="{self.cpu}" "target-features"="{self.features}"'
        )

    def object_code(self, text: str) -> bytes:
        """Machine code of a module of LLVM's assembly language."""
        module = llvm.parse_assembly(text)
        module.verify()
        return target_machine(self).emit_object(module)

    def assembly(self, text: str) -> str:
        """The same as text that people can read."""
        return target_machine(self).emit_assembly(llvm.parse_assembly(text))


@functools.cache
def host() -> Target:
    """The processor that this process runs on."""
    _initialise()
    features = llvm.get_host_cpu_features()
    bits = 512 if features.get("avx512f") and features.get("avx512dq") else 256 if features.get("avx2") else 128
    return Target(llvm.get_process_triple(), llvm.get_host_cpu_name(), features.flatten(), bits)


@functools.cache
def _initialise() -> None:
    llvm.initialize_native_target()
    llvm.initialize_native_asmprinter()


@functools.cache
def target_machine(target: Target) -> Any:
    """LLVM's code generator for a processor."""
    _initialise()
    found = llvm.Target.from_triple(target.triple)
    return found.create_target_machine(target.cpu, target.features, opt=LEVEL, reloc="pic", codemodel="small")
