package asm

import (
	"cmp"
	_ "embed"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"sync"
)

//go:embed instructions.txt
var instructions string

// table has the facts of instructions for an assembler, in the order of the constants.
type table struct {
	mnemonics []mnemonic
	forms     []form
}

// known is the content of instructions.txt, which the first assembler reads.
var known = sync.OnceValue(func() *table {
	mnemonics, forms := read(instructions)
	return &table{mnemonics, forms}
})

// A line of the table in words.
type line struct {
	name, text string
	words      []string // what follows
}

// read reads the text of a table.
func read(text string) (mnemonics []mnemonic, forms []form) {
	var lines []line
	for l := range strings.Lines(text) {
		words := strings.Fields(l)
		if len(words) == 0 || words[0] == "#" {
			continue
		}
		name, listed, ok := strings.Cut(words[0], "=")
		if !ok {
			listed = strings.ToLower(name)
		}
		lines = append(lines, line{name, strings.ReplaceAll(listed, "_", " "), words[1:]})
	}
	slices.SortStableFunc(lines, func(a, b line) int { return cmp.Compare(a.name, b.name) })
	forms = make([]form, len(lines))
	for i, l := range lines {
		if i == 0 || l.name != lines[i-1].name {
			mnemonics = append(mnemonics, mnemonic{l.name, l.text, i})
		}
		forms[i] = l.form(Op(len(mnemonics) - 1))
	}
	return append(mnemonics, mnemonic{first: len(forms)}), forms
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

// form returns what the line says of an instruction.
func (l *line) form(op Op) form {
	encodings, lengths, _ := strings.Cut(l.words[2], ":")
	prefix := strings.Split(l.words[3], ".")
	f := form{op: op, order: orders[l.words[0]], enc: encoding(set(encodingLetters, encodings)),
		prefix: number(prefixWords, prefix[0]), opMap: number(mapWords, prefix[1]), w: wRule(number(wWords, prefix[2])),
		opcode: byteOf(l.words[4], 16), ext: -1}
	for i, letter := range l.words[0] {
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
	if len(l.words) > 5 {
		if extension, ok := strings.CutPrefix(l.words[5], "/"); ok {
			f.ext = int8(byteOf(extension, 10))
		} else {
			f.second = byteOf(l.words[5], 16)
		}
	}
	if l.words[1] != "-" {
		for i, text := range strings.Split(l.words[1], ",") {
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
