package lazy

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"github.com/go-acap/acap/base/atomicfile"
	"github.com/go-acap/acap/base/buf"
	"github.com/go-acap/acap/base/environment"
	"github.com/go-acap/acap/device"
	"github.com/go-acap/acap/lazy/replay"
	"github.com/go-acap/acap/mlir"
	"github.com/go-acap/acap/trace"
	"github.com/go-acap/acap/translate/passes"
)

// The environment variables of debugging. Each level does what the ones below it do, too.
//
//	ACAP_DEBUG=1   a line for every program that is compiled, with the reason
//	ACAP_DEBUG=2   a line for every barrier: calls, time, and whether its program was cached
//	ACAP_DEBUG=3   the forms of every program as files, after each pass, in ACAP_DUMP
//	ACAP_DEBUG=4   machine code and the array's program as files, and every program's first
//	               results compared with the reference; what differs is a line
//
// Lines go to standard error. ACAP_DUMP is a folder, "acap-debug" if it is not set.
const (
	DebugVariable = "ACAP_DEBUG"
	DumpVariable  = "ACAP_DUMP"
)

// debugging has the settings of the environment, or of [Debug].
var debugging struct {
	once  sync.Once
	level atomic.Int32
	err   error      // what is wrong with the environment; of the first barrier that compiles
	mu    sync.Mutex // of what follows, and of lines
	w     io.Writer
	dir   string
}

// Debug sets the level of debugging, 0 to 4 (see [DebugVariable]), where its lines go, and the
// folder of its files.
func Debug(level int, w io.Writer, dir string) {
	debugging.once.Do(func() {})
	debugging.mu.Lock()
	defer debugging.mu.Unlock()
	debugging.w, debugging.dir = w, dir
	debugging.level.Store(int32(level))
}

// debugLevel returns the level.
func debugLevel() int {
	debugging.once.Do(func() {
		debugging.w, debugging.dir = os.Stderr, os.Getenv(DumpVariable)
		if debugging.dir == "" {
			debugging.dir = "acap-debug"
		}
		level, err := DebugSetting()
		debugging.err = err
		debugging.level.Store(int32(level))
	})
	return int(debugging.level.Load())
}

// DebugSetting reads the level, 0 to 4, from the environment. Another value is an [*environment.Error].
func DebugSetting() (int, error) {
	switch text := os.Getenv(DebugVariable); text {
	case "", "0":
		return 0, nil
	case "1", "2", "3", "4":
		return int(text[0] - '0'), nil
	default:
		return 0, &environment.Error{Variable: DebugVariable, Value: text, Want: "a number from 0 to 4"}
	}
}

func debugf(format string, args ...any) {
	debugging.mu.Lock()
	defer debugging.mu.Unlock()
	fmt.Fprintf(debugging.w, "acap: "+format+"\n", args...)
}

// debugBarrier tells of a barrier.
func (r *Runtime) debugBarrier(p *program, g *trace.Graph, took time.Duration) {
	state := "cached"
	if p.runs.Load() == 1 {
		state = "new"
	}
	where := ""
	if len(g.Nodes) > 0 {
		where = g.Nodes[len(g.Nodes)-1].Location().Short()
	}
	debugf("%s: barrier of %d calls to %s: program %d (%s), %v", r.dev.Name(), len(g.Nodes), orUnknown(where), p.number,
		state, took.Round(time.Microsecond))
}

// debugRun tells of a barrier, and compares the first results of a program.
func (r *Runtime) debugRun(level int, p *program, g *trace.Graph, inputs []*buf.Buffer, took time.Duration) {
	r.debugBarrier(p, g, took)
	if level >= 4 && p.text != "" && p.runs.Load() == 1 {
		r.debugResults(p, p.text, inputs)

	}
}

// textWithLines prints a module with the lines that recorded it.
func textWithLines(module *mlir.Operation) string {
	var b strings.Builder
	_ = mlir.Print(&b, module, mlir.PrintOptions{Locations: true}) // into memory
	return b.String()
}

// debugCompile tells of a program and writes its forms. text is the module before it was
// compiled.
func (r *Runtime) debugCompile(level int, p *program, exe device.Executable, text string) {
	why := strings.TrimSpace(r.lastWhy().String())
	debugf("%s: compiled: %s", r.dev.Name(), why)
	if level < 3 {
		return
	}
	debugging.mu.Lock()
	dir := filepath.Join(debugging.dir, fmt.Sprintf("%04d-%s", p.number, keyText(p.key)[:12]))
	debugging.mu.Unlock()
	if err := r.dump(level, dir, p, exe, text); err != nil {
		debugf("%s: no files of program %d: %v", r.dev.Name(), p.number, err)
	}
}

// lastWhy is the reason of the last compilation.
func (r *Runtime) lastWhy() Recompilations {
	all := r.WhyRecompiled()
	return all[max(len(all)-1, 0):]
}

// dump writes the forms of a program.
func (r *Runtime) dump(level int, dir string, p *program, exe device.Executable, text string) error {
	if err := os.MkdirAll(dir, 0o777); err != nil {
		return err
	}
	write := func(name, text string) error { return atomicfile.WriteBytes(filepath.Join(dir, name), []byte(text)) }
	if err := write("0-aten.mlir", text); err != nil {
		return err
	}
	module, err := mlir.Parse("0-aten.mlir", []byte(text))
	if err != nil {
		return err
	}
	pipeline, err := passes.Parse(passes.Lowering)
	if err != nil {
		return err
	}
	for i, step := range pipeline.Steps {
		one := passes.Pipeline{Steps: []passes.Step{step}, Unverified: true}
		if err := one.Run(module); err != nil {
			return err
		}
		if err := write(fmt.Sprintf("%d-%s.mlir", i+1, step.Pass.Name), module.String()); err != nil {
			return err
		}
	}
	stages := []string{"kernel"}
	if level >= 4 {
		stages = append(stages, "vector", "asm", "aie", "aie-lowered")
	}
	for _, stage := range stages {
		if text, err := exe.Text(stage); err == nil { // a device need not have all
			if err := write(stage+".txt", text); err != nil {
				return err
			}
		}
	}
	about, err := json.MarshalIndent(map[string]any{"key": keyText(p.key), "device": r.dev.Name(), "why": r.lastWhy(),
		"memory": exe.Memory(), "metrics": r.Metrics().Snapshot}, "", "  ")
	if err != nil {
		return err
	}
	return write("about.json", string(about))
}

// debugResults compares the first results of a program with the reference.
func (r *Runtime) debugResults(p *program, text string, inputs []*buf.Buffer) {
	module, err := mlir.Parse("program.mlir", []byte(text))
	if err != nil {
		debugf("%s: program %d is not compared: %v", r.dev.Name(), p.number, err)
		return
	}
	f, err := replay.Bisect(context.Background(), r.dev, module, inputs, replay.Tolerance{Relative: 1e-3, Absolute: 1e-4})
	switch {
	case err != nil:
		debugf("%s: program %d is not compared: %v", r.dev.Name(), p.number, err)
	case f != nil:
		debugf("%s: program %d differs from the reference: %v", r.dev.Name(), p.number, f)
	default:
		debugf("%s: program %d agrees with the reference", r.dev.Name(), p.number)
	}
}
