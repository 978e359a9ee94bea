package vector

// Kind is the type of a lane of a vector, or of a word.
type Kind uint8

// The kinds.
const (
	None Kind = iota
	F32
	F64
	I32
	I64
	// Bytes is four bytes for each lane, or eight halves for four lanes, in a whole register of 16 bytes or more;
	// arithmetic, shifts and comparisons are of bytes.
	Bytes
	Word // an address or a count
	// Kinds is the number of kinds.
	Kinds = iota
)

var kindNames = [...]string{"none", "f32", "f64", "i32", "i64", "bytes", "word"}

func (k Kind) String() string { return kindNames[k] }

// Size returns the bytes of an element.
func (k Kind) Size() int { return [...]int{0, 4, 8, 4, 8, 16, 8}[k] }

// IsFloat reports whether the elements are floating-point numbers.
func (k Kind) IsFloat() bool { return k == F32 || k == F64 }

// Mask returns the kind of masks for the kind.
func (k Kind) Mask() Kind {
	switch k.Size() {
	case 4:
		return I32
	case 8:
		return I64
	}
	return k
}

// Mem is the form of a vector's elements in memory, where they may be shorter.
type Mem uint8

// The elements in memory: the elements of the vector itself; integers of one and two bytes, which are extended when
// they are loaded, bytes to two bytes if the vector is one of [Bytes]; the two half types, which become f32; integers
// of eight bytes, as which integers of four are stored; and bf16 to which a store rounds f32, where numbers below the
// least normal one become zeros.
const (
	Same Mem = iota
	S8
	U8
	S16
	U16
	Half
	Brain
	Long
	Flushed
)

var memNames = [...]string{"same", "s8", "u8", "s16", "u16", "f16", "bf16", "s64", "flushed"}

func (m Mem) String() string { return memNames[m] }

// Size returns the bytes of an element in memory of a vector of kind k.
func (m Mem) Size(k Kind) int {
	switch m {
	case S8, U8:
		return 1
	case S16, U16, Half, Brain, Flushed:
		return 2
	case Long:
		return 8
	}
	return k.Size()
}

// Value is the result of an instruction, or a value that a loop carries or counts.
type Value int32

// Instr is an operation on values.
type Instr struct {
	Op     Op
	Kind   Kind // of the result, or of what is stored
	From   Kind // of the operand of conversions, of the numbers of a lookup
	Mem    Mem
	Still  bool  // a load of what the program does not change, which may be moved out of loops
	Scale  int8  // of the word behind the other operands, which times so much is added to an address; 0 is none
	Def    Value // -1 if there is none
	Count  int32
	Stride int
	Imm    int64
	Args   []Value
	*Turns // of a loop, nil if it is none
}

// Turns are what a loop has beside other operations. It runs Body for Counter = 0, Step, 2·Step and so on below its
// operand. Each turn begins with the values that the one before has yielded in Params, the first with those in Init;
// the last ones are in Results. Step is in Imm.
type Turns struct {
	// Times is the number of turns of a loop that has no operand and no counter, which is -1: its body stands in the
	// code that often. It is 0 for other loops.
	Times int
	// Again is an earlier loop that stands in the code, whose body the loop has, nil if the loop has its own. There are
	// no Params then, and Body is empty.
	Again *Instr
	// Rare says that the operand is 0 or 1, and often 0, so that no code is moved out of the loop. Nothing reads the counter.
	Rare                  bool
	Counter               Value
	Init, Params, Results []Value
	Body                  *Block
}

// Block is a list of instructions, and what it yields if it is the body of a loop.
type Block struct {
	Instrs []*Instr
	Yield  []Value
}

// Program is vector code.
type Program struct {
	Name  string
	Lanes int
	// Tables are constants in memory, of 8 bytes.
	Tables    [][]uint64
	Body      *Block
	kinds     []Kind // of each value
	variables []Value
	has       [numOps]bool
	memory    *memory
}

// Has reports whether the program has, or had, an operation.
func (p *Program) Has(o Op) bool { return p.has[o] }

// Kind returns the kind that a value was made as.
func (p *Program) Kind(v Value) Kind { return p.kinds[v] &^ variable }

// Variable reports whether a value is a variable, which instructions define again and again.
func (p *Program) Variable(v Value) bool { return p.kinds[v]&variable != 0 }

// variable marks the kinds of variables.
const variable Kind = 1 << 7

// Values returns the number of values.
func (p *Program) Values() int { return len(p.kinds) }

// Bytes returns the length of a vector of a kind.
func (p *Program) Bytes(k Kind) int {
	if k == Bytes {
		return max(16, 4*p.Lanes)
	}
	return p.Lanes * k.Size()
}

// Taking returns how many lanes take part in an access.
func (p *Program) Taking(i *Instr) int {
	switch {
	case i.Kind == Bytes:
		return p.Bytes(Bytes) / Bytes.Size()
	case i.Count > 0:
		return int(i.Count)
	}
	return p.Lanes
}

// Pieces calls f for the powers of two, up to 16, that a number of bytes is made of, the largest first.
func Pieces(bytes int, f func(at, size int)) {
	at := 0
	for size := 16; size >= 1; size /= 2 {
		for ; bytes-at >= size; at += size {
			f(at, size)
		}
	}
}

func (p *Program) value(k Kind) Value {
	p.kinds = append(p.kinds, k)
	return Value(len(p.kinds) - 1)
}

// Each calls f for every instruction; a loop's body comes after the loop.
func (p *Program) Each(f func(*Instr)) { p.Body.each(f) }

func (b *Block) each(f func(*Instr)) {
	for _, i := range b.Instrs {
		f(i)
		if i.Op == Loop {
			i.Body.each(f)
		}
	}
}
