"""Documents of XML with sentences, as OPUS has them, read and written."""
