package mutate

import (
	"math/rand/v2"
	"regexp"
	"slices"
	"strconv"
)

// words are the pieces of a text that are changed as a whole.
var words = regexp.MustCompile(`"[^"\n]*"|[0-9]+(?:\.[0-9]+)?(?:e[-+]?[0-9]+)?|[A-Za-z_%@#!][\w.%@#$]*|\s+|.`)

// Text drops, repeats and exchanges words and lines of a text, and puts others in their place, which
// are of the text or given.
func Text(r *rand.Rand, data []byte, others []string) []byte {
	list := words.FindAllString(string(data), -1)
	if len(list) == 0 {
		return Bytes(r, data)
	}
	for range 1 + r.IntN(3) {
		if len(list) == 0 {
			break
		}
		at := r.IntN(len(list))
		if _, err := strconv.ParseFloat(list[at], 64); err == nil {
			list[at] = strconv.FormatInt(number(r), 10)
			continue
		}
		end := min(at+1+r.IntN(6), len(list))
		switch r.IntN(7) {
		case 0:
			list = slices.Delete(list, at, end)
		case 1:
			list = slices.Insert(list, at, slices.Clone(list[at:end])...)
		case 2:
			other := r.IntN(len(list))
			list[at], list[other] = list[other], list[at]
		case 3:
			list[at] = list[r.IntN(len(list))]
		case 4:
			if len(others) > 0 {
				list[at] = others[r.IntN(len(others))]
			}
		case 5:
			list[at] = strconv.FormatInt(number(r), 10)
		case 6: // two lines
			list = exchangeLines(r, list)
		}
	}
	var out []byte
	for _, w := range list {
		out = append(out, w...)
	}
	return out
}

func exchangeLines(r *rand.Rand, list []string) []string {
	var lines [][]string
	start := 0
	for i, w := range list {
		if slices.Contains([]byte(w), '\n') {
			lines = append(lines, list[start:i+1])
			start = i + 1
		}
	}
	lines = append(lines, list[start:])
	i, j := r.IntN(len(lines)), r.IntN(len(lines))
	lines[i], lines[j] = lines[j], lines[i]
	return slices.Concat(lines...)
}
