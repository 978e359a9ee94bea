package modelbench

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

//go:embed peer.py
var peerScript string

// peer is a process of another runtime that has a model.
type peer struct {
	PeerFigures
	folder string // of results, output_N.npy
	cmd    *exec.Cmd
	in     io.WriteCloser
	out    *bufio.Reader
}

// startPeers starts the runtimes that read a kind of model file, as far as Python has the runtimes, on inputs in a
// folder. The caller closes the peers in the list, also where there is an error.
func startPeers(model, folder string, inputs []*buf.Buffer, o Options) (list []*peer, err error) {
	var names []string
	switch _, program := torchscript.ProgramOf(model); {
	case modelfile.KindOf(model) == modelfile.ONNX:
		names = []string{"onnxruntime"}
	case modelfile.KindOf(model) == modelfile.Torch && program == "": // the peer runs whole files
		names = []string{"torch"}
	}
	if o.Inductor {
		names = append(names, "inductor")
	}
	if model, err = filepath.Abs(model); err != nil {
		return nil, err
	}
	for _, name := range names {
		p := &peer{folder: filepath.Join(folder, name)}
		if err := os.Mkdir(p.folder, 0o755); err != nil {
			return list, err
		}
		for i, b := range inputs {
			if err := npy.WriteFile(filepath.Join(p.folder, fmt.Sprintf("input_%d.npy", i)), modelfile.Widen(b)); err != nil {
				return list, err
			}
		}
		found, err := p.start(name, model, o.Notice)
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
// the model gives the reason to notice.
func (p *peer) start(name, model string, notice func(string)) (bool, error) {
	python, err := pypeer.Python("import sys\nsys.argv = ['', '" + name + "']\n" + peerScript)
	if err != nil {
		return false, err
	}
	if python == "" {
		notice("no Python interpreter here has " + name + "; ACAP_PYTHON names another one")
		return false, nil
	}
	p.Name = name
	p.cmd = exec.Command(python, "-c", peerScript, name, model, strconv.Itoa(bandwidth.Threads()), p.folder)
	p.cmd.Env = pypeer.Environment(bandwidth.Threads(), cpu.Detect())
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
		Scalar      bool
		Error       string
	}
	if err := p.read(&first); err != nil {
		p.close()
		return false, fmt.Errorf("%s: %w: %s", name, err, pypeer.LastLine(stderr.String()))
	}
	if first.Error != "" {
		p.close()
		notice(fmt.Sprintf("%s does not run this model: %s", name, first.Error))
		return false, nil
	}
	if first.Scalar {
		notice(name + " finds no vector instructions that it can compile for, and its loops take one number at a time: " +
			"a program that it tries does not build or load (Debian needs libsleef-dev and LD_PRELOAD=libsleef.so.3)")
	}
	p.Version, p.Read, p.First = first.Version, first.Read, first.First
	return true, nil
}

// read decodes a line that the runtime prints.
func (p *peer) read(value any) error {
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

// round runs the model for about the given seconds.
func (p *peer) round(seconds float64) (Timing, error) {
	if _, err := fmt.Fprintln(p.in, seconds); err != nil {
		return Timing{}, fmt.Errorf("%s: %w", p.Name, err)
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
		return Timing{}, fmt.Errorf("%s: %w", p.Name, err)
	}
	return Timing{Median: t.Median, Least: t.Least}, nil
}

// compare reads the results and notes how far they are from ours.
func (p *peer) compare(own []*buf.Buffer) error {
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
func (p *PeerFigures) differ(own, other *buf.Buffer) {
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
func (p *peer) close() {
	_ = p.in.Close()
	_ = p.cmd.Wait()
}
