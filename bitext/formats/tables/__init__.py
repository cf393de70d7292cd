"""Tables of cells: CSV and spreadsheets. TSV, the format of lines, shares their rows.

`rows` reads rows of cells into bitexts, and makes rows of bitexts; `separated` has CSV,
`spreadsheets` XLSX, `ods` and `xls` the others.
"""
