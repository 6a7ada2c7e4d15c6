#!/bin/bash
# health-check UNIT COMMAND...: restarts the unit when the command fails, or takes too long, five times in a row.
set -u
unit=$1
shift

failures=0
while sleep 15; do
  # A unit that is stopped, or starting, is not looked after.
  if ! systemctl is-active --quiet "$unit" || timeout 30 "$@" >/dev/null 2>&1; then
    failures=0
    continue
  fi
  failures=$((failures + 1))
  echo "$unit did not answer ($failures of 5)"
  if [ "$failures" -ge 5 ]; then
    echo "restarting $unit"
    systemctl restart "$unit"
    # Time to start before it is judged again.
    sleep 120
    failures=0
  fi
done
