package main

import (
	"bufio"
	_ "embed"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"

	"github.com/go-acap/acap/base/buf"
	"github.com/go-acap/acap/cmd/acap/bandwidth"
	"github.com/go-acap/acap/cmd/acap/modelfile"
	"github.com/go-acap/acap/cmd/acap/pypeer"
	"github.com/go-acap/acap/kernel/cpu"
	"github.com/go-acap/acap/tensor/npy"
	"github.com/go-acap/acap/translate/importer/torchscript"
)

//go:embed benchmodel.py
var modelScript string

// modelPeerTime is how long another runtime takes for a model, in seconds.
type modelPeerTime struct {
	Name    string  `json:"name"`
	Version string  `json:"version"`
	Read    float64 `json:"read_seconds"` // and compile
	First   float64 `json:"first_run_seconds"`
	timing
	Ratio      float64 `json:"ratio"`              // its median over ours
	Difference float64 `json:"largest_difference"` // of an element of a result from ours, both finite
	Largest    float64 `json:"largest_result"`     // magnitude of a finite element of its results
	Apart      int     `json:"not_finite_apart"`   // elements that are NaN or infinite, and not the same here and there
}

// modelPeer is a process of another runtime that has a model.
type modelPeer struct {
	modelPeerTime
	folder string // of results, output_N.npy
	cmd    *exec.Cmd
	in     io.WriteCloser
	out    *bufio.Reader
}

// modelPeers starts the runtimes that read a kind of model file, as far as Python has the runtimes, on inputs in a
// folder. The caller closes the peers in the list, also where there is an error.
func modelPeers(model, folder string, inputs []*buf.Buffer, inductor bool) (list []*modelPeer, err error) {
	var names []string
	switch _, program := torchscript.ProgramOf(model); {
	case modelfile.KindOf(model) == modelfile.ONNX:
		names = []string{"onnxruntime"}
	case modelfile.KindOf(model) == modelfile.Torch && program == "": // the peer runs whole files
		names = []string{"torch"}
	}
	if inductor {
		names = append(names, "inductor")
	}
	if model, err = filepath.Abs(model); err != nil {
		return nil, err
	}
	for _, name := range names {
		p := &modelPeer{folder: filepath.Join(folder, name)}
		if err := os.Mkdir(p.folder, 0o755); err != nil {
			return list, err
		}
		for i, b := range inputs {
			if err := npy.WriteFile(filepath.Join(p.folder, fmt.Sprintf("input_%d.npy", i)), modelfile.Widen(b)); err != nil {
				return list, err
			}
		}
		found, err := p.start(name, model)
		if err != nil {
			return list, err
		}
		if found {
			list = append(list, p)
		}
	}
	return list, nil
}

// start has a runtime read the model and run once, and reports whether the runtime is installed. A peer that cannot run
// the model says why on the standard error.
func (p *modelPeer) start(name, model string) (bool, error) {
	python, err := pypeer.Python("import sys\nsys.argv = ['', '" + name + "']\n" + modelScript)
	if err != nil {
		return false, err
	}
	if python == "" {
		fmt.Fprintf(os.Stderr, "acap bench-model: no Python interpreter here has %s; ACAP_PYTHON names another one\n", name)
		return false, nil
	}
	p.Name = name
	p.cmd = exec.Command(python, "-c", modelScript, name, model, strconv.Itoa(bandwidth.Threads()), p.folder)
	p.cmd.Env = pypeer.Environment(bandwidth.Threads(), cpu.Detect().Level)
	var stderr strings.Builder
	p.cmd.Stderr = &stderr
	if p.in, err = p.cmd.StdinPipe(); err != nil {
		return false, err
	}
	out, err := p.cmd.StdoutPipe()
	if err != nil {
		return false, err
	}
	p.out = bufio.NewReader(out)
	if err := p.cmd.Start(); err != nil {
		return false, err
	}
	var first struct {
		Version     string
		Read, First float64
		Error       string
	}
	if err := p.read(&first); err != nil {
		p.close()
		return false, fmt.Errorf("%s: %w: %s", name, err, pypeer.LastLine(stderr.String()))
	}
	if first.Error != "" {
		p.close()
		fmt.Fprintf(os.Stderr, "acap bench-model: %s does not run this model: %s\n", name, first.Error)
		return false, nil
	}
	p.Version, p.Read, p.First = first.Version, first.Read, first.First
	return true, nil
}

// read decodes a line that the runtime prints.
func (p *modelPeer) read(value any) error {
	for {
		line, err := p.out.ReadString('\n')
		if strings.HasPrefix(line, "{") {
			return json.Unmarshal([]byte(line), value)
		}
		if err != nil {
			return err
		}
	}
}

// round runs the model for about so many seconds.
func (p *modelPeer) round(seconds float64) (timing, error) {
	if _, err := fmt.Fprintln(p.in, seconds); err != nil {
		return timing{}, fmt.Errorf("%s: %w", p.Name, err)
	}
	var t struct {
		Median, Least float64
		Error         string
	}
	err := p.read(&t)
	if err == nil && t.Error != "" {
		err = errors.New(t.Error)
	}
	if err != nil {
		return timing{}, fmt.Errorf("%s: %w", p.Name, err)
	}
	return timing{t.Median, t.Least}, nil
}

// compare reads the results and notes how far they are from ours.
func (p *modelPeer) compare(own []*buf.Buffer) error {
	for i, b := range own {
		other, err := npy.ReadFile(filepath.Join(p.folder, fmt.Sprintf("output_%d.npy", i)))
		if err != nil {
			return fmt.Errorf("%s: result %d: %w", p.Name, i, err)
		}
		if other.Len() != b.Len() {
			return fmt.Errorf("%s: result %d has %d elements, ours has %d", p.Name, i, other.Len(), b.Len())
		}
		p.differ(b, other)
	}
	return nil
}

// differ notes how far a result of the peer is from ours.
func (p *modelPeerTime) differ(own, other *buf.Buffer) {
	finite := func(x float64) bool { return !math.IsNaN(x) && !math.IsInf(x, 0) }
	for n := range own.Len() {
		x, y := own.Float64(n), other.Float64(n)
		switch {
		case finite(x) && finite(y):
			p.Difference = max(p.Difference, math.Abs(x-y))
		case x != y && !(math.IsNaN(x) && math.IsNaN(y)):
			p.Apart++
		}
		if finite(y) {
			p.Largest = max(p.Largest, math.Abs(y))
		}
	}
}

// close ends the process.
func (p *modelPeer) close() {
	_ = p.in.Close()
	_ = p.cmd.Wait()
}
