"""A real Elasticsearch from Maven's jars, for a machine without containers: development, tests, `make elasticsearch`.

It has no modules beside HTTP and two Portuguese filters, listens on loopback alone and asks nobody for a key. On
servers run a distribution, with its security on.
"""
