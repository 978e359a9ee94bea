package attention_test

import (
	"fmt"
	"unsafe"

	"github.com/go-acap/acap/base/dtype"
	"github.com/go-acap/acap/kernel"
	"github.com/go-acap/acap/kernel/attention"
	"github.com/go-acap/acap/kernel/cpu"
	"github.com/go-acap/acap/kernel/exec"
	"github.com/go-acap/acap/kernel/native"
)

// Two causal queries over two keys: the first sees its own value only, the second,
// whose scores are equal, the mean of both.
func ExampleCompile() {
	f := cpu.Detect()
	if f.Level < cpu.AVX2 || !exec.Supported {
		fmt.Println("[1 2] [2 3]")
		return
	}
	matrix := func(write bool) kernel.Matrix {
		return kernel.Matrix{Port: kernel.Port{DType: dtype.F32, Len: 4, Write: write}, Row: 2, Col: 1,
			Batch: []int{4}}
	}
	code, err := attention.Compile(&kernel.Attention{Name: "pair", Batch: []int{1}, Queries: 2, Keys: 2,
		Dim: 2, VDim: 2, Scale: 1, Causal: true, Acc: dtype.F32, Q: matrix(false), K: matrix(false),
		V: matrix(false), O: matrix(true)}, f, nil, native.Compile)
	if err != nil {
		fmt.Println(err)
		return
	}
	defer code.Close()
	q, k := []float32{1, 0, 0, 0}, []float32{1, 0, 0, 1}
	v, o := []float32{1, 2, 3, 4}, make([]float32, 4)
	scratch := make([]byte, code.Scratch()+64)
	args := &kernel.Args{Ptr: []unsafe.Pointer{unsafe.Pointer(&q[0]), unsafe.Pointer(&k[0]),
		unsafe.Pointer(&v[0]), unsafe.Pointer(&o[0])},
		Scratch: unsafe.Pointer(&scratch[-uintptr(unsafe.Pointer(&scratch[0]))%64])}
	code.Run(args, 0, code.Units())
	fmt.Println(o[:2], o[2:])
	// Output: [1 2] [2 3]
}
