{{/* Changes when the settings of a pod change, so that it restarts. */}}
{{- define "sheaf.checksum" -}}
{{- $own := dict -}}
{{- if hasKey .root.Values.apps .name }}{{ $own = index .root.Values.apps .name }}{{ end -}}
{{- toJson (list $own.settings .root.Values.files .root.Values.gateway .root.Values.tracing .root.Chart.Version) | sha256sum | trunc 16 -}}
{{- end -}}
