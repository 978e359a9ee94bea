package tileexact

import (
	"fmt"

	"github.com/go-acap/acap/base/buf"
	"github.com/go-acap/acap/base/dtype"
	"github.com/go-acap/acap/base/shape"
	"github.com/go-acap/acap/device/acap/mapping"
	"github.com/go-acap/acap/device/acap/program"
	"github.com/go-acap/acap/device/acap/workload"
	"github.com/go-acap/acap/kernel"
)

// contraction lays out C = A·B. Loops of the kernel are the loops of the batch, m, n.
func contraction(c *kernel.Contraction, w *workload.Contraction, p *program.Program, g *mapping.Mapping,
	ports []*buf.Buffer) (*layout, error) {
	batch := shape.Size(c.Batch)
	shape := func(arg int) (rows, cols int) { s := p.Args[arg].Shape; return s[1], s[2] }
	operand := func(arg int, m *kernel.Matrix, rows, cols int) placing {
		padRows, padCols := shape(arg)
		return placing{arg, arg, func(put func(int, int)) {
			b := 0
			odometer(c.Batch, func(point []int) {
				base := m.Offset + dot(point, m.Batch)
				for i := range rows {
					for j := range cols {
						put((b*padRows+i)*padCols+j, base+i*m.Row+j*m.Col)
					}
				}
				b++
			})
		}}
	}
	l := &layout{terms: float64(c.K)}
	for arg, m := range [...]*kernel.Matrix{&c.A, &c.B} {
		o, rows, cols := &w.A, c.M, c.K
		if arg == 1 {
			o, rows, cols = &w.B, c.K, c.N
		}
		if o.Format != dtype.Plain {
			l.packed = append(l.packed, packing{o, arg, m, c.Batch, rows, cols, p.Args[arg].Shape})
			continue
		}
		l.inputs = append(l.inputs, operand(arg, m, rows, cols))
	}
	space := &points{batch: batch, rows: c.M, cols: c.N,
		loops: append(append([]int(nil), c.Batch...), c.M, c.N)}
	space.at = func(b, m, n int) []int {
		out := make([]int, len(c.Batch)+2)
		for i := len(c.Batch) - 1; i >= 0; i-- {
			out[i] = b % c.Batch[i]
			b /= c.Batch[i]
		}
		out[len(c.Batch)], out[len(c.Batch)+1] = m, n
		return out
	}
	space.row = func(_, m int) int { return m }
	e, err := l.results(p, g, &c.Epilogue, space, ports)
	l.compute = func(p *program.Program) (func(int, *program.Call, []*memory) error, error) {
		return newProduct(p, g, w, c.Acc, e).call, nil
	}
	return l, err
}

// points is the space of an epilogue: matrices of rows × columns, the loops of
// the kernel at each, and the row of the program's arrays that holds a row.
type points struct {
	batch, rows, cols int
	loops             []int
	at                func(b, m, n int) []int
	row               func(b, m int) int
	strips            *mapping.Patch // of a convolution whose tiles are patches
	images            [3]int         // their number, rows and columns of positions
}

// place returns the loops at a point of a tile: of a block, which come matrix by
// matrix and row by row, each core has a part. It is nil beyond the end of the work.
func (s *points) place(p *program.Program, g *mapping.Mapping) func(core, block, row, col int) []int {
	shape := p.Args[len(p.Args)-1].Shape
	blocksM, blocksN := shape[1]/(g.PartsM*g.TM), shape[2]/(g.PartsN*g.TN)
	return func(core, block, row, col int) []int {
		partM, partN := core/g.Cascade/g.PartsN, core/g.Cascade%g.PartsN
		b, m := block/(blocksM*blocksN), block/blocksN%blocksM
		n := (block%blocksN*g.PartsN+partN)*g.TN + col
		if t := s.strips; t != nil {
			y := (m/t.BlocksW%t.BlocksH*g.PartsM+partM)*g.OutRows + row/g.OutCols
			x := m%t.BlocksW*g.OutCols + row%g.OutCols
			if y >= s.images[1] || x >= s.images[2] {
				return nil
			}
			m = (m/(t.BlocksW*t.BlocksH)*s.images[1]+y)*s.images[2] + x
		} else {
			m = (m*g.PartsM+partM)*g.TM + row
		}
		if m >= s.rows || n >= s.cols {
			return nil
		}
		return s.at(b, m, n)
	}
}

// writes is the number of results of an epilogue.
func writes(e *kernel.Epilogue) int {
	n := 0
	for i := range e.Access {
		if e.Access[i].Write {
			n++
		}
	}
	return n
}

// multiplied is the number of ports of a product before those of its epilogue.
const multiplied = 2

// results lays out the epilogue's inputs and its results, which are the last
// arguments.
func (l *layout) results(p *program.Program, g *mapping.Mapping, from *kernel.Epilogue, space *points,
	ports []*buf.Buffer) (*epilogue, error) {
	e := &epilogue{from: from, tm: g.TM, tn: g.TN, scalars: make(map[int]*buf.Buffer)}
	var err error
	if e.indexed, err = indices(from.Body); err != nil {
		return nil, err
	}
	e.place = space.place(p, g)
	names := make(map[string]int)
	for i, a := range p.Args {
		names[a.Name] = i
	}
	input, result := 0, len(p.Args)-writes(from)
	for i := range from.Access {
		a := &from.Access[i]
		if a.Write {
			out, err := space.stream(p, result, multiplied+i, a)
			if err != nil {
				return nil, err
			}
			l.outputs = append(l.outputs, out)
			result++
			continue
		}
		arg, ok := names[fmt.Sprintf("e%d", input)]
		input++
		if !ok {
			size := a.DType.Size()
			value := buf.New(a.DType, []int{1})
			copy(value.Bytes(), ports[multiplied+i].Bytes()[a.Offset*size:][:size])
			e.scalars[i] = value
			continue
		}
		in, err := space.stream(p, arg, multiplied+i, a)
		if err != nil {
			return nil, err
		}
		l.inputs = append(l.inputs, in)
	}
	if len(l.outputs) == 0 {
		return nil, fmt.Errorf("the epilogue writes nothing")
	}
	return e, nil
}

// stream lays out an array over the points. Where the argument has a single row
// or column the array must not vary with it.
func (s *points) stream(p *program.Program, arg, port int, a *kernel.Access) (placing, error) {
	shape := p.Args[arg].Shape
	batch, rows, cols := min(s.batch, shape[0]), s.rows, s.cols
	if shape[1] == 1 {
		rows = 1
	}
	if shape[2] == 1 {
		cols = 1
	}
	place := placing{arg, port, func(put func(int, int)) {
		for b := range batch {
			for m := range rows {
				r := 0
				if shape[1] > 1 {
					r = s.row(b, m)
				}
				for n := range cols {
					put((b*shape[1]+r)*shape[2]+n, a.Offset+dot(s.at(b, m, n), a.Outer))
				}
			}
		}
	}}
	// A corner of the space shows whether what was left out varies.
	last := dot(s.at(s.batch-1, s.rows-1, s.cols-1), a.Outer)
	if seen := dot(s.at(batch-1, rows-1, cols-1), a.Outer); last != seen {
		return place, fmt.Errorf("argument %s of %v does not hold an array over %d x %d x %d",
			p.Args[arg].Name, shape, s.batch, s.rows, s.cols)
	}
	return place, nil
}

// convolution lays out the strips of package program, or the implicit matrix
// where the array has no mem tiles.
func convolution(c *kernel.Convolution, w *workload.Convolution, p *program.Program,
	g *mapping.Mapping, ports []*buf.Buffer) (*layout, error) {
	each, filters, product := c.C/c.Groups, c.K/c.Groups, w.AsContraction()
	l := &layout{terms: float64(each * c.R * c.S)}
	space := &points{batch: c.Groups, rows: c.N * c.P * c.Q, cols: filters,
		loops: []int{c.N, c.K, c.P, c.Q}}
	space.at = func(b, m, n int) []int {
		return []int{m / (c.P * c.Q), b*filters + n, m / c.Q % c.P, m % c.Q}
	}
	space.row = func(_, m int) int { return m }
	x := func(n, ch, h, w int) (int, bool) {
		s := &c.X.Strides
		return c.X.Offset + n*s[0] + ch*s[1] + h*s[2] + w*s[3], h >= 0 && h < c.H && w >= 0 && w < c.W
	}
	weight := func(k, ch, r, s int) int {
		t := &c.Filter.Strides
		return c.Filter.Offset + k*t[0] + ch*t[1] + r*t[2] + s*t[3]
	}
	if g.OutRows == 0 || p.Machine.Grid.MemRows == 0 {
		l.implicit(c, p, x, weight)
	} else {
		patch := mapping.PatchOf(w, g)
		l.strips(c, p, &patch, g, x, weight)
		space.strips, space.images = &patch, [3]int{c.N, c.P, c.Q}
		space.row = func(_, m int) int {
			return (m/(c.P*c.Q)*patch.OutRows+m/c.Q%c.P)*patch.OutCols + m%c.Q
		}
	}
	e, err := l.results(p, g, &c.Epilogue, space, ports)
	l.compute = func(p *program.Program) (func(int, *program.Call, []*memory) error, error) {
		return newProduct(p, g, &product, c.Acc, e).call, nil
	}
	return l, err
}

// implicit lays out the matrix that an implicit product reads: a row for every
// output position, in the order of channels, filter rows, filter columns.
func (l *layout) implicit(c *kernel.Convolution, p *program.Program,
	x func(n, ch, h, w int) (int, bool), weight func(k, ch, r, s int) int) {
	each, filters := c.C/c.Groups, c.K/c.Groups
	a, b := p.Args[0].Shape, p.Args[1].Shape
	l.inputs = []placing{{0, 0, func(put func(int, int)) {
		odometer([]int{c.Groups, c.N, c.P, c.Q, each, c.R, c.S}, func(q []int) {
			from, ok := x(q[1], q[0]*each+q[4], q[2]*c.Stride[0]+q[5]*c.Dilation[0]-c.Pad[0],
				q[3]*c.Stride[1]+q[6]*c.Dilation[1]-c.Pad[1])
			if ok {
				row := (q[1]*c.P+q[2])*c.Q + q[3]
				put((q[0]*a[1]+row)*a[2]+(q[4]*c.R+q[5])*c.S+q[6], from)
			}
		})
	}}, {1, 1, func(put func(int, int)) {
		odometer([]int{c.Groups, filters, each, c.R, c.S}, func(q []int) {
			k := (q[2]*c.R+q[3])*c.S + q[4]
			put((q[0]*b[1]+k)*b[2]+q[1], weight(q[0]*filters+q[1], q[2], q[3], q[4]))
		})
	}}}
}

// strips lays out the padded input, channels innermost, and the weights in the
// order of the windows.
func (l *layout) strips(c *kernel.Convolution, p *program.Program, t *mapping.Patch,
	g *mapping.Mapping, x func(n, ch, h, w int) (int, bool), weight func(k, ch, r, s int) int) {
	each, filters := c.C/c.Groups, c.K/c.Groups
	a, b := p.Args[0].Shape, p.Args[1].Shape
	span := c.S * t.TileChannels
	if c.Dilation[1] > 1 {
		span = t.TileChannels
	}
	chunks := (span + g.TK - 1) / g.TK
	l.inputs = []placing{{0, 0, func(put func(int, int)) {
		odometer([]int{c.Groups, c.N, a[2], a[3], each}, func(q []int) {
			if from, ok := x(q[1], q[0]*each+q[4], q[2]-c.Pad[0], q[3]-c.Pad[1]); ok {
				put((((q[0]*c.N+q[1])*a[2]+q[2])*a[3]+q[3])*a[4]+q[4], from)
			}
		})
	}}, {1, 1, func(put func(int, int)) {
		odometer([]int{c.Groups, t.ChannelTiles * t.Windows, c.R, g.TK, filters}, func(q []int) {
			channelTile, window := q[1]/t.Windows, q[1]%t.Windows
			at := window%chunks*g.TK + q[3]
			column, ch := at/t.TileChannels, channelTile*t.TileChannels+at%t.TileChannels
			if c.Dilation[1] > 1 {
				column = window / chunks
			}
			if at >= span || ch >= each || column >= c.S {
				return
			}
			k := (q[1]*c.R+q[2])*g.TK + q[3]
			put((q[0]*b[1]+k)*b[2]+q[4], weight(q[0]*filters+q[4], ch, q[2], column))
		})
	}}}
}
