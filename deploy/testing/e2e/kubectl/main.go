// Command kubectl is the standard kubectl, for machines that have none.
package main

import (
	"k8s.io/kubectl/pkg/cmd"
	"k8s.io/kubectl/pkg/cmd/util"
)

func main() {
	if err := cmd.NewDefaultKubectlCommand().Execute(); err != nil {
		util.CheckErr(err)
	}
}
