package lazy_test

import (
	"context"
	"encoding/json"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/go-acap/acap/device/acap"
	"github.com/go-acap/acap/lazy"
)

// Each level says what the ones below it say, and more.
func TestDebugLevels(t *testing.T) {
	defer lazy.Debug(0, io.Discard, "")
	var before int
	for level := range 5 {
		r := newRuntime(t)
		var b strings.Builder
		dir := t.TempDir()
		lazy.Debug(level, &b, dir)
		for range 2 {
			y := value{r, matrix(4)}.call(t, "neg").call(t, "cos")
			require.NoError(t, lazy.Sync(context.Background(), y))
		}
		lines := strings.Count(b.String(), "\n")
		require.GreaterOrEqual(t, lines, before)
		before = lines
		files, err := filepath.Glob(filepath.Join(dir, "0001-*", "*"))
		require.NoError(t, err)
		switch level {
		case 0:
			require.Zero(t, lines)
		case 1:
			require.Equal(t, 1, lines, b.String())
			require.Contains(t, b.String(), "compiled: step 1, lazy_test.go:")
			require.Empty(t, files)
		case 2:
			require.Equal(t, 3, lines, b.String())
			require.Contains(t, b.String(), "program 1 (cached)")
		case 3:
			require.Len(t, files, 6, "aten, three passes, kernels and what is known")
			text, err := os.ReadFile(filepath.Join(filepath.Dir(files[0]), "0-aten.mlir"))
			require.NoError(t, err)
			require.Contains(t, string(text), `loc("lazy_test.go":`)
			about, err := os.ReadFile(filepath.Join(filepath.Dir(files[0]), "about.json"))
			require.NoError(t, err)
			var has struct{ Key, Device string }
			require.NoError(t, json.Unmarshal(about, &has))
			require.Equal(t, "0001-"+has.Key[:12], filepath.Base(filepath.Dir(files[0])))
			require.Equal(t, r.Device().Name(), has.Device)
		case 4:
			require.Len(t, files, 10)
			require.Contains(t, b.String(), "program 1 agrees with the reference")
		}
	}
}

// A device that computes something else is found out.
func TestDebugFindsWrongResults(t *testing.T) {
	defer lazy.Debug(0, io.Discard, "")
	var b strings.Builder
	lazy.Debug(4, &b, t.TempDir())
	r := lazy.For(renaming{acap.Device(), "aten.cos", "aten.sin"})
	r.Clear() // programs of an earlier run of this test
	require.NoError(t, lazy.Sync(context.Background(), value{r, leaf(0, 1)}.call(t, "neg").call(t, "cos")))
	require.Contains(t, b.String(), "differs from the reference: call 2, aten.cos at lazy_test.go:")
}
