package cpu

import (
	"fmt"
	"os"
	"sync"

	"github.com/go-acap/acap/base/environment"
)

// Level is the vector instruction set that kernels are generated for.
type Level uint8

const (
	Portable Level = iota // no generated code: the portable back end
	NEON                  // the vectors of arm64; 32 registers of 16 bytes
	AVX2                  // AVX2, FMA, F16C and BMI2; 16 registers of 32 bytes
	AVX512                // AVX-512 F, BW, DQ, VL, CD as well; 32 registers of 64 bytes, masks
)

// String returns the level's name as ACAP_KERNELS spells it.
func (l Level) String() string { return [...]string{"portable", "neon", "avx2", "avx512"}[l] }

// ParseLevel returns the level of that name; another name is an error.
func ParseLevel(name string) (Level, error) {
	for l := Portable; l <= AVX512; l++ {
		if l.String() == name {
			return l, nil
		}
	}
	return 0, fmt.Errorf("unknown kernel level %q: want avx512, avx2, neon or portable", name)
}

// VectorBytes returns the length of the level's vector registers, 0 for Portable.
func (l Level) VectorBytes() int { return [...]int{0, 16, 32, 64}[l] }

// VectorRegisters returns the number of the level's vector registers, 0 for Portable.
func (l Level) VectorRegisters() int { return [...]int{0, 32, 16, 32}[l] }

// Includes reports whether a processor of the level runs code for level m: one with AVX-512 runs that for AVX2, and
// every one runs portable code.
func (l Level) Includes(m Level) bool { return m == l || m == Portable || l == AVX512 && m == AVX2 }

// Features are the facts that code generation depends on.
type Features struct {
	Level      Level
	VNNI       bool    // VPDPBUSD on vectors of the level: AVX512_VNNI, or AVX-VNNI for AVX2
	AVXVNNI    bool    // AVX-VNNI, whatever the level
	Broadcasts bool    // vectors of level AVX2 in the encodings of AVX-512: operations read one f32 of memory for all lanes
	BF16       bool    // products of bfloat16: AVX512_BF16, or FEAT_BF16 of arm64
	Tiles      bool    // AMX with products of BF16 and of bytes, and this process may use it
	DotProduct bool    // FEAT_DotProd of arm64: SDOT and UDOT
	I8MM       bool    // FEAT_I8MM of arm64: SMMLA, UMMLA and USMMLA
	L1D        int     // bytes of first-level data cache of a core
	L2         int     // bytes of second-level cache of a core
	L3         int     // bytes of last-level cache, shared
	Cores      int     // threads that a program should use; 0 for as many as the process has
	Fixed      bool    // sums are in an order that no processor, and no extent but the sum's, changes
	Chooser    Chooser // decides between forms of code; nil leaves each decision to the generator
	Rejected   error   // of type [*environment.Error]
	// Fallbacks gets the reasons why kernels, or epilogues of kernels, become portable code although the level is
	// higher. With nil they are forgotten.
	Fallbacks *[]error
	// Programs gets the text of the vector programs that machine code is made from. With nil it is not written.
	Programs *[]string
}

// Executes reports whether a processor with the features of f runs code for a processor with the features of g.
func (f Features) Executes(g Features) bool {
	return f.Level.Includes(g.Level) && (f.Lower(g.Level).VNNI || !g.VNNI) && (f.AVXVNNI || !g.AVXVNNI) && (f.BF16 || !g.BF16) && (f.Tiles || !g.Tiles) &&
		(f.DotProduct || !g.DotProduct) && (f.I8MM || !g.I8MM)
}

// Ahead returns how many bytes ahead of a load lines are best fetched of a matrix that is read once, as four long runs of
// memory. A Zen 3 core reads Q8_0 in 5 to 12 % less time with 256 than with 1024, F16 in 5 to 10 %. A Zen 4 core gets
// 31 GB a second from large pages and 26 from pages of 4 KiB with 1024, and less with 2048.
func (f Features) Ahead() int {
	if f.Level == AVX2 && !f.Broadcasts {
		return 256
	}
	return 1024
}

// FlushesBF16 reports whether the instruction that makes bf16 of f32 gives zero for numbers below the least normal one,
// as the instruction of AVX512_BF16 does.
func (f Features) FlushesBF16() bool { return f.BF16 && f.Level == AVX512 }

// Lower returns f with level l if f's level includes l, without the extensions that l does not have.
func (f Features) Lower(l Level) Features {
	if f.Level.Includes(l) {
		f.Level = l
	}
	if f.Level != AVX512 {
		f.VNNI, f.Tiles = f.Level == AVX2 && f.AVXVNNI, false
	}
	f.AVXVNNI = f.AVXVNNI && f.Level >= AVX2
	if f.Level != NEON {
		f.DotProduct, f.I8MM = false, false
	}
	if f.Level != AVX512 && f.Level != NEON {
		f.BF16 = false
	}
	return f
}

// InFixedOrder returns f for kernels that give the same bits on every processor: caches that kernels are divided by
// have one size, and instructions that round otherwise than the multiply-add of f32 and f64 are not used.
func (f Features) InFixedOrder() Features {
	f.Fixed, f.BF16, f.Tiles = true, false, false
	f.L1D, f.L2, f.L3 = 32<<10, 512<<10, 8<<20
	return f
}

// Detect returns the features of this processor as far as ACAP_PROCESSOR and ACAP_KERNELS allow. A
// value that means nothing, or more than this machine has, is reported in Rejected and changes nothing.
var Detect = sync.OnceValue(func() Features {
	f := detect()
	if text := os.Getenv("ACAP_PROCESSOR"); text != "" {
		g, err := f.As(text)
		if err != nil {
			f.Rejected = &environment.Error{Variable: "ACAP_PROCESSOR", Value: text, Want: err.Error()}
			return f
		}
		f = g
	}
	name := os.Getenv("ACAP_KERNELS")
	if name == "" {
		return f
	}
	l, err := ParseLevel(name)
	switch {
	case err != nil:
		f.Rejected = &environment.Error{Variable: "ACAP_KERNELS", Value: name, Want: "avx512, avx2, neon or portable"}
	case !f.Level.Includes(l):
		f.Rejected = &environment.Error{Variable: "ACAP_KERNELS", Value: name,
			Want: fmt.Sprintf("%v or less, the level of this machine", f.Level)}
	default:
		f = f.Lower(l)
	}
	return f
})
