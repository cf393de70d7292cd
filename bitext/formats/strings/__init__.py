"""Strings of programs, as translators get them: Qt, Android, .NET and Apple; test sets of WMT.

`bilingual` has the formats with both languages in a file, `pairs` and `keyed` those with one
language a file, by names and by keys of JSON, YAML and properties.
"""
