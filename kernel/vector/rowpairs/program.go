package rowpairs

import (
	"github.com/go-acap/acap/kernel/vector"
	"github.com/go-acap/acap/kernel/vector/nest"
)

// Words of the call block. Word wordParts + n is 1 for part n of the program to run, else 0; operands follow.
const (
	wordFault = iota
	wordParts
)

// The parts of the program.
const (
	transforming = iota
	firstTile    // of the tiles
)

// Operands of the part that runs.
const (
	operandRows        = iota // of a channel of the image, with their borders
	operandTransformed        // rows
	operandFilters
	operandWaiting // memory for sums
	operandBlocks  // of filters
	operandBoth    // 1 if there is a second row of results, else 0
	operandPorts   // of the epilogue
)

// operand returns the word of an operand.
func (p *plan) operand(n int) int { return wordParts + firstTile + len(p.tiles) + n }

// words is the number of words.
func (p *plan) words() int { return p.operand(operandPorts + len(p.Epilogue.Access)) }

// writer writes the code.
type writer struct {
	*plan
	*vector.Builder
	epilogue  *nest.Epilogue
	registers int // of the processor
	tile      tile
}

// program writes the parts.
func (p *plan) program(t vector.Backend) *vector.Program {
	b := vector.NewBuilder("rowpairs", p.lanes).For(t)
	w := &writer{plan: p, Builder: b, epilogue: nest.NewEpilogue(&p.Epilogue, 2, 3, false).In(b), registers: t.Registers()}
	b.When(b.Arg(wordParts+transforming), w.transform)
	for n, shape := range p.tiles {
		w.tile = shape
		b.When(b.Arg(wordParts+firstTile+n), w.results)
	}
	return b.Optimised()
}

// arg is an operand of the part.
func (w *writer) arg(n int) vector.Val { return w.Arg(w.operand(n)) }

// transform writes the transformation of the rows of a channel, vector by vector.
func (w *writer) transform() {
	step := w.lanes * f32
	from := []vector.Val{w.arg(operandRows), w.arg(operandTransformed)}
	split := w.phases()
	w.Loop(w.Word(w.width/w.lanes), 1, from, func(_ vector.Val, at []vector.Val) []vector.Val {
		for phase := range w.Stride[1] {
			w.transformRows(at[1], phase, func(n int) vector.Val { return split(at[0], n, phase) })
		}
		return []vector.Val{w.Offset(at[0], w.Stride[1]*step), w.Offset(at[1], step)}
	})
}

// phases returns what writes the next vector of a horizontal phase of row n.
func (w *writer) phases() func(rows vector.Val, n, phase int) vector.Val {
	load := func(rows vector.Val, n, half int) vector.Val {
		return w.Load(vector.F32, rows, vector.Access{Offset: n*w.rowBytes() + half*w.lanes*f32})
	}
	switch {
	case w.Stride[1] == 1:
		return load
	case w.lanes == quarter:
		return func(rows vector.Val, n, phase int) vector.Val {
			return w.Into([]vector.Op{vector.Unzip1, vector.Unzip2}[phase], vector.F32, f32, load(rows, n, 0), load(rows, n, 1))
		}
	}
	var numbers [2]vector.Val
	for phase := range numbers {
		words := make([]uint64, w.lanes/2) // two numbers in each
		for i := range words {
			words[i] = uint64(4*i+phase) | uint64(4*i+2+phase)<<32
		}
		numbers[phase] = w.Load(vector.I32, w.Table(words), vector.Access{Still: true})
	}
	return func(rows vector.Val, n, phase int) vector.Val {
		return w.Op(vector.Permute2, load(rows, n, 0), load(rows, n, 1), numbers[phase])
	}
}

// quarter is the number of elements in 16 bytes.
const quarter = 16 / f32

// transformRows writes a vector of each transformed row, in a horizontal phase, of what row gives of the image.
func (w *writer) transformRows(to vector.Val, phase int, row func(n int) vector.Val) {
	var next [points]int
	for p := 1; p < points; p++ {
		next[p] = next[p-1] + w.entries[p-1]
	}
	store := func(p int, v vector.Val) {
		w.Store(v, to, vector.Access{Offset: next[p]*w.rowBytes() + phase*w.width*f32})
		next[p]++
	}
	first := 0
	for v := range w.Stride[0] {
		n := w.taps(v)
		x := make([]vector.Val, n+1)
		for i := range x {
			x[i] = row(first + i)
		}
		for ; n >= 3; n, x = n-3, x[3:] {
			store(pointOne, w.Op(vector.Add, x[1], x[2]))
			store(pointMinusOne, w.Op(vector.Sub, x[2], x[1]))
			store(pointZero, w.Op(vector.Sub, x[0], x[2]))
			store(pointInfinity, w.Op(vector.Sub, x[3], x[1]))
		}
		for i := range n {
			store(pointZero, x[i])
			store(pointInfinity, x[i+1])
		}
		first += w.taps(v) + 1
	}
}

// results writes the results of blocks of filters in a strip.
func (w *writer) results() {
	from := []vector.Val{w.arg(operandFilters)}
	for i := range w.Epilogue.Access {
		from = append(from, w.arg(operandPorts+i))
	}
	w.Loop(w.arg(operandBlocks), 1, from, func(_ vector.Val, at []vector.Val) []vector.Val {
		w.block(at[0], at[1:])
		next := []vector.Val{w.Offset(at[0], w.blockBytes())}
		return append(next, w.moved(at[1:], w.filters, 0)...)
	})
}

// moved returns the addresses of the epilogue's operands some channels and rows further on.
func (w *writer) moved(ports []vector.Val, channels, rows int) (next []vector.Val) {
	for n, a := range w.Epilogue.Access {
		next = append(next, w.Offset(ports[n], (channels*a.Outer[1]+rows*a.Outer[2])*a.DType.Size()))
	}
	return next
}

// block writes the results of a tile: the sums at 1 and -1 give the beginnings of both rows, of which the second waits
// in memory until the first is done.
func (w *writer) block(filters vector.Val, ports []vector.Val) {
	waiting := w.arg(operandWaiting)
	wait := func(n int) vector.Access { return vector.Access{Offset: n * w.lanes * f32} }
	load := func(n int) vector.Val { return w.Load(vector.F32, waiting, wait(n)) }
	sums := make([]vector.Val, w.tile.filters*w.tile.vecs)
	zero := func() {
		for n := range sums {
			sums[n] = w.Float(vector.F32, 0)
		}
	}
	zero()
	filters = w.point(pointOne, filters, sums)
	for n, v := range sums {
		w.Store(v, waiting, wait(n))
	}
	zero()
	filters = w.point(pointMinusOne, filters, sums)
	for n, v := range sums {
		one := load(n)
		sums[n] = w.Op(vector.Add, one, v)
		w.Store(w.Op(vector.Sub, one, v), waiting, wait(n))
	}
	filters = w.point(pointZero, filters, sums)
	w.finish(sums, ports, 0)
	w.When(w.arg(operandBoth), func() {
		for n := range sums {
			sums[n] = load(n)
		}
		w.point(pointInfinity, filters, sums)
		w.finish(sums, ports, 1)
	})
}

// point adds the products of all channels at a point to sums. It returns the address of the filters of the next point.
func (w *writer) point(p int, filters vector.Val, sums []vector.Val) vector.Val {
	column := w.column
	if w.byLane {
		column = w.columnByLane
	}
	before := 0
	for _, n := range w.entries[:p] {
		before += n
	}
	from := append([]vector.Val{w.Offset(w.arg(operandTransformed), before*w.rowBytes()), filters}, sums...)
	end := w.Loop(w.Word(w.C), 1, from, func(_ vector.Val, state []vector.Val) []vector.Val {
		next := w.Loop(w.Word(w.entries[p]), 1, state, func(_ vector.Val, state []vector.Val) []vector.Val {
			next := append([]vector.Val(nil), state...)
			for s := range w.S {
				column(s, state[0], state[1], next[2:])
			}
			next[0], next[1] = w.Offset(state[0], w.rowBytes()), w.Offset(state[1], w.S*w.filters*f32)
			return next
		})
		next[0] = w.Offset(next[0], (w.rows()-w.entries[p])*w.rowBytes())
		return next
	})
	copy(sums, end[2:])
	return end[1]
}

// column adds the products of one filter column. Elements of filters are held in the registers that are left beside the
// sums and a vector of pixels.
func (w *writer) column(s int, rows, filters vector.Val, sums []vector.Val) {
	element := func(i int) vector.Val {
		return w.Splat(vector.F32, filters, vector.Access{Offset: (s*w.filters + i) * f32})
	}
	held := make([]vector.Val, min(w.tile.filters, w.registers-len(sums)-1))
	for i := range held {
		held[i] = element(i)
	}
	for j := range w.tile.vecs {
		x := w.pixels(s, j, rows)
		for i := range w.tile.filters {
			sum := &sums[i*w.tile.vecs+j]
			if i < len(held) {
				*sum = w.Op(vector.MulAdd, x, held[i], *sum)
			} else {
				*sum = w.Op(vector.MulAdd, x, element(i), *sum)
			}
		}
	}
}

// columnByLane adds the products of one filter column by a processor that multiplies by a lane. The last vector of
// filters may reach beyond the column.
func (w *writer) columnByLane(s int, rows, filters vector.Val, sums []vector.Val) {
	var held []vector.Val
	for i := 0; i < w.tile.filters; i += w.lanes {
		held = append(held, w.Load(vector.F32, filters, vector.Access{Offset: (s*w.filters + i) * f32}))
	}
	for j := range w.tile.vecs {
		x := w.pixels(s, j, rows)
		for i := range w.tile.filters {
			sum := &sums[i*w.tile.vecs+j]
			*sum = w.OpImm(vector.LaneMul, i%w.lanes, x, held[i/w.lanes], *sum)
		}
	}
}

// pixels loads vector j of the pixels that a filter column meets.
func (w *writer) pixels(s, j int, rows vector.Val) vector.Val {
	at := s%w.Stride[1]*w.width + s/w.Stride[1] + j*w.lanes
	return w.Load(vector.F32, rows, vector.Access{Offset: at * f32})
}

// finish writes the epilogue of one of both rows.
func (w *writer) finish(sums, ports []vector.Val, row int) {
	for i := range w.tile.filters {
		at := w.moved(ports, i, row)
		for j := range w.tile.vecs {
			count := 0
			if j == w.tile.vecs-1 {
				count = w.tile.tail
			}
			w.epilogue.Write(sums[i*w.tile.vecs+j], at, 3, j*w.lanes, count)
		}
	}
}
