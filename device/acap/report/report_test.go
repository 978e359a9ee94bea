package report_test

import (
	"bytes"
	"compress/gzip"
	"encoding/binary"
	"encoding/csv"
	"encoding/json"
	"encoding/xml"
	"fmt"
	"io"
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

func TestFiles(t *testing.T) {
	r := get(t, "npu1")
	write := func(f func(io.Writer) error) *bytes.Buffer {
		var b bytes.Buffer
		if err := f(&b); err != nil {
			t.Fatal(err)
		}
		return &b
	}
	rows, err := csv.NewReader(write(r.WriteCSV)).ReadAll()
	if err != nil || len(rows) != 4 {
		t.Errorf("CSV: %d rows, %v", len(rows), err)
	}
	d := xml.NewDecoder(write(r.WriteSVG))
	for {
		if _, err := d.Token(); err == io.EOF {
			break
		} else if err != nil {
			t.Fatalf("SVG: %v", err)
		}
	}
	var trace struct {
		TraceEvents []struct {
			Ph   string
			Name string
			Dur  float64
		}
	}
	if err := json.Unmarshal(write(r.WriteTrace).Bytes(), &trace); err != nil {
		t.Fatal(err)
	}
	names := map[string]int{}
	for _, e := range trace.TraceEvents {
		names[e.Name]++
		if e.Ph == "X" && e.Dur < 0 {
			t.Errorf("trace: %+v", e)
		}
	}
	if names["matmul"] == 0 || names["k0_matmul"] != 1 || names["thread_name"] < 20 {
		t.Errorf("trace: %v", names)
	}
	checkJSON(t, r)
	checkVCD(t, write(r.WriteVCD).String())
}

// checkJSON checks that the JSON form holds what the text says.
func checkJSON(t *testing.T, r *report.Report) {
	text, err := json.Marshal(r)
	if err != nil {
		t.Fatal(err)
	}
	var got struct {
		Verdict string
		Total   struct{ Seconds float64 }
		Kernels []struct {
			Name   string
			Bound  string
			Timing struct {
				Seconds float64
				Bound   string
				Stalls  map[string]float64
			}
			Used      map[string]map[string]int
			RunnersUp []struct{ Mapping string } `json:"runners_up"`
		}
		WhatIf []struct{ Change string } `json:"what_if"`
		Tiles  []struct {
			Kind string
			Busy float64 `json:"busy_share"`
		}
	}
	if err := json.Unmarshal(text, &got); err != nil {
		t.Fatal(err)
	}
	if got.Verdict != r.Verdict() || got.Total.Seconds != r.Total().Seconds ||
		len(got.Kernels) != len(r.Kernels) || len(got.WhatIf) == 0 || len(got.Tiles) == 0 {
		t.Errorf("%s", text)
	}
	for i, k := range got.Kernels {
		if r.Kernels[i].Problem != "" {
			continue
		}
		used := k.Used["core"]
		sum := 0.0
		for _, s := range k.Timing.Stalls {
			sum += s
		}
		if k.Timing.Bound != k.Bound || math.Abs(sum/k.Timing.Seconds-1) > 1e-9 || used["memory"] == 0 ||
			used["memory"] > used["memory_available"] {
			t.Errorf("%+v", k)
		}
	}
}

// checkVCD checks that time never goes back and values have declared signals.
func checkVCD(t *testing.T, text string) {
	signals := map[string]bool{}
	last, changes := -1, 0
	for _, line := range strings.Split(strings.TrimSpace(text), "\n") {
		f := strings.Fields(line)
		switch {
		case f[0] == "$var":
			signals[f[3]] = true
		case strings.HasPrefix(line, "$"):
		case line[0] == '#':
			var now int
			if _, err := fmt.Sscanf(line, "#%d", &now); err != nil || now <= last {
				t.Fatalf("VCD: %s after #%d", line, last)
			}
			last = now
		case line[0] == 'b':
			changes++
			if !signals[f[1]] {
				t.Fatalf("VCD: %s", line)
			}
		default:
			changes++
			if !signals[line[1:]] {
				t.Fatalf("VCD: %s", line)
			}
		}
	}
	if changes < 100 || len(signals) < 16 {
		t.Errorf("VCD: %d changes of %d signals", changes, len(signals))
	}
}

// TestProfile decodes the profile and adds up its samples.
func TestProfile(t *testing.T) {
	r := get(t, "npu1")
	var b bytes.Buffer
	if err := r.WriteProfile(&b); err != nil {
		t.Fatal(err)
	}
	z, err := gzip.NewReader(&b)
	if err != nil {
		t.Fatal(err)
	}
	data, err := io.ReadAll(z)
	if err != nil {
		t.Fatal(err)
	}
	var table []string
	var sums [3]int64
	samples := 0
	fields(t, data, func(field int, _ uint64, sub []byte) {
		switch field {
		case 6:
			table = append(table, string(sub))
		case 2:
			samples++
			fields(t, sub, func(field int, _ uint64, packed []byte) {
				if field != 2 {
					return
				}
				for i := 0; len(packed) > 0; i++ {
					v, n := binary.Uvarint(packed)
					sums[i] += int64(v)
					packed = packed[n:]
				}
			})
		}
	})
	total := r.Total()
	if samples != 2 || sums[0] < int64(total.Cycles)-2 || sums[0] > int64(total.Cycles) ||
		sums[1] != total.ReadL3+total.WriteL3 || sums[2] <= 0 || sums[2] > sums[0] {
		t.Errorf("%d samples, sums %v of %.0f cycles", samples, sums, total.Cycles)
	}
	if text := strings.Join(table, "|"); table[0] != "" || !strings.Contains(text, "model.forward") ||
		!strings.Contains(text, "model.go") || !strings.Contains(text, "device_cycles") {
		t.Errorf("strings %q", table)
	}
}

// fields visits the fields of a protocol buffer message.
func fields(t *testing.T, data []byte, visit func(field int, v uint64, sub []byte)) {
	for len(data) > 0 {
		key, n := binary.Uvarint(data)
		data = data[n:]
		v, n := binary.Uvarint(data)
		data = data[n:]
		if key&7 != 2 {
			visit(int(key>>3), v, nil)
			continue
		}
		if v > uint64(len(data)) {
			t.Fatal("a field leaves its message")
		}
		visit(int(key>>3), 0, data[:v])
		data = data[v:]
	}
}

// TestPrograms holds the total of a report against its programs: kernels of a group share a
// call, those of another group have one of their own, and what is done once has none.
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

// TestEnergyBounds holds the bounds of a run's energy against the machine's doubt.
func TestEnergyBounds(t *testing.T) {
	r, err := sample("npu2")
	if err != nil {
		t.Fatal(err)
	}
	total := r.Total()
	if total.JoulesLow <= 0 || total.JoulesLow >= total.Joules || total.Joules >= total.JoulesHigh {
		t.Errorf("%g to %g J around %g", total.JoulesLow, total.JoulesHigh, total.Joules)
	}
	if !strings.Contains(r.Summary(), " to "+report.Energy(total.JoulesHigh)) {
		t.Error(r.Summary())
	}
	r.Machine.Energy.Spread.Value = 0
	defer func() { r.Machine.Energy.Spread.Value = 2 }()
	if !strings.Contains(r.Summary(), "about "+report.Energy(total.Joules)) {
		t.Error(r.Summary())
	}
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

// TestIdleCores: a product that leaves cores without work says what more of them would take, as the mapper does, or which limit
// forbids them; one that has all says nothing.
func TestIdleCores(t *testing.T) {
	if text := get(t, "npu1").String(); strings.Contains(text, "k0_matmul  16 of") {
		t.Error(text)
	}
	m, err := machine.Preset("npu2")
	if err != nil {
		t.Fatal(err)
	}
	m.Grid.CoreRows = 16
	op := workload.Operand{DType: dtype.BF16}
	w := &workload.Kernel{Name: "product", Kind: workload.KindContraction, Contraction: workload.Contraction{Batch: 1,
		M: 1024, N: 1024, K: 1024, A: op, B: op, Acc: dtype.F32, Out: dtype.BF16}}
	text := func(m *machine.Machine) string {
		c, err := mapper.Map(m, w)
		if err != nil {
			t.Fatal(err)
		}
		r := report.Report{Machine: m, Kernels: []report.Kernel{{Name: w.Name, Work: w, Choice: c, Mapping: c.Mapping, Timing: c.Timing}}}
		_, text, _ := strings.Cut(r.String(), "cores without work\n")
		text, _, _ = strings.Cut(text, "\n\n")
		return text
	}
	got := regexp.MustCompile(`product  (\d+) of 128  \+([0-9.]+)% on (\d+), bound by`).FindStringSubmatch(text(m))
	if got == nil {
		t.Fatal(text(m))
	}
	if used, _ := strconv.Atoi(got[1]); used >= 128 {
		t.Error(got)
	} else if on, _ := strconv.Atoi(got[3]); on <= used {
		t.Error(got)
	}
	m.Mem.In.Value, m.Mem.Out.Value = 4, 4 // too few channels for a column of many cores
	if got := text(m); !strings.Contains(got, "none fits; ") || !strings.Contains(got, " times ") {
		t.Error(got)
	}
}

// TestPower: the watts over a run add up to its energy, which is that of its parts; the stretches cover the run, and between kernels
// the array is at rest.
func TestPower(t *testing.T) {
	r := get(t, "npu1")
	total := r.Total()
	sum, array, at, rest := 0.0, 0.0, 0.0, 0
	for _, p := range r.Power() {
		if math.Abs(p.Start-at) > 1e-12 || p.Length <= 0 || p.Watts < p.Array || p.Array < r.Machine.Energy.Static.Value {
			t.Errorf("%+v begins at %g", p, at)
		}
		if len(p.Kernels) == 0 {
			rest++
			if p.Watts != r.Machine.Energy.Static.Value {
				t.Errorf("%+v", p)
			}
		}
		at += p.Length
		sum += p.Watts * p.Length
		array += p.Array * p.Length
	}
	e := total.Energy
	for _, c := range [][2]float64{{at, total.Seconds}, {sum, total.Joules}, {array, e.Array()},
		{e.Compute + e.Memories + e.Network + e.Outside + e.Rest, total.Joules}} {
		if math.Abs(c[0]/c[1]-1) > 1e-9 {
			t.Errorf("%g, want %g", c[0], c[1])
		}
	}
	if rest != 2 || !strings.Contains(r.Summary(), "on average 1.8 W, of which the array takes 1.4 W; at most 2.5 W") {
		t.Errorf("%d stretches at rest\n%s", rest, r.Summary())
	}
	// By hand: the memory outside takes so many picojoules a byte.
	if want := r.Machine.Energy.DDR.Value * 1e-12 * float64(total.ReadL3+total.WriteL3); math.Abs(e.Outside/want-1) > 1e-9 {
		t.Errorf("%g J outside, want %g", e.Outside, want)
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
