"""The kernel for other systems, compiled on this one."""
