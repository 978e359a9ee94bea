package main

import "sort"

// minimize walks a simplex downhill (Nelder and Mead, Computer Journal 7, 1965,
// with their coefficients) from x with the given edge, for at most the given evaluations of f, and returns the lowest
// vertex.
func minimize(f func([]float64) float64, x []float64, edge float64, evaluations int) []float64 {
	s := simplex{f: f, left: evaluations}
	s.add(append([]float64(nil), x...))
	for i := range x {
		y := append([]float64(nil), x...)
		y[i] += edge
		s.add(y)
	}
	for s.left > 0 {
		sort.SliceStable(s.v, func(i, j int) bool { return s.v[i].value < s.v[j].value })
		s.step()
	}
	sort.SliceStable(s.v, func(i, j int) bool { return s.v[i].value < s.v[j].value })
	return s.v[0].x
}

type vertex struct {
	x     []float64
	value float64
}

type simplex struct {
	f    func([]float64) float64
	v    []vertex
	left int
}

func (s *simplex) eval(x []float64) vertex {
	s.left--
	return vertex{x, s.f(x)}
}

func (s *simplex) add(x []float64) { s.v = append(s.v, s.eval(x)) }

// step replaces the worst vertex of the sorted simplex, or shrinks it.
func (s *simplex) step() {
	last := len(s.v) - 1
	worst := s.v[last]
	centre := make([]float64, len(worst.x))
	for _, v := range s.v[:last] {
		for i := range centre {
			centre[i] += v.x[i] / float64(last)
		}
	}
	// along returns the vertex at centre + t·(centre − worst).
	along := func(t float64) vertex {
		x := make([]float64, len(centre))
		for i := range x {
			x[i] = centre[i] + t*(centre[i]-worst.x[i])
		}
		return s.eval(x)
	}
	reflected := along(1)
	switch {
	case reflected.value < s.v[0].value:
		if expanded := along(2); expanded.value < reflected.value {
			reflected = expanded
		}
		s.v[last] = reflected
		return
	case reflected.value < s.v[last-1].value:
		s.v[last] = reflected
		return
	}
	if contracted := along(-0.5); contracted.value < worst.value {
		s.v[last] = contracted
		return
	}
	for i := 1; i <= last; i++ {
		x := make([]float64, len(centre))
		for j := range x {
			x[j] = (s.v[0].x[j] + s.v[i].x[j]) / 2
		}
		s.v[i] = s.eval(x)
	}
}
