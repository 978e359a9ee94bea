package tiles_test

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"
	"unsafe"

	"github.com/stretchr/testify/require"

	"github.com/go-acap/acap/base/dtype"
	"github.com/go-acap/acap/kernel"
	"github.com/go-acap/acap/kernel/cpu"
	"github.com/go-acap/acap/kernel/kerneltest"
	"github.com/go-acap/acap/kernel/vector"
	"github.com/go-acap/acap/kernel/vector/tiles"
	"github.com/go-acap/acap/kernel/x86/emit"
)

func at(list []float32) uintptr { return uintptr(unsafe.Pointer(&list[0])) }

// product is A·B of the first columns, where A has rows of depth elements, and B has depth rows.
func product(a, b []float32, rows, depth, columns, row int) []float32 {
	out := make([]float32, rows*columns)
	for i := range rows {
		for j := range columns {
			for k := range depth {
				out[i*columns+j] += float32(a[i*depth+k] * b[k*row+j])
			}
		}
	}
	return out
}

// relu is an epilogue on rows of a number of results: the larger of a sum and 0.
func relu(columns, length int) *kernel.Epilogue {
	out := kernel.Access{Port: kernel.Port{DType: dtype.F32, Write: true, Len: length}, Outer: []int{columns, 1}}
	b := kernel.NewBody()
	b.Store(2, b.Binary(kernel.Max, b.Input(dtype.F32), b.Const(dtype.F32, 0)))
	return &kernel.Epilogue{Access: []kernel.Access{out}, Body: b.Body()}
}

// TestTiles: products of all shapes of tiles, with sums that start at zero or wait, that wait again or go through an
// epilogue, and of panels that the first tile packs.
func TestTiles(t *testing.T) {
	multiply := tiles.Multiply{Kind: vector.F32, Op: vector.MulAdd}
	for _, f := range kerneltest.LevelsHere(t) {
		r := rand.New(rand.NewPCG(5, uint64(f.Level)))
		lanes := f.Level.VectorBytes() / 4
		for range 150 {
			height, vectors, depth := 1+r.IntN(4), 1+r.IntN(3), 1+r.IntN(11)
			width, low := vectors*lanes, r.IntN(height)
			full, lower := r.IntN(3), min(low, 1)*(1+r.IntN(3))
			if full == 0 && low == 0 {
				full = 1
			}
			rows, panels := full*height+lower*low, 1+r.IntN(2)
			columns := panels * width
			x := &tiles.Tiles{Multiply: multiply, Rows: height, Low: low, Vectors: vectors, Depth: depth,
				ARow: 4 * depth, AStep: 4, BStep: 4 * columns, Panel: 4 * width, Columns: width, Sums: 4 * columns,
				Waits: r.IntN(2) == 0, Ending: tiles.Ending{Port: 2, LaneLoop: 1}}
			x.OnePanel, x.OneTile = panels == 1 && r.IntN(2) == 0, full == 1 && lower == 0 && r.IntN(2) == 0
			switch r.IntN(3) {
			case 0:
				x.Packs, x.BStep, x.Alone = 4*columns, 4*width, full == 0
			case 1:
				x.EachEmbeds = func(row int) bool { return row%2 == 0 }
			}
			if depth >= 8 && r.IntN(2) == 0 {
				x.Fetch = tiles.Fetch{Rounds: 1, Pieces: 1, Lines: 2, Stride: 64, Panels: r.IntN(2) == 0}
			}
			a, b, sums := kerneltest.Whole(r, rows*depth), kerneltest.Whole(r, depth*columns), kerneltest.Whole(r, rows*columns)
			want := product(a, b, rows, depth, columns, columns)
			for i := range want {
				if x.Waits {
					want[i] += sums[i]
				}
			}
			out := make([]float32, rows*columns)
			if ends := r.IntN(2) == 0; ends {
				x.Epilogue = relu(columns, len(out))
				for i := range want {
					want[i] = max(want[i], 0)
				}
			}
			code, err := x.Build(emit.Backend(f))
			require.NoError(t, err)
			packed := make([]float32, depth*width)
			call := &tiles.Call{A: at(a), B: at(b), Panels: panels, Tiles: full, Low: lower, First: true, Packed: at(packed), Fetch: at(b), Sums: at(sums),
				Ports: []uintptr{at(out)}}
			code.Run(call, make([]uintptr, code.BlockBytes()/8+1))
			code.Close()
			if x.Epilogue == nil {
				out = sums
			}
			require.Equal(t, want, out, "%v, %+v, %d rows", f.Level, x, rows)
		}
	}
}

// asTheyAre is an epilogue that stores sums of i32 in rows so far apart.
func asTheyAre(row, length int) *kernel.Epilogue {
	out := kernel.Access{Port: kernel.Port{DType: dtype.I32, Write: true, Len: length}, Outer: []int{row, 1}}
	b := kernel.NewBody()
	b.Store(2, b.Input(dtype.I32))
	return &kernel.Epilogue{Access: []kernel.Access{out}, Body: b.Body()}
}

// TestSquares: products of bytes, in rows that go either way, on processors with registers of squares.
func TestSquares(t *testing.T) {
	f := cpu.Detect()
	if !f.Tiles {
		t.Skip("no registers of squares")
	}
	r := rand.New(rand.NewPCG(6, 6))
	for range 40 {
		high, full, depth, panels := 1+r.IntN(2), r.IntN(3), 1+r.IntN(3), 1+r.IntN(2)
		low := r.IntN(high * vector.TileSide)
		if full+low == 0 {
			full = 1
		}
		width, k := 2*vector.TileSide, 64*depth
		rows, columns := full*high*vector.TileSide+low, panels*width
		a, b := make([]int8, rows*k), make([]int8, k*columns)
		sums, want := make([]int32, rows*columns), make([]int32, rows*columns)
		for i := range a {
			a[i] = int8(r.IntN(256))
		}
		for i := range b {
			b[i] = int8(r.IntN(256))
		}
		x := &tiles.Squares{Dot: vector.TileDotSigned, Kind: vector.I32, High: high, Low: low, Vectors: 2, Depth: depth, ARow: k, AStep: 64, ANext: vector.TileSide * k,
			BRow: 4 * width, BStep: vector.TileSide * 4 * width, BNext: 64, Panel: width * k, FarA: r.IntN(2) == 0, FarB: r.IntN(2) == 0, Terms: [][2]int{{0, 0}}, Together: r.IntN(2) == 0, Waits: r.IntN(2) == 0, Sums: 4 * columns}
		for i := range rows {
			for j := range columns {
				if x.Waits {
					sums[i*columns+j] = int32(i - j)
					want[i*columns+j] = int32(i - j)
				}
				for n := range k { // four neighbours along the depth stand together
					want[i*columns+j] += int32(a[i*k+n]) * int32(b[j/width*width*k+(n/4*width+j%width)*4+n%4])
				}
			}
		}
		out := make([]int32, rows*columns)
		reversed := r.IntN(2) == 0 // whole squares go where they belong, the last row first
		if reversed {
			x.Epilogue, x.Port, x.LaneLoop = asTheyAre(-columns, len(out)), 2, 1
		}
		code, err := x.Build(emit.Backend(f))
		require.NoError(t, err)
		code.Run(&tiles.SquaresCall{Ports: []uintptr{uintptr(unsafe.Pointer(&out[(rows-1)*columns]))}, A: uintptr(unsafe.Pointer(&a[0])), B: uintptr(unsafe.Pointer(&b[0])), Panels: panels, Count: full, Low: low > 0,
			Fetch: uintptr(unsafe.Pointer(&b[0])), Sums: uintptr(unsafe.Pointer(&sums[0]))}, make([]uintptr, code.BlockBytes()/8+1))
		code.Close()
		if reversed {
			for i := range rows {
				copy(sums[i*columns:], out[(rows-1-i)*columns:][:columns])
			}
		}
		require.Equal(t, want, sums, "%+v", x)
	}
}

// TestFarSquaresAreApart: two products lie between the loads of two squares that come from far.
func TestFarSquaresAreApart(t *testing.T) {
	f := cpu.Features{Level: cpu.AVX512, Tiles: true}
	for _, far := range []string{"A", "B"} {
		x := &tiles.Squares{Dot: vector.TileDotBrain, Kind: vector.F32, High: 2, Vectors: 2, Depth: 8, ARow: 512, AStep: 64, ANext: vector.TileSide * 512,
			BRow: 128, BStep: vector.TileSide * 128, BNext: 64, FarA: far == "A", FarB: far == "B", Terms: [][2]int{{0, 0}}, Together: true, Sums: 128}
		parts := emit.Processor.Parts(f, true)
		_, err := x.Build(parts)
		require.NoError(t, err)
		var apart []int // products behind each load
		for _, line := range strings.Split(parts.Listing(), "\n") {
			switch {
			case strings.Contains(line, "tileloaddt1"):
				apart = append(apart, 0)
			case strings.Contains(line, "tdpbf16ps"):
				apart[len(apart)-1]++
			}
		}
		require.Equal(t, []int{2, 2}, apart, far)
	}
}

// Two rows by a panel of one vector: the first column of B is 1, 2 and 3.
func ExampleTiles() {
	f := cpu.Detect()
	if f.Level < cpu.AVX2 {
		fmt.Println("14 32")
		return
	}
	lanes := f.Level.VectorBytes() / 4
	x := &tiles.Tiles{Multiply: tiles.Multiply{Kind: vector.F32, Op: vector.MulAdd}, Rows: 2, Vectors: 1, Depth: 3,
		ARow: 12, AStep: 4, BStep: 4 * lanes, Columns: lanes, Sums: 4 * lanes}
	code, err := x.Build(emit.Backend(f))
	if err != nil {
		panic(err)
	}
	defer code.Close()
	a, b, sums := []float32{1, 2, 3, 4, 5, 6}, make([]float32, 3*lanes), make([]float32, 2*lanes)
	b[0], b[lanes], b[2*lanes] = 1, 2, 3
	code.Run(&tiles.Call{A: at(a), B: at(b), Panels: 1, Tiles: 1, Sums: at(sums)}, make([]uintptr, code.BlockBytes()/8))
	fmt.Println(sums[0], sums[lanes])
	// Output: 14 32
}
