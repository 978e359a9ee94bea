package asm

import (
	"bufio"
	"bytes"
	"compress/gzip"
	"debug/elf"
	"encoding/binary"
	"encoding/hex"
	"flag"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

var update = flag.Bool("update", false, "rewrite testdata/golden.txt with the GNU assembler")

const golden = "testdata/golden.txt.gz"

// A sample is one instruction with the bytes that this assembler gives it.
type sample struct {
	text  string
	bytes []byte
}

// TestGolden compares every instruction form, with many operands each, with the bytes that the GNU
// assembler gave for the same text.
func TestGolden(t *testing.T) {
	samples := allSamples()
	if *update {
		want, err := gnuAssemble(t.TempDir(), samples)
		require.NoError(t, err)
		writeGolden(t, samples, want)
	}
	want := readGolden(t)
	require.Len(t, want, len(samples), "run with -update after a change of instructions.txt")
	failed := 0
	for i, s := range samples {
		require.Equal(t, want[i].text, s.text, "run with -update after a change of the samples")
		if !bytes.Equal(want[i].bytes, s.bytes) {
			if failed++; failed < 40 {
				t.Errorf("%-60s want % x, got % x", s.text, want[i].bytes, s.bytes)
			}
		}
	}
	if failed > 0 {
		t.Fatalf("%d of %d instructions differ", failed, len(samples))
	}
}

// TestGoldenIsCurrent makes the golden bytes again where a GNU assembler is installed that knows
// the instructions; where upstream tools are required, it must be.
func TestGoldenIsCurrent(t *testing.T) {
	skip := t.Skipf
	if os.Getenv("ACAP_REQUIRE_UPSTREAM") == "1" {
		skip = t.Fatalf
	}
	if _, err := exec.LookPath("as"); err != nil {
		skip("the GNU assembler is not installed")
	}
	want := readGolden(t)
	got, err := gnuAssemble(t.TempDir(), want)
	if err != nil {
		skip("the GNU assembler does not know all instructions: %v", err)
	}
	for i := range want {
		require.Equal(t, want[i].bytes, got[i], want[i].text)
	}
}

// allSamples encodes every form at every length with registers low and high, several shapes of
// memory references, broadcasts and masks.
func allSamples() []sample {
	var out []sample
	seen := map[string]bool{}
	ops := make([]Op, len(known().mnemonics))
	for o := range ops {
		ops[o] = Op(o)
	}
	slices.SortFunc(ops, func(a, b Op) int { return strings.Compare(a.String(), b.String()) })
	var forms []form
	for _, o := range ops {
		forms = append(forms, known().forms(o)...)
	}
	for i := range forms {
		f := &forms[i]
		for _, length := range []int{16, 32, 64} {
			for _, ops := range variants(f, length, i) {
				var in instruction
				var o operands
				o.set(ops)
				if !f.match(&o, &in) {
					continue
				}
				text := in.text(&o)
				if seen[text] {
					continue
				}
				seen[text] = true
				a := New()
				a.Emit(f.op, ops...)
				if f.order == orderD {
					text = known().mnemonics[f.op].text() + " .+0x12345"
					binary.LittleEndian.PutUint32(a.code[len(a.code)-4:], uint32(0x12345-len(a.code)))
				}
				out = append(out, sample{text, a.code})
			}
		}
	}
	return out
}

// memories are the shapes of memory references: every case of ModRM, SIB and displacement.
var memories = []Mem{
	Ptr(RAX, 0), Ptr(RSP, 64), Ptr(R13, 0), At(RBP, R12, 4, 32), At(R10, RAX, 8, -0x1000),
	{rip: true, Disp: 0x100}, Ptr(RDI, 1024), At(R12, R9, 1, -128), Ptr(R12, -8),
	{Index: R8, Scale: 2, Disp: 16}, At(RSP, R13, 8, 127), Ptr(RBX, 8128), Ptr(R9, -0x2000),
}

// variants lists operand lists for f at a vector length. rotate picks among the memory references.
func variants(f *form, length, rotate int) [][]Operand {
	var out [][]Operand
	add := func(regs int, change func(i int, a arg, op Operand) Operand) {
		ops, ok := f.plain(length, regs)
		if !ok {
			return
		}
		for i := range ops {
			if change != nil {
				ops[i] = change(i, f.args[i], ops[i])
			}
		}
		out = append(out, ops)
	}
	add(1, nil)
	add(9, nil)
	for n := range 3 {
		mem := memories[(rotate*3+n)%len(memories)]
		add(2+7*n%8, func(_ int, a arg, op Operand) Operand { return asMemory(a, op, mem) })
	}
	if f.enc&encEVEX == 0 {
		return out
	}
	mem := memories[rotate%len(memories)]
	add(17, nil)
	add(25, func(_ int, a arg, op Operand) Operand { return asMemory(a, op, mem) })
	add(18, func(_ int, a arg, op Operand) Operand {
		if a.bcast != 0 {
			return mem.Bcast()
		}
		return op
	})
	for _, zero := range []bool{false, true} {
		add(5, func(i int, _ arg, op Operand) Operand { return masked(i, op, zero) })
	}
	add(3, func(i int, a arg, op Operand) Operand {
		return masked(i, asMemory(a, op, mem), false)
	})
	return out
}

func masked(i int, op Operand, zero bool) Operand {
	if i != 0 {
		return op
	}
	switch op := op.(type) {
	case Reg:
		if zero && op.IsVector() {
			return op.ZeroMask(K(3))
		}
		return op.Mask(K(5))
	case Mem:
		return op.Mask(K(2))
	}
	return op
}

// asMemory replaces op by mem where a allows memory.
func asMemory(a arg, op Operand, mem Mem) Operand {
	if a.mem == 0 {
		return op
	}
	return mem
}

// plain returns register operands for f, numbered from first on.
func (f *form) plain(length, first int) ([]Operand, bool) {
	var ops []Operand
	for i, a := range f.args {
		if a.reg == kindNone {
			break
		}
		op := a.sample(length, first+i)
		if op == nil {
			return nil, false
		}
		ops = append(ops, op)
	}
	return ops, true
}

func (a arg) sample(length, n int) Operand {
	general := RAX + Reg(n%16)
	if n%16 == 4 && a.reg != kindReg1 {
		general = RSI
	}
	switch a.reg {
	case kindTile:
		return T(n % 8)
	case kindMask:
		return K(n % 8)
	case kindReg:
		if length == 16 {
			return general.Dword()
		}
		return general
	case kindReg1:
		return general.Byte()
	case kindReg4:
		return general.Dword()
	case kindReg8:
		return general
	case kindImm1:
		return Imm(n)
	case kindSigned1:
		return Imm(-n)
	case kindImm4:
		return Imm(-1000 * n)
	case kindImm8:
		return Imm(n) << 40
	case kindRel:
		return Label(0)
	case kindCL:
		return RCX.Byte()
	case kindIndexVec:
		return At(RBX, Vec(length, n), 4, 8*n)
	case kindIndexHalf:
		return At(R13, Vec(max(length/2, 16), n), 8, 4*n)
	case kindX:
		return X(n % 32)
	case kindY:
		return Y(n % 32)
	case kindZ:
		return Z(n % 32)
	}
	return Vec(max(a.reg.bytes(length), 16), n%32)
}

func readGolden(t *testing.T) []sample {
	f, err := os.Open(golden)
	require.NoError(t, err)
	defer f.Close()
	z, err := gzip.NewReader(f)
	require.NoError(t, err)
	var out []sample
	for s := bufio.NewScanner(z); s.Scan(); {
		code, text, _ := strings.Cut(s.Text(), " ")
		b, err := hex.DecodeString(code)
		require.NoError(t, err)
		out = append(out, sample{text, b})
	}
	return out
}

func writeGolden(t *testing.T, samples []sample, want [][]byte) {
	var b bytes.Buffer
	z := gzip.NewWriter(&b)
	for i, s := range samples {
		fmt.Fprintf(z, "%x %s\n", want[i], s.text)
	}
	require.NoError(t, z.Close())
	require.NoError(t, os.WriteFile(golden, b.Bytes(), 0o666))
}

// gnuAssemble returns the bytes that the GNU assembler gives each sample. A second section holds
// the offset of every instruction.
func gnuAssemble(dir string, samples []sample) ([][]byte, error) {
	var src bytes.Buffer
	src.WriteString(".intel_syntax noprefix\n.text\n")
	for i, s := range samples {
		fmt.Fprintf(&src, "L%d: %s\n", i, s.text)
	}
	fmt.Fprintf(&src, "L%d:\n.section .offsets\n", len(samples))
	for i := range len(samples) + 1 {
		fmt.Fprintf(&src, ".long L%d-L0\n", i)
	}
	in, out := filepath.Join(dir, "in.s"), filepath.Join(dir, "out.o")
	if err := os.WriteFile(in, src.Bytes(), 0o666); err != nil {
		return nil, err
	}
	if msg, err := exec.Command("as", "-o", out, in).CombinedOutput(); err != nil {
		return nil, fmt.Errorf("%w: %.4000s", err, msg)
	}
	f, err := elf.Open(out)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	code, err := f.Section(".text").Data()
	if err != nil {
		return nil, err
	}
	offsets, err := f.Section(".offsets").Data()
	if err != nil {
		return nil, err
	}
	at := func(i int) uint32 { return binary.LittleEndian.Uint32(offsets[4*i:]) }
	got := make([][]byte, len(samples))
	for i := range got {
		got[i] = code[at(i):at(i+1)]
	}
	return got, nil
}
