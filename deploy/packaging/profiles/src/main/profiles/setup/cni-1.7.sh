cni_plugins=v1.7.1
