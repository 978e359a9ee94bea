package predict

import (
	"fmt"
	"math"
	"strings"

	"github.com/go-acap/acap/device/acap/machine"
	"github.com/go-acap/acap/device/acap/workload"
)

// FarOff is the error from which on a prediction says that it is far off.
const FarOff = 0.4

// remark adds what a prediction leaves out by what the plain row says, and what may differ where the row is far off.
func (p *Prediction) remark(m *machine.Machine, row *Row, s *subject) {
	said := row.Workload + " " + row.Notes // the name of a source describes nothing
	for _, d := range differences {
		if d.said.MatchString(said) {
			p.Remarks = append(p.Remarks, d.remark)
			p.otherwise = p.otherwise || d.otherwise
		}
	}
	if s.kernel.Kind == workload.KindAttention && s.mapped && !strings.Contains(row.Source+" "+said, "mlir-air") {
		p.guessed = true
		p.Remarks = append(p.Remarks, "no mapping said: predicted as mlir-air's attention, two heads at once in cascades of four; kernels of others differ")
	}
	if !(math.Abs(p.Error) > FarOff) {
		return
	}
	much, times := "slow", p.Times()
	if times < 1 {
		much, times = "fast", 1/times
	}
	p.Remarks = append(p.Remarks, fmt.Sprintf("measured %.1f times as %s as predicted: %s", times, much, p.difference(m, row, s)))
}
