package transpose_test

import (
	"fmt"
	"testing"
	"unsafe"

	"github.com/stretchr/testify/require"

	"github.com/go-acap/acap/kernel/kerneltest"
	"github.com/go-acap/acap/kernel/vector"
	"github.com/go-acap/acap/kernel/vector/transpose"
	"github.com/go-acap/acap/kernel/x86/emit"
)

// square writes the transposition of a square of elements of a kind in memory.
func square(k vector.Kind, lanes int) *vector.Program {
	b := vector.NewBuilder("square", lanes)
	at := b.Arg(0)
	row := func(i int) vector.Access { return vector.Access{Offset: i * lanes * k.Size()} }
	var rows []vector.Val
	for i := range lanes {
		rows = append(rows, b.Load(k, at, row(i)))
	}
	for i, v := range transpose.Square(b, rows) {
		b.Store(v, at, row(i))
	}
	return b.Program()
}

// TestSquare compares columns with rows, for elements of four and of eight bytes.
func TestSquare(t *testing.T) {
	for _, f := range kerneltest.LevelsHere(t) {
		for _, k := range []vector.Kind{vector.F32, vector.I64} {
			lanes := f.Level.VectorBytes() / k.Size()
			m, err := emit.Backend(f).Build(func() *vector.Program { return square(k, lanes) }, 1, 0)
			require.NoError(t, err)
			data := make([]byte, lanes*lanes*k.Size())
			for i := range data {
				data[i] = byte(i * 7 / 3)
			}
			before := append([]byte(nil), data...)
			block := make([]uintptr, m.BlockBytes())
			block[0] = uintptr(unsafe.Pointer(&data[0]))
			m.Call(unsafe.Pointer(&block[0]))
			m.Close()
			at := func(data []byte, i, j int) []byte { return data[(i*lanes+j)*k.Size():][:k.Size()] }
			for i := range lanes {
				for j := range lanes {
					require.Equal(t, at(before, i, j), at(data, j, i), "%v of %v [%d,%d]", f.Level, k, i, j)
				}
			}
		}
	}
}

// The rows of a square of two doubles become its columns by two instructions.
func ExampleSquare() {
	fmt.Print(square(vector.F64, 2))
	// Output:
	// program "square" lanes=2 {
	//   %0 = arg word
	//   %1 = load f64 %0
	//   %2 = load f64 %0 imm=16
	//   %3 = zip1 f64 %1 %2 imm=8
	//   %4 = zip2 f64 %1 %2 imm=8
	//   store f64 %0 %3
	//   store f64 %0 %4 imm=16
	// }
}
