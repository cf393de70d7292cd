"""Training of the max-margin model: its solvers and checkpoints."""
