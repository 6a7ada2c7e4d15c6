#!/bin/bash
# Packages that a node needs, and containerd.
set -euo pipefail
source /opt/osm/lib.sh
export DEBIAN_FRONTEND=noninteractive

{{#if (and AirGapped (not Downloads.OSPackages))}}
missing=$(lacks conntrack containerd ethtool iptables mount.nfs runc socat | xargs)
[ -z "$missing" ] ||
  fail "this cluster is air-gapped, and the image lacks: $missing; install them in the image, or set provisioning.downloads.osPackages and provisioning.downloads.containerd"
{{else}}
source /etc/os-release
{{#if Downloads.OSPackages}}
# Only the tenant's own mirror, none of the image's, which are kept for people to see.
mirror={{shellQuote Downloads.OSPackages}}
mkdir -p /etc/osm/apt-sources
find /etc/apt/sources.list /etc/apt/sources.list.d -type f ! -name 'osm-*' -exec mv -t /etc/osm/apt-sources {} +
{{> apt-sources}}
{{/if}}
{{#if (and AirGapped (not Downloads.Containerd))}}
containerd=
[ -z "$(lacks containerd)" ] ||
  fail "this cluster is air-gapped, and the image has no containerd: install it in the image, or set provisioning.downloads.containerd"
{{else}}
containerd='containerd.io=2.3*'
base={{shellQuote (default Downloads.Containerd "https://download.docker.com/linux")}}
key=/etc/apt/keyrings/osm-containerd.asc
mkdir -p /etc/apt/keyrings
get "$base/$ID/gpg" "$key.part"
grep -q 'BEGIN PGP PUBLIC KEY' "$key.part" || fail "$base/$ID/gpg: is no key"
# apt reads it as a user without rights.
chmod 644 "$key.part"
mv -f "$key.part" "$key"
echo "deb [signed-by=$key] $base/$ID $VERSION_CODENAME stable" >/etc/apt/sources.list.d/osm-containerd.list
{{/if}}

apt-get update
# containerd's configuration is here before its package is, and stays.
apt-get install -y --no-install-recommends --allow-change-held-packages \
  -o Dpkg::Options::=--force-confdef -o Dpkg::Options::=--force-confold \
  ca-certificates conntrack ethtool iptables nfs-common socat \
{{#if (eq CloudProviderName "vsphere" "vmware-cloud-director")}}
  open-vm-tools \
{{/if}}
{{#if (eq CloudProviderName "kubevirt")}}
  qemu-guest-agent \
{{/if}}
{{#if (eq CloudProviderName "nutanix" "openstack")}}
  open-iscsi \
{{/if}}
  ${containerd:+"$containerd"}
# An upgrade of the system must not restart all containers.
[ -z "$containerd" ] || apt-mark hold containerd.io
{{/if}}
{{#if (eq CloudProviderName "kubevirt")}}
# Tells KubeVirt addresses and versions of the machine. A node works without it.
systemctl enable --now --no-block qemu-guest-agent || say "qemu-guest-agent was not started"
{{/if}}
