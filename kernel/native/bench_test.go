package native

import (
	"testing"
	"unsafe"

	"github.com/go-acap/acap/base/dtype"
	"github.com/go-acap/acap/kernel"
)

// gptAttention is the attention of a GPT-2 block: 12 heads, 128 tokens, Q, K and
// V side by side in one matrix.
func gptAttention(tokens int) *kernel.Attention {
	const heads, dim = 12, 64
	matrix := func(row, offset int, write bool) kernel.Matrix {
		return kernel.Matrix{Port: kernel.Port{DType: dtype.F32, Len: tokens * row, Write: write},
			Offset: offset, Batch: []int{dim}, Row: row, Col: 1}
	}
	return &kernel.Attention{Name: "gpt", Batch: []int{heads}, Queries: tokens, Keys: tokens, Dim: dim,
		VDim: dim, Scale: 0.125, Causal: true, Acc: dtype.F32, Q: matrix(3*heads*dim, 0, false),
		K: matrix(3*heads*dim, heads*dim, false), V: matrix(3*heads*dim, 2*heads*dim, false),
		O: matrix(heads*dim, 0, true)}
}

func BenchmarkAttention(b *testing.B) {
	for _, c := range []struct {
		name   string
		tokens int
	}{{"128", 128}, {"1024", 1024}} {
		b.Run(c.name, func(b *testing.B) {
			k := gptAttention(c.tokens)
			code, err := Compile(k)
			if err != nil {
				b.Fatal(err)
			}
			scratch := make([]byte, code.Scratch()+64)
			p := unsafe.Pointer(&scratch[0])
			args := kernel.Args{Scratch: unsafe.Add(p, -int(uintptr(p))&63)}
			for _, port := range k.Ports() {
				x := make([]float32, port.Len)
				for i := range x {
					x[i] = float32(i%61)/61 - 0.5
				}
				args.Ptr = append(args.Ptr, unsafe.Pointer(&x[0]))
			}
			for b.Loop() {
				code.Run(&args, 0, code.Units())
			}
		})
	}
}
