//go:build linux || darwin || freebsd || windows

package exec

import (
	"bytes"
	"runtime"
	"runtime/pprof"
	"sync"
	"testing"
	"time"
	"unsafe"

	"github.com/stretchr/testify/require"

	"github.com/go-acap/acap/kernel/cpu"
	"github.com/go-acap/acap/kernel/x86/asm"
)

type sumArgs struct {
	x   unsafe.Pointer
	n   int
	out int
}

// sum assembles out = Σ x[i] of 8-byte integers, and on the way overwrites every register that a
// caller might care about.
func sum(t testing.TB) *Code {
	a := asm.New()
	a.Emit(asm.MOV, asm.RSI, asm.Ptr(asm.RDI, 0))
	a.Emit(asm.MOV, asm.RCX, asm.Ptr(asm.RDI, 8))
	a.Emit(asm.XOR, asm.RAX.Dword(), asm.RAX.Dword())
	loop, done := a.Label(), a.Label()
	a.Bind(loop)
	a.Emit(asm.TEST, asm.RCX, asm.RCX)
	a.Emit(asm.JE, done)
	a.Emit(asm.ADD, asm.RAX, asm.Ptr(asm.RSI, 0))
	a.Emit(asm.ADD, asm.RSI, asm.Imm(8))
	a.Emit(asm.DEC, asm.RCX)
	a.Emit(asm.JNE, loop)
	a.Bind(done)
	a.Emit(asm.MOV, asm.Ptr(asm.RDI, 16), asm.RAX)
	for _, r := range []asm.Reg{
		asm.RBX, asm.RBP, asm.R8, asm.R9, asm.R10, asm.R11, asm.R12, asm.R13, asm.R14, asm.R15,
	} {
		a.Emit(asm.MOV, r, asm.Imm(-1))
	}
	if cpu.Detect().Level >= cpu.AVX2 {
		for i := range 16 {
			a.Emit(asm.VPCMPEQD, asm.Y(i), asm.Y(i), asm.Y(i))
		}
		a.Emit(asm.VZEROUPPER)
	}
	a.Emit(asm.RET)
	code, err := Load(a.Assemble().Bytes)
	require.NoError(t, err)
	return code
}

// TestUnderPressure calls generated code from many goroutines while collections, stack growth and
// the profiler interfere.
func TestUnderPressure(t *testing.T) {
	code := sum(t)
	defer code.Close()
	var profile bytes.Buffer
	require.NoError(t, pprof.StartCPUProfile(&profile))
	defer pprof.StopCPUProfile()
	stop := time.Now().Add(200 * time.Millisecond)
	var wg sync.WaitGroup
	for g := range 4 {
		wg.Go(func() {
			for i := 0; time.Now().Before(stop); i++ {
				x := make([]int, 1000+i%100)
				want := 0
				for j := range x {
					x[j] = j * g
					want += x[j]
				}
				if got := deep(20, code, x); got != want {
					t.Errorf("sum is %d, want %d", got, want)
					return
				}
				if i%64 == 0 {
					runtime.GC()
				}
			}
		})
	}
	wg.Wait()
}

// deep makes the stack grow before the call.
func deep(n int, code *Code, x []int) int {
	var pad [128]byte
	if n > 0 {
		pad[n] = byte(n)
		return deep(n-1, code, x) + int(pad[n]) - n
	}
	args := sumArgs{x: unsafe.Pointer(&x[0]), n: len(x)}
	code.Call(unsafe.Pointer(&args))
	return args.out
}

func TestArgumentsDoNotEscape(t *testing.T) {
	code := sum(t)
	defer code.Close()
	x := []int{1, 2, 3}
	require.Zero(t, testing.AllocsPerRun(100, func() {
		args := sumArgs{x: unsafe.Pointer(&x[0]), n: len(x)}
		code.Call(unsafe.Pointer(&args))
		if args.out != 6 {
			t.Fatal("wrong sum")
		}
	}))
}

func TestCloseTwice(t *testing.T) {
	code := sum(t)
	require.NoError(t, code.Close())
	require.NoError(t, code.Close())
	require.Zero(t, code.Size())
}

func TestLoadNothing(t *testing.T) {
	_, err := Load(nil)
	require.Error(t, err)
}

func BenchmarkCall(b *testing.B) {
	a := asm.New()
	a.Emit(asm.RET)
	code, err := Load(a.Assemble().Bytes)
	require.NoError(b, err)
	defer code.Close()
	var args sumArgs
	for b.Loop() {
		code.Call(unsafe.Pointer(&args))
	}
}

// Pages of its own are how code lies on all systems if it must.
func TestAlone(t *testing.T) {
	a := asm.New()
	a.Emit(asm.MOV, asm.RAX, asm.Imm(7))
	a.Emit(asm.MOV, asm.Ptr(asm.RDI, 0), asm.RAX)
	a.Emit(asm.RET)
	for range 100 { // at places that were free again
		p, err := alone(a.Assemble().Bytes)
		require.NoError(t, err)
		var got int
		c := codeAt(p)
		c.Call(unsafe.Pointer(&got))
		require.Equal(t, 7, got)
		require.NoError(t, c.Close())
	}
}
