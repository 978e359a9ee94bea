package host

import (
	"context"

	"github.com/go-acap/acap/device"
	"github.com/go-acap/acap/device/compiler"
	"github.com/go-acap/acap/mlir"
)

type host struct{}

// Device is the host.
var Device device.Eager = host{}

// Name implements [device.Device].
func (host) Name() string { return "host" }

// Eager implements [device.Eager].
func (host) Eager() bool { return true }

// Compile implements [device.Device].
func (host) Compile(ctx context.Context, module *mlir.Operation) (device.Executable, error) {
	exe, err := compiler.Compile(ctx, module)
	if err != nil {
		return nil, err
	}
	return exe, nil
}
