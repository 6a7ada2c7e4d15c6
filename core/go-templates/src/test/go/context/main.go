// Command context prints cases for the corpus, in the form of its other files: what Go gives for every field of the templates'
// context with every way to print, encode, compare and traverse it. `./generate` writes them to the test data.
package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"reflect"
	"strings"
	"text/template"

	"io.osmhub/core/context/resources"
)

// fields are the fields of the context, each with the forms of its values that are tried, the zero value first.
var fields = []struct {
	name  string
	forms []string
}{
	{"KubeVersion", []string{`{}`, `{"kubeVersion":"v1.34.2"}`}},
	{"KubernetesCACert", []string{`{"kubernetesCACert":"<a> & \"b\"\n\tü\n"}`}},
	{"InTreeCCMAvailable", []string{`{}`, `{"inTreeCCMAvailable":true}`}},
	{"ClusterDNSIPs", []string{`{}`, `{"clusterDNSIPs":[]}`, `{"clusterDNSIPs":["10.10.10.10","fd00::a"]}`}},
	{"CloudProviderName", []string{`{}`, `{"cloudProviderName":"aws"}`}},
	{"NetworkConfig", []string{`{}`, `{"networkConfig":{}}`,
		`{"networkConfig":{"cidr":"10.0.0.2/24","gateway":"10.0.0.1","dns":{"servers":["1.1.1.1","8.8.8.8"]},"ipFamily":"IPv4+IPv6"}}`,
		`{"networkConfig":{"cidr":"","dns":{"servers":[]},"ipFamily":"IPv6"}}`}},
	{"HTTPProxy", []string{`{}`, `{"httpProxy":""}`, `{"httpProxy":"http://proxy:3128?a=b&c"}`}},
	{"KubeletFeatureGates", []string{`{}`, `{"kubeletFeatureGates":{}}`, `{"kubeletFeatureGates":{"B":true,"A":false}}`}},
	{"RHSubscription", []string{`{}`, `{"rhSubscription":{"org":"a: b"}}`}},
	{"KubeReserved", []string{`{}`, `{"kubeReserved":{}}`, `{"kubeReserved":{"memory":"300Mi","cpu":"200m"}}`}},
	{"MaxPods", []string{`{}`, `{"maxPods":0}`, `{"maxPods":-110}`}},
	{"ContainerLogMaxSize", []string{`{}`, `{"containerLogMaxSize":"100Mi"}`}},
	{"ImageMinimumGCAge", []string{`{}`, `{"imageMinimumGCAge":"0s"}`, `{"imageMinimumGCAge":"2m30s"}`, `{"imageMinimumGCAge":"-1h0.5s"}`}},
	{"AmazonLinuxConfig", []string{`{}`, `{"operatingSystem":"amzn2","operatingSystemSpec":{"distUpgradeOnBoot":true}}`}},
	{"UbuntuConfig", []string{`{}`, `{"operatingSystem":"ubuntu","operatingSystemSpec":{"distUpgradeOnBoot":true}}`}},
	{"RockyLinuxConfig", []string{`{}`, `{"operatingSystem":"rockylinux","operatingSystemSpec":{"distUpgradeOnBoot":true}}`}},
	{"FlatcarConfig", []string{`{}`,
		`{"operatingSystem":"flatcar","operatingSystemSpec":{"disableLocksmithD":true,"provisioningUtility":"ignition"}}`}},
	{"RhelConfig", []string{`{}`, `{"operatingSystem":"rhel","operatingSystemSpec":{"rhelUseSatelliteServer":true,` +
		`"rhelSatelliteServer":"s.example","rhelOrganizationName":"1","rhelActivationKey":"<k>"}}`}},
}

// expressions have X where the field is.
var expressions = strings.Split(strings.TrimSpace(`
{{ X }}
{{ printf "%s" X }}
{{ printf "%v" X }}
{{ printf "%d" X }}
{{ printf "%q" X }}
{{ printf "%+v" X }}
{{ printf "%#v" X }}
{{ printf "%t" X }}
{{ printf "%x" X }}
{{ print X }}
{{ X | toString }}
{{ quote X }}
{{ list X }}
{{ toJson X }}
{{ toPrettyJson X }}
{{ list X | toJson }}
{{ toYaml X }}
{{ dict "k" X | toYaml }}
{{ toToml X }}
{{ dict "k" X | toToml }}
{{ len X }}
{{ index X 0 }}
{{ index X 9 }}
{{ index X "cpu" }}
{{ range X }}<{{ . }}>{{ else }}none{{ end }}
{{ range $k, $v := X }}{{ $k }}={{ $v }};{{ else }}none{{ end }}
{{ eq X X }}
{{ eq X "aws" }}
{{ eq X 110 }}
{{ eq X true }}
{{ eq X nil }}
{{ ne X X }}
{{ lt X X }}
{{ ge X "aws" }}
{{ if X }}yes{{ else }}no{{ end }}
{{ with X }}{{ . }}{{ else }}no{{ end }}
{{ not X }}
{{ and X "last" }}
{{ empty X }}
{{ default "d" X | typeOf }}
{{ typeOf X }} {{ kindOf X }}
{{ deepEqual X X }}
{{ X | upper }}
{{ X | int }}
{{ X | b64enc }}
{{ X.Nothing }}
`), "\n")

// methods are called on what has them, and on nothing else.
var methods = map[string][]string{
	".NetworkConfig":              {"IsStaticIPConfig", "GetIPFamily"},
	".NetworkConfig.IPFamily":     {"HasIPv4", "HasIPv6", "IsDualstack"},
	".ImageMinimumGCAge":          {"String", "Seconds", "Minutes", "Hours", "Milliseconds", "Nanoseconds"},
	".ImageMinimumGCAge.Duration": {"String", "Seconds"},
	"(index .ClusterDNSIPs 0)":    {"String", "To4", "IsLoopback", "IsPrivate"},
}

type failure struct {
	Class string `json:"class"`
	Text  string `json:"text"`
}

type testCase struct {
	ID       string                     `json:"id"`
	Template string                     `json:"template"`
	Data     map[string]json.RawMessage `json:"data"`
	Want     *string                    `json:"want,omitempty"`
	Error    *failure                   `json:"error,omitempty"`
}

var number int

func write(text, form string) {
	number++
	want, err := execute(text, form)
	result := testCase{ID: fmt.Sprintf("context-%d", number), Template: text, Data: map[string]json.RawMessage{"$filesData": []byte(form)}}
	if err != nil {
		result.Error = &failure{"exec", err.Error()}
	} else {
		result.Want = &want
	}
	encoder := json.NewEncoder(os.Stdout)
	encoder.SetEscapeHTML(false)
	if err := encoder.Encode(result); err != nil {
		panic(err)
	}
}

// whole are forms of the context itself: nil, everything but pointers, and everything.
var whole = func() []string {
	values := `"kubeVersion":"v1.34.2","kubernetesCACert":"<a> & \"b\"\n","inTreeCCMAvailable":true,"clusterDNSIPs":["10.10.10.10","fd00::a"],` +
		`"cloudProviderName":"aws","externalCloudProvider":true,"initialTaints":"a=b:NoSchedule","networkIPFamily":"IPv4",` +
		`"kubeletFeatureGates":{"B":true,"A":false},"rhSubscription":{"org":"a: b"},"token":"t","serverURL":"https://api:6443",` +
		`"secretName":"s","bootstrapKubeconfigSecretName":"b"`
	pointers := `"networkConfig":{"cidr":"10.0.0.2/24","dns":{"servers":["1.1.1.1"]},"ipFamily":"IPv6"},"httpProxy":"http://proxy","noProxy":"",` +
		`"kubeReserved":{"memory":"300Mi","cpu":"200m"},"systemReserved":{},"maxPods":0,"containerLogMaxSize":"1Mi","imageMinimumGCAge":"2m30s"`
	rhel := `"operatingSystem":"rhel","operatingSystemSpec":{"rhelUseSatelliteServer":true,"rhelOrganizationName":"1","rhelActivationKey":"<k>"}`
	flatcar := `"operatingSystem":"flatcar","operatingSystemSpec":{"disableAutoUpdate":true,"provisioningUtility":"ignition"}`
	return []string{`{}`, "{" + values + "," + rhel + "}", "{" + values + "," + pointers + "," + flatcar + "}"}
}()

// ofWhole are tried for the context itself, in addition to the expressions.
var ofWhole = strings.Split(strings.TrimSpace(`
{{ . }}
{{ printf "%T" . }}
{{ printf "%5v|%-5v|%05d" . . . }}
{{ printf "%#x %x" . . }}
{{ print . . }}
{{ println . }}
{{ html . }}
{{ js . }}
{{ urlquery . }}
{{ list . . }}
{{ dict "context" . }}
{{ dict "context" . | toJson }}
{{ toRawJson . }}
{{ mustToPrettyJson . }}
{{ . | toString | len }}
{{ . | print | sha256sum }}
{{ cat . "x" }}
{{ squote . }}
{{ join "," (list .) }}
{{ has . (list .) }}
{{ coalesce nil . | typeOf }}
{{ ternary . "x" true | kindOf }}
{{ eq . nil }}
{{ eq . $ }}
{{ with $x := . }}{{ $x.SecretName }}{{ . }}{{ end }}
{{ .kubeletConfig }}
{{ .kubeletConfig.MaxPods }}
{{ .operatingSystemConfig }}
{{ .bootstrapConfig.Token }}
{{ .KubeletConfig }}
{{ .Token }} {{ .MaxPods }} {{ .UbuntuConfig }} {{ .RhelConfig.RHELOrganizationName }}
{{ slice . 0 1 }}
{{ pluck "Token" . }}
{{ .Token.Nothing }}
{{ .MaxPods.Nothing }}
{{ .KubeReserved.cpu }} {{ .KubeReserved.nothing }}
{{ index .KubeReserved "cpu" }}
{{ range .KubeReserved }}{{ . }}{{ else }}none{{ end }}
{{ len .KubeReserved }}
{{ lt . $ }}
{{ . "x" }}
{{ call . }}
`), "\n")

// contexts are kept, so that no two are at the same address.
var contexts []any

func execute(text, form string) (string, error) {
	context := resources.Context(form)
	contexts = append(contexts, context)
	out := bytes.Buffer{}
	err := template.Must(template.New("t").Funcs(functions()).Parse(text)).Execute(&out, context)
	return out.String(), err
}

// try writes one case for all that succeeds, and one for each failure. What prints an address is left out: it differs each time.
func try(path, form string, failures bool) {
	var together []string
	texts := expressions
	if path == "$" {
		texts = append(ofWhole, texts...)
	}
	for _, method := range methods[path] {
		texts = append(texts[:len(texts):len(texts)], "{{ X."+method+" }}")
	}
	for _, text := range texts {
		if strings.HasSuffix(path, ".Duration") && strings.Contains(text, "range") {
			continue // a loop over each nanosecond
		}
		text = strings.ReplaceAll(text, "X", path)
		got, err := execute(text, form)
		again, errAgain := execute(text, form)
		switch {
		case got != again || err != nil && err.Error() != errAgain.Error():
		case err == nil:
			together = append(together, text)
		case failures:
			write(text, form)
		}
	}
	if len(together) > 0 {
		write(strings.Join(together, "\n"), form)
	}
}

// nested calls try for a field and for those in it.
func nested(path string, kind reflect.Type, form string) {
	// What cannot be done with a string or bool is the same for every one of them.
	plain := strings.Count(path, ".") > 1 && (kind == reflect.TypeFor[string]() || kind == reflect.TypeFor[bool]())
	try(path, form, !plain)
	if kind.Kind() == reflect.Pointer {
		kind = kind.Elem()
	}
	switch {
	case kind.Kind() == reflect.Struct:
		for i := range kind.NumField() {
			nested(path+"."+kind.Field(i).Name, kind.Field(i).Type, form)
		}
	case path == ".ClusterDNSIPs":
		try("(index .ClusterDNSIPs 0)", form, true)
	}
}

func main() {
	for _, form := range whole {
		try("$", form, true)
	}
	context := reflect.TypeOf(resources.Context("{}")).Elem()
	for _, field := range fields {
		found, _ := context.FieldByName(field.name)
		for _, form := range field.forms {
			nested("."+field.name, found.Type, form)
		}
	}
}
