"""`python -m bitext` is the command line."""

from bitext.cli.main import entry

entry()
