package tokenizer

import (
	"unicode"
	"unicode/utf8"
)

// addedToken is a token that is found in a text before the model sees it.
type addedToken struct {
	id                int32
	content           string
	word, left, right bool // stands alone; takes the spaces in front of it; takes those behind it
	normalized        bool // is looked for in the normalised text
	special           bool
}

// added finds added tokens.
type added struct {
	tokens []addedToken
	byText map[string]int32
	shown  map[int32]string // normalised contents, where they differ
	raw    *finder          // in the text itself
	normal *finder          // in the normalised text
	plain  *finder          // tokens of raw that are not special
	plainN *finder
}

func newAdded(tokens []addedToken, n normalizer) (a *added, err error) {
	defer caught(&err)
	a = &added{tokens: tokens, byText: map[string]int32{}, shown: map[int32]string{}}
	var raw, normal, plain, plainN []found
	for i := range tokens {
		k := &tokens[i]
		a.byText[k.content] = k.id
		text := k.content
		if k.normalized && n != nil {
			if text = n.normalize(text); text != k.content {
				a.shown[k.id] = text
			}
		}
		if text == "" {
			continue
		}
		f := found{text, k}
		if k.normalized {
			normal = append(normal, f)
			if !k.special {
				plainN = append(plainN, f)
			}
		} else {
			raw = append(raw, f)
			if !k.special {
				plain = append(plain, f)
			}
		}
	}
	a.raw, a.normal, a.plain, a.plainN = newFinder(raw), newFinder(normal), newFinder(plain), newFinder(plainN)
	return a, nil
}

// write returns what stands for a token in a text: the normalised content of an added token, and the text of any other
// token. There may be no added tokens.
func (a *added) write(id int32, text string) string {
	if a != nil {
		if shown, ok := a.shown[id]; ok {
			return shown
		}
	}
	return text
}

// divide cuts a piece at added tokens, and gives the parts.
func (a *added) divide(p piece, normalized, literal bool, emit func(piece)) {
	f := a.raw
	switch {
	case normalized && literal:
		f = a.plainN
	case normalized:
		f = a.normal
	case literal:
		f = a.plain
	}
	if f == nil {
		emit(p)
		return
	}
	text, done := p.text, 0
	gap := func(end int) {
		if end > done {
			emit(p.part(done, end))
		}
	}
	for at := 0; at < len(text); {
		start, end, k := f.next(text, at)
		if k == nil {
			break
		}
		at = end
		if k.word {
			before, _ := utf8.DecodeLastRuneInString(text[:start])
			after, _ := utf8.DecodeRuneInString(text[end:])
			if start > 0 && setWordRust().has(before) || end < len(text) && setWordRust().has(after) {
				continue
			}
		}
		if k.left {
			start = max(start, done)
			for start > done {
				r, n := utf8.DecodeLastRuneInString(text[:start])
				if !unicode.IsSpace(r) {
					break
				}
				start -= n
			}
		}
		if k.right {
			for end < len(text) {
				r, n := utf8.DecodeRuneInString(text[end:])
				if !unicode.IsSpace(r) {
					break
				}
				end += n
			}
		}
		gap(start) // none if the token is among the spaces that the one before has taken
		if start < end {
			token := p.part(start, end)
			token.token = k.id
			emit(token)
		}
		done = end
	}
	gap(len(text))
}

// found is a text to find, with the token that it stands for.
type found struct {
	text  string
	token *addedToken
}

// finder finds the first of some texts, the longest of those that begin at a place, and of equal texts the first
// in the list.
type finder struct {
	list []found
	trie *trie
}

func newFinder(list []found) *finder {
	if len(list) == 0 {
		return nil
	}
	v := &vocabulary{ids: map[string]int32{}}
	for i := len(list) - 1; i >= 0; i-- {
		v.ids[list[i].text] = int32(i)
	}
	return &finder{list, newTrie(v)}
}

func (f *finder) next(text string, at int) (start, end int, token *addedToken) {
	for ; at < len(text); at++ {
		if f.trie.child(0, text[at]) == 0 {
			continue
		}
		f.trie.prefixes(text[at:], func(length int, id int32) { end, token = at+length, f.list[id].token })
		if token != nil {
			return at, end, token
		}
	}
	return 0, 0, nil
}
