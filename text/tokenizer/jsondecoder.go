package tokenizer

import (
	"fmt"
	"strings"
	"unicode/utf8"
)

// readDecoder reads a decoder of a type.
func readDecoder(kind string, o object) ([]decoder, error) {
	switch kind {
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
		} else {
			p, err := d.Pattern.compile()
			if err != nil {
				return nil, err
			}
			n.pattern = p
		}
		return []decoder{each(func(s string, _ bool) string { return n.normalize(s) }).looking(n.pattern != nil || utf8.RuneCountInString(n.text) > 1)}, nil
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
		}).looking(d.Cleanup)}, err
	case "BPEDecoder":
		d := struct{ Suffix string }{"</w>"}
		err := o.into(&d)
		return []decoder{{looks: true, decode: func(tokens []string) []string {
			for i := range tokens {
				with := " "
				if i == len(tokens)-1 {
					with = ""
				}
				tokens[i] = strings.ReplaceAll(tokens[i], d.Suffix, with)
			}
			return tokens
		}}}, err
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
