// Package amzn2 has the settings of the operating system of that name.
package amzn2

type Config struct {
	DistUpgradeOnBoot bool `json:"distUpgradeOnBoot"`
}
