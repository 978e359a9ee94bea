package acap

import (
	"cmp"
	"context"
	"fmt"
	"io"
	"sync"

	"github.com/go-acap/acap/base/dtype"
	"github.com/go-acap/acap/device"
	"github.com/go-acap/acap/device/acap/machine"
	"github.com/go-acap/acap/device/acap/placement"
	"github.com/go-acap/acap/device/compiler"
	"github.com/go-acap/acap/mlir"
	"github.com/go-acap/acap/ops"
	"github.com/go-acap/acap/trace"
)

// Array is a device that runs on one machine.
type Array struct {
	compiler.Native
	config  device.Config
	machine *machine.Machine
	held    device.Slot
	outside bool // what passes from launch to launch does so in the memory outside
	inputs  int  // in a row, that a run of an account is about
	told    func(mapped, kinds int)

	once   sync.Once
	placed *placement.Array // see on
}

// DefaultMachine is the preset of [Device].
const DefaultMachine = "npu1"

var (
	opened   = map[string]*Array{}
	openedMu sync.Mutex
)

func init() {
	device.Register(device.Driver{Name: "acap", Doc: "a simulated array of AI Engines: acap:npu1, acap:machine.json",
		Open: func(specification string) (device.Device, error) {
			return Open(cmp.Or(specification, DefaultMachine))
		}})
}

// Device returns the array of the default machine. It is always the same.
func Device() *Array {
	a, err := Open(DefaultMachine)
	if err != nil {
		panic("BUG: acap: " + err.Error())
	}
	return a
}

// Open returns the array of a preset ("npu1", "npu2", "vck190", …) or of a
// machine description in a .json file. A name gives the same device every time. An unknown preset is an error, and so
// is a description that [machine.Machine.Check] refuses.
func Open(name string) (*Array, error) {
	openedMu.Lock()
	defer openedMu.Unlock()
	if a := opened[name]; a != nil {
		return a, nil
	}
	m, err := machine.Load(name)
	if err != nil {
		return nil, err
	}
	opened[name] = New(m)
	return opened[name], nil
}

// New returns a device that simulates m: of several arrays, one while all are at work. A machine that is not valid is a
// typed panic.
func New(m *machine.Machine) *Array {
	trace.Need("acap", "the machine", m)
	if err := m.Check(); err != nil {
		trace.Raise(&ops.ArgError{Op: "acap", Detail: err.Error()})
	}
	a := &Array{machine: m.Shared()}
	if m.Compute.Emulate {
		a.config = a.config.WithBF16(machine.BF16Emulated)
	}
	return a
}

// on is the array as kernels are placed on it.
func (a *Array) on() *placement.Array {
	a.once.Do(func() {
		a.placed = &placement.Array{Machine: a.machine, Packed: a.config.Weights() != dtype.Plain, Outside: a.outside, Inputs: a.inputs, Told: a.told}
	})
	return a.placed
}

// Identity tells machines apart by all that is known of them.
func (a *Array) Identity() string { return a.on().Identity() }

// Machine returns the description of the array.
func (a *Array) Machine() *machine.Machine { return a.machine }

// Describe writes the machine as JSON. An error is one of w.
func (a *Array) Describe(w io.Writer) error { return a.machine.WriteJSON(w) }

// Held implements [device.Holder].
func (a *Array) Held() *device.Slot { return &a.held }

// Backend implements [device.Backed].
func (a *Array) Backend() device.Backend { return a }

// Config implements [device.Backed].
func (a *Array) Config() device.Config { return a.config }

// With implements [device.Configurable]. Where the config does not say how bf16 is multiplied, that is the machine's
// way; a way that the machine has no multipliers for is a typed panic.
func (a *Array) With(c device.Config) device.Device {
	m, err := a.machine.WithBF16(c.BF16())
	if err != nil {
		trace.Raise(&ops.ArgError{Op: "acap", Detail: err.Error()})
	}
	if m.Compute.Emulate {
		c = c.WithBF16(machine.BF16Emulated)
	}
	with := a.alike()
	with.machine, with.config = m, c
	return with
}

// alike returns another device that is the same.
func (a *Array) alike() *Array {
	return &Array{Native: a.Native, machine: a.machine, config: a.config, outside: a.outside, inputs: a.inputs, told: a.told}
}

// Telling returns the array with accounts that call told as kernels are mapped: kernels that are alike are one kind and
// are mapped once; mapped of all kinds are done. Several goroutines may call told.
func (a *Array) Telling(told func(mapped, kinds int)) *Array {
	with := a.alike()
	with.told = told
	return with
}

// In returns the array in a setting. It is an error when its machine does not know the setting.
func (a *Array) In(s machine.Setting) (*Array, error) {
	m, err := s.Of(a.machine)
	if err != nil {
		return nil, err
	}
	c := a.config
	if s.BF16 != "" {
		c = c.WithBF16(s.BF16)
	}
	with := a.alike()
	with.machine, with.config = m, c
	return with, nil
}

// WithoutRetention returns the array with all that passes from launch to launch in the memory outside, to
// see what it saves that some of it remains in mem tiles.
func (a *Array) WithoutRetention() *Array {
	with := a.alike()
	with.outside = true
	return with
}

// Pipelined returns the array with accounts of as many inputs in a row, which do not depend on each other, with one
// call of the host for all of them. Fewer than 1 panic with an [*ops.ArgError].
func (a *Array) Pipelined(inputs int) *Array {
	if inputs < 1 {
		trace.Raise(&ops.ArgError{Op: "acap", Detail: fmt.Sprintf("%d inputs in a row", inputs)})
	}
	with := a.alike()
	with.inputs = inputs
	return with
}

// Without returns the array with some parts of memory and network left out, to see what they cost.
func (a *Array) Without(leave ...machine.Part) *Array {
	with := a.alike()
	with.machine = a.machine.Without(leave...)
	return with
}

// Name implements [device.Device].
func (a *Array) Name() string { return "acap:" + a.machine.Name }

// String is Name.
func (a *Array) String() string { return a.Name() }

// Compile implements [device.Device].
func (a *Array) Compile(ctx context.Context, module *mlir.Operation) (device.Executable, error) {
	exe, err := compiler.CompileFor(ctx, module, a, a.config)
	if err != nil {
		return nil, err
	}
	return newProgram(a, exe, nil), nil
}
