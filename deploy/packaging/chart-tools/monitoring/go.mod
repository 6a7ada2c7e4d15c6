// The CustomResourceDefinitions of Prometheus Operator are files of this module; `../programs` takes them from it.
module io.osmhub/packaging/chart-tools/monitoring

go 1.26.0

require github.com/prometheus-operator/prometheus-operator v0.85.0
