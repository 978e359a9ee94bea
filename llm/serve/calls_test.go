package serve

import (
	"testing"

	"github.com/stretchr/testify/require"
)

// TestOneCall: without parallel calls the first call of an answer counts, in a stream and as a whole.
func TestOneCall(t *testing.T) {
	const text = `a<tool_call>{"name":"f"}</tool_call><tool_call>{"name":"g"}</tool_call>`
	for one, want := range map[bool][]string{true: {"f"}, false: {"f", "g"}} {
		f := &chatForm{tools: true, one: one}
		var streamed result
		f.hold(&streamed, text, true)
		_, whole := f.calls(text)
		for _, calls := range [][]any{streamed.calls, whole} {
			var names []string
			for _, c := range calls {
				names = append(names, c.(map[string]any)["function"].(map[string]any)["name"].(string))
			}
			require.Equal(t, want, names)
		}
	}
}
