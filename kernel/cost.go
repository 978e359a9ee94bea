package kernel

// Cost is the rough cost of an operation, in additions.
func (op Op) Cost() int {
	switch op {
	case Load, Const, Index, Acc, Kept, Input:
		return 0
	case Div, Sqrt, RSqrt, LoadAt:
		return 6
	case Rem, FloorDiv, Mod:
		return 12
	case Pow, Atan2, Hypot:
		return 40
	}
	if op >= Cbrt && op <= Sigmoid {
		return 16
	}
	return 1
}
