"""The array type of the library: a leaf is numpy until it is traced, then JAX's."""

import jax
import numpy as np

Array = jax.Array | np.ndarray
