package tokenizer

import (
	"errors"
	"fmt"

	"github.com/go-acap/acap/base/jsontext"
)

// token is ["text", number].
type token struct {
	text string
	id   int32
}

// UnmarshalJSON reads the pair.
func (t *token) UnmarshalJSON(data []byte) error {
	pair := []any{&t.text, &t.id}
	return jsontext.Unmarshal(data, &pair)
}

// readProcessor reads a post-processor of a type.
func (t *Tokenizer) readProcessor(kind string, o object) ([]processor, error) {
	switch kind {
	case "ByteLevel":
		return nil, nil // changes origins alone: readTrim
	case "BertProcessing", "RobertaProcessing":
		var p struct{ Sep, Cls *token }
		if err := o.into(&p); err != nil {
			return nil, err
		}
		if p.Sep == nil || p.Cls == nil {
			return nil, fmt.Errorf("a %s has sep and cls", kind)
		}
		return []processor{surround{p.Cls.id, p.Sep.id, kind == "RobertaProcessing"}}, nil
	case "TemplateProcessing":
		return t.readTemplate(o)
	}
	return nil, fmt.Errorf("the type %q is not known", kind)
}

// readTrim reads what a post-processor does to the origins of tokens.
func readTrim(kind string, o object) ([]spaceTrim, error) {
	if kind != "ByteLevel" && kind != "RobertaProcessing" {
		return nil, nil
	}
	s := struct {
		Space bool `json:"add_prefix_space"`
		Trim  bool `json:"trim_offsets"`
	}{true, true}
	if err := o.into(&s); err != nil || !s.Trim {
		return nil, err
	}
	return []spaceTrim{{prefixed: s.Space}}, nil
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
	if p.Single == nil || p.Pair == nil {
		return nil, errors.New("a template has the lists single and pair")
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
			case m.Sequence != nil && m.Sequence.ID == "A":
				out = append(out, part{0, nil})
			case m.Sequence != nil && m.Sequence.ID == "B":
				out = append(out, part{1, nil})
			case m.Sequence != nil:
				return nil, fmt.Errorf("the template's sequence %q is not known; there are A and B", m.Sequence.ID)
			default:
				return nil, errors.New("a member of a template is neither a SpecialToken nor a Sequence")
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
