package exec

import (
	"bytes"
	"math/rand/v2"
	"os"
	"runtime"
	"runtime/pprof"
	"strings"
	"sync"
	"testing"
	"time"
	"unsafe"

	"github.com/stretchr/testify/require"

	"github.com/go-acap/acap/kernel/x86/asm"
	"github.com/go-acap/acap/kernel/x86/cpu"
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
	a.Emit(asm.JMP, loop)
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

// ways are how code gets to its place. Emulators miss what is written to shared memory, see [Variable].
func ways(t *testing.T) map[string]func([]byte) (*place, error) {
	fresh, err := Setting()
	require.NoError(t, err)
	if fresh {
		return map[string]func([]byte) (*place, error){"fresh": alone}
	}
	return map[string]func([]byte) (*place, error){"fresh": alone, "shared": shared}
}

// mapped counts the mappings that code runs in by the system's own map of the process, in which nothing is both
// writable and executable: those of memory that codes share, and all.
func mapped(t *testing.T) (shared, all int) {
	text, err := os.ReadFile("/proc/self/maps")
	require.NoError(t, err)
	require.NotContains(t, string(text), " rwx")
	return strings.Count(string(text), " r-xs"), strings.Count(string(text), " r-x")
}

func TestNeverWritableAndExecutable(t *testing.T) {
	for name, way := range ways(t) {
		t.Run(name, func(t *testing.T) {
			p, err := way(make([]byte, 100_000))
			require.NoError(t, err)
			_, executable := mapped(t)
			require.NoError(t, p.free())
			_, left := mapped(t)
			require.Less(t, left, executable)
		})
	}
}

func TestCloseTwice(t *testing.T) {
	code := sum(t)
	require.NoError(t, code.Close())
	require.NoError(t, code.Close())
	require.Zero(t, code.Size())
}

// Codes of all sizes, loaded and closed in any order, lie apart, run as they were loaded, and share few chunks, of
// which none is left.
func TestPlaces(t *testing.T) {
	constant := func(v, pad int) []byte {
		a := asm.New()
		a.Emit(asm.MOV, asm.RAX, asm.Imm(int64(v)))
		a.Emit(asm.MOV, asm.Ptr(asm.RDI, 0), asm.RAX)
		a.Emit(asm.RET)
		return append(a.Assemble().Bytes, make([]byte, pad)...)
	}
	for name, way := range ways(t) {
		t.Run(name, func(t *testing.T) {
			load := func(code []byte) *Code {
				p, err := way(code)
				require.NoError(t, err)
				return codeAt(p)
			}
			run := func(want int, c *Code) {
				var got int
				c.Call(unsafe.Pointer(&got))
				require.Equal(t, want, got)
				require.NoError(t, c.Close())
			}
			before, _ := mapped(t)
			r := rand.New(rand.NewPCG(1, 2))
			live := map[int]*Code{}
			for i := range 3000 {
				code := load(constant(i, r.IntN(4000)))
				require.Zero(t, code.entry%line)
				live[i] = code
				for k, c := range live { // in no order
					if r.IntN(2) == 0 {
						break
					}
					run(k, c)
					delete(live, k)
				}
			}
			chunks, _ := mapped(t)
			require.LessOrEqual(t, chunks, before+8)
			for i, bytes := range []int{3*chunkBytes + 1, chunkBytes, 2 * chunkBytes} { // as large as their chunks, or nearly so
				live[-1-i] = load(constant(-1-i, bytes-len(constant(-1-i, 0))))
			}
			for k, c := range live {
				run(k, c)
			}
			chunks, _ = mapped(t)
			require.Equal(t, before, chunks)
		})
	}
}

// What is freed traps while its chunk is there.
func TestFreedCodeTraps(t *testing.T) {
	code := make([]byte, 100)
	kept, err := shared(code)
	require.NoError(t, err)
	defer kept.free()
	freed, err := shared(code)
	require.NoError(t, err)
	require.NoError(t, freed.free())
	require.Equal(t, freed.code[0], byte(trap))
	require.Equal(t, freed.code[len(code)-1], byte(trap))
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
