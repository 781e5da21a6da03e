"""Tests run in float64, and every array shape that Supple's signatures promise is checked at run time.

The hook is installed here rather than by jaxtyping's pytest option, which xdist's workers do not see. The room `native`
is left out: its functions pass single scalars a million times over, and checking each would make minutes of seconds.
"""

import os
from pathlib import Path

import jax
from jaxtyping import install_import_hook

import supple

ROOMS = [f"supple.{path.stem}" for path in Path(supple.__file__).parent.iterdir() if path.stem[0] not in "_."]
install_import_hook([room for room in ROOMS if room != "supple.native"], "beartype.beartype")

jax.config.update("jax_enable_x64", True)

os.environ["SUPPLE_CACHE"] = "off"  # tests of the cache have folders of their own; the user's stays as it is
