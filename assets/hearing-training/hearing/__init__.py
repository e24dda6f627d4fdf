"""Training tool of annexd's German hearing model."""
