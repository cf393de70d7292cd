"""Features of paragraph segmentation: texts seen as columns of numbers."""
