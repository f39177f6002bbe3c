"""Programs over facts: evaluation, materialisation and exact maintenance."""
