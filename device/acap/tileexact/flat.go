package tileexact

import (
	"fmt"
	"slices"

	"github.com/go-acap/acap/base/buf"
	"github.com/go-acap/acap/base/shape"
	"github.com/go-acap/acap/device/acap/describe"
	"github.com/go-acap/acap/device/acap/mapping"
	"github.com/go-acap/acap/device/acap/program"
	"github.com/go-acap/acap/device/acap/workload"
	"github.com/go-acap/acap/kernel"
)

// nest lays out pointwise bodies, rows and moves.
func nest(n *kernel.Nest, w *workload.Kernel, p *program.Program, g *mapping.Mapping,
	ports []*buf.Buffer, compile func(kernel.Kernel) (kernel.Code, error)) (*layout, error) {
	return newFlat(n, w, g, compile).layout(w, p, g, ports)
}

// depthwise lays out a convolution that takes every channel by itself.
func depthwise(n *describe.PaddedNest, w *workload.Kernel, p *program.Program, g *mapping.Mapping,
	ports []*buf.Buffer, compile func(kernel.Kernel) (kernel.Code, error)) (*layout, error) {
	f := newFlat(n.Nest, w, g, compile)
	f.source = n.Source
	return f.layout(w, p, g, ports)
}

func newFlat(n *kernel.Nest, w *workload.Kernel, g *mapping.Mapping,
	compile func(kernel.Kernel) (kernel.Code, error)) *flat {
	windows := describe.WindowsOf(n)
	n = windows.Nest
	return &flat{n: n, windows: windows, rows: shape.Size(n.Outer), cols: shape.Size(n.Inner),
		tile: g.Tile * windows.Points(), compile: compile, order: &w.Normalize, walks: make(map[int]*workload.Walk)}
}

func (f *flat) layout(w *workload.Kernel, p *program.Program, g *mapping.Mapping, ports []*buf.Buffer) (*layout, error) {
	if err := f.readable(w.Inputs()); err != nil {
		return nil, err
	}
	switch w.Kind {
	case workload.KindMove:
		return f.move(&w.Move)
	case workload.KindNormalize, workload.KindPointwise:
	default:
		return nil, fmt.Errorf("a %v has no tiles", w.Kind)
	}
	l := &layout{terms: float64(f.cols), close: f.close}
	if err := f.arguments(l, w, p, g, ports); err != nil {
		return nil, err
	}
	for _, g := range describe.Gathers(f.n) {
		if slices.Contains(f.passing, g.Port) {
			f.gathers = append(f.gathers, g)
		}
	}
	if l.compute = f.compiled; g.TK > 0 {
		x := newRowPieces(f, p, g)
		l.compute = func(*program.Program) (func(int, *program.Call, []*memory) error, error) {
			return x.call, nil
		}
	}
	return l, nil
}

// arguments lays out the arrays of the nest.
func (f *flat) arguments(l *layout, w *workload.Kernel, p *program.Program, g *mapping.Mapping,
	ports []*buf.Buffer) error {
	names := make(map[string]int)
	for i, a := range p.Args {
		names[a.Name] = i
	}
	in, out := 0, 0
	for i := range f.n.Access {
		a := &f.n.Access[i]
		var stream workload.Stream
		name := fmt.Sprintf("in%d", in)
		if a.Write {
			name = fmt.Sprintf("out%d", out)
			out++
		} else {
			stream = w.Inputs()[in]
			in++
		}
		if !a.Write && f.special(l, i, stream, name, names, ports[i]) {
			continue
		}
		arg, ok := names[name]
		if !ok {
			return fmt.Errorf("the program has no argument %s", name)
		}
		if g.TK > 0 {
			f.inPieces(l, i, stream, arg, p.Args[arg].Shape)
			continue
		}
		place, err := f.place(i, arg, p.Args[arg].Shape, w.Kind == workload.KindNormalize)
		if err != nil {
			return err
		}
		if a.Write {
			l.outputs = append(l.outputs, place)
		} else {
			l.inputs = append(l.inputs, place)
		}
	}
	return nil
}

// special lays out an input that is a scalar, a table, or read in an order of its
// own; it is false for others.
func (f *flat) special(l *layout, i int, stream workload.Stream, name string, names map[string]int,
	port *buf.Buffer) bool {
	arg, ok := names[name]
	table, passes := names["table"+name[len("in"):]]
	switch {
	case passes:
		f.bind(i, table, []int{0, 0}, nil)
		f.passing = append(f.passing, i)
		l.inputs = append(l.inputs, dense(table, i, f.n.Access[i].Len))
	case !ok && stream.Table == 0:
		f.bind(i, -1, nil, port)
	case ok && stream.Table > 0:
		f.bind(i, arg, []int{0, 0}, nil)
		l.inputs = append(l.inputs, dense(arg, i, f.n.Access[i].Len))
	case ok && stream.Walk != nil:
		l.inputs = append(l.inputs, f.walk(i, arg, stream.Walk))
	default:
		return false
	}
	return true
}

// dense ties n elements in order.
func dense(arg, port, n int) placing {
	return placing{arg, port, func(put func(int, int)) {
		for j := range n {
			put(j, j)
		}
	}}
}

// flat is a nest cut into tiles of points or rows.
type flat struct {
	n          *kernel.Nest
	windows    *describe.Windows
	rows, cols int // points of the outer and of the inner loops
	tile       int // of the former
	order      *workload.Normalize
	args       []int         // of each access, −1 for a scalar
	strides    [][2]int      // of each access within a tile: per row, per column
	scalars    []*buf.Buffer // of each access
	walks      map[int]*workload.Walk
	passing    []int             // accesses to tables that pass by
	gathers    []describe.Gather // from them
	compile    func(kernel.Kernel) (kernel.Code, error)
	codes      []kernel.Code
	// source returns the place in its port of an element of the first access; false is an element of the zero padding.
	// source is nil if the elements lie in the port as the access has them.
	source func(element int) (int, bool)
}

func (f *flat) close() {
	for _, c := range f.codes {
		c.Close()
	}
}

func (f *flat) bind(access, arg int, strides []int, port *buf.Buffer) {
	f.args = append(f.args, arg)
	if arg >= 0 {
		f.strides = append(f.strides, [2]int{strides[0], strides[1]})
		f.scalars = append(f.scalars, nil)
		return
	}
	a := &f.n.Access[access]
	size := a.DType.Size()
	value := buf.New(a.DType, []int{1})
	copy(value.Bytes(), port.Bytes()[a.Offset*size:][:size])
	f.strides = append(f.strides, [2]int{})
	f.scalars = append(f.scalars, value)
}

// offsets lists where an access is at every point: rows, then columns.
func (f *flat) offsets(a *kernel.Access) (row, col []int) {
	odometer(f.n.Outer, func(q []int) { row = append(row, a.Offset+dot(q, a.Outer)) })
	odometer(f.n.Inner, func(q []int) { col = append(col, dot(q, a.Inner)) })
	return row, col
}

// place ties an access to an argument: one element per point, one per row, one
// row for all, or an array that repeats.
func (f *flat) place(access, arg int, extents []int, normalize bool) (placing, error) {
	a := &f.n.Access[access]
	row, col := f.offsets(a)
	strides := []int{1, 0}
	switch length := shape.Size(extents); {
	case normalize && len(extents) == 1:
		if varies(row) {
			return placing{}, fmt.Errorf("argument of %v holds one row, the array has several", extents)
		}
		row, strides = row[:1], []int{0, 1}
	case normalize && extents[1] == f.windows.Points() && f.cols > 1:
		if varies(col) {
			return placing{}, fmt.Errorf("argument of %v holds one value per row", extents)
		}
		col = col[:1]
	case normalize && !varies(col): // a word for the value of a row
		col, strides = col[:1], []int{extents[1], 0}
	case normalize: // rows are filled up to whole words
		if extents[1] < f.cols || (extents[1]-f.cols)*a.DType.Size() >= workload.Word {
			return placing{}, fmt.Errorf("argument of %v for rows of %d", extents, f.cols)
		}
		strides = []int{extents[1], 1}
	case length < f.rows:
		for i, r := range row {
			if r != row[i%length] {
				return placing{}, fmt.Errorf("an array of %d is broadcast, but does not repeat", length)
			}
		}
		row = row[:length]
	}
	f.bind(access, arg, strides, nil)
	return placing{arg, access, func(put func(int, int)) {
		for i, r := range row {
			for j, c := range col {
				put(i*strides[0]+j*strides[1], r+c)
			}
		}
	}}, nil
}

func varies(list []int) bool {
	return slices.ContainsFunc(list, func(v int) bool { return v != list[0] })
}

// walk ties an access to an argument that the DMA reads in the kernel's order: the
// host passes the array as it lies.
func (f *flat) walk(access, arg int, w *workload.Walk) placing {
	a := &f.n.Access[access]
	if w.Row() == 1 {
		f.bind(access, arg, []int{1, 0}, nil)
	} else {
		f.bind(access, arg, []int{f.cols, 1}, nil)
	}
	f.walks[access] = w
	row, col := f.offsets(a)
	lowest := a.Offset - w.First()
	if f.windows.Points() > 1 { // a row covers more than its points
		return placing{arg, access, func(put func(int, int)) {
			for i := range w.Span() {
				if at, ok := f.at(access, lowest+i); ok {
					put(i, at)
				}
			}
		}}
	}
	return placing{arg, access, func(put func(int, int)) {
		for _, r := range row {
			for _, c := range col {
				if at, ok := f.at(access, r+c); ok {
					put(r+c-lowest, at)
				}
			}
		}
	}}
}

// at is where an element of an access lies in its port.
func (f *flat) at(access, element int) (int, bool) {
	if access > 0 || f.source == nil {
		return element, true
	}
	return f.source(element)
}

// move lays out a copy: the source as it lies, the result in order.
func (f *flat) move(w *workload.Move) (*layout, error) {
	in, out := 0, 1
	if f.n.Access[0].Write {
		in, out = 1, 0
	}
	walk := w.Walk
	if walk == nil {
		walk = &workload.Walk{Outer: []workload.Loop{{Size: f.rows, Stride: 1}}}
	}
	l := &layout{inputs: []placing{f.walk(in, 0, walk)}}
	row, _ := f.offsets(&f.n.Access[out])
	l.outputs = []placing{{1, out, func(put func(int, int)) {
		for i, r := range row {
			put(i, r)
		}
	}}}
	l.compute = func(*program.Program) (func(int, *program.Call, []*memory) error, error) {
		return func(int, *program.Call, []*memory) error { return nil }, nil
	}
	return l, nil
}
