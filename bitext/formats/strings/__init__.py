"""Strings of programs, as translators get them: Qt, Android, .NET and Apple; test sets of WMT.

`bilingual` has the formats with both languages in a file, `pairs` those with one language a file.
"""
