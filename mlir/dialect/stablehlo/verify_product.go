package stablehlo

import (
	"fmt"
	"slices"
	"strings"

	"github.com/go-acap/acap/mlir"
	"github.com/go-acap/acap/mlir/dialect/quant"
)

// Checks of products, convolutions and transforms.

// verifyPrecision checks that there is a precision for each operand, or none.
func verifyPrecision(f facts) error {
	list, _ := f.Attrs.Get("precision_config").(mlir.ArrayAttr)
	if len(list) > 2 {
		return fmt.Errorf("has %d precisions for two operands", len(list))
	}
	for _, a := range list {
		word := Enum(a)
		if !slices.Contains(strings.Fields(enumerations["precision"]), word) {
			return fmt.Errorf("%s is no precision", a)
		}
		if word != "DEFAULT" && f.Attrs.Get("algorithm") != nil {
			return fmt.Errorf("has an algorithm, and the precision %s", word)
		}
	}
	return nil
}

// verifyQuantizedProduct checks what the elements of a product mean.
func verifyQuantizedProduct(x, w, y mlir.Type) error {
	if !isQuantized(x) && !isQuantized(w) && !isQuantized(y) {
		return nil
	}
	right, ok := quant.Of(mlir.ElementOf(w))
	if !ok || isQuantized(x) != isQuantized(y) {
		return fmt.Errorf("a quantized product has a quantized right side, and both or neither of left side and result: %s, %s, %s", x, w, y)
	}
	left, ok := quant.Of(mlir.ElementOf(x))
	if !ok {
		if e := mlir.ElementOf(x); !mlir.SameType(e, right.Expressed) || !mlir.SameType(e, mlir.ElementOf(y)) {
			return fmt.Errorf("a product of %s and %s does not give %s", x, w, y)
		}
		return nil
	}
	result, _ := quant.Of(mlir.ElementOf(y))
	switch {
	case left.Storage != right.Storage:
		return fmt.Errorf("both sides of a product store the same integers, not %s and %s", left.Storage, right.Storage)
	case !mlir.SameType(left.Expressed, right.Expressed) || !mlir.SameType(left.Expressed, result.Expressed):
		return fmt.Errorf("a product has numbers of one type, not %s, %s and %s", left.Expressed, right.Expressed, result.Expressed)
	case right.Axis < 0 && result.Axis >= 0:
		return fmt.Errorf("the result has a scale for each place, and the right side one for all")
	}
	return nil
}

func verifyDot(f facts) error {
	x, w := f.in(0), f.in(1)
	if err := verifyPrecision(f); err != nil {
		return err
	}
	m, n := len(x.Shape), len(w.Shape)
	if m < 1 || m > 2 || n < 1 || n > 2 {
		return fmt.Errorf("multiplies vectors and matrices, not %s and %s", x, w)
	}
	if !same(x.Shape[m-1], w.Shape[0]) {
		return fmt.Errorf("sums over %d and %d places", x.Shape[m-1], w.Shape[0])
	}
	return first(f.shape(append(slices.Clone(x.Shape[:m-1]), w.Shape[1:]...)), verifyQuantizedProduct(x, w, f.out(0)))
}

func verifyDotGeneral(f facts) error {
	x, w, fields := f.in(0), f.in(1), Fields(f.Attrs.Get("dot_dimension_numbers"))
	var algorithm error
	if a, ok := f.Attrs.Get("algorithm").(mlir.OpaqueAttr); ok {
		algorithm = checkAttr(a)
	}
	if err := first(verifyPrecision(f), algorithm); err != nil {
		return err
	}
	shape, err := dotShape(x, w, fields)
	if err != nil {
		return err
	}
	if u, ok := quant.Of(w.Elem); ok {
		for _, z := range u.Zeros {
			if z != 0 {
				return fmt.Errorf("the zero points of the right side must be 0, not %d", z)
			}
		}
		if slices.Contains(fields["rhs_contracting_dimensions"], u.Axis) {
			return fmt.Errorf("dimension %d of the right side is summed over, and cannot have scales", u.Axis)
		}
	}
	return first(f.shape(shape), verifyQuantizedProduct(x, w, f.out(0)))
}

// dotShape is the shape of a general product: batch dimensions, then what is left of each side.
func dotShape(x, w mlir.TensorType, fields map[string][]int) ([]int, error) {
	lb, rb := fields["lhs_batching_dimensions"], fields["rhs_batching_dimensions"]
	lc, rc := fields["lhs_contracting_dimensions"], fields["rhs_contracting_dimensions"]
	if len(lb) != len(rb) || len(lc) != len(rc) {
		return nil, fmt.Errorf("has %d and %d batch dimensions, and sums over %d and %d", len(lb), len(rb), len(lc), len(rc))
	}
	left, right := append(slices.Clone(lb), lc...), append(slices.Clone(rb), rc...)
	if err := first(dimensions("the left side", left, len(x.Shape)), dimensions("the right side", right, len(w.Shape))); err != nil {
		return nil, err
	}
	for i := range left {
		if m, n := x.Shape[left[i]], w.Shape[right[i]]; !same(m, n) {
			return nil, fmt.Errorf("dimension %d of the left side has %d places, and %d of the right side %d", left[i], m, right[i], n)
		}
	}
	var shape []int
	for _, d := range lb {
		shape = append(shape, x.Shape[d])
	}
	for _, side := range []struct {
		shape, used []int
	}{{x.Shape, left}, {w.Shape, right}} {
		for d, n := range side.shape {
			if !slices.Contains(side.used, d) {
				shape = append(shape, n)
			}
		}
	}
	return shape, nil
}

func verifyConvolution(f facts) error {
	pad, err := paddingOf(f, -1)
	if err != nil {
		return err
	}
	shape, c, err := convolved(f, pad)
	if err != nil {
		return err
	}
	if err := f.shape(shape); err != nil {
		return err
	}
	x, w, y := f.in(0), f.in(1), f.out(0)
	if u, ok := quant.Of(w.Elem); ok && u.Axis >= 0 && u.Axis != c.KernelOutput {
		return fmt.Errorf("the kernel is quantized along %d, and not along its output features, %d", u.Axis, c.KernelOutput)
	}
	if u, ok := quant.Of(y.Elem); ok && u.Axis >= 0 && u.Axis != c.OutputFeature {
		return fmt.Errorf("the result is quantized along %d, and not along its features, %d", u.Axis, c.OutputFeature)
	}
	return verifyQuantizedProduct(x, w, y)
}

func verifyDynamicConv(f facts) error {
	rank := len(f.in(0).Shape) - 2
	if p := f.in(2); len(p.Shape) != 2 || p.Shape[0] != rank || p.Shape[1] != 2 {
		return fmt.Errorf("padding is %s, and not two numbers for each of %d dimensions", p, rank)
	}
	values, known := f.constant(2)
	if !known {
		values = make([]int, 2*max(rank, 0))
	}
	shape, c, err := convolved(f, values)
	if err != nil {
		return err
	}
	if !known {
		for _, d := range c.OutputSpatial {
			shape[d] = mlir.Dynamic
		}
	}
	return f.shape(shape)
}

// convolved checks a convolution and returns the shape of its result.
func convolved(f facts, pad []int) (shape []int, c Convolution, err error) {
	x, w := f.in(0), f.in(1)
	rank := len(x.Shape)
	if len(w.Shape) != rank || rank < 2 {
		return nil, c, fmt.Errorf("input and kernel have the same number of dimensions, two at least: %s and %s", x, w)
	}
	if !isQuantized(w) && !sameElements(x, w) {
		return nil, c, fmt.Errorf("multiplies elements of one type, not %s and %s", x, w)
	}
	c, ok := ConvolutionOf(f.Attrs.Get("dimension_numbers"))
	if !ok {
		return nil, c, fmt.Errorf("needs dimension numbers, not %v", f.Attrs.Get("dimension_numbers"))
	}
	if n := len(c.InputSpatial); n != len(c.KernelSpatial) || n != len(c.OutputSpatial) {
		return nil, c, fmt.Errorf("input, kernel and result have %d, %d and %d spatial dimensions", n, len(c.KernelSpatial), len(c.OutputSpatial))
	}
	if err := first(dimensions("the input", append([]int{c.InputBatch, c.InputFeature}, c.InputSpatial...), rank),
		dimensions("the kernel", append([]int{c.KernelInput, c.KernelOutput}, c.KernelSpatial...), rank),
		dimensions("the result", append([]int{c.OutputBatch, c.OutputFeature}, c.OutputSpatial...), rank)); err != nil {
		return nil, c, err
	}
	if len(c.InputSpatial) != rank-2 {
		return nil, c, fmt.Errorf("has numbers for %d dimensions, not %d", len(c.InputSpatial)+2, rank)
	}
	if err := first(verifyPrecision(f), groups(f, c)); err != nil {
		return nil, c, err
	}
	dims, base := make([]int, rank-2), make([]int, rank-2)
	for i := range dims {
		dims[i], base[i] = w.Shape[c.KernelSpatial[i]], x.Shape[c.InputSpatial[i]]
	}
	win, err := windowOf(f, dims, "lhs_dilation", "rhs_dilation", pad)
	if err != nil {
		return nil, c, err
	}
	shape = make([]int, rank)
	for i, n := range win.shape(base) {
		shape[c.OutputSpatial[i]] = n
	}
	shape[c.OutputBatch], shape[c.OutputFeature] = x.Shape[c.InputBatch], w.Shape[c.KernelOutput]
	if shape[c.OutputBatch] != mlir.Dynamic {
		shape[c.OutputBatch] /= max(f.int("batch_group_count"), 1)
	}
	return shape, c, nil
}

// groups checks that features and batches divide into groups.
func groups(f facts, c Convolution) error {
	x, w := f.in(0).Shape, f.in(1).Shape
	features, batches := f.int("feature_group_count"), f.int("batch_group_count")
	if features > 1 && batches > 1 {
		return fmt.Errorf("groups either features or batches, not %d and %d", features, batches)
	}
	divides := func(what string, extent, by int) error {
		if extent != mlir.Dynamic && extent%by != 0 {
			return fmt.Errorf("the %s, %d, are not divided into %d groups", what, extent, by)
		}
		return nil
	}
	in, kernel, out := x[c.InputFeature], w[c.KernelInput], w[c.KernelOutput]
	if err := first(divides("batches", x[c.InputBatch], batches), divides("input features", in, features),
		divides("output features", out, batches), divides("output features", out, features)); err != nil {
		return err
	}
	if in != mlir.Dynamic && !same(in/features, kernel) {
		return fmt.Errorf("%d input features in %d groups do not fit a kernel with %d", in, features, kernel)
	}
	return nil
}

func verifyFFT(f facts) error {
	x, lengths := f.in(0), f.ints("fft_length")
	n, rank := len(lengths), len(x.Shape)
	if n < 1 || n > 3 || n > rank {
		return fmt.Errorf("transforms 1 to 3 of the dimensions of %s, not %d", x, n)
	}
	kind := Enum(f.Attrs.Get("fft_type"))
	c, complex := x.Elem.(mlir.ComplexType)
	elem, shape, tail := x.Elem, slices.Clone(x.Shape), x.Shape[rank-n:]
	if kind == "RFFT" == complex {
		return fmt.Errorf("%s does not transform %s", kind, x)
	}
	given := tail
	switch kind {
	case "RFFT":
		if !mlir.SameType(elem, mlir.F32) && !mlir.SameType(elem, mlir.F64) {
			return fmt.Errorf("RFFT transforms f32 and f64, not %s", elem)
		}
		elem = mlir.ComplexType{Elem: elem}
		if lengths[n-1] != 0 {
			shape[rank-1] = lengths[n-1]/2 + 1
		}
	case "IRFFT":
		elem, given = c.Elem, tail[:n-1]
		if half := lengths[n-1]/2 + 1; !same(tail[n-1], half) && (tail[n-1] != 0 || lengths[n-1] != 0) {
			return fmt.Errorf("IRFFT makes %d numbers of %d, not of %d", lengths[n-1], half, tail[n-1])
		}
		shape[rank-1] = lengths[n-1]
	default:
		given = nil
	}
	for i, m := range given {
		if !same(m, lengths[i]) {
			return fmt.Errorf("transforms %s of the extents %s", extents(lengths), extents(tail))
		}
	}
	return f.gives(mlir.TensorType{Shape: shape, Elem: elem})
}

func verifyTriangularSolve(f facts) error {
	a, b := f.in(0), f.in(1)
	n := len(a.Shape)
	if n < 2 || n != len(b.Shape) || !same(a.Shape[n-1], a.Shape[n-2]) {
		return fmt.Errorf("solves square matrices, not %s with %s", a, b)
	}
	shared := n - 1
	if f.flag("left_side") {
		shared = n - 2
	}
	if !same(a.Shape[n-1], b.Shape[shared]) || !slices.EqualFunc(a.Shape[:n-2], b.Shape[:n-2], same) {
		return fmt.Errorf("%s and %s do not fit each other", a, b)
	}
	if Enum(f.Attrs.Get("transpose_a")) == "TRANSPOSE_INVALID" {
		return fmt.Errorf("must say how the matrix is transposed")
	}
	return f.shape(b.Shape)
}

func verifyCholesky(f facts) error {
	a := f.in(0)
	if n := len(a.Shape); n < 2 || !same(a.Shape[n-1], a.Shape[n-2]) {
		return fmt.Errorf("factors square matrices, not %s", a)
	}
	return f.shape(a.Shape)
}

// verifyBatchNorm checks the operands: of all dimensions the first and, for a gradient, the last.
func verifyBatchNorm(f facts) error {
	x, d := f.in(0), f.int("feature_index")
	if d >= len(x.Shape) {
		return fmt.Errorf("feature %d of %s", d, x)
	}
	types := mlir.TypesOf(f.Operands[1:])
	if f.Name == "stablehlo.batch_norm_grad" {
		last := f.in(4)
		if types = types[:3]; !slices.EqualFunc(x.Shape, last.Shape, same) {
			return fmt.Errorf("%s and %s are not of one shape", x, last)
		}
	}
	extent := x.Shape[d]
	for _, t := range types {
		n := tensorType(t).Shape
		if len(n) != 1 || !same(n[0], extent) {
			return fmt.Errorf("%s does not have the %d features of %s", t, x.Shape[d], x)
		}
		if extent == mlir.Dynamic {
			extent = n[0]
		}
	}
	if f.Name == "stablehlo.batch_norm_inference" {
		return f.gives(x)
	}
	of := mlir.TensorType{Shape: []int{x.Shape[d]}, Elem: x.Elem}
	return f.gives(x, of, of)
}
