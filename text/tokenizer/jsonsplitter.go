package tokenizer

import (
	"fmt"
	"slices"
	"strings"
	"unicode/utf8"
)

// readSplitter reads a pre-tokenizer of a type.
func readSplitter(kind string, o object) ([]splitter, error) {
	s, err := splitterOf(kind, o)
	if s == nil {
		return nil, err
	}
	return []splitter{s}, err
}

// behaviourOf is the behaviour of a name, or another where there is none.
func behaviourOf(name string, otherwise behaviour) (behaviour, error) {
	if name == "" {
		return otherwise, nil
	}
	b, ok := behaviours[strings.ToLower(strings.ReplaceAll(name, "_", ""))]
	if !ok {
		return 0, fmt.Errorf("the behaviour %q is not known", name)
	}
	return b, nil
}

func splitterOf(kind string, o object) (splitter, error) {
	switch kind {
	case "ByteLevel":
		return byteLevelOf(o)
	case "BertPreTokenizer":
		return splitters{&runeSplit{set: setSpace(), how: removed}, &runeSplit{set: olderSet("punctuation"), how: isolated}}, nil
	case "Whitespace":
		return words{}, nil
	case "WhitespaceSplit":
		return &runeSplit{set: setSpace(), how: removed}, nil
	case "CharDelimiterSplit":
		return delimiterOf(o)
	case "Metaspace":
		return readMetaspace(o)
	case "Punctuation":
		var s struct{ Behavior string }
		if err := o.into(&s); err != nil {
			return nil, err
		}
		b, err := behaviourOf(s.Behavior, isolated)
		return &runeSplit{set: olderSet("punctuation"), how: b}, err
	case "Digits":
		var s struct {
			Individual bool `json:"individual_digits"`
		}
		err := o.into(&s)
		if s.Individual {
			return &runeSplit{set: setNumeric(), how: isolated}, err
		}
		return &runeSplit{set: setNumeric(), how: contiguous}, err
	case "Split":
		return patternSplitOf(o)
	case "UnicodeScripts":
		return scripts{}, nil
	case "FixedLength":
		s := struct{ Length int }{5}
		if err := o.into(&s); err != nil {
			return nil, err
		}
		if s.Length < 1 {
			return nil, fmt.Errorf("pieces of %d characters", s.Length)
		}
		return fixedLength{s.Length}, nil
	}
	return nil, fmt.Errorf("the type %q is not known", kind)
}

// byteLevelOf reads the pre-tokenizer ByteLevel.
func byteLevelOf(o object) (splitter, error) {
	s := struct {
		Space bool `json:"add_prefix_space"`
		Regex bool `json:"use_regex"`
	}{true, true}
	if err := o.into(&s); err != nil {
		return nil, err
	}
	b := &byteLevel{space: s.Space}
	if s.Regex {
		p, err := compilePattern(gpt2Words)
		if err != nil {
			return nil, err
		}
		b.words = &patternSplit{pattern: p, how: isolated}
	}
	return b, nil
}

// delimiterOf reads the pre-tokenizer CharDelimiterSplit.
func delimiterOf(o object) (splitter, error) {
	var s struct{ Delimiter string }
	if err := o.into(&s); err != nil {
		return nil, err
	}
	r, n := utf8.DecodeRuneInString(s.Delimiter)
	if n == 0 || n != len(s.Delimiter) {
		return nil, fmt.Errorf("the delimiter %q is not one character", s.Delimiter)
	}
	return &runeSplit{set: newSet(span{r, r}).compile(), how: removed}, nil
}

// patternSplitOf reads the pre-tokenizer Split.
func patternSplitOf(o object) (splitter, error) {
	var s struct {
		Pattern  patternOf
		Behavior string
		Invert   bool
	}
	if err := o.into(&s); err != nil {
		return nil, err
	}
	b, err := behaviourOf(s.Behavior, isolated)
	if err != nil {
		return nil, err
	}
	p, err := s.Pattern.compile()
	return &patternSplit{pattern: p, how: b, invert: s.Invert}, err
}

// readMetaspace reads the pre-tokenizer Metaspace, or the decoder.
func readMetaspace(o object) (*metaspace, error) {
	s := struct {
		Mark   string  `json:"replacement"`
		Scheme *string `json:"prepend_scheme"`
		Space  *bool   `json:"add_prefix_space"`
		Split  *bool
	}{Mark: metaMark}
	if err := o.into(&s); err != nil {
		return nil, err
	}
	m := &metaspace{s.Mark, "always", s.Split == nil || *s.Split}
	if s.Scheme != nil {
		m.scheme = strings.ToLower(*s.Scheme)
	}
	switch {
	case utf8.RuneCountInString(m.mark) != 1:
		return nil, fmt.Errorf("the replacement %q is not one character", m.mark)
	case !slices.Contains([]string{"always", "first", "never"}, m.scheme):
		return nil, fmt.Errorf("the prepend_scheme %q is not known; there are always, first and never", m.scheme)
	case s.Space != nil && !*s.Space:
		m.scheme = "never"
	}
	return m, nil
}
