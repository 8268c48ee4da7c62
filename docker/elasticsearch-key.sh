#!/bin/sh
# Once: an API key that may do everything to the portal's own indices and nothing to any other. Runs in the engine's image.
set -eu

file=/run/kbportal/elasticsearch/api_key
if [ -s "$file" ]; then
    exit 0
fi
prefix=${ELASTICSEARCH_PREFIX:-kbportal}
body='{"name": "kbportal", "role_descriptors": {"kbportal": {"cluster": ["monitor"],
    "indices": [{"names": ["'$prefix'*"], "privileges": ["all"]}]}}}'
answer=$(curl --silent --show-error --fail --user "elastic:$ELASTIC_PASSWORD" --header "Content-Type: application/json" \
    --data "$body" http://elasticsearch:9200/_security/api_key)
key=$(printf '%s' "$answer" | sed -n 's/.*"encoded" *: *"\([^"]*\)".*/\1/p')
if [ -z "$key" ]; then
    echo "Elasticsearch gave no key" >&2
    exit 1
fi
umask 077
printf '%s' "$key" >"$file.new"
chmod 0444 "$file.new"
mv "$file.new" "$file"
