"""The rivals of the max-margin model: baselines, boosting, linear models and CRFs."""
