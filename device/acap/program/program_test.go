package program_test

import (
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/go-acap/acap/base/dtype"
	"github.com/go-acap/acap/device/acap/machine"
	"github.com/go-acap/acap/device/acap/machine/machinetest"
	"github.com/go-acap/acap/device/acap/mapping"
	"github.com/go-acap/acap/device/acap/program"
	"github.com/go-acap/acap/device/acap/program/build"
	"github.com/go-acap/acap/device/acap/workload"
)

var update = flag.Bool("update", false, "rewrite the golden files")

// product is a small matrix product on two by two cores of npu1.
func product(t testing.TB) *program.Program {
	t.Helper()
	op := workload.Operand{DType: dtype.BF16}
	w := &workload.Kernel{Name: "product", Kind: workload.KindContraction,
		Contraction: workload.Contraction{Batch: 1, M: 64, N: 64, K: 64, A: op, B: op,
			Acc: dtype.F32, Out: dtype.BF16}}
	g := mapping.Mapping{Kind: w.Kind, Cols: 2, Rows: 2, PartsM: 2, PartsN: 2, TM: 16, TN: 16,
		TK: 16, KL2: 32, Cascade: 1, StageM: 1, StageN: 1, Style: "vector", Depth: 2, OutDepth: 2}
	p, err := build.Program(machinetest.Preset(t, "npu1"), w, g)
	if err != nil {
		t.Fatal(err)
	}
	return p
}

// relu is a pointwise kernel on one column of two cores.
func relu(t testing.TB) *program.Program {
	t.Helper()
	s := []workload.Stream{{DType: dtype.BF16, Elements: 8192}}
	w := &workload.Kernel{Name: "relu", Kind: workload.KindPointwise,
		Pointwise: workload.Pointwise{Elements: 8192, DType: dtype.BF16, In: s, Out: s,
			Ops: workload.Mix{Simple: 1}}}
	g := mapping.Mapping{Kind: w.Kind, Cols: 1, Rows: 2, Tile: 1024, Depth: 2}
	p, err := build.Program(machinetest.Preset(t, "npu1"), w, g)
	if err != nil {
		t.Fatal(err)
	}
	return p
}

// convolution is a small layer with a bias on one column of two cores.
func convolution(t testing.TB) *program.Program {
	t.Helper()
	w := &workload.Kernel{Name: "convolution", Kind: workload.KindConvolution,
		Convolution: workload.Convolution{N: 1, C: 8, H: 18, W: 18, K: 8, R: 3, S: 3, StrideH: 1,
			StrideW: 1, DilationH: 1, DilationW: 1, Groups: 1, In: dtype.BF16, Weight: dtype.BF16,
			Acc: dtype.F32, Out: dtype.BF16, Epilogue: workload.Epilogue{
				Ops: workload.Mix{Simple: 1},
				In:  []workload.Stream{{DType: dtype.BF16, Elements: 8, Constant: true}}}}}
	g := mapping.Mapping{Kind: w.Kind, Cols: 1, Rows: 2, PartsM: 2, PartsN: 1, OutRows: 2,
		OutCols: 16, TM: 32, TN: 8, TK: 24, KL2: 24, Cascade: 1, StageM: 1, StageN: 1,
		Style: "vector", Depth: 2, OutDepth: 2}
	p, err := build.Program(machinetest.Preset(t, "npu1"), w, g)
	if err != nil {
		t.Fatal(err)
	}
	return p
}

// lowered builds the program of a mapping down to its descriptors, and verifies it.
func lowered(m *machine.Machine, w *workload.Kernel, g mapping.Mapping) (*program.Program, error) {
	p, err := build.Program(m, w, g)
	if err != nil {
		return nil, err
	}
	p.Lower()
	return p, p.Verify()
}

// TestGolden keeps the text of both levels, in both versions.
func TestGolden(t *testing.T) {
	for name, sample := range map[string]func(testing.TB) *program.Program{
		"product": product, "relu": relu, "convolution": convolution,
	} {
		for _, level := range []string{"fifo", "lowered"} {
			p := sample(t)
			if level == "lowered" {
				p.Lower()
			}
			if err := p.Verify(); err != nil {
				t.Errorf("%s: %v", name, err)
			}
			golden(t, name+"."+level, p.String())
			text, err := p.Text(program.Current)
			if err != nil {
				t.Fatal(err)
			}
			golden(t, name+"."+level+"."+program.Current, text)
		}
	}
}

func golden(t *testing.T, name, text string) {
	t.Helper()
	path := filepath.Join("testdata", name+".mlir")
	if *update {
		if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if text != string(want) {
		t.Errorf("%s differs; run with -update and look at the difference", path)
	}
}

// TestVerify breaks programs in every way that the verifier names.
func TestVerify(t *testing.T) {
	for name, c := range map[string]struct {
		want  string
		spoil func(*program.Program)
	}{
		"memory":  {"needs", func(p *program.Program) { p.Buffers[0].Address = 1 << 20 }},
		"lock":    {"starts at 99", func(p *program.Program) { p.Locks[0].Init = 99 }},
		"locks":   {"of 16 locks", func(p *program.Program) { addLocks(p) }},
		"channel": {"channel 7", func(p *program.Program) { p.DMAs[0].Channel = 7 }},
		"descriptor": {"descriptor 60 of 48", func(p *program.Program) {
			firstChain(p).Descriptors[0].ID = 60
		}},
		"size": {"leaves buffer", func(p *program.Program) {
			firstChain(p).Descriptors[0].Dims = []program.Dim{{Size: 5000, Stride: 3}}
		}},
		"elements apart": {"cannot be", func(p *program.Program) {
			firstChain(p).Descriptors[0].Dims = []program.Dim{{Size: 16, Stride: 3}}
		}},
		"dimensions": {"dimensions of", func(p *program.Program) {
			firstChain(p).Descriptors[0].Dims = []program.Dim{{2, 2}, {2, 8}, {2, 32}, {2, 128},
				{2, 5}, {2, 1}}
		}},
		"foreign buffer": {"uses buffer", func(p *program.Program) {
			p.Buffers[firstChain(p).Descriptors[0].Buffer].Tile = program.Coord{Col: 3, Row: 3}
		}},
		"balance": {"come in", func(p *program.Program) {
			l := p.Cores[0].Body[0].(program.Loop)
			l.Count++
			p.Cores[0].Body[0] = l
		}},
		"acquire": {"which holds", func(p *program.Program) {
			p.Cores[0].Body = append(p.Cores[0].Body, program.Acquire{FIFO: 1, N: 9})
		}},
		"wrong end": {"is no end of", func(p *program.Program) {
			p.Cores[0].Body = append(p.Cores[0].Body, program.Acquire{FIFO: 0, N: 1})
		}},
		"release": {"uses FIFO 99", func(p *program.Program) {
			p.Cores[0].Body = append(p.Cores[0].Body, program.Release{FIFO: 99, N: 1})
		}},
		"no lock": {"between locks 99", func(p *program.Program) {
			firstChain(p).Descriptors[0].Acquire.Lock = 99
		}},
		"empty task": {"moves nothing", func(p *program.Program) {
			task := p.Runtime[0].(program.Task)
			task.Repeat = 0
			p.Runtime[0] = task
		}},
		"off the grid": {"outside the grid", func(p *program.Program) {
			p.FIFOs[0].Producer = program.Coord{Col: 77}
		}},
		"two programs": {"two programs", func(p *program.Program) {
			p.Cores = append(p.Cores, p.Cores[0])
		}},
		"no core": {"is no core", func(p *program.Program) {
			p.Cores[0].Tile = program.Coord{Col: 0, Row: 1}
		}},
		"dead": {"declared dead", func(p *program.Program) {
			p.Machine.Grid.Dead = []machine.Coord{p.Cores[0].Tile}
		}},
		"task": {"leaves argument", func(p *program.Program) {
			task := p.Runtime[0].(program.Task)
			task.Offset = 1 << 30
			p.Runtime[0] = task
		}},
		"unknown argument": {"argument 9", func(p *program.Program) {
			task := p.Runtime[0].(program.Task)
			task.Arg = 9
			p.Runtime[0] = task
		}},
		"await": {"which it has not issued", func(p *program.Program) {
			slices.Reverse(p.Runtime)
		}},
		"no interface tile": {"no end at an interface tile", func(p *program.Program) {
			task := p.Runtime[0].(program.Task)
			task.FIFO = 1
			p.Runtime[0] = task
		}},
		"cascade": {"no cascade", func(p *program.Program) {
			p.FIFOs = append(p.FIFOs, program.FIFO{Name: "c", Producer: program.Coord{Row: 2},
				Consumers: []program.Coord{{Col: 3, Row: 5}}, Depth: 1, Cascade: true})
		}},
	} {
		p := product(t)
		p.Lower()
		c.spoil(p)
		if err := p.Verify(); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: %v, want %q", name, err, c.want)
		}
	}
}

func addLocks(p *program.Program) {
	for i := range 20 {
		p.Locks = append(p.Locks, program.Lock{Name: fmt.Sprint(i), Tile: p.Cores[0].Tile})
	}
}

// firstChain is the first channel with descriptors.
func firstChain(p *program.Program) *program.DMA {
	for i := range p.DMAs {
		if len(p.DMAs[i].Descriptors) > 0 {
			return &p.DMAs[i]
		}
	}
	return nil
}

// TestLocks checks that the locks of every FIFO count its slots: the free ones
// start at the depth, the filled ones at zero, and every descriptor moves one
// slot from one to the other.
func TestLocks(t *testing.T) {
	for _, name := range []string{"npu1", "vck190"} {
		p := product(t)
		if name == "vck190" {
			p = onVersal(t)
		}
		p.Lower()
		for _, d := range p.DMAs {
			for _, b := range d.Descriptors {
				if b.Acquire.Lock == b.Release.Lock || b.Acquire.Value != 1 || b.Release.Value != 1 {
					t.Errorf("%s: descriptor %+v", name, b)
				}
				if p.Locks[b.Acquire.Lock].Tile != d.Tile {
					t.Errorf("%s: lock of another tile", name)
				}
			}
			if n := len(d.Descriptors); n > 0 && d.Descriptors[n-1].Next != 0 {
				t.Errorf("%s: an open chain", name)
			}
		}
		for i := range p.FIFOs {
			for _, e := range p.FIFOs[i].Ends {
				free, filled := 0, 0
				for _, l := range e.Produce {
					free += p.Locks[l].Init
				}
				for _, l := range e.Consume {
					filled += p.Locks[l].Init
				}
				if free != len(e.Buffers) || filled != 0 {
					t.Errorf("%s: FIFO %s: %d free and %d filled of %d", name, p.FIFOs[i].Name, free,
						filled, len(e.Buffers))
				}
			}
		}
	}
}

// onVersal is a product with a cascade on an array with boolean locks.
func onVersal(t testing.TB) *program.Program {
	t.Helper()
	op := workload.Operand{DType: dtype.F32}
	w := &workload.Kernel{Name: "product", Kind: workload.KindContraction,
		Contraction: workload.Contraction{Batch: 1, M: 64, N: 64, K: 128, A: op, B: op,
			Acc: dtype.F32, Out: dtype.F32}}
	g := mapping.Mapping{Kind: w.Kind, Cols: 8, Rows: 2, PartsM: 2, PartsN: 2, TM: 16, TN: 16,
		TK: 16, Cascade: 4, StageM: 1, StageN: 1, Style: "cascade", Depth: 2, OutDepth: 2}
	p, err := build.Program(machinetest.Preset(t, "vck190"), w, g)
	if err != nil {
		t.Fatal(err)
	}
	if err := p.Verify(); err != nil {
		t.Fatal(err)
	}
	return p
}

func TestFits(t *testing.T) {
	shim := &machinetest.Preset(t, "npu1").Shim
	for _, c := range []struct {
		dims   []program.Dim
		length int
		size   int
		ok     bool
	}{
		{nil, 1 << 20, 4, true},
		{[]program.Dim{{64, 4096}, {64, 1}}, 4096, 2, true},
		{[]program.Dim{{64, 4096}, {63, 1}}, 4032, 2, false}, // half words
		{[]program.Dim{{8, 1 << 24}, {64, 1}}, 512, 4, false},
		{[]program.Dim{{4096, 1}}, 4096, 4, true},
		{[]program.Dim{{8, 0}, {4096, 1}}, 8 * 4096, 4, true}, // the run splits in two
		{[]program.Dim{{8, 1 << 14}, {4099, 1}}, 8 * 4099, 4, false},
		{[]program.Dim{{64, 1}, {2, 999}, {3, 77}, {5, 6}}, 64 * 30, 4, true},
		{[]program.Dim{{65, 1}, {2, 999}, {3, 77}, {5, 6}}, 65 * 30, 4, false}, // iteration
		{[]program.Dim{{1023, 64}, {4, 16}, {4, 4}}, 1023 * 16, 4, true},
		{[]program.Dim{{1031, 64}, {4, 16}, {4, 4}}, 1031 * 16, 4, false}, // a prime above what mlir-aie counts
	} {
		if err := program.Fits(shim, c.dims, c.length, c.size); (err == nil) != c.ok {
			t.Errorf("%v of %d bytes: %v", c.dims, c.size, err)
		}
	}
}

func TestBuildErrors(t *testing.T) {
	m := machinetest.Preset(t, "npu1")
	gather := &workload.Kernel{Name: "gather", Kind: workload.KindMove,
		Move: workload.Move{DType: dtype.F32, Elements: 64, Indexed: true}}
	g := mapping.Mapping{Kind: workload.KindMove, Cols: 1, Rows: 1, Tile: 64, Depth: 2}
	if _, err := build.Program(m, gather, g); err == nil {
		t.Error("a gather has a program")
	}
	if _, err := build.Program(m, &workload.Kernel{}, g); err == nil {
		t.Error("an invalid kernel has a program")
	}
	systolic := machine.Systolic(4, 4, machine.OutputStationary)
	if _, err := build.Program(systolic, gather, g); err == nil {
		t.Error("a systolic array has a program")
	}
}

func ExampleProgram() {
	m, err := machine.Preset("npu1")
	if err != nil {
		panic(err)
	}
	s := []workload.Stream{{DType: dtype.BF16, Elements: 8192}}
	w := &workload.Kernel{Name: "relu", Kind: workload.KindPointwise,
		Pointwise: workload.Pointwise{Elements: 8192, DType: dtype.BF16, In: s, Out: s,
			Ops: workload.Mix{Simple: 1}}}
	g := mapping.Mapping{Kind: w.Kind, Cols: 1, Rows: 2, Tile: 1024, Depth: 2}
	p, err := build.Program(m, w, g)
	if err != nil {
		panic(err)
	}
	p.Lower()
	if err := p.Verify(); err != nil {
		panic(err)
	}
	fmt.Println(len(p.Cores), "cores,", len(p.FIFOs), "FIFOs,", len(p.Buffers), "buffers,",
		len(p.Locks), "locks,", len(p.DMAs), "channels,", len(p.Flows), "flows")
	// Output:
	// 2 cores, 6 FIFOs, 12 buffers, 16 locks, 12 channels, 6 flows
}
