package emit_test

import (
	"flag"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/go-acap/acap/kernel"
	"github.com/go-acap/acap/kernel/arm64/emit"
	"github.com/go-acap/acap/kernel/cpu"
	"github.com/go-acap/acap/kernel/vector"
	"github.com/go-acap/acap/kernel/vector/nest"
)

var update = flag.Bool("update", false, "write what kernels become into testdata")

const between = "---\n"

// TestFiles compares the vector program and the listing of every kernel in testdata with those recorded behind it:
// kernel, vector program, listing. With -update it records them.
func TestFiles(t *testing.T) {
	files, err := filepath.Glob("testdata/*.txt")
	require.NoError(t, err)
	require.NotEmpty(t, files)
	b := emit.Backend(cpu.Features{Level: cpu.NEON})
	for _, file := range files {
		t.Run(filepath.Base(file), func(t *testing.T) {
			text, err := os.ReadFile(file)
			require.NoError(t, err)
			source, _, _ := strings.Cut(string(text), between)
			k, err := kernel.Parse(source)
			require.NoError(t, err)
			p, err := nest.Program(k.(*kernel.Nest), b)
			require.NoError(t, err)
			code, err := nest.Compile(k.(*kernel.Nest), b)
			require.NoError(t, err)
			defer code.Close()
			have := source + between + p.String() + between + code.Listing()
			if *update {
				require.NoError(t, os.WriteFile(file, []byte(have), 0o644))
			}
			require.Equal(t, string(text), have)
			again, err := vector.Parse(p.String())
			require.NoError(t, err)
			require.Equal(t, p.String(), again.String())
		})
	}
}

// TestPrefetch has the instruction of a line that is read ahead, whatever its distance.
func TestPrefetch(t *testing.T) {
	for _, at := range []int{0, 4, 40000} {
		m, err := emit.Backend(cpu.Features{Level: cpu.NEON}).Build(func() *vector.Program {
			b := vector.NewBuilder("prefetch", 4)
			b.Prefetch(b.Arg(0), at)
			return b.Program()
		}, 8, 7)
		require.NoError(t, err)
		require.Contains(t, m.Listing(), "prfm     pldl1keep, [x16]", at)
		m.Close()
	}
}
