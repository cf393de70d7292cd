"""What was computed, made to be looked at."""
