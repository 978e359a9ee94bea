package tileexact_test

import (
	"context"
	"fmt"
	"math/rand/v2"
	"strings"
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
	"github.com/go-acap/acap/translate/passes/precision"
)

// layer is a linear layer of random weights with their values in the text.
func layer(t testing.TB, r *rand.Rand, m, k, n int, bias bool) *mlir.Operation {
	t.Helper()
	numbers := func(count int) string {
		list := make([]string, count)
		for i := range list {
			list[i] = fmt.Sprintf("%.6f", r.Float64()*2-1)
		}
		return strings.Join(list, ", ")
	}
	x, w, y := fmt.Sprintf("tensor<%dx%dxf32>", m, k), fmt.Sprintf("tensor<%dx%dxf32>", k, n), fmt.Sprintf("tensor<%dx%dxf32>", m, n)
	flat, b := fmt.Sprintf("tensor<%dxf32>", k*n), fmt.Sprintf("tensor<%dxf32>", n)
	text := "func.func @main(%x: " + x + ") -> " + y + " {\n  %f = arith.constant dense<[" + numbers(k*n) + "]> : " + flat +
		fmt.Sprintf("\n  %%w = \"aten.view\"(%%f) {size = array<i64: %d, %d>} : (", k, n) + flat + ") -> " + w + "\n"
	if bias {
		text += "  %b = arith.constant dense<[" + numbers(n) + "]> : " + b + "\n" +
			"  %y = \"aten.addmm\"(%b, %x, %w) : (" + b + ", " + x + ", " + w + ") -> " + y + "\n"
	} else {
		text += "  %y = \"aten.mm\"(%x, %w) : (" + x + ", " + w + ") -> " + y + "\n"
	}
	module, err := mlir.Parse("layer.mlir", []byte(text+"  return %y : "+y+"\n}\n"))
	require.NoError(t, err)
	return module
}

// TestPacked walks products whose weights are packed, in memory and in mem tiles from the start: every
// number comes out of its block. The events of the same programs take as long as the closed form says.
func TestPacked(t *testing.T) { on(t, walkPacked) }

func walkPacked(t *testing.T, m *machine.Machine) {
	r := rand.New(rand.NewPCG(5, 16))
	for _, f := range dtype.Formats() {
		for i, s := range [][3]int{{40, 96, 64}, {33, 100, 24}, {7, 24, 50}, {1, 130, 40}, {64, 300, 8}} {
			for _, resident := range []bool{false, true} {
				if resident && m.Grid.MemRows == 0 {
					continue
				}
				what := fmt.Sprintf("%s %v %v %v", m.Name, f, s, resident)
				module := layer(t, r, s[0], s[1], s[2], i%2 == 0)
				require.NoError(t, precision.Pack(module, f))
				var chosen *mapper.Choice
				c := &tileexact.Checker{Machine: m, Native: native.Compile,
					Map: func(m *machine.Machine, w *workload.Kernel) (*mapper.Choice, error) {
						choice, err := mapper.Map(m, w)
						if w.Kind == workload.KindContraction {
							if resident && w.Contraction.B.Constant {
								choice, err = mapper.MapResident(m, w, 1, 128<<10)
							}
							chosen = choice
						}
						return choice, err
					}}
				exe, err := c.Compile(context.Background(), module)
				require.NoError(t, err, what)
				x := buf.New(dtype.F32, []int{s[0], s[1]})
				for i := range x.Len() {
					x.SetFloat64(i, r.Float64()*2-1)
				}
				_, err = exe.Run(context.Background(), []*buf.Buffer{x})
				exe.Close()
				require.NoError(t, err, what)
				walked(t, what, c.Kernels)
				require.NotNil(t, chosen, what)
				product := &chosen.Kernel.Contraction
				require.True(t, product.A.Format == f || product.B.Format == f, what)
				_, run := byEvents(t, chosen)
				if i%2 == 1 && m.Grid.MemRows > 0 { // a bias comes with what fills up its last object
					require.Equal(t, chosen.Timing.ReadL3, run.ReadBytes, "%s %v", what, chosen.Mapping)
				}
			}
		}
	}
}
