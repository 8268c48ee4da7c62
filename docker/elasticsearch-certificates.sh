#!/bin/sh
# Once: the engine's certificate and the authority that signed it. Runs in the engine's image, as root; a new start
# after its volume was removed makes new ones.
set -eu

folder=${1:-/certificates}
if [ -s "$folder/http.key" ] && [ -s "$folder/http.crt" ] && [ -s "$folder/ca.crt" ]; then
    exit 0
fi
work=$(mktemp -d)
elasticsearch-certutil ca --silent --pem --days 3650 --out "$work/ca.zip"
unzip -q "$work/ca.zip" -d "$work"
elasticsearch-certutil cert --silent --pem --days 3650 --name http --dns elasticsearch,localhost --ip 127.0.0.1 \
    --ca-cert "$work/ca/ca.crt" --ca-key "$work/ca/ca.key" --out "$work/http.zip"
unzip -q "$work/http.zip" -d "$work"
install -m 0444 "$work/ca/ca.crt" "$work/http/http.crt" "$folder"
install -m 0440 -o 1000 -g 0 "$work/http/http.key" "$folder"
rm -r "$work" # and with it the authority's key: it signs nothing else
