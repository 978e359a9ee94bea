package compiler

import (
	"context"

	"github.com/go-acap/acap/device"
	"github.com/go-acap/acap/device/engine"
	"github.com/go-acap/acap/mlir"
	"github.com/go-acap/acap/translate/passes/group"
)

// nativeForm is the pipeline that makes the form of the engine.
const nativeForm = "lower-to-linalg"

// Native is the back end of the engine of this module, on which both its devices stand. A device
// embeds it and adds a name.
type Native struct {
	// Code compiles kernels; nil means the best for this machine.
	Code Backend
}

// Supports implements [device.Backend].
func (Native) Supports(op *mlir.Operation) error { return group.Supported(op) }

// Form implements [device.Backend].
func (Native) Form() string { return nativeForm }

// Smallest implements [device.Backend]: every group is worth it, as host and device have the
// same memory.
func (Native) Smallest() int { return 1 }

// CompileGroup implements [device.Backend].
func (n Native) CompileGroup(_ context.Context, g *device.GroupSource) (device.GroupProgram, error) {
	p, err := engine.Compile(g.Func, engine.Options{ConstInputs: g.Constant, FastMath: g.FastMath,
		Reproducible: g.Reproducible, Kernels: g.Kernels, Backend: n.Code})
	if err != nil {
		return nil, tooLarge(err)
	}
	return p, nil
}

// native tells the compiler that groups may stay in the module of the program, and how their
// kernels are compiled.
func (n Native) native() Backend { return n.Code }

// onlyNative is the back end of [Compile] and [CompileWith].
type onlyNative struct{ Native }

// Name implements [device.Backend].
func (onlyNative) Name() string { return hostName }

// hostName is the device of what no other device runs.
const hostName = "host"
