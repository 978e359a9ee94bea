package predict_test

import (
	"compress/gzip"
	"fmt"
	"math"
	"os"
	"strings"
	"sync"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/go-acap/acap/base/longtest"
	"github.com/go-acap/acap/device/acap/predict"
)

// published are the published measurements that the presets were fitted to.
var published = sync.OnceValue(func() []predict.Row {
	f, err := os.Open("testdata/rows.csv.gz")
	if err != nil {
		panic(err)
	}
	defer f.Close()
	z, err := gzip.NewReader(f)
	if err != nil {
		panic(err)
	}
	rows, err := predict.Read(z)
	if err != nil {
		panic(err)
	}
	return rows
})

// predicted has the predictions of the rows, without the best mappings of our own, computed once for all tests.
var predicted = sync.OnceValue(func() []predict.Prediction {
	_, all := predict.Defaults{}.Prepare(published())
	return all
})

// gates are the errors that the time model must keep, per machine and family.
var gates = map[string]struct{ rows, median, mean float64 }{
	"npu1 gemm":                           {300, 0.02, 0.05},
	"npu2 gemm":                           {89, 0.025, 0.045},
	"npu2 gemv":                           {30, 0.03, 0.03},
	"npu2 pointwise":                      {30, 0.025, 0.035},
	"npu2 norms":                          {14, 0.04, 0.10},
	"npu2 rope":                           {14, 0.03, 0.045},
	"npu2 attention":                      {12, 0.03, 0.05},
	"vck190 gemm":                         {4, 0.05, 0.05},
	"vck5000 gemm":                        {3, 0.05, 0.05},
	"systolic-32x32-ws gemm":              {1, 0, 0},
	"systolic-32x32-os-64+64+64K@10 gemm": {1, 0, 0},
	"systolic-32x32-ws-64+64+64K@10 gemm": {1, 0, 0},
	"systolic-32x32-is-64+64+64K@10 gemm": {1, 0, 0},
}

func TestAccuracy(t *testing.T) {
	found := 0
	for _, s := range predict.Summarize(predicted()) {
		gate, ok := gates[s.Name]
		if s.By != "group" || !ok {
			continue
		}
		found++
		t.Logf("%-24s %3d rows, median %.2f %%, mean %.2f %%, worst %.1f %%", s.Name, s.Rows,
			100*s.Median, 100*s.Mean, 100*s.Worst)
		if float64(s.Rows) != gate.rows || s.Median > gate.median || s.Mean > gate.mean {
			t.Errorf("%s: %d rows, median %.4f, mean %.4f; want %v", s.Name, s.Rows, s.Median,
				s.Mean, gate)
		}
	}
	if found != len(gates) {
		t.Errorf("%d of %d groups found", found, len(gates))
	}
}

// TestWorstCHARM bounds every row of the designs for VC1902.
func TestWorstCHARM(t *testing.T) {
	for _, p := range predicted() {
		if strings.HasPrefix(p.Row.Source, "arc-research-lab/CHARM") && math.Abs(p.Error) > 0.1 {
			t.Errorf("%s %d: %.1f %% off", p.Row.Device, p.Row.M, 100*p.Error)
		}
	}
}

// TestBest expects that our best mapping is never predicted to be much slower
// than the measured one, which is in the searched space or close to it.
func TestBest(t *testing.T) {
	var rows []predict.Row
	for _, p := range predicted() {
		if p.Skipped == "" && strings.HasPrefix(p.Machine, "npu") && p.Named {
			rows = append(rows, p.Row)
		}
	}
	for i, r := range rows {
		if i%longtest.Sample(8, 8, 1) > 0 {
			continue
		}
		p := predict.Rows([]predict.Row{r})[0]
		if p.Best == 0 {
			t.Fatalf("line %d: %s", p.Row.Line, p.BestMap)
		}
		ratio := p.Best / p.Predicted
		if p.Row.Metric == "throughput" {
			ratio = p.Predicted / p.Best
		}
		if ratio > 1.08 {
			t.Errorf("line %d: %s: ours %.4g, measured mapping %.4g %s: %s", p.Row.Line,
				p.Row.Workload, p.Best, p.Predicted, p.Row.Unit, p.BestMap)
		}
	}
}

const head = "source,device,workload,M,K,N,dtype,tiles,metric,value,unit,notes\n"

func TestReadErrors(t *testing.T) {
	for _, c := range []struct{ text, want string }{
		{"", "1:1: the file is empty"},
		{head, "1:1: the file names columns and has no row"},
		{"source,b\n", `1:8: there is no column "b", but source,device,`},
		{"device;workload;M\n", `1:1: columns are separated by commas: source,device,`},
		{"device,workload,dtype,metric,value\n", "1:1: the first line names no column unit; it names source,device,"},
		{"device,workload,dtype,metric,value,unit,Value\n", "1:41: column value is there twice"},
		{"unit,device,value,workload,metric,dtype\nus,npu1,-5,gemm,latency,bf16\n", `2:9: value is "-5", want a positive`},
		{head + "s,npu1,gemm,x,1,1,bf16,16,latency,1,us,\n", `2:13: M is "x", want a count`},
		{head + "s,npu1,gemm,1,1,1,bf16,16,latency,fast,us,\n", `2:35: value is "fast", want a positive`},
		{head + "s,npu1,gemm,1,1,1,bf16,16,latency,-3,us,\n", "2:35: value"},
		{head + "s,npu1,gemm,1,1,1,bf16,16,latency,3-,us,\n", "2:35: value"},
		{head + "s,npu1,gemm,1,1\n", "2:1: 5 fields, want 12: source,device,"},
		{head + "s,npu1,ge\"mm,1,1\n", `2:10: bare " in`},
	} {
		if _, err := predict.Read(strings.NewReader(c.text)); err == nil ||
			!strings.Contains(err.Error(), c.want) {
			t.Errorf("%q: %v, want %q", c.text, err, c.want)
		}
	}
}

// TestColumns: columns may be in any order, and those that say nothing may be missing.
func TestColumns(t *testing.T) {
	rows, err := predict.Read(strings.NewReader("# mine\nUnit,device,m,K,N,workload,metric,value,dtype\nus,npu1,64,32,16,gemm,latency,5,bf16\n"))
	require.NoError(t, err)
	require.Equal(t, []predict.Row{{Line: 3, Device: "npu1", Workload: "gemm", M: 64, K: 32, N: 16, DType: "bf16", Metric: "latency", Value: 5, Unit: "us"}}, rows)
}

// TestPresetName predicts a row whose device is the name of a preset, after a byte order mark.
func TestPresetName(t *testing.T) {
	rows, err := predict.Read(strings.NewReader("\ufeff" + head +
		"s,systolic-7x13-ws,gemm,97,89,83,any,91,compute cycles,11101,cycles,\n"))
	if err != nil {
		t.Fatal(err)
	}
	if p := predict.Rows(rows); len(p) != 1 || p[0].Skipped != "" || p[0].Error != 0 {
		t.Errorf("%+v", p)
	}
}

func TestSkipped(t *testing.T) {
	text := head +
		"s,toaster,gemm,64,64,64,bf16,16,latency,1,us,\n" +
		"s,npu1,juggling,64,64,64,bf16,16,latency,1,us,\n" +
		"s,npu1,gemm,64,64,64,cint16,16,latency,1,us,\n" +
		"s,npu1,gemm,64,64,64,bf16,16,smell,1,us,\n" +
		"s,npu1,gemm,64,64,64,bf16,16,latency,200,us,\n"
	rows, err := predict.Read(strings.NewReader(text))
	if err != nil {
		t.Fatal(err)
	}
	all := predict.Rows(rows)
	for i, p := range all[:4] {
		if p.Skipped == "" {
			t.Errorf("row %d was predicted", i)
		}
	}
	if p := all[4]; p.Skipped != "" || p.Named || p.Predicted != p.Best {
		t.Errorf("a row without mapping: %+v", p)
	}
}

func FuzzRead(f *testing.F) {
	f.Add(head + "s,npu2,gemv,64,64,1,bf16,8,latency,2.36–2.61,ms,herd_m/tile_m/m_input 8/8/8\n")
	f.Add(head + "s,npu1,gemm,64,64,64,i8,16,latency,1,us,L1 tile 64x128x64\n")
	f.Add(head + "s,VCK190,gemm,64,64,64,fp32,1,throughput,1,GFLOPS,A*B*C 1x1x1\n")
	f.Fuzz(func(t *testing.T, text string) {
		rows, err := predict.Read(strings.NewReader(text))
		if err != nil {
			return
		}
		predict.Summarize(predict.Rows(rows))
	})
}

func ExampleRows() {
	text := "source,device,workload,M,K,N,dtype,tiles,metric,value,unit,notes\n" +
		"ARIES,npu1,gemm,1024,1024,1024,bf16,16,latency,1286.74,us,L1 tile 64x64x64\n"
	rows, err := predict.Read(strings.NewReader(text))
	if err != nil {
		panic(err)
	}
	p := predict.Rows(rows)[0]
	fmt.Printf("%s: %.0f us measured, %.0f us predicted\n", p.Mapping, p.Row.Value, p.Predicted)
	// Output:
	// 4x4 parts 4x4 tile 64x64x64 depth 2/2 vector: 1287 us measured, 1289 us predicted
}

func ExampleSummarize() {
	text := "source,device,workload,M,K,N,dtype,tiles,metric,value,unit,notes\n" +
		"registry,npu2,eltwise_add,1048576,,,bf16,8,latency,175,us,cfg 8/1/2048\n" +
		"registry,npu2,eltwise_add,2097152,,,bf16,8,latency,277,us,cfg 8/1/2048\n"
	rows, err := predict.Read(strings.NewReader(text))
	if err != nil {
		panic(err)
	}
	for _, s := range predict.Summarize(predict.Rows(rows)) {
		if s.By == "group" {
			fmt.Printf("%s: %d rows, median error below 10 %%: %v\n", s.Name, s.Rows, s.Median < 0.1)
		}
	}
	// Output:
	// npu2 pointwise: 2 rows, median error below 10 %: true
}

// TestStalls: SCALE-Sim's totals and stalls of its reference reports; without sizes of scratchpads there is no
// prediction unless the memory is as fast as the array wants.
func TestStalls(t *testing.T) {
	const device = `g,"32x32 systolic, 64+64+64 KB",`
	for row, want := range map[string]float64{
		"gemm os USER bw10,256,256,128,any,1024,total cycles,1,cycles,":              52447,
		"gemm ws USER bw10,256,256,128,any,1024,total cycles,1,cycles,":              52447,
		"gemm is USER bw10,256,256,128,any,1024,total cycles,1,cycles,":              19984,
		"gemm is USER bw10,256,256,128,any,1024,stall cycles,1,cycles,":              5777,
		"gemm is USER bw10,256,256,128,any,1024,compute cycles,1,cycles,":            14207,
		"AlexNet Conv1 11x11 s4 ws CALC,3025,363,96,any,1024,total cycles,1,cycles,": 112283,
		"AlexNet Conv1 11x11 s4 ws CALC,3025,363,96,any,1024,stall cycles,1,cycles,": 0,
	} {
		rows, err := predict.Read(strings.NewReader("source,device,workload,M,K,N,dtype,tiles,metric,value,unit,notes\n" + device + row + "\n"))
		require.NoError(t, err)
		p := predict.Rows(rows)[0]
		require.Empty(t, p.Skipped, row)
		require.Equal(t, want, p.Predicted, row)
	}
	rows, err := predict.Read(strings.NewReader("source,device,workload,M,K,N,dtype,tiles,metric,value,unit,notes\ng,systolic-8x8-os,gemm,9,9,9,any,,total cycles,1,cycles,\n"))
	require.NoError(t, err)
	require.Contains(t, predict.Rows(rows)[0].Skipped, "need the sizes of scratchpads")
}

// TestScaleSim: cycles with stalls, and cycles of the cells alone, agree to the last one with runs of SCALE-Sim 3 and
// with its reference reports.
func TestScaleSim(t *testing.T) {
	f, err := os.Open("testdata/scalesim.csv")
	require.NoError(t, err)
	defer f.Close()
	rows, err := predict.Read(f)
	require.NoError(t, err)
	require.Len(t, rows, 66)
	for _, p := range predict.Rows(rows) {
		require.Empty(t, p.Skipped, "line %d", p.Row.Line)
		require.Equal(t, p.Row.Value, p.Predicted, "line %d", p.Row.Line)
	}
}
