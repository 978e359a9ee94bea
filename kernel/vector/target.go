package vector

// Shape says what an instruction needs of the registers.
type Shape struct {
	Tied    int8 // the operand that the result replaces, -1 if none
	Vectors int8 // vector registers beside its operands and result
	Words   int8 // general registers likewise
	Early   bool
	// Early says that the result is written before all operands are read, so that it may share the register of the
	// tied one only.
	Memory int8 // 1 + the operand that may be in memory, 0 if none may
	Folded bool // a load that the next instruction does itself, which alone needs what is loaded: it takes no register
}

// File is registers of a sort.
type File uint8

// The files of registers.
const (
	Vectors File = iota
	Words
	Masks
	files
)

// Target tells allocation about a processor.
type Target interface {
	// Shape returns what an instruction needs, behind which another one stands in its block, nil if none does.
	Shape(i, next *Instr) *Shape
	// File returns the registers that a value may be in.
	File(v Value) File
	// Registers returns the registers of a file. room is the number of registers that a loop has for computed values
	// when the values from outside occupy the other registers.
	Registers(f File) (list []int, room int)
}
