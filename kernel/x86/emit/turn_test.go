package emit

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/go-acap/acap/kernel/cpu"
	"github.com/go-acap/acap/kernel/vector"
	"github.com/go-acap/acap/kernel/x86/asm"
)

// TestTurns: code that is copied from turn to turn is the code that is emitted in each, where operands of an instruction
// that loads at a moving address are brought from memory.
func TestTurns(t *testing.T) {
	for _, level := range []cpu.Level{cpu.AVX2, cpu.AVX512} {
		b := vector.NewBuilder("turns", level.VectorBytes()/4)
		at, list := b.Arg(0), make([]vector.Val, level.VectorRegisters()+4)
		for n := range list {
			list[n] = b.Load(vector.F32, at, vector.Access{Offset: 64 * n})
		}
		b.Repeat(3, []vector.Val{b.Arg(1)}, func(c []vector.Val) []vector.Val {
			for n, v := range list {
				x := b.Load(vector.F32, c[0], vector.Access{Offset: 64 * n})
				b.Store(b.Op(vector.Sub, v, x), at, vector.Access{Offset: 64 * n})
			}
			return []vector.Val{b.Offset(c[0], 64)}
		})
		p := b.Program()
		var code [2][]byte
		for n, a := range []*asm.Assembler{asm.New(), asm.Unlisted()} {
			compile(p, cpu.Features{Level: level}, a, 8, 7)
			code[n] = a.Assemble().Bytes
		}
		p.Release()
		require.Equal(t, code[0], code[1])
	}
}
