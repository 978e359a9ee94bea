package arith

import "math/bits"

// wrap sign-extends the low w bits; one bit stays 0 or 1.
func wrap(v int64, w int) int64 {
	if w == 1 {
		return v & 1
	}
	return v << (64 - w) >> (64 - w)
}

// unsigned returns the low w bits.
func unsigned(v int64, w int) uint64 { return uint64(v) << (64 - w) >> (64 - w) }

// computeInt computes an operation of w-bit integers. It reports false where the
// result is not defined: division by zero, overflow of a signed division, and
// shifts by w or more.
func computeInt(name string, x []int64, w int) (int64, bool) {
	a, b := x[0], x[1]
	ua, ub := unsigned(a, w), unsigned(b, w)
	if w == 1 { // 1 is -1 as a signed number
		a, b = -(a & 1), -(b & 1)
	}
	least := int64(-1) << (w - 1)
	divides := b != 0 && !(a == least && b == -1)
	var r int64
	switch name {
	case "addi":
		r = a + b
	case "subi":
		r = a - b
	case "muli":
		r = a * b
	case "andi":
		r = a & b
	case "ori":
		r = a | b
	case "xori":
		r = a ^ b
	case "maxsi":
		r = max(a, b)
	case "minsi":
		r = min(a, b)
	case "maxui":
		r = int64(max(ua, ub))
	case "minui":
		r = int64(min(ua, ub))
	case "divsi", "remsi", "floordivsi", "ceildivsi":
		if !divides {
			return 0, false
		}
		r = divideSigned(name, a, b)
	case "divui", "remui", "ceildivui":
		if ub == 0 {
			return 0, false
		}
		r = divideUnsigned(name, ua, ub)
	case "shli", "shrsi", "shrui":
		if ub >= uint64(w) {
			return 0, false
		}
		r = map[string]int64{"shli": a << ub, "shrsi": a >> ub, "shrui": int64(ua >> ub)}[name]
	default:
		return 0, false
	}
	return wrap(r, w), true
}

func divideSigned(name string, a, b int64) int64 {
	q, r := a/b, a%b
	switch {
	case name == "remsi":
		return r
	case name == "floordivsi" && r != 0 && (r < 0) != (b < 0):
		return q - 1
	case name == "ceildivsi" && r != 0 && (r < 0) == (b < 0):
		return q + 1
	}
	return q
}

func divideUnsigned(name string, a, b uint64) int64 {
	q, r := bits.Div64(0, a, b)
	switch {
	case name == "remui":
		return int64(r)
	case name == "ceildivui" && r != 0:
		return int64(q + 1)
	}
	return int64(q)
}
