package cpu

import (
	"os"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/go-acap/acap/base/emulator"
)

func TestLower(t *testing.T) {
	f := Features{Level: AVX512, VNNI: true, BF16: true, Tiles: true}
	require.Equal(t, Features{Level: AVX2}, f.Lower(AVX2))
	require.Equal(t, Features{}, f.Lower(Portable))
	require.Equal(t, f, f.Lower(AVX512))
	require.Equal(t, Portable, Features{}.Lower(AVX512).Level)
	f.AVXVNNI = true
	require.Equal(t, Features{Level: AVX2, VNNI: true, AVXVNNI: true}, f.Lower(AVX2))
	require.Equal(t, Features{}, f.Lower(Portable))
}

func TestAs(t *testing.T) {
	f := Features{Level: AVX512, VNNI: true, BF16: true, Tiles: true, L1D: 48 << 10, L2: 2 << 20, L3: 1 << 25}
	for text, want := range map[string]Features{
		"avx512":                f,
		"avx2":                  f.Lower(AVX2),
		"-amx,-bf16":            {Level: AVX512, VNNI: true, L1D: f.L1D, L2: f.L2, L3: f.L3},
		"-vnni,l1d=32K,l3=4M":   {Level: AVX512, BF16: true, Tiles: true, L1D: 32 << 10, L2: f.L2, L3: 4 << 20},
		"avx2,l2=256k,cores=64": {Level: AVX2, L1D: f.L1D, L2: 256 << 10, L3: f.L3, Cores: 64},
	} {
		got, err := f.As(text)
		require.NoError(t, err, text)
		require.Equal(t, want, got, text)
		require.True(t, f.Executes(got))
	}
	for _, text := range []string{"", "sse9", "avx2,avx512", "l2", "l2=", "l2=-1", "l2=1", "l2=2G", "cores=0",
		"cores=2000", "cores=x", "+amx", "amx", "avx2,,", "avx2 ", "l4=1M"} {
		_, err := f.As(text)
		require.Error(t, err, text)
	}
}

func TestExecutes(t *testing.T) {
	amx := Features{Level: AVX512, VNNI: true, BF16: true, Tiles: true}
	require.True(t, amx.Executes(amx))
	for _, less := range []string{"avx2", "portable", "-amx", "-vnni", "-bf16"} {
		f, err := amx.As(less)
		require.NoError(t, err)
		require.True(t, amx.Executes(f), less)
		require.False(t, f.Executes(amx), less)
	}
	short := Features{Level: AVX2, VNNI: true, AVXVNNI: true}
	require.False(t, amx.Executes(short), "AVX512_VNNI alone")
	amx.AVXVNNI = true
	require.True(t, amx.Executes(short))
	require.False(t, Features{Level: AVX2}.Executes(short))
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
	for set, want := range map[string]string{
		"ACAP_KERNELS=portable": "portable", "ACAP_KERNELS=sse9": "rejected",
		"ACAP_PROCESSOR=portable,cores=3": "portable", "ACAP_PROCESSOR=portable,l4=1M": "rejected",
	} {
		cmd := emulator.Again("-test.run=^TestEnvironment$")
		cmd.Env = append(os.Environ(), "ACAP_KERNELS=", "ACAP_PROCESSOR=", set, "WANT_LEVEL="+want)
		out, err := cmd.CombinedOutput()
		require.NoError(t, err, "%s", out)
	}
}
