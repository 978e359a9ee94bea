package report_test

import (
	"bytes"
	"encoding/csv"
	"encoding/json"
	"fmt"
	"math"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/go-acap/acap/base/dtype"
	"github.com/go-acap/acap/device/acap/machine"
	"github.com/go-acap/acap/device/acap/mapper"
	"github.com/go-acap/acap/device/acap/report"
	"github.com/go-acap/acap/device/acap/schedule"
	"github.com/go-acap/acap/device/acap/workload"
	"github.com/go-acap/acap/mlir"
)

// sample is a product, a row kernel and one that has no mapping.
func sample(name string) (*report.Report, error) {
	m, err := machine.Preset(name)
	if err != nil {
		return nil, err
	}
	op := workload.Operand{DType: dtype.BF16}
	s := []workload.Stream{{DType: dtype.BF16, Elements: 512 * 512}}
	works := []*workload.Kernel{
		{Name: "k0_matmul", Kind: workload.KindContraction, Contraction: workload.Contraction{Batch: 1,
			M: 512, N: 512, K: 512, A: op, B: op, Acc: dtype.F32, Out: dtype.BF16}},
		{Name: "k1_softmax", Kind: workload.KindNormalize, Normalize: workload.Normalize{Rows: 512,
			Cols: 512, Passes: 3, DType: dtype.BF16, In: s, Out: s,
			Ops: workload.Mix{Simple: 2, Transcendental: 1}}},
	}
	r := &report.Report{Machine: m, Name: m.Name}
	for i, w := range works {
		c, err := mapper.Map(m, w)
		if err != nil {
			return nil, err
		}
		at := mlir.Location{Name: "model.forward", File: "model.go", Line: 10 + i}
		r.Kernels = append(r.Kernels, report.Kernel{Name: w.Name, Work: w, Choice: c, Mapping: c.Mapping,
			Timing: c.Timing, Layout: c.Mapping.String(), Bound: c.Timing.Bound.String(),
			Where: at.Short(), Locations: []mlir.Location{at}})
	}
	r.Kernels = append(r.Kernels, report.Kernel{Name: "k2_sort", Problem: "a sort has no mapping"})
	return r, nil
}

func get(t testing.TB, name string) *report.Report {
	t.Helper()
	r, err := sample(name)
	if err != nil {
		t.Fatal(err)
	}
	return r
}

func TestText(t *testing.T) {
	for _, name := range []string{"npu1", "npu2", "vck190", "vek280"} {
		text := get(t, name).String()
		for _, want := range []string{"2 kernels", "bound by", "(estimate)", "share of the array's time",
			"twice the memory bandwidth", "half the columns", "busy share", "k2_sort", "1 kernel that cannot run",
			"rejected"} {
			if !strings.Contains(text, want) {
				t.Errorf("%s: %q is missing in\n%s", name, want, text)
			}
		}
	}
}

// TestWhatIf checks that more of a resource is never slower.
func TestWhatIf(t *testing.T) {
	for _, w := range get(t, "npu1").WhatIfs() {
		if strings.HasPrefix(w.Change, "half the columns") {
			if w.Speedup > 1.0001 {
				t.Errorf("%+v", w)
			}
		} else if w.Speedup < 0.9999 {
			t.Errorf("%+v", w)
		}
	}
}

// TestWhatIfOfCells checks the lines of a systolic array: whole products of its size are
// bound by their cells, so that half of the rows takes longer and twice the bandwidth helps
// nothing.
func TestWhatIfOfCells(t *testing.T) {
	got := make(map[string]float64)
	for _, w := range get(t, "systolic").WhatIfs() {
		got[w.Change] = w.Speedup
	}
	if len(got) != 4 || got["half the rows of cells"] >= 0.9 || got["twice rows and columns"] <= 1.1 ||
		got["twice the memory bandwidth"] < 0.9999 {
		t.Error(got)
	}
}

// TestPartCosts checks that no part of memory and network makes a run shorter, that what a slow network costs
// is told by the line of its part alone, and that a run without the parts takes what the lines say.
func TestPartCosts(t *testing.T) {
	r := get(t, "npu1")
	costs := func(m *machine.Machine) map[machine.Part]float64 {
		other := report.Report{Machine: m, Kernels: r.Kernels}
		list := make(map[machine.Part]float64)
		for _, c := range other.PartCosts() {
			if c.Seconds < -1e-12 || c.Share > 1 {
				t.Errorf("%+v", c)
			}
			list[c.Part] = c.Seconds
		}
		return list
	}
	before := costs(r.Machine)
	if len(before) != len(machine.Parts()) || before[machine.Refresh] <= 0 || before[machine.Contention] <= before[machine.Refresh] {
		t.Error(before)
	}
	slow := *r.Machine
	slow.Stream.Hop.Value *= 100
	after := costs(&slow)
	if after[machine.Hops] < 50*before[machine.Hops] || before[machine.Hops] <= 0 {
		t.Errorf("hops that take 100 times as long cost %v instead of %v", after[machine.Hops], before[machine.Hops])
	}
	if again := costs(slow.Without(machine.Hops)); again[machine.Hops] != 0 {
		t.Errorf("hops that are left out cost %v", again[machine.Hops])
	}
	narrow := r.Machine.Without(machine.Contention)
	one := machine.Switch{North: machine.Constant{Value: 1}, South: machine.Constant{Value: 1}, Side: machine.Constant{Value: 1}}
	narrow.Core.Switch, narrow.Mem.Switch, narrow.Shim.Switch = one, one, one
	congested := get(t, "npu1")
	congested.Machine = narrow
	for i := range congested.Kernels {
		if c := congested.Kernels[i].Choice; c != nil {
			c.Machine = narrow
		}
	}
	for _, c := range congested.PartCosts() {
		if c.Part == machine.Routes && (c.Seconds <= 0 || before[c.Part] != 0) {
			t.Errorf("streams that share every port cost %v, others %v", c.Seconds, before[c.Part])
		}
	}
	if list := get(t, "systolic").PartCosts(); list != nil {
		t.Error(list)
	}
}

func TestHeat(t *testing.T) {
	h := get(t, "npu1").Heat()
	cores := 0
	for c, v := range h.Share {
		if v <= 0 || v > 1 {
			t.Errorf("%v is busy for %v", c, v)
		}
		if h.Machine.KindAt(c) == machine.CoreTile {
			cores++
		}
	}
	if cores != 16 {
		t.Errorf("%d cores are busy", cores)
	}
}

// TestPrograms holds the total of a report against its programs: kernels of a group share a call, kernels of another
// group have their own call, and kernels that run once have none.
func TestPrograms(t *testing.T) {
	r, err := sample("npu2")
	if err != nil {
		t.Fatal(err)
	}
	one := r.Total()
	if one.Calls != 1 || one.Seconds != one.Cost.Seconds() || one.Seconds >= one.Separate.Seconds() {
		t.Errorf("one group: %+v", one)
	}
	r.Written = 1 << 20
	if more := r.Total().Seconds - one.Seconds; math.Abs(more/((1<<20)/r.Machine.Host.Write.Value)-1) > 1e-9 {
		t.Errorf("inputs cost %g s", more)
	}
	r.Written = 0
	r.Kernels[1].Group = 1
	if two := r.Total(); two.Calls != 2 || two.Cost.Call <= one.Cost.Call {
		t.Errorf("two groups: %+v", two)
	}
	r.Kernels[1].Once = true
	if once := r.Total(); once.Calls != 1 || once.OnceSeconds != r.Kernels[1].Timing.Seconds {
		t.Errorf("once: %+v", once)
	}
}

func ExampleReport_Verdict() {
	r, err := sample("npu1")
	if err != nil {
		panic(err)
	}
	verdict, _, _ := strings.Cut(r.Verdict(), ":")
	fmt.Println(verdict)
	// Output:
	// compute
}

// TestAdds adds up what the kernels add to a run, and what they do while the array works.
func TestAdds(t *testing.T) {
	check := func(r *report.Report) {
		t.Helper()
		var sum schedule.Cost
		for i, c := range r.Adds() {
			if k := &r.Kernels[i]; k.Problem != "" || k.Once {
				continue
			}
			sum.Add(c, 1)
		}
		want := r.Total()
		if d := sum.Seconds()/want.Seconds - 1; math.Abs(d) > 1e-12 || sum.Host() != want.Cost.Host() || sum.Work() != want.Cost.Work() {
			t.Errorf("kernels add %+v, the total is %+v", sum, want.Cost)
		}
	}
	r, err := sample("npu2")
	if err != nil {
		t.Fatal(err)
	}
	check(r)
	adds, total := r.Adds(), r.Total()
	for i := range r.Kernels[:2] {
		// A row has the name, start and work with their units, the share of the run, the cores and the rate.
		k := &r.Kernels[i]
		share := 100 * (adds[i].Launch() + adds[i].Work()) / total.Seconds
		rate := "-"
		if k.Timing.MACs > 0 {
			rate = fmt.Sprintf("%.1f", float64(k.Timing.MACs)/(k.Array()*r.Machine.Clock.Value))
		}
		row := regexp.MustCompile(`(?m)^` + k.Name + ` .*$`).FindString(r.Summary())
		cells := strings.Fields(row)
		want := []string{report.Duration(adds[i].Launch()) + " " + report.Duration(adds[i].Work()), fmt.Sprint(k.Timing.Cores), rate}
		if got := []string{strings.Join(cells[1:5], " "), cells[6], cells[7]}; !slices.Equal(got, want) {
			t.Errorf("%s: %q, adds %+v, %s products a cycle", k.Name, row, adds[i], rate)
		}
		if v, err := strconv.ParseFloat(strings.TrimSuffix(cells[5], "%"), 64); err != nil || math.Abs(v-share) > 0.51 {
			t.Errorf("%s: %q, %g %% of the run", k.Name, row, share)
		}
	}
	var list bytes.Buffer
	if err := r.WriteCSV(&list); err != nil {
		t.Fatal(err)
	}
	rows, err := csv.NewReader(&list).ReadAll()
	if err != nil {
		t.Fatal(err)
	}
	whole := r.String()
	for i := range r.Kernels[:2] {
		launch, work := slices.Index(rows[0], "launch_seconds"), slices.Index(rows[0], "array_seconds")
		if l, a := rows[i+1][launch], rows[i+1][work]; l != fmt.Sprint(adds[i].Launch()) || a != fmt.Sprint(adds[i].Work()) {
			t.Errorf("launch %s, array %s: %+v", l, a, adds[i])
		}
		k := &r.Kernels[i]
		events, err := k.Event()
		if err != nil {
			t.Fatal(err)
		}
		said := regexp.MustCompile(`(?m)^` + k.Name + ` .* ` + regexp.QuoteMeta(report.Duration(events.Seconds-k.Timing.Launch)) + ` \(`)
		if !said.MatchString(whole) {
			t.Errorf("%s: events of %s are not in\n%s", k.Name, report.Duration(events.Seconds-k.Timing.Launch), whole)
		}
	}
	text, err := json.Marshal(r)
	if err != nil {
		t.Fatal(err)
	}
	var read struct {
		Kernels []struct {
			Launch float64 `json:"launch_seconds"`
			Array  float64 `json:"array_seconds"`
		}
	}
	if err := json.Unmarshal(text, &read); err != nil {
		t.Fatal(err)
	}
	for i, k := range read.Kernels {
		if k.Launch != adds[i].Launch() || k.Array != adds[i].Work() {
			t.Errorf("kernel %d: %+v, %+v", i, k, adds[i])
		}
	}
	r.Written = 1 << 20
	check(r)
	r.Kernels[1].Group = 1
	check(r)
	for i := range r.Kernels {
		if k := &r.Kernels[i]; k.Problem == "" {
			s := &k.Timing.Stalls
			array := s.Compute + s.Call + s.DMA + s.Output + s.Fill + k.Timing.Restart
			if math.Abs(array/k.Array()-1) > 1e-9 {
				t.Errorf("%s: the array works %g s, its parts are %g s", k.Name, k.Array(), array)
			}
		}
	}
	r.Kernels[1].Once = true
	check(r)
	if c := r.Adds()[1]; c.Work() != r.Kernels[1].Array() || c.Call != r.Machine.Host.Launch.Value ||
		c.Seconds() != r.Total().OnceSeconds {
		t.Errorf("once: %+v", c)
	}
	r.Kernels[0].Once, r.Kernels[1].Group = true, 0 // one call for both
	adds = r.Adds()
	if once := r.Total(); once.Calls != 0 || adds[1].Call != 0 || math.Abs(once.OnceSeconds/(adds[0].Seconds()+adds[1].Seconds())-1) > 1e-12 {
		t.Errorf("both once: %+v", once)
	}
}

// TestNotDrawn: where intervals end before a kernel does, its cores are not drawn as idle.
func TestNotDrawn(t *testing.T) {
	r := get(t, "npu1")
	cut, whole, cores := 0, 0, 0
	for _, few := range []bool{true, false} {
		intervals := 1 << 20
		if few {
			intervals = 40
		}
		for _, track := range r.Timeline(intervals) {
			if track.Group != "cores" {
				continue
			}
			cores++
			for _, s := range track.Slices {
				if s.Name != "not drawn" {
					continue
				}
				if whole++; few {
					cut, whole = cut+1, whole-1
				}
				if s.Length <= 0 || s.Start+s.Length > r.Total().Seconds*(1+1e-9) {
					t.Errorf("%+v", s)
				}
			}
		}
	}
	if cut == 0 || whole > 0 || cores == 0 {
		t.Errorf("%d slices are not drawn of few intervals, %d of all, on %d cores", cut, whole, cores)
	}
}
