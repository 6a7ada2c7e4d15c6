// Package providerconfig has the network of a MachineDeployment, with the methods that a template can call.
package providerconfig

import "io.osmhub/core/context/net"

type DNSConfig struct {
	Servers []string `json:"servers"`
}

type NetworkConfig struct {
	CIDR     string       `json:"cidr"`
	Gateway  string       `json:"gateway"`
	DNS      DNSConfig    `json:"dns"`
	IPFamily net.IPFamily `json:"ipFamily,omitempty"`
}

func (n *NetworkConfig) IsStaticIPConfig() bool {
	return n != nil && (n.CIDR != "" || n.Gateway != "" || len(n.DNS.Servers) > 0)
}

func (n *NetworkConfig) GetIPFamily() net.IPFamily {
	if n == nil {
		return ""
	}
	return n.IPFamily
}
