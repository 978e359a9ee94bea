package taps

import (
	"github.com/go-acap/acap/base/dtype"
	"github.com/go-acap/acap/kernel"
	"github.com/go-acap/acap/kernel/vector"
	"github.com/go-acap/acap/kernel/vector/nest"
)

// Words of the call block of a convolution.
const (
	convImage = iota
	convFilters
	convOut
	convHeight   // rows of the result
	convRows     // panels of filters with all of a tile
	convLastRows // 1 if there is one with fewer
	convColumns
	convLastColumns
	convFault
	convWords
)

// direct is what the code of a convolution depends on. The image is read where it lies, or from a copy: with a border of
// zeros, and with columns that are a stride apart side by side, in as many phases as the stride. So neighbours in a row
// of the result always read neighbours.
type direct struct {
	tile
	inPlace bool
	filters int // of a group
	width   int // pixels of a row of the result
	height  int // rows of the result
	// Elements between images, channels, and the first rows of neighbouring rows of the result.
	perImage, perChannel, perRow int
	rowOf                        int // elements between rows of the image
	phase                        int // elements of a phase of a channel
	lines, phaseWidth            int // rows and columns of a phase
	channels                     int
	taps                         []int // elements from the first pixel of a window to each tap
	outRow, outLine, outCol      int   // bytes between results: of filters, of rows, of pixels
}

func newDirect(k *kernel.Convolution, t *tile, out kernel.Access) *direct {
	d := &direct{tile: *t, filters: k.K / k.Groups, width: k.Q, height: k.P, channels: k.C / k.Groups}
	size := t.kind.Size()
	d.outRow, d.outLine, d.outCol = out.Outer[1]*size, out.Outer[2]*size, out.Outer[3]*size
	if d.filters <= 2 { // few sums of a row: longer rows
		d.tile.rows, d.cols = 2, 6*16/size
	}
	t.rows, t.cols = d.tile.rows, d.cols
	d.depth = d.channels * k.R * k.S
	x := k.X.Strides
	lowest, highest := (k.P-1)*k.Stride[0]+(k.R-1)*k.Dilation[0]-k.Pad[0], (k.Q-1)*k.Stride[1]+(k.S-1)*k.Dilation[1]-k.Pad[1]
	border := k.Pad[0] > 0 || k.Pad[1] > 0 || lowest >= k.H || highest >= k.W
	types := map[vector.Kind]dtype.DType{vector.F32: dtype.F32, vector.F64: dtype.F64, vector.I32: dtype.I32, vector.I64: dtype.I64}
	d.inPlace = !border && (k.Stride[1] == 1 || k.Q == 1) && (x[3] == 1 || k.W == 1) && k.X.DType == types[t.kind]
	if d.inPlace {
		d.perImage, d.perChannel, d.rowOf = x[0], x[1], x[2]
		if k.R == 1 && k.S == 1 && k.Stride == [2]int{1, 1} && x[2] == k.Q && k.P > 1 && d.outLine == k.Q*d.outCol {
			d.width, d.height = k.P*k.Q, 1 // one long row
		}
	} else {
		d.lines = lowest + k.Pad[0] + 1
		d.phaseWidth = (highest + k.Pad[1] + k.Stride[1]) / k.Stride[1]
		d.phaseWidth = (d.phaseWidth + 3) &^ 3 // rows of pixels lie alike, so loads of neighbours join
		d.rowOf, d.phase = d.phaseWidth, d.lines*d.phaseWidth
		d.perChannel = k.Stride[1] * d.phase
		d.perImage = k.C * d.perChannel
	}
	d.perRow = k.Stride[0] * d.rowOf
	for r := range k.R {
		for s := range k.S {
			at := s * k.Dilation[1]
			if d.inPlace {
				d.taps = append(d.taps, r*k.Dilation[0]*d.rowOf+at*max(1, x[3]))
				continue
			}
			d.taps = append(d.taps, r*k.Dilation[0]*d.rowOf+at%k.Stride[1]*d.phase+at/k.Stride[1])
		}
	}
	d.lastRows, d.lastCols = d.filters%d.tile.rows, d.width%d.cols
	return d
}

// copies compiles the copy of the image: the interior of each phase, and zeros on its four sides.
func (d *direct) copies(k *kernel.Convolution, to dtype.DType, t vector.Backend) (*panels, error) {
	p := &panels{bytes: k.N * d.perImage * to.Size()}
	add := func(phase, row, rows, col, cols int, zero bool) error {
		if rows <= 0 || cols <= 0 {
			return nil
		}
		x := k.X.Strides
		from := kernel.Access{Port: k.X.Port, Outer: []int{x[0], x[1], x[2], k.Stride[1] * x[3]}}
		from.Const = false
		out := kernel.Access{Port: kernel.Port{DType: to, Write: true, Len: k.N * d.perImage},
			Outer: []int{d.perImage, d.perChannel, d.rowOf, 1}}
		b := kernel.NewBody()
		c := panelCode{to: (phase*d.phase + row*d.rowOf + col) * to.Size()}
		if zero {
			b.Store(1, b.Const(to, 0))
		} else {
			b.Store(1, b.Cast(to, b.Load(0, k.X.DType)))
			c.from = (k.X.Offset + (row-k.Pad[0])*x[2] + (col*k.Stride[1]+phase-k.Pad[1])*x[3]) * k.X.DType.Size()
		}
		code, err := nest.Compile(&kernel.Nest{Name: "image", Outer: []int{k.N, k.C, rows, cols}, Access: []kernel.Access{from, out},
			Stages: []kernel.Stage{{Body: b.Body()}}}, t)
		if err != nil {
			return err
		}
		c.code = code
		p.codes = append(p.codes, c)
		return nil
	}
	top, bottom := min(k.Pad[0], d.lines), min(k.Pad[0]+k.H, d.lines)
	for phase := range k.Stride[1] {
		left := min(max(0, ceil(k.Pad[1]-phase, k.Stride[1])), d.phaseWidth)
		right := max(left, min(ceil(k.Pad[1]+k.W-phase, k.Stride[1]), d.phaseWidth))
		for _, part := range []struct {
			row, rows, col, cols int
			zero                 bool
		}{
			{top, bottom - top, left, right - left, false},
			{0, top, 0, d.phaseWidth, true},
			{bottom, d.lines - bottom, 0, d.phaseWidth, true},
			{top, bottom - top, 0, left, true},
			{top, bottom - top, right, d.phaseWidth - right, true},
		} {
			if err := add(phase, part.row, part.rows, part.col, part.cols, part.zero); err != nil {
				p.close()
				return nil, err
			}
		}
	}
	return p, nil
}

// program writes the loops: panels of filters, rows of the result, pixels.
func (d *direct) program() *vector.Program {
	b := vector.NewBuilder("convolution", 16/d.kind.Size())
	size := d.kind.Size()
	filters := func(w, out vector.Val, rows int) {
		b.Loop(b.Arg(convHeight), 1, nil, func(i vector.Val, _ []vector.Val) []vector.Val {
			x, out := b.Along(b.Arg(convImage), i, d.perRow*size), b.Along(out, i, d.outLine)
			columns := b.Arg(convColumns)
			b.Loop(columns, 1, nil, func(j vector.Val, _ []vector.Val) []vector.Val {
				d.pixels(b, b.Along(x, j, d.cols*size), w, b.Along(out, j, d.cols*d.outCol), rows, d.cols)
				return nil
			})
			if d.lastCols > 0 {
				b.When(b.Arg(convLastColumns), func() {
					d.pixels(b, b.Along(x, columns, d.cols*size), w, b.Along(out, columns, d.cols*d.outCol), rows, d.lastCols)
				})
			}
			return nil
		})
	}
	at := func(i vector.Val) (w, out vector.Val) {
		return b.Along(b.Arg(convFilters), i, d.tile.rows*d.depth*size), b.Along(b.Arg(convOut), i, d.tile.rows*d.outRow)
	}
	rows := b.Arg(convRows)
	b.Loop(rows, 1, nil, func(i vector.Val, _ []vector.Val) []vector.Val {
		w, out := at(i)
		filters(w, out, d.tile.rows)
		return nil
	})
	if d.lastRows > 0 {
		b.When(b.Arg(convLastRows), func() {
			w, out := at(rows)
			filters(w, out, d.lastRows)
		})
	}
	p := b.Program()
	p.Optimise()
	return p
}

// pixels writes a tile: all taps of some channels in each turn of the loop.
func (d *direct) pixels(b *vector.Builder, x, w, out vector.Val, rows, cols int) {
	size := d.kind.Size()
	acc := d.zeros(b, rows, cols)
	channel := func(x, w vector.Val, n int, acc []vector.Val) []vector.Val {
		for tap, offset := range d.taps {
			pixels := d.load(b, x, cols, n*d.perChannel+offset)
			acc = d.add(b, pixels, d.load(b, w, rows, (n*len(d.taps)+tap)*rows), acc)
		}
		return acc
	}
	step := max(1, unrolled/len(d.taps))
	whole := d.channels / step * step
	acc = b.Loop(b.Word(whole), step, acc, func(c vector.Val, acc []vector.Val) []vector.Val {
		xc, wc := b.Along(x, c, d.perChannel*size), b.Along(w, c, len(d.taps)*rows*size)
		for n := range step {
			acc = channel(xc, wc, n, acc)
		}
		return acc
	})
	for n := whole; n < d.channels; n++ {
		acc = channel(x, w, n, acc)
	}
	d.store(b, acc, out, cols, d.outRow, d.outCol)
}
