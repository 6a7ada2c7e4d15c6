// Package flatcar has the settings of Flatcar.
package flatcar

type ProvisioningUtility string

type Config struct {
	DisableAutoUpdate   bool `json:"disableAutoUpdate"`
	DisableLocksmithD   bool `json:"disableLocksmithD"`
	DisableUpdateEngine bool `json:"disableUpdateEngine"`
	ProvisioningUtility `json:"provisioningUtility,omitempty"`
}
