package calibrate_test

import (
	"compress/gzip"
	"fmt"
	"math/rand/v2"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/go-acap/acap/base/longtest"
	"github.com/go-acap/acap/device/acap/machine"
	"github.com/go-acap/acap/device/acap/predict"
	"github.com/go-acap/acap/device/acap/predict/calibrate"
)

// some returns every every-th row of npu1.
func some(t *testing.T, every int) []predict.Row {
	t.Helper()
	f, err := os.Open("../testdata/rows.csv.gz")
	require.NoError(t, err)
	defer f.Close()
	z, err := gzip.NewReader(f)
	require.NoError(t, err)
	rows, err := predict.Read(z)
	require.NoError(t, err)
	var out []predict.Row
	for i, r := range rows {
		if strings.HasPrefix(r.Device, "npu1") && i%every == 0 {
			out = append(out, r)
		}
	}
	return out
}

// TestDisturbed starts from constants that are up to 30 % off: measurements bring them back, so that half of the rows
// are predicted within 2.5 %, and rows that are off by 5 % push none out of its bounds.
func TestDisturbed(t *testing.T) {
	rows := some(t, longtest.Sample(15, 15, 1))
	r := rand.New(rand.NewPCG(5, 6))
	m, err := machine.Preset("npu1")
	require.NoError(t, err)
	off := *m
	for _, c := range []*machine.Constant{&off.Host.Launch, &off.Host.Restart, &off.DDR.Read} {
		c.Value *= 1 + float64(0.3*(2*r.Float64()-1))
	}
	off.DDR.Write.Value, off.DDR.Total.Value = off.DDR.Read.Value, 2*off.DDR.Read.Value
	style := off.Compute.Styles["vector"]
	style.Efficiency.Value *= 0.75
	style.Call.Value *= 1.3
	off.Compute.Styles = map[string]machine.Style{"vector": style}
	result, err := calibrate.Fit(&off, rows, calibrate.Options{Label: "test"})
	require.NoError(t, err)
	t.Logf("median %.2f %% before, %.2f %% after", 100*result.All.Before.Median, 100*result.All.After.Median)
	require.Less(t, result.All.After.Median, 0.025)
	require.Greater(t, result.All.Before.Median, 0.05)

	for i := range rows {
		rows[i].Value *= 1 + float64(0.05*(2*r.Float64()-1))
	}
	result, err = calibrate.Fit(m, rows, calibrate.Options{Label: "test"})
	require.NoError(t, err)
	for _, c := range result.Constants {
		require.True(t, c.Low <= c.After && c.After <= c.High, "%s: %g of %g to %g", c.Name(), c.After, c.Low, c.High)
		require.Equal(t, c.Loose != "", c.Rows == 0)
	}
	require.NoError(t, result.Machine.Check())
}

func TestRefused(t *testing.T) {
	m, err := machine.Preset("npu1")
	require.NoError(t, err)
	rows := some(t, 100)
	_, err = calibrate.Fit(m, nil, calibrate.Options{})
	require.ErrorContains(t, err, "no row of npu1")
	_, err = calibrate.Fit(m, rows, calibrate.Options{Patterns: []string{"core.locks"}})
	require.ErrorContains(t, err, "no row depends on a constant")
	_, err = calibrate.Fit(m, rows, calibrate.Options{Bounds: map[string][2]float64{"host.launch": {1, 2}}})
	require.ErrorContains(t, err, "not around")
	for range 20 {
		_, err = calibrate.Fit(m, rows, calibrate.Options{Bounds: map[string][2]float64{"b": {1, 2}, "a": {1, 2}, "c": {1, 2}}})
		require.ErrorContains(t, err, "npu1 has no constant a that", "the first by name")
	}
}

func ExampleConstants() {
	m, err := machine.Preset("npu1")
	if err != nil {
		panic(err)
	}
	for _, c := range calibrate.Constants(m, "host.launch", "compute.styles.vector.efficiency") {
		fmt.Printf("%s: %g to %.2g\n", c.Name(), c.Low, c.High)
	}
	// Output:
	// compute.styles.vector.efficiency: 0.45 to 1
	// host.launch: 6.49e-05 to 0.00026
}

// TestDoubts: what is wrong with the rows is told.
func TestDoubts(t *testing.T) {
	m, err := machine.Preset("npu1")
	require.NoError(t, err)
	rows := some(t, 60)
	fit := func(rows []predict.Row) string {
		r, err := calibrate.Fit(m, rows, calibrate.Options{Patterns: []string{"host.*", "ddr.read"}})
		require.NoError(t, err)
		return strings.Join(r.Doubts, "\n")
	}
	require.Empty(t, fit(rows))
	again := append(slices.Clone(rows), rows[1])
	again[len(rows)].Line = 999
	require.Contains(t, fit(again), fmt.Sprintf("1 row is the same as others, and counts again: lines 999 = %d", rows[1].Line))
	require.Contains(t, fit(rows[:1]), "1 row cannot fix")
	off := slices.Clone(rows)
	off[0].Value *= 5
	require.Regexp(t, fmt.Sprintf(`^line %d is [45]\.?\d* times as slow as predicted`, rows[0].Line), fit(off))
	for i := range off {
		off[i].Unit = "ms"
	}
	require.Contains(t, fit(off), "half of the rows are")
	_, err = calibrate.Fit(m, nil, calibrate.Options{Patterns: []string{"ddr.reed"}}) // before rows are mapped
	require.EqualError(t, err, "npu1 has no constant ddr.reed; acap machines npu1 lists them")
}
