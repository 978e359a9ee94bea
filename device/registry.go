package device

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"sync"

	"github.com/go-acap/acap/trace"
)

// Driver is a kind of device that programs find by its name.
type Driver struct {
	Name string // "acap"
	Doc  string // one line
	// Open returns the device of a specification: the text behind the name and a colon, which may be empty. Equal
	// specifications should give the same device.
	Open func(specification string) (Device, error)
}

var (
	drivers   []Driver
	opened    = map[string]Device{}
	driversMu sync.Mutex
)

// Register adds a driver. Call it from an init function; a name that is taken or has a colon is a
// mistake of the program.
func Register(d Driver) {
	driversMu.Lock()
	defer driversMu.Unlock()
	taken := func(other Driver) bool { return other.Name == d.Name }
	if d.Name == "" || strings.Contains(d.Name, ":") || d.Open == nil || slices.ContainsFunc(drivers, taken) {
		panic(fmt.Sprintf("BUG: device: the driver %q is registered twice, or is not complete", d.Name))
	}
	drivers = append(drivers, d)
	slices.SortFunc(drivers, func(a, b Driver) int { return strings.Compare(a.Name, b.Name) })
}

// Drivers lists the drivers by name.
func Drivers() []Driver {
	driversMu.Lock()
	defer driversMu.Unlock()
	return slices.Clone(drivers)
}

// Open returns the device of a name such as "host", "acap" or "acap:npu2": a driver and, after a
// colon, what it is to open. Drivers belong to packages, which a program must import. The same
// name gives the same device every time. A driver that there is not is an error, and otherwise errors are those of the
// driver.
func Open(name string) (Device, error) {
	driversMu.Lock()
	defer driversMu.Unlock()
	if d := opened[name]; d != nil {
		return d, nil
	}
	driver, specification, _ := strings.Cut(name, ":")
	at := slices.IndexFunc(drivers, func(d Driver) bool { return d.Name == driver })
	if at < 0 {
		return nil, fmt.Errorf("no device %q; there are %s", driver, driverNames())
	}
	d, err := drivers[at].Open(specification)
	if err != nil {
		return nil, err
	}
	opened[name] = d
	return d, nil
}

// Named is [Open] for an expression: x.To(device.Named("acap:npu2")). It panics with an
// [*OpenError] if there is no such device.
func Named(name string) Device {
	d, err := Open(name)
	if err != nil {
		panic(&OpenError{Name: name, Where: trace.Where(), Err: err})
	}
	return d
}

// OpenError says why [Named] has no device.
type OpenError struct {
	Name  string
	Where string // file:line of the caller, if known
	Err   error
}

func (e *OpenError) Error() string {
	text := "device " + e.Name + ": " + e.Err.Error()
	if e.Where != "" {
		text = e.Where + ": " + text
	}
	return text
}

// Unwrap returns the cause.
func (e *OpenError) Unwrap() error { return e.Err }

// load reads compiled programs; package device/artifact sets it.
var load func(ctx context.Context, path string) (Executable, error)

// SetLoader says how [Load] reads files. Package device/artifact calls it.
func SetLoader(f func(ctx context.Context, path string) (Executable, error)) { load = f }

// Load reads a compiled program from an .acap file, for the device that it was made for. A program
// has to import device/artifact, which knows the files. Errors name the file.
func Load(path string) (Executable, error) {
	if load == nil {
		return nil, fmt.Errorf("%s: import package device/artifact to load compiled programs", path)
	}
	return load(context.Background(), path)
}

func driverNames() string {
	names := make([]string, len(drivers))
	for i, d := range drivers {
		names[i] = d.Name
	}
	return strings.Join(names, ", ")
}
