// Package net has the address families of a node, with the methods that a template can call.
package net

import "slices"

type IPFamily string

func (f IPFamily) HasIPv4() bool {
	return slices.Contains([]IPFamily{"", "IPv4", "IPv4+IPv6", "IPv6+IPv4"}, f)
}

func (f IPFamily) HasIPv6() bool {
	return slices.Contains([]IPFamily{"IPv6", "IPv4+IPv6", "IPv6+IPv4"}, f)
}

func (f IPFamily) IsDualstack() bool {
	return f.HasIPv4() && f.HasIPv6()
}
