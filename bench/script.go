package main

import (
	"bytes"
	_ "embed"
	"os"
	"os/exec"

	"github.com/go-acap/acap/base/environment"
	"github.com/go-acap/acap/kernel/cpu"
)

// The programs of the peers that are used from Python, and what they share.
var (
	//go:embed sampling.py
	samplingScript string
	//go:embed torchcases.py
	torchScript string
	//go:embed onnxcases.py
	onnxScript string
)

// scripts returns the peers that some Python interpreter here can import. Besides
// the python3 of the path it tries that of the system, which has the packages of a
// distribution; ACAP_PYTHON names another one.
func scripts() ([]peer, error) {
	interpreters := []string{"python3", "/usr/bin/python3"}
	if p := os.Getenv("ACAP_PYTHON"); p != "" {
		if _, err := exec.LookPath(p); err != nil {
			return nil, &environment.Error{Variable: "ACAP_PYTHON", Value: p, Want: "a Python interpreter"}
		}
		interpreters = []string{p}
	}
	var list []peer
	for _, s := range []struct{ name, text, suffix string }{{"torch", torchScript, ""},
		{"onnxruntime", onnxScript, ""}, {"onnxruntime-fused", onnxScript, "_fused"}} {
		text := samplingScript + s.text
		for _, python := range interpreters {
			// Without a case a script says whether its runtime is there.
			probe := exec.Command(python, "-")
			probe.Stdin = bytes.NewReader([]byte(text))
			probe.Env = cleanEnvironment(1, cpu.Detect().Level)
			if probe.Run() == nil {
				list = append(list, program{s.name, []string{python, "-"}, text, s.suffix})
				break
			}
		}
	}
	return list, nil
}
