"""Running text split into sentences."""
