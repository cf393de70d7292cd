"""Corpora: texts paired by name, manifests, and folders of documents."""
