package compiler

import (
	"context"

	"github.com/go-acap/acap/device"
	"github.com/go-acap/acap/mlir"
)

// Device is a device made of a back end: groups of what that supports are its own, the rest
// runs on the host.
type Device struct {
	backend device.Backend
	config  device.Config
	held    device.Slot
}

// NewDevice makes a device of a back end.
func NewDevice(b device.Backend) *Device { return &Device{backend: b} }

// Name implements [device.Device].
func (d *Device) Name() string { return d.backend.Name() }

// String is Name.
func (d *Device) String() string { return d.Name() }

// Backend implements [device.Backed].
func (d *Device) Backend() device.Backend { return d.backend }

// Config implements [device.Backed].
func (d *Device) Config() device.Config { return d.config }

// Held implements [device.Holder].
func (d *Device) Held() *device.Slot { return &d.held }

// With implements [device.Configurable].
func (d *Device) With(c device.Config) device.Device { return &Device{backend: d.backend, config: c} }

// Compile implements [device.Device].
func (d *Device) Compile(ctx context.Context, module *mlir.Operation) (device.Executable, error) {
	exe, err := CompileFor(ctx, module, d.backend, d.config)
	if err != nil {
		return nil, err
	}
	return exe, nil
}
