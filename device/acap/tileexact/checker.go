package tileexact

import (
	"fmt"
	"maps"
	"sync"
	"unsafe"

	"github.com/go-acap/acap/base/buf"
	"github.com/go-acap/acap/device"
	"github.com/go-acap/acap/device/acap/describe"
	"github.com/go-acap/acap/device/acap/event"
	"github.com/go-acap/acap/device/acap/machine"
	"github.com/go-acap/acap/device/acap/mapper"
	"github.com/go-acap/acap/device/acap/program"
	"github.com/go-acap/acap/device/acap/timing"
	"github.com/go-acap/acap/device/acap/workload"
	"github.com/go-acap/acap/kernel"
)

// Checker is a back end that runs every kernel twice: natively, which gives the
// result, and tile by tile, which must give the same.
type Checker struct {
	Machine *machine.Machine
	Native  func(kernel.Kernel) (kernel.Code, error)
	Faults  []event.Fault
	Config  device.Config // how programs are compiled; what fails is always an error
	// MaxWork bounds the multiply-accumulates and bytes of a kernel that is
	// walked; 0 is 64 million.
	MaxWork int64
	// Map chooses the mapping of a kernel; nil is [mapper.Map].
	Map func(*machine.Machine, *workload.Kernel) (*mapper.Choice, error)

	mu       sync.Mutex
	retained map[retained]*memory // what launches left in mem tiles
	Kernels  []*Result            // in the order in which they were compiled
}

// Result is the verdict on one kernel.
type Result struct {
	Kernel  string
	Mapping string
	Runs    int
	Skipped string // why the kernel was not walked
	Err     error  // the first thing that went wrong
	// Elements of the result that were compared, how many of them have other
	// bits, and the greatest difference in units of the bound.
	Elements, Differ int
	Worst            float64
	Wrong            []program.Coord // cores whose results differ by more
	// Flips is how many bits faults flipped, Changed how many elements of the results have
	// other bits than without.
	Flips, Changed int
}

// String is the verdict in one line.
func (r *Result) String() string {
	switch {
	case r.Skipped != "":
		return fmt.Sprintf("%s: not walked: %s", r.Kernel, r.Skipped)
	case r.Err != nil:
		return fmt.Sprintf("%s: %v", r.Kernel, r.Err)
	case r.Changed > 0:
		return fmt.Sprintf("%s: %d of %d elements change with the flipped bit, all within rounding",
			r.Kernel, r.Changed, r.Elements)
	case r.Flips > 0:
		return fmt.Sprintf("%s: %d elements, none changes with the flipped bit", r.Kernel, r.Elements)
	case r.Differ == 0:
		return fmt.Sprintf("%s: %d elements, the same bits", r.Kernel, r.Elements)
	}
	return fmt.Sprintf("%s: %d elements, %d differ in rounding", r.Kernel, r.Elements, r.Differ)
}

// Backend compiles a kernel; it is for engine.Options. An error is one of Native; a kernel that cannot be walked is
// none, but says so in its [Result].
func (c *Checker) Backend(k kernel.Kernel) (kernel.Code, error) {
	native, err := c.Native(k)
	if err != nil {
		return nil, err
	}
	x := &code{checker: c, kernel: k, native: native, result: &Result{Kernel: kernel.NameOf(k)}}
	if err := x.prepare(); err != nil {
		x.result.Skipped = err.Error()
	}
	c.mu.Lock()
	c.Kernels = append(c.Kernels, x.result)
	c.mu.Unlock()
	return x, nil
}

// code is a kernel that checks itself. It is one unit of work.
type code struct {
	kernel.OnePhase
	checker *Checker
	kernel  kernel.Kernel
	native  kernel.Code
	result  *Result
	work    *workload.Kernel
	choice  *mapper.Choice
	program *program.Program
}

func (x *code) prepare() error {
	for _, p := range x.kernel.Ports() {
		if p.Stored() {
			return fmt.Errorf("an operand is stored in blocks of %v, which an array would keep in a format of its own", p.Format)
		}
	}
	var err error
	if x.work, err = describe.Kernel(x.result.Kernel, x.kernel); err != nil {
		return err
	}
	x.work = timing.Stored(x.checker.Machine, x.work)
	most := x.checker.MaxWork
	if most == 0 {
		most = 64e6
	}
	if n := max(x.work.MACs(), x.work.Bytes()); n > most {
		return fmt.Errorf("%d operations or bytes, more than %d", n, most)
	}
	choose := x.checker.Map
	if choose == nil {
		choose = mapper.Map
	}
	if x.choice, err = choose(x.checker.Machine, x.work); err != nil {
		return err
	}
	x.result.Mapping = x.choice.Mapping.String()
	if x.program, err = x.choice.Program(); err != nil {
		return err
	}
	x.program.Lower()
	return x.program.Verify()
}

// Units, UnitNanos, Scratch, Listing and Close implement [kernel.Code].
func (x *code) Units() int         { return 1 }
func (x *code) UnitNanos() float64 { return 1e6 }
func (x *code) Scratch() int       { return 0 }
func (x *code) Listing() string    { return x.native.Listing() }
func (x *code) Close()             { x.native.Close() }

// Run implements [kernel.Code].
func (x *code) Run(args *kernel.Args, lo, hi int) {
	if lo >= hi {
		return
	}
	r := x.result
	r.Runs++
	ports := x.ports(args)
	var l *layout
	var arguments, sound []*memory
	sway := &swaying{x: x}
	var err error
	if r.Skipped == "" && r.Err == nil {
		if l, err = x.layout(ports); err == nil {
			// The result may lie where an input is: read before the native run.
			arguments, err = l.arguments(x.program, ports)
			if err == nil && len(x.checker.Faults) > 0 {
				sound, err = l.arguments(x.program, ports)
			}
			for _, p := range ports {
				sway.inputs = append(sway.inputs, p.Clone())
			}
		}
		if err != nil {
			r.Skipped = err.Error()
		}
	}
	if !execute(x.native, args.Ptr) {
		args.Fault = 1
		return
	}
	if r.Skipped == "" && r.Err == nil {
		r.Err = x.walk(l, arguments, sound, ports, sway)
	}
}

func (x *code) ports(args *kernel.Args) []*buf.Buffer {
	var out []*buf.Buffer
	for i, p := range x.kernel.Ports() {
		data := unsafe.Slice((*byte)(args.Ptr[i]), p.Len*p.DType.Size())
		b, err := buf.Wrap(p.DType, []int{p.Len}, data)
		if err != nil {
			b = buf.New(p.DType, []int{p.Len})
			copy(b.Bytes(), data)
		}
		out = append(out, b)
	}
	return out
}

func (x *code) layout(ports []*buf.Buffer) (*layout, error) {
	t := &tiling{x.work, x.program, &x.choice.Mapping, ports, x.checker.Native}
	lines, byLines := x.kernel.(kernel.LineByLine)
	switch lay, ok := layouts.Of(x.kernel); {
	case ok:
		return lay(t, x.kernel)
	case byLines && t.g.TK == 0:
		return t.lineByLine(lines), nil
	}
	return nil, fmt.Errorf("no tiles for %T", x.kernel)
}

// walk runs the program and compares; with faults it runs it without them, too.
func (x *code) walk(l *layout, args, sound []*memory, ports []*buf.Buffer, sway *swaying) error {
	if l.close != nil {
		defer l.close()
	}
	compute, err := l.compute(x.program)
	if err != nil {
		return err
	}
	// Launches run one after the other, as on the array.
	x.checker.mu.Lock()
	defer x.checker.mu.Unlock()
	if x.checker.retained == nil {
		x.checker.retained = make(map[retained]*memory)
	}
	before := maps.Clone(x.checker.retained)
	flips, err := run(x.program, args, x.checker.Faults, x.checker.retained, compute)
	x.result.Flips += flips
	if err != nil {
		return err
	}
	if sound != nil {
		if _, err := run(x.program, sound, nil, before, compute); err != nil {
			return err
		}
		for _, out := range l.outputs {
			x.changed(out, args[out.arg].data, sound[out.arg].data)
		}
	}
	for _, out := range l.outputs {
		if err := x.compare(out, args[out.arg], ports[out.port], l.terms, sway); err != nil {
			return err
		}
	}
	return nil
}
