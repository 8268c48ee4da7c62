#!/bin/sh
# Once: an API key that may do everything to the portal's own indices and nothing to any other, beside the authority that
# the engine's certificate is known by. Runs in the engine's image.
set -eu

certificates=${1:-/certificates} folder=${2:-/run/kbportal/elasticsearch}
cp "$certificates/ca.crt" "$folder/ca.crt"
chmod 0444 "$folder/ca.crt"
file=$folder/api_key
if [ -s "$file" ]; then
    exit 0
fi
prefix=${ELASTICSEARCH_PREFIX:-kbportal}
body='{"name": "kbportal", "role_descriptors": {"kbportal": {"cluster": ["monitor"],
    "indices": [{"names": ["'$prefix'*"], "privileges": ["all"]}]}}}'
answer=$(curl --silent --show-error --fail --cacert "$folder/ca.crt" --user "elastic:$ELASTIC_PASSWORD" \
    --header "Content-Type: application/json" --data "$body" https://elasticsearch:9200/_security/api_key)
key=$(printf '%s' "$answer" | sed -n 's/.*"encoded" *: *"\([^"]*\)".*/\1/p')
if [ -z "$key" ]; then
    echo "Elasticsearch gave no key" >&2
    exit 1
fi
umask 077
printf '%s' "$key" >"$file.new"
chmod 0444 "$file.new"
mv "$file.new" "$file"
