package tokenizer

import "slices"

// processor adds tokens around what the model made of one text or two.
type processor interface {
	process(sequences [][]int32, special bool) [][]int32 // without special tokens only the order of texts changes
	adds(pair bool) int                                  // how many tokens it adds, if no other one works before it
}

// surround puts tokens in front of each text and behind it.
type surround struct {
	begin, end int32
	twice      bool // the second text of a pair begins with the end, as RoBERTa's
}

func (p surround) adds(pair bool) int {
	switch {
	case !pair:
		return 2
	case p.twice:
		return 4
	}
	return 3
}

func (p surround) process(sequences [][]int32, special bool) [][]int32 {
	if !special {
		return sequences
	}
	var out [][]int32
	for i, s := range sequences {
		var one []int32
		if i == 0 {
			one = append(one, p.begin)
		} else if p.twice {
			one = append(one, p.end)
		}
		out = append(out, append(append(one, s...), p.end))
	}
	return out
}

// template puts tokens and texts in the order that it says.
type template struct{ one, two []part }

// part is a text of those that are given, or tokens.
type part struct {
	text   int // -1 for tokens
	tokens []int32
}

func (p *template) parts(pair bool) []part {
	if pair {
		return p.two
	}
	return p.one
}

func (p *template) adds(pair bool) (count int) {
	for _, q := range p.parts(pair) {
		count += len(q.tokens)
	}
	return count
}

func (p *template) process(sequences [][]int32, special bool) [][]int32 {
	var out [][]int32
	for _, q := range p.parts(len(sequences) > 1) {
		switch {
		case q.text < 0 && !special:
		case q.text < 0:
			out = append(out, slices.Clone(q.tokens))
		case q.text < len(sequences):
			out = append(out, sequences[q.text])
		}
	}
	return out
}

// truncation cuts texts that have too many tokens.
type truncation struct {
	most     int
	left     bool   // cuts at the beginning
	strategy string // "longest_first", "only_first" or "only_second"
}

// wordSpan is where the tokens of a word begin and end among the tokens of a text. Added tokens are no words.
type wordSpan struct{ start, end int }

// whole leaves the words of a text that have as many tokens as two texts may have, and the added tokens between them,
// as tokenizers makes no more. The one of two texts that has more tokens then gets the odd one.
func (t *truncation) whole(tokens []int32, words []wordSpan) []int32 {
	if t.left {
		for _, w := range slices.Backward(words) {
			if len(tokens)-w.start >= t.most {
				return tokens[w.start:]
			}
		}
		return tokens
	}
	for _, w := range words {
		if w.end >= t.most {
			return tokens[:w.end]
		}
	}
	return tokens
}

func (t *truncation) cut(first, second []int32, room int) (a, b []int32) {
	drop := len(first) + len(second) + room - t.most
	if drop <= 0 {
		return first, second
	}
	short := func(s []int32, n int) []int32 {
		n = min(max(n, 0), len(s))
		if t.left {
			return s[n:]
		}
		return s[:len(s)-n]
	}
	switch {
	case t.most <= room:
		return first[:0], second[:min(0, len(second))]
	case t.strategy == "only_first" || second == nil:
		return short(first, drop), second
	case t.strategy == "only_second":
		return first, short(second, drop)
	}
	left := t.most - room
	n1, n2 := len(first), len(second)
	swap := n1 > n2
	if swap {
		n1, n2 = n2, n1
	}
	if n1 > left {
		n2 = n1
	} else {
		n2 = max(n1, left-n1)
	}
	if n1+n2 > left {
		n1 = left / 2
		n2 = n1 + left%2
	}
	if swap {
		n1, n2 = n2, n1
	}
	return short(first, len(first)-n1), short(second, len(second)-n2)
}

// padding fills up to a length.
type padding struct {
	length   int // 0 for the longest of a batch
	multiple int
	left     bool
	id       int32
}

func (p *padding) fill(ids []int32) []int32 {
	length := max(p.length, 0)
	if length == 0 {
		length = len(ids)
	}
	if p.multiple > 0 && length%p.multiple != 0 {
		length += p.multiple - length%p.multiple
	}
	n := length - len(ids)
	if n <= 0 {
		return ids
	}
	fill := slices.Repeat([]int32{p.id}, n)
	if p.left {
		return append(fill, ids...)
	}
	return append(ids, fill...)
}
