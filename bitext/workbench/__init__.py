"""The workbench: gold standards made, corrected and compared in the browser.

`project.py` stores a project in its file, `changes.py` checks and applies edits of an alignment,
`server.py` serves the project to browsers.
"""
