"""Reading evidence: what of a record a person may see, how it is explained, exported and certified."""
