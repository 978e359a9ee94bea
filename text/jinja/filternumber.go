package jinja

import (
	"math"
	"strconv"
	"strings"
)

// parseInteger reads a text as Python's int does.
func parseInteger(s string, base int) (int64, bool) {
	s = strings.TrimFunc(s, isSpace)
	digits := strings.TrimLeft(s, "+-")
	if base == 10 { // takes zeros in front
		if digits = strings.TrimLeft(digits, "0"); digits == "" && strings.HasSuffix(s, "0") {
			digits = "0"
		}
	}
	if len(s)-len(strings.TrimLeft(s, "+-")) > 1 || strings.HasPrefix(digits, "_") || strings.HasSuffix(digits, "_") || strings.Contains(digits, "__") {
		return 0, false
	}
	for prefix, b := range map[string]int{"0x": 16, "0o": 8, "0b": 2} {
		if base == b && strings.HasPrefix(strings.ToLower(digits), prefix) {
			digits = strings.TrimPrefix(digits[2:], "_")
		}
	}
	if strings.HasPrefix(s, "-") {
		digits = "-" + digits
	}
	if base != 0 {
		digits = strings.ReplaceAll(digits, "_", "")
	}
	i, err := strconv.ParseInt(digits, base, 64)
	return i, err == nil
}

// parseFloat reads a text as Python's float does.
func parseFloat(s string) (float64, bool) {
	s = strings.TrimFunc(s, isSpace)
	if strings.ContainsAny(s, "xXpP") || strings.HasPrefix(s, "_") || strings.HasSuffix(s, "_") || strings.Contains(s, "__") {
		return 0, false
	}
	f, err := strconv.ParseFloat(strings.ReplaceAll(s, "_", ""), 64)
	return f, err == nil || math.IsInf(f, 0)
}

func intFilter(r *run, a []any, _ *given) any {
	if u, ok := a[0].(undefined); ok {
		r.fail("%s", u.why)
	}
	if i, ok := integer(a[0]); ok {
		return i
	}
	f, ok := a[0].(float64)
	if s, isText := stringOf(a[0]); isText {
		if i, ok := parseInteger(s, r.wantInteger("int", a[2])); ok {
			return i
		}
		f, ok = parseFloat(s)
	}
	if !ok || math.IsInf(f, 0) || math.IsNaN(f) {
		return a[1]
	}
	if f = math.Trunc(f); math.Abs(f) >= 1<<63 {
		r.fail("the integer is beyond 64 bits")
	}
	return int64(f)
}

func floatFilter(r *run, a []any, _ *given) any {
	if u, ok := a[0].(undefined); ok {
		r.fail("%s", u.why)
	}
	f, ok := number(a[0])
	if s, isText := stringOf(a[0]); isText {
		f, ok = parseFloat(s)
	}
	if ok {
		return f
	}
	if a[1] == nil {
		return 0.0
	}
	return a[1]
}

// roundFilter rounds halves to even, of the number's exact decimal digits.
func roundFilter(r *run, a []any, _ *given) any {
	precision, method := r.wantInteger("round", a[1]), "common"
	if a[2] != nil {
		method = r.wantString("round", a[2])
	}
	v := r.wantNumber("round", a[0])
	if precision < -300 || precision > 300 {
		r.fail("round: the precision is beyond 300 digits")
	}
	scale := math.Pow(10, float64(precision))
	switch method {
	case "common":
		if i, ok := integer(a[0]); ok {
			if precision >= 0 {
				return i
			}
			r.fail("round: integers are not rounded to tens")
		}
		if precision < 0 {
			return math.RoundToEven(v*math.Pow(10, float64(precision))) * math.Pow(10, float64(-precision))
		}
		f, _ := strconv.ParseFloat(strconv.FormatFloat(v, 'f', precision, 64), 64)
		return f
	case "ceil":
		return math.Ceil(v*scale) / scale
	case "floor":
		return math.Floor(v*scale) / scale
	}
	r.fail("round: the method %s is not common, ceil or floor", method)
	return nil
}
