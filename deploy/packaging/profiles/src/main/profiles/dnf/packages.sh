#!/bin/bash
# Packages that a node needs, and containerd.
set -euo pipefail
source /opt/osm/lib.sh

{{#if (and AirGapped (not Downloads.OSPackages))}}
missing=$(lacks conntrack containerd ethtool iptables mount.nfs runc socat tar | xargs)
[ -z "$missing" ] ||
  fail "this cluster is air-gapped, and the image lacks: $missing; install them in the image, or set provisioning.downloads.osPackages and provisioning.downloads.containerd"
{{else}}
yum=$(command -v dnf || command -v yum)
options=(-y)
{{#if Downloads.OSPackages}}
mirror={{shellQuote Downloads.OSPackages}}
{{> dnf-mirror}}
# Only the tenant's own mirror, none of the image's.
options+=(--disablerepo='*' --enablerepo='osm-*')
{{/if}}
{{> dnf-containerd}}

"$yum" install "${options[@]}" conntrack-tools ethtool iptables nfs-utils socat tar \
{{#if (eq CloudProviderName "vsphere")}}
  open-vm-tools \
{{/if}}
{{#if (eq CloudProviderName "kubevirt")}}
  qemu-guest-agent \
{{/if}}
{{#if (eq CloudProviderName "openstack")}}
  iscsi-initiator-utils \
{{/if}}
  ${containerd:+"$containerd"}

# Its rules and those of kube-proxy and the CNI plugin undo each other.
if systemctl is-enabled --quiet firewalld 2>/dev/null; then
  systemctl disable --now firewalld
fi
{{/if}}
{{#if (eq CloudProviderName "kubevirt")}}
# Tells KubeVirt addresses and versions of the machine. A node works without it.
systemctl enable --now --no-block qemu-guest-agent || say "qemu-guest-agent was not started"
{{else if (eq CloudProviderName "vsphere")}}
# The same for vSphere.
systemctl enable --now --no-block vmtoolsd || say "vmtoolsd was not started"
{{/if}}
