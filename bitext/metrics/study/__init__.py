"""The error study: on how many references a metric of segmentations errs."""
