#!/bin/bash
# containerd, with its configuration.
set -euo pipefail
source /opt/osm/lib.sh

systemctl daemon-reload
systemctl enable containerd
systemctl restart containerd
timeout 60 /opt/bin/crictl info >/dev/null || fail "containerd does not answer: journalctl -u containerd"
systemctl enable --now containerd-health
