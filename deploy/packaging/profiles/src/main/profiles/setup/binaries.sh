#!/bin/bash
# kubelet, crictl and the CNI plugins: from the image when they are there, else downloaded.
set -euo pipefail
source /opt/osm/lib.sh

kubernetes={{KubeVersion}}
{{#if (semver "~1.31.0-0" KubeVersion)}}
cri_tools=v1.31.1
{{else if (semver "~1.32.0-0" KubeVersion)}}
cri_tools=v1.32.0
{{else if (semver "~1.33.0-0" KubeVersion)}}
cri_tools=v1.33.0
{{else if (semver "~1.34.0-0" KubeVersion)}}
cri_tools=v1.34.0
{{else if (semver "~1.35.0-0" KubeVersion)}}
cri_tools=v1.35.0
{{else if (semver "~1.36.0-0" KubeVersion)}}
cri_tools=v1.36.0
{{else}}
cri_tools=v1.37.0
{{/if}}
mkdir -p /opt/bin /opt/cni/bin /var/lib/osm

# installed PROGRAM VERSION: whether that version is in /opt/bin, or elsewhere on the path, where it is then linked to.
installed() {
  local program
  program=$(PATH=/opt/bin:$PATH command -v "$1") || return 1
  [[ " $("$program" --version 2>/dev/null) " = *" $2 "* ]] || return 1
  [ "$program" = "/opt/bin/$1" ] || ln -sf "$program" "/opt/bin/$1"
}

install_kubelet() {
  installed kubelet "$kubernetes" && return
{{#if (and AirGapped (not Downloads.Kubernetes))}}
  fail "this cluster is air-gapped, and the image has no kubelet $kubernetes: put it into /opt/bin of the image, or set provisioning.downloads.kubernetes"
{{else}}
  machine=$(architecture)
  local base={{shellQuote (default Downloads.Kubernetes "https://dl.k8s.io")}}
  fetch "$base/$kubernetes/bin/linux/$machine/kubelet" /var/lib/osm/kubelet
  install -m 0755 /var/lib/osm/kubelet /opt/bin/kubelet
  rm -f /var/lib/osm/kubelet
{{/if}}
}

install_crictl() {
  installed crictl "$cri_tools" && return
{{#if (and AirGapped (not Downloads.CRITools))}}
  # Any version speaks to containerd.
  [ -z "$(PATH=/opt/bin:$PATH lacks crictl)" ] ||
    fail "this cluster is air-gapped, and the image has no crictl: put it into /opt/bin of the image, or set provisioning.downloads.criTools"
  [ -e /opt/bin/crictl ] || ln -sf "$(command -v crictl)" /opt/bin/crictl
{{else}}
  machine=$(architecture)
  local base={{shellQuote (default Downloads.CRITools "https://github.com/kubernetes-sigs/cri-tools/releases/download")}}
  fetch "$base/$cri_tools/crictl-$cri_tools-linux-$machine.tar.gz" /var/lib/osm/crictl.tgz
  tar -xzf /var/lib/osm/crictl.tgz -C /opt/bin --no-same-owner crictl
  rm -f /var/lib/osm/crictl.tgz
{{/if}}
}

install_cni_plugins() {
  [ -x /opt/cni/bin/loopback ] && [ -x /opt/cni/bin/portmap ] && return
{{#if (and AirGapped (not Downloads.CNIPlugins))}}
  fail "this cluster is air-gapped, and the image has no CNI plugins: put loopback, portmap and the others into /opt/cni/bin of the image, or set provisioning.downloads.cniPlugins"
{{else}}
  {{> cni-version}}
  machine=$(architecture)
  local base={{shellQuote (default Downloads.CNIPlugins "https://github.com/containernetworking/plugins/releases/download")}}
  fetch "$base/$cni_plugins/cni-plugins-linux-$machine-$cni_plugins.tgz" /var/lib/osm/cni.tgz
  tar -xzf /var/lib/osm/cni.tgz -C /opt/cni/bin --no-same-owner
  rm -f /var/lib/osm/cni.tgz
{{/if}}
}

install_kubelet
install_crictl
install_cni_plugins
