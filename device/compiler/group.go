package compiler

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"time"

	"github.com/go-acap/acap/device"
	"github.com/go-acap/acap/device/engine"
	"github.com/go-acap/acap/device/kernel/environment"
	"github.com/go-acap/acap/device/kernel/parallel"
	"github.com/go-acap/acap/device/kernel/portable"
	"github.com/go-acap/acap/mlir"
	"github.com/go-acap/acap/mlir/passes"
	"github.com/go-acap/acap/tensor/buf"
)

// compiled is a group of a program.
type compiled struct {
	name   string
	run    device.GroupProgram
	engine *engine.Program // run, if it is one
	hosted bool            // by the host, because the device does not
	ops    []string        // of a group that is no program of the engine
	loc    mlir.Location
	took   time.Duration // to compile
}

// group returns the group of a function of the module, or of those of the device that are apart.
// It is compiled with the others, see [builder.compileGroups].
func (b *builder) group(name string, f *mlir.Operation, constant []bool) *compiled {
	if g := b.programs[name]; g != nil {
		return g
	}
	g := &compiled{name: name, loc: f.Loc}
	b.programs[name] = g
	b.exe.groups = append(b.exe.groups, g)
	b.exe.parts = append(b.exe.parts, part{group: g})
	*b.jobs = append(*b.jobs, &job{g: g, f: f, constant: constant})
	return g
}

// job is a group to be compiled.
type job struct {
	g        *compiled
	f        *mlir.Operation
	constant []bool

	tried bool // what compiling it gave:
	run   device.GroupProgram
	err   error
}

// compileGroups compiles the groups, those of the engine on several cores. What fails, and the order of
// warnings, do not depend on their number.
func (b *builder) compileGroups(ctx context.Context) error {
	jobs := *b.jobs
	*b.jobs = nil
	if b.stored == nil && b.target.ownCode() && len(jobs) > 1 {
		parallel.For(len(jobs), func(i int) {
			j := jobs[i]
			if _, failed := failures.find(b.target.backend.Name(), j.f); !failed && ctx.Err() == nil {
				j.run, j.err = b.target.backend.CompileGroup(ctx, b.source(j, j.f))
				j.tried = true
			}
		})
	}
	for i, j := range jobs {
		if err := b.compileGroup(ctx, j); err != nil {
			for _, other := range jobs[i+1:] {
				if other.run != nil {
					other.run.Close()
				}
			}
			return err
		}
	}
	return nil
}

func (b *builder) source(j *job, f *mlir.Operation) *device.GroupSource {
	return &device.GroupSource{Name: j.g.name, Func: f, Constant: j.constant, FastMath: b.target.config.FastMath()}
}

func (b *builder) compileGroup(ctx context.Context, j *job) error {
	g, f := j.g, j.f
	start := time.Now()
	var err error
	if b.stored != nil {
		err = b.load(g, f, j.constant)
	} else if f.Attrs.Get(hostMark) != nil {
		g.hosted = true
		if g.run, err = j.run, j.err; !j.tried {
			g.run, err = Native{}.CompileGroup(ctx, b.source(j, f))
		}
	} else {
		err = b.onDevice(ctx, j)
	}
	if err != nil {
		g.run = nil
		return err
	}
	g.engine, _ = g.run.(*engine.Program)
	if b.stored == nil {
		g.took = time.Since(start)
	}
	if b.stored == nil && (g.engine == nil || g.hosted) {
		g.ops = b.opsOf(g.name, f)
	}
	if g.engine == nil {
		g.run = &withResults{g.run, resultTypes(f)}
	}
	return nil
}

// opsOf lists the operations of a group: of one of the device as that was asked about them, of one
// of the host in the form in which it is compiled.
func (b *builder) opsOf(name string, f *mlir.Operation) []string {
	for _, d := range b.exe.division {
		if d.Name == name && len(d.Ops) > 0 {
			return d.Ops
		}
	}
	return describe(f, "").Ops
}

// onDevice compiles a group for the device, or for the host if that fails.
func (b *builder) onDevice(ctx context.Context, j *job) error {
	g, f := j.g, j.f
	apart := b.apart[g.name] != nil
	why, failed := failures.find(b.target.backend.Name(), f)
	if !failed {
		source, err := f, error(nil)
		if apart {
			source, err = b.target.form(f)
		}
		if j.tried {
			g.run, err = j.run, j.err
		} else if err == nil {
			g.run, err = b.target.backend.CompileGroup(ctx, b.source(j, source))
		}
		if err == nil && g.run == nil {
			err = errors.New("the device gave no program")
		}
		if err == nil || b.target.config.Strict() || ctx.Err() != nil || isRefusal(err) {
			return err
		}
		why = err.Error()
	}
	var err error
	if g.run, err = onHost(ctx, f, j.constant, apart); err != nil {
		return fmt.Errorf("%s (and on the host: %w)", why, err)
	}
	g.hosted = true
	for i := range b.exe.division {
		if d := &b.exe.division[i]; d.Name == g.name && d.Problem == "" {
			d.Device, d.Problem = hostName, "it could not be compiled: "+why
			for _, op := range d.Ops {
				b.exe.fallback(op)
			}
		}
	}
	if !failed {
		failures.add(b.target.backend.Name(), f, why)
		b.exe.warnings = append(b.exe.warnings, fmt.Sprintf("%s: group %s of %d operations runs on the host: %s",
			b.target.backend.Name(), g.name, len(describe(f, "").Ops), why))
	}
	return nil
}

// isRefusal reports whether an error is about memory or the environment, which the host would
// refuse as well.
func isRefusal(err error) bool {
	var memory *device.MemoryError
	var bytes *buf.MemoryError
	return errors.As(err, &memory) || errors.As(err, &bytes) || environment.IsError(err)
}

// onHost compiles a group that its device could not compile: in the plainest way that the engine
// has, or from the form that the device was asked about.
func onHost(ctx context.Context, f *mlir.Operation, constant []bool, apart bool) (device.GroupProgram, error) {
	if !apart {
		p, err := engine.Compile(f, engine.Options{ConstInputs: constant, Backend: portable.Compile, NoFusion: true})
		if err != nil {
			return nil, tooLarge(err)
		}
		return p, nil
	}
	module := asModule(f)
	exe, err := Compile(ctx, module)
	if err != nil {
		return nil, err
	}
	return hostedProgram{exe}, nil
}

// hostedProgram is a program of the host in the place of a group.
type hostedProgram struct{ *Executable }

// Memory implements [device.GroupProgram].
func (p hostedProgram) Memory() int64 { return p.Executable.Memory().Run }

// withResults makes the results that are not there, so that devices need not.
type withResults struct {
	device.GroupProgram
	types []mlir.Type
}

func (w *withResults) RunInto(ctx context.Context, inputs, results []*buf.Buffer) error {
	for i, t := range w.types {
		if results[i] == nil {
			of := typeOf(t)
			results[i] = buf.New(of.DType, of.Shape)
		}
	}
	return w.GroupProgram.RunInto(ctx, inputs, results)
}

// resultTypes are those of a function.
func resultTypes(f *mlir.Operation) []mlir.Type {
	t, _ := f.Attrs.Get("function_type").(mlir.TypeAttr)
	signature, _ := t.Type.(mlir.FunctionType)
	return signature.Results
}

// mostFailures bounds the groups that are remembered; when there are more, all are forgotten.
const mostFailures = 1 << 12

// failed remembers the groups that could not be compiled, so that they are not tried again.
type failed struct {
	mu  sync.Mutex
	why map[passes.Digest]string
}

var failures failed

// find returns why a group failed before. Until one has failed it costs nothing.
func (f *failed) find(device string, group *mlir.Operation) (string, bool) {
	f.mu.Lock()
	defer f.mu.Unlock()
	if len(f.why) == 0 {
		return "", false
	}
	why, ok := f.why[passes.DigestOf(group, device)]
	return why, ok
}

func (f *failed) add(device string, group *mlir.Operation, why string) {
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.why == nil || len(f.why) >= mostFailures {
		f.why = map[passes.Digest]string{}
	}
	f.why[passes.DigestOf(group, device)] = why
}

// ForgetFailures lets groups be compiled again that could not be compiled before.
func ForgetFailures() {
	failures.mu.Lock()
	defer failures.mu.Unlock()
	failures.why = nil
}
