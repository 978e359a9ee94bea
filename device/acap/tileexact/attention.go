package tileexact

import (
	"fmt"
	"math"

	"github.com/go-acap/acap/base/buf"
	"github.com/go-acap/acap/device/acap/mapping"
	"github.com/go-acap/acap/device/acap/program"
	"github.com/go-acap/acap/device/acap/workload"
	"github.com/go-acap/acap/kernel"
)

// attention lays out queries, keys, values and results: heads, positions, features.
func attention(a *kernel.Attention, w *workload.Mask, p *program.Program,
	g *mapping.Mapping) (*layout, error) {
	if a.K.DType != a.Q.DType || a.V.DType != a.Q.DType || a.O.DType != a.Q.DType {
		return nil, fmt.Errorf("attention on elements of several types")
	}
	if a.Index != nil {
		return nil, fmt.Errorf("attention that looks keys up by an index")
	}
	if a.Sinks != nil {
		return nil, fmt.Errorf("attention with sinks")
	}
	if a.Cap != 0 {
		return nil, fmt.Errorf("attention whose scores are capped")
	}
	side := func(arg int, m *kernel.Matrix, rows, cols int) placing {
		shape := p.Args[arg].Shape
		return placing{arg, arg, func(put func(int, int)) {
			head := 0
			odometer(a.Batch, func(point []int) {
				base := m.Offset + dot(point, m.Batch)
				for i := range rows {
					for j := range cols {
						put((head*shape[1]+i)*shape[2]+j, base+i*m.Row+j*m.Col)
					}
				}
				head++
			})
		}}
	}
	inputs := []placing{side(0, &a.Q, a.Queries, a.Dim), side(1, &a.K, a.Keys, a.Dim),
		side(2, &a.V, a.Keys, a.VDim)}
	if a.Mask != nil {
		inputs = append(inputs, maskOf(a, w, p))
	}
	return &layout{terms: float64(a.Keys), inputs: inputs,
		outputs: []placing{side(3, &a.O, a.Queries, a.VDim)},
		compute: func(p *program.Program) (func(int, *program.Call, []*memory) error, error) {
			return newFused(a, p, g).call, nil
		}}, nil
}

// maskOf lays out the matrices of a mask, one after the other.
func maskOf(a *kernel.Attention, w *workload.Mask, p *program.Program) placing {
	shape := p.Args[4].Shape
	return placing{4, 4, func(put func(int, int)) {
		head := 0
		odometer(a.Batch, func(point []int) {
			base := a.Mask.Offset + dot(point, a.Mask.Batch)
			for i := range w.Queries {
				for j := range a.Keys {
					put((w.Matrix(head)*shape[1]+i)*shape[2]+j, base+i*a.Mask.Row+j*a.Mask.Col)
				}
			}
			head++
		})
	}}
}

// fused does the calls of attention: scores against a tile of keys at a time, with
// a running maximum and sum for every query, merged down the cascade.
type fused struct {
	a             *kernel.Attention
	p             *program.Program
	tile, keys    int // queries and keys of a tile
	tiles, stage  int // tiles of queries of a head, stages of the cascade
	chunk, chunks int // of the head dimension
	slice, slices int // of the value dimension
	blocks, steps int
	mm, kk        int
	cores         []fusedCore
}

// fusedCore is how far a core has come.
type fusedCore struct{ round, step int }

func newFused(a *kernel.Attention, p *program.Program, g *mapping.Mapping) *fused {
	f := &fused{a: a, p: p, tile: g.Tile, keys: g.TK, tiles: g.QueryTiles(),
		stage: g.Cascade, slice: min(g.TN, a.VDim)}
	f.chunk, f.chunks = g.Chunks(a.Dim)
	f.slices = (a.VDim + f.slice - 1) / f.slice
	f.blocks = p.Args[0].Shape[1] / (f.tiles * f.tile)
	f.steps = p.Args[1].Shape[1] / (f.keys * f.stage)
	f.mm, f.kk, _ = p.Machine.Shape(a.Q.DType)
	f.cores = make([]fusedCore, len(p.Cores))
	for i := range f.cores {
		f.cores[i].round = -1
	}
	return f
}

func (f *fused) call(core int, c *program.Call, o []*memory) error {
	for i, m := range o {
		if f.reads(c.Kernel, i) {
			if err := whole(m); err != nil {
				return err
			}
		}
	}
	k := &f.cores[core]
	switch c.Kernel {
	case "capture":
		bytes := o[0].data.Bytes()
		at := c.Piece * len(bytes)
		copy(o[1].data.Bytes()[at:], bytes)
		for i := range bytes {
			o[1].known[at+i] = true
		}
	case "mask":
		return capture(f.p, c, o[0], o[1])
	case "start":
		k.round, k.step = k.round+1, 0
		f.start(o[0], o[1])
	case "score":
		blocked := len(f.p.FIFOs[c.Args[1].FIFO].ToStream) > 0
		f.score(o[0], o[1], o[2], c.Piece, blocked)
	case "attend":
		blocked := len(f.p.FIFOs[c.Args[1].FIFO].ToStream) > 0
		f.attend(core, k, o, blocked)
		k.step++
	case "merge":
		f.merge(o[0], o[1], o[2])
	case "pass":
		f.pass(o[0], o[1], o[2])
	case "finish":
		f.finish(o[0], o[1])
	default:
		return fmt.Errorf("no such kernel")
	}
	return nil
}

// reads reports whether a call reads its i-th object.
func (f *fused) reads(kernel string, i int) bool {
	switch kernel {
	case "capture", "mask":
		return i == 0
	case "start":
		return false
	case "score", "pass":
		return i < 2
	}
	return true
}

func (f *fused) start(sum, state *memory) {
	clear(sum.data.Bytes())
	for i := range f.tile {
		state.data.SetFloat64(2*i, math.Inf(-1))
		state.data.SetFloat64(2*i+1, 0)
	}
	sum.fill()
	state.fill()
}

// score adds the products of one chunk of the head dimension; the first starts.
func (f *fused) score(queries, keys, scores *memory, chunk int, blocked bool) {
	q, k := values(queries.data), values(keys.data)
	for i := range f.tile {
		piece := (i/f.keys*f.chunks + chunk) * f.keys * f.chunk
		for j := range f.keys {
			at := i*f.keys + j
			s := 0.0
			if chunk > 0 {
				s = scores.data.Float64(at)
			}
			for x := range f.chunk {
				s += q.f64(piece+index(blocked, i%f.keys, x, f.chunk, f.mm, f.kk)) *
					k.f64(index(blocked, j, x, f.chunk, f.mm, f.kk))
			}
			scores.data.SetFloat64(at, s)
		}
	}
	scores.fill()
}

// attend adds a tile of weighted values. Keys beyond the last are padding; those
// after the query are hidden if the kernel is causal.
func (f *fused) attend(core int, k *fusedCore, o []*memory, blocked bool) {
	scores, v, sum, state := o[0].data, values(o[1].data), o[2], o[3]
	query := (k.round/f.slices%f.blocks*f.tiles + core/f.stage%f.tiles) * f.tile
	key := (core%f.stage*f.steps + k.step) * f.keys
	weights := make([]float64, f.keys)
	for i := range f.tile {
		top := state.data.Float64(2 * i)
		for j := range weights {
			weights[j] = f.a.Scale * scores.Float64(i*f.keys+j)
			if len(o) > 4 {
				weights[j] = f.masked(weights[j], o[4].data, i, j)
			}
			if key+j >= f.a.Keys || f.a.Causal && key+j > query+i {
				weights[j] = math.Inf(-1)
			}
			top = max(top, weights[j])
		}
		if math.IsInf(top, -1) {
			continue // nothing visible yet
		}
		total := 0.0
		for j, w := range weights {
			weights[j] = math.Exp(w - top)
			total += weights[j]
		}
		shrink := math.Exp(state.data.Float64(2*i) - top)
		state.data.SetFloat64(2*i, top)
		state.data.SetFloat64(2*i+1, state.data.Float64(2*i+1)*shrink+total)
		for x := range f.slice {
			s := sum.data.Float64(i*f.slice+x) * shrink
			for j, w := range weights {
				if w != 0 {
					s += w * v.f64(index(blocked, j, x, f.slice, f.kk, f.kk))
				}
			}
			sum.data.SetFloat64(i*f.slice+x, s)
		}
	}
}

// masked is a score under the mask of its query and key.
func (f *fused) masked(score float64, mask *buf.Buffer, query, key int) float64 {
	m := mask.Float64(query%mask.Shape[0]*f.keys + key)
	switch {
	case !f.a.MaskIsBool:
		return score + m
	case m == 0:
		return math.Inf(-1)
	}
	return score
}

// pass sends weighted values, maximum and sum of every query down the cascade.
func (f *fused) pass(sum, state, down *memory) {
	width := f.slice + 2
	for i := range f.tile {
		for x := range f.slice {
			down.data.SetFloat64(i*width+x, sum.data.Float64(i*f.slice+x))
		}
		down.data.SetFloat64(i*width+f.slice, state.data.Float64(2*i))
		down.data.SetFloat64(i*width+f.slice+1, state.data.Float64(2*i+1))
	}
	down.fill()
}

// merge adds what came down to what the core has, both shrunk to the greater
// maximum.
func (f *fused) merge(above, sum, state *memory) {
	width := f.slice + 2
	for i := range f.tile {
		a, b := above.data.Float64(i*width+f.slice), state.data.Float64(2*i)
		top := max(a, b)
		if math.IsInf(top, -1) {
			continue
		}
		a, b = math.Exp(a-top), math.Exp(b-top)
		state.data.SetFloat64(2*i, top)
		state.data.SetFloat64(2*i+1, above.data.Float64(i*width+f.slice+1)*a+
			state.data.Float64(2*i+1)*b)
		for x := range f.slice {
			at := i*f.slice + x
			sum.data.SetFloat64(at, above.data.Float64(i*width+x)*a+sum.data.Float64(at)*b)
		}
	}
}

// finish divides by the sums. A query that sees no key has the sum 0 and gives NaN, or 0 if the kernel is safe.
func (f *fused) finish(sum, state *memory) {
	for i := range f.tile {
		total := state.data.Float64(2*i + 1)
		if f.a.Safe && total == 0 {
			total = 1
		}
		for x := range f.slice {
			at := i*f.slice + x
			sum.data.SetFloat64(at, sum.data.Float64(at)/total)
		}
	}
}
