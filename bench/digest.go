package main

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"flag"
	"fmt"
	"hash"
	"io"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"sync"

	"github.com/go-acap/acap/cmd/acap/modelfile"
	"github.com/go-acap/acap/device"
	"github.com/go-acap/acap/device/acap"
	"github.com/go-acap/acap/kernel"
	"github.com/go-acap/acap/kernel/cpu"
	"github.com/go-acap/acap/kernel/native"
	"github.com/go-acap/acap/mlir"
	"github.com/go-acap/acap/tensor"
)

// targets are the processors for which digests are taken. Their caches are given, so that digests are the same on
// every machine.
var targets = []struct {
	name string
	cpu.Features
}{
	{"avx2", cpu.Features{Level: cpu.AVX2, L1D: 32 << 10, L2: 1 << 20, L3: 16 << 20}},
	{"avx512", cpu.Features{Level: cpu.AVX512, VNNI: true, BF16: true, L1D: 32 << 10, L2: 1 << 20, L3: 16 << 20}},
	{"amx", cpu.Features{Level: cpu.AVX512, VNNI: true, BF16: true, Tiles: true, L1D: 48 << 10, L2: 2 << 20, L3: 32 << 20}},
}

// digests prints, for each case and for each model file, a digest of its kernels and one of their machine code on
// each target. A change of the compiler that must not change code is compared by two such lists.
func digests(args []string, out io.Writer) error {
	f := flag.NewFlagSet("bench digests", flag.ContinueOnError)
	pattern := f.String("case", ".", "the cases whose name matches this regular expression")
	skip := f.String("skip", "^cold_|1e[56]$", "but not those whose name matches this one: processes of their own, and the longest traces")
	folder := f.String("models", "", "also the models NAME/model.pt and NAME/model.onnx of this folder")
	if err := f.Parse(args); err != nil {
		return err
	}
	cases, err := find(*pattern)
	if err != nil {
		return err
	}
	skipped, err := regexp.Compile(*skip)
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
		if err := l.print(out, b.name); err != nil {
			return err
		}
	}
	if *folder == "" {
		return nil
	}
	var files []string
	for _, name := range []string{"model.pt", "model.onnx"} {
		list, err := filepath.Glob(filepath.Join(*folder, "*", name))
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
		name, _ := filepath.Rel(*folder, file)
		if err := l.print(out, filepath.ToSlash(name)); err != nil {
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

// print writes a line: a name, the number of kernels, and the digests. Programs are in the order of their text,
// because those that are compiled at once have no other.
func (l *listening) print(out io.Writer, name string) error {
	slices.Sort(l.kernels)
	all, codes := sha256.New(), make([]hash.Hash, len(targets))
	for i := range codes {
		codes[i] = sha256.New()
	}
	count := 0
	for _, program := range l.kernels {
		io.WriteString(all, program)
		for _, text := range split(program) {
			count++
			sums, err := codeSums(text)
			if err != nil {
				return fmt.Errorf("%s: %w", name, err)
			}
			for i := range sums {
				codes[i].Write(sums[i][:])
			}
		}
	}
	fields := []string{"kernels " + digestText(all)}
	for i, t := range targets {
		fields = append(fields, t.name+" "+digestText(codes[i]))
	}
	_, err := fmt.Fprintf(out, "%-28s %5d  %s\n", name, count, strings.Join(fields, "  "))
	return err
}

// known has the sums of kernels that have been compiled.
var known = map[string][][sha256.Size]byte{}

// codeSums returns the sums of a kernel's listings, one for each target.
func codeSums(text string) ([][sha256.Size]byte, error) {
	if sums := known[text]; sums != nil {
		return sums, nil
	}
	k, err := kernel.Parse(text)
	if err != nil {
		return nil, err
	}
	var sums [][sha256.Size]byte
	for _, t := range targets {
		code, err := native.CompileFor(k, t.Features)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", t.name, err)
		}
		sums = append(sums, sha256.Sum256([]byte(code.Listing())))
		code.Close()
	}
	known[text] = sums
	return sums, nil
}

func digestText(h hash.Hash) string { return hex.EncodeToString(h.Sum(nil))[:16] }

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
