package device

import (
	"context"

	"github.com/go-acap/acap/base/buf"
	"github.com/go-acap/acap/mlir"
)

// Device compiles and runs programs.
type Device interface {
	// Name identifies the device and its configuration: "host", "acap:npu1".
	Name() string
	// Compile makes an executable of the function @main of a module, which is in
	// the aten or the linalg form. The module is consumed.
	Compile(ctx context.Context, module *mlir.Operation) (Executable, error)
}

// Eager is a device that runs every call at once instead of waiting for a barrier.
type Eager interface {
	Device
	Eager() bool
}

// Executable is a compiled program. Run may be called from several goroutines.
type Executable interface {
	// Run computes the results. Inputs have the types of the program's, are not modified
	// and may be results of other runs; the results are new.
	Run(ctx context.Context, inputs []*buf.Buffer) ([]*buf.Buffer, error)
	// RunInto computes the results into the given buffers, which have the results'
	// types, are distinct, and are not inputs. They need not be zero.
	RunInto(ctx context.Context, inputs, results []*buf.Buffer) error
	// Text returns a later form of the program: "linalg", "kernel", "asm", and
	// what else the device has, such as "aie".
	Text(stage string) (string, error)
	// Fallbacks counts, by operator name, the calls that run on the host.
	Fallbacks() map[string]int
	// Memory says what the program takes, before it runs.
	Memory() Memory
	// NewHandle returns a second handle of the program, to be closed on its own.
	NewHandle() Executable
	// Close ends the use of this handle. When all handles of the program are closed,
	// what it holds is freed, such as executable memory, after the runs that are going
	// on. Later runs are errors.
	Close()
}
