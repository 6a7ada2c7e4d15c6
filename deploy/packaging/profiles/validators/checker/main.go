// Command checker holds files against the types that read them on a machine: kubelet configurations against Kubernetes' own, decoded as
// strictly as the kubelet does, and Ignition 2.3.0 documents against Ignition's.
//
// Each line of the standard input is one check, "KIND<TAB>FILE"; KIND is a minor version of Kubernetes such as 1.34, or "ignition". Each
// line of the standard output is one finding, "KIND<TAB>FILE<TAB>MESSAGE". The last line is "checked<TAB>N".
package main

import (
	"bufio"
	"fmt"
	"os"
	"strings"

	ignition "github.com/coreos/ignition/config/v2_3"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/serializer"
	kubelet31 "osmhub.io/kubelet-1.31/config/v1beta1"
	kubelet32 "osmhub.io/kubelet-1.32/config/v1beta1"
	kubelet33 "osmhub.io/kubelet-1.33/config/v1beta1"
	kubelet34 "osmhub.io/kubelet-1.34/config/v1beta1"
	kubelet35 "osmhub.io/kubelet-1.35/config/v1beta1"
	kubelet36 "osmhub.io/kubelet-1.36/config/v1beta1"
	kubelet37 "osmhub.io/kubelet-1.37/config/v1beta1"
)

// check returns what is wrong with a file's content.
type check func(content []byte) []string

func kubelet(register func(*runtime.Scheme) error, want runtime.Object) check {
	scheme := runtime.NewScheme()
	if err := register(scheme); err != nil {
		panic(err)
	}
	decoder := serializer.NewCodecFactory(scheme, serializer.EnableStrict).UniversalDeserializer()
	return func(content []byte) []string {
		object, kind, err := decoder.Decode(content, nil, nil)
		if err != nil {
			return []string{err.Error()}
		}
		if fmt.Sprintf("%T", object) != fmt.Sprintf("%T", want) {
			return []string{fmt.Sprintf("is a %s, not a KubeletConfiguration", kind)}
		}
		return nil
	}
}

func ignitionConfig(content []byte) []string {
	_, report, err := ignition.Parse(content)
	var findings []string
	for _, entry := range report.Entries {
		// Its types embed this struct, so its look for unused keys misses the tag; the transpiler always writes the key.
		if entry.Message == "Config has unrecognized key: tls" {
			continue
		}
		findings = append(findings, entry.String())
	}
	if err != nil && len(findings) == 0 {
		findings = append(findings, err.Error())
	}
	return findings
}

func main() {
	checks := map[string]check{
		"1.31":     kubelet(kubelet31.AddToScheme, &kubelet31.KubeletConfiguration{}),
		"1.32":     kubelet(kubelet32.AddToScheme, &kubelet32.KubeletConfiguration{}),
		"1.33":     kubelet(kubelet33.AddToScheme, &kubelet33.KubeletConfiguration{}),
		"1.34":     kubelet(kubelet34.AddToScheme, &kubelet34.KubeletConfiguration{}),
		"1.35":     kubelet(kubelet35.AddToScheme, &kubelet35.KubeletConfiguration{}),
		"1.36":     kubelet(kubelet36.AddToScheme, &kubelet36.KubeletConfiguration{}),
		"1.37":     kubelet(kubelet37.AddToScheme, &kubelet37.KubeletConfiguration{}),
		"ignition": ignitionConfig,
	}
	done := 0
	out := bufio.NewWriter(os.Stdout)
	defer out.Flush()
	lines := bufio.NewScanner(os.Stdin)
	for lines.Scan() {
		kind, file, _ := strings.Cut(lines.Text(), "\t")
		run, known := checks[kind]
		if !known {
			fmt.Fprintf(os.Stderr, "checker: no check %q\n", kind)
			os.Exit(2)
		}
		content, err := os.ReadFile(file)
		if err != nil {
			fmt.Fprintf(os.Stderr, "checker: %v\n", err)
			os.Exit(2)
		}
		for _, finding := range run(content) {
			fmt.Fprintf(out, "%s\t%s\t%s\n", kind, file, strings.Join(strings.Fields(finding), " "))
		}
		done++
	}
	if err := lines.Err(); err != nil {
		fmt.Fprintf(os.Stderr, "checker: %v\n", err)
		os.Exit(2)
	}
	fmt.Fprintf(out, "checked\t%d\n", done)
}
