package peakmemory

import (
	"runtime"
	"testing"

	"github.com/stretchr/testify/require"
)

// TestRead reads the file as proc_pid_status(5) shows it.
func TestRead(t *testing.T) {
	n, err := read("VmPeak:\t   13004 kB\nVmHWM:\t     2568 kB\nVmRSS:\t 2560 kB\n", "VmHWM")
	require.NoError(t, err)
	require.EqualValues(t, 2568*1024, n)
	_, err = read("VmRSS:\t 2560 kB\n", "VmHWM")
	require.ErrorContains(t, err, "VmHWM")
	_, err = read("VmHWM:\t many kB\n", "VmHWM")
	require.Error(t, err)
}

// TestBytes: the peak is at least the memory that was written.
func TestBytes(t *testing.T) {
	data := make([]byte, 48<<20)
	for i := 0; i < len(data); i += 1024 {
		data[i] = 1
	}
	n, err := Bytes()
	require.NoError(t, err)
	if runtime.GOOS == "linux" {
		require.GreaterOrEqual(t, n, int64(len(data)))
	}
	runtime.KeepAlive(data)
}
