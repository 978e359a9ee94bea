package dtype

import "fmt"

// Format is how values of a type are packed in fewer bits than its elements have. Those of a 16-bit
// type share something with their neighbours, a scale or an exponent.
type Format uint8

// The formats.
const (
	Plain Format = iota // element by element, as the type says
	// BFP16 is block floating point: 8 values share an exponent of 8 bits and have mantissas of 8
	// bits with the sign, which is bfp16ebs8 of AMD's XDNA 2.
	BFP16
	// Q4 is 4 bits a value, from -8 to 7, and a scale of bf16 for 32 of them.
	Q4
	// Q8 is 8 bits a value, from -128 to 127, and a scale of bf16 for 32 of them.
	Q8
	// I4 is an i8 from -8 to 7 in 4 bits.
	I4
	numFormats
)

var formats = [numFormats]struct {
	name  string
	block int
}{Plain: {"", 1}, BFP16: {"bfp16", 8}, Q4: {"q4", 32}, Q8: {"q8", 32}, I4: {"i4", 1}}

// String returns the name of a format, empty for a plain one.
func (f Format) String() string {
	if !f.Valid() {
		return fmt.Sprintf("Format(%d)", uint8(f))
	}
	return formats[f].name
}

// Block returns how many values share what they share, 1 for a plain format and for what is none.
func (f Format) Block() int {
	if !f.Valid() {
		return 1
	}
	return formats[f].block
}

// Valid reports whether f is one of the formats.
func (f Format) Valid() bool { return f < numFormats }

// Formats lists the formats that weights can be packed in; the others are of kernels that arrays have.
func Formats() []Format { return []Format{BFP16, Q4} }

// ParseFormat reads the name of one of [Formats].
func ParseFormat(name string) (Format, error) {
	for _, f := range Formats() {
		if f.String() == name {
			return f, nil
		}
	}
	return Plain, fmt.Errorf("weights are packed as bfp16 or q4, and not as %q", name)
}
