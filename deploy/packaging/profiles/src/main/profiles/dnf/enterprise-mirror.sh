# The image knows by which keys packages of this system are signed.
keys=$(find /etc/pki/rpm-gpg -name 'RPM-GPG-KEY-*' -printf 'file://%p ')
for repository in BaseOS AppStream; do
  cat <<REPOSITORY
[osm-$repository]
name=$repository of this cluster's mirror
baseurl=$mirror/$(rpm -E %rhel)/$repository/$(uname -m)/os
gpgcheck=1
gpgkey=$keys
REPOSITORY
done >/etc/yum.repos.d/osm-system.repo
