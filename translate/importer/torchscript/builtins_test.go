package torchscript

import (
	"errors"
	"os"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/go-acap/acap/ops"
)

// TestBuiltins: operators on numbers, texts and lists give what PyTorch 1.13 gave; record/builtins.py
// wrote the assertions.
func TestBuiltins(t *testing.T) {
	text, err := os.ReadFile("testdata/builtins.py")
	require.NoError(t, err)
	held, unknown := 0, map[string]bool{}
	for line := range strings.Lines(string(text)) {
		_, err := importBody(t, "    "+strings.TrimSpace(line)+"\n    return x\n", 2, 3)
		var not *ops.UnknownError
		switch {
		case err == nil:
			held++
		case errors.As(err, &not):
			unknown[strings.Split(line, "(")[0]] = true
		default:
			t.Errorf("%s%v", line, err)
		}
	}
	t.Logf("%d hold; not known: %v", held, unknown)
	require.Greater(t, held, 1900)
}
