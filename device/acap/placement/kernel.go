package placement

import (
	"fmt"
	"strings"

	"github.com/go-acap/acap/device/acap/machine"
	"github.com/go-acap/acap/device/acap/mapper"
	"github.com/go-acap/acap/device/acap/program"
	"github.com/go-acap/acap/device/acap/report"
	"github.com/go-acap/acap/device/acap/schedule"
	"github.com/go-acap/acap/device/acap/workload"
	"github.com/go-acap/acap/device/engine"
)

// Kernel is a kernel with its mapping, or the reason why it has none.
type Kernel struct {
	kernel engine.KernelInfo
	group  int
	turns  schedule.Turns
	open   bool
	work   *workload.Kernel
	mapped *mapper.Choice // alone on the array
	choice *mapper.Choice // in its group
	stage  *report.Stage  // of a pipeline, nil outside
	err    error
}

// described is the kernel's row of a report without its mapping.
func (q *Kernel) described() report.Kernel {
	k := report.Kernel{Name: q.kernel.Name, Where: where(q.kernel), Locations: q.kernel.Locations,
		Work: q.work, Once: q.kernel.Fixed, Group: q.group}
	if !k.Once {
		k.Turns, k.Open = q.turns, q.open
	}
	if q.err != nil {
		k.Problem = q.err.Error()
	}
	return k
}

// Row is the kernel's row of a report.
func (q *Kernel) Row() report.Kernel {
	k := q.described()
	if k.Choice = q.choice; q.err != nil {
		return k
	}
	k.Mapping, k.Timing, k.Alone = q.choice.Mapping, q.choice.Timing, q.mapped.Timing
	if k.Mapping.Resident > 0 {
		if built, err := q.choice.Program(); err == nil {
			k.Resident = built.ResidentBytes()
		}
	}
	k.Layout, k.Bound = k.Mapping.String(), k.Timing.OnArray().String()
	if q.stage != nil {
		q.staged(&k)
	}
	return k
}

// staged says of a kernel's row in which stage it runs.
func (q *Kernel) staged(k *report.Kernel) {
	s := q.stage
	k.Stage = s
	k.Layout = fmt.Sprintf("stage %d, from column %d: %s", s.Number, s.Column, k.Layout)
	if s.Column > 0 && k.Resident != nil {
		resident := make(map[machine.Coord]int)
		for c, n := range k.Resident {
			resident[machine.Coord{Col: c.Col + s.Column, Row: c.Row}] = n
		}
		k.Resident = resident
	}
}

// Program returns the kernel's program on the columns of an array where the kernel is placed. Like kernels are built
// once. A kernel without a mapping is an error, and so is a mapping without a program.
func (q *Kernel) Program(m *machine.Machine) (*program.Program, error) {
	if q.err != nil {
		return nil, fmt.Errorf("%s: %w", q.kernel.Name, q.err)
	}
	built, err := q.choice.Program()
	if err != nil {
		return nil, fmt.Errorf("%s: %w", q.kernel.Name, err)
	}
	if built.Name = q.work.Name; q.stage != nil {
		built = built.Moved(m, q.stage.Column)
	}
	return built, nil
}

// where joins the distinct source positions of a kernel's operations.
func where(k engine.KernelInfo) string {
	var parts []string
	seen := map[string]bool{}
	for _, l := range k.Locations {
		if s := l.Short(); s != "" && !seen[s] {
			seen[s] = true
			parts = append(parts, s)
		}
	}
	const most = 3
	if len(parts) > most {
		parts = append(parts[:most], fmt.Sprintf("and %d more", len(parts)-most))
	}
	return strings.Join(parts, ", ")
}
