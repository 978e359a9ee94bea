package schedule_test

import (
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/go-acap/acap/device/acap/machine/machinetest"
	"github.com/go-acap/acap/device/acap/schedule"
)

// TestPipelineCost counts a pipeline: the first sample passes all stages, then the slowest sets the pace; the starts
// of all launches follow each other.
func TestPipelineCost(t *testing.T) {
	m := machinetest.Preset(t, "npu2")
	half, err := m.Columns(0, 4)
	require.NoError(t, err)
	stage := func(us ...float64) schedule.Stage {
		s := schedule.Stage{Program: schedule.Program{Prefetched: true}, Machine: half}
		for range us {
			s.Launches = append(s.Launches, launchOf(m, "one", 4, 4, us[len(s.Launches)]))
		}
		return s
	}
	restart := m.Host.Restart.Value
	a, b := stage(100, 50), stage(120)
	require.InDelta(t, 150e-6+2*restart, a.Each().Seconds(), 1e-12)
	require.InDelta(t, 120e-6+restart, b.Each().Seconds(), 1e-12)
	p := schedule.Pipeline{Stages: []schedule.Stage{a, b}, Samples: 10}
	require.InDelta(t, m.Host.Launch.Value+270e-6+3*restart+9*(150e-6+2*restart), p.Cost(m).Seconds(), 1e-12)

	p.Samples = 1
	require.InDelta(t, m.Host.Launch.Value+270e-6+3*restart, p.Cost(m).Seconds(), 1e-12, "one sample is in one stage at a time")

	tiny := schedule.Pipeline{Stages: []schedule.Stage{stage(1), stage(1), stage(1), stage(1)}, Samples: 10}
	require.InDelta(t, m.Host.Launch.Value+4*(1e-6+restart)+9*4*restart, tiny.Cost(m).Seconds(), 1e-12,
		"the controller starts one launch after the other")
}

// TestPipelineBegin follows random pipelines sample by sample: no stage has two samples at a time, no sample is in two
// stages, and the run ends when its cost says.
func TestPipelineBegin(t *testing.T) {
	m := machinetest.Preset(t, "npu2")
	r := rand.New(rand.NewPCG(5, 6))
	for range 50 {
		p := schedule.Pipeline{Samples: 1 + r.IntN(9)}
		longest := []float64{60, 0.5}[r.IntN(2)] // in the latter, starts take longer
		for range 1 + r.IntN(4) {
			s := schedule.Stage{Program: schedule.Program{Prefetched: true}, Machine: m}
			for range 1 + r.IntN(3) {
				s.Launches = append(s.Launches, launchOf(m, "one", 4, 4, longest*r.Float64()))
			}
			p.Stages = append(p.Stages, s)
		}
		begin, end := p.Begin(), 0.0
		require.Zero(t, begin[0][0])
		for i, s := range p.Stages {
			each := s.Each().Seconds()
			for n, at := range begin[i] {
				if n > 0 {
					require.GreaterOrEqual(t, at, begin[i][n-1]+each-1e-12)
				}
				if i > 0 {
					before := p.Stages[i-1].Each()
					require.GreaterOrEqual(t, at, begin[i-1][n]+before.Seconds()-1e-12)
				}
				end = max(end, at+each)
			}
		}
		one := schedule.Pipeline{Stages: p.Stages, Samples: 1}
		call := one.Cost(m)
		first := 0.0
		for _, s := range p.Stages {
			first += s.Each().Seconds()
		}
		require.InDelta(t, p.Cost(m).Seconds(), call.Seconds()-first+end, 1e-12)
	}
}

// TestBalance compares cuts of random kernels with all that there are.
func TestBalance(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 4))
	for range 200 {
		n, stages := 1+r.IntN(9), 1+r.IntN(4)
		seconds := make([][]float64, n)
		for i := range seconds {
			for range stages {
				seconds[i] = append(seconds[i], 0.1+r.Float64())
			}
		}
		slowest := func(first []int) (most float64) {
			for s := range stages {
				sum := 0.0
				for i := first[s]; i < first[s+1]; i++ {
					sum += seconds[i][s]
				}
				most = max(most, sum)
			}
			return most
		}
		got := schedule.Balance(n, stages, func(kernel, stage int) float64 { return seconds[kernel][stage] })
		if n < stages {
			require.Nil(t, got)
			continue
		}
		least := 1e9
		var cut func(first []int)
		cut = func(first []int) {
			if len(first) == stages {
				least = min(least, slowest(append(first[:stages:stages], n)))
				return
			}
			for at := first[len(first)-1] + 1; at < n; at++ {
				cut(append(first[:len(first):len(first)], at))
			}
		}
		cut([]int{0})
		require.Len(t, got, stages+1)
		require.Zero(t, got[0])
		require.Equal(t, n, got[stages])
		for s := range stages {
			require.Less(t, got[s], got[s+1])
		}
		require.InDelta(t, least, slowest(got), 1e-12)
	}
}
