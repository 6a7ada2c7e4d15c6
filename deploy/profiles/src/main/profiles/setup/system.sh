#!/bin/bash
# Kernel, swap, journal and certificate authorities.
set -euo pipefail
source /opt/osm/lib.sh

swap_off() {
  swapoff --all
  # What the image mounts at the next boot.
  [ ! -e /etc/fstab ] || sed -i '/^[^#].*[[:space:]]swap[[:space:]]/s/^/# /' /etc/fstab
}

kernel_settings() {
  # A module may be built in, or not be there at all: what matters shows in the settings below.
  systemctl restart systemd-modules-load || say "some kernel modules were not loaded"
  sysctl -q -p /etc/sysctl.d/99-osm.conf
}

{{> trust-host-ca}}

swap_off
kernel_settings
systemctl restart systemd-journald
if [ -s /etc/osm/host-ca.crt ]; then
  trust_host_ca
fi
