package tokenizer

import (
	"fmt"
	"strings"
	"unicode/utf8"
)

// joinedDecoders is what decoders of these types, which have been read, make of tokens that are put one behind another;
// nil if they do more. Those of SentencePiece's vocabularies write spaces for marks and bytes for their names, and may
// take the first space away.
func joinedDecoders(kinds []string, objects []object) *joined {
	switch strings.Join(kinds, " ") {
	case "ByteLevel":
		return &joined{read: levelText}
	case "Metaspace":
		m, _ := readMetaspace(objects[0])
		if m == nil || m.mark != metaMark {
			return nil
		}
		j := &joined{read: func(token string) string { return strings.ReplaceAll(token, metaMark, " ") }}
		if m.scheme != "never" {
			j.finish = func(text, first string) string {
				return strings.ReplaceAll(first, metaMark, "") + text[len(j.read(first)):]
			}
		}
		return j
	case "Replace ByteFallback Fuse", "Replace ByteFallback Fuse Strip":
		n, _ := readReplace(objects[0])
		if n == nil || n.pattern != nil || n.text != metaMark || n.with != " " {
			return nil
		}
		var d struct {
			Content     string
			Start, Stop int
		}
		if len(objects) > 3 && (objects[3].into(&d) != nil || d.Content != " " || d.Start != 1 || d.Stop != 0) {
			return nil
		}
		j := joinedMarks(d.Start == 1)
		j.rows = true
		return j
	}
	return nil
}

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
		n, err := readReplace(o)
		if err != nil {
			return nil, err
		}
		if n.pattern == nil && utf8.RuneCountInString(n.text) == 1 {
			return []decoder{replaceRune(n.text, n.with)}, nil
		}
		return []decoder{each(func(s string, _ bool) string { return n.normalize(s) })}, nil
	case "Metaspace":
		m, err := readMetaspace(o)
		return []decoder{eachPart(func(s string, first bool) string {
			if first && m.scheme != "never" {
				return strings.ReplaceAll(s, m.mark, "")
			}
			return strings.ReplaceAll(s, m.mark, " ")
		})}, err
	case "WordPiece":
		d := struct {
			Prefix  string
			Cleanup bool
		}{"##", true}
		err := o.into(&d)
		list := []decoder{func(next receiver, _ int) receiver { return &continued{receiver: next, prefix: d.Prefix} }}
		if d.Cleanup {
			list = append(list, each(func(s string, _ bool) string { return tidied(s) }))
		}
		return list, err
	case "BPEDecoder":
		d := struct{ Suffix string }{"</w>"}
		err := o.into(&d)
		return []decoder{func(next receiver, _ int) receiver { return &endings{receiver: next, suffix: d.Suffix} }}, err
	case "CTC":
		d := struct {
			Pad       string `json:"pad_token"`
			Delimiter string `json:"word_delimiter_token"`
			Cleanup   bool
		}{"<pad>", "|", true}
		err := o.into(&d)
		return []decoder{func(next receiver, _ int) receiver {
			return &repetitions{receiver: next, blank: d.Pad, delimiter: d.Delimiter, clean: d.Cleanup}
		}}, err
	}
	return nil, fmt.Errorf("the type %q is not known", kind)
}
