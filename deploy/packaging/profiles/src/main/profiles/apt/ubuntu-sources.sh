for suite in "$VERSION_CODENAME" "$VERSION_CODENAME-updates" "$VERSION_CODENAME-security"; do
  echo "deb $mirror $suite main universe"
done >/etc/apt/sources.list.d/osm-system.list
