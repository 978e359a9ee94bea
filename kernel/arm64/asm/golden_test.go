package asm

import (
	"bufio"
	"encoding/binary"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// samples calls f with operands for every form and arrangement. They are the same in every run.
func samples(f func(name string, operands []Operand)) {
	var order []string
	for _, line := range strings.Split(instructions, "\n") {
		if w := strings.Fields(line); len(w) > 0 && w[0] != "#" && (len(order) == 0 || order[len(order)-1] != w[0]) {
			order = append(order, w[0])
		}
	}
	done := map[string]bool{}
	for _, name := range order {
		if done[name] {
			continue
		}
		done[name] = true
		for i, form := range forms()[name] {
			arrs := []string{""}
			if len(form.fields) > 0 && form.fields[0].class {
				arrs = strings.Fields(classes[form.fields[0].how])
			}
			for _, arr := range arrs {
				for s := range 3 {
					r := rand.New(rand.NewPCG(uint64(i), uint64(s)))
					f(name, sample(r, form, arr))
				}
			}
		}
	}
}

func arrangementNamed(name string) Arrangement {
	for i, n := range arrangements {
		if n == name {
			return Arrangement(i)
		}
	}
	panic("no arrangement " + name)
}

func sample(r *rand.Rand, f *form, arr string) (list []Operand) {
	for i := range f.fields {
		d := &f.fields[i]
		switch d.what {
		case 'X':
			list = append(list, X(r.IntN(30)))
		case 'W':
			list = append(list, X(r.IntN(30)).W())
		case '#':
			list = append(list, sampleImmediate(r, d, arr))
		case '[':
			list = append(list, sampleMemory(r, d))
		case 'V':
			v := V(r.IntN(32))
			switch {
			case d.class:
				list = append(list, v.As(arrangementNamed(arr)))
			case d.coded != 0:
				n := map[Arrangement]int{B: 16, H: 8, S: 4, D: 2, B4: 4, H2: 4}[d.fixed]
				list = append(list, v.Element(d.fixed, r.IntN(n)))
			default:
				list = append(list, v.As(d.fixed))
			}
		case '@':
			list = append(list, Label{0})
		default:
			list = append(list, V(r.IntN(32)).As(arrangementNamed(strings.ToLower(string(d.what)))))
		}
	}
	return list
}

func sampleImmediate(r *rand.Rand, d *field, arr string) Imm {
	switch d.how {
	case "0":
		return 0
	case "16s":
		return 16
	case "12":
		return Imm(r.IntN(4096))
	case "12s":
		return Imm(1+r.IntN(4095)) << 12
	case "16":
		return Imm(r.IntN(1 << 16))
	case "hw":
		return Imm(16 * r.IntN(2))
	case "8":
		return Imm(r.IntN(256))
	case "e":
		return Imm(r.IntN(8))
	case "s6", "lsl", "lsr":
		return Imm(1 + r.IntN(62))
	}
	width := map[string]int{"8b": 8, "16b": 8, "4h": 16, "8h": 16, "2s": 32, "4s": 32, "2d": 64}[arr]
	return Imm(1 + r.IntN(width-1))
}

func sampleMemory(r *rand.Rand, d *field) Mem {
	base := X(r.IntN(30))
	unit, _ := strconv.Atoi(strings.TrimLeft(d.how, "+rp"))
	switch {
	case d.how == "":
		return At(base, 0)
	case d.how == "~":
		return At(base, -1-r.IntN(250))
	case d.how[0] == 'r':
		shift := 0
		if r.IntN(2) == 0 {
			for 1<<shift < unit {
				shift++
			}
		}
		return Indexed(base, X(r.IntN(30)), shift)
	case d.how[0] == 'p':
		return At(base, (r.IntN(100)-50)*unit)
	}
	return At(base, r.IntN(4096)*unit)
}

// TestGolden compares every form with what llvm-mc makes of its listing. The words are recorded in
// testdata/golden.txt by
//
//	ACAP_LLVM_MC=llvm-mc go test -run TestGolden ./kernel/arm64/asm
func TestGolden(t *testing.T) {
	var text []string
	var words []uint32
	samples(func(name string, operands []Operand) {
		a := New()
		a.Label()
		a.labels[0] = 4
		a.Emit(name, operands...)
		c := a.Assemble()
		words = append(words, binary.LittleEndian.Uint32(c.Bytes))
		line := a.lines[0]
		text = append(text, strings.ReplaceAll(line, "L0", "#16"))
	})
	if program := os.Getenv("ACAP_LLVM_MC"); program != "" {
		record(t, program, text)
	}
	file, err := os.Open("testdata/golden.txt")
	require.NoError(t, err)
	defer file.Close()
	lines := bufio.NewScanner(file)
	for i, have := range text {
		require.True(t, lines.Scan(), "no record of %s", have)
		word, line, _ := strings.Cut(lines.Text(), " ")
		require.Equal(t, line, strings.Join(strings.Fields(have), " "))
		require.Equal(t, word, fmt.Sprintf("%08x", words[i]), have)
	}
	require.False(t, lines.Scan())
}

func record(t *testing.T, program string, text []string) {
	command := append(strings.Fields(program), "-triple=aarch64", "-mattr=+v8.6a,+bf16,+i8mm,+fullfp16,+dotprod", "-show-encoding")
	run := exec.Command(command[0], command[1:]...)
	run.Stdin = strings.NewReader(strings.Join(text, "\n") + "\n")
	run.Stderr = os.Stderr
	out, err := run.Output()
	require.NoError(t, err)
	var record strings.Builder
	n := 0
	for _, line := range strings.Split(string(out), "\n") {
		_, code, ok := strings.Cut(line, "encoding: [")
		if !ok {
			continue
		}
		var word uint32
		code, _, _ = strings.Cut(code, "]")
		for i, b := range strings.Split(code, ",") {
			v, err := strconv.ParseUint(b, 0, 8)
			require.NoError(t, err, line)
			word |= uint32(v) << (8 * i)
		}
		fmt.Fprintf(&record, "%08x %s\n", word, strings.Join(strings.Fields(text[n]), " "))
		n++
	}
	require.Equal(t, len(text), n)
	require.NoError(t, os.WriteFile("testdata/golden.txt", []byte(record.String()), 0o644))
}
