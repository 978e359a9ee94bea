package hostile

import (
	"fmt"
	"os"
	"reflect"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/go-acap/acap/tensor"
)

// TestNil calls all methods of a tensor that is nil.
func TestNil(t *testing.T) {
	v, err := NewValues(t.TempDir(), 1)
	require.NoError(t, err)
	nobody := reflect.ValueOf((*tensor.Tensor)(nil))
	for i := range nobody.NumMethod() {
		for range 3 {
			d := v.draw("(*tensor.Tensor)(nil)."+tensorType.Method(i).Name, nobody.Method(i))
			if err := v.Call(d); err != nil {
				t.Errorf("%s %v", d.Text, err)
			}
		}
	}
}

// round is how many calls build on each other.
const round = 250

// TestCalls makes calls in rounds of some hundred. The environment variable ACAP_HOSTILE
// ("FROM:COUNT", in rounds) asks for others, and more; ACAP_HOSTILE_NOTE names a file that holds the
// call that is being made, for crashes that nothing recovers.
func TestCalls(t *testing.T) {
	from, count := 0, 12
	if testing.Short() {
		count = 2
	}
	if text := os.Getenv("ACAP_HOSTILE"); text != "" {
		_, err := fmt.Sscanf(text, "%d:%d", &from, &count)
		require.NoError(t, err)
	}
	t.Chdir(t.TempDir())
	for i := from; i < from+count; i++ {
		v, err := NewValues(t.TempDir(), uint64(i))
		require.NoError(t, err)
		for k := range round {
			d := v.Draw()
			text := fmt.Sprintf("round %d, call %d: %s", i, k, d.Text)
			if note := os.Getenv("ACAP_HOSTILE_NOTE"); note != "" {
				require.NoError(t, os.WriteFile(note, []byte(text), 0o644))
			}
			if err := v.Call(d); err != nil {
				t.Errorf("%s %v", text, err)
			}
		}
	}
}

// TestSameSeed: the same seed draws the same calls, in every process.
func TestSameSeed(t *testing.T) {
	dir := t.TempDir()
	texts := func() (list []string) {
		v, err := NewValues(dir, 3)
		require.NoError(t, err)
		for range round {
			list = append(list, v.Draw().Text)
		}
		return list
	}
	require.Equal(t, texts(), texts())
}
