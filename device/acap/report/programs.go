package report

import (
	"fmt"
	"strings"

	"github.com/go-acap/acap/device/acap/schedule"
	"github.com/go-acap/acap/device/acap/timing"
	"github.com/go-acap/acap/device/acap/workload"
)

// Programs returns the programs of a run: of every group, its kernels that have a time. Work that is done once for a
// model is in none.
func Programs(kernels []Kernel) []schedule.Program { return programs(kernels, false) }

// programs returns the programs of a run, or the programs that run once.
func programs(kernels []Kernel, once bool) []schedule.Program {
	var out []schedule.Program
	last := -1
	var stage *Stage
	for i := range kernels {
		k := &kernels[i]
		if k.Problem != "" || k.Once != once {
			continue
		}
		if k.Group != last || k.Stage != stage || len(out) == 0 {
			out = append(out, schedule.Program{Name: fmt.Sprintf("program %d", len(out)), Turns: k.Turns, Prefetched: true})
			last, stage = k.Group, k.Stage
		}
		p := &out[len(out)-1]
		p.Launches = append(p.Launches, k.launch())
	}
	return out
}

// launch is the kernel as a launch of a program.
func (k *Kernel) launch() schedule.Launch {
	return schedule.Launch{Name: k.Name, Kernel: k.Work, Timing: &k.Timing, Alone: k.alone(),
		Mapping: k.Mapping, Code: machineCode(k.Work, k.Mapping.Style)}
}

// alone is the time of the kernel if there were no others.
func (k *Kernel) alone() *timing.Timing {
	if k.Alone.Seconds == 0 {
		return nil
	}
	return &k.Alone
}

// machineCode names the machine code of a kernel: what it computes on which types, in which style.
// Shapes are parameters.
func machineCode(w *workload.Kernel, style string) string {
	var types []string
	for _, s := range append(w.Inputs(), w.Outputs()...) {
		types = append(types, s.DType.String())
	}
	var ops workload.Mix
	switch w.Kind {
	case workload.KindContraction:
		ops = w.Contraction.Epilogue.Ops
	case workload.KindConvolution:
		ops = w.Convolution.Epilogue.Ops
	case workload.KindPointwise:
		ops = w.Pointwise.Ops
	case workload.KindNormalize:
		ops = w.Normalize.Ops
	case workload.KindMove:
		return "move" // needs no core
	}
	return fmt.Sprint(w.Kind, " ", style, " ", strings.Join(types, ","), " ", ops)
}

// starts returns, in seconds from the start of the run, when the array begins with each kernel, when the kernel's
// launch begins before that, and when a call of the host begins before the launch; in a pipeline with the first sample,
// in a loop with the first turn. Kernels that are not in a run have no place.
func (r *Report) starts() (call, launch, begin []float64) {
	call, launch, begin = make([]float64, len(r.Kernels)), make([]float64, len(r.Kernels)), make([]float64, len(r.Kernels))
	programs := r.parts(false)
	at, next, end := 0.0, 0, 0.0 // end is where the program ends
	var costs []schedule.Cost
	for i := range r.Kernels {
		k := &r.Kernels[i]
		if k.Problem != "" || k.Once {
			continue
		}
		if next == len(costs) && k.Stage == nil {
			at = end
		}
		call[i] = at
		if next == len(costs) {
			p := &programs[0]
			if at == 0 {
				p.Written = r.Written * int64(r.inputs())
			}
			host, each := p.First(p.machine)
			all := p.Cost(p.machine)
			end = at + all.Seconds()
			if k.Stage != nil {
				stage := schedule.Stage{Program: p.Program, Machine: p.machine}
				each = stage.Repeated(p.machine)
			}
			programs, costs, next = programs[1:], each, 0
			if k.Stage == nil || at == 0 {
				at += host.Seconds()
			}
		}
		launch[i] = at
		at += costs[next].Seconds()
		begin[i] = at - k.Array()
		next++
	}
	return call, launch, begin
}
