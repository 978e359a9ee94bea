package describe

import (
	"slices"

	"github.com/go-acap/acap/kernel"
)

// Belongs says whose the elements of a port's array are.
type Belongs uint8

// Whose the elements of an array are.
const (
	Unknown   Belongs = iota
	ToAll             // all samples have the whole array, as they have weights
	ToSamples         // the first of n parts of the array is the first sample's, and so on
)

// Sample returns the kernel of the first sample, if a kernel does the same for every sample and mixes no two samples;
// otherwise nil. The arrays of the new kernel that belong to samples are shorter by the factor samples; the parts of
// other samples follow in order. ports says to whom the array of each port belongs; Sample fills in the unknown ones.
func Sample(k kernel.Kernel, samples int, ports []Belongs) kernel.Kernel {
	for i, p := range k.Ports() {
		switch {
		case p.Write && ports[i] == ToAll, p.Len%samples != 0 && ports[i] == ToSamples:
			return nil
		case p.Write:
			ports[i] = ToSamples
		case p.Const:
			ports[i] = ToAll
		}
	}
	s := &sampling{samples: samples, ports: ports}
	d, _ := kinds.Of(k)
	if lines, ok := k.(kernel.LineByLine); ok {
		return s.lines(lines)
	} else if d.sample != nil {
		return d.sample(s, k)
	}
	return nil
}

// sampling finds the loop of a kernel that goes from sample to sample.
type sampling struct {
	samples int
	ports   []Belongs
	views   []view // of the ports, in their order
}

// view is how a kernel walks an array in loops, one of which goes from sample to sample.
type view struct {
	port    *kernel.Port // of the copy
	strides []int
}

// loop finds the loop whose equal parts are the samples, and shortens the loop and the arrays. It reports false if no
// loop has such parts. indexed says whether the kernel computes with a loop's index.
func (s *sampling) loop(extents []int, indexed func(loop int) bool) bool {
	for d, n := range extents {
		if n%s.samples != 0 || indexed(d) {
			continue
		}
		extents[d] = n / s.samples
		if found, ok := s.fits(extents, d); ok {
			copy(s.ports, found)
			for i, v := range s.views {
				if found[i] == ToSamples {
					v.port.Len /= s.samples
				}
			}
			return true
		}
		extents[d] = n
	}
	return false
}

// fits reports whether the d-th loop, shortened to a sample, is one over samples for all arrays, and whose they are. A
// sample remains in its part of an array if the samples' parts are the whole: [kernel.Verify] holds that the walk of
// all samples ends within the array, so the walk of the first sample ends as far before the end of its part.
func (s *sampling) fits(extents []int, d int) ([]Belongs, bool) {
	found := slices.Clone(s.ports)
	for i, v := range s.views {
		part := v.port.Len / s.samples
		switch apart := v.strides[d] * extents[d]; {
		case found[i] != ToAll && v.port.Len%s.samples == 0 && apart == part:
			found[i] = ToSamples
		case found[i] != ToSamples && v.strides[d] == 0:
			found[i] = ToAll
		default:
			return nil, false
		}
	}
	return found, true
}

// accesses adds the views of a copied list of accesses.
func (s *sampling) accesses(list []kernel.Access) {
	for i := range list {
		s.views = append(s.views, view{&list[i].Port, list[i].Outer})
	}
}

// computed reports whether a body reads arrays of samples at places that it computes: Sample does not know
// which these are.
func (s *sampling) computed(b kernel.Body) bool {
	return slices.ContainsFunc(b, func(i kernel.Instr) bool {
		return i.Op == kernel.LoadAt && s.ports[i.Port] != ToAll
	})
}

// uses returns whether bodies compute with the value of a loop.
func uses(bodies ...kernel.Body) func(loop int) bool {
	return func(loop int) bool {
		return slices.ContainsFunc(bodies, func(b kernel.Body) bool {
			return slices.ContainsFunc(b, func(i kernel.Instr) bool { return i.Op == kernel.Index && i.Port == loop })
		})
	}
}

func (s *sampling) nest(k *kernel.Nest) kernel.Kernel {
	c := *k
	c.Outer, c.Access = slices.Clone(k.Outer), slices.Clone(k.Access)
	s.accesses(c.Access)
	var bodies []kernel.Body
	for i := range c.Stages {
		bodies = append(bodies, c.Stages[i].Body)
	}
	if slices.ContainsFunc(bodies, s.computed) || !s.loop(c.Outer, uses(bodies...)) {
		return nil
	}
	return &c
}

// epilogue copies an epilogue and adds its views.
func (s *sampling) epilogue(e *kernel.Epilogue) {
	e.Access = slices.Clone(e.Access)
	s.accesses(e.Access)
}

func (s *sampling) contraction(k *kernel.Contraction) kernel.Kernel {
	c := *k
	s.views = append(s.views, view{&c.A.Port, append(slices.Clone(c.A.Batch), c.A.Row, 0)},
		view{&c.B.Port, append(slices.Clone(c.B.Batch), 0, c.B.Col)})
	s.epilogue(&c.Epilogue)
	loops := append(slices.Clone(k.Batch), k.M, k.N)
	if s.computed(c.Epilogue.Body) || !s.loop(loops, uses(c.Epilogue.Body)) {
		return nil
	}
	n := len(k.Batch)
	c.Batch, c.M, c.N = loops[:n], loops[n], loops[n+1]
	return &c
}

func (s *sampling) convolution(k *kernel.Convolution) kernel.Kernel {
	c := *k
	s.views = append(s.views, view{&c.X.Port, []int{c.X.Strides[0], 0, 0, 0}},
		view{&c.Filter.Port, []int{0, c.Filter.Strides[0], 0, 0}})
	s.epilogue(&c.Epilogue)
	loops := []int{k.N, k.K, k.P, k.Q}
	only := uses(c.Epilogue.Body)
	if s.computed(c.Epilogue.Body) || !s.loop(loops, func(d int) bool { return d > 0 || only(d) }) {
		return nil
	}
	c.N = loops[0]
	return &c
}

func (s *sampling) attention(k *kernel.Attention) kernel.Kernel {
	c := *k
	operands := []*kernel.Matrix{&c.Q, &c.K, &c.V, &c.O}
	if k.Mask != nil {
		mask := *k.Mask
		c.Mask = &mask
		operands = append(operands, c.Mask)
	}
	if k.Sinks != nil {
		sinks := *k.Sinks
		c.Sinks = &sinks
		operands = append(operands, c.Sinks)
	}
	if k.Index != nil {
		index := *k.Index
		c.Index = &index
		operands = append(operands, c.Index)
	}
	for _, m := range operands {
		s.views = append(s.views, view{&m.Port, m.Batch})
	}
	c.Batch = slices.Clone(k.Batch)
	if !s.loop(c.Batch, func(int) bool { return false }) {
		return nil
	}
	return &c
}

// lines takes neighbouring lines of dense arrays for a sample.
func (s *sampling) lines(k kernel.LineByLine) kernel.Kernel {
	l := k.Along(0)
	if l.Outer%s.samples != 0 || slices.Contains(s.ports, ToAll) {
		return nil
	}
	for i := range s.ports {
		s.ports[i] = ToSamples
	}
	return k.OnLines(l.Outer/s.samples, l.Inner)
}
