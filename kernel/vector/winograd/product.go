package winograd

import (
	"github.com/go-acap/acap/kernel"
	"github.com/go-acap/acap/kernel/vector"
)

// Words of the call block of products.
const (
	productInput = operands + iota
	productFilters
	productSums
	productCount // of panels, or of places
	productDepth // input channels
	productMore  // 1 if the products are added to the sums of other channels
	productAhead // what comes into the cache meanwhile
	productWords
)

// products multiplies transformed tiles with transformed filters: panels of a few vectors of output channels, register
// tiles of some rows, which are Winograd's tiles, whose elements lie side by side for each channel of the input.
type products struct {
	*units
	*vector.Builder
	ahead int // bytes that are fetched for each input channel
}

// write writes the products of a block of tiles: of one place with some panels or, where filters are transformed when
// they are used, of all places with one.
func (p *products) write() {
	nextInput, nextFilters, nextSums := 0, p.panelBytes(), p.panelWidth()*f32
	if p.shared {
		nextInput, nextFilters, nextSums = p.inputPlace()*f32, p.liftedPlace()*f32, p.sumPlace()*f32
	}
	full, tail := p.blockTiles()/p.tileHeight, p.blockTiles()%p.tileHeight
	from := []vector.Val{p.Arg(productInput), p.Arg(productFilters), p.Arg(productSums), p.Arg(productAhead)}
	p.Loop(p.Arg(productCount), 1, from, func(_ vector.Val, at []vector.Val) []vector.Val {
		input, filters, sums := at[0], at[1], at[2]
		rest := p.Loop(p.Word(full), 1, []vector.Val{input, sums, at[3]}, func(_ vector.Val, at []vector.Val) []vector.Val {
			ahead := p.tile(p.tileHeight, at[0], filters, at[1], at[2])
			return []vector.Val{p.Offset(at[0], p.tileHeight*f32), p.Offset(at[1], p.tileHeight*p.sumRow()*f32), ahead}
		})
		ahead := rest[2]
		if tail > 0 {
			ahead = p.tile(tail, rest[0], filters, rest[1], ahead)
		}
		return []vector.Val{p.Offset(input, nextInput), p.Offset(filters, nextFilters), p.Offset(sums, nextSums), ahead}
	})
}

// A turn of the loop over input channels that has fewer products than many does a few channels, for the loop's own
// instructions to be few beside products. A turn of products by lanes does too, for loads to come in time.
const manyProducts, fewSteps = 24, 2

// tile writes the sums of a few rows in the channels of a panel, and returns what is fetched next.
func (p *products) tile(rows int, input, filters, sums, ahead vector.Val) vector.Val {
	sum := func(i int) vector.Access {
		return vector.Access{Offset: (i/panelVecs*p.sumRow() + i%panelVecs*p.lanes) * f32}
	}
	acc := p.Zeros(vector.F32, rows*panelVecs)
	if p.shared && p.lifted < p.depth {
		p.When(p.Arg(productMore), func() {
			for i, v := range acc {
				p.SetLoad(v, sums, sum(i))
			}
		})
	}
	steps := 1
	if (len(acc) < manyProducts || p.byLane()) && p.depth%fewSteps == 0 {
		steps = fewSteps
	}
	from := []vector.Val{input, filters, ahead}
	state := p.Loop(p.Arg(productDepth), steps, from, func(_ vector.Val, state []vector.Val) []vector.Val {
		for c := range steps {
			p.step(rows, c, state[0], state[1], acc)
		}
		for line := range kernel.Pieces(steps*p.ahead, 64) {
			p.Prefetch(state[2], 64*line)
		}
		return []vector.Val{p.Offset(state[0], steps*p.inputRow()*f32), p.Offset(state[1], steps*p.panelWidth()*f32),
			p.Offset(state[2], steps*p.ahead)}
	})
	for i, v := range acc {
		p.Store(v, sums, sum(i))
	}
	return state[2]
}

// byLane reports whether the processor multiplies by a lane of a vector. Where vectors are
// longer, it multiplies by a lane of each 16 bytes.
func (p *products) byLane() bool {
	return p.lanes == quarter && p.Has(vector.LaneMul, vector.F32, vector.None)
}

// step adds the products of one input channel to the sums. A processor that multiplies by a lane reads the elements of
// the rows as vectors; the last vector may reach beyond the rows.
func (p *products) step(rows, c int, input, filters vector.Val, acc []vector.Val) {
	var w [panelVecs]vector.Val
	for j := range w {
		w[j] = p.Load(vector.F32, filters, vector.Access{Offset: (c*p.panelWidth() + j*p.lanes) * f32})
	}
	byLane := p.byLane()
	var x vector.Val
	for i := range rows {
		at := vector.Access{Offset: (c*p.inputRow() + i) * f32}
		switch {
		case !byLane:
			x = p.Splat(vector.F32, input, at)
		case i%p.lanes == 0:
			x = p.Load(vector.F32, input, at)
		}
		for j, w := range w {
			sum := acc[i*panelVecs+j]
			if byLane {
				p.Set(sum, vector.LaneMul, i%p.lanes, w, x, sum)
			} else {
				p.Set(sum, vector.MulAdd, 0, x, w, sum)
			}
		}
	}
}
