package main

import (
	"encoding/json"
	"fmt"
	"os"
	"slices"
)

// session is one invocation: cases by threads by rounds, peers interleaved.
type session struct {
	cases    []benchmark
	threads  []int
	rounds   int
	json     bool
	peers    bool
	plotPath string
}

type cell struct {
	name    string
	threads int
}

func (s *session) run() error {
	limits := measureLimits(s.threads)
	var peers []peer
	if s.peers {
		peers = installed()
	}
	results := map[cell]map[string][]measurement{}
	for round := range s.rounds {
		for i := range s.cases {
			b := &s.cases[i]
			for _, t := range s.threads {
				c := cell{b.name, t}
				if results[c] == nil {
					results[c] = map[string][]measurement{}
				}
				list := []measurement{b.measure(t)}
				for _, p := range peers {
					if m, ok := p.measure(b, t); ok {
						list = append(list, m)
					}
				}
				for _, m := range list {
					limits[t].share(b, &m)
					results[c][m.Peer] = append(results[c][m.Peer], m)
					if s.json {
						if err := json.NewEncoder(os.Stdout).Encode(m); err != nil {
							return err
						}
					}
				}
				if !s.json && round == s.rounds-1 {
					printRow(c, results[c])
				}
			}
		}
	}
	return s.finish(results, limits)
}

// typical is the median round.
func typical(list []measurement) measurement {
	sorted := slices.Clone(list)
	slices.SortFunc(sorted, func(a, b measurement) int {
		switch {
		case a.Median < b.Median:
			return -1
		case a.Median > b.Median:
			return 1
		}
		return 0
	})
	return sorted[len(sorted)/2]
}

func printRow(c cell, byPeer map[string][]measurement) {
	ours := typical(byPeer["acap"])
	if ours.Error != "" {
		fmt.Printf("%-22s %d thr  failed: %s\n", c.name, c.threads, ours.Error)
		return
	}
	rate := ""
	switch {
	case ours.GFLOPS > 0:
		rate = fmt.Sprintf("%7.1f GFLOP/s", ours.GFLOPS)
	case ours.GBPS > 0:
		rate = fmt.Sprintf("%7.1f GB/s   ", ours.GBPS)
	}
	fmt.Printf("%-22s %d thr %10.5f ms  %-15s %5.1f%%", c.name, c.threads, ours.Median, rate, 100*ours.Share)
	if name, best, ok := bestPeer(byPeer); ok {
		fmt.Printf("   %-8s %10.5f ms  ratio %.2f", name, best.Median, best.Median/ours.Median)
	}
	fmt.Println()
}

// bestPeer is the fastest of the others.
func bestPeer(byPeer map[string][]measurement) (name string, best measurement, ok bool) {
	for p, list := range byPeer {
		m := typical(list)
		if p == "acap" || m.Error != "" || ok && m.Median >= best.Median {
			continue
		}
		name, best, ok = p, m, true
	}
	return name, best, ok
}

func (s *session) finish(results map[cell]map[string][]measurement, limits map[int]*limit) error {
	var ratios []ratio
	for _, t := range s.threads {
		var values []float64
		for i := range s.cases {
			byPeer := results[cell{s.cases[i].name, t}]
			name, best, ok := bestPeer(byPeer)
			ours := typical(byPeer["acap"])
			if !ok || ours.Error != "" {
				continue
			}
			r := best.Median / ours.Median
			values = append(values, r)
			ratios = append(ratios, ratio{s.cases[i].name, t, name, r})
		}
		if !s.json {
			fmt.Printf("limits, %d threads: %.0f GFLOP/s multiply-add, %.0f GB/s memory\n", t,
				limits[t].gflops, limits[t].gbps)
			if len(values) > 0 {
				fmt.Printf("geometric mean of the ratios, %d threads: %.3f over %d cases\n", t,
					geomean(values), len(values))
			}
		}
	}
	if s.plotPath != "" {
		return plotRatios(ratios, s.plotPath)
	}
	return nil
}

// ratio is the best peer's time over ours.
type ratio struct {
	name    string
	threads int
	peer    string
	value   float64
}
