"""Files on this machine and on others: what paths and URIs name.

`remote_paths` are places in file systems that URIs name, by Arrow, with one error for what goes
wrong there. `input_files` finds files to be read, by names and patterns. `folder_places` has the
folders of loads and closures: `local_folder` those that Spark itself reads and writes,
`remote_folder` those that tasks do it for (`frame_tasks`).
"""
