"""rdfinc on Spark (PySpark 4)."""
