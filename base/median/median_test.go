package median_test

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/go-acap/acap/base/median"
)

func TestOf(t *testing.T) {
	list := []float64{5, 1, 4}
	require.Equal(t, 4., median.Of(list))
	require.Equal(t, []float64{5, 1, 4}, list)
	require.Equal(t, 3., median.Of([]float64{5, 1, 4, 2}))
	require.Equal(t, 3*time.Second, median.Of([]time.Duration{4 * time.Second, 2 * time.Second}))
}
