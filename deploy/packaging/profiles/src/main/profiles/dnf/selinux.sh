#!/bin/bash
# SELinux logs and allows now, as /etc/selinux/config says for the next boot.
set -euo pipefail
source /opt/osm/lib.sh

if [ "$(getenforce 2>/dev/null || echo Disabled)" = Enforcing ]; then
  setenforce 0
  say "SELinux is permissive"
fi
