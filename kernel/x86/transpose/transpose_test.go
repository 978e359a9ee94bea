package transpose

import (
	"testing"
	"unsafe"

	"github.com/stretchr/testify/require"

	"github.com/go-acap/acap/kernel/cpu"
	"github.com/go-acap/acap/kernel/exec"
	"github.com/go-acap/acap/kernel/x86/asm"
)

// TestEmit runs each square on the processor.
func TestEmit(t *testing.T) {
	if !exec.Supported {
		t.Skip("no generated code")
	}
	for _, c := range []struct{ bytes, size int }{{64, 4}, {32, 4}} {
		if cpu.Detect().Level.VectorBytes() < c.bytes {
			t.Logf("no %d-byte vectors here", c.bytes)
			continue
		}
		n := c.bytes / c.size
		a := asm.New()
		var rows, spare []asm.Reg
		for i := range n {
			rows = append(rows, asm.Vec(c.bytes, i))
			if n+i < 32 && (c.bytes == 64 || n+i < 16) {
				spare = append(spare, asm.Vec(c.bytes, n+i))
			}
			a.Emit(asm.VMOVUPS, rows[i], asm.Ptr(asm.RDI, i*c.bytes))
		}
		for i, r := range Emit(a, rows, spare) {
			a.Emit(asm.VMOVUPS, asm.Ptr(asm.RDI, i*c.bytes), r)
		}
		a.Emit(asm.VZEROUPPER)
		a.Emit(asm.RET)
		code, err := exec.Load(a.Assemble().Bytes)
		require.NoError(t, err)
		data := make([]byte, n*c.bytes)
		for i := range data {
			data[i] = byte(i * 7 / 3)
		}
		got := append([]byte(nil), data...)
		code.Call(unsafe.Pointer(&got[0]))
		require.NoError(t, code.Close())
		for i := range n {
			for j := range n {
				want := data[i*c.bytes+j*c.size:][:c.size]
				require.Equal(t, want, got[j*c.bytes+i*c.size:][:c.size], "%+v [%d,%d]", c, i, j)
			}
		}
	}
}
