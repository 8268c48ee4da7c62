"""What can mislead in a sentence, read out of it so that a claim and its quote can be compared fact by fact."""
