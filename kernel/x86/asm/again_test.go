package asm

import (
	"fmt"
	"testing"

	"github.com/stretchr/testify/require"
)

// TestAgain: code that is appended once more, with addresses that have moved, is the code that is emitted for these
// addresses, whatever the lengths of both displacements are.
func TestAgain(t *testing.T) {
	distances := []int{-4096, -129, -128, -64, -1, 0, 1, 60, 64, 127, 128, 64 * 127, 64 * 128, 1 << 20}
	emits := map[string]func(a *Assembler, disp int){
		"vex":       func(a *Assembler, disp int) { a.Emit(VMOVUPS, Y(1), Ptr(RCX, disp)) },
		"base r13":  func(a *Assembler, disp int) { a.Emit(VMOVUPS, Y(1), Ptr(R13, disp)) },
		"base r12":  func(a *Assembler, disp int) { a.Emit(VMOVUPS, Y(1), Ptr(R12, disp)) },
		"index":     func(a *Assembler, disp int) { a.Emit(VMOVUPS, Y(1), At(R13, R9, 4, disp)) },
		"evex":      func(a *Assembler, disp int) { a.Emit(VMOVUPS, Z(20), Ptr(RCX, disp)) },
		"broadcast": func(a *Assembler, disp int) { a.Emit(VFMADD231PS, Z(1), Z(2), Ptr(RBP, disp).Bcast()) },
		"number":    func(a *Assembler, disp int) { a.Emit(VINSERTI128, Y(1), Y(1), Ptr(RBX, disp), Imm(1)) },
		"others": func(a *Assembler, disp int) {
			a.Emit(VPXOR, X(3), X(3), X(3))
			a.Emit(VPEXTRB, Ptr(RDX, disp), X(3), Imm(5))
			a.Emit(ADD, RAX, Imm(1000))
		},
	}
	for name, emit := range emits {
		for _, from := range distances {
			for _, to := range distances {
				a, want := Unlisted(), Unlisted()
				a.Emit(VMOVUPS, Ptr(RBP, 8), X(1)) // another access
				want.Emit(VMOVUPS, Ptr(RBP, 8), X(1))
				begin := a.Mark()
				var moved []Moved
				for _, at := range []int{from, to} { // one behind the other
					mark := a.Mark()
					emit(a, at)
					m, ok := a.Moved(mark, to-from)
					require.True(t, ok)
					moved = append(moved, m)
				}
				end := a.Mark()
				require.True(t, a.Again(begin, end, moved, 1))
				require.True(t, a.Again(begin, end, moved, 3))
				for _, by := range []int{0, to - from, 3 * (to - from)} {
					emit(want, from+by)
					emit(want, to+by)
				}
				require.Equal(t, want.Assemble().Bytes, a.Assemble().Bytes, fmt.Sprint(name, from, to))
			}
		}
	}
}

// TestNotAgain: code that has no address has none to be moved, nor has code with two, or whose address has no base; code
// that refers to other places is not appended.
func TestNotAgain(t *testing.T) {
	for _, emit := range []func(a *Assembler){
		func(a *Assembler) { a.Emit(VPXOR, X(3), X(3), X(3)) },
		func(a *Assembler) { a.Emit(MOV, RCX, Mem{Disp: 64}) },
		func(a *Assembler) { a.Emit(VMOVUPS, X(3), a.ConstU64(1, 2)) },
		func(a *Assembler) {
			a.Emit(VMOVUPS, X(3), Ptr(RCX, 0))
			a.Emit(VMOVUPS, X(4), Ptr(RCX, 16))
		},
	} {
		a := Unlisted()
		begin := a.Mark()
		emit(a)
		_, ok := a.Moved(begin, 64)
		require.False(t, ok)
	}
	a := Unlisted()
	begin := a.Mark()
	a.Emit(VMOVUPS, X(3), a.ConstU64(1, 2))
	end := a.Mark()
	require.False(t, a.Again(begin, end, nil, 1))
	require.Equal(t, end, a.Mark())
}
