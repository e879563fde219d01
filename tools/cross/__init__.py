"""Compile the kernel for other systems on this machine."""
