package buf

import (
	"fmt"
	"math"
	"runtime/debug"
	"sync"
	"sync/atomic"

	"github.com/go-acap/acap/base/environment"
)

// LimitVariable is the environment variable that bounds memory; see [Limit].
const LimitVariable = "ACAP_MEMORY"

// MemoryError says that something needs more memory than the limit allows. It comes
// before the memory is asked for.
type MemoryError struct {
	What  string // what needs the memory
	Bytes int64  // how much; math.MaxInt64 for more than can be counted
	Limit int64  // see [Limit]
}

func (e *MemoryError) Error() string {
	need := "more than 2^63 bytes"
	if e.Bytes < math.MaxInt64 {
		need = Size(e.Bytes)
	}
	return fmt.Sprintf("%s needs %s of memory; the limit is %s (%s sets it)",
		e.What, need, Size(e.Limit), LimitVariable)
}

// limit is the limit in bytes, 0 before it is known.
var limit atomic.Int64

// environmentLimit reads the limit once.
var environmentLimit = sync.OnceValues(func() (int64, error) {
	return environment.Bytes(LimitVariable, defaultLimit())
})

// Limit returns how many bytes of memory one thing, such as a tensor or the run of a
// program, may need: what [SetLimit] said, else what the environment variable ACAP_MEMORY
// says ("8G"), else three quarters of the memory that this process may use.
func Limit() int64 {
	if n := limit.Load(); n != 0 {
		return n
	}
	return findLimit()
}

// findLimit is Limit the first time.
func findLimit() int64 {
	n, err := environmentLimit()
	if err != nil {
		n = defaultLimit()
	}
	limit.CompareAndSwap(0, n)
	return limit.Load()
}

func defaultLimit() int64 { return int64(float64(available()) * 0.75) }

// CheckEnvironment returns an error if the environment variable of the limit is malformed.
func CheckEnvironment() error {
	_, err := environmentLimit()
	return err
}

// SetLimit sets the limit in bytes and returns the one before. Zero stands for the limit of
// the environment.
func SetLimit(bytes int64) (before int64) {
	before = Limit()
	limit.Store(max(0, bytes))
	return before
}

// CheckBytes returns a [*MemoryError] if something needs more memory than [Limit]. A negative
// number stands for one that is too large to count.
func CheckBytes(bytes int64, what string) error {
	if most := Limit(); bytes < 0 || bytes > most {
		if bytes < 0 {
			bytes = math.MaxInt64
		}
		return &MemoryError{What: what, Bytes: bytes, Limit: most}
	}
	return nil
}

// AddBytes returns the sum of sizes, or -1, which [CheckBytes] refuses, if one of them is
// negative or the sum is too large to count.
func AddBytes(sizes ...int64) int64 {
	var sum int64
	for _, n := range sizes {
		if n < 0 || sum > math.MaxInt64-n {
			return -1
		}
		sum += n
	}
	return sum
}

// MulBytes returns the product of numbers, or -1, as [AddBytes] does.
func MulBytes(factors ...int64) int64 {
	product, zero := int64(1), false
	for _, n := range factors {
		switch {
		case n < 0:
			return -1
		case n == 0:
			zero = true
		case product < 0 || product > math.MaxInt64/n:
			product = -1
		default:
			product *= n
		}
	}
	if zero {
		return 0
	}
	return product
}

// Size prints a number of bytes with three digits and a unit of 1024: "37.3 GiB".
func Size(bytes int64) string {
	if bytes < 1<<10 {
		return fmt.Sprintf("%d B", bytes)
	}
	n, unit := float64(bytes)/(1<<10), 0
	for n >= 999.5 && unit < 5 {
		n /= 1 << 10
		unit++
	}
	return fmt.Sprintf("%.3g %ciB", n, "KMGTPE"[unit])
}

// available returns the bytes that this process may use: the least of the machine's memory,
// the limits that the system sets for the process, and the limit of the Go run time.
func available() int64 {
	least := debug.SetMemoryLimit(-1)
	for _, n := range systemLimits() {
		if n > 0 && n < least {
			least = n
		}
	}
	if least == math.MaxInt64 { // nothing is known
		return 8 << 30
	}
	return least
}
