package main

import (
	"encoding/json"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/go-acap/acap/ops"
)

// What the recorder reads of one operator: every kind of argument, and whether it takes
// complex tensors.
func TestRequest(t *testing.T) {
	line, err := json.Marshal(request(ops.MustLookup("addmm")))
	require.NoError(t, err)
	var got struct {
		Name    string
		Params  []parameter
		Samples [][]any
		Complex bool
	}
	require.NoError(t, json.Unmarshal(line, &got))
	require.Equal(t, "addmm", got.Name)
	require.Len(t, got.Params, 5)
	require.Equal(t, parameter{Name: "beta", Type: "scalar", KwOnly: true, Default: 1.0}, got.Params[3])
	require.Contains(t, got.Samples[0][1], "tensor")
	require.False(t, got.Complex)
	require.True(t, takesComplex(ops.MustLookup("mm")))

	require.Equal(t, object{"f": "-inf"}, argument(ops.FloatArg(-1/zero())))
	require.Equal(t, object{"s": "sum"}, argument("sum"))
	require.Equal(t, []int{2, 1}, argument([]int{2, 1}))
}

func zero() float64 { return 0 }

// Every functional operator that does not draw can be written.
func TestRequests(t *testing.T) {
	for _, op := range ops.All() {
		if op.IsInplace() || op.Draws {
			continue
		}
		_, err := json.Marshal(request(op))
		require.NoError(t, err, op.Name())
	}
}
