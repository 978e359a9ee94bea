package main

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"math"
	"os"
	"path/filepath"
	"slices"
	"time"

	"github.com/go-acap/acap/base/buf"
	"github.com/go-acap/acap/base/inputfile"
	"github.com/go-acap/acap/base/peakmemory"
	"github.com/go-acap/acap/cmd/acap/bandwidth"
	"github.com/go-acap/acap/cmd/acap/commandline"
	"github.com/go-acap/acap/cmd/acap/modelfile"
	"github.com/go-acap/acap/device"
	"github.com/go-acap/acap/device/walk"
	"github.com/go-acap/acap/mlir"
)

func init() {
	register(command{"bench-model", "time a model on this computer, beside ONNX Runtime or PyTorch where they are installed", benchModel})
}

// modelFigures are what bench-model prints. Times are seconds.
type modelFigures struct {
	Model   string  `json:"model"`
	Threads int     `json:"threads"`
	Read    float64 `json:"read_seconds"`    // from the file to a module
	Compile float64 `json:"compile_seconds"` // from the module to a program
	First   float64 `json:"first_run_seconds"`
	timing
	Kernels    []kernelFigures `json:"kernels,omitempty"`           // nil without -per-kernel
	PeakMemory int64           `json:"peak_memory_bytes,omitempty"` // 0 where the system does not say
	Peers      []modelPeerTime `json:"peers,omitempty"`             // nil where none was measured
}

// timing is how long a run takes.
type timing struct {
	Median float64 `json:"median_seconds"` // of the rounds' medians
	Least  float64 `json:"least_seconds"`  // of all runs
}

// of fills in a timing from those of rounds.
func (t *timing) of(rounds []timing) {
	var medians []float64
	t.Least = math.Inf(1)
	for _, r := range rounds {
		medians, t.Least = append(medians, r.Median), min(t.Least, r.Least)
	}
	t.Median = medianOf(medians)
}

// modelBench is what bench-model measures.
type modelBench struct {
	rounds  int
	seconds float64
	exe     device.Executable
	dev     device.Device
	inputs  []*buf.Buffer
	results []*buf.Buffer
	modelFigures
}

func benchModel(args []string) error {
	var o deviceFlags
	var inputs, shapes list
	b := modelBench{}
	f := newFlags("bench-model", "MODEL [flags]")
	o.Flags(f)
	f.Var(&inputs, "input", "an input `file`, .npy, .safetensors or .png; repeat for more (default: input_N.npy beside the model, else random numbers)")
	f.Var(&shapes, "shape", "the `type` of an input, such as 1x3x224x224 or 1x8xi64, whose elements are drawn at random; repeat for more")
	f.IntVar(&b.rounds, "rounds", 5, "how `many` times each is measured in turn; the median of the rounds is printed")
	f.Float64Var(&b.seconds, "seconds", 0.5, "how many `seconds` a round takes of each")
	with := f.Bool("peers", true, "measure ONNX Runtime (.onnx) or PyTorch (.pt, .pt2) as well, if Python has it: ACAP_PYTHON names an interpreter")
	kernels := f.Bool("per-kernel", false, "print how long each kernel takes as well")
	inductor := f.Bool("inductor", false, "measure the compiler of PyTorch as well (.pt2)")
	var p profiling
	p.flags(f)
	asJSON := f.Bool("json", false, "print JSON")
	name, err := parseOne(f, args)
	if err != nil {
		return err
	}
	const most = 3600
	switch {
	case b.rounds < 1 || !(b.seconds > 0 && b.seconds <= most):
		return commandline.Errorf("%d rounds of %g seconds: want at least 1, above 0 and at most %d", b.rounds, b.seconds, most)
	case *kernels && modelfile.IsArtifact(name):
		return commandline.Errorf("-per-kernel compiles a model with kernels that take the time; %s is compiled already", name)
	case *inductor && filepath.Ext(name) != ".pt2":
		return commandline.Errorf("-inductor compiles exported programs (.pt2); %s is none", name)
	case *inductor && !*with:
		return commandline.Errorf("-inductor measures a peer, and -peers=false leaves peers out")
	}
	b.Model, b.Threads = name, bandwidth.Threads()
	defer p.start()()
	if err := b.prepare(&o, inputs, shapes); err != nil {
		return err
	}
	defer b.exe.Close()
	var peers []*modelPeer
	if *with {
		folder, err := os.MkdirTemp("", "acap-bench-model-")
		if err != nil {
			return err
		}
		defer os.RemoveAll(folder)
		peers, err = modelPeers(name, folder, b.inputs, *inductor)
		for _, p := range peers {
			defer p.close()
		}
		if err != nil {
			return err
		}
	}
	if err := b.measure(peers); err != nil {
		return err
	}
	if *kernels {
		if err := b.timeKernels(); err != nil {
			return err
		}
	}
	if *asJSON {
		return json.NewEncoder(stdout).Encode(&b.modelFigures)
	}
	b.print(stdout)
	return nil
}

// prepare reads and compiles the model, and runs it once.
func (b *modelBench) prepare(o *deviceFlags, inputs, shapes list) (err error) {
	if b.inputs, err = given("bench-model", b.Model, inputs, shapes); err != nil {
		return err
	}
	if b.dev, err = o.OpenModel(b.Model); err != nil {
		return err
	}
	start := time.Now()
	if modelfile.IsArtifact(b.Model) {
		b.exe, err = modelfile.LoadArtifact(b.Model, b.dev)
		b.Read = time.Since(start).Seconds()
	} else {
		err = b.compile()
	}
	if err != nil {
		if missing := modelfile.Missing(b.Model, len(b.inputs)); missing != nil {
			return missing
		}
		return err
	}
	start = time.Now()
	b.results, err = b.exe.Run(context.Background(), b.inputs)
	b.First = time.Since(start).Seconds()
	if err != nil {
		return inputfile.Named(b.Model, err)
	}
	return nil
}

// module reads the model, for the extents of the inputs where the model leaves some open.
func (b *modelBench) module() (*mlir.Operation, error) {
	module, err := modelfile.LoadOnce(b.Model, b.inputs)
	if err != nil {
		return nil, err
	}
	if len(b.inputs) == 0 {
		b.inputs = modelfile.RandomFor(module)
	}
	if reason := walk.Needed(module); reason != nil {
		if module = specialized(module, b.inputs); module == nil {
			return nil, fmt.Errorf("%s: %s: %s: memory, vectors, parallel loops and open extents are walked on the host, which has no "+
				"program to time; acap run says how long a walk takes", b.Model, reason.Loc.Short(), reason.Name)
		}
	}
	return module, nil
}

// compile makes a program of the model.
func (b *modelBench) compile() error {
	start := time.Now()
	module, err := b.module()
	if err != nil {
		return err
	}
	b.Read = time.Since(start).Seconds()
	start = time.Now()
	if b.exe, err = b.dev.Compile(context.Background(), module); err != nil {
		return inputfile.Named(b.Model, err)
	}
	b.Compile = time.Since(start).Seconds()
	warn(b.exe)
	return nil
}

// measure runs rounds of this runtime and of the peers in turn, so that all see the same machine.
func (b *modelBench) measure(peers []*modelPeer) error {
	into := make([]*buf.Buffer, len(b.results))
	for i, r := range b.results {
		into[i] = buf.New(r.DType, r.Shape)
	}
	var own []timing
	theirs := make([][]timing, len(peers))
	for range b.rounds {
		t, err := b.round(into)
		if err != nil {
			return err
		}
		own = append(own, t)
		for i, p := range peers {
			t, err := p.round(b.seconds)
			if err != nil {
				return err
			}
			theirs[i] = append(theirs[i], t)
		}
	}
	b.timing.of(own)
	for i, p := range peers {
		p.of(theirs[i])
		p.Ratio = p.Median / b.Median
		if err := p.compare(b.results); err != nil {
			return err
		}
		b.Peers = append(b.Peers, p.modelPeerTime)
	}
	b.PeakMemory = peakMemory()
	return nil
}

// round runs the program for about the time of a round, after a quarter of the time to warm up.
func (b *modelBench) round(into []*buf.Buffer) (timing, error) {
	const least = 3
	budget := time.Duration(b.seconds * float64(time.Second))
	var list []float64
	for start, warm := time.Now(), true; len(list) < least || time.Since(start) < budget; {
		before := time.Now()
		if err := b.exe.RunInto(context.Background(), b.inputs, into); err != nil {
			return timing{}, inputfile.Named(b.Model, err)
		}
		switch {
		case !warm:
			list = append(list, time.Since(before).Seconds())
		case time.Since(start) >= budget/4:
			start, warm = time.Now(), false
		}
	}
	return timing{Median: medianOf(list), Least: slices.Min(list)}, nil
}

// print writes a table with a column for each runtime.
func (b *modelBench) print(w io.Writer) {
	fmt.Fprintf(w, "%s, %d threads\n%-34s %14s", filepath.Base(b.Model), b.Threads, "", "acap")
	for _, p := range b.Peers {
		fmt.Fprintf(w, "  %22s", p.Name+" "+p.Version)
	}
	row := func(name string, own float64, of func(p *modelPeerTime) float64) {
		fmt.Fprintf(w, "\n%-34s %14.3f", name, own)
		for i := range b.Peers {
			fmt.Fprintf(w, "  %22.3f", of(&b.Peers[i]))
		}
	}
	row("file to program, ms", 1e3*(b.Read+b.Compile), func(p *modelPeerTime) float64 { return 1e3 * p.Read })
	row("first run, ms", 1e3*b.First, func(p *modelPeerTime) float64 { return 1e3 * p.First })
	row("one run, ms: median", 1e3*b.Median, func(p *modelPeerTime) float64 { return 1e3 * p.Median })
	row("one run, ms: least", 1e3*b.Least, func(p *modelPeerTime) float64 { return 1e3 * p.Least })
	row("runs a second", 1/b.Median, func(p *modelPeerTime) float64 { return 1 / p.Median })
	fmt.Fprintln(w)
	for _, p := range b.Peers {
		fmt.Fprintf(w, "%s takes %.2f times as long; results differ by up to %.2g where the largest is %.2g\n",
			p.Name, p.Ratio, p.Difference, p.Largest)
		if p.Apart > 0 {
			fmt.Fprintf(w, "%d elements of results are NaN or infinite, and not the same as those of %s\n", p.Apart, p.Name)
		}
	}
	if b.PeakMemory > 0 {
		fmt.Fprintf(w, "%-34s %14.1f\n", "most memory, MB", float64(b.PeakMemory)/1e6)
	}
	printKernels(w, b.Kernels)
}

// peakMemory is the most memory that the process had, in bytes; 0 where it is not known.
func peakMemory() int64 {
	n, _ := peakmemory.Bytes()
	return n
}
