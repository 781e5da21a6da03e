"""Comparison of batches of forces, accelerations and mass matrices, block by block."""

import numpy as np

from supple.model.model import Model


def blocks(model: Model) -> list[slice]:
    """The degrees of freedom of each joint, linear and angular ones apart."""
    parts = []
    for kind, start in zip(model.joints.kinds, model.joints.v_starts, strict=True):
        size = 3 if kind.nv > 1 else 1
        parts += [slice(i, i + size) for i in range(start, start + kind.nv, size)]
    return parts


def assert_vectors_close(
    model: Model, got: np.ndarray, expected: np.ndarray, tolerance: float = 1e-10, scaled_by: np.ndarray | None = None
) -> None:
    """Each joint's block to `tolerance` of its scale: the block's largest norm over the batch, or that of others."""
    sizes = expected if scaled_by is None else scaled_by
    for block in blocks(model):
        scale = np.linalg.norm(sizes[:, block], axis=1).max()
        error = np.linalg.norm(np.asarray(got)[:, block] - expected[:, block], axis=1).max()
        assert error <= tolerance * scale, (block, error / scale)


def assert_matrices_close(model: Model, got: np.ndarray, expected: np.ndarray, tolerance: float = 1e-10) -> None:
    """Each pair of joints' block to `tolerance` of its scale √(‖M_ii‖ ‖M_jj‖)."""
    norm = {i.start: np.linalg.norm(expected[:, i, i], axis=(1, 2)).max() for i in blocks(model)}
    for i in blocks(model):
        for j in blocks(model):
            error = np.linalg.norm(np.asarray(got)[:, i, j] - expected[:, i, j], axis=(1, 2)).max()
            assert error <= tolerance * np.sqrt(norm[i.start] * norm[j.start]), (i, j, error)
