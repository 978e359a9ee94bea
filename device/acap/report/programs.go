package report

import (
	"fmt"
	"strings"

	"github.com/go-acap/acap/device/acap/schedule"
	"github.com/go-acap/acap/device/acap/workload"
)

// Programs returns the programs of a run: of every group, its kernels that have a time. What
// is done once for a model is in none.
func Programs(kernels []Kernel) []schedule.Program {
	var out []schedule.Program
	last := -1
	for i := range kernels {
		k := &kernels[i]
		if k.Problem != "" || k.Once {
			continue
		}
		if k.Group != last || len(out) == 0 {
			out = append(out, schedule.Program{Name: fmt.Sprintf("program %d", len(out)), Prefetched: true})
			last = k.Group
		}
		p := &out[len(out)-1]
		p.Launches = append(p.Launches, schedule.Launch{Name: k.Name, Kernel: k.Work, Timing: &k.Timing,
			Style: k.Mapping.Style, Code: machineCode(k.Work, k.Mapping.Style)})
	}
	return out
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

// starts returns when the array begins with each kernel, seconds from the start of the run, and
// when its launch begins before that. Kernels that are not in a run have no place.
func (r *Report) starts() (launch, begin []float64) {
	launch, begin = make([]float64, len(r.Kernels)), make([]float64, len(r.Kernels))
	programs := Programs(r.Kernels)
	if len(programs) > 0 {
		programs[0].Written = r.Written
	}
	at, n, next := 0.0, 0, 0
	for i := range r.Kernels {
		if k := &r.Kernels[i]; k.Problem != "" || k.Once {
			continue
		}
		p := &programs[n]
		before := p.Until(r.Machine, next)
		launch[i] = at + before
		next++
		begin[i] = at + p.Until(r.Machine, next) - (r.Kernels[i].Timing.Seconds - r.Kernels[i].Timing.Launch)
		if next == len(p.Launches) {
			at += p.Cost(r.Machine).Seconds()
			n, next = n+1, 0
		}
	}
	return launch, begin
}
