package compiler

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"sync"
	"time"

	"github.com/go-acap/acap/base/buf"
	"github.com/go-acap/acap/base/environment"
	"github.com/go-acap/acap/base/parallel"
	"github.com/go-acap/acap/device"
	"github.com/go-acap/acap/device/engine"
	"github.com/go-acap/acap/kernel/portable"
	"github.com/go-acap/acap/mlir"
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

// group returns the group of a function of the module, or of a function that was taken out of it for the device. It is
// compiled with the others, see [builder.compileGroups].
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

// job is a group to be compiled, and what that gave once it was tried.
type job struct {
	g        *compiled
	f        *mlir.Operation
	constant []bool

	tried bool
	run   device.GroupProgram
	err   error
}

// compileGroups compiles the groups, several at once. Neither the failures nor the order of warnings depend on how
// many.
func (b *builder) compileGroups(ctx context.Context) error {
	jobs := *b.jobs
	*b.jobs = nil
	if err := b.checkKernels(jobs); err != nil {
		return err
	}
	if b.stored == nil && b.target.atOnce() && len(jobs) > 1 {
		b.compileAtOnce(ctx, jobs)
	}
	for i, j := range jobs {
		if err := b.compileGroup(ctx, j); err != nil {
			for _, other := range jobs[i+1:] {
				other.discard()
			}
			return err
		}
	}
	return nil
}

// discard closes a program that nobody takes.
func (j *job) discard() {
	if j.run != nil {
		j.run.Close()
	}
}

// compileAtOnce compiles groups on several goroutines. For a device other than the engine, one group of each set of
// equal groups is compiled first; if that fails, the equal groups are not compiled, as in a compilation of one group at
// a time.
func (b *builder) compileAtOnce(ctx context.Context, jobs []*job) {
	alike := make(map[mlir.Digest]*job)
	leader := make(map[*job]*job)
	var leaders, others []*job
	for _, j := range jobs {
		if !b.target.isNative() {
			digest := mlir.DigestOf(j.f, b.target.backend.Name())
			if leader[j] = alike[digest]; leader[j] != nil {
				others = append(others, j)
				continue
			}
			alike[digest] = j
		}
		leaders = append(leaders, j)
	}
	for _, list := range [...][]*job{leaders, others} {
		list = slices.DeleteFunc(list, func(j *job) bool {
			_, failed := failures.find(b.target.backend.Name(), j.f)
			return failed || leader[j] != nil && leader[j].run == nil
		})
		parallel.For(len(list), func(i int) { b.try(ctx, list[i]) })
	}
}

// try compiles a group for the device, or for the host if it is of the host.
func (b *builder) try(ctx context.Context, j *job) {
	start := time.Now()
	defer func() {
		j.g.took = time.Since(start)
		if j.err != nil {
			j.run = nil // whatever a device returns beside an error
		}
	}()
	j.tried = true
	if j.err = ctx.Err(); j.err != nil {
		return
	}
	source := j.f
	if isHosted(j.f) {
		j.run, j.err = Native{}.CompileGroup(ctx, b.source(j, source))
		return
	}
	if b.apart[j.g.name] != nil {
		if source, j.err = b.target.form(j.f); j.err != nil {
			return
		}
	}
	if j.run, j.err = b.target.backend.CompileGroup(ctx, b.source(j, source)); j.err == nil && j.run == nil {
		j.err = errors.New("the device gave no program")
	}
}

// isHosted reports whether a function is a group of the host.
func isHosted(f *mlir.Operation) bool { return f.Attrs.Get(hostMark) != nil }

func (b *builder) source(j *job, f *mlir.Operation) *device.GroupSource {
	return &device.GroupSource{Name: j.g.name, Func: f, Constant: j.constant, FastMath: b.target.config.FastMath(),
		Reproducible: b.target.config.Reproducible(), Kernels: kernelsOf(b.target.config.Kernels(), j.g.name)}
}

func (b *builder) compileGroup(ctx context.Context, j *job) error {
	g, f := j.g, j.f
	var err error
	if b.stored != nil {
		err = b.load(g, f, j.constant)
	} else if isHosted(f) {
		g.hosted = true
		if !j.tried {
			b.try(ctx, j)
		}
		g.run, err = j.run, j.err
	} else {
		err = b.onDevice(ctx, j)
	}
	if err != nil {
		g.run = nil
		return err
	}
	g.engine, _ = g.run.(*engine.Program)
	if b.stored == nil && (g.engine == nil || g.hosted) {
		g.ops = b.opsOf(g.name, f)
	}
	if g.engine == nil {
		g.run = &withResults{g.run, resultTypes(f)}
	}
	return nil
}

// opsOf lists the operations of a group: for a group of the device the names about which the device was asked, for a
// group of the host the operations that are compiled.
func (b *builder) opsOf(name string, f *mlir.Operation) []string {
	for _, d := range b.exe.division {
		if d.Name == name && len(d.Ops) > 0 {
			return d.Ops
		}
	}
	return describe(f, "").Ops
}

// onDevice takes what a group became on the device, or compiles it for the host if that failed.
func (b *builder) onDevice(ctx context.Context, j *job) error {
	g, f := j.g, j.f
	insists := b.target.config.Strict() || b.target.config.Kernels() != "" // on the device: an error is one
	why, failed := failures.find(b.target.backend.Name(), f)
	if failed && !insists {
		j.discard() // another program's group, which is alike, failed meanwhile
	} else {
		if !j.tried {
			b.try(ctx, j)
		}
		g.run = j.run
		if j.err == nil || insists || ctx.Err() != nil || isRefusal(j.err) {
			return j.err
		}
		why = j.err.Error()
	}
	start := time.Now()
	defer func() { g.took += time.Since(start) }()
	var err error
	if g.run, err = onHost(ctx, f, j.constant, b.apart[g.name] != nil, b.target.config.Reproducible()); err != nil {
		if err.Error() == why { // both compile kernels in the same way
			return err
		}
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
func onHost(ctx context.Context, f *mlir.Operation, constant []bool, apart, reproducible bool) (device.GroupProgram, error) {
	if !apart {
		backend := portable.Compile
		if reproducible {
			backend = portable.CompileFixed
		}
		p, err := engine.Compile(f, engine.Options{ConstInputs: constant, Backend: backend, Reproducible: reproducible, NoFusion: true})
		if err != nil {
			return nil, tooLarge(err)
		}
		return p, nil
	}
	module := asModule(f)
	exe, err := CompileFor(ctx, module, onlyNative{}, device.Config{}.WithReproducible(reproducible))
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

// resultTypes returns the types of a function's results.
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
	why map[mlir.Digest]string
}

var failures failed

// find returns why a group failed before. Until one has failed it costs nothing.
func (f *failed) find(device string, group *mlir.Operation) (string, bool) {
	f.mu.Lock()
	defer f.mu.Unlock()
	if len(f.why) == 0 {
		return "", false
	}
	why, ok := f.why[mlir.DigestOf(group, device)]
	return why, ok
}

func (f *failed) add(device string, group *mlir.Operation, why string) {
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.why == nil || len(f.why) >= mostFailures {
		f.why = map[mlir.Digest]string{}
	}
	f.why[mlir.DigestOf(group, device)] = why
}

// ForgetFailures lets groups be compiled again that could not be compiled before.
func ForgetFailures() {
	failures.mu.Lock()
	defer failures.mu.Unlock()
	failures.why = nil
}
