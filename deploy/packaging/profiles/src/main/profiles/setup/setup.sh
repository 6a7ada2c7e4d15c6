#!/bin/bash
# Makes this machine a node: runs the steps in the order of their names, each until it succeeds. A step that runs again keeps what
# is there, so that a reboot in the middle does no harm. The node joins in the last step, when all others are done.
set -u
source /opt/osm/lib.sh

for step in /opt/osm/steps/*; do
  STEP=${step##*/}
  export STEP
  say started
  pause=2
  until "$step"; do
    wait=$((pause + RANDOM % pause))
    say "failed, see above; next try in $wait s"
    sleep "$wait"
    pause=$((pause < 128 ? pause * 2 : 128))
  done
done
say "this machine has joined the cluster"
touch /etc/osm/joined
