package ops

// convolutionGradient: the gradient of the input is the convolution of the
// opposite direction; the gradient of the weight is a convolution in which batch and channels change places.
func convolutionGradient(g *Gradient) {
	v := g.convolution()
	x, w, dy := g.Tensor(0), g.Tensor(1), g.Grad(0)
	n := len(v.stride)
	if g.Needs(0) {
		extra := make([]int, n)
		if !v.transposed {
			back := v
			back.transposed, back.outputPadding = true, extra
			for i := range n {
				extra[i] = g.Shape(0)[2+i] - back.extent(i, g.Out[0].Shape[2+i], g.Shape(1)[2+i])
			}
		}
		dx := g.Call("convolution", dy, w, nil, v.stride, v.padding, v.dilation,
			!v.transposed, extra, v.groups)
		g.Set(0, g.cut(dx, g.Shape(0), n))
	}
	if g.Needs(1) {
		if v.transposed {
			x, dy = dy, x
		}
		g.Set(1, g.windowGradient(&v, x, dy))
	}
	if g.Needs(2) {
		dims := []int{0}
		for i := range n {
			dims = append(dims, 2+i)
		}
		g.Set(2, g.Sum(g.Grad(0), dims, false))
	}
}

// windowGradient correlates the input x [N, G·C, …] with the gradient of the result
// dy [N, G·O, …] at the offsets of the window: [G·O, C, window…].
func (g *Gradient) windowGradient(v *convolution, x, dy Value) Value {
	n := len(v.stride)
	dx := x.Type().Shape
	batch, channels := dx[0], dx[1]/v.groups
	spatial := func(first ...int) []int {
		rank := len(first)
		for i := range n {
			first = append(first, rank+i)
		}
		return first
	}
	x = g.Reshape(x, append([]int{batch, v.groups, channels}, dx[2:]...))
	x = g.Reshape(g.Call("permute", x, spatial(2, 1, 0)),
		append([]int{channels, v.groups * batch}, dx[2:]...))
	dy = g.Call("permute", dy, spatial(1, 0))
	x, padding := g.reached(v, x, dy.Type().Shape)
	r := g.Call("convolution", x, dy, nil, v.dilation, padding, v.stride, false, make([]int, n),
		v.groups)
	return g.Call("permute", r, spatial(1, 0))
}

// reached returns the part of x that some window reaches, with the padding that is left to do. Where a
// stride left a rest, there is more in x: sums over it would be no element of the gradient.
func (g *Gradient) reached(v *convolution, x Value, dy []int) (Value, []int) {
	n := len(v.stride)
	all, pad := true, make([]int, 0, 2*n)
	for i := n - 1; i >= 0; i-- {
		end := (dy[2+i]-1)*v.stride[i] + (g.Shape(1)[2+i]-1)*v.dilation[i] + 1 - v.padding[i]
		rest := end - x.Type().Shape[2+i]
		all = all && rest == v.padding[i]
		pad = append(pad, v.padding[i], rest)
	}
	if all {
		return x, v.padding
	}
	return g.Call("constant_pad_nd", x, pad, 0), make([]int, n)
}

// cut takes the first dims[2:] elements of the n spatial dimensions. There are more
// where a stride left a rest.
func (e Emit) cut(v Value, dims []int, n int) Value {
	for i := range n {
		if v.Type().Shape[2+i] != dims[2+i] {
			v = e.Call("slice.Tensor", v, 2+i, 0, dims[2+i], 1)
		}
	}
	return v
}
