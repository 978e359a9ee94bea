package modelbench

import (
	"context"
	"fmt"
	"math"
	"os"
	"slices"
	"time"

	"github.com/go-acap/acap/base/buf"
	"github.com/go-acap/acap/base/inputfile"
	"github.com/go-acap/acap/base/median"
	"github.com/go-acap/acap/base/peakmemory"
	"github.com/go-acap/acap/cmd/acap/bandwidth"
	"github.com/go-acap/acap/cmd/acap/modelfile"
	"github.com/go-acap/acap/device"
	"github.com/go-acap/acap/device/walk"
	"github.com/go-acap/acap/mlir"
)

// Options say what is measured.
type Options struct {
	Rounds   int          // how often each runtime is measured
	Seconds  float64      // of a round of a runtime
	Peers    bool         // measure the runtimes that read the file
	Inductor bool         // measure the compiler of PyTorch, too
	Kernels  bool         // measure each kernel
	Notice   func(string) // is told why a peer is not measured
}

// Model is a model that was compiled and has run once.
type Model struct {
	exe     device.Executable
	dev     device.Device
	inputs  []*buf.Buffer
	results []*buf.Buffer
	figures Figures
}

// Prepare reads and compiles the model in a file, and runs the model once. Without inputs they are drawn at random.
func Prepare(path string, dev device.Device, inputs []*buf.Buffer) (m *Model, err error) {
	m = &Model{dev: dev, inputs: inputs, figures: Figures{Model: path, Threads: bandwidth.Threads()}}
	start := time.Now()
	if modelfile.IsArtifact(path) {
		m.exe, err = modelfile.LoadArtifact(path, dev)
		m.figures.Read = time.Since(start).Seconds()
	} else {
		err = m.compile()
	}
	if err != nil {
		if missing := modelfile.Missing(path, len(m.inputs)); missing != nil {
			return nil, missing
		}
		return nil, err
	}
	start = time.Now()
	m.results, err = m.exe.Run(context.Background(), m.inputs)
	m.figures.First = time.Since(start).Seconds()
	if err != nil {
		m.exe.Close()
		return nil, inputfile.Named(path, err)
	}
	return m, nil
}

// Executable is the compiled model.
func (m *Model) Executable() device.Executable { return m.exe }

// Close frees the compiled model.
func (m *Model) Close() { m.exe.Close() }

// module reads the model, for the extents of the inputs where the model leaves some open.
func (m *Model) module() (*mlir.Operation, error) {
	module, err := modelfile.LoadOnce(m.figures.Model, m.inputs)
	if err != nil {
		return nil, err
	}
	if len(m.inputs) == 0 {
		m.inputs = modelfile.RandomFor(module)
	}
	if reason := walk.Needed(module); reason != nil {
		if module = modelfile.Specialized(module, m.inputs); module == nil {
			return nil, fmt.Errorf("%s: %s: %s: memory, vectors, parallel loops and open extents are walked on the host, which has no "+
				"program to time; acap run says how long a walk takes", m.figures.Model, reason.Loc.Short(), reason.Name)
		}
	}
	return module, nil
}

// compile makes a program of the model.
func (m *Model) compile() error {
	start := time.Now()
	module, err := m.module()
	if err != nil {
		return err
	}
	m.figures.Read = time.Since(start).Seconds()
	start = time.Now()
	if m.exe, err = m.dev.Compile(context.Background(), module); err != nil {
		return inputfile.Named(m.figures.Model, err)
	}
	m.figures.Compile = time.Since(start).Seconds()
	return nil
}

// Measure runs rounds of this runtime and of the peers in turn, so that all see the same machine.
func (m *Model) Measure(o Options) (*Figures, error) {
	var peers []*peer
	if o.Peers {
		folder, err := os.MkdirTemp("", "acap-bench-model-")
		if err != nil {
			return nil, err
		}
		defer os.RemoveAll(folder)
		peers, err = startPeers(m.figures.Model, folder, m.inputs, o)
		for _, p := range peers {
			defer p.close()
		}
		if err != nil {
			return nil, err
		}
	}
	into := make([]*buf.Buffer, len(m.results))
	for i, r := range m.results {
		into[i] = buf.New(r.DType, r.Shape)
	}
	var own []Timing
	theirs := make([][]Timing, len(peers))
	for range o.Rounds {
		t, err := m.round(into, o.Seconds)
		if err != nil {
			return nil, err
		}
		own = append(own, t)
		for i, p := range peers {
			t, err := p.round(o.Seconds)
			if err != nil {
				return nil, err
			}
			theirs[i] = append(theirs[i], t)
		}
	}
	f := m.figures
	f.Timing = ofRounds(own)
	for i, p := range peers {
		p.Timing = ofRounds(theirs[i])
		p.Ratio = p.Median / f.Median
		if err := p.compare(m.results); err != nil {
			return nil, err
		}
		f.Peers = append(f.Peers, p.PeerFigures)
	}
	f.PeakMemory, _ = peakmemory.Bytes()
	if o.Kernels {
		var err error
		if f.Kernels, err = m.kernels(o.Seconds * float64(o.Rounds)); err != nil {
			return nil, err
		}
	}
	return &f, nil
}

// round runs the program for about the given seconds, after a quarter of that time to warm up.
func (m *Model) round(into []*buf.Buffer, seconds float64) (Timing, error) {
	const least = 3
	budget := time.Duration(seconds * float64(time.Second))
	var list []float64
	for start, warm := time.Now(), true; len(list) < least || time.Since(start) < budget; {
		before := time.Now()
		if err := m.exe.RunInto(context.Background(), m.inputs, into); err != nil {
			return Timing{}, inputfile.Named(m.figures.Model, err)
		}
		switch {
		case !warm:
			list = append(list, time.Since(before).Seconds())
		case time.Since(start) >= budget/4:
			start, warm = time.Now(), false
		}
	}
	return Timing{Median: median.Of(list), Least: slices.Min(list)}, nil
}

// ofRounds returns the timing of a run from the timings of rounds.
func ofRounds(rounds []Timing) Timing {
	t := Timing{Least: math.Inf(1)}
	var medians []float64
	for _, r := range rounds {
		medians, t.Least = append(medians, r.Median), min(t.Least, r.Least)
	}
	t.Median = median.Of(medians)
	return t
}
