"""Portuguese."""
