# From the system's own repository.
containerd=containerd
