package tokenizer

import (
	"fmt"
	"strings"
)

// mostGrowth is how many bytes the replacements of a file may make of one byte, mostAdded how many tokens its
// processors may add to a text, and mostTexts how often a template may write the texts.
const (
	mostGrowth = 1 << 12
	mostAdded  = 1 << 12
	mostTexts  = 16
)

// grower is a step that makes a text longer: as many bytes of one byte, at most.
type grower interface{ grows() int }

func (n *replace) grows() int {
	if n.pattern != nil || n.text == "" {
		return 1 + len(n.with) // an empty match is replaced in front of each byte
	}
	return max((len(n.with)+len(n.text)-1)/len(n.text), 1)
}

func (n prepend) grows() int { return 1 + len(n) }

func (p *precompiled) grows() int {
	longest := 1
	for text := range strings.SplitSeq(p.texts, "\x00") {
		longest = max(longest, len(text))
	}
	return longest
}

// growth refuses steps that together make too much of a byte.
func growth[T any](steps []T) error {
	made := 1
	for i, s := range steps {
		if g, ok := any(s).(grower); ok {
			if made *= min(g.grows(), mostGrowth+1); made > mostGrowth {
				return fmt.Errorf("steps up to number %d make more than %d bytes of one, which is too much", i, mostGrowth)
			}
		}
	}
	return nil
}

// additions refuses processors that add too many tokens, or write texts too often.
func additions(list []processor) error {
	for _, pair := range []bool{false, true} {
		count := 0
		for _, p := range list {
			if count += p.adds(pair); count > mostAdded {
				return fmt.Errorf("more than %d tokens are added to a text, which is too much", mostAdded)
			}
			t, ok := p.(*template)
			if !ok {
				continue
			}
			texts := 0
			for _, q := range t.parts(pair) {
				if q.text >= 0 {
					texts++
				}
			}
			if texts > mostTexts {
				return fmt.Errorf("a template writes texts %d times; there may be %d", texts, mostTexts)
			}
		}
	}
	return nil
}
