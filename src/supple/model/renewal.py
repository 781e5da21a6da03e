"""Models with arrays that JAX has not met.

JAX 0.10 remembers numpy arrays that it has met by their identity, in the precision of that moment: one that was met
without 64-bit mode stays in single precision when it is met with it, as long as anything that was traced lives. So
every computation begins with new views of a model's arrays.
"""

from typing import Any

import jax
import numpy as np

from supple.model.model import Model


def renew(model: Model) -> Model:
    """The same model with views of its numpy arrays; what is traced, and JAX's own arrays, stay as they are."""
    return jax.tree.map(_viewed, model)


def _viewed(leaf: Any) -> Any:
    return leaf.view() if isinstance(leaf, np.ndarray) else leaf
