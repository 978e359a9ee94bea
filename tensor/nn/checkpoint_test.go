package nn_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/go-acap/acap/base/buf"
	"github.com/go-acap/acap/base/emulator"
	"github.com/go-acap/acap/device/acap"
	"github.com/go-acap/acap/tensor"
	"github.com/go-acap/acap/tensor/data"
	"github.com/go-acap/acap/tensor/nn"
	"github.com/go-acap/acap/tensor/optim"
	"github.com/go-acap/acap/tensor/safetensors"
)

// training is a run with everything that has a state: running means, dropout, shuffled
// batches with random changes, momentum, a schedule, a plateau and a scaler.
type training struct {
	net     *nn.Sequence
	opt     *optim.Scaler
	plateau *optim.Plateau
	loader  *data.Loader
	steps   int
}

func newTraining() *training {
	tensor.Seed(3)
	dev := acap.Device()
	r := &training{net: nn.Sequential(nn.NewConv2d(1, 4, 3), nn.NewBatchNorm2d(4), nn.ReLU, nn.NewDropout(0.3), nn.Flatten,
		nn.NewLinear(4*6*6, 3)).To(dev)}
	adam := optim.NewAdamW(0.01, 0.1)
	r.plateau = optim.NewPlateau(0.5, 2)
	cosine := optim.Cosine(30, 0.1)
	adam.Schedule = func(step int) float64 { return cosine(step) * r.plateau.Schedule(step) }
	r.opt = optim.NewScaler(adam)
	r.opt.Interval = 7
	set := rand.New(rand.NewPCG(1, 2))
	pictures, labels := make([]float32, 50*64), make([]int64, 50)
	for i := range pictures {
		pictures[i] = set.Float32()
	}
	for i := range labels {
		labels[i] = set.Int64N(3)
	}
	r.loader = data.NewLoader(data.NewArrays(tensor.FromSlice(pictures, 50, 1, 8, 8), tensor.FromSlice(labels)), 8)
	r.loader.Shuffle, r.loader.DropLast, r.loader.Device = true, true, dev
	r.loader.Transform = func(random *rand.Rand, e data.Example) (data.Example, error) {
		noisy := e[0].Clone()
		for i, v := range buf.Slice[float32](noisy) {
			buf.Slice[float32](noisy)[i] = v + random.Float32()/10
		}
		return data.Example{noisy, e[1]}, nil
	}
	return r
}

func (r *training) parts() nn.Parts {
	return nn.Parts{"model": r.net, "optimizer": r.opt, "plateau": r.plateau, "loader": r.loader}
}

// until trains up to a number of steps in all.
func (r *training) until(steps int) error {
	params := r.net.Parameters()
	ctx := context.Background()
	for r.steps < steps {
		for batch, err := range r.loader.Epoch(ctx) {
			if err != nil {
				return err
			}
			loss := r.net.Forward(batch[0]).CrossEntropyLoss(batch[1])
			grads := tensor.Grad([]*tensor.Tensor{r.opt.Scaled(loss)}, params, nil)
			if err := r.opt.Step(ctx, params, grads, loss); err != nil {
				return err
			}
			r.plateau.Observe(loss.Item())
			if r.steps++; r.steps == steps {
				break
			}
		}
	}
	return nil
}

// TestMain is also the second process of TestResumedRunIsExact.
func TestMain(m *testing.M) {
	if dir := os.Getenv("ACAP_TEST_TRAINING"); dir != "" {
		if err := trainIn(dir); err != nil {
			fmt.Println(err)
			os.Exit(1)
		}
		return
	}
	os.Exit(m.Run())
}

// trainIn goes on with the run in a folder up to the step that the environment says.
func trainIn(dir string) (err error) {
	r := newTraining()
	run := nn.Checkpoints{Dir: dir, Keep: 1}
	if r.steps, err = run.Resume(r.parts()); err != nil {
		return err
	}
	to, err := strconv.Atoi(os.Getenv("ACAP_TEST_STEPS"))
	if err != nil {
		return err
	}
	if err := r.until(to); err != nil {
		return err
	}
	return run.Save(to, r.parts())
}

// A run that two processes make, one after the other, ends with the bits of one that a
// single process makes.
func TestResumedRunIsExact(t *testing.T) {
	once, twice := t.TempDir(), t.TempDir()
	process := func(dir string, steps int) {
		cmd := emulator.Again()
		cmd.Env = append(os.Environ(), "ACAP_TEST_TRAINING="+dir, "ACAP_TEST_STEPS="+strconv.Itoa(steps))
		out, err := cmd.CombinedOutput()
		require.NoError(t, err, "%s", out)
	}
	process(once, 20)
	process(twice, 8) // within the second epoch
	process(twice, 20)
	files, err := os.ReadDir(twice)
	require.NoError(t, err)
	require.Len(t, files, 1, "older checkpoints go")
	read := func(dir string) []byte {
		b, err := os.ReadFile(filepath.Join(dir, "step-000000020.safetensors"))
		require.NoError(t, err)
		return b
	}
	require.True(t, bytes.Equal(read(once), read(twice)), "the runs differ")
}

func TestLoadPart(t *testing.T) {
	path := filepath.Join(t.TempDir(), "a.safetensors")
	a := nn.Sequential(nn.NewLinear(2, 3))
	require.NoError(t, nn.Save(path, nn.Parts{"model": a, "optimizer": optim.NewAdam(1)}))
	b := nn.Sequential(nn.NewLinear(2, 3))
	handle := b.Parameters()[0]
	require.NoError(t, nn.Load(path, nn.Parts{"model": b}))
	require.Equal(t, a.Parameters()[0].Float32s(), handle.Float32s())
	require.True(t, handle.IsParameter())

	before := handle.Float32s()
	for want, parts := range map[string]nn.Parts{
		`there is no part "net"`:            {"net": b, "model": b},
		"0.weight has the shape [3 2], not": {"model": nn.Sequential(nn.NewLinear(3, 2))},
		"no name of a part":                 {"a.b": b},
		`part "model" is nil`:               {"model": nil},
	} {
		require.ErrorContains(t, nn.Load(path, parts), want)
	}
	missing := filepath.Join(t.TempDir(), "none.safetensors")
	require.Equal(t, 1, strings.Count(nn.Load(missing, nn.Parts{"model": b}).Error(), missing), "the path stands once")
	adam := optim.NewAdam(1)
	require.NoError(t, optim.Minimize(context.Background(), adam, a.Parameters(), a.Forward(tensor.Ones(1, 2)).Sum()))
	require.NoError(t, nn.Save(path, nn.Parts{"model": a, "optimizer": adam}))
	err := nn.Load(path, nn.Parts{"model": b, "optimizer": &optim.SGD{LR: 1}})
	require.ErrorContains(t, err, `part "optimizer": optim: the state of another optimiser`)
	require.ErrorContains(t, nn.Save(path, nn.Parts{"model": 3}), "int has no tensors and no state")
	require.ErrorContains(t, nn.Save(path, nn.Parts{"random": b}), "no name of a part")
	require.Equal(t, before, handle.Float32s())
}

// What was changed after it was written is not loaded, and changes nothing.
func TestDamagedCheckpoint(t *testing.T) {
	dir := t.TempDir()
	path := filepath.Join(dir, "a.safetensors")
	net := nn.Sequential(nn.NewLinear(3, 2))
	require.NoError(t, nn.Save(path, nn.Parts{"model": net}))
	whole, err := os.ReadFile(path)
	require.NoError(t, err)
	other := nn.Sequential(nn.NewLinear(3, 2))
	before := other.Parameters()[0].Float32s()
	check := func(file []byte, what ...any) {
		require.NoError(t, os.WriteFile(path, file, 0o644))
		require.Error(t, nn.Load(path, nn.Parts{"model": other}), what...)
		require.Equal(t, before, other.Parameters()[0].Float32s())
	}
	for n := range whole {
		check(whole[:n], "cut after %d", n)
		if whole[n] != ' ' { // the padding of the header
			file := append([]byte(nil), whole...)
			file[n] ^= 1
			check(file, "byte %d", n)
		}
	}
	require.NoError(t, safetensors.WriteFile(path, nil, nil))
	require.ErrorContains(t, nn.Load(path, nn.Parts{"model": other}), "no checksum")
}

func TestCheckpoints(t *testing.T) {
	run := nn.Checkpoints{Dir: filepath.Join(t.TempDir(), "run"), Keep: 2}
	net := nn.Sequential(nn.NewLinear(1, 1))
	parts := nn.Parts{"model": net}
	step, err := run.Resume(parts)
	require.NoError(t, err)
	require.Zero(t, step)
	set := func(v float64) { net.Parameters()[0].Assign(tensor.FullLike(v, net.Parameters()[0].DType(), 1, 1)) }
	for i := 1; i <= 4; i++ {
		set(float64(i))
		require.NoError(t, run.Save(10*i, parts))
	}
	require.NoError(t, os.WriteFile(filepath.Join(run.Dir, "notes.txt"), nil, 0o644))
	steps, err := run.Steps()
	require.NoError(t, err)
	require.Equal(t, []int{30, 40}, steps)
	step, err = run.Resume(parts)
	require.NoError(t, err)
	require.Equal(t, 40, step)

	// The newest is damaged.
	path := filepath.Join(run.Dir, "step-000000040.safetensors")
	file, err := os.ReadFile(path)
	require.NoError(t, err)
	file[len(file)-1] ^= 1
	require.NoError(t, os.WriteFile(path, file, 0o644))
	_, err = run.Resume(parts)
	require.ErrorIs(t, err, nn.ErrChecksum)
	run.Warn = func(e error) { err = e }
	step, resumed := run.Resume(parts)
	require.NoError(t, resumed)
	require.Equal(t, 30, step)
	require.True(t, errors.Is(err, nn.ErrChecksum))
	require.Equal(t, 3.0, net.Parameters()[0].Item())

	// A run that went back does not remove what it has just written.
	require.NoError(t, run.Save(5, parts))
	steps, err = run.Steps()
	require.NoError(t, err)
	require.Contains(t, steps, 5)
	require.Error(t, run.Save(-1, parts))
}

func ExampleSave() {
	dir, _ := os.MkdirTemp("", "example")
	defer os.RemoveAll(dir)
	path := filepath.Join(dir, "run.safetensors")
	net, opt := nn.NewLinear(2, 1), optim.NewAdam(0.1)
	fmt.Println(nn.Save(path, nn.Parts{"model": net, "optimizer": opt}))
	again := nn.NewLinear(2, 1)
	fmt.Println(nn.Load(path, nn.Parts{"model": again, "optimizer": optim.NewAdam(0.1)}))
	fmt.Println(tensor.Call("equal", again.Weight, net.Weight)[0].Item())
	// Output:
	// <nil>
	// <nil>
	// 1
}

// Of the ranks that train together the first writes, and the others take part.
// TestCheckpointsNowhere: without a folder nothing is saved, and nothing looks as if a run began.
func TestCheckpointsNowhere(t *testing.T) {
	parts := nn.Parts{"model": nn.NewLinear(1, 1)}
	require.ErrorContains(t, nn.Checkpoints{}.Save(1, parts), "Checkpoints without Dir")
	_, err := nn.Checkpoints{}.Resume(parts)
	require.ErrorContains(t, err, "Checkpoints without Dir")
	path := filepath.Join(t.TempDir(), "x.safetensors")
	require.EqualError(t, nn.WriteState(path, map[string]*tensor.Tensor{"a": nil}), path+`: tensor "a" is nil`)
}

func TestCheckpointsOfRanks(t *testing.T) {
	dir := t.TempDir()
	parts := nn.Parts{"model": nn.NewLinear(2, 3)}
	other := nn.Checkpoints{Dir: dir, Rank: 1}
	require.NoError(t, other.Save(5, parts))
	steps, err := other.Steps()
	require.NoError(t, err)
	require.Empty(t, steps)
	require.NoError(t, nn.Checkpoints{Dir: dir}.Save(5, parts))
	step, err := other.Resume(parts)
	require.NoError(t, err)
	require.Equal(t, 5, step)
}
