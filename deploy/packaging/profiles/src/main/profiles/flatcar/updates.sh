#!/bin/bash
# Whether Flatcar updates itself, and whether it reboots into the update: as the MachineDeployment says.
set -euo pipefail
source /opt/osm/lib.sh

{{#if (or FlatcarConfig.DisableUpdateEngine FlatcarConfig.DisableAutoUpdate)}}
systemctl mask --now update-engine
say "update-engine is off: no update is fetched"
{{/if}}
{{#if (or FlatcarConfig.DisableLocksmithD FlatcarConfig.DisableAutoUpdate)}}
systemctl mask --now locksmithd
say "locksmithd is off: no reboot into an update"
{{/if}}
