package cpu

import (
	"os"
	"os/exec"
	"runtime"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// TestAgainstSystem compares with what Linux says about the processor.
func TestAgainstSystem(t *testing.T) {
	text, err := os.ReadFile("/proc/cpuinfo")
	if err != nil || runtime.GOARCH != "amd64" {
		t.Skip("needs /proc/cpuinfo of an amd64 machine")
	}
	flags := map[string]bool{}
	for _, line := range strings.Split(string(text), "\n") {
		if name, words, ok := strings.Cut(line, ":"); ok && strings.TrimSpace(name) == "flags" {
			for _, w := range strings.Fields(words) {
				flags[w] = true
			}
			break
		}
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
	require.Equal(t, avx512 && flags["avx512_vnni"], f.VNNI)
	require.Equal(t, avx512 && flags["avx512_bf16"], f.BF16)
	require.True(t, !f.Tiles || avx512 && all("amx_tile", "amx_bf16", "amx_int8"))
	require.GreaterOrEqual(t, f.L1D, 16<<10)
	require.GreaterOrEqual(t, f.L2, f.L1D)
	t.Logf("%+v", f)
}

func TestLower(t *testing.T) {
	f := Features{Level: AVX512, VNNI: true, BF16: true, Tiles: true}
	require.Equal(t, Features{Level: AVX2}, f.Lower(AVX2))
	require.Equal(t, Features{}, f.Lower(Portable))
	require.Equal(t, f, f.Lower(AVX512))
	require.Equal(t, Portable, Features{}.Lower(AVX512).Level)
}

// TestEnvironment runs itself with ACAP_KERNELS set, because Detect reads it once.
func TestEnvironment(t *testing.T) {
	if want := os.Getenv("WANT_LEVEL"); want != "" {
		f := Detect()
		require.Equal(t, want == "rejected", f.Rejected != nil)
		if want != "rejected" {
			require.Equal(t, want, f.Level.String())
		}
		return
	}
	for name, want := range map[string]string{"portable": "portable", "sse9": "rejected"} {
		cmd := exec.Command(os.Args[0], "-test.run=^TestEnvironment$")
		cmd.Env = append(os.Environ(), "ACAP_KERNELS="+name, "WANT_LEVEL="+want)
		out, err := cmd.CombinedOutput()
		require.NoError(t, err, "%s", out)
	}
}
