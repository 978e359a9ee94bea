package beam

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"sync/atomic"
	"syscall"
	"testing"

	sdk "github.com/apache/beam/sdks/v2/go/pkg/beam"
	"github.com/apache/beam/sdks/v2/go/pkg/beam/core/runtime/graphx"
	"github.com/apache/beam/sdks/v2/go/pkg/beam/core/runtime/pipelinex"
	"github.com/apache/beam/sdks/v2/go/pkg/beam/log"
	pipepb "github.com/apache/beam/sdks/v2/go/pkg/beam/model/pipeline_v1"
	_ "github.com/apache/beam/sdks/v2/go/pkg/beam/runners/prism"
	"github.com/apache/beam/sdks/v2/go/pkg/beam/runners/vet"
	"github.com/stretchr/testify/require"

	"github.com/go-acap/acap/base/buf"
	"github.com/go-acap/acap/base/dtype"
	"github.com/go-acap/acap/cmd/acap/modelfile"
	"github.com/go-acap/acap/device/acap/sweep"
	"github.com/go-acap/acap/tensor/npy"
)

// killVariable names the output of a job that TestMain runs in a process that kills itself.
const killVariable = "ACAP_BEAM_TEST_KILL"

func TestMain(m *testing.M) {
	flag.Parse()
	log.LogLevel = "error"
	sdk.Init()
	if output := os.Getenv(killVariable); output != "" {
		fmt.Println(Run(context.Background(), "squares", []string{"-kill=5", "20"}, Options{Output: output}))
		os.Exit(0) // it should not come to here
	}
	os.Exit(m.Run())
}

// squares is a job whose pieces are numbers, and whose failures are chosen by flags.
type squares struct {
	n, broken, failures, kill int
}

var squaresDone, squaresTried atomic.Int64

func init() {
	kinds["squares"] = kind{usage: "N", shown: []string{"kill"}, flags: func(f *flag.FlagSet) func(context.Context, []string) (Job, error) {
		j := &squares{}
		f.IntVar(&j.broken, "broken", -1, "the piece that fails")
		f.IntVar(&j.failures, "failures", 0, "how often")
		f.IntVar(&j.kill, "kill", -1, "after how many pieces the process dies")
		return func(_ context.Context, args []string) (Job, error) {
			var err error
			j.n, err = strconv.Atoi(args[0])
			return j, err
		}
	}}
}

func (j *squares) Pieces() int           { return j.n }
func (j *squares) Name(piece int) string { return fmt.Sprintf("number %d", piece) }

func (j *squares) Do(_ context.Context, piece int) ([]json.RawMessage, error) {
	squaresTried.Add(1)
	if piece == j.broken && j.failures > 0 {
		j.failures--
		if j.failures%2 == 1 {
			panic("no luck")
		}
		return nil, errors.New("no luck")
	}
	if squaresDone.Add(1) == int64(j.kill)+1 {
		syscall.Kill(os.Getpid(), syscall.SIGKILL)
	}
	return encode([]int{piece * piece})
}

func (j *squares) Finish(_ context.Context, rows []json.RawMessage, w io.Writer) error {
	return writeLines(rows, w)
}

func numbers(n int) string {
	var b strings.Builder
	for i := range n {
		fmt.Fprintln(&b, i*i)
	}
	return b.String()
}

// TestKill kills a process that runs a job, and goes on in this one.
func TestKill(t *testing.T) {
	output := filepath.Join(t.TempDir(), "squares")
	child := exec.Command(os.Args[0])
	child.Env = append(os.Environ(), killVariable+"="+output)
	text, err := child.CombinedOutput()
	var exit *exec.ExitError
	require.ErrorAs(t, err, &exit, "%s", text)
	require.Equal(t, syscall.SIGKILL, exit.Sys().(syscall.WaitStatus).Signal(), "%s", text)
	done, err := partsOf(output).list(t.Context(), "done")
	require.NoError(t, err)
	require.NotEmpty(t, done)
	require.NoFileExists(t, output)

	// A file that was cut off counts as missing.
	require.NoError(t, os.Truncate(partsOf(output).done(done[0]), 10))
	squaresDone.Store(0)
	require.NoError(t, Run(t.Context(), "squares", []string{"20"}, Options{Output: output}))
	require.EqualValues(t, 20-len(done)+1, squaresDone.Load(), "pieces done again")
	have, err := os.ReadFile(output)
	require.NoError(t, err)
	require.Equal(t, numbers(20), string(have))

	err = Run(t.Context(), "squares", []string{"21"}, Options{Output: output})
	require.ErrorContains(t, err, "another job")
}

// TestElements divides pieces among elements, each to one.
func TestElements(t *testing.T) {
	for n, want := range map[int]int{0: 1, 1: 1, 3: 3, 100: 7} {
		seen := map[int]bool{}
		list := elements([]int{2, 3, 5, 7, 11, 13, 17}, n)
		require.Len(t, list, want)
		for _, e := range list {
			require.GreaterOrEqual(t, len(e.Pieces), 7/want)
			for _, p := range e.Pieces {
				require.False(t, seen[p])
				seen[p] = true
			}
		}
		require.Len(t, seen, 7)
	}
	output := filepath.Join(t.TempDir(), "squares")
	require.NoError(t, Run(t.Context(), "squares", []string{"9"}, Options{Output: output, Elements: 4}))
	have, err := os.ReadFile(output)
	require.NoError(t, err)
	require.Equal(t, numbers(9), string(have))
}

// TestRetry lets a piece fail, first less often than it is tried, then more often.
func TestRetry(t *testing.T) {
	output := filepath.Join(t.TempDir(), "a")
	squaresTried.Store(0)
	require.NoError(t, Run(t.Context(), "squares", []string{"-broken=3", "-failures=2", "6"}, Options{Output: output}))
	require.EqualValues(t, 8, squaresTried.Load())

	output = filepath.Join(t.TempDir(), "b")
	args := []string{"-broken=4", "-failures=3", "7"}
	err := Run(t.Context(), "squares", args, Options{Output: output, Attempts: 2})
	var failed *FailedError
	require.ErrorAs(t, err, &failed)
	require.Len(t, failed.List, 1)
	require.Regexp(t, "^number 4: (panic: )?no luck", failed.List[0])
	require.NoFileExists(t, output)
	squaresTried.Store(0)
	require.NoError(t, Run(t.Context(), "squares", args, Options{Output: output, Attempts: 2}))
	require.EqualValues(t, 2, squaresTried.Load(), "of the piece that had failed, which fails once more")
	have, err := os.ReadFile(output)
	require.NoError(t, err)
	require.Equal(t, numbers(7), string(have))
}

// TestPipeline checks the pipeline by Beam's own means: that every function is registered, so that
// workers find it, and that the proto is whole.
func TestPipeline(t *testing.T) {
	p := pipeline("squares", []string{"20"}, []int{1, 2, 3}, Options{Output: "out", Attempts: 3, Elements: 2})
	_, err := vet.Execute(t.Context(), p)
	require.NoError(t, err)
	edges, _, err := p.Build()
	require.NoError(t, err)
	environment, err := graphx.CreateEnvironment(t.Context(), "beam:env:external:v1",
		func(context.Context) string { return "localhost:1" })
	require.NoError(t, err)
	proto, err := graphx.Marshal(edges, &graphx.Options{Environment: environment})
	require.NoError(t, err)
	proto, err = pipelinex.Normalize(proto)
	require.NoError(t, err)
	require.True(t, pipelinex.Bounded(proto))
	var urns []string
	for id, transform := range proto.Components.Transforms {
		for _, c := range transform.Inputs {
			require.Contains(t, proto.Components.Pcollections, c, id)
		}
		if transform.Spec != nil {
			urns = append(urns, transform.Spec.Urn)
		}
	}
	require.Contains(t, urns, graphx.URNReshuffle, "workers share the pieces")
	for _, c := range proto.Components.Pcollections {
		require.Equal(t, pipepb.IsBounded_BOUNDED, c.IsBounded)
		require.Contains(t, proto.Components.Coders, c.CoderId)
	}
}

const model = `module {
  func.func @main(%x: tensor<4x8xf32>, %w: tensor<8x16xf32>) -> tensor<4x16xf32> {
    %0 = "aten.mm"(%x, %w) : (tensor<4x8xf32>, tensor<8x16xf32>) -> tensor<4x16xf32>
    %1 = "aten.relu"(%0) : (tensor<4x16xf32>) -> tensor<4x16xf32>
    return %1 : tensor<4x16xf32>
  }
}
`

func writeModel(t *testing.T, dir string) string {
	name := dir + "/model.mlir"
	require.NoError(t, writeFile(t.Context(), name, []byte(model)))
	return name
}

// TestSweep compares with the sweep that the command acap makes.
func TestSweep(t *testing.T) {
	path := writeModel(t, t.TempDir())
	module, err := modelfile.LoadFor(path, nil)
	require.NoError(t, err)
	kernels, err := modelfile.Kernels(path, module)
	require.NoError(t, err)
	require.NotEmpty(t, kernels)
	set := []string{"cols=1:4", "clock=1e9:2e9:1e8"}
	grid, err := sweep.NewGrid([]string{"npu1", "npu2"}, set)
	require.NoError(t, err)
	points, err := grid.Evaluate(0, grid.Len(), kernels, nil)
	require.NoError(t, err)
	_, cores, err := sweep.Cost("cores")
	require.NoError(t, err)
	sweep.MarkPareto(points, cores)
	var want bytes.Buffer
	require.NoError(t, sweep.WriteCSV(&want, grid.Names(), points))

	args := []string{"-machine=npu1,npu2", "-set=" + set[0], "-set=" + set[1], "-bundle=7"}
	for _, place := range []string{t.TempDir(), "memfs://sweep"} {
		output := place + "/rows.csv"
		require.NoError(t, Run(t.Context(), "sweep", append(args, writeModel(t, place)), Options{Output: output}))
		have, err := readFile(t.Context(), output)
		require.NoError(t, err)
		require.Equal(t, want.String(), string(have))
	}
	err = Run(t.Context(), "sweep", []string{"-bundle=0", path}, Options{Output: filepath.Join(t.TempDir(), "x")})
	require.ErrorContains(t, err, "-bundle")
}

// TestRun runs a model over inputs on another file system.
func TestRun(t *testing.T) {
	ctx := t.Context()
	w, err := buf.Wrap(dtype.F32, []int{8, 16}, make([]byte, 8*16*4))
	require.NoError(t, err)
	for i := range w.Len() {
		w.SetFloat64(i, float64(i%5)-2)
	}
	for i := range 5 {
		x, err := buf.Wrap(dtype.F32, []int{4, 8}, make([]byte, 4*8*4))
		require.NoError(t, err)
		x.SetFloat64(i, 1)
		for name, b := range map[string]*buf.Buffer{"x": x, "w": w} {
			var data bytes.Buffer
			require.NoError(t, npy.Write(&data, b))
			require.NoError(t, writeFile(ctx, fmt.Sprintf("memfs://run/in/%s%d.npy", name, i), data.Bytes()))
		}
	}
	args := []string{"-device=host", "-input=memfs://run/in/x*.npy", "-input=memfs://run/in/w*.npy",
		"-results=memfs://run/out", "-bundle=2", writeModel(t, "memfs://run")}
	require.NoError(t, Run(ctx, "run", args, Options{Output: "memfs://run/rows.json"}))
	rows, err := readFile(ctx, "memfs://run/rows.json")
	require.NoError(t, err)
	require.Equal(t, 5, strings.Count(string(rows), "\n"), "%s", rows)
	for i := range 5 {
		local, err := localFile(ctx, fmt.Sprintf("memfs://run/out/x%d.output_0.npy", i))
		require.NoError(t, err)
		y, err := npy.ReadFile(local)
		require.NoError(t, err)
		for k := range 16 {
			require.Equal(t, max(w.Float64(i*16+k), 0), y.Float64(k), "output %d", i)
		}
	}
	require.NoError(t, RemoveCopies())
}

const checked = `func.func @main() {
  %%0 = stablehlo.constant dense<[1.0, 2.0]> : tensor<2xf32>
  %%1 = stablehlo.add %%0, %%0 : tensor<2xf32>
  check.expect_almost_eq_const %%1, dense<[2.0, %s]> : tensor<2xf32>
  func.return
}
`

// TestConformance runs modules, one of them wrong.
func TestConformance(t *testing.T) {
	ctx := t.Context()
	for name, value := range map[string]string{"a": "4.0", "b": "5.0", "c": "4.0"} {
		require.NoError(t, writeFile(ctx, "memfs://suite/"+name+".mlir", []byte(fmt.Sprintf(checked, value))))
	}
	args := []string{"-device=host", "stablehlo", "memfs://suite"}
	err := Run(ctx, "conformance", args, Options{Output: "memfs://lines.json"})
	require.ErrorContains(t, err, "1 of 3 tests did not pass")
	lines, err := readFile(ctx, "memfs://lines.json")
	require.NoError(t, err)
	list := strings.Split(strings.TrimSpace(string(lines)), "\n")
	require.Len(t, list, 3)
	require.JSONEq(t, `{"name":"a","outcome":"passed"}`, list[0])
	require.Contains(t, list[1], `"outcome":"failed"`)
	require.NoError(t, RemoveCopies())
}
