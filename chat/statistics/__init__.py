"""What the dashboards and the metrics count: the same queries for both."""
