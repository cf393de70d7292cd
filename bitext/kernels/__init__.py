"""The computations that all packages share: arrays in, arrays out, and no model."""
