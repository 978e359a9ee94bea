package tokenizer

import (
	_ "embed"
	"fmt"
	"slices"
	"strings"
	"sync"
	"unicode"
)

//go:embed letters.txt
var lettersText string

// severalLetters are the characters that are several letters without regard to case, such as ß, which is ss.
// testdata/letters.py writes the list.
type severalLetters struct {
	letters    map[rune]string   // of a character, as small has them
	characters map[string][]rune // that are letters
	longest    int               // the most letters of a character
}

var several = sync.OnceValue(func() severalLetters {
	s := severalLetters{map[rune]string{}, map[string][]rune{}, 0}
	for line := range strings.Lines(lettersText) {
		var c rune
		var l [3]rune
		n, _ := fmt.Sscanf(line, "%X %X %X %X", &c, &l[0], &l[1], &l[2])
		letters := strings.Map(small, string(l[:n-1]))
		s.letters[c] = letters
		s.characters[letters] = append(s.characters[letters], c)
		s.longest = max(s.longest, n-1)
	}
	return s
})

// small is the letter that stands for all cases of a letter.
func small(r rune) rune {
	least := unicode.ToLower(r)
	for f := unicode.SimpleFold(r); f != r; f = unicode.SimpleFold(f) {
		if l := unicode.ToLower(f); l < least {
			least = l
		}
	}
	return least
}

// spelled is a sequence of letters of any case.
func spelled(letters string) *node {
	n := &node{kind: nodeSequence}
	for _, r := range letters {
		n.parts = append(n.parts, &node{kind: nodeSet, set: single(r).fold()})
	}
	return n
}

// orLetters is a set, or the letters that a character of the set is without regard to case. The set comes first.
func orLetters(s *runeSet) *node {
	n := &node{kind: nodeSet, set: s}
	choice := &node{kind: nodeChoice, parts: []*node{n}}
	all := several()
	var found []string
	for c, letters := range all.letters {
		if s.far(c) && !slices.Contains(found, letters) {
			found = append(found, letters)
		}
	}
	slices.Sort(found)
	for _, letters := range found {
		for _, c := range all.characters[letters] {
			n.set = n.set.union(single(c))
		}
		choice.parts = append(choice.parts, spelled(letters))
	}
	if len(found) == 0 {
		return n
	}
	return choice
}

// orCharacters lets letters that follow each other be one character as well, if a character is these letters without
// regard to case: the most letters count, as in Oniguruma.
func orCharacters(parts []*node) (out []*node) {
	all := several()
	for at := 0; at < len(parts); {
		letters, taken := "", 0
		var characters []rune
		for n := 0; n < all.longest && at+n < len(parts) && parts[at+n].letter != 0; n++ {
			letters += string(small(parts[at+n].letter))
			if list := all.characters[letters]; list != nil {
				characters, taken = list, n+1
			}
		}
		if taken == 0 {
			out = append(out, parts[at])
			at++
			continue
		}
		set := newSet()
		for _, c := range characters {
			set = set.union(single(c).fold())
		}
		out = append(out, &node{kind: nodeChoice, parts: []*node{{kind: nodeSequence, parts: parts[at : at+taken]}, {kind: nodeSet, set: set}}})
		at += taken
	}
	return out
}
