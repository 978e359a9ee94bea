package schedule_test

import (
	"fmt"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/go-acap/acap/base/dtype"
	"github.com/go-acap/acap/device/acap/machine"
	"github.com/go-acap/acap/device/acap/machine/machinetest"
	"github.com/go-acap/acap/device/acap/mapper"
	"github.com/go-acap/acap/device/acap/schedule"
	"github.com/go-acap/acap/device/acap/workload"
)

func product(t testing.TB, m *machine.Machine, k int) schedule.Launch {
	bf16 := workload.Operand{DType: dtype.BF16}
	kernel := &workload.Kernel{Name: "product", Kind: workload.KindContraction,
		Contraction: workload.Contraction{Batch: 1, M: 256, N: 256, K: k, A: bf16,
			B: workload.Operand{DType: dtype.BF16, Constant: true}, Acc: dtype.F32, Out: dtype.BF16}}
	c, err := mapper.Map(m, kernel)
	if err != nil {
		t.Fatal(err)
	}
	return schedule.Launch{Kernel: kernel, Mapping: c.Mapping, Timing: &c.Timing, Code: fmt.Sprint(k)}
}

// TestOneLaunch holds a program of one launch against package timing.
func TestOneLaunch(t *testing.T) {
	for _, name := range []string{"npu1", "npu2", "vck190", "vek280"} {
		m := machinetest.Preset(t, name)
		l := product(t, m, 512)
		p := schedule.Program{Launches: []schedule.Launch{l}}
		require.InEpsilon(t, l.Timing.Seconds, p.Cost(m).Seconds(), 1e-12, name)
	}
}

// TestTogether runs launches in one program: never slower than with a call each, and every
// part of the cost is there.
func TestTogether(t *testing.T) {
	for _, name := range []string{"npu1", "npu2", "vck190", "vek280"} {
		m := machinetest.Preset(t, name)
		a, b := product(t, m, 512), product(t, m, 1024)
		p := schedule.Program{Launches: []schedule.Launch{a, b, b}}
		together, separate := p.Cost(m), p.Separate(m)
		require.InEpsilon(t, separate.Array, together.Array, 1e-12)
		require.Greater(t, separate.Call, 3*together.Call*(1-1e-12))
		require.Equal(t, []int{0, 0, 0}, p.Loads(m), "both kernels fit the cores together")
		cores := min(a.Mapping.Cols, b.Mapping.Cols) * min(a.Mapping.Rows, b.Mapping.Rows) // that both take
		large := *m
		large.Compute.Code.Value = m.Core.Program.Value
		require.Equal(t, []int{cores, cores, 0}, p.Loads(&large))
		require.Greater(t, p.Cost(&large).Switch, together.Switch)
		times, saved := p.Reloads(&large)
		require.Equal(t, 2, times)
		require.Greater(t, saved, 0.0)
		p.Prefetched = true
		early := p.Cost(m)
		require.LessOrEqual(t, early.Seconds(), together.Seconds())
		require.LessOrEqual(t, early.Hidden+early.Early, a.Timing.Drain+b.Timing.Drain)
		require.GreaterOrEqual(t, early.Launch(), 0.0, "%s: what is hidden is a part of it", name)
		require.Greater(t, early.Work(), 0.0)
		p.Written = 1 << 20
		require.InEpsilon(t, early.Seconds()+(1<<20)/m.Host.Write.Value, p.Cost(m).Seconds(), 1e-12)
	}
	require.Zero(t, new(schedule.Program).Cost(machinetest.Preset(t, "npu2")))
}

// TestLoadsCost has no launch that loads cores take less than the same launch on cores that hold its code.
func TestLoadsCost(t *testing.T) {
	for _, name := range []string{"npu1", "npu2", "vck190", "vek280"} {
		m := machinetest.Preset(t, name)
		m.Compute.Code.Value = m.Core.Program.Value // one code in a core
		l := launchOf(m, "", 1, 1, 10)
		program := func(second string) *schedule.Program {
			first, next := l, l
			first.Code, next.Code = "first", second
			return &schedule.Program{Launches: []schedule.Launch{first, next}}
		}
		loaded, held := program("second"), program("first")
		require.Equal(t, []int{1, 1}, loaded.Loads(m))
		require.Equal(t, []int{0, 0}, held.Loads(m))
		require.LessOrEqual(t, held.Cost(m).Seconds(), loaded.Cost(m).Seconds(), name)
		_, each := loaded.Costs(m)
		_, none := held.Costs(m)
		require.LessOrEqual(t, none[1].Switch, each[1].Switch, name)
	}
}

func ExampleProgram_Cost() {
	m, err := machine.Preset("npu2")
	if err != nil {
		panic(err)
	}
	var t testing.T
	p := schedule.Program{Launches: []schedule.Launch{product(&t, m, 512), product(&t, m, 1024)}}
	c := p.Cost(m)
	fmt.Printf("host %.0f us\n", 1e6*c.Host())
	// Output: host 78 us
}
