"""Systems evaluated on a corpus: averages, intervals, tests, and where the errors are."""
