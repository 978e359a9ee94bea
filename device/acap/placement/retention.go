package placement

import (
	"slices"

	"github.com/go-acap/acap/device/acap/describe"
	"github.com/go-acap/acap/device/acap/mapper"
	"github.com/go-acap/acap/device/acap/mapping"
	"github.com/go-acap/acap/device/acap/program"
	"github.com/go-acap/acap/device/acap/schedule"
	"github.com/go-acap/acap/device/acap/workload"
	"github.com/go-acap/acap/device/engine"
)

// passing is an array that one launch writes and only the next launch reads.
type passing struct {
	from, to *Kernel
	input    int // of the kernel that reads it
	bytes    int
}

// passings lists the arrays that can remain in mem tiles between launches: by the launch that makes them.
func (p *Plan) passings() map[*Kernel]passing {
	type port struct {
		*Kernel
		number int
	}
	type array struct{ group, number int }
	writers, readers := make(map[array][]port), make(map[array][]port)
	next := make(map[*Kernel]*Kernel)
	var last *Kernel
	for i := range p.placed {
		q := &p.placed[i]
		if q.kernel.Fixed {
			continue
		}
		if last != nil && last.group == q.group {
			next[last] = q
		}
		last = q
		for n, v := range q.kernel.Values {
			if at := (array{q.group, v.Number}); v.Use == engine.Between {
				if q.kernel.Kernel.Ports()[n].Write {
					writers[at] = append(writers[at], port{q, n})
				} else {
					readers[at] = append(readers[at], port{q, n})
				}
			}
		}
	}
	out := make(map[*Kernel]passing)
	for at, from := range writers {
		to := readers[at]
		if len(from) != 1 || len(to) != 1 || next[from[0].Kernel] != to[0].Kernel {
			continue
		}
		a, b := from[0], to[0]
		if a.err != nil || b.err != nil {
			continue
		}
		left, rowsLeft := byRows(a.Kernel, a.number)
		taken, rowsTaken := byRows(b.Kernel, b.number)
		if !rowsLeft || !rowsTaken || !left.Same(taken) {
			continue
		}
		if _, several := out[a.Kernel]; several {
			delete(out, a.Kernel)
			continue
		}
		written := a.kernel.Kernel.Ports()[a.number]
		out[a.Kernel] = passing{a.Kernel, b.Kernel, input(b.Kernel, b.number), written.Len * written.DType.Size()}
	}
	return out
}

// input is the number of a port among the inputs of its kernel.
func input(q *Kernel, port int) int {
	n := 0
	for _, p := range q.kernel.Kernel.Ports()[:port] {
		if !p.Write {
			n++
		}
	}
	return n
}

// byRows returns the matrix of a port whose rows are divided among the cores. Of a product, that is the left operand or
// the result. ok is false for other ports.
func byRows(q *Kernel, port int) (describe.Matrix, bool) {
	m, ok := describe.MatrixOf(q.kernel.Kernel, port)
	if !ok {
		return m, false
	}
	w, factor := q.work, port == 0 || q.kernel.Kernel.Ports()[port].Write
	switch w.Kind {
	case workload.KindContraction, workload.KindConvolution:
		return m, factor && m.Rows > 1
	case workload.KindNormalize:
		return m, len(m.Loops) == 0 && m.Rows == w.Normalize.Rows && m.Width == w.Normalize.Cols
	case workload.KindPointwise:
		return m, len(m.Loops) == 0 && int64(m.Rows)*int64(m.Width) == w.Pointwise.Elements
	}
	return m, false
}

// extent is how many rows or elements of a kernel the cores share.
func extent(w *workload.Kernel) int {
	switch w.Kind {
	case workload.KindContraction:
		return w.Contraction.M
	case workload.KindConvolution:
		return w.Convolution.AsContraction().M
	case workload.KindNormalize:
		return w.Normalize.Rows
	}
	return int(w.Pointwise.Elements)
}

// retain chooses arrays that remain in mem tiles between launches, where this makes the launches shorter. It returns
// the number of these arrays and their bytes.
func (p *Plan) retain() (arrays int, bytes int64) {
	m := p.array.Machine
	if m.Grid.MemRows == 0 || m.Mem.Repeat.Int() == 0 || p.array.Outside {
		return 0, 0
	}
	s := retention{array: p.array, known: make(map[neighbours]*mapper.Choice)}
	passings := p.passings()
	reached := make(map[*Kernel]bool)
	for i := range p.placed {
		q := &p.placed[i]
		if _, ok := passings[q]; !ok || reached[q] {
			continue
		}
		var chain []passing
		for at := q; ; {
			a, ok := passings[at]
			if !ok {
				break
			}
			reached[at] = true
			chain, at = append(chain, a), a.to
		}
		n, b := s.chain(chain)
		arrays, bytes = arrays+n, bytes+b
	}
	return arrays, bytes
}

// retention is a search for what remains.
type retention struct {
	array *Array
	known map[neighbours]*mapper.Choice // nil where there is no mapping
}

// neighbours is a kernel with what remains before and after it.
type neighbours struct {
	key string
	mapper.Retention
}

// chain chooses which arrays of launches that pass one to the next remain, all by rows in the same blocks.
func (s *retention) chain(chain []passing) (arrays int, bytes int64) {
	launches := []*Kernel{chain[0].from}
	for _, a := range chain {
		launches = append(launches, a.to)
	}
	rows := extent(launches[0].work)
	for _, q := range launches {
		rows = min(rows, extent(q.work))
	}
	for _, q := range launches {
		if extent(q.work)%rows != 0 {
			return 0, 0
		}
	}
	var best plan
	for _, cols := range s.columns(rows) {
		for _, block := range blocks(rows, cols) {
			if q := s.plan(launches, chain, rows, cols, block); q.gain > best.gain {
				best = q
			}
		}
	}
	for i, c := range best.choices {
		launches[i].choice = c
	}
	for i, remains := range best.retained {
		if remains {
			arrays, bytes = arrays+1, bytes+int64(chain[i].bytes)
		}
	}
	return arrays, bytes
}

// rowUnit is how many rows a matrix instruction takes.
const rowUnit = 4

// blocks lists how many rows a block may have: all rows of a column, half of them, a quarter, and so on.
func blocks(rows, cols int) (list []int) {
	const least = 8 // in smaller blocks, calls take most of the time of a kernel
	for n := 1; ; n *= 2 {
		block := (rows + n*cols*rowUnit - 1) / (n * cols * rowUnit) * rowUnit
		if n > 1 && block < least {
			return list
		}
		list = append(list, block)
	}
}

// columns lists how many columns may share the rows: all columns, and the least number that needs no more steps, so
// that no column has only padding.
func (s *retention) columns(rows int) []int {
	all := min(s.array.Machine.Grid.Cols, len(s.array.Machine.Grid.ShimDMA))
	units := (rows + rowUnit - 1) / rowUnit
	each := (units + all - 1) / all
	out := []int{min(all, units)}
	if n := (units + each - 1) / each; n < out[0] {
		out = append(out, n)
	}
	return out
}

// plan is which arrays of a chain remain, and the mappings of its launches.
type plan struct {
	gain     float64 // seconds
	retained []bool
	choices  []*mapper.Choice
}

// plan finds the fastest choice, launch by launch. After each launch it keeps the best choice for two cases: the result
// remains in mem tiles, or it does not.
func (s *retention) plan(launches []*Kernel, chain []passing, rows, cols, block int) plan {
	type state struct {
		seconds float64
		plan
	}
	states := map[bool]state{false: {}}
	for i, q := range launches {
		next := make(map[bool]state)
		for _, in := range [...]bool{false, true} {
			before, ok := states[in]
			for _, out := range [...]bool{false, true} {
				if !ok || out && i == len(chain) {
					continue
				}
				c := q.choice
				if in || out {
					of := mapper.Retention{Cols: cols, Block: block * (extent(q.work) / rows)}
					if in {
						of.In = s.retained(&chain[i-1], i-1, cols, block, rows)
						of.In.Input = chain[i-1].input
					}
					if out {
						of.Out = s.retained(&chain[i], i, cols, block, rows)
					}
					if c = s.mapping(q, of); c == nil || in && !agree(before.choices[i-1], c) {
						continue
					}
				}
				mapped := append(slices.Clone(before.choices), c)
				seconds := s.seconds(launches, mapped)
				if known, ok := next[out]; ok && known.seconds <= seconds {
					continue
				}
				next[out] = state{seconds, plan{retained: append(slices.Clone(before.retained), out), choices: mapped}}
			}
		}
		states = next
	}
	var now []*mapper.Choice
	for _, q := range launches {
		now = append(now, q.choice)
	}
	end := states[false]
	end.gain = s.seconds(launches, now) - end.seconds
	const worth = 1e-9
	if end.gain < worth {
		return plan{}
	}
	end.retained = end.retained[:len(chain)]
	return end.plan
}

// seconds is the time of a program of the first launches, one for each choice.
func (s *retention) seconds(launches []*Kernel, choices []*mapper.Choice) float64 {
	p := schedule.Program{Prefetched: true}
	for i, c := range choices {
		p.Launches = append(p.Launches, schedule.Launch{Kernel: launches[i].work, Mapping: c.Mapping, Timing: &c.Timing,
			Code: c.Mapping.Style})
	}
	return p.Cost(s.array.Machine).Seconds()
}

// retained is the place of the i-th array of a chain. Arrays of a chain alternate between the two ends of the mem
// tiles: a launch reads its input at one end, leaves its result at the other end, and has its own buffers between.
func (s *retention) retained(a *passing, i, cols, block, rows int) mapping.Retained {
	const line = 64 // bytes
	blocks := (rows + cols*block - 1) / (cols * block)
	each := (a.bytes/rows*block*blocks + line - 1) / line * line
	at := mapping.Retained{Row: 1}
	if i%2 == 1 {
		at.Address = max(0, s.array.Machine.Mem.Memory.Int()-each)
	}
	return at
}

// mapping maps a kernel with what remains, nil if it cannot be.
func (s *retention) mapping(q *Kernel, of mapper.Retention) *mapper.Choice {
	if q.choice.Mapping.Resident > 0 {
		return nil
	}
	key := neighbours{q.work.Key(), of}
	c, ok := s.known[key]
	if !ok {
		var err error
		if c, err = mapper.MapRetained(s.array.Machine, q.work, of); err != nil || c.Verify() != nil {
			c = nil
		}
		s.known[key] = c
	}
	return c
}

// agree reports whether one launch leaves each element where the next launch takes it.
func agree(from, to *mapper.Choice) bool {
	left, taken := retainedArrays(from, true), retainedArrays(to, false)
	if len(left) == 0 || len(left) != len(taken) {
		return false
	}
	for i, a := range left {
		b := taken[i]
		if a.Tile != b.Tile || a.Address != b.Address || a.Object.Bytes() != b.Object.Bytes() ||
			a.Object.DType != b.Object.DType || a.Part.Offset != b.Part.Offset || !slices.Equal(a.Part.Dims, b.Part.Dims) {
			return false
		}
	}
	return true
}

// retainedArrays lists what the program of a choice leaves in mem tiles, or takes from them, by columns.
func retainedArrays(c *mapper.Choice, left bool) (list []*program.Retained) {
	p, err := c.Program()
	if err != nil {
		return nil
	}
	for _, s := range p.RetainedArrays() {
		if p.Args[s.Part.Arg].Output == left {
			list = append(list, s)
		}
	}
	slices.SortFunc(list, func(a, b *program.Retained) int { return a.Tile.Col - b.Tile.Col })
	return list
}
