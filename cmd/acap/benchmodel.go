package main

import (
	"encoding/json"
	"fmt"
	"path/filepath"

	"github.com/go-acap/acap/cmd/acap/commandline"
	"github.com/go-acap/acap/cmd/acap/modelbench"
	"github.com/go-acap/acap/cmd/acap/modelfile"
	"github.com/go-acap/acap/cmd/acap/printable"
)

func init() {
	register(command{"bench-model", "time a model on this computer, beside ONNX Runtime or PyTorch where they are installed", benchModel})
}

func benchModel(args []string) error {
	var o deviceFlags
	var inputs commandline.Inputs
	b := modelbench.Options{Notice: func(text string) { fmt.Fprintln(printable.Messages, "acap bench-model: "+text) }}
	f := newFlags("bench-model", "MODEL [flags]")
	o.Flags(f)
	inputs.Flags(f, "an input `file`, .npy, .safetensors, .png or .jpg; repeat for more (default: input_N.npy beside the model, else random numbers)", commandline.Drawn)
	f.IntVar(&b.Rounds, "rounds", 5, "how `many` times each is measured in turn; the median of the rounds is printed")
	f.Float64Var(&b.Seconds, "seconds", 0.5, "how many `seconds` a round takes of each")
	f.BoolVar(&b.Peers, "peers", true, "measure ONNX Runtime (.onnx) or PyTorch (.pt, .pt2) as well, if Python has it: ACAP_PYTHON names an interpreter")
	f.BoolVar(&b.Kernels, "per-kernel", false, "print how long each kernel takes as well")
	f.BoolVar(&b.Inductor, "inductor", false, "measure the compiler of PyTorch as well (.pt2)")
	var p profiling
	p.flags(f)
	asJSON := f.Bool("json", false, "print JSON")
	name, err := parseOne(f, args)
	if err != nil {
		return err
	}
	const most = 3600
	switch {
	case b.Rounds < 1 || !(b.Seconds > 0 && b.Seconds <= most):
		return commandline.Errorf("%d rounds of %g seconds: want at least 1, above 0 and at most %d", b.Rounds, b.Seconds, most)
	case b.Kernels && modelfile.IsArtifact(name):
		return commandline.Errorf("-per-kernel compiles a model with kernels that take the time; %s is compiled already", name)
	case b.Inductor && filepath.Ext(name) != ".pt2":
		return commandline.Errorf("-inductor compiles exported programs (.pt2); %s is none", name)
	case b.Inductor && !b.Peers:
		return commandline.Errorf("-inductor measures a peer, and -peers=false leaves peers out")
	}
	stop, err := p.start()
	if err != nil {
		return err
	}
	defer stop()
	data, err := inputs.Data(name)
	if err != nil {
		return err
	}
	dev, err := o.OpenModel(name)
	if err != nil {
		return err
	}
	m, err := modelbench.Prepare(name, dev, data)
	if err != nil {
		return err
	}
	defer m.Close()
	warn(m.Executable())
	figures, err := m.Measure(b)
	if err != nil {
		return err
	}
	if *asJSON {
		return json.NewEncoder(stdout).Encode(figures)
	}
	fmt.Fprint(stdout, figures)
	return nil
}
