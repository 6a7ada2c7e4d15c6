# What the steps share. Sourced, not run.
# shellcheck shell=bash

# To the journal and the console, where somebody looks who waits for a node. Never print a token or what /etc/osm/access holds.
say() {
  echo "osm ${STEP:-setup}: $*"
}

fail() {
  say "$*" >&2
  exit 1
}

# get URL FILE: one try, with limits of time. The caller's loop tries again.
get() {
  local status
  status=$(curl --silent --show-error --location --proto '=https,http' --connect-timeout 15 --max-time 900 \
    --speed-limit 1000 --speed-time 60 --output "$2" --write-out '%{http_code}' "$1") ||
    fail "$1: cannot be fetched (HTTP ${status:-000})"
  [ "$status" = 200 ] || fail "$1: HTTP $status"
}

# fetch URL FILE: a download that its publisher's checksum, beside it, proves. What is not proven never gets the file's name.
fetch() {
  local url=$1 file=$2 wanted found
  get "$url.sha256" "$file.sha256"
  read -r wanted _ <"$file.sha256" || true
  [[ $wanted =~ ^[0-9a-f]{64}$ ]] || fail "$url.sha256: holds no checksum"
  get "$url" "$file.part"
  found=$(sha256sum "$file.part" | cut -d ' ' -f 1)
  if [ "$found" != "$wanted" ]; then
    rm -f "$file.part"
    fail "$url: is damaged or not what was published: checksum $found, $url.sha256 says $wanted; $file was not written"
  fi
  mv -f "$file.part" "$file"
  rm -f "$file.sha256"
}

# As Kubernetes names processors.
architecture() {
  case $(uname -m) in
    x86_64) echo amd64 ;;
    aarch64) echo arm64 ;;
    *) fail "no Kubernetes for $(uname -m)" ;;
  esac
}

# lacks NAME...: what of these programs this machine does not have.
lacks() {
  local name
  for name in "$@"; do
    command -v "$name" >/dev/null 2>&1 || echo "$name"
  done
}
