package main

import (
	"bytes"
	"encoding/json"
	"strings"
	"text/template"

	"github.com/BurntSushi/toml"
	"github.com/Masterminds/sprig/v3"
	"gopkg.in/yaml.v3"
)

// functions are those that write a value; the corpus has all others.
func functions() template.FuncMap {
	all := sprig.TxtFuncMap()
	all["toYaml"] = func(value any) string {
		text, err := yaml.Marshal(value)
		if err != nil {
			return ""
		}
		return strings.TrimSuffix(string(text), "\n")
	}
	all["toToml"] = func(value any) string {
		text := bytes.Buffer{}
		if err := toml.NewEncoder(&text).Encode(value); err != nil {
			return err.Error()
		}
		return text.String()
	}
	all["toJson"] = func(value any) string {
		text, err := json.Marshal(value)
		if err != nil {
			return ""
		}
		return string(text)
	}
	return all
}
