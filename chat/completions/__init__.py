"""One structured completion from a chat model: what the generator and the rewriter that use a model share."""
