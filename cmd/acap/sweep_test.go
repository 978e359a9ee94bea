package main

import (
	"reflect"
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

func TestSweepPoints(t *testing.T) {
	points, err := sweepPoints([]string{"npu1", "npu2"}, []string{"cols=2:6", "l1=32k,64k", "ddr.read=8e9"})
	if err != nil {
		t.Fatal(err)
	}
	if len(points) != 2*5*2 {
		t.Fatalf("%d points", len(points))
	}
	for _, p := range points {
		m := p.machine
		if m.Grid.Cols != int(p.Set["cols"]) || len(m.Grid.ShimDMA) != m.Grid.Cols ||
			m.Core.Memory.Value != p.Set["l1"] || m.DDR.Read.Value != 8e9 {
			t.Errorf("%v gives %d columns, %v, %v", p.Set, m.Grid.Cols, m.Core.Memory, m.DDR.Read)
		}
	}
	for _, set := range []string{"cols=0", "nothing=1", "grid=1", "clock.value.x=1", "name=1", "cols=1.5"} {
		if _, err := sweepPoints([]string{"npu1"}, []string{set}); err == nil {
			t.Errorf("-set %s: no error", set)
		}
	}
	if _, err := sweepPoints([]string{"npu1"}, []string{"cols=1", "cols=2"}); err == nil {
		t.Error("a field set twice: no error")
	}
}

func TestPareto(t *testing.T) {
	points := []*point{{Cores: 4, Seconds: 4}, {Cores: 8, Seconds: 2}, {Cores: 8, Seconds: 3},
		{Cores: 16, Seconds: 2}, {Cores: 1, Error: "does not fit"}}
	markPareto(points, func(p *point) float64 { return float64(p.Cores) }, func(p *point) { p.Pareto = true })
	for i, want := range []bool{true, true, false, false, false} {
		if points[i].Pareto != want {
			t.Errorf("point %d: %v", i, points[i].Pareto)
		}
	}
}
