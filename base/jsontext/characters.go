package jsontext

import (
	"errors"
	"fmt"
	"strconv"
	"unicode/utf8"
)

// Characters is an error where a text in JSON has bytes that are no UTF-8, or half of a surrogate pair in a string:
// package encoding/json reads U+FFFD in their place.
func Characters(data []byte) error {
	for i := 0; i < len(data); {
		r, n := utf8.DecodeRune(data[i:])
		switch {
		case r == utf8.RuneError && n == 1:
			return fmt.Errorf("byte %d: %#02x is no UTF-8", i, data[i])
		case r != '\\':
			i += n
			continue
		}
		high, ok := escaped(data[i:])
		switch {
		case !ok:
			i += 2 // another escape
			continue
		case high < 0xd800 || high > 0xdfff:
			i += 6
			continue
		}
		low, ok := escaped(data[min(i+6, len(data)):])
		if high >= 0xdc00 || !ok || low < 0xdc00 || low > 0xdfff {
			return fmt.Errorf("byte %d: %s is half of a surrogate pair", i, data[i:i+6])
		}
		i += 12
	}
	return nil
}

// escaped is the number of an escape such as \u00e9 that a text begins with.
func escaped(data []byte) (uint64, bool) {
	if len(data) < 6 || data[0] != '\\' || data[1] != 'u' {
		return 0, false
	}
	n, err := strconv.ParseUint(string(data[2:6]), 16, 16)
	return n, !errors.Is(err, strconv.ErrSyntax)
}
