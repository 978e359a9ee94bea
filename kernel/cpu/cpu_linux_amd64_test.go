package cpu

import (
	"encoding/binary"
	"os"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// TestAgainstSystem compares with what Linux says about the processor.
func TestAgainstSystem(t *testing.T) {
	text, err := os.ReadFile("/proc/cpuinfo")
	if err != nil {
		t.Skip("needs /proc/cpuinfo")
	}
	lines, flags := map[string]string{}, map[string]bool{} // of the last processor
	for _, line := range strings.Split(string(text), "\n") {
		if name, words, ok := strings.Cut(line, ":"); ok {
			lines[strings.TrimSpace(name)] = strings.TrimSpace(words)
		}
	}
	if lines["model name"] != brand() {
		t.Skipf("an emulator has this process on a %q", brand())
	}
	for _, w := range strings.Fields(lines["flags"]) {
		flags[w] = true
	}
	f := detect()
	all := func(names ...string) bool {
		for _, n := range names {
			if !flags[n] {
				return false
			}
		}
		return true
	}
	avx2 := all("avx2", "fma", "f16c", "bmi1", "bmi2")
	avx512 := avx2 && all("avx512f", "avx512bw", "avx512dq", "avx512vl", "avx512cd")
	require.Equal(t, avx2, f.Level >= AVX2)
	require.Equal(t, avx512, f.Level >= AVX512)
	require.Equal(t, avx2 && flags["avx_vnni"], f.AVXVNNI)
	require.Equal(t, avx512 && flags["avx512_vnni"] || avx2 && !avx512 && flags["avx_vnni"], f.VNNI)
	require.Equal(t, avx512 && flags["avx512_bf16"], f.BF16)
	require.True(t, !f.Tiles || avx512 && all("amx_tile", "amx_bf16", "amx_int8"))
	require.GreaterOrEqual(t, f.L1D, 16<<10)
	require.GreaterOrEqual(t, f.L2, f.L1D)
	t.Logf("%+v", f)
}

// brand returns the name that the processor gives itself.
func brand() string {
	var name []byte
	for leaf := range uint32(3) {
		a, b, c, d := cpuid(0x80000002+leaf, 0)
		for _, word := range []uint32{a, b, c, d} {
			name = binary.LittleEndian.AppendUint32(name, word)
		}
	}
	return strings.TrimSpace(strings.TrimRight(string(name), "\x00"))
}
