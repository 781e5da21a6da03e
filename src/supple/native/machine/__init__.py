"""The back end: from a scalar program to machine code of this processor, through LLVM."""
