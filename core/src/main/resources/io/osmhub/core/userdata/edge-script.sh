#!/bin/sh
# Makes this machine a node: fetches its bootstrap configuration, gives it to cloud-init, starts the bootstrap service.
# Run it as root. It may be run again at any time.
set -eu
umask 077

server='@SERVER@'
secret='@SECRET@'
# For trying the script out: another root directory, fewer attempts.
target=${OSM_HUB_ROOT:-}/etc/cloud/cloud.cfg.d/$secret.cfg
attempts=${OSM_HUB_ATTEMPTS:-60}

say() {
  echo "edge bootstrap: $*" >&2
}

fail() {
  say "$*"
  exit 1
}

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
trap 'exit 129' HUP
trap 'exit 130' INT
trap 'exit 143' TERM

# The token goes to curl in a file that only root reads; an argument would show in the process list.
cat >"$work/curl.conf" <<'END_OF_CURL_CONFIG'
header = "Authorization: Bearer @TOKEN@"
header = "Accept: application/json"
@CACERT@
END_OF_CURL_CONFIG
@CA@
install_curl() {
  say 'installing curl'
  if command -v apt-get >/dev/null 2>&1; then
    apt-get update -y && DEBIAN_FRONTEND=noninteractive apt-get install -y curl
  elif command -v dnf >/dev/null 2>&1; then
    dnf install -y curl
  elif command -v yum >/dev/null 2>&1; then
    yum install -y curl
  elif command -v zypper >/dev/null 2>&1; then
    zypper --non-interactive install curl
  else
    return 1
  fi
}

fetch() {
  if ! command -v curl >/dev/null 2>&1; then
    install_curl || { say 'curl cannot be installed'; return 1; }
  fi
  (cd "$work" && curl --disable --config curl.conf --silent --show-error --fail --proto '=https' --tlsv1.2 \
    --connect-timeout 10 --max-time 60 --max-filesize 4194304 \
    "$server/api/v1/namespaces/cloud-init-settings/secrets/$secret") >"$work/secret.json" || return 1
  # The value is base64, so that it can be cut out. In JSON within a string the quotes would have backslashes.
  tr -d '[:space:]' <"$work/secret.json" \
    | sed -n 's/.*"cloud-config":"\([A-Za-z0-9+\/=]*\)".*/\1/p' \
    | base64 -d >"$work/cloud-config" || { say 'key cloud-config of the secret is not base64'; return 1; }
  first=
  IFS= read -r first <"$work/cloud-config" || true
  case $first in
    '#cloud-config'*) ;;
    *)
      say 'the secret has no cloud-config document'
      return 1
      ;;
  esac
}

attempt=1
pause=1
until fetch; do
  [ "$attempt" -lt "$attempts" ] || fail "no configuration after $attempts attempts; is $server reachable, and the token valid?"
  # Up to twice the pause, so that machines which failed together do not come again together.
  random=$(od -An -N1 -tu1 /dev/urandom | tr -d '[:space:]')
  wait=$((pause + pause * random / 256))
  say "attempt $attempt of $attempts failed, the next one follows in $wait s"
  sleep "$wait"
  attempt=$((attempt + 1))
  pause=$((pause < 16 ? pause * 2 : 30))
done

command -v cloud-init >/dev/null 2>&1 || fail 'cloud-init is not installed'
(umask 022 && mkdir -p "${target%/*}")
cp "$work/cloud-config" "$target.new"
mv -f "$target.new" "$target"

# cloud-init 24.1 moved --file behind the subcommand.
version=$(cloud-init --version 2>&1 | sed -n 's/^[^0-9]*\([0-9][0-9]*\)\.\([0-9][0-9]*\).*/\1 \2/p' | head -n 1)
file_follows_init() {
  if [ -z "$version" ]; then
    cloud-init init --help 2>&1 | grep -q -e '--file'
  else
    [ "${version% *}" -gt 24 ] || { [ "${version% *}" -eq 24 ] && [ "${version#* }" -ge 1 ]; }
  fi
}
# Its status is no verdict: modules that do not concern the bootstrap service may fail.
if file_follows_init; then
  cloud-init init --file "$target" || say "cloud-init ended with status $?, see /var/log/cloud-init.log"
else
  cloud-init --file "$target" init || say "cloud-init ended with status $?, see /var/log/cloud-init.log"
fi

systemctl daemon-reload
systemctl enable bootstrap.service
systemctl restart bootstrap.service
