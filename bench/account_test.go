package main

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/go-acap/acap/base/longtest"
	"github.com/go-acap/acap/device/acap"
	"github.com/go-acap/acap/device/acap/machine"
	"github.com/go-acap/acap/device/acap/report"
	"github.com/go-acap/acap/lazy"
	"github.com/go-acap/acap/tensor"
	"github.com/go-acap/acap/tensor/nn"
)

// largest says where the array's time goes, by kernels that are alike: those that take most of it, how much of that
// their cores work and how many do, and how much of what products compute is no padding.
func largest(r *report.Report, n int) string {
	type alike struct {
		*report.Kernel
		times   int
		seconds float64
	}
	var list []*alike
	known := make(map[string]*alike)
	for i := range r.Kernels {
		k := &r.Kernels[i]
		if k.Once {
			continue
		}
		key := k.Work.Key()
		if known[key] == nil {
			known[key] = &alike{Kernel: k}
			list = append(list, known[key])
		}
		known[key].times++
		known[key].seconds += k.Array()
	}
	slices.SortStableFunc(list, func(a, b *alike) int { return cmp.Compare(b.seconds, a.seconds) })
	var parts []string
	for _, k := range list[:min(n, len(list))] {
		s := &k.Timing.Stalls
		part := fmt.Sprintf(" %d x %s %s: %.2f ms, cores work %.0f %% of it, %d of %d cores", k.times, k.Work.Kind, k.Work.Extents(),
			1e3*k.seconds, 100*(s.Compute+s.Call)/k.Array(), k.Timing.Cores, r.Machine.Grid.Cores())
		if g := &k.Mapping; g.TM > 0 && g.OutRows == 0 {
			c := &k.Work.Contraction
			up := func(n, tile int) float64 { return float64((n+tile-1)/tile*tile) / float64(n) }
			part += fmt.Sprintf(", %.0f %% no padding", 100/(up(c.M, g.PartsM*g.TM)*up(c.N, g.PartsN*g.TN)*up(c.K, g.Cascade*g.TK)))
		}
		parts = append(parts, part)
	}
	return strings.Join(parts, ";")
}

// account is the report of a model on an array.
func account(t *testing.T, dev *acap.Array, module nn.Module, dims []int) *report.Report {
	nn.Eval(module)
	nn.To(module, dev)
	nn.Freeze(module)
	exe, err := lazy.Executable(context.Background(), module.Forward(tensor.Randn(dims...).To(dev)))
	require.NoError(t, err)
	r := acap.ReportOf(exe)
	require.NoError(t, r.Err())
	return r
}

// withFreeMemory returns a machine whose memory outside takes next to no time, as if all that its launches read and
// write stayed on the array: what arrays that stay can save is no more.
func withFreeMemory(m *machine.Machine) *machine.Machine {
	const faster = 1000
	free := *m
	for _, c := range []*machine.Constant{&free.DDR.Read, &free.DDR.Write, &free.DDR.Total, &free.DDR.PerShim} {
		c.Value *= faster
	}
	free.DDR.Burst, free.DDR.Pitch = nil, nil
	return &free
}

// Whole models of one image or one text on arrays with mem tiles: calls of the host and launches
// take less than 30 % of a run, which is at least one and a half times shorter than with a call
// for every kernel. The parts of the account add up.
func TestAccounts(t *testing.T) {
	for i, m := range []struct {
		name   string
		module func() nn.Module
		dims   []int
	}{
		{"resnet18", resnet18, []int{1, 3, 224, 224}},
		{"gpt2_12", gpt2, []int{1, tokens, width}},
		{"vit", vit, []int{1, 3, 224, 224}},
		{"mobilenet", mobilenet, []int{1, 3, 224, 224}},
	} {
		for j, name := range []string{"npu2", "vek280"} {
			if !*long && ((i+j)%2 > 0 || m.name != "resnet18" && !longtest.On()) {
				continue
			}
			dev, err := acap.Open(name)
			require.NoError(t, err)
			report := account(t, dev, m.module(), m.dims)
			total := report.Total()
			restarts, weights := 0.0, int64(0)
			for i := range report.Kernels {
				k := &report.Kernels[i]
				if k.Once {
					continue
				}
				require.LessOrEqual(t, k.Work.Ops()/k.Array(), k.Timing.Roofline*(1+1e-9), "%s on %s: %s %v is above its roof", m.name,
					name, k.Name, k.Mapping)
				restarts += k.Timing.Restart
				for _, s := range k.Work.Inputs() {
					if s.Constant && len(k.Resident) == 0 {
						weights += s.Bytes()
					}
				}
			}
			d, s := &dev.Machine().DDR, &total.Stalls
			t.Logf("%s on %s: of the array's time cores work in %.2f ms and fill and drain in %.2f ms; beside that the memory "+
				"sends weights in %.2f ms and all else in %.2f ms, and takes results in %.2f ms", m.name, name, 1e3*(s.Compute+s.Call),
				1e3*s.Fill, 1e3*float64(weights)/d.Read.Value, 1e3*float64(total.ReadL3-weights)/d.Read.Value,
				1e3*float64(total.WriteL3)/d.Write.Value)
			host := total.Cost.Host() + total.Cost.Launch()
			require.InEpsilon(t, total.Seconds, host+total.Cost.Work(), 1e-9)
			t.Logf("%s on %s: %.2f ms, host and launches %.1f %%, restarts besides %.1f %%, %.2f times shorter than %.2f ms by "+
				"separate calls, array %.2f ms, alone %.2f ms; %d kernels' weights stay, %.2f MiB, %.3f ms saved, %.3f ms by places",
				m.name, name, 1e3*total.Seconds, 100*host/total.Seconds, 100*restarts/total.Seconds,
				total.Separate.Seconds()/total.Seconds, 1e3*total.Separate.Seconds(), 1e3*total.Cost.Work(),
				1e3*total.Separate.Array, total.Residency.Kernels, float64(total.Residency.Bytes)/(1<<20), 1e3*total.Residency.Saved,
				1e3*total.PlaceSaved)
			kept := &total.Kept
			work := s.Compute + s.Call
			t.Logf("%s on %s: %d arrays stay between launches, %.2f MiB, %.3f ms saved; the array's time is %.2f of that by separate "+
				"launches, no less than %.2f as long as cores work as they do; most of it is%s", m.name, name, kept.Arrays,
				float64(kept.Bytes)/(1<<20), 1e3*kept.Saved, total.Cost.Work()/total.Separate.Array, work/total.Separate.Array,
				largest(report, 3))
			free := account(t, acap.New(withFreeMemory(dev.Machine())), m.module(), m.dims).Total().Separate.Array
			t.Logf("%s on %s: mapped for a memory outside that takes no time, its launches take %.2f ms, %.2f of that by separate "+
				"launches as they are", m.name, name, 1e3*free, free/total.Separate.Array)
			require.Less(t, free, total.Separate.Array, "%s on %s", m.name, name)
			require.LessOrEqual(t, work, total.Cost.Work()*(1+1e-9))
			require.Less(t, host+restarts, 0.3*total.Seconds, "%s on %s", m.name, name)
			require.Greater(t, total.Separate.Seconds(), 1.5*total.Seconds, "%s on %s", m.name, name)
		}
	}
}
