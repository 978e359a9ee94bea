package exec

import (
	"math/rand/v2"
	"os"
	"strings"
	"testing"
	"unsafe"

	"github.com/stretchr/testify/require"

	"github.com/go-acap/acap/kernel/x86/asm"
)

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
// writable and executable: mappings of memory that codes share, and all mappings.
func mapped(t *testing.T) (shared, all int) {
	text, err := os.ReadFile("/proc/self/maps")
	require.NoError(t, err)
	require.NotContains(t, string(text), " rwx")
	return strings.Count(string(text), " r-xs"), strings.Count(string(text), " r-x")
}

func TestNeverWritableAndExecutable(t *testing.T) {
	for name, way := range ways(t) {
		t.Run(name, func(t *testing.T) {
			p, err := way(make([]byte, 2*chunkBytes))
			require.NoError(t, err)
			_, executable := mapped(t)
			require.NoError(t, p.free())
			_, left := mapped(t)
			require.Less(t, left, executable)
		})
	}
}

// Codes of all sizes, loaded and closed in any order, lie apart, run as they were loaded, and share few chunks. At most
// one chunk is left: none where the last code had a chunk of its own size.
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
			run(1, load(constant(1, 0)))
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
			require.LessOrEqual(t, chunks, before)
		})
	}
}

// The last chunk stays for the next code.
func TestLastChunkStays(t *testing.T) {
	for range 2 {
		p, err := shared(make([]byte, 100))
		require.NoError(t, err)
		before, _ := mapped(t)
		require.NoError(t, p.free())
		after, _ := mapped(t)
		require.Equal(t, before, after)
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
