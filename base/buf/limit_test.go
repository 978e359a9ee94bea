package buf_test

import (
	"math"
	"os"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/go-acap/acap/base/buf"
	"github.com/go-acap/acap/base/dtype"
	"github.com/go-acap/acap/base/emulator"
)

func TestCheckBytes(t *testing.T) {
	before := buf.SetLimit(1000)
	defer buf.SetLimit(before)
	require.NoError(t, buf.CheckBytes(1000, "a tensor"))
	err := buf.CheckBytes(1001, "a tensor")
	require.EqualError(t, err, "a tensor needs 1001 B of memory; the limit is 1000 B (ACAP_MEMORY sets it)")
	require.ErrorContains(t, buf.CheckBytes(-1, "a tensor"), "more than 2^63 bytes")
	var memory *buf.MemoryError
	require.ErrorAs(t, err, &memory)
	require.Equal(t, buf.MemoryError{What: "a tensor", Bytes: 1001, Limit: 1000}, *memory)
}

func TestNewAsksTheLimit(t *testing.T) {
	before := buf.SetLimit(1 << 10)
	defer buf.SetLimit(before)
	require.NotPanics(t, func() { buf.New(dtype.F32, []int{256}) })
	require.PanicsWithError(t, "tensor f32[257] needs 1 KiB of memory; the limit is 1 KiB (ACAP_MEMORY sets it)",
		func() { buf.New(dtype.F32, []int{257}) })
	require.Panics(t, func() { buf.Aligned(1025) })
	_, err := buf.NewChecked(dtype.F64, []int{129})
	require.ErrorContains(t, err, "tensor f64[129] needs")
	_, err = buf.NewChecked(dtype.F64, []int{1 << 40, 1 << 40})
	require.ErrorContains(t, err, "too large")
	b, err := buf.NewChecked(dtype.F64, []int{128})
	require.NoError(t, err)
	require.Equal(t, 128, b.Len())
}

func TestSums(t *testing.T) {
	require.EqualValues(t, 6, buf.AddBytes(1, 2, 3))
	require.EqualValues(t, 5, buf.AddBytes(0, 5, 0))
	require.EqualValues(t, math.MaxInt64, buf.AddBytes(1, math.MaxInt64-1))
	require.EqualValues(t, -1, buf.AddBytes(1, math.MaxInt64))
	require.EqualValues(t, -1, buf.AddBytes(1, -1, 3))
	require.EqualValues(t, 24, buf.MulBytes(2, 3, 4))
	require.EqualValues(t, -1, buf.MulBytes(1<<40, 1<<40))
	require.EqualValues(t, 0, buf.MulBytes(1<<40, 1<<40, 0))
	require.EqualValues(t, -1, buf.MulBytes(0, -1))
}

func TestSize(t *testing.T) {
	for n, want := range map[int64]string{0: "0 B", 1023: "1023 B", 1024: "1 KiB", 1536: "1.5 KiB",
		1 << 20: "1 MiB", 1<<20 - 1: "1 MiB", 40e9: "37.3 GiB", 1 << 62: "4 EiB"} {
		require.Equal(t, want, buf.Size(n))
	}
}

// TestLimitOfTheEnvironment runs itself in processes with other environments.
func TestLimitOfTheEnvironment(t *testing.T) {
	if os.Getenv("ACAP_TEST_PRINT_LIMIT") != "" {
		os.Stdout.WriteString(buf.Size(buf.Limit()) + "\n")
		if err := buf.CheckEnvironment(); err != nil {
			os.Stdout.WriteString(err.Error() + "\n")
		}
		return
	}
	run := func(env ...string) string {
		c := emulator.Again("-test.run", "^TestLimitOfTheEnvironment$")
		c.Env = append(append(os.Environ(), "ACAP_TEST_PRINT_LIMIT=1"), env...)
		out, err := c.Output()
		require.NoError(t, err)
		return string(out)
	}
	require.Contains(t, run("ACAP_MEMORY=3G"), "3 GiB\n")
	require.Contains(t, run("ACAP_MEMORY=", "GOMEMLIMIT=64MiB"), "48 MiB\n") // less than any machine has
	require.Contains(t, run("ACAP_MEMORY=lots", "GOMEMLIMIT=64MiB"),
		"48 MiB\nACAP_MEMORY=\"lots\": want a size in bytes such as 512M or 8G\n")
}
