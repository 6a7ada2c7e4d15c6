# The image knows by which keys packages of this system are signed.
keys=$(find /etc/pki/rpm-gpg -name 'RPM-GPG-KEY-*' -printf 'file://%p ')
cat >/etc/yum.repos.d/osm-system.repo <<REPOSITORY
[osm-system]
name=This cluster's mirror of Amazon Linux
baseurl=$mirror/$(uname -m)
gpgcheck=1
gpgkey=$keys
REPOSITORY
