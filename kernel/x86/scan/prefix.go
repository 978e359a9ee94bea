package scan

import (
	"github.com/go-acap/acap/kernel/cpu"
	"github.com/go-acap/acap/kernel/x86/asm"
)

// A fold that may be done in any order goes forward along one line by a vector of it at a
// time: after steps that fold every lane with the one 1, 2, 4 and so on before it, a lane
// holds the fold of the lanes up to it (Hillis and Steele: "Data Parallel Algorithms",
// CACM 1986), and only what all lanes fold to waits for the vector before. Floats have
// such extremes as integers in the same order, of which every NaN is the last.

// prefix emits the loop over the vectors of a line.
type prefix struct {
	generator
	fold     asm.Op
	keys     bool   // lanes are keys of floats
	identity uint64 // of fold
}

// The registers of the loop, beside those of the index.
const (
	carryRegister = iota // the fold of all elements so far, in every lane
	placeRegister        // its position
	rowRegister
	foldRegister
	positionRegister
	shiftedRegister
	lowRegister
	identityRegister // most and most + 7 are those of the index
	zeroRegister     = iota + 1
	lastRegister
	nanRegister
)

func (p *prefix) register(i int) asm.Reg { return asm.Vec(p.bytes, i) }

// prefixOf reports whether there are instructions for folds in any order.
func prefixOf(g generator) (*prefix, bool) {
	p := &prefix{generator: g, fold: g.op, identity: g.identity}
	p.bytes = g.f.Level.VectorBytes()
	if p.keys = g.extreme; p.keys {
		p.fold, p.identity = integerExtreme(g.k.Fold, g.wide(), false)
	}
	lacks := p.keys && g.wide() && g.f.Level < cpu.AVX512
	return p, (p.keys || !g.k.X.DType.IsFloat()) && !lacks
}

// lanes is the number of elements that go forward together.
func (p *prefix) lanes() int { return p.bytes / p.acc.Size() }

// emit emits the function, which is called as those of groups are.
func (p *prefix) emit() {
	a, r := p.a, p.register
	carry, place, row, fold, position := r(carryRegister), r(placeRegister), r(rowRegister),
		r(foldRegister), r(positionRegister)
	p.enter()
	p.constants()
	p.every(carry, asm.Ptr(asm.RAX, 0))
	p.key(carry)
	if p.k.Positions {
		p.every(place, asm.Ptr(asm.RAX, 16))
	}
	loop := a.Here()
	a.Emit(asm.VMOVUPS, row, asm.Ptr(asm.RSI, 0))
	p.key(row)
	p.along(p.fold, fold, row, r(identityRegister))
	a.Emit(p.fold, fold, fold, carry)
	if p.k.Positions {
		p.positions(position, row, fold)
		a.Emit(p.later(), position, position, place)
		p.last(place, position)
		p.storePositions(asm.Ptr(asm.RDX, 0), position, r(shiftedRegister))
		p.last(carry, fold)
		p.nextIndex()
	} else {
		p.last(carry, fold)
		p.unkey(fold)
		a.Emit(asm.VMOVUPS, asm.Ptr(asm.RDX, 0), fold)
	}
	p.again(loop, p.bytes, p.bytes/p.k.X.DType.Size()*p.k.Out.DType.Size())
	p.unkey(carry)
	a.Emit(asm.VMOVUPS, asm.Ptr(asm.RAX, 0), carry.As(16))
	if p.k.Positions {
		a.Emit(asm.VMOVUPS, asm.Ptr(asm.RAX, 16), place.As(16))
	}
	p.leave()
}

// constants fills the registers that do not change, and the index.
func (p *prefix) constants() {
	p.fill(p.register(identityRegister), p.identity)
	p.fill(p.register(lastRegister), uint64(p.lanes()-1))
	if p.keys {
		p.fill(p.register(nanRegister), ^p.identity)
	}
	zero := p.register(zeroRegister)
	p.a.Emit(asm.VXORPS, zero, zero, zero)
	if !p.k.Positions {
		return
	}
	p.startIndex(p.lanes())
	var numbers []uint64
	for i := range p.lanes() {
		numbers = append(numbers, uint64(i))
	}
	if p.wide() {
		p.a.Emit(asm.VPADDQ, p.index(), p.index(), p.a.ConstU64(numbers...))
		return
	}
	short := make([]uint32, len(numbers))
	for i := range short {
		short[i] = uint32(i)
	}
	p.a.Emit(asm.VPADDD, p.index(), p.index(), p.a.ConstU32(short...))
}

// every reads one element into all lanes.
func (p *prefix) every(x asm.Reg, from asm.Mem) {
	p.a.Emit(choose(p.wide(), asm.VPBROADCASTQ, asm.VPBROADCASTD), x, from)
}

// last gives all lanes of x the last one of y.
func (p *prefix) last(x, y asm.Reg) {
	switch {
	case !p.wide():
		p.a.Emit(asm.VPERMD, x, p.register(lastRegister), y)
	case p.f.Level >= cpu.AVX512:
		p.a.Emit(asm.VPERMQ, x, p.register(lastRegister), y)
	default:
		p.a.Emit(asm.VPERMQ, x, y, asm.Imm(0xFF))
	}
}

// along folds every lane of y with those before it into x; rest is the identity.
func (p *prefix) along(fold asm.Op, x, y, rest asm.Reg) {
	shifted := p.register(shiftedRegister)
	for distance := 1; distance < p.lanes(); distance *= 2 {
		p.shift(shifted, y, rest, distance)
		p.a.Emit(fold, x, y, shifted)
		y = x
	}
}

// shift moves the lanes of y up by a distance; the lowest ones come from rest.
func (p *prefix) shift(x, y, rest asm.Reg, distance int) {
	a := p.a
	if p.f.Level >= cpu.AVX512 {
		a.Emit(choose(p.wide(), asm.VALIGNQ, asm.VALIGND), x, y, rest, asm.Imm(int64(p.lanes()-distance)))
		return
	}
	bytes := distance * p.acc.Size()
	if bytes == 16 {
		a.Emit(asm.VPERM2I128, x, y, rest, asm.Imm(0x02))
		return
	}
	low := p.register(lowRegister)
	a.Emit(asm.VPERM2I128, low, y, rest, asm.Imm(0x02))
	a.Emit(asm.VPALIGNR, x, y, low, asm.Imm(int64(16-bytes)))
}

// later is the instruction for the greater one of two positions.
func (p *prefix) later() asm.Op { return choose(p.wide(), asm.VPMAXSQ, asm.VPMAXSD) }

// positions gives every lane the last lane up to it whose row is what all up to there fold
// to, and 0 where there is none.
func (p *prefix) positions(position, row, fold asm.Reg) {
	if p.f.Level >= cpu.AVX512 {
		p.a.Emit(choose(p.wide(), asm.VPCMPEQQ, asm.VPCMPEQD), asm.K(1), row, fold)
		p.a.Emit(choose(p.wide(), asm.VMOVDQA64, asm.VMOVDQA32), position.ZeroMask(asm.K(1)), p.index())
	} else {
		p.a.Emit(asm.VPCMPEQD, position, row, fold)
		p.a.Emit(asm.VPAND, position, position, p.index())
	}
	p.along(p.later(), position, position, p.register(zeroRegister))
}

// key makes floats integers in the same order. All NaNs become the last one of them, and,
// for positions, -0 becomes 0.
func (p *prefix) key(x asm.Reg) {
	if !p.keys {
		return
	}
	a, zero := p.a, p.register(zeroRegister)
	if p.k.Positions {
		a.Emit(choose(p.wide(), asm.VADDPD, asm.VADDPS), x, x, zero)
	}
	compare := choose(p.wide(), asm.VCMPPD, asm.VCMPPS)
	nan := p.register(nanRegister)
	if p.f.Level >= cpu.AVX512 {
		a.Emit(compare, asm.K(1), x, x, asm.Imm(unordered))
		p.unkey(x)
		a.Emit(choose(p.wide(), asm.VMOVDQA64, asm.VMOVDQA32), x.Mask(asm.K(1)), nan)
		return
	}
	at := p.register(lowRegister)
	a.Emit(compare, at, x, x, asm.Imm(unordered))
	p.unkey(x)
	a.Emit(asm.VBLENDVPS, x, x, nan, at)
}

// unkey turns keys into floats; a number that is no NaN is turned into its key in the same
// way: the magnitude of a negative one is inverted.
func (p *prefix) unkey(x asm.Reg) {
	if !p.keys {
		return
	}
	a, t := p.a, p.register(shiftedRegister)
	a.Emit(choose(p.wide(), asm.VPSRAQ, asm.VPSRAD), t, x, asm.Imm(int64(8*p.acc.Size()-1)))
	a.Emit(choose(p.wide(), asm.VPSRLQ, asm.VPSRLD), t, t, asm.Imm(1))
	a.Emit(asm.VXORPS, x, x, t)
}
