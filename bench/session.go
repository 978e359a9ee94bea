package main

import (
	"cmp"
	"encoding/json"
	"io"
	"slices"
)

// session is one invocation: rounds of cases by threads, peers interleaved.
type session struct {
	cases    []benchmark
	threads  []int
	rounds   int
	peers    []peer
	out      io.Writer
	json     bool
	plotPath string
	progress progress

	limits  *limits
	results map[cell]map[string][]measurement // by peer, of each round
}

// cell is a case with a number of threads.
type cell struct {
	name    string
	threads int
}

// cells lists the cells in the order in which they are measured.
func (s *session) cells() []cell {
	var list []cell
	for _, b := range s.cases {
		for _, t := range s.threads {
			list = append(list, cell{b.name, t})
		}
	}
	return list
}

func (s *session) run() error {
	s.limits = &limits{}
	s.results = map[cell]map[string][]measurement{}
	for round := range s.rounds {
		for i := range s.cases {
			for _, t := range s.threads {
				if err := s.measure(&s.cases[i], t, round); err != nil {
					return err
				}
			}
		}
	}
	s.progress.clear()
	ratios := s.ratios()
	if !s.json {
		s.printSummary(ratios)
	}
	if s.plotPath != "" {
		return plotRatios(ratios, s.plotPath)
	}
	return nil
}

// measure runs one case on us and all peers.
func (s *session) measure(b *benchmark, threads, round int) error {
	c := cell{b.name, threads}
	if s.results[c] == nil {
		s.results[c] = map[string][]measurement{}
	}
	before := s.limits.of(b, threads)
	add := func(m measurement) error {
		after := s.limits.of(b, threads)
		m.compare((before + after) / 2)
		before = after
		s.results[c][m.Peer] = append(s.results[c][m.Peer], m)
		if !s.json {
			return nil
		}
		s.progress.clear()
		return json.NewEncoder(s.out).Encode(m)
	}
	s.progress.show("round %d of %d: %s, %d threads", round+1, s.rounds, b.name, threads)
	if err := add(b.measure(threads)); err != nil {
		return err
	}
	for _, p := range s.peers {
		if m, ok := p.measure(b, threads); ok {
			if err := add(m); err != nil {
				return err
			}
		}
	}
	if !s.json && round == s.rounds-1 {
		s.progress.clear()
		s.printRow(c)
	}
	return nil
}

// typical is the round of the median time.
func typical(list []measurement) measurement {
	sorted := slices.Clone(list)
	slices.SortFunc(sorted, func(a, b measurement) int { return cmp.Compare(a.Median, b.Median) })
	return sorted[len(sorted)/2]
}

// bestPeer is the fastest of the others.
func (s *session) bestPeer(c cell) (best measurement, ok bool) {
	for p, list := range s.results[c] {
		m := typical(list)
		if p != ours && m.Error == "" && (!ok || m.Median < best.Median) {
			best, ok = m, true
		}
	}
	return best, ok
}

// ratio is the best peer's time over ours.
type ratio struct {
	cell
	peer  string
	value float64
}

// ratios compares every cell that we and a peer have.
func (s *session) ratios() []ratio {
	var list []ratio
	for _, c := range s.cells() {
		best, ok := s.bestPeer(c)
		mine := typical(s.results[c][ours])
		if ok && mine.Error == "" {
			list = append(list, ratio{c, best.Peer, best.Median / mine.Median})
		}
	}
	return list
}
