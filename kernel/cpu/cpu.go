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
	AVX2                  // AVX2, FMA, F16C and BMI2; 16 registers of 32 bytes
	AVX512                // AVX-512 F, BW, DQ, VL, CD as well; 32 registers of 64 bytes, masks
)

// String returns the level's name as ACAP_KERNELS spells it.
func (l Level) String() string { return [...]string{"portable", "avx2", "avx512"}[l] }

// ParseLevel returns the level of that name.
func ParseLevel(name string) (Level, error) {
	for l := Portable; l <= AVX512; l++ {
		if l.String() == name {
			return l, nil
		}
	}
	return 0, fmt.Errorf("unknown kernel level %q: want avx512, avx2 or portable", name)
}

// VectorBytes returns the length of the level's vector registers, 0 for Portable.
func (l Level) VectorBytes() int { return [...]int{0, 32, 64}[l] }

// VectorRegisters returns the number of the level's vector registers, 0 for Portable.
func (l Level) VectorRegisters() int { return [...]int{0, 16, 32}[l] }

// Features are the facts that code generation depends on.
type Features struct {
	Level    Level
	VNNI     bool  // AVX512_VNNI: VPDPBUSD
	BF16     bool  // AVX512_BF16: VDPBF16PS
	Tiles    bool  // AMX with products of BF16 and of bytes, and this process may use it
	L1D      int   // bytes of first-level data cache of a core
	L2       int   // bytes of second-level cache of a core
	L3       int   // bytes of last-level cache, shared
	Cores    int   // threads that a program should use; 0 for as many as the process has
	Rejected error // of type [*environment.Error]
}

// Executes reports whether a processor with the features of f runs code for one with those of g.
func (f Features) Executes(g Features) bool {
	return g.Level <= f.Level && (f.VNNI || !g.VNNI) && (f.BF16 || !g.BF16) && (f.Tiles || !g.Tiles)
}

// Lower returns f with at most level l, without the extensions that l does not have.
func (f Features) Lower(l Level) Features {
	if l < f.Level {
		f.Level = l
	}
	if f.Level < AVX512 {
		f.VNNI, f.BF16, f.Tiles = false, false, false
	}
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
		f.Rejected = &environment.Error{Variable: "ACAP_KERNELS", Value: name, Want: "avx512, avx2 or portable"}
	case l > f.Level:
		f.Rejected = &environment.Error{Variable: "ACAP_KERNELS", Value: name,
			Want: fmt.Sprintf("%v or less, which is what this machine has", f.Level)}
	default:
		f = f.Lower(l)
	}
	return f
})
