// Package rockylinux has the settings of the operating system of that name.
package rockylinux

type Config struct {
	DistUpgradeOnBoot bool `json:"distUpgradeOnBoot"`
}
