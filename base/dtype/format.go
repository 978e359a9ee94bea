package dtype

import "fmt"

// Format is how values of an element type are packed in fewer bits than the type has. Packed values of a 16-bit type
// share a scale or an exponent with their neighbours.
//
// Some formats describe bytes in memory: blocks of a number of values in a number of bytes, see [Format.Bytes]. These
// are the formats of GGUF files and of a [Group]; package block reads them. A tensor in such a format is a tensor of
// bytes, whose rows are whole blocks.
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
	// Blocks of 32 with a scale of f16, and in those that end in 1 a least value.
	Q4_0
	Q4_1
	Q5_0
	Q5_1
	Q8_0
	// Blocks of 256 in parts of 16 or 32, whose scales are small integers times a number of the block.
	Q2_K
	Q3_K
	Q4_K
	Q5_K
	Q6_K
	// Blocks of 32 and of 256 whose values are 16 numbers of a table.
	IQ4_NL
	IQ4_XS
	// Blocks of 32 and 64 of the float of 4 bits, with scales of powers of two and of float8.
	MXFP4
	NVFP4
	// Blocks of 256 values; 8 or 4 neighbours are a row of a table.
	IQ2_XXS
	IQ2_XS
	IQ2_S
	IQ3_XXS
	IQ3_S
	IQ1_S
	IQ1_M
	// Blocks of 256 of -1, 0 and 1.
	TQ1_0
	TQ2_0
	// Sparse24 has at most two nonzero values in every four neighbours along the sum of a product. It stores these
	// values and a mask, by which the multipliers of AIE-ML skip the zeros.
	Sparse24
	// NumFormats is the number of formats, including the formats of a [Group].
	NumFormats = Sparse24 + 1 + 12
)

// packing is a format's name, how many values a block has, and the bytes of a block.
type packing struct {
	name         string
	block, bytes int
}

// formats has the name of each format, the values of a block, and the bytes of a block if the format defines bytes.
var formats = [NumFormats]packing{
	Plain: {"", 1, 0}, BFP16: {"bfp16", 8, 0}, Q4: {"q4", 32, 0}, Q8: {"q8", 32, 0}, I4: {"i4", 1, 0},
	Q4_0: {"q4_0", 32, 18}, Q4_1: {"q4_1", 32, 20}, Q5_0: {"q5_0", 32, 22}, Q5_1: {"q5_1", 32, 24}, Q8_0: {"q8_0", 32, 34},
	Q2_K: {"q2_k", 256, 84}, Q3_K: {"q3_k", 256, 110}, Q4_K: {"q4_k", 256, 144}, Q5_K: {"q5_k", 256, 176}, Q6_K: {"q6_k", 256, 210},
	IQ4_NL: {"iq4_nl", 32, 18}, IQ4_XS: {"iq4_xs", 256, 136}, MXFP4: {"mxfp4", 32, 17}, NVFP4: {"nvfp4", 64, 36},
	IQ2_XXS: {"iq2_xxs", 256, 66}, IQ2_XS: {"iq2_xs", 256, 74}, IQ2_S: {"iq2_s", 256, 82}, IQ3_XXS: {"iq3_xxs", 256, 98},
	IQ3_S: {"iq3_s", 256, 110}, IQ1_S: {"iq1_s", 256, 50}, IQ1_M: {"iq1_m", 256, 56}, TQ1_0: {"tq1_0", 256, 54},
	TQ2_0: {"tq2_0", 256, 66}, Sparse24: {"sparse24", 4, 0},
}

func init() {
	for i, g := range groups {
		formats[firstGroup+Format(i)] = packing{g.String(), g.Size, g.Header() + g.Size*g.Bits/8}
	}
}

// String returns the name of a format, empty for a plain one.
func (f Format) String() string {
	if !f.Valid() {
		return fmt.Sprintf("Format(%d)", uint8(f))
	}
	return formats[f].name
}

// Block returns the number of values in a block, which share a scale or the like; 1 for Plain and for an unknown
// format.
func (f Format) Block() int {
	if !f.Valid() {
		return 1
	}
	return formats[f].block
}

// Bytes returns the bytes of a block of [Format.Block] values, and 0 for a format that does not say what bytes are.
func (f Format) Bytes() int {
	if !f.Valid() {
		return 0
	}
	return formats[f].bytes
}

// RowBytes returns the bytes of a row of n values. It reports false if the values are no whole blocks, or if the format
// does not define bytes.
func (f Format) RowBytes(values int) (bytes int, whole bool) {
	if f.Bytes() == 0 || values < 0 || values%f.Block() != 0 {
		return 0, false
	}
	return values / f.Block() * f.Bytes(), true
}

// Valid reports whether f is one of the formats.
func (f Format) Valid() bool { return f < NumFormats }

// StoredFormats lists the formats that say what bytes are.
func StoredFormats() (list []Format) {
	for f := range NumFormats {
		if f.Bytes() > 0 {
			list = append(list, f)
		}
	}
	return list
}

// FormatNamed returns the format of a name, and whether there is one.
func FormatNamed(name string) (Format, bool) {
	for f := Plain + 1; f < NumFormats; f++ {
		if formats[f].name == name {
			return f, true
		}
	}
	return Plain, false
}

// Formats lists the formats that weights can be packed in; the others are of kernels that arrays have.
func Formats() []Format { return []Format{BFP16, Q4} }

// ParseFormat reads the name of one of [Formats]. Another name is an error.
func ParseFormat(name string) (Format, error) {
	for _, f := range Formats() {
		if f.String() == name {
			return f, nil
		}
	}
	return Plain, fmt.Errorf("weights are packed as bfp16 or q4, and not as %q", name)
}
