#!/bin/bash
# Packages come from Red Hat only to machines that are registered; cloud-init registers them (rh_subscription).
set -euo pipefail
source /opt/osm/lib.sh

{{#if (and (or RhelConfig.RHELSubscriptionManagerUser RhelConfig.RHELUseSatelliteServer) (not AirGapped))}}
subscription-manager identity >/dev/null ||
  fail "this machine is not registered with {{#if RhelConfig.RHELUseSatelliteServer}}{{RhelConfig.RHELSatelliteServer}}{{else}}Red Hat{{/if}}: see /var/log/cloud-init.log, and the operatingSystemSpec of the MachineDeployment"
{{else}}
say "no subscription is asked for: packages come from the image's own repositories"
{{/if}}
