package tileexact

import (
	"context"

	"github.com/go-acap/acap/device"
	"github.com/go-acap/acap/device/compiler"
	"github.com/go-acap/acap/mlir"
)

// Name implements [device.Device].
func (c *Checker) Name() string { return "tile-exact:" + c.Machine.Name }

// Compile implements [device.Device]: whatever runs on a checker is checked.
func (c *Checker) Compile(ctx context.Context, module *mlir.Operation) (device.Executable, error) {
	return compiler.CompileFor(ctx, module, backend{compiler.Native{Code: c.Backend}}, c.Config.WithStrict(true))
}

// backend is the engine with kernels that are checked.
type backend struct{ compiler.Native }

// Name implements [device.Backend].
func (backend) Name() string { return "tile-exact" }
