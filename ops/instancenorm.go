package ops

import "github.com/go-acap/acap/base/shape"

// instance_norm: every channel of every sample is normalized by its own mean and variance,
// or by the running ones: a batch norm with all channels of all samples as channels.
func init() {
	register(&Op{
		Schema: "instance_norm(Tensor input, Tensor? weight, Tensor? bias, Tensor? running_mean, " +
			"Tensor? running_var, bool use_input_stats, float momentum, float eps, bool cudnn_enabled) -> Tensor",
		Infer: inferExpansion(nil),
		Expand: func(e Emit, c *Call) []Value {
			y := e.Call("native_batch_norm", e.instances(c)...)
			return []Value{e.Reshape(y, c.Shape(0))}
		},
		// The running statistics move towards the mean of the samples' statistics.
		Update: func(e Emit, c *Call) []Value {
			if !c.Bool(5) || !c.Has(3) || !c.Has(4) {
				return nil
			}
			out := e.Calls("_native_batch_norm_legit_functional", e.instances(c)...)
			in := c.Shape(0)
			values := []Value{e.Reshape(out[0], in)}
			for i, v := range out[3:] {
				v = e.Call("mean.dim", e.Reshape(v, in[:2]), []int{0}, false)
				values = append(values, e.Reshape(v, c.Shape(3+i)))
			}
			return values
		},
		Written: []int{3, 4},
		Samples: samplesOf(Sample{S(2, 3, 4), S(3), S(3), nil, nil, true, 0.1, 1e-5, false},
			Sample{S(2, 3, 4), nil, nil, S(3), SIn(0.5, 2, 3), false, 0.1, 1e-5, false}),
	})
	// _weight_norm: g·v/‖v‖, the norm taken over all dimensions but one.
	composite("_weight_norm(Tensor v, Tensor g, int dim=0) -> Tensor", func(e Emit, c *Call) []Value {
		var dims []int
		keep := -1
		if c.Int(2) != -1 {
			keep = c.mustDim(0, c.Int(2))
		}
		for d := range c.Shape(0) {
			if d != keep {
				dims = append(dims, d)
			}
		}
		norm := e.Call("linalg_vector_norm", c.Tensor(0), 2.0, dims, true)
		return []Value{e.Mul(c.Tensor(0), e.Div(c.Tensor(1), norm))}
	}, Sample{S(3, 2, 2), S(3, 1, 1)})
}

// instances returns the arguments of the batch norm that instance_norm is, whose channels
// are all channels of all samples.
func (e Emit) instances(c *Call) []any {
	in := c.Shape(0)
	if len(in) < 2 {
		panic(c.ShapeErrorf("input %s must have a batch and channels", shape.String(in)))
	}
	args := []any{e.Reshape(c.Tensor(0), append([]int{1, in[0] * in[1]}, in[2:]...))}
	for i := 1; i <= 4; i++ {
		if !c.Has(i) {
			args = append(args, nil)
			continue
		}
		if err := c.wantChannels(i, in[1]); err != nil {
			panic(err)
		}
		args = append(args, e.Call("repeat", e.Reshape(c.Tensor(i), []int{in[1]}), []int{in[0]}))
	}
	return append(args, c.Bool(5), c.Float(6), c.Float(7))
}
