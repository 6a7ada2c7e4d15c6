#!/bin/bash
{{!-- Fetches this node's configuration and has cloud-init write its files, then starts setup.service. Comments stay in the
profile: the document that the cloud hands over is to have less than 4,096 bytes, whatever the provider. --}}
umask 77
cd /etc/osm || exit
url={{ServerURL}}/api/v1/namespaces/cloud-init-settings/secrets/{{SecretName}}
{{!-- One module of cloud-init instead of a second run of all: network and host name stay as the first run made them. --}}
set -- single -n write_files --frequency always
{{!-- config is replaced by what was received whole (curl), is base64, and is a document for cloud-init: never by a proxy's page.
The key stands in quotes of its own; in a JSON text within the answer they have backslashes.
cloud-init 24.1 moved --file behind the subcommand; the other order is refused before anything is done. --}}
pause=2
until
  echo "fetching $url"
  sed /^-/Q access | curl -fsSm60 -K- -o answer $url &&
    sed -n 's/.*"cloud-config": *"\([^"]*\)".*/\1/p' answer | base64 -d >new &&
    { grep -q ^#cloud-config new || ! echo "not a configuration"; } && mv new config &&
    (umask 22; cloud-init "$@" --file config || cloud-init --file config "$@")
do
{{!-- Between the pause and twice as much, so that machines which failed together do not come again together. --}}
  sleep $((pause + RANDOM % pause))
  pause=$((pause < 64 ? pause * 2 : 64))
done
systemctl daemon-reload
systemctl enable --now setup && touch fetched
