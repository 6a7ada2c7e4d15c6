#!/usr/bin/env bash
# Fetches what nodes download, into the folder of this script. Run it on a machine with internet, as often as needed: existing files
# are kept and checked again. Written by "hub airgap bundle"; manifest.json lists which profile and version needs what.
#   files/       from urls.tsv, by host and path: serve it with any web server
#   packages/    packages of this machine's operating system, with all that they depend on: make a repository of it
#   images/      OCI archives: copy them to your registry
#   SHA256SUMS   checksums of all files. Publishers' checksums are checked; others are recorded when a file is fetched first
# Exit code: 0 all fetched, 1 something is left to do, which is printed
set -uo pipefail
cd "$(dirname "$0")" || exit 1
left=0

leave() {
    printf 'fetch: %s\n' "$*" >&2
    left=1
}

# remember FILE: its checksum must stay what it was.
remember() {
    local sum known
    sum=$(sha256sum "$1" | cut -d ' ' -f 1)
    known=$(awk -v file="$1" 'substr($0, 67) == file { print $1 }' SHA256SUMS)
    if [ -z "$known" ]; then
        printf '%s  %s\n' "$sum" "$1" >>SHA256SUMS
    elif [ "$known" != "$sum" ]; then
        leave "$1: checksum is $sum, but SHA256SUMS has $known; delete the file to fetch it again"
    fi
}

touch SHA256SUMS
while IFS=$'\t' read -r url file _; do
    [ ! -f "$file" ] || continue
    mkdir -p "$(dirname "$file")"
    if curl -fsSL --retry 3 --output "$file.part" "$url"; then
        mv "$file.part" "$file"
    else
        rm -f "$file.part"
        leave "$url: cannot be fetched"
    fi
done <urls.tsv

while IFS=$'\t' read -r url file checksum; do
    [ -f "$file" ] || continue
    if [ -n "$checksum" ] && [ -f "$checksum" ]; then
        wanted=$(head -c 64 "$checksum")
        if [ "$(sha256sum "$file" | cut -d ' ' -f 1)" != "$wanted" ]; then
            rm -f "$file"
            leave "$url: does not match $checksum and was deleted"
            continue
        fi
    elif [ -n "$checksum" ]; then
        leave "$url: its checksum was not fetched"
    fi
    remember "$file"
done <urls.tsv

# shellcheck disable=SC1091
here=$(. /etc/os-release 2>/dev/null && printf '%s-%s' "${ID:-}" "${VERSION_ID:-}") || here=
for list in packages/*.txt; do
    [ -f "$list" ] || continue
    system=$(basename "$list" .txt)
    case $here in
        "$system" | "$system".*) ;;
        *)
            leave "packages of $system: run this script on such a machine, with the package sources of manifest.json"
            continue
            ;;
    esac
    mkdir -p "packages/$system"
    if command -v apt-get >/dev/null; then
        mkdir -p "packages/$system/partial"
        xargs -a "$list" apt-get -y --download-only --no-install-recommends --reinstall \
            -o Dir::Cache::archives="$PWD/packages/$system" install || leave "packages of $system: apt-get failed"
    else
        xargs -a "$list" dnf -y download --resolve --alldeps --destdir "packages/$system" || leave "packages of $system: dnf failed"
    fi
    while IFS= read -r file; do remember "$file"; done < <(find "packages/$system" -type f \( -name '*.deb' -o -name '*.rpm' \) | sort)
done

while read -r image; do
    case ${image##*/} in
        *:* | *@*) ;;
        *)
            leave "image $image: its tag depends on containerd; find it with \"crictl info | grep sandbox\", and copy it"
            continue
            ;;
    esac
    file=images/$(printf '%s' "$image" | tr '/:@' '___').tar
    if [ ! -f "$file" ]; then
        mkdir -p images
        command -v skopeo >/dev/null || { leave "image $image: skopeo required; install it"; continue; }
        skopeo copy --all "docker://$image" "oci-archive:$file" || { rm -f "$file"; leave "image $image: cannot be fetched"; continue; }
    fi
    remember "$file"
done <images.txt

[ $left = 0 ] && printf 'fetch: complete\n'
exit $left
