package machine

import (
	"slices"
	"strings"

	"github.com/go-acap/acap/base/dtype"
)

// Style is a way in which contraction kernels are written and staged. The
// constants are of the way, not of a shape.
type Style struct {
	Efficiency Constant `json:"efficiency"` // share of peak in the inner loop
	// Types is the efficiency for operand types that have another, by type.
	Types map[string]Constant `json:"types,omitempty"`
	// Only lists the operand types that there are such kernels for; empty means all.
	Only []string `json:"only,omitempty"`
	// As is the packed format to which such kernels turn operands of elements in registers, at whose rate they
	// multiply; empty where they multiply what they are given.
	As string `json:"as,omitempty"`
	// Published says that people have published times of such kernels. The other styles are kernels that could be
	// written.
	Published bool `json:"published,omitempty"`
	// Reference says that such kernels are there to be compared with: searches offer others.
	Reference bool `json:"reference,omitempty"`
	// Makers are the words, in small letters, by which published measurements tell of such kernels: names of who writes
	// or compiles them.
	Makers []string `json:"makers,omitempty"`
	// Stored says that every call loads its sums from the core's memory, in their type, and stores them there.
	Stored bool `json:"stored,omitempty"`
	// Read is the largest share of the memory's rate at which such kernels read; 0 means 1.
	Read Constant `json:"read,omitzero"`
	// Ordered says that packed weights lie in memory in the order in which such kernels read them. Read does not bound
	// these.
	Ordered bool     `json:"ordered,omitempty"`
	Call    Constant `json:"call"` // cycles of one kernel call outside its inner loop
	// Update is cycles per element of the output tile in every call: to load its sums
	// and to store them.
	Update Constant `json:"update,omitzero"`
	// Widen is cycles per element of the output tile in every call, where the kernel keeps
	// its sums in an output type narrower than they are: to widen and narrow them.
	Widen Constant `json:"widen,omitzero"`
	// Accumulate is the type of the accumulator tile; "" is the workload's own.
	Accumulate string `json:"accumulate,omitempty"`
	// Convert is cycles per element to turn the accumulator tile into the output
	// tile; zero when the kernel writes it in place.
	Convert Constant `json:"convert,omitzero"`
	// Block is cycles per element of the output tile, once per block: to clear it
	// and to hand it over.
	Block Constant `json:"block,omitzero"`
	// Cast is a second launch that converts an output written in the
	// accumulator's type; zero for none. Its value is the seconds to load it.
	Cast Constant `json:"cast,omitzero"`
	// Load is seconds before the first block, in which such programs load what they keep and nothing else happens.
	Load Constant `json:"load,omitzero"`
	// Amid is the array's time for the kernel among other kernels of a program, as a multiple of its time when the
	// kernel runs again and again; 0 means 1.
	Amid Constant `json:"amid,omitzero"`
	// Vector kernels multiply a matrix by one vector.
	Vector bool `json:"vector,omitempty"`
	// Set is how many output blocks along M, and along N, the host issues DMA tasks for
	// at once before it waits for their results: the greatest number up to this one that
	// divides the blocks. 0 is a row of blocks.
	Set int `json:"set,omitempty"`
}

// Takes reports whether there are such kernels for operands of a type, or of a packed format.
func (s *Style) Takes(name string) bool {
	return len(s.Only) == 0 || slices.Contains(s.Only, name)
}

// Reads returns the share of the memory's rate that the kernels are read for at most.
func (s *Style) Reads() float64 {
	if s.Read.Value > 0 {
		return s.Read.Value
	}
	return 1
}

// KeysShare returns the share of the memory's rate that attention of a style reads keys and values of a type for at
// most, and what comes by their channels. The routine's share was measured for bf16.
func (c *Compute) KeysShare(s *Style, d dtype.DType) float64 {
	if read := c.Routines["attention"].Read.Value; read > 0 && d == dtype.BF16 {
		return min(s.Reads(), read)
	}
	return s.Reads()
}

// EfficiencyOf returns the share of peak in the inner loop for operands of a type.
func (s *Style) EfficiencyOf(name string) float64 {
	if c, ok := s.Types[name]; ok {
		return c.Value
	}
	return s.Efficiency.Value
}

// Published returns the machine with only the kernel styles that published times exist for.
func (m *Machine) Published() *Machine {
	with := *m
	with.Compute.Styles = make(map[string]Style)
	for name, s := range m.Compute.Styles {
		if s.Published {
			s.Reference = false
			with.Compute.Styles[name] = s
		}
	}
	return &with
}

// By returns the machine with the kernel styles alone of one maker, who is the first that a text in small letters
// names, and false where the text names none.
func (m *Machine) By(text string) (*Machine, bool) {
	maker, first := "", len(text)
	for _, s := range m.Compute.Styles {
		for _, name := range s.Makers {
			if at := word(text, name); at >= 0 && at < first {
				maker, first = name, at
			}
		}
	}
	if maker == "" {
		return m, false
	}
	with := *m
	with.Compute.Styles = make(map[string]Style)
	for name, s := range m.Compute.Styles {
		if slices.Contains(s.Makers, maker) {
			s.Reference = false
			with.Compute.Styles[name] = s
		}
	}
	return &with, true
}

// word returns where a text names something, in whole words, and -1 where it does not.
func word(text, name string) int {
	letter := func(i int) bool {
		return i >= 0 && i < len(text) && (text[i] >= 'a' && text[i] <= 'z' || text[i] >= '0' && text[i] <= '9')
	}
	for from := 0; ; {
		at := strings.Index(text[from:], name)
		if at < 0 {
			return -1
		}
		if at += from; !letter(at-1) && !letter(at+len(name)) {
			return at
		}
		from = at + 1
	}
}

// SetOf returns how many of the output blocks along M and along N make a set.
func (s *Style) SetOf(blocksM, blocksN int) (m, n int) {
	switch {
	case s.Set > 0:
		return divisor(blocksM, s.Set), divisor(blocksN, s.Set)
	case blocksN == 1: // there is a single column of them, which folds as well
		return blocksM, 1
	}
	return 1, blocksN
}

// Matrices returns how many matrices of a batch the host issues DMA tasks for at once: all of
// them where a set is all blocks of a matrix.
func (s *Style) Matrices(batch, blocksM, blocksN int) int {
	if m, n := s.SetOf(blocksM, blocksN); m < blocksM || n < blocksN {
		return 1
	}
	return batch
}

// divisor returns the greatest divisor of n up to most.
func divisor(n, most int) int {
	d := max(1, min(n, most))
	for n%d != 0 {
		d--
	}
	return d
}
