package opinfo

import (
	"encoding/json"
	"slices"

	"github.com/go-acap/acap/base/buf"
	"github.com/go-acap/acap/ops"
	"github.com/go-acap/acap/tensor"
)

// ambiguous is the list of results that more than one answer defines. A result in
// it that differs from the recorded one is right if defined accepts it.
var ambiguous = []struct {
	operators []string // overloads; all if empty
	results   []int    // which results; all of the programs that use an operator if empty
	reason    string
	defined   func(a *answer) bool
}{
	{[]string{"sort", "topk"}, []int{1}, anyOrder, func(a *answer) bool { return a.selects(true) }},
	{[]string{"argsort"}, []int{0}, anyOrder, func(a *answer) bool { return a.selects(true) }},
	{[]string{"kthvalue", "mode", "median.dim", "nanmedian.dim"}, []int{1},
		"any of several equal elements may be named: the index names an equal element",
		func(a *answer) bool { return a.selects(false) }},
	{[]string{"_unique", "_unique2"}, []int{0, 1, 2},
		"with sorted=False the order is that of a hash table: the same values, the inverse " +
			"names the elements of self, and the counts are those of the values",
		(*answer).isUnique},
	{[]string{"linalg_qr", "qr"}, []int{0, 1},
		"the signs of R's rows are free: Q·R is self, Q is orthogonal and R triangular",
		(*answer).isQR},
	{[]string{"_linalg_eigh", "linalg_eigh", "symeig"}, []int{1},
		"the signs of eigenvectors are free: V is orthogonal and self·V is V·L",
		(*answer).isEigen},
	{[]string{"_linalg_svd", "linalg_svd", "svd"}, []int{0, 2},
		"the signs of singular vectors are free: U and V are orthogonal and U·S·Vᵀ is self",
		(*answer).isSVD},
	{[]string{"_linalg_det", "_linalg_solve_ex"}, []int{1, 2}, factorsOfTranspose, (*answer).isLU},
	{[]string{"_linalg_slogdet"}, []int{2, 3}, factorsOfTranspose, (*answer).isLU},
	{[]string{"adaptive_max_pool1d", "adaptive_max_pool2d", "adaptive_max_pool3d", "max_pool1d_with_indices",
		"max_pool2d_with_indices", "max_pool3d_with_indices"}, []int{1},
		"any of several NaNs of a window may be named",
		(*answer).isNaN},
	{[]string{"as_strided_scatter"}, []int{gradientOfSelf},
		"PyTorch 1.13's gradient of self is uninitialised outside the view and the cotangent of " +
			"src in it: the gradient is the cotangent with zeros in the view",
		(*answer).isMasked},
	{[]string{"fmod.Tensor", "remainder.Tensor", "floor_divide", "div.Tensor_mode"}, []int{0},
		"where the quotient overflows, PyTorch 1.13's vectors give NaN and the elements after the " +
			"last whole vector the remainder and an infinite quotient: the latter are right",
		(*answer).isOverflow},
	{[]string{"linspace"}, []int{0},
		"PyTorch 1.13 truncates the start of every vector of integers before it adds the steps, so " +
			"that results depend on the width of its vectors: they are the truncated numbers",
		(*answer).isLinspace},
	{[]string{"special_bessel_j0", "special_bessel_j1", "special_bessel_y0", "special_bessel_y1"}, []int{0},
		"PyTorch leaves out the leading coefficient, 1, of a denominator, and is up to 4e-6 off " +
			"between 2 and 20: the result is that of the defining integral",
		(*answer).isBessel},
	{roundedStepwise, nil,
		"PyTorch 1.13's CPU kernels round half types after every product and sum, for some sizes, " +
			"which loses up to all digits: sums are kept in float32 and rounded once, and the result is " +
			"as near to that of the same program in float64 as any must be, or nearer than the recorded one",
		(*answer).isRoundedOnce},
	{nil, []int{anyGradient},
		"where the terms of a gradient cancel, float32 leaves no digit: the covariance of two numbers does not depend on " +
			"their weights, and PyTorch has 2⁻¹⁰ for that. Both gradients are that of central differences in float64, " +
			"up to 16 units in the last place of the terms",
		(*answer).isDifference},
}

// roundedStepwise are the operators that PyTorch 1.13 computes in half types with a rounding
// after every product and sum, for some sizes.
var roundedStepwise = []string{"mm", "bmm", "mv", "addmm", "addbmm", "baddbmm", "addmv", "addr",
	"add.Tensor", "sub.Tensor", "rsub.Tensor", "add.Scalar", "sub.Scalar", "rsub.Scalar",
	"linalg_vector_norm", "norm.Scalar", "norm.ScalarOpt_dim", "norm.ScalarOpt_dtype", "norm.ScalarOpt_dim_dtype",
	"native_batch_norm", "native_layer_norm", "native_group_norm", "_scaled_dot_product_attention_forward",
	"adaptive_avg_pool3d", "_adaptive_avg_pool3d", "upsample_bicubic2d.vec", "upsample_trilinear3d.vec",
	"upsample_bicubic2d", "upsample_trilinear3d", "convolution", "_convolution", "_convolution.deprecated", "conv2d", "conv3d",
	"conv2d.padding", "conv3d.padding", "layer_norm", "group_norm", "matrix_power", "linalg_matrix_power", "matmul", "tensordot"}

const anyOrder = "without stable, equal elements of a line may come in any order: the indices differ from " +
	"one another and name equal elements"

const factorsOfTranspose = "LAPACK is given the matrix by columns or by rows: the factors for a backward " +
	"operator are those of self or of its transpose"

// gradientOfSelf stands for the gradient of the first argument among results.
const gradientOfSelf = -1

// anyGradient stands for the gradient of any input among results.
const anyGradient = -2

// answer is a result in question.
type answer struct {
	x          *execution
	name       string
	grad       bool
	op         *op
	result     int
	got, want  *buf.Buffer
	rtol, atol float64
}

// agrees reports whether the value of a name is ambiguous and defined all the same.
func (x *execution) agrees(name string, got, want *buf.Buffer, grad bool) bool {
	if got.DType != want.DType || !slices.Equal(got.Shape, want.Shape) {
		return false
	}
	a := &answer{x: x, name: name, grad: grad, got: got, want: want}
	a.rtol, a.atol = x.p.tolerance(want.DType, grad)
	if grad {
		a.op, a.result = x.p.user(name), gradientOfSelf
	} else {
		from := x.made[name]
		if from.op != nil && from.op.Op == "aten.transpose.int" { // svd returns V, not Vᵀ
			from = x.made[referenced(from.op.Args[0])]
		}
		a.op, a.result = from.op, from.result
	}
	overload := ""
	if a.op != nil {
		overload = ops.Lookup(a.op.Op).Name()
	}
	for _, e := range ambiguous {
		applies := slices.Contains(e.operators, overload) && slices.Contains(e.results, a.result) ||
			len(e.results) == 0 && x.p.uses(e.operators) || grad && slices.Contains(e.results, anyGradient)
		if applies && e.defined(a) {
			return true
		}
	}
	return false
}

// user returns the operator whose first argument has a name.
func (p *Program) user(name string) *op {
	for i := range p.Ops {
		if o := &p.Ops[i]; len(o.Args) > 0 && referenced(o.Args[0]) == name {
			return o
		}
	}
	return nil
}

// referenced returns the name of a tensor argument, or nothing.
func referenced(raw json.RawMessage) string {
	var v struct{ V string }
	if json.Unmarshal(raw, &v) != nil {
		return ""
	}
	return v.V
}

// value returns the buffer of a name, or nil if there is none.
func (a *answer) value(name string) *buf.Buffer {
	t := a.x.env[name]
	if t == nil {
		return nil
	}
	b, err := t.Buffer(ctx)
	if err != nil {
		return nil
	}
	return b
}

// self returns the first argument.
func (a *answer) self() *buf.Buffer { return a.value(referenced(a.op.Args[0])) }

// other returns what was computed for result i, or nil.
func (a *answer) other(i int) *buf.Buffer {
	var name string
	if i >= len(a.op.Outs) || json.Unmarshal(a.op.Outs[i], &name) != nil {
		return nil
	}
	return a.value(name)
}

// argument returns an int argument by name, or its default.
func (a *answer) argument(name string) int {
	raw, given := a.op.Kwargs[name]
	for i, q := range ops.Lookup(a.op.Op).Parsed().Params {
		if q.Name != name {
			continue
		}
		if i < len(a.op.Args) {
			raw, given = a.op.Args[i], true
		}
		if !given {
			return q.Default.Int()
		}
	}
	v, err := argument(raw, nil)
	if err != nil {
		return 0
	}
	switch v := v.(type) {
	case int:
		return v
	case bool:
		if v {
			return 1
		}
	}
	return 0
}

// selects reports whether indices along dim name the elements that the expected ones
// name and, if distinct is set, none twice in a line.
func (a *answer) selects(distinct bool) bool {
	self := a.self()
	if self == nil {
		return false
	}
	n, inner := 1, 1
	if rank := len(self.Shape); rank > 0 {
		dim := (a.argument("dim") + rank) % rank
		n = self.Shape[dim]
		for _, k := range self.Shape[dim+1:] {
			inner *= k
		}
	}
	lines := self.Len() / max(n, 1)
	if lines == 0 {
		return false
	}
	picks := a.got.Len() / lines
	seen := map[[2]int]bool{}
	for i := range a.got.Len() {
		line := i/(picks*inner)*inner + i%inner
		start := line/inner*n*inner + line%inner
		at, expected := int(a.got.Int64(i)), int(a.want.Int64(i))
		if at < 0 || at >= n || distinct && seen[[2]int{line, at}] {
			return false
		}
		seen[[2]int{line, at}] = true
		g, w := self.Float64(start+at*inner), self.Float64(start+expected*inner)
		if !close64(g, w, 0, 0) {
			return false
		}
	}
	return true
}

// isUnique judges values and inverse of unique without an order.
func (a *answer) isUnique() bool {
	self, values, inverse := a.self(), a.other(0), a.other(1)
	if self == nil || values == nil || a.argument("sorted") != 0 {
		return false
	}
	if a.result == 2 {
		counts := make([]int64, values.Len())
		for i := range self.Len() {
			for k := range counts {
				if close64(values.Float64(k), self.Float64(i), 0, 0) {
					counts[k]++
				}
			}
		}
		for k, n := range counts {
			if a.got.Int64(k) != n {
				return false
			}
		}
		return true
	}
	if a.result == 0 {
		g, w := floats(a.got), floats(a.want)
		slices.Sort(g)
		slices.Sort(w)
		return slices.EqualFunc(g, w, func(g, w float64) bool { return close64(g, w, 0, 0) })
	}
	for i := range self.Len() {
		at := inverse.Int64(i)
		if at < 0 || at >= int64(values.Len()) ||
			!close64(values.Float64(int(at)), self.Float64(i), 0, 0) {
			return false
		}
	}
	return true
}

// isMasked judges the gradient of self of as_strided_scatter.
func (a *answer) isMasked() bool {
	cotangent, src := a.x.p.cotangent(a.op), a.x.env[referenced(a.op.Args[1])]
	if cotangent == nil || src == nil {
		return false
	}
	args := []any{tensor.FromBuffer(cotangent),
		tensor.FromBuffer(buf.New(cotangent.DType, src.Shape()))}
	for _, raw := range a.op.Args[2:] {
		v, err := argument(raw, a.x.resolve)
		if err != nil {
			return false
		}
		args = append(args, v)
	}
	want, err := tensor.Call("as_strided_scatter", args...)[0].Buffer(ctx)
	return err == nil && Close(a.got, want, a.rtol, a.atol) == nil
}

// cotangent returns the recorded cotangent of an operator's first result.
func (p *Program) cotangent(o *op) *buf.Buffer {
	var name string
	if json.Unmarshal(o.Outs[0], &name) != nil {
		return nil
	}
	for i := range p.GradOutputs {
		if p.GradOutputs[i].Name == name {
			b, err := p.buffer(&p.GradOutputs[i].Tensor)
			if err != nil {
				return nil
			}
			return b
		}
	}
	return nil
}

// floats returns the elements of a buffer.
func floats(b *buf.Buffer) []float64 {
	out := make([]float64, b.Len())
	for i := range out {
		out[i] = b.Float64(i)
	}
	return out
}
