package artifact

import (
	"bytes"
	"context"
	"crypto/ed25519"
	"crypto/sha256"
	"encoding/json"
	"fmt"
	"io"

	"github.com/go-acap/acap/base/atomicfile"
	"github.com/go-acap/acap/base/wire"
	"github.com/go-acap/acap/device"
	"github.com/go-acap/acap/device/acap"
	"github.com/go-acap/acap/device/compiler"
	"github.com/go-acap/acap/device/host"
	"github.com/go-acap/acap/device/plan"
	"github.com/go-acap/acap/mlir"
	"github.com/go-acap/acap/trace"
)

// Options say what to make.
type Options struct {
	// Config says how to compile.
	Config device.Config
	// Machines are the arrays whose mappings go into the file, such as "npu1"; a program runs on
	// others as well, but has to be mapped first when somebody asks for its account. Without any
	// the program is for the host.
	Machines []string
	// Arrays are further ones, open already.
	Arrays []*acap.Array
	// Model is where the module is from.
	Model string
	// Sign is the key that signs the file; nil leaves it unsigned. See [File.Verify].
	Sign ed25519.PrivateKey
}

// Info is the description of its program in a file.
type Info struct {
	Version   string            `json:"version"`   // of the compiler
	Processor string            `json:"processor"` // that the program is for
	Model     string            `json:"model,omitempty"`
	Device    string            `json:"device"`             // that the program is for, if nothing else is said
	Machines  map[string]string `json:"machines,omitempty"` // what is known of each machine, by its name
	Config    json.RawMessage   `json:"config"`             // see [device.Config]
	Inputs    []string          `json:"inputs"`             // types
	Outputs   []string          `json:"outputs"`
	Guards    []string          `json:"guards,omitempty"`   // what the program's structure depends on, and for what it is right
	Problem   string            `json:"problem,omitempty"`  // why there is no compiled program in the file
	Division  []device.Group    `json:"division"`           // see [device.Grouped]
	Warnings  []string          `json:"warnings,omitempty"` // what went another way than the configuration says
}

// Write compiles a module and writes its program. The module stays as it is. A module that does not compile, a machine
// that does not exist, a key that is none and a file that cannot be written are errors. No module, or an array that is
// nil, is a typed panic.
func Write(ctx context.Context, path string, module *mlir.Operation, opts Options) error {
	trace.Need("artifact", "the module", module)
	for _, a := range opts.Arrays {
		trace.Need("artifact", "an array", a)
	}
	h, sections, err := build(ctx, module, opts)
	if err != nil {
		return err
	}
	if opts.Sign == nil {
		return atomicfile.Write(path, func(w io.Writer) error { return write(w, h, sections) })
	}
	if len(opts.Sign) != ed25519.PrivateKeySize {
		return fmt.Errorf("a key of %d bytes", len(opts.Sign))
	}
	var b bytes.Buffer
	if err := write(&b, h, sections); err != nil {
		return err
	}
	return atomicfile.WriteBytes(path, sign(b.Bytes(), opts.Sign))
}

// builder collects the sections of a file.
type builder struct {
	sections []section
	blobs    wire.Blobs
	number   map[[sha256.Size]byte]int // of the section of a byte string
}

func build(ctx context.Context, module *mlir.Operation, opts Options) (*header, []section, error) {
	h := &header{Info: Info{Version: version(), Processor: plan.Processor(), Model: opts.Model, Machines: map[string]string{}, Config: json.RawMessage(opts.Config.String())}}
	b := &builder{number: map[[sha256.Size]byte]int{}}
	b.add("mlir", []byte(b.text(module)))
	exe, err := b.compile(ctx, module, h, opts)
	if err != nil {
		return nil, nil, err
	}
	defer exe.Close()
	if h.Guards, err = compiler.Guards(module); err != nil {
		return nil, nil, err
	}
	inputs, outputs := exe.Types()
	for _, t := range inputs {
		h.Inputs = append(h.Inputs, mlir.Tensor(t.DType, t.Shape).String())
	}
	for _, t := range outputs {
		h.Outputs = append(h.Outputs, mlir.Tensor(t.DType, t.Shape).String())
	}
	h.Division, h.Warnings = exe.Division(), exe.Warnings()
	if p, err := exe.PlanWith(&b.blobs); err != nil {
		h.Problem = err.Error()
	} else {
		b.add("plan", p.Encode())
	}
	for _, data := range b.blobs.List {
		h.Blobs = append(h.Blobs, b.blob(data))
	}
	return h, b.sections, nil
}

// compile compiles a copy of the module, and maps it onto the machines.
func (b *builder) compile(ctx context.Context, module *mlir.Operation, h *header, opts Options) (*compiler.Executable, error) {
	var first device.Backed = host.Device().(device.Backed)
	machines, err := arrays(opts.Machines, opts.Arrays)
	if err != nil {
		return nil, err
	}
	if len(machines) > 0 {
		first = machines[0]
	}
	h.Device = first.Name()
	exe, err := compiler.CompileFor(ctx, module.Clone(map[*mlir.Value]*mlir.Value{}), first.Backend(), opts.Config)
	if err != nil {
		return nil, err
	}
	for _, a := range machines {
		p, err := a.Adopt(exe.Share(), nil)
		if err != nil {
			return nil, err
		}
		mappings, err := p.Mappings()
		p.Close()
		if err != nil {
			return nil, fmt.Errorf("%s: %w", a.Name(), err)
		}
		if err := b.array(h, a, mappings); err != nil {
			return nil, err
		}
	}
	return exe, nil
}

const (
	blobPrefix = "artifact_"
	// inlineBytes is the size up to which constants stay in the text of the module.
	inlineBytes = 64
)

func (b *builder) add(name string, data []byte) int {
	b.sections = append(b.sections, section{name, data})
	return len(b.sections) - 1
}

// blob returns the section of a byte string.
func (b *builder) blob(data []byte) int {
	sum := sha256.Sum256(data)
	n, ok := b.number[sum]
	if !ok {
		n = b.add("data", data)
		b.number[sum] = n
	}
	return n
}

// text prints a module with the data of its constants among the byte strings.
func (b *builder) text(module *mlir.Operation) string {
	copied := module.Clone(map[*mlir.Value]*mlir.Value{})
	copied.Walk(func(op *mlir.Operation) {
		var data []byte
		var of mlir.Type
		switch a := op.Attrs.Get("value").(type) {
		case mlir.DenseAttr:
			data, of = a.Data, a.Type
		case mlir.ResourceAttr:
			data, of = a.Data, a.Type
		}
		if len(data) <= inlineBytes {
			return
		}
		b.blobs.List = append(b.blobs.List, data)
		key := fmt.Sprintf("%s%d", blobPrefix, len(b.blobs.List))
		op.Attrs = op.Attrs.With("value", mlir.ResourceAttr{Key: key, Type: of})
	})
	return copied.Text(mlir.PrintOptions{Locations: true})
}
