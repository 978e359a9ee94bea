package onnx

import (
	"slices"

	"github.com/go-acap/acap/base/dtype"
	"github.com/go-acap/acap/ops"
)

func init() {
	register("BatchNormalization", batchNorm)
	register("InstanceNormalization", func(n *node) {
		x := n.tensor(0)
		n.set(n.groupNorm(x, n.tensor(1), n.tensor(2), channels(x), n.float("epsilon", 1e-5)))
	})
	register("LayerNormalization", layerNorm)
	register("GroupNormalization", groupNormalization)
	register("LpNormalization", func(n *node) {
		x := n.tensor(0)
		d := []int{axis(n.int("axis", -1), rank(x))}
		norm := n.sum(n.Call("abs", x), d, true)
		if n.int("p", 2) == 2 {
			norm = n.Call("sqrt", n.sum(n.Square(x), d, true))
		}
		n.set(n.Call("masked_fill.Scalar", n.Div(x, norm), n.Compare("eq", norm, 0), 0)) // zeros stay zeros
	})
	register("LRN", localResponse)
	register("MeanVarianceNormalization", func(n *node) {
		x := n.tensor(0)
		dims, ok := n.ints("axes")
		if !ok {
			dims = slices.DeleteFunc([]int{0, 2, 3}, func(d int) bool { return d >= rank(x) })
		}
		moments := n.Calls("std_mean.correction", x, dims, 0, true) // deviation and mean
		n.set(n.Div(n.Sub(x, moments[1]), n.Add(moments[0], 1e-9)))
	})
	register("RMSNormalization", rmsNorm)
}

// channels is the extent of dimension 1.
func channels(x ops.Value) int {
	if rank(x) < 2 {
		failf("takes a batch of channels, not a tensor of %d dimensions", rank(x))
	}
	return extents(x)[1]
}

// perChannel gives a vector of channels the dimensions of x.
func (n *node) perChannel(v, x ops.Value) ops.Value {
	dims := slices.Repeat([]int{1}, rank(x))
	dims[min(1, rank(x)-1)] = size(extents(v))
	return n.Reshape(v, dims)
}

// batchNorm normalizes channels by the mean and variance that are given, or in training by the batch's; the given ones
// then move towards the batch's. Before version 14 a second output asked for training, except with is_test.
func batchNorm(n *node) {
	x, mean, variance := n.tensor(0), n.tensor(3), n.tensor(4)
	scale, bias, epsilon := n.tensor(1), n.tensor(2), n.float("epsilon", 1e-5)
	training := n.bool("training_mode", false) || n.version < 14 && n.wants(1) && !n.bool("is_test", false)
	if !training {
		channels(x)
		if elem(scale) == elem(x) && elem(mean) == elem(x) {
			n.set(n.Call("batch_norm", x, scale, bias, mean, variance, false, 0.1, epsilon, false), mean, variance, mean, variance)
			return
		}
		wide := elem(mean)
		y := n.Call("batch_norm", n.To(x, wide), n.To(scale, wide), n.To(bias, wide), mean,
			n.To(variance, wide), false, 0.1, epsilon, false)
		n.set(n.To(y, elem(x)), mean, variance, mean, variance)
		return
	}
	channels(x)
	dims := []int{0}
	for d := 2; d < rank(x); d++ {
		dims = append(dims, d)
	}
	momentum := n.float("momentum", 0.9)
	moments := n.Calls("var_mean.correction", x, dims, 0, false)
	batchVariance, batchMean := moments[0], moments[1]
	factor := n.Mul(n.Call("rsqrt", n.Add(batchVariance, epsilon)), scale)
	y := n.Add(n.Mul(n.Sub(x, n.perChannel(batchMean, x)), n.perChannel(factor, x)), n.perChannel(bias, x))
	blend := func(old, new ops.Value) ops.Value {
		return n.Add(n.Mul(old, momentum), n.Mul(new, 1-momentum))
	}
	n.set(y, blend(mean, batchMean), blend(variance, batchVariance), batchMean, batchVariance)
}

func (n *node) groupNorm(x, scale, bias ops.Value, groups int, epsilon float64) ops.Value {
	if groups < 1 || channels(x)%groups != 0 {
		failf("%d groups of %d channels", groups, channels(x))
	}
	return n.Call("group_norm", x, groups, scale, bias, epsilon, false)
}

// groupNormalization has a scale and bias for each group before version 21, then for each channel.
func groupNormalization(n *node) {
	x, scale, bias := n.tensor(0), n.tensor(1), n.tensor(2)
	groups := n.int("num_groups", 0)
	if groups > 0 && n.version < 21 && channels(x)%groups == 0 && size(extents(scale)) == groups {
		each := func(v ops.Value) ops.Value {
			dims := []int{groups, channels(x) / groups}
			return n.Call("reshape", n.Expand(n.Reshape(v, []int{groups, 1}), dims), []int{channels(x)})
		}
		scale, bias = each(scale), each(bias)
	}
	n.set(n.groupNorm(x, scale, bias, groups, n.float("epsilon", 1e-5)))
}

// layerNorm normalizes all dimensions from axis on. Its other results are the mean and the inverse
// of the standard deviation, of type f32 if stash_type says so.
func layerNorm(n *node) {
	x := n.tensor(0)
	at := axis(n.int("axis", -1), rank(x))
	inner := extents(x)[at:]
	epsilon := n.float("epsilon", 1e-5)
	scale := n.Expand(n.tensor(1), inner)
	var bias any
	if n.has(2) {
		bias = n.Expand(n.tensor(2), inner)
	}
	wide, stash := x, elem(x)
	if n.int("stash_type", 1) == 1 {
		stash = dtype.F32
	}
	if elem(x).Size() < stash.Size() {
		wide = n.To(x, dtype.F32)
		scale = n.To(scale, dtype.F32)
		if bias != nil {
			bias = n.To(bias.(ops.Value), dtype.F32)
		}
	}
	results := n.Calls("native_layer_norm", wide, inner, scale, bias, epsilon)
	n.set(n.To(results[0], elem(x)), n.To(results[1], stash), n.To(results[2], stash))
}

// localResponse divides by a power of the mean square over neighbouring channels.
func localResponse(n *node) {
	x := n.tensor(0)
	count := n.int("size", 0)
	if count < 1 {
		failf("size %d", count)
	}
	low, high := make([]int, rank(x)), make([]int, rank(x))
	c := channels(x)
	low[1], high[1] = (count-1)/2, count-1-(count-1)/2
	square := n.padWith(n.Square(x), low, high, 0)
	var sum ops.Value
	for i := range count {
		part := n.Call("slice.Tensor", square, 1, i, i+c, 1)
		if sum != nil {
			part = n.Add(sum, part)
		}
		sum = part
	}
	base := n.Add(n.Mul(sum, n.float("alpha", 1e-4)/float64(count)), n.float("bias", 1))
	n.set(n.Div(x, n.Pow(base, n.float("beta", 0.75))))
}

// rmsNorm divides by the root of the mean square over all dimensions from axis on, in f32 if
// stash_type says so. ONNX Runtime's form of the operator has the factor as a second result.
func rmsNorm(n *node) {
	x := n.tensor(0)
	var dims []int
	for d := axis(n.int("axis", -1), rank(x)); d < rank(x); d++ {
		dims = append(dims, d)
	}
	if len(dims) == 0 {
		failf("takes a tensor with dimensions")
	}
	n.set(n.meanSquareNorm(x, n.tensor(1), dims))
}

// meanSquareNorm divides x by the root of its mean square over dims and multiplies it by scale; the other result is
// what x was multiplied by.
func (n *node) meanSquareNorm(x, scale ops.Value, dims []int) (y, factor ops.Value) {
	wide := x
	if n.int("stash_type", 1) == 1 {
		wide = n.wide(x)
	}
	factor = n.meanSquareFactor(wide, dims, 1e-5)
	return n.Mul(n.To(n.Mul(wide, factor), elem(x)), scale), factor
}

// meanSquareFactor is 1/√(mean of squares over dims + epsilon), an attribute; or stands for it.
func (n *node) meanSquareFactor(x ops.Value, dims []int, or float64) ops.Value {
	return n.Call("rsqrt", n.Add(n.Call("mean.dim", n.Square(x), dims, true), n.float("epsilon", or)))
}
