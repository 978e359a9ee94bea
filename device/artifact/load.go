package artifact

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"os"
	"runtime"
	"runtime/debug"
	"strconv"
	"strings"

	"github.com/go-acap/acap/base/buf"
	"github.com/go-acap/acap/base/inputfile"
	"github.com/go-acap/acap/base/mapped"
	"github.com/go-acap/acap/base/wire"
	"github.com/go-acap/acap/device"
	"github.com/go-acap/acap/device/acap"
	"github.com/go-acap/acap/device/compiler"
	"github.com/go-acap/acap/device/plan"
	"github.com/go-acap/acap/mlir"
	_ "github.com/go-acap/acap/mlir/dialect" // what the modules in files are written in
)

func init() {
	device.SetLoader(func(ctx context.Context, path string) (device.Executable, error) {
		f, err := Open(path)
		if err != nil {
			return nil, err
		}
		exe, _, err := f.Load(ctx, nil)
		return exe, err
	})
}

// format changes when compiled programs of one version mean nothing to the next.
const format = 5

// version is the compiler's: programs of other versions are compiled again. A build that does not know its version
// stands for the format alone.
func version() string {
	const self = "github.com/go-acap/acap"
	v := fmt.Sprintf("format %d", format)
	info, ok := debug.ReadBuildInfo()
	if !ok {
		return v
	}
	module := &info.Main
	for _, d := range info.Deps {
		if d.Path == self {
			module = d
		}
	}
	if module.Path == self && module.Version != "" && module.Version != "(devel)" {
		v += " " + module.Version
	}
	return v
}

// File is an open artifact.
type File struct {
	Info
	path      string
	header    *header
	data      []byte // of the file, but for its signature
	signature []byte // nil if there is none
}

// Open reads what a file says of itself and checks all of it. Errors name the file and the section that is missing,
// damaged or of another version.
func Open(path string) (*File, error) {
	f, size, err := inputfile.Open(path)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	file, err := open(f, size)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	file.path = path
	return file, nil
}

func open(f *os.File, size int64) (*File, error) {
	if err := buf.CheckBytes(size, "the file"); err != nil {
		return nil, err
	}
	all := size
	last := make([]byte, len(signatureMagic))
	if _, err := f.ReadAt(last, size-int64(trailer)); err == nil && string(last) == signatureMagic {
		size -= int64(trailer)
	}
	h, err := readHeader(f, size)
	if err != nil {
		return nil, err
	}
	if err := verify(f, h); err != nil {
		return nil, err
	}
	data, err := mapped.File(f, all)
	if err != nil {
		return nil, err
	}
	file := &File{Info: h.Info, header: h, data: data[:size:size]}
	if size < all {
		file.signature = data[size:]
	}
	// A program's parts of the file lie in the mapping, which ends when nothing refers to it.
	runtime.AddCleanup(file, func(data []byte) { _ = mapped.Unmap(data) }, data)
	return file, nil
}

// Sections lists the parts of the file.
func (f *File) Sections() []Section { return f.header.Sections }

// section returns the first part of a name, or nil.
func (f *File) section(name string) []byte {
	for _, s := range f.header.Sections {
		if s.Name == name {
			return f.data[s.Offset : s.Offset+s.Bytes : s.Offset+s.Bytes]
		}
	}
	return nil
}

func (f *File) blobs() *wire.Blobs {
	b := &wire.Blobs{Keep: f}
	for _, k := range f.header.Blobs {
		s := f.header.Sections[k]
		b.List = append(b.List, f.data[s.Offset:s.Offset+s.Bytes:s.Offset+s.Bytes])
	}
	return b
}

// Load makes the program of the file for a device; nil is the one that it was made for. If it has to
// be compiled again, the notice says why. A device that has a configuration compiles with that, any other
// with the one of the file. Errors are a device that cannot be opened and a module that does not compile for it.
func (f *File) Load(ctx context.Context, dev device.Device) (exe device.Executable, notice string, err error) {
	if dev == nil {
		if dev, err = f.OwnDevice(); err != nil {
			return nil, "", err
		}
	}
	config, err := f.Settings()
	if err != nil {
		return nil, "", fmt.Errorf("%s: %w", f.path, err)
	}
	if backed, ok := dev.(device.Backed); ok && !backed.Config().IsZero() {
		config = backed.Config()
	}
	return f.LoadWith(ctx, dev, config)
}

// LoadWith is [File.Load] with a configuration in place of the device's and the file's. Errors are those of
// [File.Load].
func (f *File) LoadWith(ctx context.Context, dev device.Device, config device.Config) (exe device.Executable, notice string, err error) {
	if notice = f.foreign(dev, config); notice == "" {
		exe, err = f.load(ctx, dev)
		if err == nil || ctx.Err() != nil {
			return exe, "", err
		}
		notice = err.Error()
	}
	module, err := f.Module()
	if err != nil {
		return nil, "", err
	}
	if configured, ok := dev.(device.Configurable); ok {
		dev = configured.With(config)
	}
	if exe, err = dev.Compile(ctx, module); err != nil {
		return nil, "", fmt.Errorf("%s: %w", f.path, err)
	}
	return exe, fmt.Sprintf("%s is compiled again: %s", f.path, notice), nil
}

// foreign says why the program in the file cannot be loaded here, or nothing.
func (f *File) foreign(dev device.Device, config device.Config) string {
	made, _ := f.Settings()
	_, array := dev.(*acap.Array)
	switch {
	case f.Version != version():
		return fmt.Sprintf("it was made by another version (%s, this is %s)", f.Version, version())
	case f.Processor != plan.Processor():
		return fmt.Sprintf("it was made for another processor (%s, this is %s)", f.Processor, plan.Processor())
	case made.String() != config.String():
		return fmt.Sprintf("it was made with the configuration %s, and not with %s", made.Short(), config.Short())
	case f.section("plan") == nil:
		return cmp.Or(f.Problem, "it has no compiled program")
	case !array && dev.Name() != "host":
		return "it was made for another device than " + dev.Name()
	}
	return ""
}

func (f *File) load(ctx context.Context, dev device.Device) (device.Executable, error) {
	p, err := plan.DecodeWith(f.section("plan"), f.blobs())
	if err != nil {
		return nil, err
	}
	for i := range p.Division {
		if g := &p.Division[i]; g.OnDevice() {
			g.Device = dev.Name()
		}
	}
	exe, err := compiler.LoadWith(ctx, p, func() (*mlir.Operation, error) {
		module, err := f.Module()
		if err == nil {
			err = compiler.Lower(module)
		}
		return module, err
	})
	if err != nil {
		return nil, err
	}
	a, ok := dev.(*acap.Array)
	if !ok {
		return exe, nil
	}
	var mappings []byte
	if f.Machines[a.Machine().Name] == a.Identity() {
		mappings = f.section(mappingSection + a.Machine().Name)
	}
	return a.Adopt(exe, mappings)
}

// Module returns the module that the program was made of. A module that does not verify, or whose constants are not in
// the file, is an error.
func (f *File) Module() (*mlir.Operation, error) {
	text := f.section("mlir")
	module, err := mlir.Parse(f.path, text)
	if err != nil {
		return nil, errors.Join(malformed("the module"), err)
	}
	blobs := f.blobs().List
	module.Walk(func(op *mlir.Operation) {
		a, ok := op.Attrs.Get("value").(mlir.ResourceAttr)
		number, mine := strings.CutPrefix(a.Key, blobPrefix)
		if !ok || !mine || a.Data != nil || err != nil {
			return
		}
		n, failed := strconv.Atoi(number)
		shape, elem, _ := mlir.ShapeOf(a.Type)
		elements, static := mlir.NumElements(shape)
		if failed != nil || n < 1 || n > len(blobs) || !static || len(blobs[n-1]) != elements*mlir.ElementSize(elem) {
			err = malformed("the data of constant %q", a.Key)
			return
		}
		a.Data = bytes.Clone(blobs[n-1]) // it may outlive the file
		op.Attrs = op.Attrs.With("value", a)
	})
	if err == nil {
		err = mlir.Verify(module)
	}
	if err != nil {
		return nil, fmt.Errorf("%s: %w", f.path, err)
	}
	return module, nil
}

// Settings returns the configuration that the program was compiled with. Errors are those of [device.ReadConfig].
func (i *Info) Settings() (device.Config, error) { return device.ReadConfig(bytes.NewReader(i.Config)) }
