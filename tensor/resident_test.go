package tensor_test

import (
	"os"
	"path/filepath"
	"runtime"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/go-acap/acap/base/buf"
	"github.com/go-acap/acap/base/dtype"
	"github.com/go-acap/acap/base/mapped"
	"github.com/go-acap/acap/device"
	"github.com/go-acap/acap/device/acap"
	"github.com/go-acap/acap/device/acap/machine"
	"github.com/go-acap/acap/lazy"
	"github.com/go-acap/acap/tensor"
)

// liveBytes waits until the tensors of a device hold as many bytes as wanted.
func liveBytes(t *testing.T, dev device.Device, want int64) {
	t.Helper()
	got := func() int64 {
		runtime.GC()
		return lazy.For(dev).Metrics().Gauges["LiveBytes"]
	}
	for end := time.Now().Add(time.Minute); got() != want && time.Now().Before(end); {
		time.Sleep(time.Millisecond)
	}
	require.Equal(t, want, got())
}

func fresh(t *testing.T) device.Device {
	m, err := machine.Preset("npu1")
	require.NoError(t, err)
	return acap.New(m)
}

// The memory of a mapped file is no memory of Go's: its tensors go to a device as others do,
// and are counted as long as one of them lives.
func TestMappedMemoryOnDevice(t *testing.T) {
	const bytes = 16 << 10
	path := filepath.Join(t.TempDir(), "zeros")
	require.NoError(t, os.WriteFile(path, make([]byte, bytes), 0o666))
	f, err := os.Open(path)
	require.NoError(t, err)
	defer f.Close()
	data, err := mapped.File(f, bytes)
	require.NoError(t, err)
	b, err := buf.Wrap(dtype.F32, []int{64, 64}, data)
	require.NoError(t, err)

	dev := fresh(t)
	x := tensor.FromBuffer(b).To(dev)
	require.Equal(t, 4096.0, x.AddScalar(1).Sum().Item())
	liveBytes(t, dev, bytes)
	runtime.KeepAlive(x)
	liveBytes(t, dev, 0)
	require.NoError(t, mapped.Unmap(data))
}

// Memory lives as long as any buffer of it.
func TestReshapedMemoryOnDevice(t *testing.T) {
	dev := fresh(t)
	b := buf.New(dtype.F32, []int{32, 32})
	tensor.FromBuffer(b).To(dev)
	flat := b.Reshape([]int{1024})
	b = nil
	liveBytes(t, dev, 4096)
	runtime.KeepAlive(flat)
	flat = nil
	liveBytes(t, dev, 0)
}
