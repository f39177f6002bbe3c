from rdfinc.tables.hashed import HashedClosure

closed = HashedClosure
