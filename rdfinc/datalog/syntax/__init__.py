"""Text -> rules, with errors in plain words.

Entry: `rule_text.parse_rules`; `rule_file` for files, `rule_statements` for text with the place
of each statement. `rule_tokens` says where statements stand, `rule_shapes` reads those of one shape
once. `rule_reader` turns lark's trees into rules, `diagnosis` what lark refused into an error.
"""
