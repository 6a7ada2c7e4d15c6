# This system has cgroups of version 1 only: kubelet.yaml allows them.
