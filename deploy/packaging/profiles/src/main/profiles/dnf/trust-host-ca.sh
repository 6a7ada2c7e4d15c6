trust_host_ca() {
  cp /etc/osm/host-ca.crt /etc/pki/ca-trust/source/anchors/osm-host-ca.crt
  update-ca-trust extract
}
