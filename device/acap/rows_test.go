package acap_test

import (
	"compress/gzip"
	"context"
	"fmt"
	"math"
	"os"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/go-acap/acap/device/acap"
	"github.com/go-acap/acap/device/acap/describe"
	"github.com/go-acap/acap/device/acap/machine"
	"github.com/go-acap/acap/device/acap/predict"
	"github.com/go-acap/acap/device/acap/report"
	"github.com/go-acap/acap/device/acap/timing"
	"github.com/go-acap/acap/device/acap/workload"
	"github.com/go-acap/acap/mlir"
)

// said returns a measured row as a program, "" for one that no program says: products that are summed
// up in another type than a program's, or rounded when they are stored.
func said(p *predict.Prediction) string {
	w := p.Kernel
	if p.Skipped != "" {
		return ""
	}
	in, _ := w.Types()
	switch name := strings.Fields(p.Row.Workload)[0]; {
	case w.Kind == workload.KindContraction && w.Contraction.N > 1 && w.Contraction.M > 1:
		c := &w.Contraction
		if c.Out != in {
			return ""
		}
		a, b, r := fmt.Sprintf("tensor<%dx%dx%v>", c.M, c.K, in), fmt.Sprintf("tensor<%dx%dx%v>", c.K, c.N, in),
			fmt.Sprintf("tensor<%dx%dx%v>", c.M, c.N, in)
		return fmt.Sprintf("func.func @main(%%0: %s, %%1: %s) -> %s {\n  %%r = \"aten.mm\"(%%0, %%1) : (%s, %s) -> %s\n"+
			"  return %%r : %s\n}\n", a, b, r, a, b, r, r)
	case in.String() != "bf16" || bodies[name].body == "":
	case w.Kind == workload.KindPointwise:
		return programOf(name, 1, int(w.Pointwise.Elements))
	case w.Kind == workload.KindNormalize:
		return programOf(name, w.Normalize.Rows, w.Normalize.Cols)
	}
	return ""
}

// TestRowsAsPrograms says the published measurements as programs of one operator: the kernel that
// the array gets from such a program takes, in the mapping that was measured and in a program of one
// launch, the time that the row is predicted to take.
func TestRowsAsPrograms(t *testing.T) {
	f, err := os.Open("predict/testdata/rows.csv.gz")
	require.NoError(t, err)
	defer f.Close()
	z, err := gzip.NewReader(f)
	require.NoError(t, err)
	rows, err := predict.Read(z)
	require.NoError(t, err)
	machines := predict.Presets()
	works := make(map[string]*workload.Kernel) // by text
	same := make(map[string]int)               // rows by workload and type
	for _, row := range rows {
		p := predict.Predict(row, machines)
		text := said(&p)
		if text == "" || !p.Named {
			continue
		}
		m, err := machines(p.Machine)
		require.NoError(t, err)
		if works[text] == nil {
			works[text] = workOf(t, m, text)
		}
		want, err := timing.Estimate(m, p.Kernel, p.Measured)
		require.NoError(t, err)
		k := report.Kernel{Name: "row", Work: works[text], Mapping: p.Measured}
		k.Timing, err = timing.Estimate(m, k.Work, p.Measured)
		require.NoError(t, err, "%s: %v", p.Row.Workload, k.Work)
		got := (&report.Report{Machine: m, Kernels: []report.Kernel{k}}).Total()
		if math.Abs(got.Seconds/want.Seconds-1) > 0.02 {
			t.Errorf("%s %s %dx%dx%d %s: %.1f us as a program, %.1f us as a row", p.Machine, p.Row.Workload, p.Row.M, p.Row.K,
				p.Row.N, p.Mapping, 1e6*got.Seconds, 1e6*want.Seconds)
		}
		same[strings.Fields(p.Row.Workload)[0]+" "+p.Row.DType]++
	}
	t.Log(same)
	require.Greater(t, len(same), 8, "%v", same)
}

// workOf is the work of the only kernel of a program.
func workOf(t *testing.T, m *machine.Machine, text string) *workload.Kernel {
	module, err := mlir.Parse("row.mlir", []byte(text))
	require.NoError(t, err)
	exe, err := acap.New(m).Compile(context.Background(), module)
	require.NoError(t, err)
	defer exe.Close()
	groups := exe.(*acap.Program).Groups()
	require.Len(t, groups, 1)
	kernels := groups[0].Program.Kernels()
	require.Len(t, kernels, 1, text)
	w, err := describe.Kernel("row", kernels[0].Kernel)
	require.NoError(t, err)
	return w
}
