#!/bin/bash
# Kernel, swap, journal and certificate authorities.
set -euo pipefail
source /opt/osm/lib.sh

swap_off() {
  swapoff --all
  # Nor at the next boot, whatever /etc/fstab and the partitions say.
  systemctl mask swap.target
}

kernel_settings() {
  # A module may be built in, or not be there at all: what matters shows in the settings below.
  systemctl restart systemd-modules-load || say "some kernel modules were not loaded"
  sysctl -q -p /etc/sysctl.d/99-osm.conf || fail "the kernel does not take these settings; is a module of it missing?"
}

{{> trust-host-ca}}

{{> check-cgroups}}
swap_off
kernel_settings
systemctl restart systemd-journald
if grep -q BEGIN /etc/osm/host-ca.crt; then
  trust_host_ca
fi
