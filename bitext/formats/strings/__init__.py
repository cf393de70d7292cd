"""Strings of programs, as translators get them: Qt, Android, .NET and Apple; test sets of WMT.

`bilingual` has the formats with both languages in one file. `pairs` and `keyed` have formats with
one file for each language, by names, and by keys of JSON, YAML and properties.
"""
