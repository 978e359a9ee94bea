package tokenizer

import (
	"errors"
	"fmt"

	"strings"

	"unicode/utf8"

	"encoding/json"
)

func readSplitter(o object, depth int) (splitter, error) {
	if o.none() {
		return nil, nil
	}
	kind, err := o.kind()
	if err != nil {
		return nil, err
	}
	if depth > mostNesting {
		return nil, errors.New("sequences are nested too deeply")
	}
	how := func(name string, otherwise behaviour) (behaviour, error) {
		if name == "" {
			return otherwise, nil
		}
		b, ok := behaviours[strings.ToLower(strings.ReplaceAll(name, "_", ""))]
		if !ok {
			return 0, fmt.Errorf("the behaviour %q is not known", name)
		}
		return b, nil
	}
	switch kind {
	case "Sequence":
		list, err := sequenceOf(o, "pretokenizers")
		if err != nil {
			return nil, err
		}
		all := splitters{}
		for _, part := range list {
			s, err := readSplitter(part, depth+1)
			if err != nil {
				return nil, err
			}
			if s != nil {
				all = append(all, s)
			}
		}
		return all, nil
	case "ByteLevel":
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
	case "BertPreTokenizer":
		return splitters{&runeSplit{is: setSpace.has, how: removed}, &runeSplit{is: setPunctuation.has, how: isolated}}, nil
	case "Whitespace":
		return words{}, nil
	case "WhitespaceSplit":
		return &runeSplit{is: setSpace.has, how: removed}, nil
	case "CharDelimiterSplit":
		var s struct{ Delimiter string }
		if err := o.into(&s); err != nil {
			return nil, err
		}
		r, n := utf8.DecodeRuneInString(s.Delimiter)
		if n == 0 || n != len(s.Delimiter) {
			return nil, fmt.Errorf("the delimiter %q is not one character", s.Delimiter)
		}
		return &runeSplit{is: func(c rune) bool { return c == r }, how: removed}, nil
	case "Metaspace":
		s := struct {
			Mark   string `json:"replacement"`
			Scheme string `json:"prepend_scheme"`
			Space  *bool  `json:"add_prefix_space"`
			Split  *bool
		}{Mark: metaMark}
		if err := o.into(&s); err != nil {
			return nil, err
		}
		if s.Scheme == "" {
			s.Scheme = "always"
		}
		if s.Space != nil && !*s.Space {
			s.Scheme = "never"
		}
		return &metaspace{s.Mark, strings.ToLower(s.Scheme), s.Split == nil || *s.Split}, nil
	case "Punctuation":
		var s struct{ Behavior string }
		if err := o.into(&s); err != nil {
			return nil, err
		}
		b, err := how(s.Behavior, isolated)
		return &runeSplit{is: setPunctuation.has, how: b}, err
	case "Digits":
		var s struct {
			Individual bool `json:"individual_digits"`
		}
		err := o.into(&s)
		if s.Individual {
			return &runeSplit{is: setNumeric.has, how: isolated}, err
		}
		return &runeSplit{is: setNumeric.has, how: contiguous}, err
	case "Split":
		var s struct {
			Pattern  patternOf
			Behavior string
			Invert   bool
		}
		if err := o.into(&s); err != nil {
			return nil, err
		}
		b, err := how(s.Behavior, isolated)
		if err != nil {
			return nil, err
		}
		p, err := s.Pattern.compile()
		return &patternSplit{pattern: p, how: b, invert: s.Invert}, err
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

// token is ["text", number].
type token struct {
	text string
	id   int32
}

// UnmarshalJSON reads the pair.
func (t *token) UnmarshalJSON(data []byte) error {
	pair := []any{&t.text, &t.id}
	return json.Unmarshal(data, &pair)
}

func (t *Tokenizer) readProcessor(o object, depth int) ([]processor, error) {
	if o.none() {
		return nil, nil
	}
	kind, err := o.kind()
	if err != nil {
		return nil, err
	}
	if depth > mostNesting {
		return nil, errors.New("sequences are nested too deeply")
	}
	switch kind {
	case "Sequence":
		list, err := sequenceOf(o, "processors")
		if err != nil {
			return nil, err
		}
		var all []processor
		for _, part := range list {
			p, err := t.readProcessor(part, depth+1)
			if err != nil {
				return nil, err
			}
			all = append(all, p...)
		}
		return all, nil
	case "ByteLevel":
		return nil, nil // changes offsets alone
	case "BertProcessing", "RobertaProcessing":
		var p struct{ Sep, Cls token }
		err := o.into(&p)
		return []processor{surround{p.Cls.id, p.Sep.id, kind == "RobertaProcessing"}}, err
	case "TemplateProcessing":
		return t.readTemplate(o)
	}
	return nil, fmt.Errorf("the type %q is not known", kind)
}

func (t *Tokenizer) readTemplate(o object) ([]processor, error) {
	type member struct {
		Special  *struct{ ID string } `json:"SpecialToken"`
		Sequence *struct{ ID string }
	}
	var p struct {
		Single, Pair []member
		Tokens       map[string]struct{ IDs []int32 } `json:"special_tokens"`
	}
	if err := o.into(&p); err != nil {
		return nil, err
	}
	read := func(list []member) ([]part, error) {
		var out []part
		for _, m := range list {
			switch {
			case m.Special != nil:
				s, ok := p.Tokens[m.Special.ID]
				if !ok {
					return nil, fmt.Errorf("the template's token %q is not among its special tokens", m.Special.ID)
				}
				out = append(out, part{-1, s.IDs})
			case m.Sequence != nil && m.Sequence.ID == "B":
				out = append(out, part{1, nil})
			default:
				out = append(out, part{0, nil})
			}
		}
		return out, nil
	}
	one, err := read(p.Single)
	if err != nil {
		return nil, err
	}
	two, err := read(p.Pair)
	if len(one) > 1 && one[0].text < 0 && len(one[0].tokens) == 1 {
		t.begin = int(one[0].tokens[0])
	}
	return []processor{&template{one, two}}, err
}

// decoderKinds are the types of a decoder and of those within.
func decoderKinds(o object, depth int) []string {
	if o.none() || depth > mostNesting {
		return nil
	}
	kind, _ := o.kind()
	if kind != "Sequence" {
		return []string{kind}
	}
	list, _ := sequenceOf(o, "decoders")
	var all []string
	for _, part := range list {
		all = append(all, decoderKinds(part, depth+1)...)
	}
	return all
}

func readDecoder(o object, depth int) ([]decoder, error) {
	if o.none() {
		return nil, nil
	}
	kind, err := o.kind()
	if err != nil {
		return nil, err
	}
	if depth > mostNesting {
		return nil, errors.New("sequences are nested too deeply")
	}
	switch kind {
	case "Sequence":
		list, err := sequenceOf(o, "decoders")
		if err != nil {
			return nil, err
		}
		all := []decoder{}
		for _, part := range list {
			d, err := readDecoder(part, depth+1)
			if err != nil {
				return nil, err
			}
			all = append(all, d...)
		}
		return all, nil
	case "ByteLevel":
		return []decoder{byteLevelDecoder}, nil
	case "ByteFallback":
		return []decoder{byteFallback}, nil
	case "Fuse":
		return []decoder{fuse}, nil
	case "Strip":
		var d struct {
			Content     string
			Start, Stop int
		}
		err := o.into(&d)
		return []decoder{strip(d.Content, d.Start, d.Stop)}, err
	case "Replace":
		var d struct {
			Pattern patternOf
			Content string
		}
		if err := o.into(&d); err != nil {
			return nil, err
		}
		n := &replace{with: d.Content}
		if d.Pattern.String != nil {
			n.text = *d.Pattern.String
		} else if n.pattern, err = d.Pattern.compile(); err != nil {
			return nil, err
		}
		return []decoder{each(func(s string, _ bool) string { return n.normalize(s) })}, nil
	case "Metaspace":
		d := struct {
			Mark   string `json:"replacement"`
			Scheme string `json:"prepend_scheme"`
			Space  *bool  `json:"add_prefix_space"`
		}{Mark: metaMark, Scheme: "always"}
		if err := o.into(&d); err != nil {
			return nil, err
		}
		never := strings.EqualFold(d.Scheme, "never") || d.Space != nil && !*d.Space
		return []decoder{each(func(s string, first bool) string {
			if first && !never {
				return strings.ReplaceAll(s, d.Mark, "")
			}
			return strings.ReplaceAll(s, d.Mark, " ")
		})}, nil
	case "WordPiece":
		d := struct {
			Prefix  string
			Cleanup bool
		}{"##", true}
		err := o.into(&d)
		return []decoder{each(func(s string, first bool) string {
			if rest, ok := strings.CutPrefix(s, d.Prefix); !first && ok {
				s = rest
			} else if !first {
				s = " " + s
			}
			if d.Cleanup {
				s = tidied(s)
			}
			return s
		})}, err
	case "BPEDecoder":
		d := struct{ Suffix string }{"</w>"}
		err := o.into(&d)
		return []decoder{decodeFunc(func(tokens []string) []string {
			for i := range tokens {
				with := " "
				if i == len(tokens)-1 {
					with = ""
				}
				tokens[i] = strings.ReplaceAll(tokens[i], d.Suffix, with)
			}
			return tokens
		})}, err
	case "CTC":
		d := struct {
			Pad       string `json:"pad_token"`
			Delimiter string `json:"word_delimiter_token"`
			Cleanup   bool
		}{"<pad>", "|", true}
		err := o.into(&d)
		return []decoder{ctc(d.Pad, d.Delimiter, d.Cleanup)}, err
	}
	return nil, fmt.Errorf("the type %q is not known", kind)
}
