package mlir

// Strides returns how many elements apart neighbours along each dimension of the memory
// are, and where the first element is. A stride that the program computes is [DynamicStride]. It reports false for a
// layout that has no strides.
func (t MemRefType) Strides() (offset int, strides []int, ok bool) {
	switch a := t.Layout.(type) {
	case nil:
		return 0, rowMajor(t.Shape), true
	case StridedAttr:
		return a.Offset, a.Strides, len(a.Strides) == len(t.Shape)
	case AffineMapAttr:
		m := a.Map
		if m.Dims != len(t.Shape) {
			return 0, nil, false
		}
		if m.isIdentity(len(t.Shape)) {
			return 0, rowMajor(t.Shape), true
		}
		if len(m.Results) == 1 {
			return m.Results[0].strides(m.Dims)
		}
	}
	return 0, nil, false
}

// rowMajor are the strides of elements that lie densely, the last dimension first.
func rowMajor(shape []int) []int {
	strides := make([]int, len(shape))
	step := 1
	for i := len(shape) - 1; i >= 0; i-- {
		strides[i] = step
		if n := shape[i]; n == Dynamic {
			step = DynamicStride
		} else {
			step = timesStride(step, n)
		}
	}
	return strides
}

func plusStride(a, b int) int {
	if a == DynamicStride || b == DynamicStride {
		return DynamicStride
	}
	return a + b
}

// strides splits e into a number for each of n dims and the rest.
func (e *AffineExpr) strides(n int) (offset int, strides []int, ok bool) {
	strides = make([]int, n)
	switch e.Kind {
	case AffineDim:
		strides[e.Value] = 1
		return 0, strides, true
	case AffineSymbol:
		return DynamicStride, strides, true
	case AffineConstant:
		return e.Value, strides, true
	case AffineAdd, AffineMul:
	default:
		return 0, nil, false
	}
	a, left, ok := e.LHS.strides(n)
	b, right, both := e.RHS.strides(n)
	if !ok || !both {
		return 0, nil, false
	}
	if e.Kind == AffineAdd {
		for i := range strides {
			strides[i] = plusStride(left[i], right[i])
		}
		return plusStride(a, b), strides, true
	}
	if !zeros(right) {
		a, left, b, right = b, right, a, left
	}
	for i := range strides {
		strides[i] = timesStride(left[i], b)
	}
	return timesStride(a, b), strides, zeros(right)
}

// timesStride multiplies two numbers; the product is dynamic if one of them is.
func timesStride(a, b int) int {
	switch {
	case a == 0 || b == 0:
		return 0
	case a == DynamicStride || b == DynamicStride:
		return DynamicStride
	}
	return a * b
}

func zeros(list []int) bool {
	for _, n := range list {
		if n != 0 {
			return false
		}
	}
	return true
}
