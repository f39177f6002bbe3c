"""Files on this machine and on others: what URIs name, through the file systems of Arrow.

`remote_paths` are places in file systems that URIs name, with one error for what goes wrong there.
`input_files` finds files to be read, by names and patterns.
"""
