package machine_test

import (
	"fmt"
	"math"
	"math/rand/v2"
	"testing"

	"github.com/go-acap/acap/device/acap/machine"
)

// access follows runs of a length in bytes through the banks of a channel one by one, and returns the bytes per second
// of all channels: a page is opened in the next bank when the bank and the limit of four allow it, and its bursts take
// their turn on the bus.
func access(d *machine.DDR, run int) float64 {
	c := &d.Chips
	banks := make([]float64, c.Banks.Int())
	var opened []float64
	burst := c.Burst.Value * c.Channels.Value / c.Bus.Value
	bus, next, runs := 0.0, 0, 20_000/max(1, run/d.Page.Int())
	for range runs {
		for left := run; left > 0; left -= d.Page.Int() {
			at := banks[next]
			if n := len(opened); n >= 4 {
				at = max(at, opened[n-4]+c.Four.Value)
			}
			opened = append(opened, at)
			banks[next] = max(at, bus-c.Cycle.Value) + c.Cycle.Value
			next = (next + 1) % len(banks)
			bus = max(bus, at) + math.Ceil(float64(min(left, d.Page.Int()))/c.Burst.Value)*burst
		}
	}
	return float64(runs*run) / bus * c.Channels.Value
}

// The share of the rate that a run gets agrees with a walk through the banks, access by access, for every preset and
// for chips at random.
func TestRunsThroughBanks(t *testing.T) {
	var all []machine.DDR
	for _, name := range []string{"npu1", "npu2", "vck190", "vck5000", "vek280"} {
		m, err := machine.Preset(name)
		if err != nil {
			t.Fatal(err)
		}
		all = append(all, m.DDR)
	}
	r := rand.New(rand.NewPCG(1, 2))
	for range 20 {
		d := all[r.IntN(len(all))]
		for _, c := range []*machine.Constant{&d.Chips.Cycle, &d.Chips.Four, &d.Chips.Bus} {
			c.Value *= math.Exp2(3 * r.Float64())
		}
		d.Chips.Banks.Value = float64(int(4) << r.IntN(4))
		all = append(all, d)
	}
	fewer := 0
	for i := range all {
		d := &all[i]
		d.Burst = nil
		for run := 8; run <= 4*d.Page.Int(); run += run/2 + 4 {
			want := access(d, run) / d.Chips.Bus.Value
			if got := d.BurstShare(run); math.Abs(got/want-1) > 0.02 {
				t.Errorf("%+v: runs of %d bytes get %v of the rate, bank by bank %v", d.Chips, run, got, want)
			}
			if want < 0.9 {
				fewer++
			}
		}
	}
	if fewer < 20 {
		t.Errorf("only %d runs are slowed", fewer)
	}
}

// Without a part nothing is slower, other parts are as they were, and the order in which parts are left out
// does not matter. The machine itself remains as it is.
func TestWithout(t *testing.T) {
	for _, name := range machine.Names() {
		m, err := machine.Preset(name)
		if err != nil {
			t.Fatal(err)
		}
		before := fmt.Sprint(*m)
		for _, p := range machine.Parts() {
			n := m.Without(p)
			if n.DDR.Read.Value < m.DDR.Read.Value || n.DDR.Write.Value < m.DDR.Write.Value ||
				n.DDR.Both(1, 1) > m.DDR.Both(1, 1) || n.Stream.Hop.Value > m.Stream.Hop.Value {
				t.Errorf("%s is slower without %s", name, p)
			}
			for _, run := range []int{1, 64, 1024, 1 << 20} {
				if n.DDR.BurstShare(run) < m.DDR.BurstShare(run) {
					t.Errorf("%s: runs of %d bytes are slower without %s", name, run, p)
				}
			}
			for _, q := range machine.Parts() {
				a, b := fmt.Sprint(*m.Without(p, q)), fmt.Sprint(*n.Without(q))
				if c := fmt.Sprint(*m.Without(q, p)); a != b || a != c {
					t.Errorf("%s without %s and %s depends on the order", name, p, q)
				}
			}
			got, err := machine.ParsePart(p.String())
			if err != nil || got != p {
				t.Errorf("%s reads as %v, %v", p, got, err)
			}
		}
		if fmt.Sprint(*m) != before {
			t.Errorf("%s has changed", name)
		}
	}
	if got := machine.Part(200).String(); got != "Part(200)" {
		t.Errorf("what is no part is called %s", got)
	}
	if _, err := machine.ParsePart("gravity"); err == nil {
		t.Error("a part of an unknown name")
	}
}

// The rates of a preset hold what refreshing takes: without it they are as much higher as the memory rests.
func TestWithoutRefresh(t *testing.T) {
	m, err := machine.Preset("npu2")
	if err != nil {
		t.Fatal(err)
	}
	c := &m.DDR.Chips
	rest := c.Refresh.Value / c.Interval.Value
	n := m.Without(machine.Refresh)
	for i, pair := range [][2]machine.Constant{{m.DDR.Read, n.DDR.Read}, {m.DDR.Write, n.DDR.Write},
		{m.DDR.Total, n.DDR.Total}} {
		if math.Abs(pair[1].Value*(1-rest)/pair[0].Value-1) > 1e-12 || rest < 0.02 {
			t.Errorf("%d: %v with refresh and %v without, which takes %v", i, pair[0], pair[1], rest)
		}
	}
}

func ExampleMachine_Without() {
	m, _ := machine.Preset("vck190")
	still := m.Without(machine.Refresh, machine.Pages)
	fmt.Printf("%.2f GB/s, %.2f of it by runs of 32 bytes\n", m.DDR.Read.Value/1e9, m.DDR.BurstShare(32))
	fmt.Printf("%.2f GB/s, %.2f of it by runs of 32 bytes\n", still.DDR.Read.Value/1e9, still.DDR.BurstShare(32))
	// Output:
	// 13.78 GB/s, 0.24 of it by runs of 32 bytes
	// 14.45 GB/s, 1.00 of it by runs of 32 bytes
}
