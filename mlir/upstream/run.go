package upstream

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"sync"

	"github.com/go-acap/acap/base/buf"
	"github.com/go-acap/acap/mlir"
)

// Outcome is what a program computed, or why it did not.
type Outcome struct {
	Results []*buf.Buffer
	Err     error
}

// The most programs that go into one module, and processes that run at once.
const (
	batchSize = 64
	processes = 2
)

// Run runs programs and returns their outcomes, in order. A program that the tools refuse, or
// that ends their process, is found and does not keep the others from running. The error is [ErrAbsent], or the
// context's error.
func Run(ctx context.Context, programs []Program) ([]Outcome, error) {
	if err := Find(); err != nil {
		return nil, err
	}
	outcomes := make([]Outcome, len(programs))
	var jobs []*job
	for i := range programs {
		t, err := programs[i].signature()
		if outcomes[i].Err = err; err == nil {
			jobs = append(jobs, &job{&programs[i], &outcomes[i], t})
		}
	}
	batches := make(chan []*job)
	var wait sync.WaitGroup
	for range processes {
		wait.Add(1)
		go func() {
			defer wait.Done()
			for b := range batches {
				runBatch(ctx, b)
			}
		}()
	}
	for b := range slices.Chunk(jobs, batchSize) {
		batches <- b
	}
	close(batches)
	wait.Wait()
	return outcomes, ctx.Err()
}

// job is a program that is to run.
type job struct {
	*Program
	outcome *Outcome
	t       mlir.FunctionType
}

// runBatch runs jobs in one process; if the tools refuse them, in two halves.
func runBatch(ctx context.Context, jobs []*job) {
	for len(jobs) > 0 && ctx.Err() == nil {
		module, err := lowered(ctx, jobs)
		if err == nil {
			var n int
			if n, err = execute(ctx, module, jobs); err == nil {
				return
			}
			if n > 0 || len(jobs) == 1 { // the first n ran, the next one ended the process
				jobs[n].outcome.Err = err
				jobs = jobs[n+1:]
				continue
			}
		}
		if len(jobs) == 1 {
			jobs[0].outcome.Err = err
			return
		}
		runBatch(ctx, jobs[:len(jobs)/2])
		jobs = jobs[len(jobs)/2:]
	}
}

// entry is the function that calls all drivers.
const entry = "acap_entry"

// lowered is the module of jobs in the dialect of LLVM.
func lowered(ctx context.Context, jobs []*job) ([]byte, error) {
	module := mlir.NewModule()
	var calls strings.Builder
	for i, j := range jobs {
		name := fmt.Sprintf("p%d", i)
		if err := j.addTo(module, name, j.t); err != nil {
			return nil, err
		}
		fmt.Fprintf(&calls, "  func.call @%s() : () -> ()\n", name)
	}
	text := "func.func private @read(i32, i64, i64) -> i64\nfunc.func private @write(i32, i64, i64) -> i64\n" +
		"func.func @" + entry + "() {\n" + calls.String() + "  return\n}\n"
	all, err := mlir.Parse(entry, []byte(text))
	if err != nil {
		return nil, fmt.Errorf("BUG: upstream: %w", err)
	}
	for _, op := range all.Body().Ops {
		module.Body().Append(op)
	}
	return run(ctx, []byte(module.Text(mlir.PrintOptions{})), optimizer, lowering...)
}

// execute runs a lowered module and takes the results. If it ends early, n is the number of
// jobs that ran.
func execute(ctx context.Context, module []byte, jobs []*job) (n int, err error) {
	dir, err := os.MkdirTemp("", "acap-upstream")
	if err != nil {
		return 0, err
	}
	defer os.RemoveAll(dir)
	path := filepath.Join(dir, "module.mlir")
	if err := os.WriteFile(path, module, 0o600); err != nil {
		return 0, err
	}
	input, err := inputFile(filepath.Join(dir, "inputs"), jobs)
	if err != nil {
		return 0, err
	}
	defer input.Close()
	output, err := os.Create(filepath.Join(dir, "results"))
	if err != nil {
		return 0, err
	}
	defer output.Close()
	shared, err := runnerLibraries()
	if err != nil {
		return 0, err
	}
	cmd := exec.CommandContext(ctx, runner, path, "-O2", "-e", entry, "-entry-point-result=void", "-shared-libs="+shared)
	var failed bytes.Buffer
	cmd.Stdin, cmd.Stdout, cmd.Stderr = input, output, &failed
	ended := cmd.Run()
	written, err := os.ReadFile(output.Name())
	if err != nil {
		return 0, err
	}
	n = take(jobs, written)
	if ended != nil {
		return min(n, len(jobs)-1), toolError(runner, ended, failed.String())
	}
	if n < len(jobs) {
		return n, errors.New(runner + " wrote fewer results than the programs have")
	}
	return n, nil
}

// inputFile writes the inputs of jobs behind each other and opens the file. Files are read in
// one piece, which pipes are not.
func inputFile(path string, jobs []*job) (*os.File, error) {
	var data []byte
	for _, j := range jobs {
		for _, b := range j.Inputs {
			data = append(data, b.Bytes()...)
		}
	}
	if err := os.WriteFile(path, data, 0o600); err != nil {
		return nil, err
	}
	return os.Open(path)
}

// take gives the bytes that were written to the jobs and returns how many got all of theirs.
func take(jobs []*job, written []byte) int {
	for n, j := range jobs {
		var results []*buf.Buffer
		for _, r := range j.t.Results {
			t := r.(mlir.TensorType)
			b := buf.New(mlir.DTypeOf(t.Elem), t.Shape)
			if len(written) < len(b.Bytes()) {
				return n
			}
			copy(b.Bytes(), written)
			written = written[len(b.Bytes()):]
			results = append(results, b)
		}
		j.outcome.Results = results
	}
	return len(jobs)
}
