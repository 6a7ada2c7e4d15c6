# Where kubelet, kubectl and crictl are.
export PATH=$PATH:/opt/bin
