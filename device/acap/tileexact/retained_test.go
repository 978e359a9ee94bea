package tileexact_test

import (
	"context"
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/go-acap/acap/base/buf"
	"github.com/go-acap/acap/base/dtype"
	"github.com/go-acap/acap/device/acap/machine"
	"github.com/go-acap/acap/device/acap/machine/machinetest"
	"github.com/go-acap/acap/device/acap/mapper"
	"github.com/go-acap/acap/device/acap/mapping"
	"github.com/go-acap/acap/device/acap/program"
	"github.com/go-acap/acap/device/acap/tileexact"
	"github.com/go-acap/acap/device/acap/workload"
	"github.com/go-acap/acap/kernel"
	"github.com/go-acap/acap/kernel/native"
	"github.com/go-acap/acap/mlir"
)

// TestRetained walks products, also those that are convolutions with windows of one element, that take their left
// operand from mem tiles and leave their results there, and runs the same programs by events, which take as long as the
// closed form says.
func TestRetained(t *testing.T) {
	r := rand.New(rand.NewPCG(33, 34))
	for _, name := range []string{"npu1", "npu2", "vek280"} {
		m := machinetest.Preset(t, name)
		var chosen *mapper.Choice
		var retention mapper.Retention
		c := &tileexact.Checker{Machine: m, Native: native.Compile, MaxWork: 1 << 40,
			Map: func(m *machine.Machine, w *workload.Kernel) (*mapper.Choice, error) {
				var err error
				chosen, err = mapper.MapRetained(m, w, retention)
				return chosen, err
			}}
		top := m.Mem.Memory.Int() / 2
		for _, s := range []mapper.Retention{
			{In: mapping.Retained{Row: 1, Address: top}, Cols: 4, Block: 8},
			{Out: mapping.Retained{Row: 1}, Cols: 4, Block: 8},
			{In: mapping.Retained{Row: 1, Address: top}, Out: mapping.Retained{Row: 1}, Cols: 4, Block: 8},
		} {
			retention = s
			for _, acc := range []dtype.DType{dtype.I32, dtype.F32} {
				for _, k := range []kernel.Kernel{product(32, 256, 96, acc, acc, acc), product(30, 64, 64, acc, acc, acc),
					convolution(40, 4, 24, 1, 1, acc, acc), convolution(24, 7, 56, 1, 1, acc, acc)} {
					result := check(t, c, k, r)
					require.NoError(t, result.Err, "%v on %s", result.Mapping, name)
					require.Empty(t, result.Skipped, "%v on %s", result.Kernel, name)
					require.Equal(t, s.In, chosen.Mapping.In)
					require.Equal(t, s.Out, chosen.Mapping.Out)
					p, run := byEvents(t, chosen)
					t.Logf("%s %s: %.3g us, %.1f %% by events", name, result.Mapping, 1e6*(chosen.Timing.Seconds-chosen.Timing.Launch),
						100*(run.Seconds-chosen.Timing.Seconds)/(chosen.Timing.Seconds-chosen.Timing.Launch))
					for _, op := range p.Runtime {
						if task, ok := op.(program.Task); ok && !task.Padding { // which is of any array
							require.False(t, s.In.Row > 0 && task.Arg == 0, "A comes from outside")
							require.False(t, s.Out.Row > 0 && p.Args[task.Arg].Output, "the result leaves")
						}
					}
				}
			}
		}
	}
}

// TestRetainedPass runs rows, points and products one after the other, each of which finds what the one
// before left in mem tiles: the results are right.
func TestRetainedPass(t *testing.T) {
	const text = `func.func @main(%x: tensor<60x64xi32>, %w: tensor<64x48xi32>, %v: tensor<48x32xi32>) -> tensor<60x32xi32> {
  %s = "aten.cumsum"(%x) {dim = 1 : i64} : (tensor<60x64xi32>) -> tensor<60x64xi64>
  %c = "aten._to_copy"(%s) {dtype = i32} : (tensor<60x64xi64>) -> tensor<60x64xi32>
  %y = "aten.mm"(%c, %w) : (tensor<60x64xi32>, tensor<64x48xi32>) -> tensor<60x48xi32>
  %z = "aten.mm"(%y, %v) : (tensor<60x48xi32>, tensor<48x32xi32>) -> tensor<60x32xi32>
  return %z : tensor<60x32xi32>
}`
	r := rand.New(rand.NewPCG(35, 36))
	var inputs []*buf.Buffer
	for _, shape := range [][]int{{60, 64}, {64, 48}, {48, 32}} {
		b := buf.New(dtype.I32, shape)
		for i := range b.Len() {
			b.SetInt64(i, r.Int64N(15)-7)
		}
		inputs = append(inputs, b)
	}
	module, err := mlir.Parse("chain.mlir", []byte(text))
	require.NoError(t, err)
	for _, name := range []string{"npu2", "vek280"} {
		m := machinetest.Preset(t, name)
		c := &tileexact.Checker{Machine: m, Native: native.Compile, Map: func(m *machine.Machine, w *workload.Kernel) (*mapper.Choice, error) {
			s := mapper.Retention{Cols: 5, Block: 12}
			top := mapping.Retained{Row: 1, Address: m.Mem.Memory.Int() / 2}
			switch {
			case w.Kind != workload.KindContraction:
				if w.Kind == workload.KindPointwise {
					s.Block *= 64
				}
				s.Out = mapping.Retained{Row: 1}
			case w.Contraction.K == 64:
				s.In, s.Out = mapping.Retained{Row: 1}, top
			default:
				s.In = top
			}
			return mapper.MapRetained(m, w, s)
		}}
		exe, err := c.Compile(context.Background(), module)
		require.NoError(t, err)
		_, err = exe.Run(context.Background(), inputs)
		require.NoError(t, err)
		exe.Close()
		for _, k := range c.Kernels {
			require.Empty(t, k.Skipped)
			require.NoError(t, k.Err)
		}
	}
}

// TestRetainedArraysMatter has a product find in mem tiles what another left: its result is not the result of its own
// input.
func TestRetainedArraysMatter(t *testing.T) {
	r := rand.New(rand.NewPCG(37, 38))
	m := machinetest.Preset(t, "npu2")
	var s mapper.Retention
	c := &tileexact.Checker{Machine: m, Native: native.Compile,
		Map: func(m *machine.Machine, w *workload.Kernel) (*mapper.Choice, error) {
			return mapper.MapRetained(m, w, s)
		}}
	s = mapper.Retention{Out: mapping.Retained{Row: 1, Address: 4096}, Cols: 4, Block: 8}
	require.NoError(t, check(t, c, product(32, 40, 48, dtype.I32, dtype.I32, dtype.I32), r).Err)
	s = mapper.Retention{In: mapping.Retained{Row: 1, Address: 4096}, Cols: 4, Block: 8}
	require.Error(t, check(t, c, product(32, 48, 24, dtype.I32, dtype.I32, dtype.I32), r).Err)
}
