package timing

import (
	"fmt"

	"github.com/go-acap/acap/device/acap/machine"
	"github.com/go-acap/acap/device/acap/mapping"
	"github.com/go-acap/acap/device/acap/workload"
)

// Timing is the cost of one launch of a kernel. Times are seconds.
type Timing struct {
	Seconds float64 `json:"seconds"`       // from the host's call to the last byte
	Cycles  float64 `json:"cycles"`        // the same in cycles of the array
	Ideal   float64 `json:"ideal_seconds"` // peak rate of the whole machine and compulsory bytes only

	Launch  float64 `json:"launch"`  // host
	Restart float64 `json:"restart"` // host, between sets of DMA tasks
	// Pause is the seconds that the host takes from the end of a wait to the next task; other work of the array may
	// hide them.
	Pause  float64 `json:"pause"`
	Fill   float64 `json:"fill"`   // until the first core starts
	Steady float64 `json:"steady"` // steps, at the pace of the slowest resource
	Output float64 `json:"output"` // output tiles that were not overlapped
	Drain  float64 `json:"drain"`  // after the last core is done

	Step Step `json:"step"` // time of one step on each resource
	// Sort and Merge are the seconds of a core for a piece of a line that no core can
	// hold: to sort a block and to merge two, to copy a range and to fold updates in.
	Sort   float64 `json:"sort"`
	Merge  float64 `json:"merge"`
	Gather float64 `json:"gather"` // of a step's core time: looking in tables that pass by
	Start  float64 `json:"start"`  // of a core, at the start of a round of attention
	Steps  int64   `json:"steps"`  // steps of one round (one output block, or the whole kernel)
	Rounds int64   `json:"rounds"`

	Cores int `json:"cores"` // cores that take part
	// Traffic in bytes.
	ReadL3  int64 `json:"l3_read"` // memory outside
	WriteL3 int64 `json:"l3_write"`
	L2      int64 `json:"l2"` // in and out of mem tiles or staging buffers
	L1      int64 `json:"l1"` // in and out of core memories, by DMA

	MACs         int64    `json:"macs"`
	MACsPerCycle float64  `json:"mac_per_cycle"` // over the whole time, all cores
	PeakShare    float64  `json:"peak_share"`    // of all cores of the machine; of the lanes without MACs
	Roofline     float64  `json:"roofline"`      // operations per second that bytes and peak allow
	OpsPerSecond float64  `json:"ops_per_second"`
	Intensity    float64  `json:"intensity"` // operations per compulsory byte
	Memory       float64  `json:"memory"`    // bytes per second of the memory for these: the slope of the roof
	Bound        Resource `json:"bound"`
	Stalls       Stalls   `json:"stalls"`
	Joules       float64  `json:"joules_estimate"` // an estimate
	Energy       Energy   `json:"energy_estimate"` // the same, by what takes it
}

// Step is the seconds that one step occupies each resource.
type Step struct {
	Core   float64 `json:"core"`
	Stream float64 `json:"stream"`
	Shim   float64 `json:"shim"`
	DDR    float64 `json:"ddr"`
}

// Resource is a resource that can bound a kernel.
type Resource uint8

// The resources.
const (
	BoundCore Resource = iota
	BoundStream
	BoundShim
	BoundDDR
	BoundOutput
	BoundHost
	BoundFill // and drain: too little work for the pipeline
)

// String returns the name used in reports.
func (r Resource) String() string {
	return [...]string{"compute", "stream", "shim", "DDR", "output", "host", "fill"}[r]
}

// MarshalText returns the name, which is also the form in JSON. The error is always nil.
func (r Resource) MarshalText() ([]byte, error) { return []byte(r.String()), nil }

// Stalls splits the time of a core by what it does or waits for; the fields
// add up to the seconds of the launch.
type Stalls struct {
	Compute float64 `json:"compute"`       // inner loops at the kernel's own rate
	Call    float64 `json:"call"`          // overhead of kernel calls
	DMA     float64 `json:"wait_operands"` // waiting for operands
	Output  float64 `json:"wait_output"`   // waiting for the output tile to leave
	Fill    float64 `json:"fill_drain"`    // pipeline fill and drain
	Host    float64 `json:"host"`          // launch and restarts
}

// Max returns the pace of the step and what sets it.
func (s Step) Max() (float64, Resource) {
	t, r := s.Core, BoundCore
	for i, v := range [...]float64{s.Stream, s.Shim, s.DDR} {
		if v > t {
			t, r = v, BoundStream+Resource(i)
		}
	}
	return t, r
}

// OnArray returns the resource that bounds the array's work, without the host's call.
func (t *Timing) OnArray() Resource {
	_, bound := t.Step.Max()
	switch half := (t.Seconds - t.Launch) / 2; {
	case t.Restart > half:
		return BoundHost
	case t.Fill+t.Drain > half:
		return BoundFill
	case t.Output > t.Steady:
		return BoundOutput
	}
	return bound
}

// Estimate returns the cost of running w on m as g says. It is an error when
// the kernel is invalid, when the machine has no rate for its element types, or
// when the mapping is not one for this kind of kernel. That the mapping fits
// the machine's memories is not checked here; package mapper does.
func Estimate(m *machine.Machine, w *workload.Kernel, g mapping.Mapping) (Timing, error) {
	model, err := NewModel(m, w)
	if err != nil {
		return Timing{}, err
	}
	if err := g.Check(m, w); err != nil {
		return Timing{}, fmt.Errorf("timing on %s: %w", m.Name, err)
	}
	return model.Estimate(g)
}

func ceil(a, b int) int64 { return (int64(a) + int64(b) - 1) / int64(b) }

func ceilInt(a, b int) int { return (a + b - 1) / b }

func ceil64(a, b int64) int64 { return (a + b - 1) / b }
