package grammar

import (
	"encoding/json"
	"fmt"
	"math/big"
	"strings"
)

// bound is an end of a range of numbers. A nil number is no end.
type bound struct {
	*big.Rat
	open bool // the end is outside
}

// number is a number between bounds, without an exponent if there are any.
func (s *schema) number(f map[string]json.RawMessage, whole bool, path string) ([]element, error) {
	low, err := nearer(f, "minimum", "exclusiveMinimum", 1, path)
	if err != nil {
		return nil, err
	}
	high, err := nearer(f, "maximum", "exclusiveMaximum", -1, path)
	if err != nil {
		return nil, err
	}
	switch {
	case low.Rat == nil && high.Rat == nil && whole:
		return []element{s.named("integer")}, nil
	case low.Rat == nil && high.Rat == nil:
		return []element{s.named("number")}, nil
	}
	zero := new(big.Rat)
	var all [][]element
	if low.Rat == nil || low.Sign() < 0 {
		from, to := bound{zero, true}, bound{}
		if high.Rat != nil && high.Sign() <= 0 {
			from = bound{new(big.Rat).Neg(high.Rat), high.open}
		}
		if from.Sign() == 0 {
			from.open = true // zero has no sign
		}
		if low.Rat != nil {
			to = bound{new(big.Rat).Neg(low.Rat), low.open}
		}
		for _, seq := range s.positive(from, to, whole) {
			all = append(all, join(text("-"), seq))
		}
	}
	if high.Rat == nil || high.Sign() >= 0 {
		from := low
		if low.Rat == nil || low.Sign() < 0 {
			from = bound{zero, false}
		}
		all = append(all, s.positive(from, high, whole)...)
	}
	if len(all) == 0 {
		return nil, fmt.Errorf("%s: no number of up to %d digits is within the bounds", path, mostDigits)
	}
	return []element{s.g.add(all...)}, nil
}

// nearer is the narrower one of two bounds. sign is 1 for lower bounds and -1 for upper bounds.
func nearer(f map[string]json.RawMessage, closed, open string, sign int, path string) (b bound, err error) {
	for _, name := range []string{closed, open} {
		if f[name] == nil {
			continue
		}
		var n json.Number
		if f[name][0] == '"' || json.Unmarshal(f[name], &n) != nil {
			return b, fmt.Errorf("%s: %s is %s, want a number", path, name, f[name])
		}
		r, ok := new(big.Rat).SetString(n.String())
		if places, exact := 0, false; ok {
			places, exact = r.FloatPrec()
			ok = exact && places <= mostDecimals && len(n.String()) <= 2*mostDecimals
		}
		if !ok {
			return b, fmt.Errorf("%s: %s is %s, want a number of up to %d decimals", path, name, f[name], mostDecimals)
		}
		if b.Rat == nil || sign*r.Cmp(b.Rat) >= 0 {
			b = bound{r, name == open}
		}
	}
	return b, nil
}

// positive matches the numbers without a sign from one bound to another one.
func (s *schema) positive(low, high bound, whole bool) (all [][]element) {
	most := new(big.Int).Sub(new(big.Int).Exp(big.NewInt(10), big.NewInt(mostDigits), nil), big.NewInt(1))
	if high.Rat == nil || high.Cmp(new(big.Rat).SetInt(most)) > 0 {
		high = bound{new(big.Rat).SetInt(new(big.Int).Add(most, big.NewInt(1))), true}
	}
	if order := low.Cmp(high.Rat); order > 0 || order == 0 && (low.open || high.open) {
		return nil
	}
	first, lowDecimals := split(low.Rat)
	last, highDecimals := split(high.Rat)
	between := func(from, to *big.Int, behind []element) {
		for _, seq := range digitsBetween(from, to) {
			all = append(all, join(seq, behind))
		}
	}
	one := big.NewInt(1)
	if whole {
		if lowDecimals != "" || low.open {
			first.Add(first, one)
		}
		if highDecimals == "" && high.open {
			last.Sub(last, one)
		}
		between(first, last, nil)
		return all
	}
	lower, upper := &end{lowDecimals, low.open}, &end{highDecimals, high.open}
	if first.Cmp(last) == 0 {
		s.decimals(lower, upper, func(part []element) { between(first, first, part) })
		return all
	}
	s.decimals(lower, nil, func(part []element) { between(first, first, part) })
	between(new(big.Int).Add(first, one), new(big.Int).Sub(last, one), []element{s.fraction()})
	s.decimals(nil, upper, func(part []element) { between(last, last, part) })
	return all
}

// split is the whole part of a number, and the digits behind its point.
func split(r *big.Rat) (*big.Int, string) {
	places, _ := r.FloatPrec()
	whole, decimals, _ := strings.Cut(r.FloatString(places), ".")
	n, _ := new(big.Int).SetString(whole, 10)
	return n, decimals
}

// digitsBetween matches the whole numbers from one number to another one.
func digitsBetween(from, to *big.Int) (all [][]element) {
	ten := big.NewInt(10)
	for low := new(big.Int).Set(from); low.Cmp(to) <= 0; {
		next := new(big.Int).Exp(ten, big.NewInt(int64(len(low.String()))), nil) // has one digit more
		high := new(big.Int).Sub(next, big.NewInt(1))
		if high.Cmp(to) > 0 {
			high = to
		}
		all = append(all, equallyLong(low.String(), high.String())...)
		low = next
	}
	return all
}

// equallyLong matches the numbers from one to another one that has as many digits.
func equallyLong(from, to string) [][]element {
	if from == "" {
		return [][]element{nil}
	}
	var all [][]element
	add := func(lo, hi byte, rests [][]element) {
		for _, rest := range rests {
			all = append(all, join([]element{{spans: []span{{rune(lo), rune(hi)}}, rule: aClass}}, rest))
		}
	}
	n := len(from) - 1
	zeros, nines := strings.Repeat("0", n), strings.Repeat("9", n)
	lo, hi := from[0], to[0]
	if lo == hi {
		add(lo, hi, equallyLong(from[1:], to[1:]))
		return all
	}
	if from[1:] != zeros {
		add(lo, lo, equallyLong(from[1:], nines))
		lo++
	}
	if to[1:] != nines {
		add(hi, hi, equallyLong(zeros, to[1:]))
		hi--
	}
	if lo <= hi {
		free := []element{}
		for range n {
			free = append(free, digit)
		}
		add(lo, hi, [][]element{free})
	}
	return all
}

// end is a bound of the digits behind a point.
type end struct {
	digits string
	open   bool
}

// fraction is a point with digits behind the point, or nothing.
func (s *schema) fraction() element {
	return s.g.add(join(text("."), s.g.repeat([]element{digit}, 1, mostDecimals)), nil)
}

// decimals gives the fractions from one end to another one, a missing one among them. nil is no end.
func (s *schema) decimals(low, high *end, f func(part []element)) {
	zero := (low == nil || low.digits == "" && !low.open) && (high == nil || high.digits != "" || !high.open)
	var some [][]element
	for _, seq := range s.decimal(low, high, 1, mostDecimals) {
		some = append(some, join(text("."), seq))
	}
	if zero {
		some = append(some, nil)
	}
	if len(some) > 0 {
		f([]element{s.g.add(some...)})
	}
}

// decimal is least to most digits from one end to another one.
func (s *schema) decimal(low, high *end, least, most int) (all [][]element) {
	if low != nil && low.digits == "" && !low.open {
		low = nil
	}
	switch {
	case high != nil && high.digits == "" && (high.open || low != nil):
		return nil // less than zero, or more than zero and not
	case low == nil && high == nil:
		return [][]element{s.g.repeat([]element{digit}, least, most)}
	case low == nil && high.digits == "":
		return [][]element{s.g.repeat(text("0"), least, most)}
	}
	next := func(e *end, nothing byte) (byte, *end) {
		switch {
		case e == nil:
			return nothing, nil
		case e.digits == "":
			return '0', e
		}
		return e.digits[0], &end{e.digits[1:], e.open}
	}
	lo, below := next(low, '0')
	hi, above := next(high, '9')
	add := func(lo, hi byte, low, high *end) {
		if lo > hi || most == 0 {
			return
		}
		for _, rest := range s.decimal(low, high, 0, most-1) {
			all = append(all, join([]element{{spans: []span{{rune(lo), rune(hi)}}, rule: aClass}}, rest))
		}
	}
	if low == nil && least == 0 {
		all = append(all, nil)
	}
	switch {
	case lo == hi:
		add(lo, hi, below, above)
	case lo < hi:
		add(lo, lo, below, nil)
		add(lo+1, hi-1, nil, nil)
		add(hi, hi, nil, above)
	}
	return all
}
