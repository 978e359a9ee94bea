package emit

import (
	"bytes"
	"encoding/binary"
	"errors"
	"flag"
	"fmt"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"unsafe"

	"github.com/stretchr/testify/require"

	"github.com/go-acap/acap/base/buf"
	"github.com/go-acap/acap/base/dtype"
	"github.com/go-acap/acap/base/longtest"
	"github.com/go-acap/acap/kernel"
	"github.com/go-acap/acap/kernel/cpu"
	"github.com/go-acap/acap/kernel/kerneltest"
	"github.com/go-acap/acap/kernel/vector"
	"github.com/go-acap/acap/kernel/x86/asm"
)

var update = flag.Bool("update", false, "write what programs become into testdata")

const between = "---\n"

// TestFiles compares the listings of every program in testdata with those recorded behind it, for AVX2 and for AVX-512.
// With -update it records them.
func TestFiles(t *testing.T) {
	files, err := filepath.Glob("testdata/*.txt")
	require.NoError(t, err)
	require.NotEmpty(t, files)
	for _, file := range files {
		t.Run(filepath.Base(file), func(t *testing.T) {
			text, err := os.ReadFile(file)
			require.NoError(t, err)
			source, _, _ := strings.Cut(string(text), between)
			have := source
			for _, level := range []cpu.Level{cpu.AVX2, cpu.AVX512} {
				p, err := vector.Parse(source)
				require.NoError(t, err)
				require.Equal(t, source, p.String())
				p.Index()
				a := asm.New()
				compile(p, cpu.Features{Level: level}, a, 8, 7)
				code := a.Assemble()
				have += between + level.String() + "\n" + code.String()
				a = asm.Unlisted() // which copies what is the same in the turn before
				compile(p, cpu.Features{Level: level}, a, 8, 7)
				require.Equal(t, code.Bytes, a.Assemble().Bytes)
			}
			if *update {
				require.NoError(t, os.WriteFile(file, []byte(have), 0o644))
			}
			require.Equal(t, string(text), have)
		})
	}
}

// TestExchange runs a program whose carried vectors change places, for which no register is left.
func TestExchange(t *testing.T) {
	text, err := os.ReadFile("testdata/exchange.txt")
	require.NoError(t, err)
	source, _, _ := strings.Cut(string(text), between)
	for _, f := range kerneltest.Levels() {
		if !kerneltest.Executes(f) {
			continue
		}
		m, err := Backend(f).Build(func() *vector.Program { return parsed(t, source) }, 8, 7)
		require.NoError(t, err)
		data := [8]float32{1, 2, 3, 4, 5, 6, 7, 8}
		block := buf.Aligned(m.BlockBytes())
		words := unsafe.Slice((*uintptr)(unsafe.Pointer(&block[0])), 8)
		words[0], words[2] = uintptr(unsafe.Pointer(&data[0])), 3
		m.Call(unsafe.Pointer(&block[0]))
		m.Close()
		require.Equal(t, [8]float32{5, 6, 7, 8, 1, 2, 3, 4}, data)
	}
}

// TestFolded: an element that an instruction reads from memory takes no register, so that as many vectors as there are
// registers need no memory behind the call block.
func TestFolded(t *testing.T) {
	for _, f := range []cpu.Features{{Level: cpu.AVX512}, {Level: cpu.AVX2, Broadcasts: true}} {
		testFolded(t, f)
	}
}

func testFolded(t *testing.T, f cpu.Features) {
	registers, size := f.Level.VectorRegisters(), f.Level.VectorBytes()
	m, err := Backend(f).Build(func() *vector.Program {
		b := vector.NewBuilder("folded", size/4).For(Backend(f))
		at := b.Arg(0)
		sums := make([]vector.Val, registers-1)
		for i := range sums {
			sums[i] = b.Load(vector.F32, at, vector.Access{Offset: size * i})
		}
		x := b.Load(vector.F32, at, vector.Access{Offset: size * registers})
		for i := range sums {
			sums[i] = b.Op(vector.MulAdd, x, b.Splat(vector.F32, at, vector.Access{Offset: 4 * i}), sums[i])
		}
		for i, v := range sums {
			b.Store(v, at, vector.Access{Offset: size * i})
		}
		p := b.Program()
		p.Optimise()
		return p
	}, 8, 7)
	require.NoError(t, err)
	defer m.Close()
	require.Equal(t, registers-1, strings.Count(m.Listing(), fmt.Sprintf("{1to%d}", size/4)))
	require.Equal(t, 64+64, m.BlockBytes(), "the words, and a vector for exchanges")
}

func parsed(t *testing.T, text string) *vector.Program {
	p, err := vector.Parse(text)
	require.NoError(t, err)
	return p
}

// Words of the call block of random programs, and bytes of what they read and write.
const (
	argIn = iota
	argOut
	argTurns
	argNumber
	argFault
	argWords

	inBytes, outBytes = 4096, 1 << 16
)

// wrongOnce are the seeds of programs whose code was wrong, beyond those of a short run: a load in front of an operation
// that nothing reads was an operand of the operation behind, in the place of a constant.
var wrongOnce = []uint64{2618}

// TestPrograms compares random programs with the interpreter, where their code runs.
func TestPrograms(t *testing.T) {
	for _, f := range kerneltest.Levels() {
		n, refused := longtest.Sample(300, 1000, 20000), 0
		for seed := range uint64(n + len(wrongOnce)) {
			repeats := rand.New(rand.NewPCG(seed, 4))
			if seed >= uint64(n) {
				seed, repeats = wrongOnce[seed-uint64(n)], nil
			}
			r := rand.New(rand.NewPCG(seed, 3))
			p := randomProgram(r, repeats, f.Level.VectorBytes())
			require.NoError(t, vector.Verify(p), "%s", p)
			text := p.String()
			m, err := Backend(f).Build(func() *vector.Program { return parsed(t, text) }, argWords, argFault)
			if errors.Is(err, kernel.ErrUnsupported) {
				refused++
				continue
			}
			require.NoError(t, err, text)
			p.Index()
			require.NoError(t, vector.Verify(p), "%s", p)
			p.Release()
			if kerneltest.Executes(f) {
				agree(t, r, text, m)
			}
			m.Close()
		}
		t.Logf("%v: %d of %d refused", f.Level, refused, n)
		require.Less(t, refused, n/4, f.Level)
	}
}

// agree runs a program by its code and by the interpreter.
func agree(t *testing.T, r *rand.Rand, text string, m *vector.Machine) {
	t.Helper()
	p, err := vector.Parse(text)
	require.NoError(t, err)
	data := buf.Aligned(inBytes + outBytes)
	for i := 0; i < inBytes; i += 4 {
		x := math.Float32bits(float32(r.NormFloat64()))
		switch r.IntN(8) {
		case 0:
			x = math.Float32bits([]float32{0, 1, float32(math.Inf(-1)), float32(math.NaN())}[r.IntN(4)])
		case 1:
			x = r.Uint32()
		}
		*(*uint32)(unsafe.Pointer(&data[i])) = x
	}
	number := r.Uint64()
	n := &interpreter{p: p, args: []uint64{0, inBytes, 3, number}, data: bytes.Clone(data),
		lanes: map[vector.Value][]uint64{}, floats: map[int]dtype.DType{}}
	n.run(p.Body)
	block := buf.Aligned(m.BlockBytes())
	words := unsafe.Slice((*uintptr)(unsafe.Pointer(&block[0])), argWords)
	words[argIn], words[argOut] = uintptr(unsafe.Pointer(&data[0])), uintptr(unsafe.Pointer(&data[inBytes]))
	words[argTurns], words[argNumber] = 3, uintptr(number)
	m.Call(unsafe.Pointer(&block[0]))
	require.Equal(t, n.fault, words[argFault] != 0, text)
	for at, d := range n.floats { // of NaNs only that they are, and not which
		if !d.IsFloat() {
			continue
		}
		element := func(data []byte) float64 {
			var room [8]byte
			copy(room[:], data[at:at+d.Size()])
			return kernel.Value(d, binary.LittleEndian.Uint64(room[:]))
		}
		x, y := element(n.data), element(data)
		// A store of bf16 leaves an infinity of a NaN whose bits are the last ones.
		cut := func(v float64) bool { return d == dtype.BF16 && math.IsInf(v, 0) }
		if x != x && (y != y || cut(y)) || y != y && cut(x) {
			copy(data[at:at+d.Size()], n.data[at:])
		}
	}
	for at := range data {
		if data[at] != n.data[at] {
			first := at &^ 7
			require.Fail(t, "another result", "at byte %d, of the results %d: have %x, want %x\n%s\n%s", at, at-inBytes,
				data[first:first+8], n.data[first:first+8], text, m.Listing())
		}
	}
}
