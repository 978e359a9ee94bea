package dtype

// Promote returns the type that holds values of both a and b, by PyTorch's rules.
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
	case a.IsFloat() && a.Size() == 2 && b.Size() == 2:
		return F32 // f16 with bf16
	case a == U8:
		return wider(I16, b)
	case b == U8:
		return wider(I16, a)
	}
	return wider(a, b)
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
