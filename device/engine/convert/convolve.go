package convert

import (
	"slices"

	"github.com/go-acap/acap/base/dtype"
	"github.com/go-acap/acap/device/engine/graph"
	"github.com/go-acap/acap/kernel"
	"github.com/go-acap/acap/mlir"
)

// padded remembers that a tensor is another view with a border of zeros, so that
// a convolution may read the view itself.
type padded struct {
	src   graph.View
	low   []int
	shape []int // with the border
}

// windowed is a dimension of the input of a convolution: index = stride·p + dilation·r.
type windowed struct{ dim, p, r, stride, dilation int }

// asConvolution turns the node of a sum of products into a convolution, if some
// dimension of one operand is indexed by a window: a sum of a parallel loop and
// a reduction loop.
func (s *structured) asConvolution(list []folding) bool {
	n := s.Node
	x, w, ok := n.Product()
	if !ok || len(s.ins) != 2 || list[0].kind != kernel.ReduceSum || n.Outs[0].Reduce.Init != 0 {
		return false
	}
	acc := graph.Accumulator(n.Outs[0].Reduce.Type)
	if !graph.Accumulates(acc, n.Ins[x].Tensor.DType, n.Ins[w].Tensor.DType) {
		return false
	}
	// Copies are made where no kernel reads the operands as they lie.
	for _, dense := range []bool{false, true} {
		for _, try := range [2][2]int{{0, 1}, {1, 0}} {
			if s.convolveAs(s.ins[try[0]], s.ins[try[1]], acc, dense) {
				return true
			}
		}
	}
	return false
}

// convolveAs makes the node a convolution of an image with a filter, if it is one. Operands that
// have dimensions of several strides are copied, and dense, all that are not row-major.
func (s *structured) convolveAs(input, filter operand, acc dtype.DType, dense bool) bool {
	copied := func(v graph.View) bool { return v.Joined() || dense && !v.Contiguous() }
	laid := func(v graph.View) graph.View {
		if copied(v) {
			return graph.Whole(v.Tensor, v.Shape())
		}
		return v
	}
	image, low := s.g.unpad(input.View)
	c, ok := s.convolution(operand{laid(image), input.m}, low, operand{laid(filter.View), filter.m})
	if !ok { // a border where no window moves is read as it is
		image, low = input.View, make([]int, len(low))
		c, ok = s.convolution(operand{laid(image), input.m}, low, operand{laid(filter.View), filter.m})
	}
	if !ok {
		return false
	}
	if copied(input.View) || copied(filter.View) { // the node's loops are of the views before
		s.rebuild(func(o operand) bool { return copied(o.View) })
		return true
	}
	if copied(image) {
		image = s.g.copyOf(image)
	}
	as := [2]dtype.DType{s.Node.AsOf(input.Tensor), s.Node.AsOf(filter.Tensor)}
	s.convolve(c, image, filter.View, acc, as)
	return true
}

// loopUse says where a loop occurs.
type loopUse struct{ x, w int } // dimension of the input and of the filter, or -1

// unpad returns what a view shows inside a border of zeros, and the border before
// it. Dimensions without a border may have been split since.
func (g *converter) unpad(v graph.View) (graph.View, []int) {
	none := make([]int, len(v.Dims))
	p, ok := g.padded[v.Tensor]
	if !ok || !v.Covers() {
		return v, none
	}
	shape, extents := v.Shape(), v.Shape()
	low, groups := make([]int, len(shape)), make([][]int, len(p.shape))
	next := 0
	for i, n := range p.shape {
		// Dimension i is made of these dimensions, and of dimensions of extent 1 that no later one needs.
		for product := 1; next < len(shape) && (len(groups[i]) == 0 || product < n ||
			shape[next] == 1 && len(shape)-next > len(p.shape)-i-1); next++ {
			product *= shape[next]
			groups[i] = append(groups[i], next)
		}
		inside := p.src.Dims[i].Extent()
		if inside == n {
			continue
		}
		k := slices.IndexFunc(groups[i], func(d int) bool { return shape[d] == n })
		if k < 0 {
			return v, none
		}
		extents[groups[i][k]], low[groups[i][k]] = inside, p.low[i]
	}
	if next != len(shape) {
		return v, none
	}
	src, ok := p.src.Expand(groups, extents)
	if !ok {
		return v, none
	}
	return src, low
}

func (s *structured) convolution(x operand, low []int, w operand) (*graph.Convolution, bool) {
	use := make([]loopUse, len(s.extents))
	for l := range use {
		use[l] = loopUse{-1, -1}
	}
	var windows []windowed
	for i, e := range x.m.Results {
		coeffs, constant, ok := e.Linear(x.m.Dims)
		if !ok || constant != 0 {
			return nil, false
		}
		win, isWindow := s.window(i, coeffs)
		if isWindow {
			windows = append(windows, win)
		} else if e.Kind != mlir.AffineDim || x.Dims[i].Extent() != s.extents[e.Value] {
			return nil, false
		}
		for l, c := range coeffs {
			if c == 0 {
				continue
			}
			if use[l].x >= 0 { // a diagonal
				return nil, false
			}
			use[l].x = i
		}
	}
	for i, e := range w.m.Results {
		if e.Kind != mlir.AffineDim || use[e.Value].w >= 0 {
			return nil, false
		}
		use[e.Value].w = i
	}
	if len(windows) == 0 || len(windows) > 2 {
		return nil, false
	}
	return s.classify(x.View, w.View, low, windows, use)
}

// window matches stride·p + dilation·r with a parallel p and a reduction r.
func (s *structured) window(dim int, coeffs []int) (windowed, bool) {
	win := windowed{dim: dim, p: -1, r: -1}
	for l, c := range coeffs {
		switch {
		case c == 0:
		case c > 0 && s.reduction[l] && win.r < 0:
			win.r, win.dilation = l, c
		case c > 0 && !s.reduction[l] && win.p < 0:
			win.p, win.stride = l, c
		default:
			return win, false
		}
	}
	return win, win.p >= 0 && win.r >= 0
}

// classify gives the loops their parts in the convolution.
func (s *structured) classify(x, w graph.View, low []int, windows []windowed,
	use []loopUse) (*graph.Convolution, bool) {
	c := &graph.Convolution{N: -1, G: -1, K: -1, P: -1, Q: -1, Channels: 1}
	k := &c.Shape
	k.N, k.C, k.K, k.H, k.W, k.P, k.Q, k.R, k.S = 1, 1, 1, 1, 1, 1, 1, 1, 1
	k.Groups, k.Stride, k.Dilation = 1, [2]int{1, 1}, [2]int{1, 1}
	spatial := map[int]bool{}
	for i, win := range windows {
		at := i + 2 - len(windows)
		spatial[win.p], spatial[win.r] = true, true
		if use[win.p].w >= 0 || use[win.r].w < 0 {
			return nil, false
		}
		k.Stride[at], k.Dilation[at], k.Pad[at] = win.stride, win.dilation, low[win.dim]
		c.X[2+at], c.W[2+at] = x.Stride(win.dim), w.Stride(use[win.r].w)
		extent := [2]*int{&k.H, &k.W}[at]
		*extent = x.Dims[win.dim].Extent()
		*[2]*int{&k.P, &k.Q}[at], *[2]*int{&k.R, &k.S}[at] = s.extents[win.p], s.extents[win.r]
		*[2]*int{&c.P, &c.Q}[at] = win.p
	}
	var channel = -1
	for l, u := range use {
		if spatial[l] {
			continue
		}
		var slot *int
		switch {
		case s.reduction[l]:
			slot = &channel
		case u.x >= 0 && u.w >= 0:
			slot = &c.G
		case u.x >= 0:
			slot = &c.N
		case u.w >= 0:
			slot = &c.K
		}
		if slot == nil || *slot >= 0 || s.reduction[l] && (u.x < 0 || u.w < 0) {
			return nil, false
		}
		*slot = l
	}
	if c.N >= 0 {
		k.N, c.X[0] = s.extents[c.N], x.Stride(use[c.N].x)
	}
	if channel >= 0 {
		c.Channels = s.extents[channel]
		c.X[1], c.W[1] = x.Stride(use[channel].x), w.Stride(use[channel].w)
	}
	if c.K >= 0 {
		k.K, c.W[0] = s.extents[c.K], w.Stride(use[c.K].w)
	}
	return c, s.group(c, x, w, use)
}

// group joins the loop of the groups with the channels and with the filters. It reports
// false if an operand or the result does not have them one after the other.
func (s *structured) group(c *graph.Convolution, x, w graph.View, use []loopUse) bool {
	k := &c.Shape
	k.C = c.Channels
	if c.G < 0 {
		return true
	}
	k.Groups = s.extents[c.G]
	xs, ws := x.Stride(use[c.G].x), w.Stride(use[c.G].w)
	switch {
	case c.Channels == 1:
		c.X[1] = xs
	case xs != c.X[1]*c.Channels:
		return false
	}
	switch {
	case k.K == 1:
		c.W[0] = ws
	case ws != c.W[0]*k.K:
		return false
	}
	if k.Groups > 1 && k.K > 1 {
		// The kernel writes the filters of all groups as one dimension.
		out := s.Node.Outs[0].Strides
		at := func(l int) int { return s.order[s.loops.last(l)] }
		if out[at(c.G)] != out[at(c.K)]*k.K {
			return false
		}
	}
	k.C *= k.Groups
	k.K *= k.Groups
	return true
}

// convolve completes the node.
func (s *structured) convolve(c *graph.Convolution, x, w graph.View, acc dtype.DType, as [2]dtype.DType) {
	n := s.Node
	src, filter := s.g.inMemory(x), s.g.inMemory(w)
	n.Acc = acc
	n.Kind, n.Conv, n.Body = graph.Convolve, c, nil
	n.Ins = []graph.Access{{Tensor: src.Tensor, As: as[0], Offset: src.Offset},
		{Tensor: filter.Tensor, As: as[1], Offset: filter.Offset}}
	n.Extents = n.Extents[:n.Par]
	n.Outs[0].Reduce = nil
	for _, l := range []*int{&c.N, &c.G, &c.K, &c.P, &c.Q} {
		if *l >= 0 {
			*l = s.order[s.loops.first(*l)]
		}
	}
	s.g.add(n)
}
