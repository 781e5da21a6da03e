"""Primitives that are refused: what stands in the way, and the way around it."""

from supple.native.lowering import REFUSED

CALLBACK = "it calls Python while the program runs: compute it outside, or return what it needs"
PRINT = "it prints while the program runs: remove it, or return the value"
COMPLEX = "it makes complex numbers: write real and imaginary parts as arrays of their own"
ITERATION = "it iterates until it converges, which straight-line code cannot"
SPECIAL = "this special function is not written out"
DEVICES = "it speaks to other devices, and compiled code runs on one CPU"
REFERENCE = "it reads or writes memory in place: return new arrays"
CONVOLUTION = "convolutions are not written out: use jnp.einsum on slices"
GENERATOR = "this generator of random bits is XLA's own: use jax.random"
OTHER_HASH = "only threefry2x32 is compiled: use jax.random.key(…, impl='threefry2x32')"
WINDOW = "this reduction of windows is not written out: use slices and jnp.maximum"
EFFECT = "it orders effects, of which compiled code has none"
FOREIGN = "it calls machine code of another program"
SYMBOLIC = "its shape is not known: compile for concrete shapes"
INTERNAL = "it stands inside JAX's transformations and never in a finished program"

# reason → the primitives that it stops
REASONS = {
    CALLBACK: ["pure_callback", "io_callback", "debug_callback"],
    PRINT: ["debug_print", "inspect_sharding"],
    COMPLEX: ["complex", "conj", "real", "imag", "fft"],
    ITERATION + ": solve symmetric systems by jnp.linalg.cholesky, others by jnp.linalg.solve": [
        "eig",
        "eigh",
        "svd",
        "schur",
        "hessenberg",
        "tridiagonal",
    ],
    ITERATION + ": sample it outside": ["random_gamma"],
    SPECIAL: [
        *("bessel_i0e", "bessel_i1e", "digamma", "igamma", "igammac", "igamma_grad_a"),
        *("polygamma", "regularized_incomplete_beta", "zeta"),
    ],
    DEVICES: [
        *("all_gather", "all_to_all", "axis_index", "pmax", "pmin", "ppermute", "psum", "ragged_all_to_all"),
        *("shard_map", "reduce_scatter", "pbroadcast", "psum_invariant", "all_gather_invariant"),
    ],
    REFERENCE: ["get", "swap", "addupdate", "new_ref", "freeze", "run_state"],
    CONVOLUTION: ["conv_general_dilated"],
    GENERATOR: ["rng_bit_generator", "rng_uniform"],
    OTHER_HASH: ["philox2x32", "philox4x32", "threefry4x32"],
    WINDOW: ["select_and_gather_add", "select_and_scatter", "select_and_scatter_add"],
    EFFECT: ["after_all", "create_token"],
    FOREIGN: ["ffi_call", "call_exported"],
    SYMBOLIC: ["dimension_size", "dim_as_value", "shape_assertion"],
    INTERNAL: ["call", "custom_lin", "dce_sink", "stage", "eval_jaxpr"],
    "updates of factors are not written out: factor the updated matrix by jnp.linalg.cholesky": ["cholesky_update"],
    "it is not written out: use a @ a.T": ["symmetric_product"],
    "it is not written out: use jnp.linalg.qr without pivoting": ["geqp3"],
    "its groups are known at run time only: use jnp.einsum with masks": ["ragged_dot_general"],
    "it takes numbers of fewer bits than are compiled: use jnp.dot": ["scaled_dot"],
    "it looks for errors while the program runs: use checkify outside": ["check"],
}

REFUSED.update({name: reason for reason, names in REASONS.items() for name in names})
