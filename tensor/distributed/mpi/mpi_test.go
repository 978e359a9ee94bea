package mpi_test

import (
	"bytes"
	"context"
	"crypto/sha256"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/go-acap/acap/base/dtype"
	"github.com/go-acap/acap/base/longtest"
	"github.com/go-acap/acap/tensor"
	"github.com/go-acap/acap/tensor/distributed"
	"github.com/go-acap/acap/tensor/distributed/mpi"
)

// program names what a process that mpirun starts does.
const program = "ACAP_MPI_PROGRAM"

var programs = map[string]func(g *distributed.Group) error{
	"collectives": collectives,
	"lonely":      lonely,
	"different":   different,
	"own":         own,
	"panics":      panics,
}

func TestMain(m *testing.M) {
	name := os.Getenv(program)
	if name == "deferred" {
		deferred()
		return
	}
	f := programs[name]
	if f == nil {
		os.Exit(m.Run())
	}
	if err := mpi.Run(f); err != nil {
		panic(err)
	}
}

// deferred closes the group while a panic is on its way.
func deferred() {
	g, err := mpi.Init()
	if err != nil {
		panic(err)
	}
	defer g.Close()
	if err := lonely(g); err != nil {
		panic(err)
	}
}

// start is a command that runs a file on ranks of this machine.
func start(ctx context.Context, ranks int, file string, args ...string) *exec.Cmd {
	c := exec.CommandContext(ctx, "mpirun", append([]string{"-n", fmt.Sprint(ranks), file}, args...)...)
	// Open MPI asks for these as root, and where there are fewer processors than ranks.
	c.Env = append(os.Environ(), "OMPI_ALLOW_RUN_AS_ROOT=1", "OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1",
		"OMPI_MCA_rmaps_base_oversubscribe=1", "OMPI_MCA_btl_vader_single_copy_mechanism=none", "GOMAXPROCS=1")
	return c
}

// runProgram runs one of the programs above.
func runProgram(t *testing.T, ranks int, name string) (string, error) {
	t.Helper()
	limit := 10 * time.Minute
	if longtest.On() {
		limit = time.Hour
	}
	ctx, cancel := context.WithTimeout(context.Background(), limit)
	defer cancel()
	file, err := os.Executable()
	require.NoError(t, err)
	c := start(ctx, ranks, file)
	c.Env = append(c.Env, program+"="+name)
	out, err := c.CombinedOutput()
	return string(out), err
}

// The ranks of MPI and goroutines agree on all collectives. Numbers of ranks are fewer than with ACAP_LONG, as
// processes that wait for each other keep the machine busy.
func TestCollectives(t *testing.T) {
	counts := []int{1, 2, 3, 8}
	if longtest.On() {
		counts = []int{1, 2, 3, 4, 5, 6, 7, 8}
	}
	for _, ranks := range counts {
		t.Run(fmt.Sprint(ranks), func(t *testing.T) {
			out, err := runProgram(t, ranks, "collectives")
			require.NoError(t, err, out)
			require.NoError(t, distributed.Run(ranks, func(g *distributed.Group) error {
				sum, err := results(g)
				if err == nil && !strings.Contains(out, line(g, sum)) {
					err = fmt.Errorf("rank %d of %d gets other numbers than a process: %s\n%s", g.Rank(), ranks, line(g, sum), out)
				}
				return err
			}))
		})
	}
}

var types = []dtype.DType{dtype.Bool, dtype.U8, dtype.I8, dtype.I16, dtype.I32, dtype.I64, dtype.F16, dtype.BF16,
	dtype.F32, dtype.F64, dtype.C64, dtype.C128}

func sizes() []int {
	if longtest.On() {
		return []int{0, 1, 7, 1000, 10_000_000}
	}
	return []int{0, 1, 7, 1000}
}

// collectives prints a digest of what this rank gets.
func collectives(g *distributed.Group) error {
	sum, err := results(g)
	if err == nil {
		fmt.Print(line(g, sum)) // whole, as lines of other processes come between
	}
	return err
}

func line(g *distributed.Group, sum []byte) string {
	return fmt.Sprintf("rank %d of %d: %x\n", g.Rank(), g.Size(), sum)
}

// results are a digest of what all collectives give, of all types and sizes.
func results(g *distributed.Group) ([]byte, error) {
	all := sha256.New()
	add := func(t *tensor.Tensor) error {
		b, err := t.Buffer(context.Background())
		if err == nil {
			fmt.Fprintln(all, b.DType, b.Shape)
			all.Write(b.Bytes())
		}
		return err
	}
	for _, d := range types {
		for _, n := range sizes() {
			random := rand.New(rand.NewPCG(uint64(g.Rank()), uint64(n)))
			numbers := make([]float64, n)
			for i := range numbers {
				numbers[i] = 3 * random.NormFloat64()
			}
			x := drawn(numbers, d)
			part := x // as much of it that what all ranks have is not too large
			if n > 1e6 {
				part = x.Narrow(0, 0, n/g.Size())
			}
			last := g.Size() - 1
			calls := []func() *tensor.Tensor{
				func() *tensor.Tensor { return g.AllGather(part) },
				func() *tensor.Tensor { return g.Broadcast(x, last) },
			}
			for r := distributed.Sum; r <= distributed.Min; r++ {
				if (d == dtype.C64 || d == dtype.C128) && r >= distributed.Max {
					continue
				}
				calls = append(calls, func() *tensor.Tensor { return g.AllReduce(x, r) },
					func() *tensor.Tensor { return g.Reduce(x, last, r) },
					func() *tensor.Tensor { return g.ReduceScatter(g.AllGather(part), r) })
			}
			if g.Size() > 1 && g.Rank() < 2 {
				sent, other := x.ZerosLike(), 1-g.Rank()
				send := func() *tensor.Tensor { return g.Send(x, other) }
				receive := func() *tensor.Tensor { return g.Receive(sent, other) }
				if g.Rank() == 0 {
					calls = append(calls, send, receive)
				} else {
					calls = append(calls, receive, send)
				}
			}
			for _, call := range calls {
				if err := add(call()); err != nil {
					return nil, fmt.Errorf("%v of %d: %w", d, n, err)
				}
			}
		}
	}
	return all.Sum(nil), g.Barrier()
}

func drawn(numbers []float64, d dtype.DType) *tensor.Tensor {
	switch d {
	case dtype.C64:
		return tensor.FromSlice(complexes[complex64](numbers), len(numbers))
	case dtype.C128:
		return tensor.FromSlice(complexes[complex128](numbers), len(numbers))
	}
	return tensor.FromSlice(numbers, len(numbers)).ToDtype(d)
}

func complexes[T complex64 | complex128](list []float64) []T {
	out := make([]T, len(list))
	for i, v := range list {
		out[i] = T(complex(v, 1-v*v))
	}
	return out
}

// A rank that does not answer, and one that does something else, end the job with their names.
func TestFailures(t *testing.T) {
	for name, want := range map[string]string{
		"lonely":    "rank 1 has not answered for 200ms",
		"different": "is at a collective all_reduce of",
		"deferred":  "rank 1 has not answered for 200ms",
		"own":       "rank 1 failed: no file of mine",
		"panics":    "rank 1 failed: panic: the third of two",
	} {
		out, err := runProgram(t, 2, name)
		require.Error(t, err, out)
		require.Contains(t, out, want)
	}
}

func lonely(g *distributed.Group) error {
	g.Timeout = 200 * time.Millisecond
	if g.Rank() == 0 {
		return g.Barrier()
	}
	time.Sleep(time.Hour)
	return nil
}

func own(g *distributed.Group) error {
	if g.Rank() == 1 {
		return errors.New("no file of mine")
	}
	return g.Barrier()
}

func panics(g *distributed.Group) error {
	if g.Rank() == 1 {
		panic("the third of two")
	}
	return g.Barrier()
}

func different(g *distributed.Group) error {
	g.AllReduce(tensor.Ones(3+g.Rank()), distributed.Sum).Float32s()
	return nil
}

// build compiles the example.
func build(t *testing.T) string {
	t.Helper()
	file := filepath.Join(t.TempDir(), "train")
	out, err := exec.Command("go", "build", "-buildvcs=false", "-o", file, "./train").CombinedOutput()
	require.NoError(t, err, string(out))
	return file
}

var lossLine = regexp.MustCompile(`(?m)^step (\d+) loss (.*)$`)

// trainOn runs the example and returns the lines of its losses, and its last line.
func trainOn(t *testing.T, ranks int, file string, args ...string) (losses []string, last string) {
	t.Helper()
	ctx, cancel := context.WithTimeout(context.Background(), 5*time.Minute)
	defer cancel()
	c := start(ctx, ranks, file, append([]string{"-examples", "1000", "-epochs", "3"}, args...)...)
	var problems bytes.Buffer
	c.Stderr = &problems
	out, err := c.Output()
	require.NoError(t, err, problems.String())
	lines := strings.Split(strings.TrimSpace(string(out)), "\n")
	_, last, _ = strings.Cut(lines[len(lines)-1], "accuracy")
	return lossLine.FindAllString(string(out), -1), last
}

// Two ranks do to the last bit what one does that adds up both halves of each batch, also with
// the optimiser's state divided among them.
func TestRanksTrainAsOne(t *testing.T) {
	file := build(t)
	want, accuracy := trainOn(t, 1, file, "-parts", "2")
	require.Len(t, want, 30)
	for _, args := range [][]string{nil, {"-shard"}} {
		got, share := trainOn(t, 2, file, args...)
		require.Equal(t, want, got)
		require.Equal(t, accuracy, share)
	}
}

// A run in which a rank is killed goes on from its last checkpoint, to the same end.
func TestKilledRank(t *testing.T) {
	file, dir := build(t), t.TempDir()
	want, accuracy := trainOn(t, 2, file)
	ctx, cancel := context.WithTimeout(context.Background(), 5*time.Minute)
	defer cancel()
	c := start(ctx, 2, file, "-examples", "1000", "-epochs", "3", "-dir", dir, "-delay", "300ms") // time to kill one
	var out bytes.Buffer
	c.Stdout, c.Stderr = &out, &out
	require.NoError(t, c.Start())
	require.Eventually(t, func() bool {
		list, _ := filepath.Glob(filepath.Join(dir, "*.safetensors"))
		return len(list) > 0
	}, 4*time.Minute, 20*time.Millisecond)
	require.NoError(t, exec.Command("pkill", "-9", "-n", "-f", "^"+file).Run()) // the newest of the ranks
	require.Error(t, c.Wait(), "the others end")
	require.Contains(t, out.String(), "rank")
	got, share := trainOn(t, 2, file, "-dir", dir)
	require.Less(t, len(got), len(want), "it goes on where it was")
	require.Equal(t, want[len(want)-len(got):], got)
	require.Equal(t, accuracy, share)
}
