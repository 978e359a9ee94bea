package recording

import (
	"testing"

	"github.com/stretchr/testify/require"
)

// TestChromeEvents: the first call of all cores is at 0, and a cycle of half a microsecond makes 50 cycles 25 us.
func TestChromeEvents(t *testing.T) {
	got := chromeEvents("recorded", 1, []Calls{
		{Col: 2, Row: 3, Spans: []Span{{From: 100, To: 150}}},
		{Spans: []Span{{From: 40, To: 60}}},
	}, 0.5)
	require.Len(t, got, 5)
	require.Equal(t, map[string]any{"name": "core 2, 3"}, got[1]["args"])
	require.Equal(t, map[string]any{"name": "call", "ph": "X", "pid": 1, "tid": 0, "ts": 30.0, "dur": 25.0}, got[2])
	require.Equal(t, map[string]any{"name": "call", "ph": "X", "pid": 1, "tid": 1, "ts": 0.0, "dur": 10.0}, got[4])
}
