package compiler_test

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/go-acap/acap/base/buf"
	"github.com/go-acap/acap/base/emulator"
	"github.com/go-acap/acap/base/wire"
	"github.com/go-acap/acap/device/compiler"
	"github.com/go-acap/acap/device/plan"
	"github.com/go-acap/acap/device/store"
)

// hits compiles and runs a program with a host step twice in a row, and returns how often the
// cache on disk had it.
func hits(t *testing.T) int64 {
	before, _, _ := store.Default().Stats()
	for range 2 {
		exe := compile(t, withHost)
		out := run(t, exe, buf.From([]float32{-1, 0, 2, 3}, 4))
		require.Equal(t, []float32{1, 1, 0, 0}, buf.Slice[float32](out[0]))
		require.Equal(t, []byte{0, 1, 0, 0}, out[1].Bytes())
		require.Equal(t, map[string]int{"aten.isin.Tensor_Tensor": 1}, exe.Fallbacks())
		require.Len(t, exe.Groups(), 2)
	}
	after, _, _ := store.Default().Stats()
	return after - before
}

// entry returns the only file of a folder.
func entry(t *testing.T, dir string) string {
	files, err := filepath.Glob(filepath.Join(dir, "*.acap"))
	require.NoError(t, err)
	require.Len(t, files, 1)
	return files[0]
}

// A program on disk is used, and shows the same as the one that was compiled.
func TestProgramsOnDisk(t *testing.T) {
	t.Setenv(store.Variable, "")
	fresh := compile(t, withHost)
	t.Setenv(store.Variable, t.TempDir())
	require.EqualValues(t, 1, hits(t))
	require.EqualValues(t, 2, hits(t))
	stored := compile(t, withHost)
	require.Equal(t, fresh.Memory(), stored.Memory())
	require.Equal(t, fresh.Kernels(), stored.Kernels())
	for _, stage := range []string{"linalg", "kernel", "vector", "asm"} {
		want, err := fresh.Text(stage)
		require.NoError(t, err)
		have, err := stored.Text(stage)
		require.NoError(t, err)
		require.Equal(t, want, have, stage)
	}
}

// Files that are cut short, altered, or from another version are as if they were not there, and
// are written anew.
func TestDamagedCache(t *testing.T) {
	dir := t.TempDir()
	t.Setenv(store.Variable, dir)
	require.EqualValues(t, 1, hits(t))
	file := entry(t, dir)
	sound, err := os.ReadFile(file)
	require.NoError(t, err)
	other := t.TempDir()
	entries, err := store.Default().List()
	require.NoError(t, err)
	store.Open(other, 0, "another version").Put(entries[0].Kind, entries[0].Key, entries[0].Title, []byte("what it thinks"))
	foreign, err := os.ReadFile(entry(t, other))
	require.NoError(t, err)
	meaningless := t.TempDir() // sound as an entry, but no program
	store.Open(meaningless, 0, store.Version()).Put(entries[0].Kind, entries[0].Key, entries[0].Title, []byte{1, 2, 3})
	wrong, err := os.ReadFile(entry(t, meaningless))
	require.NoError(t, err)

	damaged := map[string][]byte{"empty": {}, "of another version": foreign, "no program": wrong, "longer": append(sound[:len(sound):len(sound)], 0)}
	r := rand.New(rand.NewPCG(1, 2))
	for range 10 {
		n := r.IntN(len(sound))
		damaged[fmt.Sprint("cut at ", n)] = sound[:n]
		flipped := append([]byte{}, sound...)
		flipped[n] ^= 1 << r.IntN(8)
		damaged[fmt.Sprint("flipped at ", n)] = flipped
	}
	for name, data := range damaged {
		require.NoError(t, os.WriteFile(file, data, 0o666))
		want := int64(1)
		if name == "no program" {
			want = 2 // an entry, of no use
		}
		require.EqualValues(t, want, hits(t), name)
		again, err := os.ReadFile(file)
		require.NoError(t, err)
		require.Equal(t, sound, again, name)
	}
}

// TestProcessesShareCache has processes write and read one folder at once.
func TestProcessesShareCache(t *testing.T) {
	if os.Getenv("ACAP_TEST_CHILD") != "" {
		for range 20 {
			hits(t)
		}
		return
	}
	dir := t.TempDir()
	var children []*exec.Cmd
	for range 3 {
		c := emulator.Again("-test.run=^TestProcessesShareCache$", "-test.count=1")
		c.Env = append(os.Environ(), "ACAP_TEST_CHILD=1", store.Variable+"="+dir)
		require.NoError(t, c.Start())
		children = append(children, c)
	}
	for _, c := range children {
		require.NoError(t, c.Wait())
	}
	t.Setenv(store.Variable, dir)
	entry(t, dir)
	require.EqualValues(t, 2, hits(t), "what they left is sound")
}

// What loads from altered bytes is refused or runs within its memory.
func TestAlteredPlans(t *testing.T) {
	p, err := compile(t, withHost).Plan()
	require.NoError(t, err)
	data := p.Encode()
	for n := range data {
		_, err := plan.Decode(data[:n])
		require.ErrorIs(t, err, wire.ErrMalformed)
	}
	r := rand.New(rand.NewPCG(3, 4))
	ctx := context.Background()
	for range 300 {
		changed := append([]byte{}, data...)
		changed[r.IntN(len(changed))] ^= 1 << r.IntN(8)
		p, err := plan.Decode(changed)
		if err != nil {
			continue
		}
		exe, err := compiler.Load(ctx, p)
		if err != nil {
			require.True(t, errors.Is(err, wire.ErrMalformed), "%v", err)
			continue
		}
		if exe.Memory().Run < 1<<20 {
			_, _ = exe.Run(ctx, []*buf.Buffer{buf.From([]float32{-1, 0, 2, 3}, 4)})
		}
		exe.Close()
	}
}
