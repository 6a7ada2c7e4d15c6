{{#if (semver ">=1.35.0-0" KubeVersion)}}
[ -e /sys/fs/cgroup/cgroup.controllers ] ||
  fail "this machine has cgroups of version 1, with which this kubelet does not start: boot it with systemd.unified_cgroup_hierarchy=1"
{{/if}}
