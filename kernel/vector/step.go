package vector

// StepKind says what a step of allocated code is.
type StepKind uint8

// The kinds of steps.
const (
	Do     StepKind = iota // the instruction
	Move                   // Source[0] to Result
	Reload                 // Result from Slot, or from the instruction that makes a constant
	Spill                  // Source[0] to Slot
	Enter                  // of a loop: Result is the counter, -1 of a rare loop, Source[0] its end
	Repeat                 // of the same loop
	Begin                  // of each turn of a body that stands in the code several times
	End                    // behind all such turns
	Again                  // behind turns of a body that has stood in the code before
)

// Step is an instruction with its registers. Those of words and of vectors are counted apart.
type Step struct {
	Instr   *Instr
	Made    *Instr // with a source of -1, which is an operand in memory: the constant, nil if it is in Slot
	Result  int
	Slot    int
	by      int64 // how far a turn of a body that stands in the code several times moves the address that is read
	Of      Value // that is moved
	carried int32 // of a loop, where the registers of what it carries begin in a list
	source  [4]int8
	vector  [4]int8 // registers for the moment
	word    [2]int8
	Kind    StepKind
}

// Source returns the register of an operand, -1 if the operand is in memory.
func (s *Step) Source(n int) int { return int(s.source[n]) }

// Folded reports whether a step loads what the next step reads from memory itself.
func (s *Step) Folded() bool { return s.Kind == Do && s.Of >= 0 && s.Result < 0 }

// Moves returns by how many bytes each turn of a body that stands in the code several times moves the address of a step.
func (s *Step) Moves() int { return int(s.by) }

// Vector returns a vector register for the moment.
func (s *Step) Vector(n int) int { return int(s.vector[n]) }

// Word returns a general register for the moment.
func (s *Step) Word(n int) int { return int(s.word[n]) }
