package report

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/go-acap/acap/device/acap/mapper"
)

// slowest lists the kernels that were mapped, the slowest first.
func (r *Report) slowest() []*Kernel {
	var order []*Kernel
	for i := range r.Kernels {
		if k := &r.Kernels[i]; k.Problem == "" && k.Choice != nil {
			order = append(order, k)
		}
	}
	slices.SortStableFunc(order, func(x, y *Kernel) int { return cmp.Compare(y.Array(), x.Array()) })
	return order
}

// idleCores names the slowest kernels that leave cores without work, with the time on more cores or the reason that
// forbids more.
func (r *Report) idleCores(b *strings.Builder) {
	rows := [][]string{{"kernel", "cores", "alone on more of them"}}
	order := r.slowest()
	for _, k := range order[:min(slow, len(order))] {
		m := k.part(r.Machine)
		if m == nil || !m.Programmed() || k.Timing.Cores >= m.Grid.Cores() {
			continue
		}
		more := k.onMore(mapper.Larger(m, k.Work, k.Timing.Cores))
		rows = append(rows, []string{k.Name, fmt.Sprintf("%d of %d", k.Timing.Cores, m.Grid.Cores()), more})
	}
	if len(rows) > 1 {
		b.WriteString("\ncores without work\n")
		align(b, rows)
	}
}

// onMore tells how a mapping on more cores compares, or why there is none: the limit that forbids most of them.
func (k *Kernel) onMore(c *mapper.Choice, err error) string {
	if err != nil {
		reasons := strings.Split(err.Error(), "; ")
		return strings.Join(append([]string{"none fits"}, reasons[1:min(2, len(reasons))]...), "; ")
	}
	slower := (c.Timing.Seconds-c.Timing.Launch)/k.Array() - 1
	return fmt.Sprintf("%+.1f%% on %d, bound by %v: %v", 100*slower, c.Timing.Cores, c.Timing.Bound, c.Mapping)
}
