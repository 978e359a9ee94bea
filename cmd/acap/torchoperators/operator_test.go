package torchoperators_test

import (
	"fmt"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/go-acap/acap/cmd/acap/torchoperators"
)

// TestAll: every functional operator of PyTorch 2.14 is computed, or refused for a reason.
func TestAll(t *testing.T) {
	all, err := torchoperators.All()
	require.NoError(t, err)
	count := map[torchoperators.Status]int{}
	for _, o := range all {
		count[o.Status]++
		require.Contains(t, torchoperators.Statuses(), o.Status)
		require.NotEqual(t, torchoperators.Missing, o.Status, o.Name)
		require.Equal(t, o.Status == torchoperators.Refused, o.Reason != "", o.Name)
	}
	require.Greater(t, count[torchoperators.Registered]+count[torchoperators.Expanded], 1100)
}

func Example() {
	all, err := torchoperators.All()
	if err != nil {
		panic(err)
	}
	for _, name := range []string{"aten::mm", "aten::gelu_backward"} {
		at := slices.IndexFunc(all, func(o torchoperators.Operator) bool { return o.Name == name })
		fmt.Println(all[at].Name, all[at].Status)
	}
	// Output:
	// aten::mm registered
	// aten::gelu_backward expanded
}
