package opinfo_test

import (
	"maps"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/go-acap/acap/device"
	"github.com/go-acap/acap/device/acap"
	"github.com/go-acap/acap/device/host"
)

// TestRecorded runs what record.py recorded of every operator on the host, and a share of
// it on the array. A program passes or stands in pending.txt.
func TestRecorded(t *testing.T) {
	families, waiting := archive(t, "recorded"), pending(t)
	total, passed, step := 0, 0, 1
	if testing.Short() {
		step = 4
	}
	for _, family := range slices.Sorted(maps.Keys(families)) {
		for i := 0; i < len(families[family]); i += step {
			p := families[family][i]
			devices := []device.Device{host.Device}
			if total%8 == 0 {
				devices = append(devices, acap.Device())
			}
			total++
			for _, dev := range devices {
				switch err := p.Run(dev); {
				case err == nil && waiting[p.Name]:
					t.Errorf("%s passes: take it out of pending.txt", p.Name)
				case err == nil:
					passed++
				case !waiting[p.Name]:
					t.Errorf("%s on %s: %v", p.Name, dev.Name(), err)
				}
			}
		}
	}
	t.Logf("%d programs, %d runs passed", total, passed)
	require.Greater(t, total, 3000)
}
