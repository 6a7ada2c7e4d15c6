// Package ubuntu has the settings of the operating system of that name.
package ubuntu

type Config struct {
	DistUpgradeOnBoot bool `json:"distUpgradeOnBoot"`
}
