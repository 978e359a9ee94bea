package mapper_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/go-acap/acap/base/dtype"
	"github.com/go-acap/acap/base/longtest"
	"github.com/go-acap/acap/device/acap/machine"
	"github.com/go-acap/acap/device/acap/machine/machinetest"
	"github.com/go-acap/acap/device/acap/mapper"
	"github.com/go-acap/acap/device/acap/mapping"
	"github.com/go-acap/acap/device/acap/program"
	"github.com/go-acap/acap/device/acap/program/build"
	"github.com/go-acap/acap/device/acap/timing"
	"github.com/go-acap/acap/device/acap/workload"
)

// TestConstants changes every constant of every preset, one at a time, and expects that
// something changes: the time of a mapping, its program or what is refused.
func TestConstants(t *testing.T) {
	if testing.Short() {
		t.Skip("times many kernels many times")
	}
	for turn, name := range longtest.Some(1, "npu1", "npu2", "vek280", "vck190") {
		base := machinetest.Preset(t, name)
		subjects := subjectsOf(t, base)
		orders := patterns(base)
		times, programs := make([]string, len(subjects)), make([]string, len(subjects))
		for i := range subjects {
			times[i], programs[i] = subjects[i].time(base), subjects[i].program(base)
		}
		number := -1
		base.Constants(func(path string, c *machine.Constant) {
			number++
			if every := longtest.Sample(16, 16, 4); number%every != turn%every {
				return // another machine has it
			}
			if *c == (machine.Constant{}) || elsewhere[path] != "" {
				return
			}
			if !matters(t, name, path, func(m *machine.Machine, _ int) bool {
				return patterns(m) != orders
			}, 1) && !matters(t, name, path, func(m *machine.Machine, i int) bool {
				return i < len(times) && subjects[i].time(m) != times[i]
			}, len(subjects)) && !matters(t, name, path, func(m *machine.Machine, i int) bool {
				return subjects[i].program(m) != programs[i]
			}, len(subjects)) {
				t.Errorf("%s: nothing depends on %s", name, path)
			}
		})
	}
}

// matters reports whether a change of a constant changes one of n subjects.
func matters(t *testing.T, name, path string, changed func(*machine.Machine, int) bool, n int) bool {
	for _, change := range []func(float64) float64{
		func(v float64) float64 { return v * 0.5 },
		func(v float64) float64 { return v * 4 },
		func(float64) float64 { return 1 },
	} {
		m := machinetest.Preset(t, name)
		m.Constants(func(p string, c *machine.Constant) {
			if p == path {
				c.Value = change(c.Value)
			}
		})
		for i := range n {
			if changed(m, i) {
				return true
			}
		}
	}
	return false
}

// subject is a kernel in a mapping.
type subject struct {
	work    *workload.Kernel
	mapping mapping.Mapping
	build   bool // its program counts, too
}

// time is the time model's text for a subject.
func (s *subject) time(m *machine.Machine) string {
	tm, err := timing.Estimate(m, s.work, s.mapping)
	return fmt.Sprintf("%v %v", tm, err)
}

// program is the program of a subject and what is wrong with it.
func (s *subject) program(m *machine.Machine) string {
	if !s.build {
		return ""
	}
	text := fmt.Sprint(build.Check(m, s.work, s.mapping))
	p, err := build.Program(m, s.work, s.mapping)
	if err != nil {
		return text + err.Error()
	}
	p.Lower()
	return text + p.String()
}

// elsewhere is constants that other tests change, or that only larger kernels than this test's show.
var elsewhere = map[string]string{
	"host.dispatch.alone.launch":    "package machine",
	"host.dispatch.queued.launch":   "package machine",
	"host.dispatch.switched.launch": "package machine",
	"host.dispatch.wall.launch":     "package machine",
	"host.dispatch.xrt.launch":      "package machine",
	"modes.balanced.clock":          "package machine",
	"modes.performance.clock":       "package machine",
	"modes.powersave.clock":         "package machine",
	"modes.qos.clock":               "package machine",
	"modes.turbo.clock":             "package machine",

	"compute.routines.cast.element": "a memory that is faster than the cores",

	"host.context":       "package schedule",
	"host.switch":        "package schedule",
	"energy.spread":      "package report",
	"core.program":       "package schedule",
	"compute.code":       "package schedule",
	"host.write":         "package schedule",
	"host.copy":          "package predict",
	"core.out":           "kernels with more results than channels",
	"core.stack":         "tiles as large as a core's memory",
	"ddr.burst[2].share": "rows of a few hundred bytes that lie far apart",
	"ddr.pitch[0].share": "more than 512 rows 4 KiB apart",
	"ddr.page":           "package machine, as the chips are",
	"core.bank_bytes":    "package timing",
	"core.access":        "package timing",
	"mem.bank_bytes":     "no kernel computes there",
	"mem.access":         "no kernel computes there",
	"core.switch.north":  "package program, as those of other tiles",
	"core.switch.south":  "package program",
	"core.switch.side":   "package program",
	"mem.switch.north":   "package program",
	"mem.switch.south":   "package program",
	"mem.switch.side":    "package program",
	"shim.switch.north":  "package program",
	"shim.switch.south":  "package program",
	"shim.switch.side":   "package program",
	"ddr.chips.bus":      "package machine",
	"ddr.chips.channels": "package machine",
	"ddr.chips.banks":    "package machine",
	"ddr.chips.burst":    "package machine",
	"ddr.chips.cycle":    "package machine",
	"ddr.chips.four":     "package machine",
	"ddr.chips.refresh":  "package machine",
	"ddr.chips.interval": "package machine",
	"mem.channel_bytes":  "package event",

	"compute.styles.gemv.amid":        "package predict",
	"compute.routines.attention.amid": "package predict",
	"shim.in":                         "more results than interface tiles",
	"staging":                         "operands of many blocks",
	"mem.repeat":                      "package program",
}

// patterns says which of some orders of addresses descriptors of every kind of tile take.
func patterns(m *machine.Machine) (text string) {
	for _, tile := range []*machine.Tile{&m.Core, &m.Mem, &m.Shim} {
		for dims := 1; dims <= 7; dims++ {
			for bits := range 24 {
				order := make([]program.Dim, dims)
				for i := range order {
					order[i] = program.Dim{Size: 2, Stride: 3 << (2*(dims-i) + 1)}
				}
				wide, far := append([]program.Dim{}, order...), append([]program.Dim{}, order...)
				wide[dims-1].Size, far[0].Stride = 1<<bits+1, 1<<bits+1
				many := append([]program.Dim{}, order...)
				many[0].Size = 1 << min(bits, 8)
				for _, d := range [][]program.Dim{wide, far, many} {
					text += fmt.Sprint(program.Fits(tile, d, 2, 4) == nil, " ")
				}
			}
		}
	}
	return text
}

// subjectsOf makes a kernel for every rate, style and routine of a machine.
func subjectsOf(t *testing.T, m *machine.Machine) []subject {
	t.Helper()
	var out []subject
	add := func(w *workload.Kernel) *mapping.Mapping {
		w.Classify()
		c, err := mapper.Map(m, w)
		if err != nil {
			return nil
		}
		out = append(out, subject{w, c.Mapping, w.Name != "flat" && w.Name != "rows" && len(out)%5 == 0})
		return &c.Mapping
	}
	typed := func(name string) dtype.DType {
		d, err := dtype.Parse(name)
		if err != nil {
			return dtype.I8
		}
		return d
	}
	multiply := func(a, b, to dtype.DType, rows, k, cols int) *workload.Kernel {
		acc := dtype.I32
		if a.IsFloat() {
			acc = dtype.F32
		}
		if to == dtype.Invalid {
			to = acc
		}
		return &workload.Kernel{Name: "product", Kind: workload.KindContraction,
			Contraction: workload.Contraction{Batch: 1, M: rows, K: k, N: cols,
				A: workload.Operand{DType: a}, B: workload.Operand{DType: b}, Acc: acc, Out: to}}
	}
	for _, of := range []dtype.DType{dtype.I8, dtype.I16} { // weights of 4 bits, which some cores multiply as they are
		w := multiply(of, dtype.I8, dtype.Invalid, 64, 256, 64)
		w.Contraction.B.Format = dtype.I4
		add(w)
	}
	for key := range m.Compute.MACs {
		a, b, mixed := strings.Cut(key, "x")
		sparse := b == dtype.Sparse24.String()
		if !mixed || sparse {
			b = a
		}
		w := multiply(typed(a), typed(b), dtype.Invalid, 64, 64, 64)
		if sparse {
			w.Contraction.B.Format = dtype.Sparse24
		}
		add(w)
	}
	for _, f := range append(dtype.Formats(), dtype.Q8, dtype.Q4_1) {
		w := multiply(dtype.BF16, dtype.BF16, dtype.Invalid, 64, 256, 64)
		w.Contraction.B.Format = f
		add(w)
		both := *w
		both.Contraction.A.Format = f
		add(&both)
	}
	rounded := multiply(dtype.BF16, dtype.BF16, dtype.Invalid, 64, 256, 64)
	rounded.Contraction.A.Rounded, rounded.Contraction.B.Rounded = dtype.BFP16, dtype.BFP16
	add(rounded)
	packed := multiply(dtype.BF16, dtype.BF16, dtype.BF16, 2048, 128, 4096)
	packed.Contraction.B.Format = dtype.BFP16
	if g := add(packed); g != nil && m.Compute.Styles["asymmetric"].Efficiency.Value > 0 {
		styled := *g
		styled.Style = "asymmetric"
		out = append(out, subject{packed, styled, false})
	}
	inStyles := func(w *workload.Kernel) {
		g := add(w)
		for name := range m.Compute.Styles {
			if g != nil && m.Systolic == nil {
				styled := *g
				styled.Style = name
				out = append(out, subject{w, styled, false})
			}
		}
	}
	for _, shape := range [][3]int{{256, 2048, 256}, {2048, 64, 1024}, {64, 8192, 64}, {512, 512, 1}, {2048, 128, 4096}} {
		for _, to := range []dtype.DType{dtype.Invalid, dtype.BF16} {
			inStyles(multiply(dtype.BF16, dtype.BF16, to, shape[0], shape[1], shape[2]))
		}
	}
	inStyles(multiply(dtype.I8, dtype.I8, dtype.Invalid, 256, 2048, 256)) // some styles have bytes alone
	for key := range m.Compute.Lanes {
		d := typed(key)
		s := workload.Stream{DType: d, Elements: 1 << 14}
		for _, ops := range []workload.Mix{{Simple: 2}, {Simple: 1, Divide: 1}, {Simple: 3, Divide: 1, Transcendental: 1},
			{Simple: 6, Transcendental: 1}, {Serial: 1}} {
			for _, in := range [][]workload.Stream{{s}, {s, s}} {
				add(&workload.Kernel{Name: "flat", Kind: workload.KindPointwise, Pointwise: workload.Pointwise{
					Elements: s.Elements, DType: d, Ops: ops, In: in, Out: []workload.Stream{s}}})
			}
		}
	}
	rows := workload.Stream{DType: dtype.BF16, Elements: 128 * 256}
	parameter := workload.Stream{DType: dtype.BF16, Elements: 256, Constant: true}
	for passes := 1; passes <= 3; passes++ {
		for _, in := range [][]workload.Stream{{rows, parameter}, {rows, rows}} {
			for _, once := range []workload.Mix{{}, {Divide: 1}} {
				for _, ops := range []workload.Mix{{Simple: 3}, {Simple: 2, Transcendental: 1}} {
					add(&workload.Kernel{Name: "rows", Kind: workload.KindNormalize, Normalize: workload.Normalize{
						Rows: 128, Cols: 256, DType: dtype.BF16, Passes: passes, Ops: ops, RowOps: once,
						In: in, Out: []workload.Stream{rows}}})
				}
			}
		}
	}
	add(&workload.Kernel{Name: "attention", Kind: workload.KindAttention, Attention: workload.Attention{
		Batch: 1, Heads: 2, KVHeads: 2, Sq: 128, Sk: 128, D: 64, DV: 64, DType: dtype.BF16, Acc: dtype.F32}})
	add(&workload.Kernel{Name: "move", Kind: workload.KindMove, Move: workload.Move{DType: dtype.F32,
		Elements: 96 * 64 * 40, Shape: []int{96, 64, 40}, Perm: []int{1, 0, 2}}})
	add(&workload.Kernel{Name: "convolution", Kind: workload.KindConvolution, Convolution: workload.Convolution{
		N: 1, C: 16, H: 20, W: 20, K: 16, R: 3, S: 3, StrideH: 1, StrideW: 1, PadTop: 1, PadLeft: 1,
		PadBottom: 1, PadRight: 1, DilationH: 1, DilationW: 1, Groups: 1, In: dtype.BF16,
		Weight: dtype.BF16, Acc: dtype.F32, Out: dtype.F32}})
	return out
}
