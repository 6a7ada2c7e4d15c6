{{/* True where the hub itself runs. */}}
{{- define "osm-hub.runs" -}}
{{- if ne .Values.mode "Worker" }}true{{ end -}}
{{- end -}}

{{/* Port of a listening address in the hub's configuration, empty if disabled. Takes (list VALUES SECTION DEFAULT). */}}
{{- define "osm-hub.port" -}}
{{- $address := dig (index . 1) "address" (index . 2) (index . 0).config -}}
{{- if $address }}{{ splitList ":" $address | last }}{{ end -}}
{{- end -}}

{{/* Image with tag, or with digest. */}}
{{- define "osm-hub.image" -}}
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
