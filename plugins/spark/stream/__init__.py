"""Structured Streaming: batches of changes into a knowledge base, by `change_sink`."""
