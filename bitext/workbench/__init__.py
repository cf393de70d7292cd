"""The workbench: gold standards made, corrected and compared in the browser.

`project.py` is the file of a project, `changes.py` what may be done to an alignment, `server.py`
what a browser sees of it.
"""
