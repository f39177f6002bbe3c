"""Knowledge bases that are kept in a directory: `rdfinc.open`."""
