"""The computations everything shares: arrays in, arrays out, and no model."""
