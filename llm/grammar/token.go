package grammar

import (
	"errors"
	"fmt"
	"strconv"
	"strings"

	"github.com/go-acap/acap/text/tokenizer"
)

// token reads <text>, the token that the vocabulary has by this name with its brackets, or <[number]>, or one of them
// behind a !, which is any other token.
func (p *parser) token() ([]element, error) {
	source := p.text[p.at:min(p.at+200, len(p.text))]
	name, negative := strings.CutPrefix(source, "!")
	end := strings.IndexAny(name, ">\r\n")
	if !strings.HasPrefix(name, "<") || end < 0 || name[end] != '>' {
		return nil, fmt.Errorf("%.20q is no token; tokens are <text> and <[number]>, with a ! in front for any other token", source)
	}
	name = name[:end+1]
	if p.vocabulary == nil {
		return nil, fmt.Errorf("%q stands for a token, and there is no vocabulary that has it; write a text in quotes, or give the vocabulary to ParseTokens", name)
	}
	number, err := p.number(name)
	if err != nil {
		return nil, err
	}
	p.at += strings.Index(source, name) + len(name)
	p.g.vocabulary = p.vocabulary
	return []element{{token: number, negative: negative, rule: aToken}}, nil
}

// number returns the number of the token that is written so.
func (p *parser) number(name string) (int, error) {
	v := p.vocabulary
	digits, ok := strings.CutPrefix(name, "<[")
	if digits, closed := strings.CutSuffix(digits, "]>"); ok {
		number, err := strconv.ParseUint(digits, 10, 31)
		switch {
		case !closed || errors.Is(err, strconv.ErrSyntax):
			return 0, fmt.Errorf("%q is no token; <[ ]> has the number of a token within", name)
		case err != nil || int(number) >= v.Size():
			return 0, fmt.Errorf("%q: there is no such token; the numbers of the vocabulary are 0 to %d", name, v.Size()-1)
		}
		return int(number), nil
	}
	if number, ok := v.ID(name); ok && v.Text(number) == name {
		return number, nil
	}
	var parts []string
	tokens, err := v.Encode(name, tokenizer.EncodeOptions{Whole: true})
	if err != nil {
		return 0, fmt.Errorf("%q is no token of the vocabulary: %w", name, err)
	}
	for _, t := range tokens {
		parts = append(parts, strconv.Quote(v.Token(t)))
	}
	return 0, fmt.Errorf("%q is no token of the vocabulary, but the %d tokens %s: write a text in quotes, or <[number]>", name, len(parts), strings.Join(parts, " "))
}
