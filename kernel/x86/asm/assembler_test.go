package asm

import (
	"encoding/binary"
	"math"
	"os"
	"os/exec"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"
)

func TestLabelsForwardAndBackward(t *testing.T) {
	a := New()
	done := a.Label()
	loop := a.Here()
	a.Emit(DEC, RAX)
	a.Emit(JE, done)
	a.Emit(JNE, loop)
	a.Bind(done)
	a.Emit(RET)
	code := a.Assemble().Bytes
	want := []byte{0x48, 0xFF, 0xC8, 0x0F, 0x84, 6, 0, 0, 0, 0x0F, 0x85, 0xF1, 0xFF, 0xFF, 0xFF, 0xC3}
	require.Equal(t, want, code)
}

func TestUnboundLabelPanics(t *testing.T) {
	a := New()
	a.Emit(JNE, a.Label())
	require.PanicsWithValue(t, "BUG: asm: label never bound", func() { a.Assemble() })
}

// TestConstants checks that a reference counts from the end of its instruction, immediate included.
func TestConstants(t *testing.T) {
	a := New()
	one := a.ConstU32(math.Float32bits(1))
	a.Emit(VCMPPS, K(1), Z(0), one.Bcast(), Imm(1))
	first := a.Len()
	a.Emit(VADDPS, Z(0), Z(0), a.ConstU32(1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16))
	second := a.Len()
	again := a.ConstU32(math.Float32bits(1))
	require.Equal(t, one, again, "equal constants are shared")
	code := a.Assemble().Bytes
	number := func(at int) int { return int(binary.LittleEndian.Uint32(code[at:])) }
	require.Equal(t, 0x3F800000, number(first+number(first-5)))
	vector := second + number(second-4)
	require.Zero(t, vector%64, "a vector constant is aligned")
	require.Equal(t, 16, number(vector+60))
}

func TestNoSuchForm(t *testing.T) {
	for _, ops := range [][]Operand{
		{Z(0), Y(1), Z(2)}, {Z(0), Z(1)}, {Ptr(RAX, 0), Z(1), Z(2)}, {K(1), Z(1), Z(2)},
		{Z(0), Z(1).Mask(K(1)), Z(2)}, {Z(0), Z(1), Z(2), Imm(1)}, {RAX, RCX, RDX},
	} {
		require.Panics(t, func() { New().Emit(VADDPS, ops...) }, "%v", ops)
	}
	require.Panics(t, func() { New().Emit(ADD, RAX, RCX.Dword()) })
	require.Panics(t, func() { New().Emit(ADD, Imm(1), RAX) })
	require.Panics(t, func() { New().Emit(VPADDB, Z(0), Z(1), Ptr(RAX, 0).Bcast()) })
	require.Panics(t, func() { New().Emit(VPGATHERDD, Z(0), At(RAX, Z(1), 4, 0)) })
	require.Panics(t, func() { New().Emit(VCMPPS, K(1).ZeroMask(K(2)), Z(0), Z(1), Imm(0)) })
}

// TestAlign disassembles nothing: it checks that the padding is made of whole no-operations.
func TestAlign(t *testing.T) {
	for n := range 64 {
		a := New()
		for range n {
			a.Emit(RET)
		}
		a.Align(32)
		require.Zero(t, a.Len()%32)
	}
}

// TestDisassembly lets objdump, where present, read back a listing's instructions.
func TestDisassembly(t *testing.T) {
	if _, err := exec.LookPath("objdump"); err != nil {
		t.Skip("objdump is not installed")
	}
	a := New()
	loop := a.Here()
	a.Emit(VMOVUPS, Z(0).ZeroMask(K(1)), At(RSI, RAX, 4, 64))
	a.Emit(JNE, loop)
	code := a.Assemble()
	path := filepath.Join(t.TempDir(), "code")
	require.NoError(t, os.WriteFile(path, code.Bytes, 0o666))
	objdump := exec.Command("objdump", "-D", "-b", "binary", "-mi386:x86-64", "-Mintel", path)
	out, err := objdump.CombinedOutput()
	require.NoError(t, err)
	require.Contains(t, string(out), "vmovups zmm0{k1}{z},ZMMWORD PTR [rsi+rax*4+0x40]")
	require.Contains(t, string(out), "jne    0x0")
}

// TestMemoryAgain: code stays as it is when later assemblers use its assembler's memory, and equals the code of an
// assembler with memory of its own.
func TestMemoryAgain(t *testing.T) {
	write := func(a *Assembler, n int) []byte {
		end := a.Label()
		for i := range n {
			a.Emit(MOV, RAX, a.ConstU64(uint64(i)+1<<40))
			a.Emit(JNE, end)
		}
		a.Bind(end)
		a.Emit(RET)
		return a.Assemble().Bytes
	}
	var want, got [][]byte
	for n := range 20 {
		want = append(want, write(New(), n*n%17))
		got = append(got, write(Unlisted(), n*n%17))
	}
	require.Equal(t, want, got)
}
