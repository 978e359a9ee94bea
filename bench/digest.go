package main

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"hash"
	"io"
	"slices"
	"strings"

	"github.com/go-acap/acap/kernel"
	"github.com/go-acap/acap/kernel/cpu"
	"github.com/go-acap/acap/kernel/native"
)

// processor is one for which code is made, on any machine.
type processor struct {
	name string
	cpu.Features
}

// targets are the processors for which digests are taken. Their caches are given, so that digests are the same on
// every machine.
var targets = []processor{
	{"avx2", cpu.Features{Level: cpu.AVX2, L1D: 32 << 10, L2: 1 << 20, L3: 16 << 20}},
	{"avx512", cpu.Features{Level: cpu.AVX512, VNNI: true, BF16: true, L1D: 32 << 10, L2: 1 << 20, L3: 16 << 20}},
	{"amx", cpu.Features{Level: cpu.AVX512, VNNI: true, BF16: true, Tiles: true, L1D: 48 << 10, L2: 2 << 20, L3: 32 << 20}},
}

// digests prints, for each case and for each model file, a digest of its kernels and one of their machine code on
// each target. A change of the compiler that must not change code is compared by two such lists.
func digests(args []string, out io.Writer) error {
	l := newListing("digests")
	if err := l.f.Parse(args); err != nil {
		return err
	}
	return l.each(func(name string, programs []string) error { return printDigests(out, name, programs) })
}

// printDigests writes a line: a name, the number of kernels, and the digests. Programs are in the order of their text,
// because those that are compiled at once have no other.
func printDigests(out io.Writer, name string, programs []string) error {
	slices.Sort(programs)
	all, codes := sha256.New(), make([]hash.Hash, len(targets))
	for i := range codes {
		codes[i] = sha256.New()
	}
	count := 0
	for _, program := range programs {
		io.WriteString(all, program)
		for _, text := range split(program) {
			count++
			sums, err := codeSums(text)
			if err != nil {
				return fmt.Errorf("%s: %w", name, err)
			}
			for i := range sums {
				codes[i].Write(sums[i][:])
			}
		}
	}
	fields := []string{"kernels " + digestText(all)}
	for i, t := range targets {
		fields = append(fields, t.name+" "+digestText(codes[i]))
	}
	_, err := fmt.Fprintf(out, "%-28s %5d  %s\n", name, count, strings.Join(fields, "  "))
	return err
}

// known has the sums of kernels that have been compiled.
var known = map[string][][sha256.Size]byte{}

// codeSums returns the sums of a kernel's listings, one for each target.
func codeSums(text string) ([][sha256.Size]byte, error) {
	if sums := known[text]; sums != nil {
		return sums, nil
	}
	k, err := kernel.Parse(text)
	if err != nil {
		return nil, err
	}
	var sums [][sha256.Size]byte
	for _, t := range targets {
		code, err := native.CompileFor(k, t.Features)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", t.name, err)
		}
		sums = append(sums, sha256.Sum256([]byte(code.Listing())))
		code.Close()
	}
	known[text] = sums
	return sums, nil
}

func digestText(h hash.Hash) string { return hex.EncodeToString(h.Sum(nil))[:16] }
