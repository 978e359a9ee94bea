package tileexact

import (
	"fmt"

	"github.com/go-acap/acap/base/buf"
	"github.com/go-acap/acap/base/dtype"
	"github.com/go-acap/acap/device/acap/mapping"
	"github.com/go-acap/acap/device/acap/program"
	"github.com/go-acap/acap/device/acap/timing"
	"github.com/go-acap/acap/device/acap/workload"
)

// product does the calls of contractions and convolutions.
type product struct {
	p          *program.Program
	w          *workload.Contraction
	tm, tn, tk int
	mm, kk, nn int
	integer    bool
	finish     *epilogue
	cores      []productCore
}

// productCore has the facts of the program of one core.
type productCore struct {
	blockedA, blockedB, blockedC bool
	steps                        int // products of one block
	adds, finishes, passes       bool
	done                         int // products of this block
	blocks                       int // begun
}

func newProduct(p *program.Program, g *mapping.Mapping, w *workload.Contraction, acc dtype.DType, e *epilogue) *product {
	x := &product{p: p, w: w, tm: g.TM, tn: g.TN, tk: g.TK, finish: e}
	x.mm, x.kk, x.nn = p.Machine.ShapeOf(timing.Multiplied(p.Machine, w))
	x.integer = !acc.IsFloat()
	into := make(map[int]int) // FIFO that goes on from a link
	for _, l := range p.Links {
		for _, f := range l.In {
			into[f] = l.Out[0]
		}
	}
	for i := range p.Cores {
		var c productCore
		x.scan(&c, p.Cores[i].Body, 1, into)
		x.cores = append(x.cores, c)
	}
	// All stages of a cascade sum in the layout of the last, which hands over.
	blocked := false
	for i := range x.cores {
		blocked = blocked || x.cores[i].blockedC
	}
	for i := range x.cores {
		x.cores[i].blockedC = blocked
	}
	return x
}

// scan finds the calls of a core and the layouts of their objects: those that a
// mem tile sends in an order of its own come in blocks of the matrix instruction,
// and results that it reorders leave so.
func (x *product) scan(c *productCore, body []program.Stmt, times int, into map[int]int) {
	for _, s := range body {
		switch s := s.(type) {
		case program.Loop:
			n := 1
			for _, t := range s.Body {
				if call, ok := t.(program.Call); ok && call.Kernel == "matmul" {
					n = s.Count
				}
			}
			for _, t := range s.Body {
				if call, ok := t.(program.Call); ok && call.Kernel == "zero" {
					n = 1 // one product for every block
				}
			}
			x.scan(c, s.Body, n, into)
		case program.Call:
			switch s.Kernel {
			case "matmul":
				c.steps = times
				a := &x.p.FIFOs[s.Args[0].FIFO]
				c.blockedA = len(a.ToStream) > 0 || a.Retained != nil
				c.blockedB = len(x.p.FIFOs[s.Args[1].FIFO].ToStream) > 0
			case "add":
				c.adds = true
			case "finish":
				c.finishes = true
			case "pass":
				c.passes = true
			}
		case program.Release:
			if f := &x.p.FIFOs[s.FIFO]; s.Produce && !f.Cascade {
				if out, ok := into[s.FIFO]; ok {
					c.blockedC = len(x.p.FIFOs[out].ToStream) > 0
				}
				c.blockedC = c.blockedC || f.Retained != nil
			}
		}
	}
}

// index returns where element (i, j) lies in a tile of the given columns, blocked
// by r × c or row by row: the part of the row plus the part of the column.
func index(blocked bool, i, j, cols, r, c int) int {
	if !blocked {
		return i*cols + j
	}
	return ((i/r)*(cols/c)+j/c)*r*c + i%r*c + j%c
}

// offsets are the parts of [index] of all rows, and those of all columns.
func offsets(blocked bool, rows, cols, r, c int) (ofRow, ofCol []int) {
	ofRow, ofCol = make([]int, rows), make([]int, cols)
	for i := range ofRow {
		ofRow[i] = index(blocked, i, 0, cols, r, c)
	}
	for j := range ofCol {
		ofCol[j] = index(blocked, 0, j, cols, r, c)
	}
	return ofRow, ofCol
}

func (x *product) call(core int, c *program.Call, o []*memory) error {
	k := &x.cores[core]
	switch c.Kernel {
	case "zero":
		clear(o[0].data.Bytes())
		o[0].fill()
		k.done = 0
		k.blocks++
	case "matmul":
		if err := x.multiply(k, o[0], o[1], o[2]); err != nil {
			return err
		}
		k.done++
		if k.done == k.steps && !k.finishes && !k.adds && !k.passes {
			return x.apply(core, o[2], nil, o[2])
		}
	case "capture":
		return capture(x.p, c, o[0], o[1])
	case "add":
		if err := sum(o[0], o[1]); err != nil {
			return err
		}
		if !k.finishes && !k.passes {
			return x.apply(core, o[1], nil, o[1])
		}
	case "pass":
		copy(o[1].data.Bytes(), o[0].data.Bytes())
		copy(o[1].known, o[0].known)
	case "finish":
		return x.apply(core, o[0], o[1:len(o)-1], o[len(o)-1])
	default:
		return fmt.Errorf("no such kernel")
	}
	return nil
}

// multiply adds the product of two tiles to the sum.
func (x *product) multiply(k *productCore, a, b, s *memory) error {
	for _, m := range []*memory{a, b, s} {
		if err := whole(m); err != nil {
			return err
		}
	}
	left, err := x.values(&x.w.A, a.data, x.tm, false)
	if err != nil {
		return err
	}
	right, err := x.values(&x.w.B, b.data, x.tn, true)
	if err != nil {
		return err
	}
	if s.data.Len() != x.tm*x.tn {
		return fmt.Errorf("a tile of %d sums for %d x %d", s.data.Len(), x.tm, x.tn)
	}
	if k.blockedA && (x.tm%x.mm != 0 || x.tk%x.kk != 0) || k.blockedB &&
		(x.tk%x.kk != 0 || x.tn%x.nn != 0) || k.blockedC && (x.tm%x.mm != 0 || x.tn%x.nn != 0) {
		return fmt.Errorf("tiles of %d x %d x %d arrive in blocks of %d x %d x %d, which straddle them",
			x.tm, x.tk, x.tn, x.mm, x.kk, x.nn)
	}
	rowA, colA := offsets(k.blockedA, x.tm, x.tk, x.mm, x.kk)
	rowB, colB := offsets(k.blockedB, x.tk, x.tn, x.kk, x.nn)
	for i := range x.tm {
		for j := range x.tn {
			at := index(k.blockedC, i, j, x.tn, x.mm, x.nn)
			if x.integer {
				n := s.data.Int64(at)
				for q := range x.tk {
					n += left.i64(rowA[i]+colA[q]) * right.i64(rowB[q]+colB[j])
				}
				s.data.SetInt64(at, n)
				continue
			}
			v := s.data.Float64(at)
			for q := range x.tk {
				v += left.f64(rowA[i]+colA[q]) * right.f64(rowB[q]+colB[j])
			}
			s.data.SetFloat64(at, v)
		}
	}
	return nil
}

// values returns the values of a tile of an operand; a packed operand's come row by row.
func (x *product) values(o *workload.Operand, tile *buf.Buffer, other int, right bool) (list, error) {
	if o.Format != dtype.Plain {
		floats, err := unpacked(o, tile, x.tk, other, right)
		l := list{floats: floats}
		if !o.DType.IsFloat() {
			for _, v := range floats {
				l.ints = append(l.ints, int64(v))
			}
		}
		return l, err
	}
	if tile.Len() != other*x.tk {
		return list{}, fmt.Errorf("a tile of %d elements for %d x %d", tile.Len(), x.tk, other)
	}
	return values(tile), nil
}

// list is the elements of a buffer, converted once.
type list struct {
	floats []float64
	ints   []int64
}

func values(b *buf.Buffer) list {
	var l list
	if b.DType.IsFloat() {
		l.floats = make([]float64, b.Len())
		for i := range l.floats {
			l.floats[i] = b.Float64(i)
		}
		return l
	}
	l.ints = make([]int64, b.Len())
	for i := range l.ints {
		l.ints[i] = b.Int64(i)
	}
	return l
}

func (l *list) i64(i int) int64 { return l.ints[i] }

func (l *list) f64(i int) float64 {
	if l.floats == nil {
		return float64(l.ints[i])
	}
	return l.floats[i]
}

// sum adds a partial sum that came down the cascade.
func sum(from, to *memory) error {
	if err := whole(from); err != nil {
		return err
	}
	for i := range to.data.Len() {
		if to.data.DType.IsFloat() {
			to.data.SetFloat64(i, to.data.Float64(i)+from.data.Float64(i))
		} else {
			to.data.SetInt64(i, to.data.Int64(i)+from.data.Int64(i))
		}
	}
	return nil
}

// apply runs the epilogue on a tile of sums. Results that are longer than what
// leaves are an error of the program.
func (x *product) apply(core int, s *memory, addends []*memory, out *memory) error {
	k := &x.cores[core]
	for _, m := range append([]*memory{s}, addends...) {
		if err := whole(m); err != nil {
			return err
		}
	}
	sums := buf.New(s.data.DType, []int{x.tm, x.tn})
	size := s.data.DType.Size()
	for i := range x.tm {
		for j := range x.tn {
			at := index(k.blockedC, i, j, x.tn, x.mm, x.nn)
			copy(sums.Bytes()[(i*x.tn+j)*size:][:size], s.data.Bytes()[at*size:][:size])
		}
	}
	results, err := x.finish.run(core, k.blocks-1, sums, addends)
	if err != nil {
		return err
	}
	to := out.data.Bytes() // a tile of one result after the other
	for _, r := range results {
		size := r.DType.Size()
		if len(to) < len(r.Bytes()) {
			return fmt.Errorf("%d results of %d bytes for a tile of %d", len(results), len(r.Bytes()),
				len(out.known))
		}
		for i := range x.tm {
			for j := range x.tn {
				at := index(k.blockedC, i, j, x.tn, x.mm, x.nn)
				copy(to[at*size:][:size], r.Bytes()[(i*x.tn+j)*size:][:size])
			}
		}
		to = to[len(r.Bytes()):]
	}
	out.fill()
	return nil
}
