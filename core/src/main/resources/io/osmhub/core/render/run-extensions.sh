#!/bin/bash
# Runs the scripts of one folder in the order of their names, each until it succeeds. Their output goes to the journal only.
set -u
for script in /opt/osm/extensions/"$1"/*; do
  pause=2
  until "$script"; do
    message="osm: ${script##*/} failed, see journalctl -u $2; next try in $pause s"
    echo "$message"
    echo "$message" > /dev/console || true
    sleep "$pause"
    pause=$((pause < 128 ? pause * 2 : 128))
  done
done
