package tileexact_test

import (
	"context"
	"fmt"
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/go-acap/acap/base/buf"
	"github.com/go-acap/acap/base/dtype"
	"github.com/go-acap/acap/device/acap/machine"
	"github.com/go-acap/acap/device/acap/mapper"
	"github.com/go-acap/acap/device/acap/tileexact"
	"github.com/go-acap/acap/device/acap/workload"
	"github.com/go-acap/acap/kernel/native"
	"github.com/go-acap/acap/mlir"
)

// TestSparse walks products whose weights have two zeros of every four: masks and values pass through memory and mem
// tiles, and the sums are the host's.
func TestSparse(t *testing.T) {
	m, err := machine.Preset("npu1")
	require.NoError(t, err)
	r := rand.New(rand.NewPCG(24, 7))
	for _, d := range []dtype.DType{dtype.I8, dtype.BF16} {
		for _, s := range [][3]int{{40, 192, 64}, {33, 132, 24}} {
			for _, resident := range []bool{false, true} {
				what := fmt.Sprintf("%v %v %t", d, s, resident)
				w := buf.New(d, []int{s[1], s[2]})
				for j := range s[2] {
					for first := 0; first < s[1]; first += 4 {
						for _, i := range r.Perm(4)[:r.IntN(3)] {
							w.SetFloat64((first+i)*s[2]+j, float64(r.IntN(9)-4))
						}
					}
				}
				op, out := `"aten.mm"`, d.String()
				if d == dtype.I8 {
					op, out = `"aten._int_mm"`, "i32"
				}
				x, wt, y := fmt.Sprintf("tensor<%dx%dx%s>", s[0], s[1], d), fmt.Sprintf("tensor<%dx%dx%s>", s[1], s[2], d), fmt.Sprintf("tensor<%dx%dx%s>", s[0], s[2], out)
				module, err := mlir.Parse("sparse.mlir", fmt.Appendf(nil, "func.func @main(%%x: %s) -> %s {\n  %%w = arith.constant dense<\"0x%X\"> : %s\n"+
					"  %%y = %s(%%x, %%w) : (%s, %s) -> %s\n  return %%y : %s\n}\n", x, y, w.Bytes(), wt, op, x, wt, y, y))
				require.NoError(t, err)
				packed := false
				c := &tileexact.Checker{Machine: m, Native: native.Compile,
					Map: func(m *machine.Machine, w *workload.Kernel) (*mapper.Choice, error) {
						packed = packed || w.Contraction.B.Format == dtype.Sparse24
						if resident {
							return mapper.MapResident(m, w, 1, 128<<10)
						}
						return mapper.Map(m, w)
					}}
				exe, err := c.Compile(context.Background(), module)
				require.NoError(t, err, what)
				in := buf.New(d, []int{s[0], s[1]})
				for i := range in.Len() {
					in.SetFloat64(i, float64(r.IntN(15)-7))
				}
				_, err = exe.Run(context.Background(), []*buf.Buffer{in})
				exe.Close()
				require.NoError(t, err, what)
				require.True(t, packed, what)
				walked(t, what, c.Kernels)
			}
		}
	}
}
