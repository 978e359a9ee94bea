package longtest_test

import (
	"fmt"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/go-acap/acap/base/longtest"
)

func TestSample(t *testing.T) {
	t.Setenv(longtest.Variable, "1")
	require.Equal(t, 3, longtest.Sample(1, 2, 3))
	t.Run("runs", func(t *testing.T) { longtest.Only(t) })
	t.Setenv(longtest.Variable, "")
	want := 2
	if testing.Short() {
		want = 1
	}
	require.Equal(t, want, longtest.Sample(1, 2, 3))
	t.Run("does not", func(t *testing.T) {
		longtest.Only(t)
		t.Error("runs without " + longtest.Variable)
	})
}

func ExampleSample() {
	for seed := range longtest.Sample(1, 1, 1) {
		fmt.Println("seed", seed)
	}
	// Output: seed 0
}
