"""Files opened and written: encodings, compression, remote places, outputs whole or absent."""
