package opinfo_test

import (
	"maps"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/go-acap/acap/device"
	"github.com/go-acap/acap/device/acap"
	"github.com/go-acap/acap/device/host"
	"github.com/go-acap/acap/tensor/opinfo"
)

// TestRecorded runs what record.py recorded of every operator on the host, and a share of
// it on the array. A program passes or stands in pending.txt.
func TestRecorded(t *testing.T) {
	families, waiting := archive(t, "recorded"), pending(t)
	total, passed := 0, 0
	for _, family := range slices.Sorted(maps.Keys(families)) {
		for _, p := range families[family] {
			devices := []device.Device{host.Device}
			if total%8 == 0 && !testing.Short() {
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
	require.Greater(t, total, 14000)
}

// TestRefused: what PyTorch refuses for extents and arguments is refused, or stands in
// accepted.txt.
func TestRefused(t *testing.T) {
	families, taken := archive(t, "refused"), names(t, "accepted.txt")
	total := 0
	for _, family := range slices.Sorted(maps.Keys(families)) {
		for _, p := range families[family] {
			total++
			if err := p.Run(host.Device); taken[p.Name] == (err == nil) {
				t.Errorf("%s: in accepted.txt: %v; %v", p.Name, taken[p.Name], err)
			}
		}
	}
	require.Greater(t, total, 2000)
}

// TestOracles: somebody else computed values of every operator.
func TestOracles(t *testing.T) {
	suite, err := opinfo.Open("testdata")
	require.NoError(t, err)
	programs, err := suite.All()
	require.NoError(t, err)
	list := opinfo.Oracles(programs)
	require.Greater(t, len(list), 800)
	for _, o := range list {
		if !o.Known() {
			t.Errorf("%s has no oracle: record it (package opinfo says how), or add a reference", o.Operator)
		}
	}
	for _, o := range opinfo.Oracles(nil) {
		if !o.Reference {
			require.False(t, o.Known(), o.Operator)
		}
	}
}
