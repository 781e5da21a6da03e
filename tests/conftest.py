"""Tests run in float64, and every array shape that Supple's signatures promise is checked at run time.

The hook is installed here rather than by jaxtyping's pytest option, which xdist's workers do not see.
"""

import jax
from jaxtyping import install_import_hook

install_import_hook("supple", "beartype.beartype")

jax.config.update("jax_enable_x64", True)
