package panel_test

import (
	"encoding/binary"
	"fmt"
	"testing"
	"unsafe"

	"github.com/stretchr/testify/require"

	"github.com/go-acap/acap/base/dtype"
	"github.com/go-acap/acap/kernel/cpu"
	"github.com/go-acap/acap/kernel/kerneltest"
	"github.com/go-acap/acap/kernel/vector"
	"github.com/go-acap/acap/kernel/vector/panel"
	"github.com/go-acap/acap/kernel/x86/emit"
)

// conversions are pairs of types, with an element of the first and what the second has for it.
var conversions = []struct {
	cells    panel.Cells
	from, to func(i int) uint64
}{
	{panel.Cells{From: dtype.F32, To: dtype.F32, Group: 1}, number, number},
	{panel.Cells{From: dtype.F64, To: dtype.F64, Group: 1}, number, number},
	{panel.Cells{From: dtype.BF16, To: dtype.F32, Group: 1}, number, func(i int) uint64 { return number(i) << 16 }},
	{panel.Cells{From: dtype.F16, To: dtype.F32, Group: 1}, func(i int) uint64 { return uint64(0x3c00 + i%1024) },
		func(i int) uint64 { return uint64(0x3f800000 + i%1024<<13) }}, // of 1 to 2: the exponent moves, ten bits of a fraction stay
	{panel.Cells{From: dtype.I8, To: dtype.I32, Group: 1}, number, func(i int) uint64 { return uint64(uint32(int8(i))) }},
	{panel.Cells{From: dtype.U8, To: dtype.I32, Group: 1}, number, func(i int) uint64 { return uint64(uint8(i)) }},
	{panel.Cells{From: dtype.BF16, To: dtype.BF16, Group: 2}, number, number},
	{panel.Cells{From: dtype.I8, To: dtype.I16, Group: 2}, number, func(i int) uint64 { return uint64(uint16(int8(i))) }},
	{panel.Cells{From: dtype.U8, To: dtype.I16, Group: 2}, number, func(i int) uint64 { return uint64(uint8(i)) }},
	{panel.Cells{From: dtype.I8, To: dtype.I8, Group: 4}, number, number},
}

func number(i int) uint64 { return uint64(i) }

// put writes an element.
func put(at []byte, t dtype.DType, bits uint64) {
	var all [8]byte
	binary.LittleEndian.PutUint64(all[:], bits)
	copy(at[:t.Size()], all[:])
}

// matrix returns rows of a number of elements, one behind the other.
func matrix(rows, columns int, t dtype.DType, element func(i int) uint64) []byte {
	out := make([]byte, rows*columns*t.Size())
	for i := range rows * columns {
		put(out[i*t.Size():], t, element(i))
	}
	return out
}

// TestPanels compares panels with the matrix, for depths and widths that are no multiples of what is copied at once.
func TestPanels(t *testing.T) {
	for _, f := range kerneltest.LevelsHere(t) {
		for _, v := range conversions {
			c := v.cells
			lanes := f.Level.VectorBytes() / c.Bytes()
			for _, depth := range []int{1, 3, 4, 7, 10, 13} {
				for _, columns := range []int{1, lanes, lanes + 1, 2 * lanes, 5*lanes - 1} {
					width, steps := 2*lanes, (depth+c.Group-1)/c.Group
					p := panel.Panels{Cells: c, Depth: depth, Row: columns * c.From.Size(), Vectors: 2, Columns: columns % width,
						Panel: 64 + steps*width*c.Bytes(), Head: 64}
					code, err := p.Build(emit.Backend(f))
					require.NoError(t, err)
					panels := (columns + width - 1) / width
					from, to := matrix(depth, columns, c.From, v.from), make([]byte, panels*p.Panel)
					code.Copy(uintptr(unsafe.Pointer(&from[0])), uintptr(unsafe.Pointer(&to[0])), columns/width, p.Columns > 0)
					code.Close()
					want := make([]byte, len(to))
					for row := range depth {
						for column := range columns {
							cell := column/width*p.Panel + p.Head + (row/c.Group*width+column%width)*c.Bytes()
							put(want[cell+row%c.Group*c.To.Size():], c.To, v.to(row*columns+column))
						}
					}
					require.Equal(t, want, to, "%v, %+v, %d columns", f.Level, p, columns)
				}
			}
		}
	}
}

// TestRows compares copies of rows with the matrix. The last cell of a row is filled up with zeros, whatever was there.
func TestRows(t *testing.T) {
	for _, f := range kerneltest.LevelsHere(t) {
		for _, v := range conversions {
			c := v.cells
			lanes := f.Level.VectorBytes() / c.Bytes()
			for _, depth := range []int{1, 2, 7, lanes * c.Group, 2*lanes*c.Group + 1, 3*lanes*c.Group - 1} {
				const rows = 3
				out := (depth*c.To.Size() + 2*f.Level.VectorBytes()) &^ 63
				r := panel.Rows{Cells: c, Depth: depth, Row: depth * c.From.Size(), Out: out}
				code, err := r.Build(emit.Backend(f))
				require.NoError(t, err)
				from, to := matrix(rows, depth, c.From, v.from), make([]byte, rows*out+f.Level.VectorBytes())
				for i := range to {
					to[i] = 0xff
				}
				code.Copy(uintptr(unsafe.Pointer(&from[0])), uintptr(unsafe.Pointer(&to[0])), rows)
				code.Close()
				cells := (depth + c.Group - 1) / c.Group * c.Bytes()
				for row := range rows {
					want := make([]byte, cells)
					for i := range depth {
						put(want[i*c.To.Size():], c.To, v.to(row*depth+i))
					}
					require.Equal(t, want, to[row*out:][:cells], "%v, %+v, row %d", f.Level, r, row)
				}
			}
		}
	}
}

// TestTransposed compares copies of lines along the depth and across it with the matrix, for extents that are no
// multiples of a square's. Whole squares are copied by the same code. Vectors are filled up with zeros, whatever was
// there.
func TestTransposed(t *testing.T) {
	for _, f := range kerneltest.LevelsHere(t) {
		for _, v := range conversions {
			c := v.cells
			lanes := f.Level.VectorBytes() / c.Bytes()
			for n, depth := range []int{1, 3, lanes * c.Group, lanes*c.Group + 1, 2*lanes*c.Group - 1} {
				for m, side := range []int{1, lanes, 2*lanes + 1, 3*lanes - 1} {
					transposedIs(t, f, v.cells, v.from, v.to, depth, side, (n+m)%2 == 0)
				}
			}
		}
	}
}

// transposedIs compares the copy of a matrix, and the copy of its whole squares.
func transposedIs(t *testing.T, f cpu.Features, c panel.Cells, from, to func(i int) uint64, depth, side int, along bool) {
	lanes := f.Level.VectorBytes() / c.Bytes()
	s := panel.Transposed{Cells: c, Along: along, Depth: depth, Side: side, Line: side * c.From.Size()}
	index := func(row, column int) int { return row*side + column }
	if along {
		s.Line, index = depth*c.From.Size(), func(row, column int) int { return column*depth + row }
	}
	var size int
	s.Out, size = room(c, lanes, depth, side, along)
	code, err := s.Build(emit.Backend(f))
	require.NoError(t, err)
	defer code.Close()
	matrix := matrix(side, depth, c.From, from)
	for _, whole := range []bool{false, true} {
		d, w := depth, side
		if whole {
			d, w = depth-depth%(lanes*c.Group), side-side%lanes
		}
		out := filled(size)
		code.Copy(uintptr(unsafe.Pointer(&matrix[0])), uintptr(unsafe.Pointer(&out[0])), d, w)
		cellsAre(t, fmt.Sprintf("%v, %+v, whole %t", f.Level, s, whole), c, lanes, out, s.Out, d, w, along,
			func(row, column int) uint64 { return to(index(row, column)) })
	}
}

// room returns the bytes of a line of a copy, and of all lines.
func room(c panel.Cells, lanes, depth, side int, columns bool) (line, all int) {
	lines, cells := side, (depth+c.Group-1)/c.Group
	if columns {
		lines, cells = cells, lines
	}
	line = (cells + lanes) / lanes * lanes * c.Bytes()
	return line, lines * line
}

// filled returns memory that is not 0.
func filled(n int) []byte {
	out := make([]byte, n)
	for i := range out {
		out[i] = 0xff
	}
	return out
}

// cellsAre compares the lines of a copy with elements of a matrix, and with 0 up to whole vectors.
func cellsAre(t *testing.T, name string, c panel.Cells, lanes int, out []byte, line, depth, side int, columns bool,
	element func(row, column int) uint64) {
	up := func(n int) int { return (n + lanes - 1) / lanes * lanes }
	steps, width := (depth+c.Group-1)/c.Group, side
	apart, beside := c.Bytes(), line
	if columns {
		width, apart, beside = up(side), line, c.Bytes()
	} else {
		steps = up(steps)
	}
	for step := range steps {
		for column := range width {
			want := make([]byte, c.Bytes())
			for g := range c.Group {
				if row := step*c.Group + g; row < depth && column < side {
					put(want[g*c.To.Size():], c.To, element(row, column))
				}
			}
			require.Equal(t, want, out[step*apart+column*beside:][:c.Bytes()], "%s, step %d, column %d", name, step, column)
		}
	}
}

// TestStrided compares copies of matrices of any strides with the matrix, however they are copied.
func TestStrided(t *testing.T) {
	for _, f := range kerneltest.LevelsHere(t) {
		for _, v := range conversions {
			c := v.cells
			lanes := f.Level.VectorBytes() / c.Bytes()
			depth, side := lanes*c.Group+1, lanes+3
			for _, strides := range [][2]int{{1, depth}, {1, depth + 2}, {1, 0}, {side, 1}, {2, 2*depth + 1}} {
				for _, columns := range []bool{false, true} {
					s := panel.Strided{Cells: c, Columns: columns, Depth: depth, Side: side, Deep: strides[0], Across: strides[1]}
					var size int
					s.Out, size = room(c, lanes, depth, side, columns)
					var machines vector.Code
					code, err := s.Build(machines.On(emit.Backend(f)))
					require.NoError(t, err)
					require.Equal(t, columns && s.Deep == 1 && s.Across > 0 || !columns && s.Across == 1, code.Vectors(), "%+v", s)
					matrix, out := matrix(side, 2*(depth+1), c.From, v.from), filled(size)
					code.Copy(unsafe.Pointer(&matrix[0]), unsafe.Pointer(&out[0]), depth, side)
					cellsAre(t, fmt.Sprintf("%v, %+v", f.Level, s), c, lanes, out, s.Out, depth, side, columns,
						func(row, column int) uint64 { return v.to(row*s.Deep + column*s.Across) })
					machines.Close()
				}
			}
		}
	}
}

// TestStarts compares the head of a panel with sums of its columns.
func TestStarts(t *testing.T) {
	for _, f := range kerneltest.LevelsHere(t) {
		if !f.VNNI {
			continue
		}
		const steps, vectors, panels = 5, 2, 3
		width := vectors * f.Level.VectorBytes() / 4
		head := 4 * width
		bytes := head + 4*width*steps
		code, err := panel.Starts{Steps: steps, Vectors: vectors, Panel: bytes}.Build(emit.Backend(f))
		require.NoError(t, err)
		memory := make([]byte, panels*bytes)
		want := make([]int32, panels*width)
		for i := range memory {
			memory[i] = byte(3*i - 90)
			if in := i % bytes; in >= head {
				want[i/bytes*width+(in-head)/4%width] -= 128 * int32(int8(3*i-90))
			}
		}
		code.Write(uintptr(unsafe.Pointer(&memory[0])), panels)
		code.Close()
		for i, sum := range want {
			at := i/width*bytes + i%width*4
			require.Equal(t, sum, int32(binary.LittleEndian.Uint32(memory[at:])), "%v, column %d", f.Level, i)
		}
	}
}

// Two rows of bytes become pairs of 16 bits side by side.
func ExamplePanels() {
	f := cpu.Detect()
	if f.Level < cpu.AVX2 {
		fmt.Println("[1 -1 2 -2]")
		return
	}
	lanes := f.Level.VectorBytes() / 4
	p := panel.Panels{Cells: panel.Cells{From: dtype.I8, To: dtype.I16, Group: 2}, Depth: 2, Row: lanes, Vectors: 1, Panel: 4 * lanes}
	code, err := p.Build(emit.Backend(f))
	if err != nil {
		panic(err)
	}
	defer code.Close()
	from, to := make([]int8, 2*lanes), make([]int16, 2*lanes)
	for i := range lanes {
		from[i], from[lanes+i] = int8(i+1), int8(-i-1)
	}
	code.Copy(uintptr(unsafe.Pointer(&from[0])), uintptr(unsafe.Pointer(&to[0])), 1, false)
	fmt.Println(to[:4])
	// Output: [1 -1 2 -2]
}

// A matrix that is stored by columns becomes one that is stored by rows, of f32.
func ExampleStrided() {
	f := cpu.Detect()
	if f.Level < cpu.AVX2 {
		fmt.Println("[1 3] [2 4]")
		return
	}
	s := panel.Strided{Cells: panel.Cells{From: dtype.BF16, To: dtype.F32, Group: 1}, Depth: 2, Side: 2, Deep: 2, Across: 1, Out: 64}
	var machines vector.Code
	code, err := s.Build(machines.On(emit.Backend(f)))
	if err != nil {
		panic(err)
	}
	defer machines.Close()
	from, to := []uint16{0x3f80, 0x4000, 0x4040, 0x4080}, make([]float32, 32) // 1, 2, 3, 4
	code.Copy(unsafe.Pointer(&from[0]), unsafe.Pointer(&to[0]), 2, 2)
	fmt.Println(to[:2], to[16:18])
	// Output: [1 3] [2 4]
}
