package report_test

import (
	"math"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"github.com/go-acap/acap/base/dtype"
	"github.com/go-acap/acap/device/acap/machine"
	"github.com/go-acap/acap/device/acap/mapper"
	"github.com/go-acap/acap/device/acap/report"
	"github.com/go-acap/acap/device/acap/workload"
)

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

// TestIdleCores: a product that leaves cores without work says what more of them would take, as the mapper does, or
// which limit forbids them; one that has all says nothing.
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

// TestPower: the watts over a run add up to its energy, and the energies of its parts do; the stretches cover the run,
// and between kernels the array is at rest.
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
	// By hand: the memory outside takes a number of picojoules a byte.
	if want := r.Machine.Energy.DDR.Value * 1e-12 * float64(total.ReadL3+total.WriteL3); math.Abs(e.Outside/want-1) > 1e-9 {
		t.Errorf("%g J outside, want %g", e.Outside, want)
	}
}
