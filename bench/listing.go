package main

import (
	"context"
	"flag"
	"fmt"
	"path/filepath"
	"regexp"
	"strings"
	"sync"

	"github.com/go-acap/acap/cmd/acap/modelfile"
	"github.com/go-acap/acap/device"
	"github.com/go-acap/acap/device/acap"
	"github.com/go-acap/acap/mlir"
	"github.com/go-acap/acap/tensor"
)

// listing goes over the kernels of cases and of models.
type listing struct {
	f                     *flag.FlagSet
	pattern, skip, folder *string
}

// newListing returns the flags of a command that goes over kernels.
func newListing(command string) *listing {
	f := flag.NewFlagSet("bench "+command, flag.ContinueOnError)
	return &listing{f: f,
		pattern: f.String("case", ".", "the cases whose name matches this regular expression"),
		skip: f.String("skip", "^cold_|1e[56]$",
			"but not those whose name matches this one: processes of their own, and the longest traces"),
		folder: f.String("models", "", "also the models NAME/model.pt and NAME/model.onnx of this folder"),
	}
}

// each calls visit with the kernels of each case and of each model file, the text of each program's.
func (c *listing) each(visit func(name string, programs []string) error) error {
	cases, err := find(*c.pattern)
	if err != nil {
		return err
	}
	skipped, err := regexp.Compile(*c.skip)
	if err != nil {
		return fmt.Errorf("-skip: %w", err)
	}
	for _, b := range cases {
		if skipped.MatchString(b.name) {
			continue
		}
		l := &listening{Device: acap.Device()}
		tensor.Seed(1)
		if err := tensor.Try(func() { b.build(l).once() }); err != nil {
			return fmt.Errorf("%s: %w", b.name, err)
		}
		if err := visit(b.name, l.kernels); err != nil {
			return err
		}
	}
	if *c.folder == "" {
		return nil
	}
	var files []string
	for _, name := range []string{"model.pt", "model.onnx"} {
		list, err := filepath.Glob(filepath.Join(*c.folder, "*", name))
		if err != nil {
			return err
		}
		files = append(files, list...)
	}
	for _, file := range files {
		l := &listening{Device: acap.Device()}
		if err := l.compileFile(file); err != nil {
			return fmt.Errorf("%s: %w", file, err)
		}
		name, _ := filepath.Rel(*c.folder, file)
		if err := visit(filepath.ToSlash(name), l.kernels); err != nil {
			return err
		}
	}
	return nil
}

// once runs a case one time, without the clock.
func (w work) once() {
	if w.prepare != nil {
		w.prepare()
	}
	if w.timed != nil {
		w.timed()
	} else {
		w.step()
	}
	if w.close != nil {
		w.close()
	}
}

// listening is a device that keeps the kernels of the programs that it compiles.
type listening struct {
	device.Device
	mu      sync.Mutex
	kernels []string // the text of each program's
}

// Compile implements [device.Device].
func (l *listening) Compile(ctx context.Context, module *mlir.Operation) (device.Executable, error) {
	exe, err := l.Device.Compile(ctx, module)
	if err != nil {
		return nil, err
	}
	text, err := exe.Text("kernel")
	if err != nil {
		return nil, err
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	l.kernels = append(l.kernels, text)
	return exe, nil
}

// compileFile compiles a model for the inputs beside it.
func (l *listening) compileFile(path string) error {
	inputs, err := modelfile.Inputs(path, nil)
	if err != nil {
		return err
	}
	module, err := modelfile.LoadFor(path, inputs)
	if err != nil {
		return err
	}
	exe, err := l.Compile(context.Background(), module)
	if err == nil {
		exe.Close()
	}
	return err
}

// split returns the kernels of the text of a program, which comments divide.
func split(program string) []string {
	var list []string
	var b strings.Builder
	flush := func() {
		if text := strings.TrimSpace(b.String()); text != "" {
			list = append(list, text)
		}
		b.Reset()
	}
	for line := range strings.Lines(program) {
		if strings.HasPrefix(line, "//") {
			flush()
			continue
		}
		b.WriteString(line)
	}
	flush()
	return list
}
