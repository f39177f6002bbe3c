"""Hidden facts that follow from what is stated without a rule, kept in step with it.

Entry: `hidden_facts`. One file for each kind: `alike_restrictions`, `literal_facts`,
`literal_names`, `named_values`, `stated_properties`.
"""
