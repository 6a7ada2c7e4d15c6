#!/bin/bash
# Says by which name and address the kubelet registers this machine: arguments in /run/osm/kubelet.env.
# Fails while an address family of the cluster has no address: the kubelet does not look for it again, so systemd tries later.
set -euo pipefail

# address 4|6: the address of that family on the interface with the default route, without such a route on any interface.
address() {
  local interface found
  interface=$(ip "-$1" -oneline route show default | sed -n 's/.* dev \([^ ]*\).*/\1/p' | head -n 1)
  # An address that another machine has, or that is not yet known to be free, cannot be used.
  found=$(ip "-$1" -oneline address show ${interface:+dev "$interface"} scope global |
    awk '!/temporary|deprecated|tentative|dadfailed/ && !first {sub("/.*", "", $4); first = $4} END {print first}')
  if [ -z "$found" ]; then
    echo "no IPv$1 address${interface:+ on $interface} yet" >&2
    exit 1
  fi
  echo "$found"
}

host_name() {
{{#if (eq CloudProviderName "aws")}}
  # The cloud controller manager finds the machine by its private DNS name.
  hostname -f
{{else if (eq CloudProviderName "openstack")}}
  # Nova's name, which the kubelet takes by itself.
  :
{{else}}
  if [ -s /etc/machine-name ]; then
    cat /etc/machine-name
  else
    hostname
  fi
{{/if}}
}

name=$(host_name)
{{#if (eq NetworkIPFamily "IPv6")}}
ip=$(address 6)
{{else if (eq NetworkIPFamily "IPv4+IPv6")}}
{{#if ExternalCloudProvider}}
# Of two families the cloud controller manager knows the addresses.
ip=
{{else}}
ip=$(address 4)
ip+=,$(address 6)
{{/if}}
{{else if (eq NetworkIPFamily "IPv6+IPv4")}}
{{#if ExternalCloudProvider}}
ip=
{{else}}
ip=$(address 6)
ip+=,$(address 4)
{{/if}}
{{else}}
ip=$(address 4)
{{/if}}

arguments=
[ -z "$name" ] || arguments+=" --hostname-override=${name,,}"
[ -z "$ip" ] || arguments+=" --node-ip=$ip"
# Behind systemd-resolved, /etc/resolv.conf names an address of this host that means nothing inside of a pod.
[ ! -e /run/systemd/resolve/resolv.conf ] || arguments+=" --resolv-conf=/run/systemd/resolve/resolv.conf"

mkdir -p /run/osm
echo "KUBELET_NODE_ARGUMENTS=$arguments" >/run/osm/kubelet.env
