package dtype

// Promote returns the type that holds the values of both a and b, by PyTorch's rules and, where PyTorch has none, by
// the rules in the package's text. [Compatible] tells of the pairs that no type holds.
func Promote(a, b DType) DType {
	if a == b || b == Invalid {
		return a
	}
	if a == Invalid {
		return b
	}
	if a.Category() != b.Category() {
		return promoteAcross(a, b)
	}
	switch {
	case a.IsFloat8() && b.IsFloat8() && max(a.Format().Bias, b.Format().Bias) > 2*F16.Format().Bias:
		return BF16 // f16 does not hold the powers of f8e8m0fnu
	case a.IsFloat() && a.Size() == b.Size() && a.Size() < 4:
		return map[int]DType{1: F16, 2: F32}[a.Size()] // f16 with bf16, two kinds of float8
	case a.IsFloat() || a.IsSigned() == b.IsSigned():
		return wider(a, b)
	case a.IsSigned():
		a, b = b, a
	}
	if a == U64 {
		return I64
	}
	return wider(signed[2*a.Size()], b)
}

func promoteAcross(a, b DType) DType {
	if a.Category() < b.Category() {
		a, b = b, a
	}
	if a == C64 && b == F64 {
		return C128
	}
	return a
}

// Compatible reports whether there is a type that holds the values of both a and b: no integer type holds the values of
// both u64 and a signed type. [Promote] gives i64 for them, which wraps.
func Compatible(a, b DType) bool {
	return a.Category() != CategoryInt || b.Category() != CategoryInt || a.IsSigned() == b.IsSigned() ||
		a != U64 && b != U64
}

func wider(a, b DType) DType {
	if a > b {
		return a
	}
	return b
}

// DefaultFloat is the type of a floating-point result that no operand fixes.
const DefaultFloat = F32

// Floating returns d if it is floating or complex, and the default type if not:
// the result type of a division or a transcendental function.
func Floating(d DType) DType {
	if d.Category() < CategoryFloat {
		return DefaultFloat
	}
	return d
}
