package mpi_test

import (
	"bytes"
	"context"
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

	"github.com/go-acap/acap/tensor"
	"github.com/go-acap/acap/tensor/distributed"
	"github.com/go-acap/acap/tensor/distributed/mpi"
	"github.com/go-acap/acap/tensor/dtype"
)

// program names what a process that mpirun starts does.
const program = "ACAP_MPI_PROGRAM"

var programs = map[string]func(g *distributed.Group) error{
	"collectives": collectives,
	"lonely":      lonely,
	"different":   different,
}

func TestMain(m *testing.M) {
	f := programs[os.Getenv(program)]
	if f == nil {
		os.Exit(m.Run())
	}
	g, err := mpi.Init()
	if err == nil {
		if misuse := tensor.Try(func() { err = f(g) }); misuse != nil {
			err = misuse
		}
	}
	if err != nil {
		g.Abort(err)
	}
	if err := g.Close(); err != nil {
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
	ctx, cancel := context.WithTimeout(context.Background(), 2*time.Minute)
	defer cancel()
	file, err := os.Executable()
	require.NoError(t, err)
	c := start(ctx, ranks, file)
	c.Env = append(c.Env, program+"="+name)
	out, err := c.CombinedOutput()
	return string(out), err
}

// The ranks of MPI and goroutines agree on all collectives.
func TestCollectives(t *testing.T) {
	for _, ranks := range []int{1, 2, 3, 8} {
		out, err := runProgram(t, ranks, "collectives")
		require.NoError(t, err, out)
	}
}

var types = []dtype.DType{dtype.Bool, dtype.U8, dtype.I8, dtype.I16, dtype.I32, dtype.I64, dtype.F16, dtype.BF16,
	dtype.F32, dtype.F64}

func sizes() []int {
	if os.Getenv("ACAP_LONG") != "" {
		return []int{0, 1, 7, 1000, 10_000_000}
	}
	return []int{0, 1, 7, 1000}
}

// collectives compares what this rank gets with what it gets among goroutines.
func collectives(g *distributed.Group) error {
	mine, err := results(g)
	if err != nil {
		return err
	}
	return distributed.Run(g.Size(), func(local *distributed.Group) error {
		theirs, err := results(local)
		if err == nil && local.Rank() == g.Rank() && !bytes.Equal(mine, theirs) {
			err = fmt.Errorf("rank %d of %d gets other numbers than a goroutine", g.Rank(), g.Size())
		}
		return err
	})
}

// results are the bytes of all collectives, of all types and sizes.
func results(g *distributed.Group) ([]byte, error) {
	var all []byte
	add := func(t *tensor.Tensor) error {
		b, err := t.Buffer(context.Background())
		if err == nil {
			all = append(all, b.Bytes()...)
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
			x := tensor.FromSlice(numbers, n).ToDtype(d)
			joined := g.AllGather(x)
			last := g.Size() - 1
			list := []*tensor.Tensor{joined, g.Broadcast(x, last)}
			for r := distributed.Sum; r <= distributed.Min; r++ {
				list = append(list, g.AllReduce(x, r), g.Reduce(x, last, r), g.ReduceScatter(joined, r))
			}
			if g.Size() > 1 && g.Rank() < 2 {
				sent, other := x.ZerosLike(), 1-g.Rank()
				if g.Rank() == 0 {
					list = append(list, g.Send(x, other), g.Receive(sent, other))
				} else {
					list = append(list, g.Receive(sent, other), g.Send(x, other))
				}
			}
			for _, t := range list {
				if err := add(t); err != nil {
					return nil, fmt.Errorf("%v of %d: %w", d, n, err)
				}
			}
		}
	}
	return all, g.Barrier()
}

// A rank that does not answer, and one that does something else, end the job with their names.
func TestFailures(t *testing.T) {
	for name, want := range map[string]string{
		"lonely":    "rank 1 has not answered for 200ms",
		"different": "is at a collective all_reduce of",
	} {
		begin := time.Now()
		out, err := runProgram(t, 2, name)
		require.Error(t, err, out)
		require.Contains(t, out, want)
		require.Less(t, time.Since(begin), time.Minute)
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

func different(g *distributed.Group) error {
	g.AllReduce(tensor.Ones(3+g.Rank()), distributed.Sum).Float32s()
	return nil
}

// build compiles the example.
func build(t *testing.T) string {
	t.Helper()
	file := filepath.Join(t.TempDir(), "train")
	out, err := exec.Command("go", "build", "-o", file, "./train").CombinedOutput()
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
	ctx, cancel := context.WithTimeout(context.Background(), time.Minute)
	defer cancel()
	c := start(ctx, 2, file, "-examples", "1000", "-epochs", "3", "-dir", dir, "-delay", "100ms")
	var out bytes.Buffer
	c.Stdout, c.Stderr = &out, &out
	require.NoError(t, c.Start())
	require.Eventually(t, func() bool {
		list, _ := filepath.Glob(filepath.Join(dir, "*.safetensors"))
		return len(list) > 0
	}, time.Minute, 20*time.Millisecond)
	require.NoError(t, exec.Command("pkill", "-9", "-n", "-f", "^"+file).Run()) // the newest of the ranks
	require.Error(t, c.Wait(), "the others end")
	require.Contains(t, out.String(), "rank")
	got, share := trainOn(t, 2, file, "-dir", dir)
	require.Less(t, len(got), len(want), "it goes on where it was")
	require.Equal(t, want[len(want)-len(got):], got)
	require.Equal(t, accuracy, share)
}
