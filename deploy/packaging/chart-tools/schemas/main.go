// Writes JSON Schemas for kubeconform from the OpenAPI document of kube-apiserver and from CustomResourceDefinitions, because
// kubeconform otherwise downloads some that others derived from these sources.
//
// Usage: schemas FOLDER SWAGGER.JSON [CRD.YAML ...]
package main

import (
	"encoding/json"
	"fmt"
	"log"
	"os"
	"path/filepath"
	"strings"

	"sigs.k8s.io/yaml"
)

const definitionsFile = "definitions.json"

// Types that the document describes as text although numbers are accepted too.
var textOrNumber = map[string]bool{
	"io.k8s.apimachinery.pkg.util.intstr.IntOrString": true,
	"io.k8s.apimachinery.pkg.api.resource.Quantity":   true,
}

type object = map[string]any

func main() {
	if len(os.Args) < 3 {
		log.Fatal("usage: schemas FOLDER SWAGGER.JSON [CRD.YAML ...]")
	}
	folder := os.Args[1]
	var document struct {
		Definitions map[string]object `json:"definitions"`
	}
	read(os.Args[2], json.Unmarshal, &document)
	for name, definition := range document.Definitions {
		if textOrNumber[name] {
			document.Definitions[name] = object{"type": []string{"string", "number"}}
			continue
		}
		refuseUnknown(definition)
		kinds, _ := definition["x-kubernetes-group-version-kind"].([]any)
		for _, kind := range kinds {
			names := kind.(object)
			write(folder, names["kind"], names["group"], names["version"], object{"$ref": definitionsFile + "#/definitions/" + name})
		}
	}
	save(filepath.Join(folder, definitionsFile), object{"definitions": document.Definitions})
	for _, file := range os.Args[3:] {
		var crd struct {
			Spec struct {
				Group    string
				Names    struct{ Kind string }
				Versions []struct {
					Name   string
					Schema struct{ OpenAPIV3Schema object }
				}
			}
		}
		read(file, func(data []byte, into any) error { return yaml.Unmarshal(data, into) }, &crd)
		for _, version := range crd.Spec.Versions {
			refuseUnknown(version.Schema.OpenAPIV3Schema)
			write(folder, crd.Spec.Names.Kind, crd.Spec.Group, version.Name, version.Schema.OpenAPIV3Schema)
		}
	}
}

// As the API server does for server-side apply.
func refuseUnknown(schema object) {
	if properties, ok := schema["properties"].(object); ok {
		for _, property := range properties {
			refuseUnknown(property.(object))
		}
		_, open := schema["additionalProperties"]
		if preserve, _ := schema["x-kubernetes-preserve-unknown-fields"].(bool); !open && !preserve {
			schema["additionalProperties"] = false
		}
	}
	for _, key := range []string{"items", "additionalProperties"} {
		if inner, ok := schema[key].(object); ok {
			refuseUnknown(inner)
		}
	}
}

// KIND-GROUP-VERSION.json in lower case, with the group "core" for none.
func write(folder string, kind, group, version any, schema any) {
	if group == "" {
		group = "core"
	}
	name := strings.ToLower(fmt.Sprintf("%v-%v-%v.json", kind, group, version))
	save(filepath.Join(folder, name), schema)
}

func save(file string, value any) {
	data, err := json.Marshal(value)
	if err == nil {
		err = os.WriteFile(file, data, 0o644)
	}
	if err != nil {
		log.Fatal(err)
	}
}

func read(file string, decode func([]byte, any) error, into any) {
	data, err := os.ReadFile(file)
	if err == nil {
		err = decode(data, into)
	}
	if err != nil {
		log.Fatalf("%s: %v", file, err)
	}
}
