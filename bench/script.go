package main

import (
	_ "embed"

	"github.com/go-acap/acap/cmd/acap/pypeer"
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

// scripts returns the peers that some Python interpreter here can import: without a case a script says whether its
// runtime is there.
func scripts() ([]peer, error) {
	var list []peer
	for _, s := range []struct {
		text  string
		peers []program
	}{{torchScript, []program{{name: "torch"}}},
		{onnxScript, []program{{name: "onnxruntime"}, {name: "onnxruntime-fused", suffix: "_fused"}}}} {
		text := samplingScript + s.text
		python, err := pypeer.Python(text)
		if err != nil {
			return nil, err
		}
		for _, p := range s.peers {
			if p.command, p.input = []string{python, "-"}, text; python != "" {
				list = append(list, p)
			}
		}
	}
	return list, nil
}
