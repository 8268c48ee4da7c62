"""What `make up` starts on one machine: PostgreSQL, Valkey, the web process and the workers, kept by supervisord."""
