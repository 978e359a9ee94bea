package device

import (
	"context"

	"github.com/go-acap/acap/base/buf"
	"github.com/go-acap/acap/mlir"
)

// Backend is what a package writes to add a device: what it can run, and how groups of that
// are compiled. Package device/compiler makes a [Device] of it, which runs the rest of each
// program on the host; [Register] gives it a name.
//
// Methods may be called from any goroutine.
type Backend interface {
	// Name identifies the device and its configuration: "host", "acap:npu1".
	Name() string
	// Supports returns nil for an operation that can be part of a group, else why it cannot:
	// because of its operator, its types, its shapes or its attributes. An operation that has
	// an expansion and no support is expanded, and its parts are asked about. Operations are
	// of the aten dialect, or of linalg and what belongs to it in modules that have it.
	Supports(op *mlir.Operation) error
	// Form is the text of the pipeline that brings groups to the form that CompileGroup
	// takes; "" leaves them as they were asked about.
	Form() string
	// Smallest is how many operations a group has at least, unless a [Config] says so.
	Smallest() int
	// CompileGroup compiles a group. After an error the group runs on the host, unless the
	// error is of the context or about memory.
	CompileGroup(ctx context.Context, g *GroupSource) (GroupProgram, error)
}

// SmallestGroup is how many operations a group should have on a device that is reached by
// copying: below, the copies cost more than is gained (as Torch Blade has it).
const SmallestGroup = 3

// GroupSource is a group to be compiled.
type GroupSource struct {
	Name string // such as "main_group_0"
	// Func is a func.func with one block. Its operands and results are tensors of known extents.
	Func *mlir.Operation
	// Constant marks the arguments that are the same in many runs, such as weights: equal
	// addresses then mean equal contents.
	Constant []bool
	// FastMath says how freely arithmetic may be rewritten: 0, not at all, to 4; see [Config.FastMath].
	FastMath int
	// Kernels is the text of kernels that take the place of kernels of the same names, see [Config.WithKernels].
	Kernels string
	// Reproducible asks for the same bits on every processor, see [Config.Reproducible].
	Reproducible bool
}

// GroupProgram is a compiled group. It may run in several goroutines at once.
type GroupProgram interface {
	// RunInto computes the results into the given buffers, which have their types and need
	// not be zero; those that are nil it makes. Inputs are not modified.
	RunInto(ctx context.Context, inputs, results []*buf.Buffer) error
	// Memory returns how many bytes of the host's memory a run takes beside its inputs and
	// results.
	Memory() int64
	// Close frees what the program holds, after the runs that are going on.
	Close()
}

// Backed is a device that is made of a back end.
type Backed interface {
	Device
	Backend() Backend
	Config() Config
}
