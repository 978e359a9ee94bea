package tileexact

import (
	"fmt"
	"unsafe"

	"github.com/go-acap/acap/base/buf"
	"github.com/go-acap/acap/device/acap/describe"
	"github.com/go-acap/acap/device/acap/program"
	"github.com/go-acap/acap/device/acap/workload"
	"github.com/go-acap/acap/kernel"
)

// lines is a kernel that works line by line, cut into tiles of whole lines.
type lines struct {
	p          *program.Program
	rows, tile int
	operands   []operand // ports, in order
	// compute computes the units of a tile from the first on. Operands lie line by line; an operand is empty if its
	// port has no argument.
	compute func(first, units int, operands []*buf.Buffer) error
	done    []int // tiles of each core
}

// operand is a port and where its lines are.
type operand struct {
	kernel.Port
	arg, each int // argument, −1 for none; elements of a line
	walk      *workload.Walk
}

// newLines are the lines of a kernel in its tiles.
func (t *tiling) newLines() *lines {
	return &lines{p: t.p, rows: int(t.w.Normalize.Rows), tile: t.g.Tile, done: make([]int, len(t.p.Cores))}
}

// bound lays out a kernel by lines. at is where element i of a line lies in a port.
func (t *tiling) bound(x *lines, k kernel.Kernel, at func(port, row, i int) int) *layout {
	l := &layout{terms: float64(t.w.Normalize.Cols)}
	x.bind(k, t.w, l, at)
	l.compute = func(*program.Program) (func(int, *program.Call, []*memory) error, error) {
		return x.call, nil
	}
	return l
}

// lineByLine lays out a kernel whose tiles are the kernel on fewer lines.
func (t *tiling) lineByLine(k kernel.LineByLine) *layout {
	x := t.newLines()
	x.compute = byTile(t.compile, func(units int) kernel.Kernel { return k.OnLines(units, 1) })
	return t.bound(x, k, func(port, row, i int) int {
		l := k.Along(port)
		return (row/l.Inner*l.N+i)*l.Inner + row%l.Inner
	})
}

func (t *tiling) scan(k *kernel.Scan) (*layout, error) {
	if t.g.TK > 0 {
		return scanPieces(k, &t.w.Normalize, t.p, t.g, t.compile), nil
	}
	return t.lineByLine(k), nil
}

func (t *tiling) sort(k *kernel.Sort) (*layout, error) {
	if t.g.TK > 0 {
		return inMerges(k, &t.w.Normalize, t.p, t.g, t.compile), nil
	}
	return t.lineByLine(k), nil
}

func (t *tiling) scatter(k *kernel.Scatter) (*layout, error) {
	if t.g.TK > 0 {
		return inRanges(k, &t.w.Normalize, t.p, t.g, t.compile), nil
	}
	x, into := t.newLines(), describe.ScatterWalk(k, k.IntoExtents)
	x.compute = scatterLines(k, t.compile)
	return t.bound(x, k, func(_, row, i int) int { return workload.Reach(into.Outer, row) + i*into.Inner[0].Stride }), nil
}

func (t *tiling) random(k *kernel.Random) (*layout, error) {
	x := t.newLines()
	x.rows, x.compute = k.Out.Len, philox(t.ports)
	return t.bound(x, k, func(_, row, _ int) int { return row }), nil
}

// bind ties ports to arguments: inputs as they lie, inputs of a scatter with space for every line, results line by
// line.
func (x *lines) bind(k kernel.Kernel, w *workload.Kernel, l *layout, at func(port, row, i int) int) {
	names := make(map[string]int)
	for i, a := range x.p.Args {
		names[a.Name] = i
	}
	in, out := 0, 0
	for i, p := range k.Ports() {
		o := operand{Port: p, arg: -1}
		if p.Write {
			o.arg, o.each = names[fmt.Sprintf("out%d", out)], p.Len/x.rows
			out++
			l.outputs = append(l.outputs, placing{o.arg, i, func(put func(int, int)) {
				for row := range x.rows {
					for j := range o.each {
						put(row*o.each+j, at(i, row, j))
					}
				}
			}})
		} else if arg, ok := names[fmt.Sprintf("in%d", in)]; ok && p.Len > 0 {
			s := w.Inputs()[in]
			o.arg, o.each, o.walk = arg, p.Len/x.rows, s.Walk
			in++
			if s.Walk != nil {
				o.each = s.Walk.Row()
			}
			place := dense(arg, i, p.Len)
			if sc, ok := k.(*kernel.Scatter); ok {
				place.each = padded(sc, [][]int{sc.Extents, sc.IndexExtents, sc.IntoExtents}[i])
			}
			l.inputs = append(l.inputs, place)
		}
		x.operands = append(x.operands, o)
	}
}

// padded lays an operand of a scatter out with space for every line.
func padded(s *kernel.Scatter, extents []int) func(put func(int, int)) {
	padded := describe.Padded(s, extents)
	return func(put func(int, int)) {
		n := 0
		odometer(extents, func(point []int) {
			at := 0
			for d, i := range point {
				at = at*padded[d] + i
			}
			put(at, n)
			n++
		})
	}
}

// call computes a tile, as [tiles.call] does.
func (x *lines) call(core int, c *program.Call, objects []*memory) error {
	at := parts(x.p, c, objects)
	first := (x.done[core]*len(x.p.Cores) + core) * x.tile
	x.done[core]++
	produced(x.p, core, c, objects)
	units := min(x.tile, x.rows-first)
	if units <= 0 {
		return nil
	}
	var operands []*buf.Buffer
	for _, o := range x.operands {
		b := buf.New(o.DType, []int{units * o.each})
		operands = append(operands, b)
		if o.arg < 0 || o.Write {
			continue
		}
		p := at[o.arg]
		var err error
		if o.walk != nil {
			err = arrange(&p, o.walk, b, first*o.each, units*o.each)
		} else {
			err = p.read(b.Bytes(), 0, len(b.Bytes()))
		}
		if err != nil {
			return err
		}
	}
	if err := x.compute(first, units, operands); err != nil {
		return err
	}
	for i, o := range x.operands {
		if p := at[o.arg]; o.Write {
			copy(p.memory.data.Bytes()[p.offset:], operands[i].Bytes())
		}
	}
	return nil
}

// byTile computes all lines of a tile at once.
func byTile(compile func(kernel.Kernel) (kernel.Code, error),
	tile func(units int) kernel.Kernel) func(first, units int, b []*buf.Buffer) error {
	return func(_, units int, b []*buf.Buffer) error { return once(compile, tile(units), b) }
}

// once is [execute] for a kernel that runs once.
func once(compile func(kernel.Kernel) (kernel.Code, error), k kernel.Kernel, b []*buf.Buffer) error {
	code, err := compile(k)
	if err != nil {
		return err
	}
	defer code.Close()
	var ptrs []unsafe.Pointer
	for _, o := range b {
		ptrs = append(ptrs, o.Pointer())
	}
	if !execute(code, ptrs) {
		return fmt.Errorf("an access leaves its tile")
	}
	return nil
}

// scatterLines computes one line after the other: those beyond the updates remain as
// they are.
func scatterLines(k *kernel.Scatter, compile func(kernel.Kernel) (kernel.Code, error)) func(first,
	units int, b []*buf.Buffer) error {
	m := k.IntoExtents[k.Axis]
	return func(first, units int, b []*buf.Buffer) error {
		for u := range units {
			var line []*buf.Buffer
			for _, o := range b {
				n := o.Len() / units
				part := buf.New(o.DType, []int{n})
				size := o.DType.Size()
				copy(part.Bytes(), o.Bytes()[u*n*size:])
				line = append(line, part)
			}
			updates := line[0].Len()
			if !updated(k, first+u) {
				updates = 0
			}
			copy(line[3].Bytes(), line[2].Bytes())
			if updates > 0 {
				if err := once(compile, oneLine(k, updates, line[1].Len(), m), line); err != nil {
					return err
				}
			}
			size := line[3].DType.Size()
			copy(b[3].Bytes()[u*m*size:], line[3].Bytes())
		}
		return nil
	}
}

// oneLine is the scatter of updates, at as many places or at one, into one line of m elements.
func oneLine(k *kernel.Scatter, updates, places, m int) *kernel.Scatter {
	c := *k
	c.Axis, c.Extents, c.IndexExtents, c.IntoExtents = 0, []int{updates}, []int{places}, []int{m}
	c.Updates.Len, c.Index.Len, c.Into.Len, c.Result.Len = updates, places, m, m
	return &c
}

// updated reports whether a line is one of those that updates have.
func updated(k *kernel.Scatter, row int) bool {
	for d := len(k.IntoExtents) - 1; d >= 0; d-- {
		if d == k.Axis {
			continue
		}
		if row%k.IntoExtents[d] >= k.Extents[d] {
			return false
		}
		row /= k.IntoExtents[d]
	}
	return true
}

// philox computes random words from the key and the counter, which are parameters.
func philox(ports []*buf.Buffer) func(first, units int, b []*buf.Buffer) error {
	key, counter := uint64(ports[0].Int64(0)), uint64(ports[1].Int64(0))
	return func(first, units int, b []*buf.Buffer) error {
		for i := range units {
			n := uint64(first + i)
			words := kernel.Philox([4]uint32{uint32(counter), uint32(counter >> 32), uint32(n / 4),
				uint32(n / 4 >> 32)}, [2]uint32{uint32(key), uint32(key >> 32)})
			b[2].SetInt64(i, int64(int32(words[n%4])))
		}
		return nil
	}
}
