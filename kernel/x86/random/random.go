package random

import (
	"fmt"
	"unsafe"

	"github.com/go-acap/acap/kernel"
	"github.com/go-acap/acap/kernel/cpu"
	"github.com/go-acap/acap/kernel/exec"
	"github.com/go-acap/acap/kernel/x86/asm"
)

const (
	blockWords = 4
	unitBlocks = 4096
	maxLanes   = 8
)

// code draws groups of blocks, one in each lane.
type code struct {
	k       *kernel.Random
	lanes   int
	listing *asm.Code
	exec    *exec.Code
}

// call is what the code finds at RDI.
type call struct {
	out, groups, first uintptr // first block
	low, high          uint64  // words 0 and 1 of the counter
	keys               [2 * kernel.PhiloxRounds][maxLanes]uint64
}

// Compile generates the code of k.
func Compile(k *kernel.Random, f cpu.Features) (kernel.Code, error) {
	if f.Level < cpu.AVX2 {
		return nil, fmt.Errorf("%w: no vector instructions", kernel.ErrUnsupported)
	}
	c := &code{k: k, lanes: f.Level.VectorBytes() / 8}
	g := generator{a: asm.New(), bytes: f.Level.VectorBytes(), avx512: f.Level >= cpu.AVX512}
	g.emit(c.lanes)
	c.listing = g.a.Assemble()
	var err error
	if c.exec, err = exec.Load(c.listing.Bytes); err != nil {
		return nil, err
	}
	return c, nil
}

func (c *code) Units() int {
	const words = blockWords * unitBlocks
	return (c.k.Out.Len + words - 1) / words
}

func (c *code) UnitNanos() float64 { return 12 * unitBlocks / float64(c.lanes) }
func (c *code) Scratch() int       { return 4 * blockWords * c.lanes }
func (c *code) Listing() string    { return c.listing.String() }
func (c *code) Close()             { c.exec.Close() }

func (c *code) Run(args *kernel.Args, lo, hi int) {
	key, counter := *(*uint64)(args.Ptr[0]), *(*uint64)(args.Ptr[1])
	b := call{low: counter & (1<<32 - 1), high: counter >> 32}
	k0, k1 := uint32(key), uint32(key>>32)
	for round := range kernel.PhiloxRounds {
		for lane := range c.lanes {
			b.keys[2*round][lane], b.keys[2*round+1][lane] = uint64(k0), uint64(k1)
		}
		k0 += kernel.PhiloxW0
		k1 += kernel.PhiloxW1
	}
	words := unsafe.Slice((*uint32)(args.Ptr[2]), c.k.Out.Len)
	end := min(len(words), hi*unitBlocks*blockWords)
	group := blockWords * c.lanes
	for at := lo * unitBlocks * blockWords; at < end; {
		n := min(end-at, unitBlocks*blockWords)
		b.first, b.groups = uintptr(at/blockWords), uintptr(n/group)
		if b.groups == 0 { // the last words
			b.out, b.groups = uintptr(args.Scratch), 1
			c.exec.Call(unsafe.Pointer(&b))
			at += copy(words[at:end], unsafe.Slice((*uint32)(args.Scratch), group))
			continue
		}
		b.out = uintptr(unsafe.Pointer(&words[at]))
		c.exec.Call(unsafe.Pointer(&b))
		at += n / group * group
	}
}

// generator emits the loop over groups.
type generator struct {
	a      *asm.Assembler
	bytes  int // of a vector
	avx512 bool
}

func (g *generator) vec(n int) asm.Reg { return asm.Vec(g.bytes, n) }

// emit emits the function. RDX is where the next group goes, RCX counts groups.
func (g *generator) emit(lanes int) {
	a := g.a
	low, high, block, step, m0, m1 := g.vec(8), g.vec(9), g.vec(10), g.vec(11), g.vec(12), g.vec(13)
	a.Emit(asm.MOV, asm.RDX, asm.Ptr(asm.RDI, 0))
	a.Emit(asm.MOV, asm.RCX, asm.Ptr(asm.RDI, 8))
	a.Emit(asm.VPBROADCASTQ, block, asm.Ptr(asm.RDI, 16))
	a.Emit(asm.VPBROADCASTQ, low, asm.Ptr(asm.RDI, 24))
	a.Emit(asm.VPBROADCASTQ, high, asm.Ptr(asm.RDI, 32))
	a.Emit(asm.VPBROADCASTQ, step, a.ConstU64(uint64(lanes)))
	a.Emit(asm.VPBROADCASTQ, m0, a.ConstU64(kernel.PhiloxM0))
	a.Emit(asm.VPBROADCASTQ, m1, a.ConstU64(kernel.PhiloxM1))
	order := make([]uint64, lanes) // of the blocks in the lanes
	for i := range order {
		order[i] = uint64(i/2 + i%2*(lanes/2))
	}
	a.Emit(asm.VPADDQ, block, block, a.ConstU64(order...))
	if g.avx512 {
		a.Emit(asm.MOV, asm.RAX.Dword(), asm.Imm(0xaaaa))
		a.Emit(asm.KMOVW, asm.K(1), asm.RAX.Dword())
	}
	loop := a.Here()
	a.Emit(asm.VPSRLQ, g.vec(7), block, asm.Imm(32))
	c := [4]asm.Reg{low, high, block, g.vec(7)}
	for round := range kernel.PhiloxRounds {
		// Only the low half of a lane counts.
		p, q := g.vec(2+round%2*2), g.vec(3+round%2*2)
		a.Emit(asm.VPMULUDQ, p, c[0], m0)
		a.Emit(asm.VPMULUDQ, q, c[2], m1)
		g.mix(g.vec(0), q, c[1], 2*round)
		g.mix(g.vec(1), p, c[3], 2*round+1)
		c = [4]asm.Reg{g.vec(0), q, g.vec(1), p}
	}
	g.join(c[0], c[1])
	g.join(c[2], c[3])
	a.Emit(asm.VPUNPCKLQDQ, g.vec(6), c[0], c[2])
	a.Emit(asm.VPUNPCKHQDQ, g.vec(7), c[0], c[2])
	a.Emit(asm.VMOVUPS, asm.Ptr(asm.RDX, 0), g.vec(6))
	a.Emit(asm.VMOVUPS, asm.Ptr(asm.RDX, g.bytes), g.vec(7))
	a.Emit(asm.VPADDQ, block, block, step)
	a.Emit(asm.ADD, asm.RDX, asm.Imm(2*g.bytes))
	a.Emit(asm.DEC, asm.RCX)
	a.Emit(asm.JNE, loop)
	a.Emit(asm.VZEROUPPER)
	a.Emit(asm.RET)
}

// mix emits d = high half of product ^ word ^ key.
func (g *generator) mix(d, product, word asm.Reg, key int) {
	g.a.Emit(asm.VPSRLQ, d, product, asm.Imm(32))
	from := asm.Ptr(asm.RDI, int(unsafe.Offsetof(call{}.keys))+8*maxLanes*key)
	if g.avx512 {
		g.a.Emit(asm.VPTERNLOGQ, d, word, from, asm.Imm(0x96))
		return
	}
	g.a.Emit(asm.VPXOR, d, d, word)
	g.a.Emit(asm.VPXOR, d, d, from)
}

// join puts the low half of second into the high half of first.
func (g *generator) join(first, second asm.Reg) {
	const evenTwice = 0xa0
	if g.avx512 {
		g.a.Emit(asm.VPSHUFD, first.Mask(asm.K(1)), second, asm.Imm(evenTwice))
		return
	}
	g.a.Emit(asm.VPSHUFD, second, second, asm.Imm(evenTwice))
	g.a.Emit(asm.VBLENDPS, first, first, second, asm.Imm(0xaa))
}
