{{#if (and AirGapped (not Downloads.Containerd))}}
containerd=
[ -z "$(lacks containerd)" ] ||
  fail "this cluster is air-gapped, and the image has no containerd: install it in the image, or set provisioning.downloads.containerd"
{{else}}
containerd='containerd.io-2.3.*'
base={{shellQuote (default Downloads.Containerd "https://download.docker.com/linux")}}
# Off but for this installation: an upgrade of the system must not restart all containers.
cat >/etc/yum.repos.d/osm-containerd.repo <<REPOSITORY
[osm-containerd]
name=containerd
baseurl=$base/rhel/$(rpm -E %rhel)/$(uname -m)/stable
enabled=0
gpgcheck=1
gpgkey=$base/rhel/gpg
REPOSITORY
options+=(--enablerepo=osm-containerd)
{{/if}}
