package vector

import "unsafe"

// Machine is machine code of a program.
type Machine interface {
	// Call runs the code with a call block, whose words the program reads.
	Call(block unsafe.Pointer)
	// BlockBytes returns the bytes of the call block and of what the code keeps behind its words.
	BlockBytes() int
	// Listing returns the code disassembled.
	Listing() string
	// Close frees the code, which must not run afterwards.
	Close()
}

// Backend makes machine code.
type Backend interface {
	// VectorBytes returns the length of the processor's vectors.
	VectorBytes() int
	// Build makes code of a program whose call block has so many words; Fault sets the given one. Its error wraps
	// [ErrPressure] if registers do not suffice.
	Build(p *Program, words, fault int) (Machine, error)
}
