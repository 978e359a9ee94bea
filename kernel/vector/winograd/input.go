package winograd

import (
	"unsafe"

	"github.com/go-acap/acap/kernel"
	"github.com/go-acap/acap/kernel/vector"
)

// Words of the call block of the transformation of the input.
const (
	inputTo       = operands + iota         // place 0
	inputChannels                           // how many
	inputRuns                               // of tiles, or of pairs of rows, that lie below each other
	inputFrom                               // the rows of the image under a row of tiles
	inputSteps    = inputFrom + 2*pairs + 2 // bytes from each row of a channel to the next channel's
	inputWords    = inputSteps + 2*pairs + 2
)

// pairs is how many rows of tiles a vector has at most.
const pairs = 2

// inputHeight is how many rows of tiles are in a vector: two, if both fit one and the columns of one fit another. Vectors
// that are stored whole hold one row.
func (u *units) inputHeight() int {
	if !u.narrow && pairs*u.tileCols+2 <= u.lanes && u.blockRows >= pairs {
		return pairs
	}
	return 1
}

// inputs is the transformation Bᵀ·d·B of the input. Its lanes are tiles side by side: of one row of tiles, or of a pair
// of rows.
type inputs struct {
	*units
	*kernel.Convolution
	height int // rows of tiles in a vector
	b      *vector.Builder
}

// write writes the transformation, the last strip first: a strip that is stored whole overwrites the first tiles of the
// next row. Strips that lie wholly inside the image share one piece of code.
func (t *inputs) write() {
	b := t.b
	for tile := (t.tileCols - 1) / t.lanes * t.lanes; tile >= 0; tile -= t.lanes {
		alike := 1
		for ; t.whole(tile) && t.whole(tile-t.lanes); alike++ {
			tile -= t.lanes
		}
		last := tile + (alike-1)*t.lanes
		at := []vector.Val{b.Offset(b.Arg(inputTo), last*f32)}
		for i := range 2*t.height + 2 {
			at = append(at, b.Arg(inputFrom+i))
		}
		if alike == 1 {
			t.strip(tile, at)
			continue
		}
		b.Loop(b.Word(alike), 1, at, func(_ vector.Val, at []vector.Val) []vector.Val {
			t.strip(last, at)
			next := []vector.Val{b.Offset(at[0], -t.lanes*f32)}
			for _, row := range at[1:] {
				next = append(next, b.Offset(row, -2*t.lanes*f32))
			}
			return next
		})
	}
}

// whole reports whether a strip has all its tiles, and all their columns lie inside the image.
func (t *inputs) whole(tile int) bool {
	columns := 2*t.lanes + 2
	return tile+t.lanes <= t.tileCols && t.inside(2*tile-t.Pad[1], columns) == columns
}

// strip writes the tiles of one vector's columns, of all channels and rows. At is where the first of them go, and the
// rows of the image under them.
func (t *inputs) strip(tile int, at []vector.Val) {
	b := t.b
	b.Loop(b.Arg(inputChannels), 1, at, func(_ vector.Val, at []vector.Val) []vector.Val {
		b.Loop(b.Arg(inputRuns), 1, []vector.Val{at[0], b.Word(0)}, func(_ vector.Val, below []vector.Val) []vector.Val {
			var rows []vector.Val
			for _, row := range at[1:] {
				rows = append(rows, b.OpImm(vector.WordIndex, 0, row, below[1]))
			}
			t.tiles(tile, below[0], rows)
			return []vector.Val{b.Offset(below[0], t.height*t.tileCols*f32), b.Offset(below[1], 2*t.height*t.X.Strides[2]*f32)}
		})
		next := []vector.Val{b.Offset(at[0], t.inputRow()*f32)}
		for i, row := range at[1:] {
			next = append(next, b.Op(vector.WordAdd, row, b.Arg(inputSteps+i)))
		}
		return next
	})
}

// mixes are the rows of Bᵀ: which of four numbers is added to, or subtracted from, which other one.
var mixes = [4]struct {
	op   vector.Op
	x, y int
}{{vector.Sub, 0, 2}, {vector.Add, 1, 2}, {vector.Sub, 2, 1}, {vector.Sub, 1, 3}}

// tiles writes one row of tiles, or a pair: first Bᵀ to the rows of the image, then to the columns.
func (t *inputs) tiles(tile int, to vector.Val, rows []vector.Val) {
	store := vector.Access{}
	if count := t.height * (t.tileCols - tile); count < t.lanes && !t.narrow {
		store.Count = count
	}
	d := [4][]vector.Val{1: t.row(tile, 1, rows), 2: t.row(tile, 2, rows)}
	for i, m := range mixes {
		if i == 0 || i == 3 { // only this mix has the row
			d[i] = t.row(tile, i, rows)
		}
		var mix []vector.Val
		for v := range d[m.x] {
			mix = append(mix, t.b.Op(m.op, d[m.x][v], d[m.y][v]))
		}
		c := t.columns(mix)
		for j, m := range mixes {
			store.Offset = (4*i + j) * t.inputPlace() * f32
			t.b.Store(t.b.Op(m.op, c[m.x], c[m.y]), to, store)
		}
	}
}

// row loads row i of the image under the tiles: two vectors with columns 0 and 1 of the tiles, and two with columns 2
// and 3. Of a pair it loads the first vector of both rows, which has all columns.
func (t *inputs) row(tile, i int, rows []vector.Val) (list []vector.Val) {
	x := 2*tile - t.Pad[1]
	if t.height == pairs {
		return []vector.Val{t.load(rows[i], x, t.lanes), t.load(rows[i+2], x, t.lanes)}
	}
	for v := range 4 {
		if at := x + v/2*2; t.narrow {
			list = append(list, t.quarters(rows[i], at+v%2*quarter))
		} else {
			list = append(list, t.load(rows[i], at+v%2*t.lanes, t.lanes))
		}
	}
	return list
}

// quarter is how many columns side by side 16 bytes hold. One operation picks every second column in each 16 bytes.
const quarter = 4

// quarters loads four columns and, into the upper half of a vector of eight, the four that lie eight further.
func (t *inputs) quarters(row vector.Val, x int) vector.Val {
	low := t.load(row, x, quarter)
	if t.lanes == quarter || t.inside(x+2*quarter, quarter) == 0 {
		return low
	}
	return t.b.OpImm(vector.Zip1, quarter*f32, low, t.load(row, x+2*quarter, quarter))
}

// inside returns how many of some columns lie inside the image.
func (t *inputs) inside(x, count int) int { return max(0, min(x+count, t.W)-max(x, 0)) }

// load loads columns of a row of the image to the lowest lanes. Elements outside the image are 0.
func (t *inputs) load(row vector.Val, x, count int) vector.Val {
	b, zero := t.b, t.b.Float(vector.F32, 0)
	a := vector.Access{Offset: max(x, 0) * f32, Count: t.inside(x, count)}
	switch a.Count {
	case 0:
		return zero
	case t.lanes:
		a.Count = 0
	}
	v := b.Load(vector.F32, row, a)
	if x < 0 {
		v = b.OpImm(vector.Slide, -x, v, zero)
	}
	return v
}

// columns picks the columns of the tiles out of the vectors of a row.
func (t *inputs) columns(row []vector.Val) (d [4]vector.Val) {
	for j := range d {
		switch half := j / 2 * 2; {
		case t.height == pairs:
			d[j] = t.b.Op(vector.Permute2, row[0], row[1], t.pattern(j))
		case !t.narrow:
			d[j] = t.b.Op(vector.Permute2, row[half], row[half+1], t.pattern(j%2))
		default:
			d[j] = t.b.OpImm([]vector.Op{vector.Unzip1, vector.Unzip2}[j%2], f32, row[half], row[half+1])
		}
	}
	return d
}

// pattern is which elements of two vectors are in column j of the tiles. Those of a pair lie in a vector of each row.
func (t *inputs) pattern(j int) vector.Val {
	words := make([]uint64, t.lanes/2)
	for lane := range t.lanes {
		at := 2*lane + j
		if t.height == pairs && lane >= t.tileCols {
			at = t.lanes + 2*(lane-t.tileCols) + j
		}
		words[lane/2] |= uint64(at%(2*t.lanes)) << (lane % 2 * 32)
	}
	return t.b.Load(vector.I32, t.b.Table(words), vector.Access{Still: true})
}

// transformInput transforms channels from first on of a block, counted over all images, to dst.
func (g *code) transformInput(args *kernel.Args, dst uintptr, block, first, channels int) {
	n, row := block/g.blocks, g.firstRow(block%g.blocks)
	x := g.X.Offset + n*g.X.Strides[0] + first*g.X.Strides[1]
	height := g.inputHeight()
	for done := 0; done < g.blockRows; {
		runs := 1
		done = min(done, g.blockRows-height) // the last pair may have a row of the pair before it
		words := g.words(args, transforming)
		top := 2*(row+done) - g.Pad[0]
		if left := g.blockRows - done; top >= 0 {
			runs = max(1, min(left/height, (g.H-top-2)/(2*height)))
		}
		for i := range 2*height + 2 {
			y := top + i
			words[inputFrom+i], words[inputSteps+i] = uintptr(unsafe.Pointer(&g.zeros[0])), 0
			if y >= 0 && y < g.H {
				words[inputFrom+i] = uintptr(args.Ptr[0]) + uintptr((x+y*g.X.Strides[2])*f32)
				words[inputSteps+i] = uintptr(g.X.Strides[1] * f32)
			}
		}
		words[inputTo] = dst + uintptr((first*g.inputRow()+done*g.tileCols)*f32)
		words[inputChannels], words[inputRuns] = uintptr(channels), uintptr(runs)
		g.machine.Call(args.Scratch)
		done += runs * height
	}
}
