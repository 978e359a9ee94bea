package environment

import (
	"math"
	"os"
	"strconv"
	"strings"
)

// Bytes returns the size in bytes that a variable has, or def if it is not set or empty. A
// size is a whole number above 0, which the letter k, M, G or T multiplies by a power of 1024;
// an i or a B may follow the letter. Another text is an [*Error].
func Bytes(variable string, def int64) (int64, error) {
	value := os.Getenv(variable)
	if value == "" {
		return def, nil
	}
	n, ok := ParseBytes(value)
	if !ok {
		return 0, &Error{variable, value, "a size in bytes such as 512M or 8G"}
	}
	return n, nil
}

// ParseBytes reads a size as [Bytes] does.
func ParseBytes(text string) (n int64, ok bool) {
	digits := strings.TrimSuffix(strings.TrimSuffix(text, "B"), "i")
	shift := 0
	if digits != "" {
		if i := strings.IndexByte("kmgt", digits[len(digits)-1]|0x20); i >= 0 {
			shift, digits = 10*(i+1), digits[:len(digits)-1]
		}
	}
	n, err := strconv.ParseInt(digits, 10, 64)
	if err != nil || n <= 0 || n > math.MaxInt64>>shift {
		return 0, false
	}
	return n << shift, true
}
