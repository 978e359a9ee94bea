package ops

import (
	"fmt"
	"slices"
	"strings"

	"github.com/go-acap/acap/base/shape"
)

// Nearest returns the word that one probably meant: the one with the fewest letters to
// insert, remove, change or exchange with a neighbour, if they are at most one in three. It
// returns "" if there is none.
func Nearest(word string, words []string) string {
	best, least := "", max(1, len(word)/3)+1
	for _, w := range words {
		if len(w)-len(word) < least && len(word)-len(w) < least {
			if d := edits(word, w); d < least {
				best, least = w, d
			}
		}
	}
	return best
}

// edits is the distance of Damerau and Levenshtein ("A technique for computer detection and
// correction of spelling errors", 1964), where no letter is changed twice.
func edits(a, b string) int {
	before, last, row := make([]int, len(b)+1), shape.UpTo(len(b)+1), make([]int, len(b)+1)
	for i := 1; i <= len(a); i++ {
		row[0] = i
		for j := 1; j <= len(b); j++ {
			cost := 1
			if a[i-1] == b[j-1] {
				cost = 0
			}
			row[j] = min(last[j]+1, row[j-1]+1, last[j-1]+cost)
			if i > 1 && j > 1 && a[i-1] == b[j-2] && a[i-2] == b[j-1] {
				row[j] = min(row[j], before[j-2]+1)
			}
		}
		before, last, row = last, row, before
	}
	return last[len(b)]
}

// libraries are the namespaces of PyTorch's own operators, and of those that Refused knows.
var libraries = setOf("prim", "prims", "prepacked", "quantized", "quantized_decomposed", "torchvision")

// Hint says which operators there are instead: the overloads of the name, or the first of
// the nearest name. Of an operator of PyTorch's that is refused it says why.
func (e *UnknownError) Hint() string {
	base, _, _ := strings.Cut(trimNamespace(e.Name), ".")
	if list := Overloads(base); len(list) > 0 {
		var names []string
		for _, op := range list {
			names = append(names, op.Name())
		}
		return "; there is " + enumerate(names)
	}
	if reason := Refused(base, ""); reason != "" {
		return ": " + reason
	}
	if library, _, ok := strings.Cut(base, "::"); ok && !libraries[library] {
		return ": it belongs to a library of its own, " + library + ", and what it computes is not in the file: " +
			"give run_decompositions() a decomposition of it, or write it with PyTorch's operators"
	}
	var bases []string
	for _, op := range All() {
		bases = append(bases, op.Parsed().Name)
	}
	if near := Nearest(base, slices.Compact(bases)); near != "" {
		return fmt.Sprintf("; did you mean %s?", Overloads(near)[0].Name())
	}
	return ""
}

// enumerate joins words: "a", "a and b", "a, b and c".
func enumerate(words []string) string {
	if len(words) < 2 {
		return strings.Join(words, "")
	}
	return strings.Join(words[:len(words)-1], ", ") + " and " + words[len(words)-1]
}

// NoParamError is the error of a call that names a parameter which op has not.
func (op *Op) NoParamError(name string) error {
	var names []string
	for _, q := range op.Parsed().Params {
		names = append(names, q.Name)
	}
	text := "has no argument " + name
	if near := Nearest(name, names); near != "" {
		text += "; did you mean " + near + "?"
	}
	return &ArgError{Op: op.Name(), Detail: text}
}
