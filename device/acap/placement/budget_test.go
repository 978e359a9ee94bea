package placement

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/go-acap/acap/base/dtype"
	"github.com/go-acap/acap/base/longtest"
	"github.com/go-acap/acap/device/acap/machine"
	"github.com/go-acap/acap/device/acap/mapper"
	"github.com/go-acap/acap/device/acap/program"
	"github.com/go-acap/acap/device/acap/schedule"
	"github.com/go-acap/acap/device/acap/workload"
)

// weighing is a product of few rows with constant weights, and convolution one of a small image.
func weighing(k, n int) *workload.Kernel {
	return &workload.Kernel{Name: "product", Kind: workload.KindContraction, Contraction: workload.Contraction{Batch: 1, M: 64, N: n,
		K: k, A: workload.Operand{DType: dtype.F32}, B: workload.Operand{DType: dtype.F32, Constant: true}, Acc: dtype.F32,
		Out: dtype.F32}}
}

func convolution(channels, side int) *workload.Kernel {
	return &workload.Kernel{Name: "convolution", Kind: workload.KindConvolution, Convolution: workload.Convolution{N: 1, C: channels,
		H: side, W: side, K: channels, R: 3, S: 3, StrideH: 1, StrideW: 1, PadTop: 1, PadLeft: 1, PadBottom: 1, PadRight: 1,
		DilationH: 1, DilationW: 1, Groups: 1, ConstantWeight: true, In: dtype.F32, Weight: dtype.F32, Acc: dtype.F32,
		Out: dtype.F32}}
}

// TestBudget takes space for weights tile by tile: all that is taken remains beside whatever passes, and what is
// refused would not, if some is kept for mappings to come.
func TestBudget(t *testing.T) {
	for _, name := range longtest.Some(1, "npu2", "vek280", "npu1") {
		m, err := machine.Preset(name)
		require.NoError(t, err)
		mapped := func(c *mapper.Choice, err error) *mapper.Choice {
			require.NoError(t, err)
			return c
		}
		lowered := func(m *machine.Machine, choices ...*mapper.Choice) (list []*program.Program) {
			for _, c := range choices {
				p, err := c.Program()
				require.NoError(t, err)
				p.Lower()
				p.Machine = m
				list = append(list, p)
			}
			return list
		}
		all := []*mapper.Choice{mapped(mapper.Map(m, weighing(512, 512))), mapped(mapper.Map(m, convolution(64, 14)))}
		r := newBudget(m, all)
		_, most := r.bounds()
		fewer := *m // by what is kept
		fewer.Mem.Memory.Value *= 15. / 16
		taken, refused := 0, 0
		for i := range 40 {
			c, err := mapper.MapResident(m, weighing(256+128*(i%3), 512), 1+i%m.Grid.MemRows, most)
			require.NoError(t, err)
			g := c.Mapping
			g.Col, g.Resident = i%(m.Grid.Cols-g.Cols+1), 1+i%m.Grid.MemRows
			if c, err = c.With(g); err != nil {
				continue
			}
			with := append(all[:len(all):len(all)], c)
			passes := r.passes(c)
			if !r.take(c) {
				refused++
				require.Error(t, program.CheckResidency(lowered(&fewer, with...)), "%s: %v", name, g)
				continue
			}
			taken++
			all = with
			require.True(t, passes)
			require.NoError(t, program.CheckResidency(lowered(m, all...)), "%s: %v", name, g)
		}
		require.Positive(t, taken, name)
		require.Positive(t, refused, name)
		r.keep(nil)
		require.True(t, r.passes(all[0]))
		r.keep(all)
		before := r.all()
		r.keep(all[:len(all)-1])
		require.Greater(t, r.all(), before)
	}
}

// TestSpaceBeside lets weights remain that find space beside mem tiles through which much passes, and in none of them.
func TestSpaceBeside(t *testing.T) {
	m, err := machine.Preset("vek280")
	require.NoError(t, err)
	w := convolution(512, 7)
	alone, err := mapper.Map(m, w)
	require.NoError(t, err)
	array, much := &Array{Machine: m}, m.Mem.Memory.Int()/4
	for _, full := range []program.Coord{{Col: 0, Row: 1}, {Col: 37, Row: 1}, {Col: 12, Row: 2}} {
		q := &Kernel{work: w, mapped: alone, choice: alone}
		r := newBudget(m, nil)
		r.passing[full] = much
		least, most := r.bounds()
		require.Equal(t, r.left(full), least)
		require.Equal(t, r.left(program.Coord{Col: 1, Row: 1}), most)
		s := array.candidate(q, r)
		require.NotNil(t, s)
		s.Kernel = q
		s.put(r)
		require.Positive(t, q.choice.Mapping.Resident)
		require.NoError(t, q.choice.Verify())
		require.Less(t, q.choice.Timing.Seconds, alone.Timing.Seconds)
		require.Zero(t, r.needs(q.choice).kept[full])
	}
	q := &Kernel{work: w, mapped: alone, choice: alone}
	r := newBudget(m, nil)
	r.each(func(at program.Coord) { r.passing[at] = much })
	require.Nil(t, array.candidate(q, r), "nowhere")
}

// TestSpaceToPlace places kernels nowhere where weights leave no space for what passes through them.
func TestSpaceToPlace(t *testing.T) {
	m, err := machine.Preset("npu2")
	require.NoError(t, err)
	w := weighing(512, 512)
	c, err := mapper.MapResident(m, w, 1, m.Mem.Memory.Int()/2)
	require.NoError(t, err)
	array := &Array{Machine: m}
	q := Kernel{work: w, mapped: c, choice: c}
	p := &Plan{array: array, placed: []Kernel{q}}
	s := newPlacementSearch(array)
	p.place(s)
	require.Equal(t, s.budget.needs(c).kept, s.budget.kept)
	l := &schedule.Launch{Kernel: w, Mapping: c.Mapping, Timing: &c.Timing}
	require.True(t, s.Legal(l))
	s.budget.each(func(at program.Coord) { s.budget.kept[at] = m.Mem.Memory.Int() })
	require.False(t, s.Legal(l))
}

// TestBudgetPasses counts what passes through a mem tile once, for the kernel that needs most.
func TestBudgetPasses(t *testing.T) {
	m, err := machine.Preset("npu2")
	require.NoError(t, err)
	r, at, all := newBudget(m, nil), program.Coord{Col: 3, Row: 1}, m.Mem.Memory.Int()
	kernel := func(kept, passing int) *mapper.Choice {
		c := new(mapper.Choice)
		r.known[c] = needs{map[program.Coord]int{at: kept}, map[program.Coord]int{at: passing}}
		return c
	}
	require.True(t, r.take(kernel(all/4, all/2)))
	require.True(t, r.take(kernel(all/8, all/2)), "one after the other")
	require.False(t, r.take(kernel(all/4, 0)), "the others pass")
	require.False(t, r.take(kernel(0, 3*all/4)), "it passes itself")
	require.True(t, r.take(kernel(all/8, 0)))
	require.Zero(t, r.left(at))
}
