package tileexact_test

import (
	"bytes"
	"errors"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/go-acap/acap/device/acap/program"
	"github.com/go-acap/acap/device/acap/tileexact"
)

// TestReport: kernels that did not run count for nothing, and a wrong one is an error.
func TestReport(t *testing.T) {
	same := &tileexact.Result{Kernel: "same", Runs: 1, Elements: 4}
	skipped := &tileexact.Result{Kernel: "skipped", Runs: 2, Skipped: "too large"}
	wrong := &tileexact.Result{Kernel: "wrong", Runs: 1, Err: errors.New("element 3 differs")}
	unused := &tileexact.Result{Kernel: "unused"}
	for _, c := range []struct {
		kernels   []*tileexact.Result
		all       bool
		text, err string
	}{
		{[]*tileexact.Result{same, skipped, unused}, false, "skipped: not walked: too large\n1 of 2 kernels walked tile by tile, all as native\n", ""},
		{[]*tileexact.Result{same, unused}, true, "same: 4 elements, the same bits\n1 of 1 kernels walked tile by tile, all as native\n", ""},
		{[]*tileexact.Result{same, wrong}, false, "wrong: element 3 differs\n", "m: 1 of 2 kernels are wrong tile by tile"},
		{[]*tileexact.Result{skipped}, true, "skipped: not walked: too large\n", "m: none of 1 kernels was walked tile by tile"},
		{[]*tileexact.Result{skipped}, false, "skipped: not walked: too large\n0 of 1 kernels walked tile by tile, all as native\n", ""},
	} {
		var b bytes.Buffer
		err := (&tileexact.Checker{Kernels: c.kernels}).Report(&b, "m", c.all)
		require.Equal(t, c.text, b.String())
		if c.err == "" {
			require.NoError(t, err)
		} else {
			require.EqualError(t, err, c.err)
		}
	}
}

// TestReportFlips: bits that change a result are an error that names the cores; bits that change none are counted.
func TestReportFlips(t *testing.T) {
	harmless := &tileexact.Result{Kernel: "harmless", Runs: 1, Elements: 4, Flips: 3}
	changed := &tileexact.Result{Kernel: "changed", Runs: 1, Elements: 4, Flips: 1, Changed: 2, Wrong: []program.Coord{{Col: 1, Row: 2}}}
	var b bytes.Buffer
	flips, err := (&tileexact.Checker{Kernels: []*tileexact.Result{harmless}}).ReportFlips(&b, "m")
	require.NoError(t, err)
	require.Equal(t, 3, flips)
	flips, err = (&tileexact.Checker{Kernels: []*tileexact.Result{harmless, changed}}).ReportFlips(&b, "m")
	require.EqualError(t, err, "1 kernels give wrong results")
	require.Equal(t, 4, flips)
	require.Contains(t, b.String(), "  found: core (1, 2) gives wrong results\n")
	_, err = (&tileexact.Checker{Kernels: []*tileexact.Result{{Kernel: "unused"}}}).ReportFlips(&b, "m")
	require.EqualError(t, err, "m: no kernel was walked tile by tile")
}
