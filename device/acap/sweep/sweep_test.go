package sweep

import (
	"math/rand"
	"reflect"
	"strings"
	"testing"
)

func TestParseSetting(t *testing.T) {
	for text, want := range map[string][]float64{
		"cols=1:4":          {1, 2, 3, 4},
		"l1=32k,64k":        {32768, 65536},
		"ddr=16e9:32e9:8e9": {16e9, 24e9, 32e9},
		"x=1,5:6":           {1, 5, 6},
	} {
		s, err := parseSetting(text)
		if err != nil || !reflect.DeepEqual(s.values, want) {
			t.Errorf("%s: %v, %v", text, s.values, err)
		}
	}
	for _, text := range []string{"", "cols", "=1", "cols=", "cols=a", "cols=1:2:0", "cols=1:2:3:4",
		"cols=nan", "cols=1:1e12", "cols=4:1"} {
		if s, err := parseSetting(text); err == nil {
			t.Errorf("%q: %v", text, s)
		}
	}
}

func TestGrid(t *testing.T) {
	g, err := NewGrid([]string{"npu1", "npu2"}, []string{"cols=2:6", "l1=32k,64k", "ddr.read=8e9"})
	if err != nil {
		t.Fatal(err)
	}
	if g.Len() != 2*5*2 {
		t.Fatalf("%d points", g.Len())
	}
	for i := range g.Len() {
		p, m, err := g.machine(i)
		if err != nil {
			t.Fatal(err)
		}
		want := map[string]float64{"cols": float64(2 + i/2%5), "l1": float64(int(32768) << (i % 2)), "ddr.read": 8e9}
		if p.Machine != []string{"npu1", "npu2"}[i/10] || !reflect.DeepEqual(p.Set, want) {
			t.Errorf("point %d is %s with %v", i, p.Machine, p.Set)
		}
		if m.Grid.Cols != int(p.Set["cols"]) || len(m.Grid.ShimDMA) != m.Grid.Cols ||
			m.Core.Memory.Value != p.Set["l1"] || m.DDR.Read.Value != 8e9 {
			t.Errorf("%v gives %d columns, %v, %v", p.Set, m.Grid.Cols, m.Core.Memory, m.DDR.Read)
		}
	}
	pads, err := NewGrid([]string{"systolic-32x32-os-64+64+64K@10"}, []string{"scratchpads.input=16k,64k"})
	if err != nil {
		t.Fatal(err)
	}
	points, err := pads.Evaluate(0, 2, nil, nil)
	if err != nil || points[0].Memory != 144<<10 || points[1].Memory != 192<<10 {
		t.Errorf("memory of scratchpads: %+v, %v", points, err)
	}
	if _, err := NewGrid([]string{"npu1"}, []string{"cols=6:1"}); err == nil || !strings.Contains(err.Error(), "a step of 1 does not lead from 6 to 1") {
		t.Errorf("a range backwards: %v", err)
	}
	for _, set := range []string{"cols=0", "cols=4,0", "nothing=1", "grid=1", "clock.value.x=1", "name=1", "cols=1.5"} {
		if _, err := NewGrid([]string{"npu1"}, []string{"l1=32k,64k", set}); err == nil {
			t.Errorf("-set %s: no error", set)
		}
	}
	if _, err := NewGrid([]string{"npu1"}, []string{"ddr.reed=1e9"}); err == nil || !strings.Contains(err.Error(), "no field ddr.reed; there are chips, page, ") {
		t.Errorf("a field that is not there: %v", err)
	}
	if _, err := NewGrid([]string{"npu1"}, []string{"columns=1:4"}); err == nil || !strings.Contains(err.Error(), "no field columns; there are clock, ") ||
		!strings.Contains(err.Error(), "; short names are clock, cols, ") {
		t.Errorf("columns: %v", err)
	}
	for _, twice := range [][]string{{"cols=1", "cols=2"}, {"l1=32k", "core.memory=64k"}, {"clock.value=1e9", "clock=2e9"}, {"ddr.read=8e9", "ddr=4e9"}} {
		if _, err := NewGrid([]string{"npu1"}, twice); err == nil || !strings.Contains(err.Error(), "is set twice, as ") {
			t.Errorf("%v: %v", twice, err)
		}
	}
	for machine, parts := range map[string][]string{"vck190": {"l2=1k", "mem.banks=2"}, "systolic": {"l1=1k", "shim.in=2", "stream.hop=3"}} {
		for _, set := range parts { // of parts that the array does not have
			if _, err := NewGrid([]string{machine}, []string{set}); err == nil || !strings.Contains(err.Error(), "a machine has no field ") {
				t.Errorf("%s, -set %s: %v", machine, set, err)
			}
		}
	}
	if _, err := NewGrid([]string{"vck190"}, []string{"stream=8"}); err != nil {
		t.Errorf("streams of an array without mem tiles: %v", err)
	}
	g, err = NewGrid([]string{"npu1"}, []string{"energy.op.value=0.15"})
	if err != nil {
		t.Fatal(err)
	}
	if _, m, err := g.machine(0); err != nil || m.Energy.Op.Value != 0.15 {
		t.Errorf("a constant by the path of its number: %v", err)
	}
}

// TestParts evaluates a grid as a whole and in parts.
func TestParts(t *testing.T) {
	g, err := NewGrid([]string{"npu1"}, []string{"cols=1:4", "l1=32k,64k"})
	if err != nil {
		t.Fatal(err)
	}
	calls := 0
	whole, err := g.Evaluate(0, 8, nil, func(p Progress) {
		if calls++; p != (Progress{Machines: calls}) {
			t.Errorf("call %d says %+v", calls, p)
		}
	})
	if err != nil || calls != 8 {
		t.Fatal(calls, err)
	}
	var parts []*Point
	for _, from := range []int{0, 3, 6} {
		p, err := g.Evaluate(from, min(from+3, 8), nil, nil)
		if err != nil {
			t.Fatal(err)
		}
		parts = append(parts, p...)
	}
	if !reflect.DeepEqual(whole, parts) {
		t.Errorf("whole %v, in parts %v", whole, parts)
	}
}

// TestPareto compares with the definition, among points where many agree in one coordinate, for the cost that is given.
func TestPareto(t *testing.T) {
	r := rand.New(rand.NewSource(1))
	for range 50 {
		var points []*Point
		for range r.Intn(30) {
			p := &Point{Cores: r.Intn(6), Memory: r.Intn(6), Seconds: float64(r.Intn(6))}
			if r.Intn(5) == 0 {
				p.Error = "does not fit"
			}
			points = append(points, p)
		}
		for name, of := range map[string]func(*Point) int{"cores": func(p *Point) int { return p.Cores }, "memory": func(p *Point) int { return p.Memory }} {
			for _, p := range points {
				p.Pareto = false
			}
			MarkPareto(points, costs[name].of)
			for i, p := range points {
				best := p.Error == ""
				for _, q := range points {
					if q.Error == "" && of(q) <= of(p) && q.Seconds <= p.Seconds && (of(q) < of(p) || q.Seconds < p.Seconds) {
						best = false
					}
				}
				if p.Pareto != best {
					t.Errorf("point %d of %d by %s: %v", i, len(points), name, p.Pareto)
				}
			}
		}
	}
}
