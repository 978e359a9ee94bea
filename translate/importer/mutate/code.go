package mutate

import (
	"math/rand/v2"
	"regexp"
	"slices"
	"strconv"
	"strings"
)

// Code changes a program in the language of TorchScript so that it is mostly one still: a name
// becomes another one, a function of torch another one, a number another one; arguments are dropped,
// repeated and exchanged, and statements of a body likewise.
func Code(r *rand.Rand, data []byte) []byte {
	lines := strings.Split(string(data), "\n")
	var bodies []int // lines of bodies
	for i, line := range lines {
		if strings.HasPrefix(line, "    ") {
			bodies = append(bodies, i)
		}
	}
	if len(bodies) == 0 {
		return Text(r, data, Calls)
	}
	for range 1 + r.IntN(3) {
		at := bodies[r.IntN(len(bodies))]
		if at >= len(lines) {
			continue
		}
		switch r.IntN(8) {
		case 0:
			lines = slices.Insert(lines, at, lines[at])
		case 1:
			other := bodies[r.IntN(len(bodies))]
			if other < len(lines) && indentation(lines[at]) == indentation(lines[other]) {
				lines[at], lines[other] = lines[other], lines[at]
			}
		case 2, 3:
			lines[at] = arguments(r, lines[at])
		default:
			lines[at] = word(r, lines[at], string(data))
		}
	}
	return []byte(strings.Join(lines, "\n"))
}

func indentation(line string) int { return len(line) - len(strings.TrimLeft(line, " ")) }

var (
	name   = regexp.MustCompile(`[A-Za-z_][\w.]*`)
	digits = regexp.MustCompile(`\b\d+\b`)
)

// word replaces a name or a number of a line by another of its kind, which is somewhere in the text.
func word(r *rand.Rand, line, text string) string {
	form := name
	if r.IntN(3) == 0 {
		form = digits
	}
	found := form.FindAllStringIndex(line, -1)
	if len(found) == 0 {
		return line
	}
	at := found[r.IntN(len(found))]
	old := line[at[0]:at[1]]
	put := strconv.FormatInt(number(r), 10)
	if form == name {
		all := name.FindAllString(text, -1)
		put = all[r.IntN(len(all))]
		if strings.HasPrefix(old, "torch.") || strings.HasPrefix(old, "ops.") || r.IntN(8) == 0 {
			put = Calls[r.IntN(len(Calls))]
		}
	}
	return line[:at[0]] + put + line[at[1]:]
}

// arguments drops, repeats or exchanges what stands between commas.
func arguments(r *rand.Rand, line string) string {
	parts := strings.Split(line, ", ")
	if len(parts) < 2 {
		return line
	}
	at, other := 1+r.IntN(len(parts)-1), 1+r.IntN(len(parts)-1)
	switch r.IntN(3) {
	case 0:
		if tail := strings.TrimLeft(parts[at], "[(\"\\w .-0123456789"); at == len(parts)-1 && strings.Trim(tail, ")]") == "" {
			parts[at-1] += tail // keeps what closes
		}
		parts = slices.Delete(parts, at, at+1)
	case 1:
		parts = slices.Insert(parts, at, strings.TrimRight(parts[other], ")]"))
	default:
		parts[at], parts[other] = parts[other], parts[at]
	}
	return strings.Join(parts, ", ")
}
