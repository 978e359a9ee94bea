package stream_test

import (
	"fmt"
	"math/rand/v2"
	"testing"
	"unsafe"

	"github.com/stretchr/testify/require"

	"github.com/go-acap/acap/base/dtype"
	"github.com/go-acap/acap/kernel"
	"github.com/go-acap/acap/kernel/cpu"
	"github.com/go-acap/acap/kernel/kerneltest"
	"github.com/go-acap/acap/kernel/vector"
	"github.com/go-acap/acap/kernel/vector/stream"
	"github.com/go-acap/acap/kernel/vector/tiles"
	"github.com/go-acap/acap/kernel/x86/emit"
)

var multiply = tiles.Multiply{Kind: vector.F32, Op: vector.MulAdd}

// brain are the numbers as bf16, which has them.
func brain(list []float32) []uint16 {
	out := make([]uint16, len(list))
	for i, v := range list {
		out[i] = uint16(*(*uint32)(unsafe.Pointer(&v)) >> 16)
	}
	return out
}

func at[T any](list []T) uintptr { return uintptr(unsafe.Pointer(&list[0])) }

// doubled is an epilogue that stores twice the sums.
func doubled(length int) *kernel.Epilogue {
	out := kernel.Access{Port: kernel.Port{DType: dtype.F32, Write: true, Len: length}, Outer: []int{length, 1}}
	b := kernel.NewBody()
	b.Store(2, b.Binary(kernel.Add, b.Input(dtype.F32), b.Input(dtype.F32)))
	return &kernel.Epilogue{Access: []kernel.Access{out}, Body: b.Body()}
}

// run runs code on a vector and a matrix, in f32 or with a matrix of bf16, and returns the sums or the results.
func run(t *testing.T, build func() (*stream.Code, error), call *stream.Call, sums, out []float32, ends bool) []float32 {
	code, err := build()
	require.NoError(t, err)
	defer code.Close()
	call.Sums, call.Ports = at(sums), []uintptr{at(out)}
	code.Run(call, make([]uintptr, code.BlockBytes()/8+1))
	if ends {
		return out
	}
	return sums
}

// TestRows: rows of any number of columns, whose sums start at sums that wait, and wait again or go through an epilogue.
func TestRows(t *testing.T) {
	for _, f := range kerneltest.LevelsHere(t) {
		r := rand.New(rand.NewPCG(1, uint64(f.Level)))
		for range 60 {
			lanes := f.Level.VectorBytes() / 4
			vectors, rows := 1+r.IntN(4), r.IntN(9)
			groups, last := r.IntN(3), r.IntN(vectors*lanes)
			if groups+last == 0 {
				groups = 1
			}
			columns := groups*vectors*lanes + last
			x, matrix, sums, out := kerneltest.Whole(r, rows+1), kerneltest.Whole(r, (rows+1)*columns), kerneltest.Whole(r, columns), make([]float32, columns)
			o := stream.Operands{Multiply: multiply, X: dtype.F32, Matrix: dtype.F32, Ending: tiles.Ending{Port: 2, LaneLoop: 1}}
			call := &stream.Call{X: at(x), Matrix: at(matrix), Groups: groups, Tail: last > 0}
			short := brain(matrix)
			if f.Level == cpu.AVX512 && r.IntN(2) == 0 {
				o.Matrix, call.Matrix = dtype.BF16, at(short)
			}
			s := &stream.Rows{Operands: o, Rows: rows, XStep: 4, Row: columns * o.Matrix.Size(), Vectors: vectors, Columns: last}
			want := make([]float32, columns)
			for j := range want {
				want[j] = sums[j]
				for k := range rows {
					want[j] += float32(x[k] * matrix[k*columns+j])
				}
			}
			ends := r.IntN(2) == 0
			if ends {
				s.Epilogue = doubled(columns)
				for j := range want {
					want[j] *= 2
				}
			}
			padded := append(append([]float32(nil), sums...), make([]float32, lanes)...)
			got := run(t, func() (*stream.Code, error) { return s.Build(emit.Backend(f)) }, call, padded, out, ends)
			require.Equal(t, want, got[:columns], "%v, %+v", f.Level, s)
		}
	}
}

// TestDots: dot products of columns of some streams.
func TestDots(t *testing.T) {
	for _, f := range kerneltest.LevelsHere(t) {
		r := rand.New(rand.NewPCG(2, uint64(f.Level)))
		for range 40 {
			depth, each := 1+r.IntN(70), 1+r.IntN(3)
			columns := stream.Streams * each
			x, matrix := kerneltest.Whole(r, depth), kerneltest.Whole(r, depth*columns)
			o := stream.Operands{Multiply: multiply, X: dtype.F32, Matrix: dtype.F32}
			call := &stream.Call{X: at(x), Matrix: at(matrix), Groups: each}
			short := brain(matrix)
			if f.Level == cpu.AVX512 && r.IntN(2) == 0 {
				o.Matrix, call.Matrix = dtype.BF16, at(short)
			}
			d := stream.Dots{Operands: o, Depth: depth, Column: depth * o.Matrix.Size()}
			want := make([]float32, columns)
			for j := range want {
				for k := range depth {
					want[j] += float32(x[k] * matrix[j*depth+k])
				}
			}
			call.Apart, call.SumsApart = uintptr(each*depth*o.Matrix.Size()), uintptr(4*each)
			got := run(t, func() (*stream.Code, error) { return d.Build(emit.Backend(f)) }, call, make([]float32, columns), make([]float32, 1), false)
			require.Equal(t, want, got, "%v, %+v", f.Level, d)
		}
	}
}

// A vector times the columns 1, 0, 0 and so on, and 1, 1, 1.
func ExampleDots() {
	f := cpu.Detect()
	if f.Level < cpu.AVX2 {
		fmt.Println(1, 0, 0, 6)
		return
	}
	d := stream.Dots{Operands: stream.Operands{Multiply: multiply, X: dtype.F32, Matrix: dtype.F32}, Depth: 3, Column: 12}
	code, err := d.Build(emit.Backend(f))
	if err != nil {
		panic(err)
	}
	defer code.Close()
	x, columns, sums := []float32{1, 2, 3}, []float32{1, 0, 0, 0, 0, 0, 0, 0, 0, 1, 1, 1}, make([]float32, stream.Streams)
	call := &stream.Call{X: at(x), Matrix: at(columns), Groups: 1, Apart: 12, Sums: at(sums), SumsApart: 4}
	code.Run(call, make([]uintptr, code.BlockBytes()/8))
	fmt.Println(sums[0], sums[1], sums[2], sums[3])
	// Output: 1 0 0 6
}
