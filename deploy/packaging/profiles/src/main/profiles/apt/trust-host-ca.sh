trust_host_ca() {
  cp /etc/osm/host-ca.crt /usr/local/share/ca-certificates/osm-host-ca.crt
  update-ca-certificates
}
