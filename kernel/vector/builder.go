package vector

import (
	"encoding/binary"
	"math"
	"math/bits"
	"slices"
)

// Val is a value as a builder handles it: with the kind that its bits are read as.
type Val struct {
	ID   Value
	Kind Kind
}

// As reads the bits of a vector as another kind of the same width.
func (v Val) As(k Kind) Val { return Val{v.ID, k} }

// Builder writes a program. Equal operations without effects are written once.
type Builder struct {
	p         *Program
	m         *memory
	block     *Block
	home      *Block // of constants: outside all loops, or in the innermost one that may well not run
	homeDepth int    // loops around it
	known     known
	target    Backend
	constants []constant // by value
}

// constant is the constant that a value is, if it is one.
type constant struct {
	bits uint64
	is   bool
}

// NewBuilder returns a builder of an empty program.
func NewBuilder(name string, lanes int) *Builder {
	m := memories.Get().(*memory)
	p, b := &m.program, &m.builder
	body := &m.loops.one().body
	*body = Block{Instrs: m.list()}
	*p = Program{Name: name, Lanes: lanes, Body: body, kinds: p.kinds[:0], variables: p.variables[:0], memory: m}
	b.p, b.m, b.block, b.home, b.homeDepth, b.constants, b.target = p, m, body, body, 0, b.constants[:0], nil
	b.known.begin()
	return b
}

// For has a builder know what it writes for, which [Builder.Has] tells.
func (b *Builder) For(t Backend) *Builder {
	b.target = t
	return b
}

// Has is the back end's, false if the builder knows no back end.
func (b *Builder) Has(o Op, k, from Kind) bool { return b.target != nil && b.target.Has(o, k, from) }

// Program returns what was written.
func (b *Builder) Program() *Program { return b.p }

// Optimised returns what was written, optimised.
func (b *Builder) Optimised() *Program {
	b.p.Optimise()
	return b.p
}

// Vals returns memory for n values, to be written, that ends with the program.
func (b *Builder) Vals(n int) []Val { return b.m.vals.list(n) }

// Lanes returns the number of lanes of every vector.
func (b *Builder) Lanes() int { return b.p.Lanes }

// add appends an instruction, or finds an equal one.
func (b *Builder) add(i *Instr, k Kind, args ...Val) Val {
	if !ops[i.Op].pure || b.readsVariable(args) {
		return Val{b.append(i, b.p.value(k), args).Def, k}
	}
	return b.once(i, k, args...)
}

// readsVariable reports whether a variable is among operands: an equal operation may give another result later.
func (b *Builder) readsVariable(args []Val) bool {
	return len(b.p.variables) > 0 && slices.ContainsFunc(args, func(v Val) bool { return b.p.Variable(v.ID) })
}

// Variable returns a vector that [Builder.Set] gives values. A value that a loop sets first is read in that loop only.
func (b *Builder) Variable(k Kind) Val {
	v := b.p.value(k | variable)
	b.p.variables = append(b.p.variables, v)
	return Val{v, k}
}

// Set has a variable be what an operation with an immediate number gives, one of whose operands the variable may be.
func (b *Builder) Set(v Val, o Op, imm int, args ...Val) {
	b.append(&Instr{Op: o, Kind: v.Kind, Imm: int64(imm)}, v.ID, args)
}

// Zeros returns variables that are 0.
func (b *Builder) Zeros(k Kind, count int) []Val {
	list := b.Vals(count)
	for n := range list {
		list[n] = b.Variable(k)
		b.Set(list[n], Const, 0)
	}
	return list
}

// SetLoad has a variable be what is read at an address.
func (b *Builder) SetLoad(v, at Val, a Access) { b.append(a.instr(Load, v.Kind), v.ID, []Val{at}) }

// once appends an instruction whose result is the same wherever an equal one stands, or finds an equal one.
func (b *Builder) once(i *Instr, k Kind, args ...Val) Val {
	e := b.known.find(i, args)
	if e.instr == nil || !b.known.inScope(e) {
		block, depth := b.block, len(b.known.loops)
		if i.Op.Constant() {
			block, depth = b.home, b.homeDepth
		}
		b.known.set(e, b.appendTo(block, i, b.p.value(k), args), depth)
	}
	return Val{e.instr.Def, k}
}

// append appends an instruction.
func (b *Builder) append(i *Instr, def Value, args []Val) *Instr {
	return b.appendTo(b.block, i, def, args)
}

func (b *Builder) appendTo(block *Block, i *Instr, def Value, args []Val) *Instr {
	at := b.m.instrs.one()
	*at = *i
	at.Def, at.Args, b.p.has[i.Op] = def, b.ids(args), true
	block.Instrs = append(block.Instrs, at)
	return at
}

func (b *Builder) ids(list []Val) []Value {
	ids := b.m.values.list(len(list))
	for n, v := range list {
		ids[n] = v.ID
	}
	return ids
}

// Op appends an operation on vectors of the kind of the first, which it gives. The constant of a minimum or a maximum
// is the first operand.
func (b *Builder) Op(o Op, args ...Val) Val {
	if o == Min || o == Max {
		if _, ok := b.ConstantBits(args[1]); ok {
			args = []Val{args[1].As(args[0].Kind), args[0]}
		}
	}
	return b.add(&Instr{Op: o, Kind: args[0].Kind}, args[0].Kind, args...)
}

// OpImm is Op with an immediate number.
func (b *Builder) OpImm(o Op, imm int, args ...Val) Val {
	return b.add(&Instr{Op: o, Kind: args[0].Kind, Imm: int64(imm)}, args[0].Kind, args...)
}

// Into appends an operation that gives a vector of kind k.
func (b *Builder) Into(o Op, k Kind, imm int, args ...Val) Val {
	return b.add(&Instr{Op: o, Kind: k, Imm: int64(imm)}, k, args...)
}

// Compare appends a comparison, which gives a mask.
func (b *Builder) Compare(o Op, x, y Val) Val {
	return b.add(&Instr{Op: o, Kind: x.Kind}, x.Kind.Mask(), x, y)
}

// Convert appends a conversion to kind k.
func (b *Builder) Convert(o Op, k Kind, x Val) Val {
	return b.add(&Instr{Op: o, Kind: k, From: x.Kind}, k, x)
}

// Bits is the vector of a constant with the given bits.
func (b *Builder) Bits(k Kind, bits uint64) Val {
	if k.Size() == 4 {
		bits &= math.MaxUint32
	}
	v := b.add(&Instr{Op: Const, Kind: k, Imm: int64(bits)}, k)
	for int(v.ID) >= len(b.constants) {
		b.constants = append(b.constants, constant{})
	}
	b.constants[v.ID] = constant{bits, true}
	return v
}

// Float is the vector of a floating-point constant.
func (b *Builder) Float(k Kind, x float64) Val {
	if k == F64 {
		return b.Bits(F64, math.Float64bits(x))
	}
	return b.Bits(F32, uint64(math.Float32bits(float32(x))))
}

// ConstantBits returns the bits of a value that is a constant.
func (b *Builder) ConstantBits(v Val) (bits uint64, ok bool) {
	if int(v.ID) >= len(b.constants) {
		return 0, false
	}
	c := b.constants[v.ID]
	return c.bits, c.is
}

// LaneNumbers is the vector 0, 1, 2 and so on.
func (b *Builder) LaneNumbers(k Kind) Val { return b.add(&Instr{Op: Iota, Kind: k}, k) }

// Words.

// Arg is word n of the call block.
func (b *Builder) Arg(n int) Val { return b.add(&Instr{Op: Arg, Kind: Word, Imm: int64(n)}, Word) }

// Word is a constant.
func (b *Builder) Word(n int) Val {
	return b.add(&Instr{Op: WordConst, Kind: Word, Imm: int64(n)}, Word)
}

// Offset is w + n.
func (b *Builder) Offset(w Val, n int) Val {
	if n == 0 {
		return w
	}
	return b.OpImm(WordAddImm, n, w)
}

// Largest is the largest lane of a vector of i64.
func (b *Builder) Largest(v Val) Val {
	return b.add(&Instr{Op: WordMax, Kind: Word, From: v.Kind}, Word, v)
}

// Along is w + i·n.
func (b *Builder) Along(w, i Val, n int) Val {
	switch n {
	case 0:
		return w
	case 1, 2, 4, 8:
		return b.OpImm(WordIndex, bits.TrailingZeros(uint(n)), w, i)
	case int(int32(n)):
		return b.OpImm(WordAlong, n, w, i)
	}
	return b.Op(WordMulAdd, i, b.Word(n), w)
}

// Lane is the lowest lane of a vector of i64.
func (b *Builder) Lane(v Val) Val {
	return b.add(&Instr{Op: WordLane, Kind: Word, From: v.Kind}, Word, v)
}

// LoadWord reads the 8 bytes at w + n.
func (b *Builder) LoadWord(w Val, n int) Val { return b.LoadElement(None, w, n) }

// LoadElement reads the element of a kind at w + n as a word.
func (b *Builder) LoadElement(k Kind, w Val, n int) Val {
	return b.add(&Instr{Op: WordLoad, Kind: Word, From: element(k), Imm: int64(n)}, Word, w)
}

// StoreElement writes a word as the element of a kind at w + n, or adds it to that if o is [WordGrow].
func (b *Builder) StoreElement(o Op, k Kind, v, w Val, n int) {
	b.append(&Instr{Op: o, Kind: Word, From: element(k), Imm: int64(n)}, -1, []Val{w, v})
}

// element is the kind that gives the length of an element in a word.
func element(k Kind) Kind {
	if k.Size() == 4 {
		return I32
	}
	return None
}

// Check ends the program, with a fault noted, unless w is less than n without signs.
func (b *Builder) Check(w, n Val) { b.append(&Instr{Op: WordCheck, Kind: Word}, -1, []Val{w, n}) }

// Table is the address of constants of 8 bytes.
func (b *Builder) Table(words []uint64) Val {
	n := slices.IndexFunc(b.p.Tables, func(t []uint64) bool { return slices.Equal(t, words) })
	if n < 0 {
		n = len(b.p.Tables)
		b.p.Tables = append(b.p.Tables, words)
	}
	return b.add(&Instr{Op: WordTable, Kind: Word, Imm: int64(n)}, Word)
}

// Memory.

// Access says how a vector lies in memory.
type Access struct {
	Mem     Mem
	Count   int // lanes in use, 0 for all
	Stride  int // bytes between elements, for strided ones
	Offset  int // bytes from the address
	Still   bool
	Shared  bool // of a load: nothing writes there in the body of the innermost loop, so that equal loads are one
	Streams bool // of a store: non-temporal
}

func (a *Access) instr(o Op, k Kind) *Instr {
	return &Instr{Op: o, Kind: k, Mem: a.Mem, Count: int32(a.Count), Stride: a.Stride, Imm: int64(a.Offset), Still: a.Still}
}

// Load reads elements that lie one behind the other.
func (b *Builder) Load(k Kind, at Val, a Access) Val { return b.read(Load, k, at, a) }

func (b *Builder) read(o Op, k Kind, at Val, a Access) Val {
	if a.Shared {
		return b.once(a.instr(o, k), k, at)
	}
	return b.add(a.instr(o, k), k, at)
}

// Splat reads one element into all lanes.
func (b *Builder) Splat(k Kind, at Val, a Access) Val { return b.read(LoadSplat, k, at, a) }

// Strided reads elements that lie apart.
func (b *Builder) Strided(k Kind, at Val, a Access) Val { return b.add(a.instr(LoadStrided, k), k, at) }

// Lookup reads the elements with the numbers in the lanes of index.
func (b *Builder) Lookup(k Kind, at, index Val, a Access) Val {
	i := a.instr(Lookup, k)
	i.From = index.Kind
	return b.add(i, k, at, index)
}

// Store writes elements one behind the other, or apart if a has a stride.
func (b *Builder) Store(v, at Val, a Access) {
	o := Store
	if a.Stride != 0 {
		o = StoreStrided
	} else if a.Streams {
		o = StoreStream
	}
	b.append(a.instr(o, v.Kind), -1, []Val{at, v})
}

// Prefetch has the line of the cache at w + n read.
func (b *Builder) Prefetch(w Val, n int) { b.fetch(Prefetch, w, n) }

// PrefetchNear is Prefetch into all caches.
func (b *Builder) PrefetchNear(w Val, n int) { b.fetch(PrefetchNear, w, n) }

// PrefetchWrite is PrefetchNear of a line that is to be written.
func (b *Builder) PrefetchWrite(w Val, n int) { b.fetch(PrefetchWrite, w, n) }

func (b *Builder) fetch(o Op, w Val, n int) {
	b.append(&Instr{Op: o, Kind: Word, Imm: int64(n)}, -1, []Val{w})
}

// Do appends an operation on words that gives nothing.
func (b *Builder) Do(o Op, args ...Val) { b.append(&Instr{Op: o, Kind: Word}, -1, args) }

// TileTable is the address of the sizes of the registers of squares, as [TileSizes] reads them: the palette, the bytes
// of a row of each register, and the number of its rows.
func (b *Builder) TileTable(size func(register int) (rows, bytes int)) Val {
	var config [64]byte
	config[0] = 1
	for register := range TileAll {
		rows, bytes := size(register)
		binary.LittleEndian.PutUint16(config[16+2*register:], uint16(bytes))
		config[48+register] = byte(rows)
	}
	var words []uint64
	for n := 0; n < len(config); n += 8 {
		words = append(words, binary.LittleEndian.Uint64(config[n:]))
	}
	return b.Table(words)
}

// Tile appends an operation on a register of rows, which are stride bytes apart if they are in memory.
func (b *Builder) Tile(o Op, register, stride int, args ...Val) {
	b.append(&Instr{Op: o, Kind: Word, Imm: int64(register), Stride: stride}, -1, args)
}

// Fault notes that a lane of a mask is -1.
func (b *Builder) Fault(mask Val) { b.append(&Instr{Op: Fault, Kind: mask.Kind}, -1, []Val{mask}) }

// When writes a body that runs if a word is 1, and not if it is 0.
func (b *Builder) When(word Val, body func()) {
	b.loop(word, 1, nil, true, func(Val, []Val) []Val {
		body()
		return nil
	})
}

// Loop writes a loop whose counter goes from 0 to below end in steps. Body gets the counter and the values that the
// loop carries, and returns those for the next turn. The last ones are returned.
func (b *Builder) Loop(end Val, step int, carried []Val, body func(counter Val, carried []Val) []Val) []Val {
	return b.loop(end, step, carried, false, body)
}

func (b *Builder) loop(end Val, step int, carried []Val, rare bool, body func(counter Val, carried []Val) []Val) []Val {
	i := b.turns(Turns{Rare: rare, Counter: b.p.value(Word)}, carried, body)
	i.Imm, i.Args = int64(step), b.ids([]Val{end})
	return b.results(i, carried)
}

// Repeated is a body that stands in the code several times.
type Repeated struct{ loop *Instr }

// Repeat writes a body that stands in the code a number of times, one behind the other. An address that the body
// carries and moves by a constant is moved once if nothing but accesses reads it.
func (b *Builder) Repeat(times int, carried []Val, body func(carried []Val) []Val) ([]Val, Repeated) {
	i := b.turns(Turns{Times: times, Counter: -1}, carried, func(_ Val, c []Val) []Val { return body(c) })
	return b.results(i, carried), Repeated{i}
}

// Again has a body stand in the code a number of times more, with the registers that it has. Values that the body reads
// beside its carried ones are defined outside all loops around one place but not the other.
func (b *Builder) Again(r Repeated, times int, carried []Val) []Val {
	l, i := b.m.loops.one(), b.m.instrs.one()
	l.body = Block{}
	l.turns = Turns{Times: times, Again: r.loop, Counter: -1, Init: b.ids(carried), Body: &l.body}
	*i = Instr{Op: Loop, Kind: Word, Def: -1, Turns: &l.turns}
	return b.results(i, carried)
}

// Copies writes some turns of a body: as those in front if r has them, and else by [Builder.Repeat], which r then has.
func (b *Builder) Copies(r *Repeated, times int, carried []Val, body func(carried []Val) []Val) []Val {
	switch {
	case r.loop != nil:
		return b.Again(*r, times, carried)
	case times == 1:
		return body(carried)
	}
	carried, *r = b.Repeat(times, carried, body)
	return carried
}

// turns writes the body of a loop.
func (b *Builder) turns(t Turns, carried []Val, body func(counter Val, carried []Val) []Val) *Instr {
	l := b.m.loops.one()
	l.body = Block{Instrs: b.m.list()}
	inside := b.valuesLike(carried)
	l.turns = t
	l.turns.Init, l.turns.Params, l.turns.Body = b.ids(carried), b.ids(inside), &l.body
	i := b.m.instrs.one()
	*i = Instr{Op: Loop, Kind: Word, Def: -1, Turns: &l.turns}
	outer, home, depth := b.block, b.home, b.homeDepth
	b.block = i.Body
	b.known.open()
	if t.Rare {
		b.home, b.homeDepth = i.Body, len(b.known.loops)
	}
	i.Body.Yield = b.ids(body(Val{i.Counter, Word}, inside))
	b.known.close()
	b.block, b.home, b.homeDepth = outer, home, depth
	return i
}

// results appends a loop, and returns what it has carried in the end.
func (b *Builder) results(i *Instr, carried []Val) []Val {
	results := b.valuesLike(carried)
	i.Results = b.ids(results)
	b.block.Instrs = append(b.block.Instrs, i)
	return results
}

// valuesLike returns a new value of the kind of each of a list.
func (b *Builder) valuesLike(list []Val) []Val {
	out := b.Vals(len(list))
	for n, v := range list {
		out[n] = Val{b.p.value(v.Kind), v.Kind}
	}
	return out
}
