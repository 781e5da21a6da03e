"""PyTorch's tensors for compiled functions: a function of PyTorch's automatic differentiation."""

import functools
import importlib
from collections.abc import Sequence
from typing import Any

import numpy as np

from supple.native.callee import Callee, is_float, pick
from supple.native.keys import numbers
from supple.native.signature import Leaf, Signature
from supple.native.workspace import Frame, Table


def in_torch(signature: Signature, callee: Callee, arguments: tuple[Any, ...]) -> Any:
    """The result for one state, as tensors."""
    leaves = signature.leaves(arguments)
    tensors = [_tensor(leaf, value) for leaf, value in zip(signature.inputs, leaves, strict=True)]
    return signature.result(_function().apply(callee, *tensors))


@functools.cache
def _torch() -> Any:
    try:
        return importlib.import_module("torch")
    except ImportError:
        raise ImportError("a compiled function takes tensors only where PyTorch is: pip install torch") from None


def _tensor(leaf: Leaf, value: Any) -> Any:
    """An argument as a tensor of the type compiled for."""
    torch = _torch()
    tensor = value if isinstance(value, torch.Tensor) else torch.as_tensor(numbers(value))
    if tensor.device.type != "cpu":
        raise TypeError(f"{leaf.name} is on {tensor.device}, but a compiled function runs on the CPU")
    leaf.fits(tuple(tensor.shape), np.dtype(str(tensor.dtype).removeprefix("torch.")))
    return tensor.to(getattr(torch, leaf.dtype.name))


def _run(callee: Callee, tensors: Sequence[Any]) -> tuple[Any, ...]:
    """The program on the memory of tensors; its results in that of new ones."""
    loaded = callee.source.load(None)
    results = [leaf.empty() for leaf in callee.outputs]
    given, written = Table([tensor.detach().contiguous().numpy() for tensor in tensors]), Table(results)
    frame = Frame(loaded.image.frame_bytes)
    loaded.native.call(given.address, written.address, frame.address)
    return tuple(map(_torch().from_numpy, results))


@functools.cache
def _function() -> Any:
    """The class of which PyTorch applies the methods: calls of a program, whose derivatives are such calls, too."""

    class Function(_torch().autograd.Function):
        @staticmethod
        def forward(callee: Callee, *tensors: Any) -> tuple[Any, ...]:
            return _run(callee, tensors)

        @staticmethod
        def setup_context(context: Any, inputs: tuple[Any, ...], output: tuple[Any, ...]) -> None:
            context.callee, *tensors = inputs
            context.save_for_backward(*tensors)
            context.mark_non_differentiable(*(tensor for tensor in output if not tensor.is_floating_point()))

        @staticmethod
        def backward(context: Any, *cotangents: Any) -> tuple[Any, ...]:
            moving = context.needs_input_grad[1:]
            seeded = tuple(map(is_float, context.callee.outputs))
            program = context.callee.cotangent(moving, seeded)
            pulled = iter(Function.apply(program, *context.saved_tensors, *pick(cotangents, seeded)))
            return None, *(next(pulled) if moves else None for moves in moving)

    return Function
