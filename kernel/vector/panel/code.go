package panel

import (
	"fmt"
	"unsafe"

	"github.com/go-acap/acap/kernel"
	"github.com/go-acap/acap/kernel/vector"
)

// code is machine code that is called with words.
type code struct{ *vector.Machine }

// blockWords is how many words a call block and what the code keeps behind it may take: programs of copies need no
// registers but those that processors have.
const blockWords = 48

// build makes code of a program that is called with a number of words. The error wraps [kernel.ErrUnsupported] and
// [vector.ErrPressure] if the program keeps more than a few vectors in memory.
func build(t vector.Backend, write func() *vector.Program, words int) (code, error) {
	m, err := t.Build(write, words+1, words)
	if err == nil && m.BlockBytes() > 8*blockWords {
		return code{}, fmt.Errorf("%w: %w", kernel.ErrUnsupported, vector.ErrPressure)
	}
	return code{m}, err
}

// call runs the code. The memory that the words point to must be kept alive.
func (c code) call(words ...uintptr) {
	var block [blockWords]uintptr
	copy(block[:], words)
	c.Call(unsafe.Pointer(&block))
}
