package ops

import (
	"testing"

	"github.com/stretchr/testify/require"
)

// TestStepsOfTurn: turns leave no step where the number of steps has a divisor of the size of a turn, else few.
func TestStepsOfTurn(t *testing.T) {
	for n, want := range map[int]int{33: 11, 34: 17, 37: 18, 64: 32, 97: 32, 100: 25, 640: 32} {
		require.Equal(t, want, stepsOfTurn(n), "%d steps", n)
	}
	for n := mostSteps + 1; n < 1000; n++ {
		require.Less(t, n%stepsOfTurn(n), leastSteps, "%d steps", n)
	}
}
