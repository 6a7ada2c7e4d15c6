[ -e /sys/fs/cgroup/cgroup.controllers ] ||
  fail "this machine has cgroups of version 1, with which kubelets of Kubernetes 1.35 do not start: boot it with systemd.unified_cgroup_hierarchy=1"
