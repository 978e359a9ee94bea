package tokenizer

import (
	"encoding/base64"
	"errors"
	"fmt"
	"strings"
)

// readNormalizer reads a normalizer of a type.
func readNormalizer(kind string, o object) ([]normalizer, error) {
	n, err := normalizerOf(kind, o)
	if n == nil {
		return nil, err
	}
	return []normalizer{n}, err
}

func normalizerOf(kind string, o object) (normalizer, error) {
	switch kind {
	case "BertNormalizer":
		n := struct {
			Clean   *bool `json:"clean_text"`
			Chinese *bool `json:"handle_chinese_chars"`
			Accents *bool `json:"strip_accents"`
			Lower   *bool `json:"lowercase"`
		}{}
		if err := o.into(&n); err != nil {
			return nil, err
		}
		is := func(b *bool, otherwise bool) bool {
			if b == nil {
				return otherwise
			}
			return *b
		}
		lower := is(n.Lower, true)
		return &bertNormalizer{clean: is(n.Clean, true), chinese: is(n.Chinese, true), accents: is(n.Accents, lower), lower: lower}, nil
	case "Strip":
		n := struct {
			Left  bool `json:"strip_left"`
			Right bool `json:"strip_right"`
		}{true, true}
		err := o.into(&n)
		return trim{n.Left, n.Right}, err
	case "StripAccents":
		return accentsStripped, nil
	case "NFC", "NFD", "NFKC", "NFKD":
		return formed(strings.HasSuffix(kind, "C"), strings.Contains(kind, "K")), nil
	case "Lowercase":
		return lowercased, nil
	case "Nmt":
		return nmt, nil
	case "Precompiled":
		var n struct {
			Map string `json:"precompiled_charsmap"`
		}
		if err := o.into(&n); err != nil {
			return nil, err
		}
		data, err := base64.StdEncoding.DecodeString(n.Map)
		if err != nil {
			return nil, err
		}
		if len(data) == 0 {
			return nil, nil
		}
		p, err := newPrecompiled(data)
		return graphemes{p}, err
	case "Replace":
		return readReplace(o)
	case "Prepend":
		var n struct{ Prepend *string }
		if err := o.into(&n); err != nil {
			return nil, err
		}
		if n.Prepend == nil {
			return nil, errors.New("a Prepend has a text prepend")
		}
		return prepend(*n.Prepend), nil
	case "ByteLevel":
		return byteWriting{}, nil
	}
	return nil, fmt.Errorf("the type %q is not known", kind)
}

// readReplace reads the normalizer Replace, or the decoder.
func readReplace(o object) (*replace, error) {
	var n struct {
		Pattern patternOf
		Content *string
	}
	if err := o.into(&n); err != nil {
		return nil, err
	}
	if n.Content == nil {
		return nil, errors.New("a Replace has a text content")
	}
	if s := n.Pattern.String; s != nil && *s != "" {
		return &replace{text: *n.Pattern.String, with: *n.Content}, nil
	}
	p, err := n.Pattern.compile()
	return &replace{pattern: p, with: *n.Content}, err
}
