package explorer

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync"

	"github.com/go-acap/acap/base/buf"
	"github.com/go-acap/acap/device"
	"github.com/go-acap/acap/mlir"
)

// Program is the program that an explorer shows.
type Program struct {
	Name   string
	Module *mlir.Operation // in the aten or the linalg form; it is not changed
	Device device.Device
	Inputs []*buf.Buffer // of the run that is timed on this machine; nil if there is none
	Note   string        // where the program comes from
	// Source returns the text of a file that locations name, nil if it is not at hand. It
	// may be nil.
	Source func(file string) []byte
}

// Explorer makes the parts of the page of a program. Its methods may be called from several
// goroutines.
type Explorer struct {
	program Program
	module  *mlir.Operation // with numbered calls
	model   *Model
	other   *Explorer // to be compared

	// OnPart, if it is not nil, is told of each part that a page with several parts needs, before it is made: its name,
	// its number from 1 on, and how many there are.
	OnPart func(name string, number, of int)

	compiling sync.Mutex
	compiled  bool
	exe       device.Executable
	failed    error

	mu    sync.Mutex
	parts map[string]*part
}

// part is a part that is made once.
type part struct {
	once  sync.Once
	value any
	err   error
}

// errNoPart wraps errors about a part that does not exist.
var errNoPart = errors.New("no such part")

// New makes an explorer. Nothing is compiled until a part needs it. A program without module, device or calls is an
// error.
func New(p Program) (*Explorer, error) {
	if p.Module == nil || p.Device == nil {
		return nil, errors.New("explorer: a program needs a module and a device")
	}
	e := &Explorer{program: p, module: clone(p.Module), parts: map[string]*part{}}
	e.model = e.newModel()
	if len(e.model.Calls) == 0 {
		return nil, errors.New("explorer: the program has no calls")
	}
	return e, nil
}

// Compare shows another program beside this one, which is closed with it.
func (e *Explorer) Compare(other *Explorer) { e.other = other }

// Close frees the compiled program.
func (e *Explorer) Close() {
	e.compiling.Lock()
	defer e.compiling.Unlock()
	if e.exe != nil {
		e.exe.Close()
		e.exe = nil
	}
	e.compiled, e.failed = true, errors.New("explorer: closed")
	if e.other != nil {
		e.other.Close()
	}
}

// Parts names the parts that a saved page holds, "model" first.
func (e *Explorer) Parts() []string {
	names := []string{"model", "program", "memory", "measured"}
	if e.onArray() {
		names = append(names, "array", "timeline", "whatif")
	}
	for _, s := range e.stages() {
		names = append(names, "stage/"+s)
	}
	if e.other != nil {
		names = append(names, "other")
	}
	return names
}

// Part makes a part, or returns it if it has been made: a value for [json.Marshal]. Besides the parts of
// [Explorer.Parts] there is "whatif/MACHINE/PRECISION", the program on another machine. A name of no part is an error;
// the error of making a part is kept, and returned each time.
func (e *Explorer) Part(ctx context.Context, name string) (any, error) {
	kind, rest, _ := strings.Cut(name, "/")
	build := map[string]func(context.Context, string) (any, error){
		"model": e.modelPart, "program": e.programPart, "memory": e.memoryPart, "measured": e.measuredPart,
		"array": e.arrayPart, "timeline": e.timelinePart, "whatif": e.whatIfPart, "stage": e.stagePart, "other": e.otherPart,
	}[kind]
	if build == nil || !e.known(name) {
		return nil, fmt.Errorf("%w: %q", errNoPart, name)
	}
	e.mu.Lock()
	p := e.parts[name]
	if p == nil {
		p = &part{}
		e.parts[name] = p
	}
	e.mu.Unlock()
	p.once.Do(func() { p.value, p.err = build(context.WithoutCancel(ctx), rest) })
	return p.value, p.err
}

// known reports whether there is a part of a name. Only such parts are kept, so that names of requests take no memory.
func (e *Explorer) known(name string) bool {
	if which, ok := strings.CutPrefix(name, "whatif/"); ok && e.onArray() {
		machine, precision, _ := strings.Cut(which, "/")
		return slices.Contains(e.machines(), machine) && slices.Contains(precisions, precision)
	}
	return slices.Contains(e.Parts(), name) || unshown[name]
}

// unshown are parts that a page does not have for some programs, and whose errors say why.
var unshown = map[string]bool{"array": true, "timeline": true, "whatif": true, "other": true}

func (e *Explorer) modelPart(context.Context, string) (any, error) { return e.model, nil }

// executable compiles the program, once.
func (e *Explorer) executable(ctx context.Context) (device.Executable, error) {
	e.compiling.Lock()
	defer e.compiling.Unlock()
	if !e.compiled {
		e.compiled = true
		e.exe, e.failed = e.program.Device.Compile(ctx, clone(e.module))
	}
	return e.exe, e.failed
}

// clone copies a module with the numbers of its calls.
func clone(module *mlir.Operation) *mlir.Operation {
	return module.Clone(map[*mlir.Value]*mlir.Value{})
}
