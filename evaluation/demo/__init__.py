"""The demo corpus: a fictional company's governed documents, built from sources that people can edit."""
