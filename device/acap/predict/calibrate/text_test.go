package calibrate_test

import (
	"bytes"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/go-acap/acap/device/acap/machine"
	"github.com/go-acap/acap/device/acap/predict/calibrate"
)

// TestParseBounds: bounds are finite numbers, and a constant has them once.
func TestParseBounds(t *testing.T) {
	bounds, err := calibrate.ParseBounds("host.launch=5e-5:2e-4,ddr.read=1e10:2e10")
	require.NoError(t, err)
	require.Equal(t, map[string][2]float64{"host.launch": {5e-5, 2e-4}, "ddr.read": {1e10, 2e10}}, bounds)
	bounds, err = calibrate.ParseBounds("")
	require.NoError(t, err)
	require.Empty(t, bounds)
	for text, want := range map[string]string{
		"host.launch":                           "host.launch: want name=low:high, two numbers",
		"host.launch=1":                         "host.launch=1: want name=low:high, two numbers",
		"host.launch=a:1":                       "host.launch=a:1: want name=low:high, two numbers",
		"host.launch=1e-5:inf":                  "host.launch=1e-5:inf: want name=low:high, two numbers",
		"host.launch=nan:1":                     "host.launch=nan:1: want name=low:high, two numbers",
		"host.launch=1e-5:1,host.launch=1e-5:2": "host.launch is given twice",
	} {
		_, err := calibrate.ParseBounds(text)
		require.EqualError(t, err, want)
	}
}

// TestText: constants at a bound say so, constants that no row determines are counted, a source without others has no
// column of what the others tell, and of many rows without a prediction some are named.
func TestText(t *testing.T) {
	r := calibrate.Result{
		Machine: &machine.Machine{Name: "m"},
		Constants: []calibrate.Constant{
			{Names: []string{"a"}, Before: 2, After: 4, Low: 1, High: 4, Rows: 7, Lines: []int{2, 5}},
			{Names: []string{"b"}, Before: 2, After: 1, Low: 1, High: 4, Rows: 7},
			{Names: []string{"c"}, Before: 2, After: 3, Low: 1, High: 4, Rows: 7},
			{Names: []string{"d"}, Loose: "no row depends on it"}, {Names: []string{"e"}, Loose: "no row depends on it"},
		},
		Sources: []calibrate.Source{{Name: strings.Repeat("x", 50) + "/end", Rows: 3, LeftOut: &calibrate.Errors{Median: 0.01, Mean: 0.02, Worst: 0.5}}, {Rows: 4}},
		All:     calibrate.Source{Name: "all", Rows: 7},
		Doubts:  []string{"few rows"},
		Skipped: []string{"1", "2", "3", "4", "5", "6", "7"},
	}
	var b bytes.Buffer
	require.NoError(t, r.Write(&b))
	var lines []string
	for line := range strings.Lines(b.String()) {
		lines = append(lines, strings.Join(strings.Fields(line), " "))
	}
	require.Equal(t, strings.Split(`m, 7 rows

constant before after moved bounds rows fixed by lines
a 2 4 +100.0% 1 4 7 2, 5 at its upper bound
b 2 1 -50.0% 1 4 7 at its lower bound
c 2 3 +50.0% 1 4 7
2 more constants keep their values: no row depends on it

absolute error: median, mean, worst rows before after with this source left out
…`+strings.Repeat("x", 43)+`/end 3 0.00% 0.00% 0.00% 0.00% 0.00% 0.00% 1.00% 2.00% 50.00%
(no source) 4 0.00% 0.00% 0.00% 0.00% 0.00% 0.00%
all 7 0.00% 0.00% 0.00% 0.00% 0.00% 0.00%
note: few rows
without prediction: 1
without prediction: 2
without prediction: 3
without prediction: 4
without prediction: 5
and 2 more rows without prediction`, "\n"), lines)
}
