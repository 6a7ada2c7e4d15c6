{
  echo "deb $mirror $VERSION_CODENAME main"
  echo "deb $mirror $VERSION_CODENAME-updates main"
  echo "deb $mirror-security $VERSION_CODENAME-security main"
} >/etc/apt/sources.list.d/osm-system.list
