package mapper_test

import (
	"math/rand/v2"
	"testing"

	"github.com/go-acap/acap/base/longtest"
	"github.com/go-acap/acap/device/acap/machine"
	"github.com/go-acap/acap/device/acap/mapper"
	"github.com/go-acap/acap/device/acap/program"
	"github.com/go-acap/acap/device/acap/workload"
	"github.com/go-acap/acap/device/acap/workload/workloadtest"
)

var arrays = []string{"npu1", "npu2", "vek280", "vck190", "vck5000"}

// TestPrograms maps random kernels on every array and verifies their programs at
// both levels: capacity, locks, descriptors, channels, balance of every FIFO. A long
// run has the checker of mlir-aie's limits read their texts.
func TestPrograms(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	built := 0
	for range longtest.Sample(5, 5, 20) {
		w := workloadtest.Kernel(r)
		for _, name := range arrays {
			m, err := machine.Preset(name)
			if err != nil {
				t.Fatal(err)
			}
			c, err := mapper.Map(m, w)
			if err != nil {
				t.Errorf("%s: %v %v: %v", name, w.Kind, w.Inputs(), err)
				continue
			}
			p, err := c.Program()
			if err != nil {
				t.Errorf("%s: %v %v %v: %v", name, w.Kind, c.Mapping, w.Inputs(), err)
				continue
			}
			if err := p.Verify(); err != nil {
				t.Errorf("%s: %v %v %v: %v", name, w.Kind, c.Mapping, w.Inputs(), err)
				continue
			}
			p.Lower()
			if err := p.Verify(); err != nil {
				t.Errorf("%s: %v %v %v: lowered: %v", name, w.Kind, c.Mapping, w.Inputs(), err)
			}
			if longtest.On() {
				if err := read(p, program.Current); err != nil {
					t.Errorf("%s: %v %v %v: text: %.600v", name, w.Kind, c.Mapping, w.Inputs(), err)
				}
			}
			built++
		}
	}
	t.Logf("%d programs", built)
}

// TestTraffic compares the bytes of the time model with the bytes of the host's transfers, for kernels whose programs
// move every operand as they are timed.
func TestTraffic(t *testing.T) {
	r := rand.New(rand.NewPCG(11, 12))
	for range longtest.Sample(20, 20, 60) {
		w := workloadtest.Kernel(r)
		product := w.Kind == workload.KindContraction && len(w.Contraction.Epilogue.In) == 0
		convolution := w.Kind == workload.KindConvolution && len(w.Convolution.Epilogue.In) == 0
		if !product && !convolution {
			continue
		}
		for _, name := range []string{"npu1", "npu2", "vek280"} {
			m, err := machine.Preset(name)
			if err != nil {
				t.Fatal(err)
			}
			c, err := mapper.Map(m, w)
			if err != nil {
				t.Fatal(err)
			}
			p, err := c.Program()
			if err != nil {
				t.Fatal(err)
			}
			var read, write int64
			for _, op := range p.Runtime {
				if task, ok := op.(program.Task); ok {
					n := int64(task.Elements() * p.Args[task.Arg].DType.Size())
					if p.Args[task.Arg].Output {
						write += n
					} else {
						read += n
					}
				}
			}
			if read != c.Timing.ReadL3 || write != c.Timing.WriteL3 {
				t.Errorf("%s %v of %v: the host moves %d and %d bytes, timed are %d and %d", name,
					c.Mapping, w.Kind, read, write, c.Timing.ReadL3, c.Timing.WriteL3)
			}
		}
	}
}
