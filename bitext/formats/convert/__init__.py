"""Files converted, checked, filtered and symmetrised."""
