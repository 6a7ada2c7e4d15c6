// Package resources has the struct that templates of profiles are executed with: names, types, tags and nesting as in
// operating-system-manager, because all of them can be printed.
package resources

import (
	"encoding/json"
	"net"

	"io.osmhub/core/context/amzn2"
	"io.osmhub/core/context/flatcar"
	"io.osmhub/core/context/providerconfig"
	"io.osmhub/core/context/rhel"
	"io.osmhub/core/context/rockylinux"
	"io.osmhub/core/context/ubuntu"
	"io.osmhub/core/context/v1alpha1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

type filesData struct {
	KubeVersion                string
	KubeletConfiguration       string
	KubeletSystemdUnit         string
	BootstrapKubeconfig        string
	InTreeCCMAvailable         bool
	CNIVersion                 string
	ClusterDNSIPs              []net.IP
	KubernetesCACert           string
	HostCACert                 string
	ServerAddress              string
	CloudConfig                string
	ContainerRuntime           string
	CloudProviderName          v1alpha1.CloudProvider
	NetworkConfig              *providerconfig.NetworkConfig
	ExternalCloudProvider      bool
	PauseImage                 string
	InitialTaints              string
	HTTPProxy                  *string
	NoProxy                    *string
	ContainerRuntimeConfig     string
	ContainerRuntimeAuthConfig string
	KubeletFeatureGates        map[string]bool
	RHSubscription             map[string]string
	NetworkIPFamily            string

	kubeletConfig
	operatingSystemConfig
	bootstrapConfig
}

type operatingSystemConfig struct {
	AmazonLinuxConfig amzn2.Config
	FlatcarConfig     flatcar.Config
	RhelConfig        rhel.Config
	UbuntuConfig      ubuntu.Config
	RockyLinuxConfig  rockylinux.Config
}

type kubeletConfig struct {
	KubeReserved                *map[string]string
	SystemReserved              *map[string]string
	EvictionHard                *map[string]string
	MaxPods                     *int32
	ContainerLogMaxSize         *string
	ContainerLogMaxFiles        *string
	ImageGCHighThresholdPercent *int32
	ImageGCLowThresholdPercent  *int32
	ImageMinimumGCAge           *metav1.Duration
	ImageMaximumGCAge           *metav1.Duration
}

type bootstrapConfig struct {
	Token                         string
	ServerURL                     string
	SecretName                    string
	BootstrapKubeconfigSecretName string
}

// Context makes the data of a case's "$filesData" form.
func Context(form string) any {
	data := &filesData{}
	system := struct {
		OperatingSystem     string
		OperatingSystemSpec json.RawMessage
	}{OperatingSystemSpec: json.RawMessage("{}")}
	targets := map[string]any{
		"": &struct{}{}, "amzn2": &data.AmazonLinuxConfig, "flatcar": &data.FlatcarConfig, "rhel": &data.RhelConfig,
		"ubuntu": &data.UbuntuConfig, "rockylinux": &data.RockyLinuxConfig,
	}
	for _, decode := range []func() error{
		func() error { return json.Unmarshal([]byte(form), data) },
		func() error { return json.Unmarshal([]byte(form), &system) },
		func() error { return json.Unmarshal(system.OperatingSystemSpec, targets[system.OperatingSystem]) },
	} {
		if err := decode(); err != nil {
			panic(err)
		}
	}
	return data
}
