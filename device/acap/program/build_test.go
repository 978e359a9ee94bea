package program_test

import (
	"fmt"
	"os"
	"testing"

	"github.com/go-acap/acap/device/acap/machine"
	"github.com/go-acap/acap/device/acap/mapper"
	"github.com/go-acap/acap/device/acap/workload"
	"github.com/go-acap/acap/tensor/dtype"
)

func gemm(m, k, n int, in, acc, out dtype.DType) *workload.Kernel {
	op := workload.Operand{DType: in}
	return &workload.Kernel{Name: "gemm", Kind: workload.KindContraction,
		Contraction: workload.Contraction{Batch: 1, M: m, N: n, K: k, A: op, B: op, Acc: acc,
			Out: out}}
}

func TestX(t *testing.T) {
	for _, name := range machine.Names()[:5] {
		m, _ := machine.Preset(name)
		bias := gemm(64, 100, 10, dtype.F32, dtype.F32, dtype.F32)
		bias.Contraction.Epilogue = workload.Epilogue{Ops: workload.Mix{Simple: 1}, In: []workload.Stream{{DType: dtype.F32, Elements: 10}}}
		s := workload.Stream{DType: dtype.BF16, Elements: 1 << 20}
		add := &workload.Kernel{Name: "add", Kind: workload.KindPointwise, Pointwise: workload.Pointwise{Elements: 1 << 20, DType: dtype.BF16, In: []workload.Stream{s, s}, Out: []workload.Stream{s}, Ops: workload.Mix{Simple: 1}}}
		fma := &workload.Kernel{Name: "fma", Kind: workload.KindPointwise, Pointwise: workload.Pointwise{Elements: 1 << 14, DType: dtype.BF16, In: []workload.Stream{s, s, s}, Out: []workload.Stream{s}, Ops: workload.Mix{Simple: 1}}}
		for i := range fma.Pointwise.In {
			fma.Pointwise.In[i].Elements = 1 << 14
		}
		fma.Pointwise.Out = []workload.Stream{{DType: dtype.BF16, Elements: 1 << 14}}
		norm := &workload.Kernel{Name: "ln", Kind: workload.KindNormalize, Normalize: workload.Normalize{Rows: 1024, Cols: 1024, DType: dtype.BF16, Passes: 3, Ops: workload.Mix{Simple: 7}, In: []workload.Stream{s, {DType: dtype.BF16, Elements: 1024}, {DType: dtype.BF16, Elements: 1024}}, Out: []workload.Stream{s}}}
		att := &workload.Kernel{Name: "att", Kind: workload.KindAttention, Attention: workload.Attention{Batch: 1, Heads: 4, KVHeads: 4, Sq: 512, Sk: 512, D: 64, DV: 64, DType: dtype.BF16, Acc: dtype.F32, Causal: true}}
		tr := &workload.Kernel{Name: "tr", Kind: workload.KindMove, Move: workload.Move{DType: dtype.F32, Elements: 1 << 20, Shape: []int{1024, 1024}, Perm: []int{1, 0}}}
		for _, w := range []*workload.Kernel{gemm(1024, 1024, 1024, dtype.BF16, dtype.F32, dtype.BF16), gemm(64, 100, 10, dtype.F32, dtype.F32, dtype.F32), bias, gemm(4096, 4096, 1, dtype.BF16, dtype.F32, dtype.BF16), add, fma, norm, att, tr} {
			c, err := mapper.Map(m, w)
			if err != nil {
				fmt.Println(name, w.Name, err)
				continue
			}
			p, err := c.Program()
			if err != nil {
				fmt.Println(name, w.Name, c.Mapping, err)
				continue
			}
			p.Lower()
			fmt.Println(name, w.Name, c.Mapping, len(p.Runtime), c.Timing.Seconds*1e6, c.Timing.Bound)
			if err := p.Verify(); err != nil {
				fmt.Println(err)
			}
			if name == "npu1" {
				os.WriteFile("/tmp/fit/"+w.Name+".mlir", []byte(p.String()), 0o644)
			}
		}
	}
}
