package host

import (
	"context"
	"fmt"

	"github.com/go-acap/acap/device"
	"github.com/go-acap/acap/device/compiler"
	"github.com/go-acap/acap/mlir"
)

type host struct {
	compiler.Native
	config device.Config
	held   *device.Slot
}

// Device returns the host. It is always the same.
func Device() device.Eager { return processor }

var processor device.Eager = &host{held: &device.Slot{}}

func init() {
	device.Register(device.Driver{Name: "host", Doc: "this machine's processor",
		Open: func(specification string) (device.Device, error) {
			if specification != "" {
				return nil, fmt.Errorf("the host has no variants such as %q", specification)
			}
			return processor, nil
		}})
}

// Name implements [device.Device].
func (*host) Name() string { return "host" }

// String is Name.
func (h *host) String() string { return h.Name() }

// Eager implements [device.Eager].
func (*host) Eager() bool { return true }

// Held implements [device.Holder].
func (h *host) Held() *device.Slot { return h.held }

// Backend implements [device.Backed].
func (h *host) Backend() device.Backend { return h }

// Config implements [device.Backed].
func (h *host) Config() device.Config { return h.config }

// With implements [device.Configurable].
func (h *host) With(c device.Config) device.Device {
	return &host{Native: h.Native, config: c, held: &device.Slot{}}
}

// Compile implements [device.Device].
func (h *host) Compile(ctx context.Context, module *mlir.Operation) (device.Executable, error) {
	exe, err := compiler.CompileFor(ctx, module, h, h.config)
	if err != nil {
		return nil, err
	}
	return exe, nil
}
