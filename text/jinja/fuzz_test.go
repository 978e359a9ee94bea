package jinja

import (
	"errors"
	"os"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// FuzzRender: any text is rendered, or is an error with a place.
func FuzzRender(f *testing.F) {
	data, err := os.ReadFile("testdata/snippets.txt")
	require.NoError(f, err)
	for _, line := range strings.Split(string(data), "\n") {
		f.Add(line)
	}
	values := map[string]any{"messages": []any{map[string]any{"role": "user", "content": "a"}}, "x": 3, "y": 1.5, "s": "text", "flag": true}
	f.Fuzz(func(t *testing.T, source string) {
		if _, err := render(source, values); err != nil {
			var e *Error
			require.True(t, errors.As(err, &e), "%v", err)
		}
	})
}
