package asm

import (
	_ "embed"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"sync"
)

//go:embed instructions.txt
var instructions string

// table has the mnemonics, in the order of the constants, and their numbers by their names.
type table struct {
	mnemonics []mnemonic
	byName    map[string]Op
}

// A mnemonic has the lines of instructions.txt that say how it is written and which forms it has. Most programs need few
// mnemonics, so the forms are read when the first instruction needs them.
type mnemonic struct {
	word, lines string
	read        sync.Once
	list        []form
}

// known is the content of instructions.txt, which the first assembler divides by mnemonics.
var known = sync.OnceValue(func() *table {
	lines := strings.Count(instructions, "\n")
	t := &table{make([]mnemonic, lines), make(map[string]Op, lines)}
	n, begin := -1, 0
	for at, end := 0, 0; at < len(instructions); at = end {
		end = at + strings.IndexByte(instructions[at:], '\n') + 1
		word, _, ok := strings.Cut(instructions[at:end], " ")
		if !ok || word == "#" || n >= 0 && word == t.mnemonics[n].word {
			continue
		}
		if n >= 0 {
			t.mnemonics[n].lines = instructions[begin:at]
		}
		n, begin = n+1, at
		t.mnemonics[n].word = word
		t.byName[t.mnemonics[n].name()] = Op(n)
	}
	t.mnemonics[n].lines = instructions[begin:]
	t.mnemonics = t.mnemonics[:n+1]
	if len(t.byName) <= n {
		panic("BUG: asm: instructions.txt: lines of a mnemonic stand apart")
	}
	return t
})

// name returns the name of a mnemonic, which is in upper case if there is a constant of the name.
func (m *mnemonic) name() string {
	name, _, _ := strings.Cut(m.word, "=")
	return name
}

// text returns the mnemonic as listings have it.
func (m *mnemonic) text() string {
	text := strings.ToLower(m.word)
	if _, listed, ok := strings.Cut(m.word, "="); ok {
		text = listed
	}
	return strings.ReplaceAll(text, "_", " ")
}

// forms returns the forms of a mnemonic.
func (t *table) forms(op Op) []form {
	m := &t.mnemonics[op]
	m.read.Do(func() {
		for text := range strings.Lines(m.lines) {
			if words := strings.Fields(text); len(words) > 0 && words[0] != "#" {
				m.list = append(m.list, formOf(op, words[1:]))
			}
		}
	})
	return m.list
}

// The words of the table, by their numbers.
var (
	prefixWords = []string{"NP", "66", "F3", "F2"}
	mapWords    = []string{"00", "0F", "0F38", "0F3A"}
	wWords      = []string{w0: "W0", w1: "W1", wEVEX: "WE", wReg: "WR"}
)

// orders are the orders of operands that differ from ModRM's.
var orders = map[string]order{"-": orderNone, "OI": orderOI, "D": orderD}

const (
	encodingLetters = "lven" // encLegacy, encVEX, encEVEX, encUnmasked
	lengthLetters   = "xyz"  // lenX, lenY, lenZ
)

// number returns the place of a word in a list.
func number(list []string, word string) uint8 {
	n := slices.Index(list, word)
	if n < 0 {
		panic("BUG: asm: instructions.txt: unknown word " + word)
	}
	return uint8(n)
}

// kindNamed returns the kind of a word.
func kindNamed(word string) kind {
	for k := range kinds {
		if kinds[k].word == word {
			return kind(k)
		}
	}
	panic("BUG: asm: instructions.txt: unknown operand " + word)
}

// set returns a bit for each letter of a text, which are some of all.
func set(all, text string) (bits uint8) {
	for _, letter := range text {
		bits |= 1 << strings.IndexRune(all, letter)
	}
	return bits
}

// byteOf returns a number that the table has.
func byteOf(text string, base int) uint8 {
	n, err := strconv.ParseUint(text, base, 8)
	if err != nil {
		panic(fmt.Sprintf("BUG: asm: instructions.txt: %v", err))
	}
	return uint8(n)
}

// formOf returns what the words of a line say of an instruction.
func formOf(op Op, words []string) form {
	encodings, lengths, _ := strings.Cut(words[2], ":")
	prefix := strings.Split(words[3], ".")
	f := form{op: op, order: orders[words[0]], enc: encoding(set(encodingLetters, encodings)),
		prefix: number(prefixWords, prefix[0]), opMap: number(mapWords, prefix[1]), w: wRule(number(wWords, prefix[2])),
		opcode: byteOf(words[4], 16), ext: -1}
	for i, letter := range words[0] {
		f.fields[i] = fieldOf[letter]
	}
	switch lengths {
	case "1":
		f.enc |= encL1
		fallthrough
	case "":
		f.lengths = lenX | lenY | lenZ
		if f.enc&(encLegacy|encEVEX) == 0 {
			f.lengths = lenX | lenY
		}
	default:
		f.lengths = set(lengthLetters, lengths)
	}
	if len(words) > 5 {
		if extension, ok := strings.CutPrefix(words[5], "/"); ok {
			f.ext = int8(byteOf(extension, 10))
		} else {
			f.second = byteOf(words[5], 16)
		}
	}
	if words[1] != "-" {
		for i, text := range strings.Split(words[1], ",") {
			f.args[i] = argOf(text, f.enc == encLegacy)
			if a := &f.args[i]; !a.only {
				a.classes = a.reg.classes()
			}
			switch f.args[i].reg {
			case kindImm1, kindSigned1, kindImm4, kindImm8:
				f.numbers++
			case kindRel:
			default:
				f.registers++
			}
		}
	}
	return f
}

// argOf returns what a text says of an operand. Memory alone is as long as a general register, or a vector.
func argOf(text string, general bool) (a arg) {
	if text[0] == 'g' { // memory addressed by a vector of indices
		return arg{reg: kindNamed("g" + text[2:]), step: byteOf(text[1:2], 10)}
	}
	if text == "rows" {
		return arg{reg: kindRows, mem: memAny, only: true}
	}
	alternatives := strings.Split(text, "/")
	switch {
	case alternatives[0][0] != 'm':
		a.reg = kindNamed(alternatives[0])
		alternatives = alternatives[1:]
	case general:
		a.reg, a.only = kindReg, true
	default:
		a.reg, a.only = kindVec, true
	}
	for _, word := range alternatives {
		switch {
		case word == "m":
			a.mem = memSame
		case word == "m0":
			a.mem = memAny
		case strings.HasPrefix(word, "m!"):
			a.mem, a.step = memSame, byteOf(word[2:], 10)
		case word[0] == 'm':
			a.mem = byteOf(word[1:], 10)
		case word[0] == 'b':
			a.bcast = byteOf(word[1:], 10)
		default:
			panic("BUG: asm: instructions.txt: unknown operand " + text)
		}
	}
	return a
}
