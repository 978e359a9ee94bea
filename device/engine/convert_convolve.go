package engine

import (
	"slices"

	"github.com/go-acap/acap/base/dtype"
	"github.com/go-acap/acap/kernel"
	"github.com/go-acap/acap/mlir"
)

// convolution is what a convolution node has besides its accesses; its loops are
// n, groups, k of a group, p, q, of which those of extent 1 are left out.
type convolution struct {
	shape    kernel.Convolution // extents, strides, dilations, padding
	x, w     [4]int             // strides of n, c, h, w and of k, c, r, s
	n, g, k  int                // number of the loop, or -1
	p, q     int
	channels int // of a group
}

// padded remembers that a tensor is another view with a border of zeros, so that
// a convolution may read the view itself.
type padded struct {
	src   view
	low   []int
	shape []int // with the border
}

// windowed is a dimension of the input of a convolution: index = stride·p + dilation·r.
type windowed struct{ dim, p, r, stride, dilation int }

// asConvolution turns the node of a sum of products into a convolution, if some
// dimension of one operand is indexed by a window: a sum of a parallel loop and
// a reduction loop.
func (s *structured) asConvolution(list []folding) bool {
	n := s.node
	x, w, ok := n.product()
	if !ok || len(s.ins) != 2 || list[0].kind != kernel.ReduceSum || n.outs[0].reduce.Init != 0 {
		return false
	}
	acc := accumulator(n.outs[0].reduce.Type)
	if !accumulates(acc, n.ins[x].t.dtype, n.ins[w].t.dtype) {
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
	copied := func(v view) bool { return v.joined() || dense && !v.contiguous() }
	laid := func(v view) view {
		if copied(v) {
			return whole(v.t, v.shape())
		}
		return v
	}
	image, low := s.g.unpad(input.view)
	c, ok := s.convolution(operand{laid(image), input.m}, low, operand{laid(filter.view), filter.m})
	if !ok { // a border where no window moves is read as it is
		image, low = input.view, make([]int, len(low))
		c, ok = s.convolution(operand{laid(image), input.m}, low, operand{laid(filter.view), filter.m})
	}
	if !ok {
		return false
	}
	if copied(input.view) || copied(filter.view) { // the node's loops are of the views before
		s.rebuild(func(o operand) bool { return copied(o.view) })
		return true
	}
	if copied(image) {
		image = s.g.copyOf(image)
	}
	as := [2]dtype.DType{s.node.asOf(input.t), s.node.asOf(filter.t)}
	s.convolve(c, image, filter.view, acc, as)
	return true
}

// loopUse says where a loop occurs.
type loopUse struct{ x, w int } // dimension of the input and of the filter, or -1

// unpad returns what a view shows inside a border of zeros, and the border before
// it. Dimensions without a border may have been split since.
func (g *graph) unpad(v view) (view, []int) {
	none := make([]int, len(v.dims))
	p, ok := g.padded[v.t]
	if !ok || !v.covers() {
		return v, none
	}
	shape, extents := v.shape(), v.shape()
	low, groups := make([]int, len(shape)), make([][]int, len(p.shape))
	next := 0
	for i, n := range p.shape {
		// The dimensions that make up this one, and ones that later ones do not need.
		for product := 1; next < len(shape) && (len(groups[i]) == 0 || product < n ||
			shape[next] == 1 && len(shape)-next > len(p.shape)-i-1); next++ {
			product *= shape[next]
			groups[i] = append(groups[i], next)
		}
		inside := p.src.dims[i].extent()
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
	src, ok := p.src.expand(groups, extents)
	if !ok {
		return v, none
	}
	return src, low
}

// joined reports whether some dimension of v has more than one stride.
func (v view) joined() bool {
	return slices.ContainsFunc(v.dims, func(d dim) bool { return len(d) > 1 })
}

func (s *structured) convolution(x operand, low []int, w operand) (*convolution, bool) {
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
		} else if e.Kind != mlir.AffineDim || x.dims[i].extent() != s.extents[e.Value] {
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
	return s.classify(x.view, w.view, low, windows, use)
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
func (s *structured) classify(x, w view, low []int, windows []windowed,
	use []loopUse) (*convolution, bool) {
	c := &convolution{n: -1, g: -1, k: -1, p: -1, q: -1, channels: 1}
	k := &c.shape
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
		c.x[2+at], c.w[2+at] = x.stride(win.dim), w.stride(use[win.r].w)
		extent := [2]*int{&k.H, &k.W}[at]
		*extent = x.dims[win.dim].extent()
		*[2]*int{&k.P, &k.Q}[at], *[2]*int{&k.R, &k.S}[at] = s.extents[win.p], s.extents[win.r]
		*[2]*int{&c.p, &c.q}[at] = win.p
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
			slot = &c.g
		case u.x >= 0:
			slot = &c.n
		case u.w >= 0:
			slot = &c.k
		}
		if slot == nil || *slot >= 0 || s.reduction[l] && (u.x < 0 || u.w < 0) {
			return nil, false
		}
		*slot = l
	}
	if c.n >= 0 {
		k.N, c.x[0] = s.extents[c.n], x.stride(use[c.n].x)
	}
	if channel >= 0 {
		c.channels = s.extents[channel]
		c.x[1], c.w[1] = x.stride(use[channel].x), w.stride(use[channel].w)
	}
	if c.k >= 0 {
		k.K, c.w[0] = s.extents[c.k], w.stride(use[c.k].w)
	}
	return c, c.group(s, x, w, use)
}

// group joins the loop of the groups with the channels and with the filters. It reports
// false if an operand or the result does not have them one after the other.
func (c *convolution) group(s *structured, x, w view, use []loopUse) bool {
	k := &c.shape
	k.C = c.channels
	if c.g < 0 {
		return true
	}
	k.Groups = s.extents[c.g]
	xs, ws := x.stride(use[c.g].x), w.stride(use[c.g].w)
	switch {
	case c.channels == 1:
		c.x[1] = xs
	case xs != c.x[1]*c.channels:
		return false
	}
	switch {
	case k.K == 1:
		c.w[0] = ws
	case ws != c.w[0]*k.K:
		return false
	}
	if k.Groups > 1 && k.K > 1 {
		// The kernel writes the filters of all groups as one dimension.
		out := s.node.outs[0].strides
		at := func(l int) int { return s.order[s.loops.last(l)] }
		if out[at(c.g)] != out[at(c.k)]*k.K {
			return false
		}
	}
	k.C *= k.Groups
	k.K *= k.Groups
	return true
}

// stride of a dimension with one factor.
func (v view) stride(d int) int {
	if len(v.dims[d]) == 0 {
		return 0
	}
	return v.dims[d][0].stride
}

// convolve completes the node.
func (s *structured) convolve(c *convolution, x, w view, acc dtype.DType, as [2]dtype.DType) {
	n := s.node
	src, filter := s.g.inMemory(x), s.g.inMemory(w)
	n.acc = acc
	n.kind, n.conv, n.body = nodeConvolve, c, nil
	n.ins = []access{{t: src.t, as: as[0], offset: src.offset},
		{t: filter.t, as: as[1], offset: filter.offset}}
	n.extents = n.extents[:n.par]
	n.outs[0].reduce = nil
	for _, l := range []*int{&c.n, &c.g, &c.k, &c.p, &c.q} {
		if *l >= 0 {
			*l = s.order[s.loops.first(*l)]
		}
	}
	s.g.add(n)
}

// asOf is the type as which the node reads a tensor.
func (n *node) asOf(t *tensor) dtype.DType {
	for _, a := range n.ins {
		if a.t == t {
			return a.as
		}
	}
	return dtype.Invalid
}
