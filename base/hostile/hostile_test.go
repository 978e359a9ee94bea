package hostile_test

import (
	"errors"
	"fmt"
	"os"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/go-acap/acap/base/hostile"
)

// recorder notes failures instead of failing.
type recorder struct {
	testing.TB
	failures []string
}

func (r *recorder) Errorf(format string, args ...any) {
	r.failures = append(r.failures, fmt.Sprintf(format, args...))
}
func (r *recorder) Helper() {}

var kept []byte

// Readers that take too much are noticed.
func TestOpen(t *testing.T) {
	mine := errors.New("mine")
	r := &recorder{TB: t}
	require.Equal(t, mine, hostile.Open(r, "sound", []byte("abc"), func(path string) error {
		data, err := os.ReadFile(path)
		require.NoError(t, err)
		require.Equal(t, "abc", string(data))
		return mine
	}))
	require.Empty(t, r.failures)
	require.NoError(t, hostile.Open(r, "large", nil, func(string) error {
		kept = make([]byte, hostile.Bytes+1)
		return nil
	}))
	kept = nil
	require.Len(t, r.failures, 1)
	require.Contains(t, r.failures[0], "large: ")
	require.NoError(t, hostile.Open(r, "slow", nil, func(string) error {
		for start := time.Now(); time.Since(start) < 1200*time.Millisecond || kept != nil; {
		}
		return nil
	}))
	if len(r.failures) == 2 { // the processor was this test's for long enough
		require.Contains(t, r.failures[1], "slow: ")
	}
}

func TestVariants(t *testing.T) {
	sound := []byte(strings.Repeat("abc 123 ", 100))
	kinds := map[string]int{}
	for what, data := range hostile.Variants(sound, 20) {
		require.NotEqual(t, sound, data, what)
		kinds[strings.Fields(what)[0]+strings.Fields(what)[1]]++
	}
	require.Len(t, kinds, 7)
	require.Equal(t, []byte(strings.Repeat("abc 123 ", 100)), sound, "the file itself stays")
}

func ExampleVariants() {
	for what := range hostile.Variants([]byte("a sound file"), 1) {
		fmt.Println(strings.Fields(what)[0])
	}
	// Output:
	// cut
	// bit
	// number
	// digit
	// piece
	// piece
	// piece
}
