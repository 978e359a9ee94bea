package tileexact

import (
	"fmt"

	"github.com/go-acap/acap/base/buf"
	"github.com/go-acap/acap/base/dtype"
	"github.com/go-acap/acap/base/shape"
	"github.com/go-acap/acap/device/acap/describe"
	"github.com/go-acap/acap/device/acap/mapping"
	"github.com/go-acap/acap/device/acap/program"
	"github.com/go-acap/acap/device/acap/workload"
	"github.com/go-acap/acap/kernel"
)

// ranges does the calls of a scatter into ranges of lines.
type ranges struct {
	k       *kernel.Scatter
	in      []workload.Stream
	p       *program.Program
	size    int // elements of a range, and of a piece of the updates
	count   int // ranges of a line
	cores   []rangesCore
	compile func(kernel.Kernel) (kernel.Code, error)
}

// rangesCore is how far a core has come: units begun, pieces of updates seen.
type rangesCore struct{ units, pieces int }

// inRanges lays out a scatter into ranges of lines.
func inRanges(k *kernel.Scatter, w *workload.Normalize, p *program.Program, g *mapping.Mapping,
	compile func(kernel.Kernel) (kernel.Code, error)) *layout {
	x := &ranges{k: k, in: w.In, p: p, size: g.TK, count: (w.Cols + g.TK - 1) / g.TK,
		cores: make([]rangesCore, len(p.Cores)), compile: compile}
	l := &layout{compute: func(*program.Program) (func(int, *program.Call, []*memory) error, error) {
		return x.call, nil
	}}
	arg := 0
	for port, extents := range [][]int{k.Extents, k.IndexExtents, k.IntoExtents} {
		if shape.Size(extents) > 0 {
			l.inputs = append(l.inputs, placing{arg, port, padded(k, extents)})
			arg++
		}
	}
	into := describe.ScatterWalk(k, k.IntoExtents)
	l.outputs = []placing{{arg, 3, func(put func(int, int)) {
		for row := range w.Rows {
			for i := range w.Cols {
				put(row*x.count*x.size+i, workload.Reach(into.Outer, row)+i*into.Inner[0].Stride)
			}
		}
	}}}
	return l
}

func (x *ranges) call(core int, c *program.Call, o []*memory) error {
	k := &x.cores[core]
	if c.Kernel == "copy" {
		produced(x.p, core, c, o)
		k.units, k.pieces = k.units+1, 0
	}
	unit := (k.units-1)*len(x.p.Cores) + core
	row, first := unit/x.count, unit%x.count*x.size
	lines := shape.Size(x.k.IntoExtents) / x.k.IntoExtents[x.k.Axis]
	if row >= lines {
		return nil
	}
	into := o[len(o)-1].data
	n := min(x.size, x.k.IntoExtents[x.k.Axis]-first)
	switch c.Kernel {
	case "copy":
		line := buf.New(into.DType, []int{n})
		from := part{memory: o[0]}
		w := x.in[len(x.in)-1].Walk
		if err := arrange(&from, w, line, row*w.Row()+first, n); err != nil {
			return err
		}
		copy(into.Bytes(), line.Bytes()[:n*into.DType.Size()])
		return nil
	case "scatter":
		k.pieces++
		if !updated(x.k, row) {
			return nil
		}
		return x.fold(c, o, row, (k.pieces-1)*x.size, first, n)
	}
	return fmt.Errorf("no such kernel")
}

// fold takes the updates that go to n elements of a range, from the first on, out of a piece of a row's updates.
func (x *ranges) fold(c *program.Call, o []*memory, row, start, first, n int) error {
	at := parts(x.p, c, o)
	var operands []*buf.Buffer
	count := min(x.size, x.k.Extents[x.k.Axis]-start)
	for i, t := range []dtype.DType{x.k.Updates.DType, dtype.I64} {
		w, from := x.in[i].Walk, at[i]
		begin, points := row*w.Row()+start, count
		if w.Row() == 1 {
			begin, points = row, 1
		}
		b := buf.New(t, []int{points})
		if err := arrange(&from, w, b, begin, points); err != nil {
			return err
		}
		operands = append(operands, b)
	}
	updates, places := operands[0], operands[1]
	size := updates.DType.Size()
	var mine []byte
	var to []int64
	for i := range count {
		place := places.Int64(min(i, places.Len()-1)) - int64(first)
		if place >= 0 && place < int64(n) {
			mine, to = append(mine, updates.Bytes()[i*size:][:size]...), append(to, place)
		}
	}
	if len(to) == 0 {
		return nil
	}
	line := []*buf.Buffer{buf.New(updates.DType, []int{len(to)}), buf.New(dtype.I64, []int{len(to)}),
		buf.New(updates.DType, []int{n}), buf.New(updates.DType, []int{n})}
	copy(line[0].Bytes(), mine)
	for i, place := range to {
		line[1].SetInt64(i, place)
	}
	into := o[len(o)-1].data.Bytes()
	copy(line[2].Bytes(), into[:n*size])
	if err := once(x.compile, oneLine(x.k, len(to), len(to), n), line); err != nil {
		return err
	}
	copy(into, line[3].Bytes()[:n*size])
	return nil
}
