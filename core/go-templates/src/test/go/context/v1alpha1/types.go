// Package v1alpha1 has the named string type of a cloud provider.
package v1alpha1

type CloudProvider string
