cni_plugins=v1.9.1
