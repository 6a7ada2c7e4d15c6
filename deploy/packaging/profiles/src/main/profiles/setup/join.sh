#!/bin/bash
# The kubelet joins the cluster: with a kubeconfig that the API server hands out, until it has a certificate of its own.
set -euo pipefail
umask 077
source /opt/osm/lib.sh
# The options in the file access name its CA from here.
cd /etc/osm

url={{ServerURL}}/api/v1/namespaces/cloud-init-settings/secrets/{{BootstrapKubeconfigSecretName}}
bootstrap_kubeconfig=/etc/kubernetes/bootstrap-kubelet.conf
certificate=/var/lib/kubelet/pki/kubelet-client-current.pem

fetch_kubeconfig() {
  local field
  say "fetching $url"
  # Only root reads the file with the token. Its CA is no option; where it names an address, it is another one.
  sed '/^-/Q; /^url/d' access | curl --fail --silent --show-error --max-time 60 --config - --output answer "$url" ||
    fail "$url: no answer that can be used, see above"
  sed -n 's/.*"kubeconfig": *"\([^"]*\)".*/\1/p' answer | base64 -d >"$bootstrap_kubeconfig.new" ||
    fail "$url: the kubeconfig is not base64"
  rm -f answer
  # A page of a proxy, or half an answer, must not become a kubeconfig.
  for field in 'kind:.*Config' 'server:' 'token:'; do
    grep -q "$field" "$bootstrap_kubeconfig.new" || fail "$url: the answer is no kubeconfig"
  done
  mv -f "$bootstrap_kubeconfig.new" "$bootstrap_kubeconfig"
}

wait_for_certificate() {
  local seconds
  for ((seconds = 0; seconds < 300; seconds += 5)); do
    [ -s "$certificate" ] && return
    [ $((seconds % 60)) -ne 0 ] || say "waiting for the kubelet's certificate ($seconds s)"
    sleep 5
  done
  fail "the kubelet got no certificate in 300 s: journalctl -u kubelet; is its certificate request approved?"
}

if [ ! -s "$certificate" ]; then
  fetch_kubeconfig
fi
systemctl daemon-reload
systemctl enable kubelet
systemctl restart kubelet
wait_for_certificate
systemctl enable --now kubelet-health
# From here on the kubelet has credentials of its own.
rm -f "$bootstrap_kubeconfig" access
