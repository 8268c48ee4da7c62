"""What `make up` starts on one machine: PostgreSQL, Valkey, the web process and the worker, kept by supervisord."""
