{{/* Labels of an object. Selectors use only the name, which never changes. */}}
{{- define "osm-hub.labels" -}}
{app.kubernetes.io/name: osm-hub{{ range $name, $value := fromJson (include "osm-hub.moreLabels" .) }}, {{ $name }}: {{ $value | quote }}{{ end }}}
{{- end -}}

{{/* The labels besides the name, as JSON. */}}
{{- define "osm-hub.moreLabels" -}}
{{- $labels := deepCopy .Values.labels.common -}}
{{- if .Values.labels.standard -}}
{{- $labels = merge (dict
    "app.kubernetes.io/instance" .Release.Name
    "app.kubernetes.io/version" .Chart.AppVersion
    "app.kubernetes.io/managed-by" .Release.Service
    "helm.sh/chart" (printf "%s-%s" .Chart.Name .Chart.Version)) $labels -}}
{{- end -}}
{{- toJson $labels -}}
{{- end -}}

{{/* True where the hub itself runs. */}}
{{- define "osm-hub.runs" -}}
{{- if ne .Values.mode "Worker" }}true{{ end -}}
{{- end -}}

{{/* Port of a listening address in the hub's configuration, empty if disabled. Takes (list VALUES SECTION DEFAULT). */}}
{{- define "osm-hub.port" -}}
{{- $address := dig (index . 1) "address" (index . 2) (index . 0).config -}}
{{- if $address }}{{ splitList ":" $address | last }}{{ end -}}
{{- end -}}

{{/*
Values of the configuration that a running hub does not reload, with their keys; empty without any. The pods have its digest, so that
they are replaced when one of these values changes.
*/}}
{{- define "osm-hub.restartValues" -}}
{{- $root := . -}}
{{- range .Files.Lines "files/restart-keys.txt" -}}
{{- $value := $root.Values.config -}}
{{- range splitList "." . -}}{{- $value = ternary (get (default dict $value) .) "" (kindIs "map" (default dict $value)) -}}{{- end -}}
{{- if ne (toString $value) "" }}{{ . }}={{ toJson $value }};{{ end -}}
{{- end -}}
{{- end -}}

{{/* Image with tag, or with digest. */}}
{{- define "osm-hub.image" -}}
{{- if not .Values.image.repository -}}
{{- fail "image.repository is empty: name the image, for example --set image.repository=registry.example.org/osm-hub; docs/how-to/install.md, \"Get the image\", shows how to get one" -}}
{{- end -}}
{{- with .Values.image -}}
{{ .repository }}{{ if .digest }}@{{ .digest }}{{ else }}:{{ .tag | default $.Chart.AppVersion }}{{ end }}
{{- end -}}
{{- end -}}

{{/* Requests and limits by size, see docs/performance.md, "Sizing". No processor limit: a start needs as much as there is. */}}
{{- define "osm-hub.resources" -}}
{{- if or .Values.resources.requests .Values.resources.limits -}}
{{ toYaml .Values.resources }}
{{- else -}}
{{- $sizes := dict
    "Small" (dict "cpu" "100m" "memory" "384Mi" "limit" "768Mi")
    "Medium" (dict "cpu" "250m" "memory" "512Mi" "limit" "1Gi")
    "Large" (dict "cpu" "1" "memory" "1280Mi" "limit" "2Gi") -}}
{{- with get $sizes .Values.size -}}
requests: {cpu: {{ .cpu }}, memory: {{ .memory }}}
limits: {memory: {{ .limit }}}
{{- end -}}
{{- end -}}
{{- end -}}
