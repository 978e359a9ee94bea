package panel_test

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"
	"unsafe"

	"github.com/stretchr/testify/require"

	"github.com/go-acap/acap/base/dtype"
	"github.com/go-acap/acap/kernel/cpu"
	"github.com/go-acap/acap/kernel/kerneltest"
	"github.com/go-acap/acap/kernel/vector/panel"
	"github.com/go-acap/acap/kernel/x86/emit"
)

// TestPieces: the pieces of a number have 8 bits each and add up to it, and the second is at most
// 2^-8 of it. The largest magnitudes are of each row, of each column where columns are split, or of each lane of a square.
func TestPieces(t *testing.T) {
	f := cpu.Features{Level: cpu.AVX512}
	if !kerneltest.Executes(f) {
		t.Skip("no vectors of 16 numbers")
	}
	const pieces, rows = 3, 16
	whole, err := panel.Pieces{From: dtype.F32, Count: pieces, Across: 2, Next: 4 * 32, To: 1}.Build(emit.Backend(f))
	require.NoError(t, err)
	defer whole.Close()
	each, err := panel.Pieces{From: dtype.F32, Count: pieces, Across: 2, Next: 4 * 32, To: 1, MostRow: 4 * 32}.Build(emit.Backend(f))
	require.NoError(t, err)
	defer each.Close()
	columns, err := panel.PieceColumns{From: dtype.F32, Count: pieces, Across: 2, Column: 4 * 40, To: 6 * 1024}.Build(emit.Backend(f))
	require.NoError(t, err)
	defer columns.Close()
	r := rand.New(rand.NewPCG(1, 2))
	for range 40 {
		var x [rows][2][32]float32 // of each row elements 0 to 15 of two squares, and those 16 behind them
		var cells [pieces][2][rows][16][2]uint16
		var most [32][16]uint32
		for i := range unsafe.Slice(&x[0][0][0], rows*64) {
			bits := r.Uint32()>>r.IntN(24)<<r.IntN(24)&0x807fffff | uint32(127-100+r.IntN(160))<<23
			unsafe.Slice(&x[0][0][0], rows*64)[i] = math.Float32frombits(bits)
		}
		// largest returns the largest magnitude of the cells that are chosen.
		largest := func(at func(square, row, i, half int) float32, chosen func(square, row, i int) bool) (most uint32) {
			for n := range 2 * rows * 32 {
				if square, row, i, half := n/rows/32, n/32%rows, n/2%16, n%2; chosen(square, row, i) {
					most = max(most, math.Float32bits(at(square, row, i, half))&math.MaxInt32)
				}
			}
			return most
		}
		check := func(name string, at func(square, row, i, half int) float32) {
			for n := range 2 * rows * 32 {
				square, row, i, half := n/rows/32, n/32%rows, n/2%16, n%2
				want, sum := float64(at(square, row, i, half)), 0.0
				for piece := range pieces {
					y := float64(math.Float32frombits(uint32(cells[piece][square][row][i][half]) << 16))
					if piece == 1 {
						require.LessOrEqual(t, math.Abs(y), math.Ldexp(math.Abs(want), -8), "%s: %x", name, want)
					}
					sum += y
				}
				require.Equal(t, want, sum, "%s: %x", name, want)
			}
		}
		call := &panel.PiecesCall{From: uintptr(unsafe.Pointer(&x)), To: uintptr(unsafe.Pointer(&cells)), Most: uintptr(unsafe.Pointer(&most)),
			Row: 4 * 64, High: 4 * 32, Rows: rows, Groups: 1}
		ofRows := func(square, row, i, half int) float32 { return x[row][half][16*square+i] }
		whole.Split(call)
		check("rows", ofRows)
		for n := range 32 {
			want := largest(ofRows, func(square, _, i int) bool { return square == n/16 && i == n%16 })
			require.Equal(t, want, most[n/16][n%16], "lane %d", n)
		}
		most = [32][16]uint32{}
		each.Split(call)
		for n := range 2 * rows {
			want := largest(ofRows, func(square, row, _ int) bool { return 2*row+square == n })
			require.Equal(t, want, slices.Max(most[n][:]), "row %d, square %d", n/2, n%2)
		}

		cells, most = [pieces][2][rows][16][2]uint16{}, [32][16]uint32{}
		flat := unsafe.Slice(&x[0][0][0], rows*64) // as if columns were 40 numbers apart, where a step has 32
		wide := make([]float32, 32*40+1024)
		copy(wide, flat)
		call.From, call.Row, call.High = uintptr(unsafe.Pointer(&wide[0])), 0, 0
		columns.Split(call)
		// Row i of a square has elements i and i+16 of the step, of 16 columns.
		ofColumns := func(square, row, i, half int) float32 { return wide[(16*square+i)*40+row+16*half] }
		check("columns", ofColumns)
		for n := range 32 {
			want := largest(ofColumns, func(square, _, i int) bool { return 16*square+i == n })
			require.Equal(t, want, slices.Max(most[n][:]), "column %d", n)
		}
	}
}
