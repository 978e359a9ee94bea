package vector

// Op is an operation.
type Op uint8

// The operations. The table below says what the letter of an operand means.
const (
	Invalid Op = iota

	// Words.
	Arg       // word Imm of the call block
	WordConst // Imm
	WordAdd
	WordAddImm // a + Imm
	WordSub
	WordMulAdd // a·b + c
	WordAlong  // a + b·Imm, which fits 32 bits
	WordIndex  // a + b << Imm
	WordShift  // a << Imm
	WordSigned // a >> Imm, with its sign
	WordBits   // how many bits a has up to its highest 1
	WordLoad   // the 8 bytes at a + Imm, or the 4 if From is i32
	WordStore  // as many lowest bytes of b, there
	WordGrow   // adds b to the number there, likewise
	WordMax    // the largest lane of a vector of i64
	WordLane   // the lowest lane of a vector of i64
	WordBelow  // 1 if a is less than b without signs, 0 if not
	WordTable  // the address of table Imm of the program
	WordCheck  // ends the program, with a fault noted, unless a is less than b without signs

	// Where vectors come from.
	Const // Imm, the bits of an element, in all lanes
	Iota  // the number of each lane
	Dup   // a word in all lanes
	DupLane
	Spread // lane Imm of a in all lanes; all lanes of b are Imm, for processors that read it there
	// Permute gives the lanes of a with the numbers in the lanes of b.
	Permute
	// Permute2 gives the lanes of a, and of b behind them, with the numbers in the lanes of c.
	Permute2
	// Rotate moves lane Imm to the bottom, and the lanes behind lane Imm after it; the other lanes are unspecified.
	Rotate
	RotateEach // Rotate of the lanes in each 16 bytes; the lanes before lane Imm come behind the rest
	// Slide moves lane 0 of a to lane Imm, and those after it behind it; below are the top lanes of b.
	Slide

	// Memory. An address is a word plus Imm bytes. Mem says what elements are in memory. If Count is not 0, Count lanes
	// take part: the other lanes are 0 after loads.
	Load
	LoadSplat   // one element in all lanes
	LoadStrided // elements Stride bytes apart; vectors of bytes consist of elements of 16
	Lookup      // elements at the numbers in the lanes of b
	Store
	StoreStrided
	StoreStream   // non-temporal Store of a whole vector, at a multiple of its bytes
	Prefetch      // has a line of the cache read into caches but the first-level one, wherever the address points
	PrefetchNear  // into all caches
	PrefetchWrite // into all caches, to be written: other cores lose the line
	Fence         // has the bytes of StoreStream be in memory before those that are stored after it

	// Arithmetic. Integers wrap. Minima and maxima are NaN if an operand is, MinNum and MaxNum if both are; -0 is less
	// than +0 in all of them.
	Add
	Sub
	Mul
	Div  // of floats
	Quot // of integers, truncated; 0 by 0
	Min
	Max
	MinNum
	MaxNum
	MinAny      // a minimum, but b may be what it is if an operand is a NaN or both are zeros
	MaxAny      // likewise
	MinOrdered  // a minimum of numbers; if an operand is a NaN, any number
	MaxOrdered  // likewise
	MinUnsigned // of integers
	MaxUnsigned
	MulAdd  // a·b + c, rounded once
	MulSub  // a·b - c, rounded once
	NegMul  // c - a·b, rounded once
	LaneMul // a·b[Imm] + c, floats rounded once; in each 16 bytes, with the lanes there
	Neg
	Abs
	TakeSign // of bytes: a where b is positive, -a where it is negative, 0 where it is 0
	Sqrt
	RoundEven
	RoundDown
	RoundUp
	RoundZero
	RoundAway
	Scale     // a·2ᵇ for integral b; 0 or infinity for an infinite b, though a is NaN
	Exponent  // the exponent of 2 in a, as a float
	Mantissa  // a over a power of two, from ¾ to 1½; NaN if a is less than 0
	Choose    // the elements of a table of 32 of f32, at an address, at the numbers in the lowest five bits of i32
	CountOnes // of the bytes of an element, in each element
	MulHigh   // the upper halves of the products of integers of 4 bytes without sign
	MulLower  // the products, of 8 bytes, of the lower halves without sign

	// Bits.
	And
	AndNot // a and not b
	Or
	Xor
	Xor3  // of three
	AndOr // a and b, or c
	Not
	Select // mask a: b where it is -1, c where it is 0
	Merge  // bits of b where bits of a are 1, bits of c where they are 0
	ShiftLeft
	ShiftRight
	ShiftSigned
	ShiftLeftBy   // by the lanes of b, from 0 to the bits of an element less 1
	ShiftRightBy  // as ShiftLeftBy
	ShiftSignedBy // as ShiftLeftBy

	// Comparisons give masks of the width of the operands.
	Equal
	Less
	LessEqual
	Below     // of integers without sign
	Unordered // of floats: one is NaN

	// Conversions, from kind From.
	Widen      // integers with their sign, or f32 to f64
	Narrow     // the lower half of integers, or f64 to f32, rounded
	ToFloat    // of integers of the same width
	ToInteger  // of floats of the same width, truncated
	RoundHalf  // f32 to the values of f16
	RoundBrain // f32 to the values of bf16
	HalfBits   // f32 to the bits of an f16, in i32
	OfHalfBits // the inverse; the upper halves do not matter
	WidenLow   // the elements of Imm bytes in the lower half of 16 bytes, with their sign, to twice as many bytes
	WidenHigh  // those in the upper half
	WidenBytes // as many bytes as there are lanes, from byte Imm times that number on, with their sign

	// Products of parts of 32 bits, added to lanes of c.
	DotSigned       // four bytes with sign of a and of b
	DotAny          // DotSigned, but a lane may have the products of others; sums of two fit in 16 bits
	DotUnsigned     // without
	DotMixed        // a without sign, b with
	DotBrain        // two bf16 of a and of b, added to f32: rounded once to nearest even, without subnormal numbers
	DotLane         // DotSigned with element Imm of b for all of a
	DotLaneUnsigned // DotUnsigned likewise
	DotLaneMixed    // DotMixed likewise: a without sign
	DotLaneSwapped  // a with sign, b without
	// Products of bytes in two steps, for processors that sum four of them in no one step.
	PairsMixed // the sums of two products of bytes, of a without sign and of b with, in 16 bits, as far as they fit
	AddPairs   // the sums of a and b as numbers of 16 bits
	SumPairs   // the sums of two products of numbers of 16 bits with sign
	Shorten    // in each 16 bytes the numbers of a and behind them the numbers of b, in 16 bits, as far as they fit
	// Of two rows of eight bytes (four bf16) in a and two in b, the four sums of products.
	MatSigned
	MatUnsigned
	MatMixed
	MatBrain

	// Places of elements of Imm bytes, in each 16 bytes of vectors; elements of 16 bytes in whole vectors, of 32 for Zip1
	// and Zip2.
	Zip1
	Zip2
	Unzip1
	Unzip2
	Transpose1
	Transpose2
	Pick // the bytes of a at the numbers from 0 to 15 in the bytes of b, and 0 at 255

	// Products of squares, for processors with registers of up to 16 rows of up to 64 bytes. Registers 0 to 3 are for sums
	// of two by two squares, row by row, 4 and 5 for the rows of cells of the upper and the lower squares, 6 and 7 for the
	// columns of the left and the right ones. Rows are Stride bytes apart in memory.
	TileSizes       // sets how many rows each register has, and their bytes, as the 64 bytes at a say
	TileZero        // register Imm
	TileLoad        // register Imm, from a
	TileLoadFar     // likewise, of what does not stay in the first-level cache
	TileDotSigned   // adds to register Imm the products of its rows and columns: of bytes with sign, by fours
	TileDotMixed    // likewise, rows without sign
	TileDotSwapped  // likewise, columns without sign
	TileDotUnsigned // likewise, all without sign
	TileDotBrain    // of bf16 by twos, as DotBrain does
	TileStore       // register Imm, to a
	TileRelease     // frees the registers

	Fault // notes that a lane of a mask is -1
	Loop  // see [Instr]
	numOps
)

// Registers of squares: the first one of sums, of rows, and of columns.
const (
	TileSums    = 0
	TileRows    = 4
	TileColumns = 6
	TileAll     = 8
)

// TileFactors returns the registers of the rows and the columns whose products a register of sums has.
func TileFactors(sums int) (rows, columns int) { return TileRows + sums/2, TileColumns + sums%2 }

// A register of squares has TileSide rows of TileRow bytes, and TileBytes in all, at most.
const (
	TileSide  = 16
	TileRow   = 64
	TileBytes = TileSide * TileRow
)

// opInfo describes an operation. The signature says what it takes and gives: v a vector of the instruction's kind, f one of kind From, m a mask
// of the instruction's kind, a a vector of any kind, w a word. Behind the arrow is the result.
type opInfo struct {
	name      string
	signature string
	pure      bool // may be moved, and done once for equal operands
}

var ops = [numOps]opInfo{
	Invalid: {name: "invalid"},
	Arg:     {"arg", ">w", true}, WordConst: {"wconst", ">w", true}, WordAdd: {"wadd", "ww>w", true},
	WordAddImm: {"waddi", "w>w", true}, WordSub: {"wsub", "ww>w", true},
	WordMulAdd: {"wmadd", "www>w", true}, WordAlong: {"walong", "ww>w", true}, WordIndex: {"windex", "ww>w", true}, WordShift: {"wshl", "w>w", true},
	WordSigned: {"wsar", "w>w", true}, WordBits: {"wbits", "w>w", true},
	WordLoad: {"wload", "w>w", false}, WordStore: {"wstore", "ww>", false},
	WordGrow: {"wgrow", "ww>", false},
	WordMax:  {"wmax", "f>w", true}, WordLane: {"wlane", "f>w", true}, WordBelow: {"wbelow", "ww>w", true},
	Scale: {"scale", "vv>v", true}, Exponent: {"exponent", "v>v", true}, Mantissa: {"mantissa", "v>v", true},
	WordTable: {"table", ">w", true},
	WordCheck: {"wcheck", "ww>", false},

	Const: {"const", ">v", true}, Iota: {"iota", ">v", true}, Dup: {"dup", "w>v", true},
	DupLane: {"duplane", "v>v", true}, Rotate: {"rotate", "v>v", true}, RotateEach: {"rotateeach", "v>v", true}, Spread: {"spread", "vv>v", true}, Permute: {"permute", "va>v", true}, Permute2: {"permute2", "vva>v", true}, Slide: {"slide", "vv>v", true},

	Load: {"load", "w>v", false}, LoadSplat: {"splat", "w>v", false}, LoadStrided: {"strided", "w>v", false},
	Lookup: {"lookup", "wf>v", false}, Store: {"store", "wv>", false}, StoreStrided: {"storestrided", "wv>", false}, StoreStream: {"storestream", "wv>", false},
	Prefetch: {"prefetch", "w>", false}, PrefetchNear: {"prefetchnear", "w>", false}, PrefetchWrite: {"prefetchwrite", "w>", false}, Fence: {"fence", ">", false},

	Add: {"add", "vv>v", true}, Sub: {"sub", "vv>v", true}, Mul: {"mul", "vv>v", true}, Div: {"div", "vv>v", true},
	Quot: {"quot", "vv>v", true}, Min: {"min", "vv>v", true}, Max: {"max", "vv>v", true},
	MinNum: {"minnum", "vv>v", true}, MaxNum: {"maxnum", "vv>v", true},
	MinAny: {"minany", "vv>v", true}, MaxAny: {"maxany", "vv>v", true},
	MinOrdered: {"minordered", "vv>v", true}, MaxOrdered: {"maxordered", "vv>v", true},
	MinUnsigned: {"minu", "vv>v", true}, MaxUnsigned: {"maxu", "vv>v", true}, MulAdd: {"fma", "vvv>v", true},
	MulSub: {"fms", "vvv>v", true}, NegMul: {"fnma", "vvv>v", true}, LaneMul: {"fmalane", "vvv>v", true},
	Neg: {"neg", "v>v", true}, Abs: {"abs", "v>v", true}, TakeSign: {"takesign", "vv>v", true}, Sqrt: {"sqrt", "v>v", true},
	RoundEven: {"roundeven", "v>v", true}, RoundDown: {"floor", "v>v", true}, RoundUp: {"ceil", "v>v", true},
	RoundZero: {"trunc", "v>v", true}, RoundAway: {"round", "v>v", true}, Choose: {"choose", "wa>v", true}, CountOnes: {"popcount", "v>v", true},
	MulHigh: {"mulhigh", "vv>v", true}, MulLower: {"mullower", "vv>v", true},

	And: {"and", "vv>v", true}, AndNot: {"andnot", "vv>v", true}, Or: {"or", "vv>v", true}, Xor: {"xor", "vv>v", true},
	Xor3: {"xor3", "vvv>v", true}, AndOr: {"andor", "vvv>v", true},
	Not: {"not", "v>v", true}, Select: {"select", "mvv>v", true}, Merge: {"merge", "vvv>v", true}, ShiftLeft: {"shl", "v>v", true},
	ShiftRight: {"shr", "v>v", true}, ShiftSigned: {"sar", "v>v", true}, ShiftLeftBy: {"shlv", "vv>v", true},
	ShiftRightBy: {"shrv", "vv>v", true}, ShiftSignedBy: {"sarv", "vv>v", true},

	Equal: {"eq", "vv>m", true}, Less: {"lt", "vv>m", true}, LessEqual: {"le", "vv>m", true}, Below: {"below", "vv>m", true},
	Unordered: {"unordered", "vv>m", true},

	Widen: {"widen", "f>v", true}, Narrow: {"narrow", "f>v", true}, ToFloat: {"tofloat", "f>v", true},
	ToInteger: {"tointeger", "f>v", true}, RoundHalf: {"roundhalf", "v>v", true}, RoundBrain: {"roundbrain", "v>v", true},
	HalfBits: {"halfbits", "f>v", true}, OfHalfBits: {"ofhalfbits", "f>v", true},

	WidenLow: {"widenlow", "a>v", true}, WidenHigh: {"widenhigh", "a>v", true}, WidenBytes: {"widenbytes", "a>v", true},

	DotSigned: {"sdot", "aav>v", true}, DotAny: {"sdotany", "aav>v", true}, DotUnsigned: {"udot", "aav>v", true}, DotMixed: {"usdot", "aav>v", true}, DotBrain: {"bfdot", "aav>v", true},
	DotLane: {"sdotlane", "aav>v", true}, DotLaneUnsigned: {"udotlane", "aav>v", true},
	DotLaneMixed: {"usdotlane", "aav>v", true}, DotLaneSwapped: {"sudotlane", "aav>v", true},
	PairsMixed: {"uspairs", "aa>v", true}, AddPairs: {"addpairs", "aa>v", true}, SumPairs: {"sumpairs", "aa>v", true}, Shorten: {"shorten", "aa>v", true},
	MatSigned: {"smmla", "aav>v", true}, MatUnsigned: {"ummla", "aav>v", true}, MatMixed: {"usmmla", "aav>v", true},
	MatBrain: {"bfmmla", "aav>v", true},

	Zip1: {"zip1", "aa>v", true}, Zip2: {"zip2", "aa>v", true}, Unzip1: {"uzp1", "aa>v", true}, Unzip2: {"uzp2", "aa>v", true},
	Transpose1: {"trn1", "aa>v", true}, Transpose2: {"trn2", "aa>v", true}, Pick: {"pick", "aa>v", true},

	TileSizes: {"tilesizes", "w>", false}, TileZero: {"tilezero", ">", false}, TileLoad: {"tileload", "w>", false},
	TileLoadFar: {"tileloadfar", "w>", false}, TileDotSigned: {"tilesdot", ">", false}, TileDotMixed: {"tileusdot", ">", false},
	TileDotSwapped: {"tilesudot", ">", false}, TileDotUnsigned: {"tileudot", ">", false},
	TileDotBrain: {"tilebfdot", ">", false}, TileStore: {"tilestore", "w>", false}, TileRelease: {"tilerelease", ">", false},

	Fault: {"fault", "a>", false}, Loop: {"loop", "w>", false},
}

// String returns the name of the operation in text.
func (o Op) String() string {
	if o >= numOps {
		return "invalid"
	}
	return ops[o].name
}

// Ops returns all operations.
func Ops() []Op {
	list := make([]Op, numOps-Arg)
	for n := range list {
		list[n] = Arg + Op(n)
	}
	return list
}

// Constant reports whether the operation makes a value of nothing: it can be made again instead of kept.
func (o Op) Constant() bool {
	return o == Const || o == WordConst || o == Iota || o == Arg || o == WordTable
}
