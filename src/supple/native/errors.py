"""What the compiler refuses."""


class NotCompilable(Exception):
    """A program uses something that cannot become scalar code.

    The message names the primitive, the source line that made it, and the way out.
    """

    def __init__(self, primitive: str, reason: str, source: str) -> None:
        self.primitive = primitive
        self.reason = reason
        self.source = source
        instead = "or use" if ":" in reason else "use"  # a reason may bring a way out of its own
        super().__init__(f"cannot compile '{primitive}' at {source}: {reason}; {instead} jax.jit for this function")
