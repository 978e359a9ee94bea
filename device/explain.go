package device

import (
	"context"
	"time"

	"github.com/go-acap/acap/base/buf"
	"github.com/go-acap/acap/mlir"
)

// Kernel is a kernel of a program, or a call that runs on the host, as a device expects it
// to run.
type Kernel struct {
	Name      string
	Kind      string   // "contraction", "pointwise", …; [Fallback] for a call on the host
	Ops       []string // the operations in it
	Locations []mlir.Location
	Group     string // that it is in, as [Grouped] has it; empty for a call on the host
	Once      bool   // computed once for each set of constant inputs
	// MACs counts multiply-adds, Work the other arithmetic operations; Read and Written
	// are bytes, each element once.
	MACs, Work, Read, Written int64
	// PackedOnce counts the bytes of operands that are packed once for each set of constant inputs. PackedEach counts
	// the bytes of operands that every run packs, and PackedWhy says why.
	PackedOnce, PackedEach int64
	PackedWhy              string
	// Stored is the format of the blocks in which a product reads weights; empty for one that reads numbers.
	Stored string
	// Portable is why this machine runs the kernel, or its epilogue, as portable Go instead of machine code; empty for
	// machine code.
	Portable string

	// The device's predictions; zero or empty if it predicts nothing. Seconds and Cycles are what the kernel adds to a
	// run, so that they add up to it; Call is the seconds of it that the host takes to start the group, which the first
	// kernel of a group has.
	Seconds, Cycles float64
	Call            float64
	Bound           string // what limits its work on the device
	Mapping         string
	Problem         string // why the device cannot run it
}

// Fallback is the kind of a call that runs on the host.
const Fallback = "host"

// CompileTime is how long a phase of a compilation took: of the whole program, or of one group.
type CompileTime struct {
	Phase string        `json:"phase"` // a pass, or a step of the device's compiler
	Group string        `json:"group,omitempty"`
	Took  time.Duration `json:"nanoseconds"`
}

// Timed is an executable that says how long compiling it took. Groups are compiled at once, so that their
// times may add up to more than what was waited for.
type Timed interface {
	Executable
	// CompileTimes lists the phases of the whole program, then the phases of each group; it is empty for a program that
	// was loaded.
	CompileTimes() []CompileTime
}

// Explained is an executable that says what it consists of and can time its parts.
type Explained interface {
	Executable
	// Kernels lists kernels and calls on the host in the order in which they run.
	Kernels() []Kernel
	// RunTimed is Run; took are the times of the kernels, in their order.
	RunTimed(ctx context.Context, inputs []*buf.Buffer) (results []*buf.Buffer, took []time.Duration, err error)
}
