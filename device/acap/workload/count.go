package workload

import "github.com/go-acap/acap/base/dtype"

// MACs returns the multiply-accumulates of the kernel. Causal attention counts
// the lower triangle only.
func (k *Kernel) MACs() int64 {
	switch k.Kind {
	case KindContraction:
		c := &k.Contraction
		return int64(c.Batch) * int64(c.M) * int64(c.N) * int64(c.K)
	case KindAttention:
		a := &k.Attention
		return int64(a.Batch) * int64(a.Heads) * a.pairs() * int64(a.D+a.DV)
	case KindConvolution:
		c := &k.Convolution
		return int64(c.N) * int64(c.K) * int64(c.OutH()) * int64(c.OutW()) *
			int64(c.C/c.Groups) * int64(c.R) * int64(c.S)
	case KindNormalize:
		return int64(k.Normalize.Rows) * int64(k.Normalize.Products)
	}
	return 0
}

// pairs returns how many (query, key) pairs one head scores.
func (a *Attention) pairs() int64 {
	sq, sk := int64(a.Sq), int64(a.Sk)
	if !a.Causal {
		return sq * sk
	}
	// Query i sees keys 0 … i.
	first := min(sq, sk)
	return first*(first+1)/2 + (sq-first)*sk
}

// ElementOps returns the operations that are not multiply-accumulates.
func (k *Kernel) ElementOps() float64 {
	switch k.Kind {
	case KindContraction:
		c := &k.Contraction
		return c.Epilogue.Ops.Total() * float64(c.Batch) * float64(c.M) * float64(c.N)
	case KindPointwise:
		return k.Pointwise.Ops.Total() * float64(k.Pointwise.Elements)
	case KindNormalize:
		n := &k.Normalize
		return float64(n.Rows) * (float64(float64(n.Cols)*n.Ops.Total()) + n.RowOps.Total())
	case KindAttention:
		a := &k.Attention
		ops := 5.0 // scale, max, subtract, exp and sum for every score
		if a.Mask != nil {
			ops++
		}
		return ops * float64(a.Batch) * float64(a.Heads) * float64(a.pairs())
	case KindConvolution:
		c := &k.Convolution
		return c.Epilogue.Ops.Total() * float64(c.outElements())
	}
	return 0
}

// Ops returns the operations of the kernel, a multiply-accumulate being two.
func (k *Kernel) Ops() float64 { return 2*float64(k.MACs()) + k.ElementOps() }

// ReadBytes returns the bytes of all inputs, each counted once.
func (k *Kernel) ReadBytes() int64 {
	var n int64
	for _, s := range k.Inputs() {
		n += s.Bytes()
	}
	return n
}

// WriteBytes returns the bytes of all outputs.
func (k *Kernel) WriteBytes() int64 {
	var n int64
	for _, s := range k.Outputs() {
		n += s.Bytes()
	}
	return n
}

// Bytes returns the compulsory traffic: every input and output once.
func (k *Kernel) Bytes() int64 { return k.ReadBytes() + k.WriteBytes() }

// Inputs returns the kernel's inputs, main operands first.
func (k *Kernel) Inputs() []Stream {
	switch k.Kind {
	case KindContraction:
		c := &k.Contraction
		return append([]Stream{c.A.stream(c.K, c.M, c.Batch), c.B.stream(c.K, c.N, c.Batch)}, c.Epilogue.In...)
	case KindPointwise:
		return k.Pointwise.In
	case KindNormalize:
		return k.Normalize.In
	case KindAttention:
		a := &k.Attention
		heads := int64(a.Batch) * int64(a.Heads)
		shared := int64(a.Batch) * int64(a.KVHeads)
		in := []Stream{
			{DType: a.DType, Elements: heads * int64(a.Sq) * int64(a.D)},
			{DType: a.DType, Elements: shared * int64(a.Sk) * int64(a.D)},
			{DType: a.DType, Elements: shared * int64(a.Sk) * int64(a.DV)},
		}
		if m := a.Mask; m != nil {
			in = append(in, Stream{DType: m.DType,
				Elements: int64(m.Matrices()) * int64(m.Queries) * int64(a.Sk)})
		}
		return in
	case KindConvolution:
		c := &k.Convolution
		return append([]Stream{
			{DType: c.In, Elements: int64(c.N) * int64(c.C) *
				touched(c.H, c.PadTop, c.OutH(), c.R, c.StrideH, c.DilationH) *
				touched(c.W, c.PadLeft, c.OutW(), c.S, c.StrideW, c.DilationW)},
			{DType: c.Weight, Constant: c.ConstantWeight,
				Elements: int64(c.K) * int64(c.C/c.Groups) * int64(c.R) * int64(c.S)},
		}, c.Epilogue.In...)
	case KindMove:
		in := []Stream{{DType: k.Move.DType, Elements: k.Move.Elements}}
		return in
	}
	return nil
}

// Outputs returns the kernel's outputs.
func (k *Kernel) Outputs() []Stream {
	switch k.Kind {
	case KindContraction:
		c := &k.Contraction
		return c.Epilogue.outputs(c.Out, int64(c.Batch)*int64(c.M)*int64(c.N))
	case KindPointwise:
		return k.Pointwise.Out
	case KindNormalize:
		return k.Normalize.Out
	case KindAttention:
		a := &k.Attention
		n := int64(a.Batch) * int64(a.Heads) * int64(a.Sq) * int64(a.DV)
		return []Stream{{DType: a.DType, Elements: n}}
	case KindConvolution:
		c := &k.Convolution
		return c.Epilogue.outputs(c.Out, c.outElements())
	case KindMove:
		return []Stream{{DType: k.Move.DType, Elements: k.Move.Elements}}
	}
	return nil
}

// OutH returns the height of the output.
func (c *Convolution) OutH() int {
	return outExtent(c.H+c.PadTop+c.PadBottom, c.R, c.StrideH, c.DilationH)
}

// OutW returns the width of the output.
func (c *Convolution) OutW() int {
	return outExtent(c.W+c.PadLeft+c.PadRight, c.S, c.StrideW, c.DilationW)
}

func outExtent(in, filter, stride, dilation int) int {
	span := in - dilation*(filter-1) - 1
	if span < 0 {
		return 0
	}
	return span/stride + 1
}

func (c *Convolution) outElements() int64 {
	return int64(c.N) * int64(c.K) * int64(c.OutH()) * int64(c.OutW())
}

// touched returns how many of n positions the windows of a convolution reach: strides
// may pass some over.
func touched(n, pad, outputs, filter, stride, dilation int) int64 {
	seen := make([]bool, n)
	count := int64(0)
	for o := range outputs {
		for f := range filter {
			if at := o*stride + f*dilation - pad; at >= 0 && at < n && !seen[at] {
				seen[at] = true
				count++
			}
		}
	}
	return count
}

// AsContraction returns the implicit matrix product of the convolution: M is
// output positions, K is one group's filter, N is one group's filters, and the
// batch is the groups.
func (c *Convolution) AsContraction() Contraction {
	return Contraction{
		Batch: c.Groups,
		M:     c.N * c.OutH() * c.OutW(),
		N:     c.K / c.Groups,
		K:     c.C / c.Groups * c.R * c.S,
		A:     Operand{DType: c.In},
		B:     Operand{DType: c.Weight, Constant: c.ConstantWeight},
		Acc:   c.Acc, Out: c.Out,
		Epilogue: c.Epilogue,
	}
}

// Plain reports whether the implicit matrix of the product is the input itself, position by position: every window
// is one element, and every element a window.
func (c *Convolution) Plain() bool {
	return c.R == 1 && c.S == 1 && c.StrideH == 1 && c.StrideW == 1 && c.PadTop == 0 && c.PadLeft == 0 &&
		c.OutH() == c.H && c.OutW() == c.W
}

// Types returns the types of the operands whose rate counts: of both factors,
// or twice the type that the kernel computes in.
func (k *Kernel) Types() (a, b dtype.DType) {
	switch k.Kind {
	case KindContraction:
		return k.Contraction.A.DType, k.Contraction.B.DType
	case KindConvolution:
		return k.Convolution.In, k.Convolution.Weight
	case KindAttention:
		return k.Attention.DType, k.Attention.DType
	case KindPointwise:
		return k.Pointwise.DType, k.Pointwise.DType
	case KindNormalize:
		return k.Normalize.DType, k.Normalize.DType
	}
	return k.Move.DType, k.Move.DType
}

// Runs returns the contiguous elements on the source and on the result side.
func (v *Move) Runs() (read, write int) {
	read, write = v.ReadRun, v.WriteRun
	if read > 0 && write > 0 {
		return read, write
	}
	both := int(min(v.Elements, 1<<30))
	if len(v.Perm) > 0 && len(v.Perm) == len(v.Shape) {
		// Dimensions at the end that remain in place are contiguous on both sides.
		both = 1
		for i := len(v.Perm) - 1; i >= 0 && v.Perm[i] == i; i-- {
			both *= v.Shape[i]
		}
		last := len(v.Perm) - 1
		if v.Perm[last] != last {
			// The result is written in order; its source is strided.
			if write == 0 {
				write = v.Shape[v.Perm[last]]
			}
		}
	}
	if read == 0 {
		read = both
	}
	if write == 0 {
		write = both
	}
	return max(1, read), max(1, write)
}
