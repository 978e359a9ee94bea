package opinfo_test

import (
	"maps"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/go-acap/acap/device/acap"
	"github.com/go-acap/acap/tensor/opinfo"
)

// TestRecorded runs a share of what record.py recorded on the array; the tests of package ops run all of it on the
// host. A program passes or stands in pending.txt.
func TestRecorded(t *testing.T) {
	families, waiting := archive(t, "recorded"), pending(t)
	total := 0
	for _, family := range slices.Sorted(maps.Keys(families)) {
		for _, p := range families[family] {
			if total++; total%8 != 1 {
				continue
			}
			if err := p.Run(acap.Device()); (err != nil) != waiting[p.Name] {
				t.Errorf("%s: listed in pending.txt: %v; %v", p.Name, waiting[p.Name], err)
			}
		}
	}
	require.Greater(t, total, 14000)
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
