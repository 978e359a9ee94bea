package placement

import (
	"cmp"
	"slices"

	"github.com/go-acap/acap/device/acap/mapper"
	"github.com/go-acap/acap/device/acap/program"
	"github.com/go-acap/acap/device/acap/workload"
)

// candidate is a kernel whose weights may be resident in the mem tiles.
type candidate struct {
	*Kernel
	choice *mapper.Choice // with all weights in the first row of mem tiles
	bytes  int
	gain   float64 // seconds of a run
}

// keepWeights chooses the kernels whose weights are resident in the mem tiles from run to run: those that save
// most for the space that they take.
func (p *Plan) keepWeights() {
	m := p.array.Machine
	if m.Grid.MemRows == 0 || m.Mem.Repeat.Int() == 0 {
		return
	}
	seconds := 0.0
	var passing []*mapper.Choice
	for i := range p.placed {
		q := &p.placed[i]
		if q.err != nil || q.kernel.Fixed {
			continue
		}
		seconds += q.mapped.Timing.Seconds - q.mapped.Timing.Launch
		passing = append(passing, q.mapped)
	}
	r := newBudget(m, passing)
	const worth = 0.01 // of a run
	if r.all()/m.DDR.Read.Value < worth*seconds {
		return
	}
	for _, s := range p.candidates(r) {
		s.put(r)
	}
}

// fits reports whether the mem tiles have space for all resident weights beside what passes
// through them.
func (p *Plan) fits() bool {
	var programs []*program.Program
	known := make(map[*mapper.Choice]bool)
	anyResident := false
	for i := range p.placed {
		q := &p.placed[i]
		if q.err != nil || q.kernel.Fixed {
			continue
		}
		resident := q.choice.Mapping.Resident > 0
		if known[q.choice] && !resident {
			continue // it needs no more than before
		}
		known[q.choice], anyResident = true, anyResident || resident
		built, err := q.choice.Program()
		if err != nil {
			continue
		}
		built.Lower()
		programs = append(programs, built)
	}
	return !anyResident || program.CheckResidency(programs) == nil
}

// candidates lists the kernels that gain when their weights are resident, those that gain most for a byte
// first.
func (p *Plan) candidates(r *budget) []candidate {
	known := make(map[string]*candidate) // by kernel; nil for those that gain nothing
	var out []candidate
	for i := range p.placed {
		q := &p.placed[i]
		if q.err != nil || q.kernel.Fixed || !weighted(q.work) {
			continue
		}
		key := q.work.Key()
		s, ok := known[key]
		if !ok {
			s = p.array.candidate(q, r)
			known[key] = s
		}
		if s != nil {
			mine := *s
			mine.Kernel = q
			out = append(out, mine)
		}
	}
	slices.SortStableFunc(out, func(a, b candidate) int {
		return cmp.Compare(b.gain/float64(b.bytes), a.gain/float64(a.bytes))
	})
	return out
}

// weighted reports whether a kernel is a product with weights that may remain: all that comes with
// them is constant, too.
func weighted(w *workload.Kernel) bool {
	switch w.Kind {
	case workload.KindContraction:
		c := &w.Contraction
		return c.B.Constant && !slices.ContainsFunc(c.Epilogue.In, func(s workload.Stream) bool {
			_, alongN := c.Varies(s).Along()
			return alongN && s.Elements > 1 && !s.Constant
		})
	case workload.KindConvolution:
		c := &w.Convolution
		return c.ConstantWeight && !slices.ContainsFunc(c.Epilogue.In, func(s workload.Stream) bool {
			return s.Elements > 1 && !s.Constant
		})
	}
	return false
}

// candidate maps a kernel with its weights in mem tiles, nil if that gains nothing: with no more in any than all
// have space for, else with more in those that have.
func (a *Array) candidate(q *Kernel, r *budget) *candidate {
	m := a.Machine
	least, most := r.bounds()
	for _, budget := range [...]int{least, most} {
		if weights(q.work) > int64(budget)*int64(m.Grid.Cols) {
			continue // a row of mem tiles is too small
		}
		c, err := mapper.MapResident(m, q.work, 1, budget)
		if err != nil {
			continue
		}
		if c.Timing.Seconds >= q.mapped.Timing.Seconds || c.Verify() != nil {
			return nil
		}
		built, err := c.Program()
		if err != nil {
			return nil
		}
		s := &candidate{choice: c, gain: q.mapped.Timing.Seconds - c.Timing.Seconds}
		for _, n := range built.ResidentBytes() {
			s.bytes += n
		}
		return s
	}
	return nil
}

// put finds a place for the weights where mem tiles have space, and has the kernel use it.
func (s *candidate) put(r *budget) {
	m, g := s.choice.Machine, s.choice.Mapping
	for _, right := range []int{0, m.Grid.Cols - g.Cols} {
		for row := 1; row <= m.Grid.MemRows; row++ {
			g.Col, g.Resident = right, row
			c, err := s.choice.With(g)
			if err != nil || c.Timing.Seconds >= s.mapped.Timing.Seconds || !r.take(c) {
				continue
			}
			s.Kernel.choice = c
			return
		}
	}
}

// weights is the bytes of the right operand of a product.
func weights(w *workload.Kernel) int64 {
	c := w.Contraction
	if w.Kind == workload.KindConvolution {
		c = w.Convolution.AsContraction()
	}
	return int64(c.Batch) * int64(c.B.Bytes(c.K, c.N))
}
