"""The employee's pages: asking, one's own conversations, one answer and what can be done with it."""
