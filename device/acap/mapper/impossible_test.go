package mapper_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/go-acap/acap/base/dtype"
	"github.com/go-acap/acap/base/longtest"
	"github.com/go-acap/acap/device/acap/machine"
	"github.com/go-acap/acap/device/acap/mapper"
	"github.com/go-acap/acap/device/acap/mapping"
	"github.com/go-acap/acap/device/acap/workload"
)

// TestImpossible takes from a machine what no program can do without, one thing at a time:
// it must get no time.
func TestImpossible(t *testing.T) {
	op := workload.Operand{DType: dtype.I8}
	w := &workload.Kernel{Name: "product", Kind: workload.KindContraction,
		Contraction: workload.Contraction{Batch: 1, M: 64, K: 64, N: 64, A: op, B: op,
			Acc: dtype.I32, Out: dtype.I32}}
	for what, spoil := range map[string]func(*machine.Machine){
		"core.locks":       func(m *machine.Machine) { m.Core.Locks.Value = 0 },
		"mem.locks":        func(m *machine.Machine) { m.Mem.Locks.Value = 0 },
		"core.descriptors": func(m *machine.Machine) { m.Core.Descriptors.Value = 1 },
		"mem.descriptors":  func(m *machine.Machine) { m.Mem.Descriptors.Value = 1 },
		"core.length_bits": func(m *machine.Machine) { m.Core.LengthBits.Value = 1 },
		"mem.length_bits":  func(m *machine.Machine) { m.Mem.LengthBits.Value = 1 },
		"shim.length_bits": func(m *machine.Machine) { m.Shim.LengthBits.Value = 1 },
		"mem.lock_max":     func(m *machine.Machine) { m.Mem.LockMax.Value = 0 },
	} {
		for _, name := range []string{"npu1", "npu2"}[:longtest.Sample(1, 1, 2)] {
			m, err := machine.Preset(name)
			if err != nil {
				t.Fatal(err)
			}
			spoil(m)
			c, err := mapper.Map(m, w)
			if err == nil {
				t.Errorf("%s without %s takes %g s in %v", name, what, c.Timing.Seconds, c.Mapping)
			} else if !strings.Contains(err.Error(), "limits of a tile") &&
				!strings.Contains(err.Error(), "field of a DMA descriptor") {
				t.Errorf("%s without %s: %v", name, what, err)
			}
		}
	}
}

// TestScarce leaves a machine less than the fastest mapping needs, but enough for another,
// which must be found and verified.
func TestScarce(t *testing.T) {
	op := workload.Operand{DType: dtype.BF16}
	w := &workload.Kernel{Name: "product", Kind: workload.KindContraction,
		Contraction: workload.Contraction{Batch: 1, M: 256, K: 256, N: 256, A: op, B: op,
			Acc: dtype.F32, Out: dtype.F32}}
	m, err := machine.Preset("npu1")
	if err != nil {
		t.Fatal(err)
	}
	before, err := mapper.Map(m, w)
	if err != nil {
		t.Fatal(err)
	}
	m.Core.LengthBits.Value = 9
	after, err := mapper.Map(m, w)
	if err != nil {
		t.Fatal(err)
	}
	if err := after.Verify(); err != nil {
		t.Error(err)
	}
	if after.Timing.Seconds <= before.Timing.Seconds {
		t.Errorf("%g s with short descriptors, %g s with long ones", after.Timing.Seconds,
			before.Timing.Seconds)
	}
}

// TestNothingRemains: an array without mem tiles, and a row of them that does not exist, keep no weights.
func TestNothingRemains(t *testing.T) {
	op := workload.Operand{DType: dtype.F32}
	w := &workload.Kernel{Name: "product", Kind: workload.KindContraction,
		Contraction: workload.Contraction{Batch: 1, M: 64, K: 64, N: 64, A: op, B: op, Acc: dtype.F32, Out: dtype.F32}}
	w.Contraction.B.Constant = true
	for name, row := range map[string]int{"vck190": 1, "npu1": 2} {
		m, err := machine.Preset(name)
		require.NoError(t, err)
		_, err = mapper.MapResident(m, w, row, 1<<16)
		require.ErrorContains(t, err, "nothing remains in row")
		_, err = mapper.MapRetained(m, w, mapper.Retention{In: mapping.Retained{Row: row}, Cols: 4, Block: 8})
		require.ErrorContains(t, err, "nothing remains in row")
	}
}
