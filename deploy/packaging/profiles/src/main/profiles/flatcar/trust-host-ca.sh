trust_host_ca() {
  cp /etc/osm/host-ca.crt /etc/ssl/certs/osm-host-ca.pem
  update-ca-certificates
}
