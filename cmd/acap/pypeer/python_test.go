//go:build unix

package pypeer_test

import (
	"fmt"
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/go-acap/acap/base/environment"
	"github.com/go-acap/acap/cmd/acap/pypeer"
)

// TestPython: an interpreter is one that runs the program, with one thread; a name that is no program is an error.
func TestPython(t *testing.T) {
	path := filepath.Join(t.TempDir(), "python")
	script := "#!/bin/sh\nread line && test \"$line\" = \"import torch\" && test \"$OMP_NUM_THREADS\" = 1\n"
	require.NoError(t, os.WriteFile(path, []byte(script), 0o700))
	t.Setenv("ACAP_PYTHON", path)
	for program, want := range map[string]string{"import torch\n": path, "import other\n": ""} {
		got, err := pypeer.Python(program)
		require.NoError(t, err)
		require.Equal(t, want, got, program)
	}
	t.Setenv("ACAP_PYTHON", path+".missing")
	_, err := pypeer.Python("import torch\n")
	var wrong *environment.Error
	require.ErrorAs(t, err, &wrong)
	require.Equal(t, "ACAP_PYTHON", wrong.Variable)
}

func ExampleLastLine() {
	fmt.Println(pypeer.LastLine("Traceback:\n  ...\nImportError: no torch\n"))
	// Output: ImportError: no torch
}
