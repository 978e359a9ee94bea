package reply

import (
	"encoding/json"
	"strings"
)

const gemmaBegin, gemmaEnd, gemmaQuote = "<|tool_call>", "<tool_call|>", `<|"|>`

// gemma is a call of Gemma 4: <|tool_call>call:NAME{name:value}<tool_call|>. Texts stand between special tokens, names
// do not, and the arguments are known at the end of the call.
var gemma = form{mark: gemmaBegin, begin: []string{gemmaBegin}, tokens: []string{gemmaEnd, gemmaQuote}, ends: true, read: func(in *input) bool {
	end, mark, _ := in.find(len(gemmaBegin), gemmaEnd)
	call, named := strings.CutPrefix(strings.TrimSpace(in.text[len(gemmaBegin):end]), "call:")
	open := strings.IndexByte(call, '{')
	if !named || open < 1 {
		return false
	}
	v := unquoted{text: call[open:]}
	if !v.value() || strings.TrimSpace(v.text) != "" {
		return false
	}
	in.take(end + len(mark))
	in.call(strings.TrimSpace(call[:open]), v.json.String())
	return true
}}

// unquoted makes JSON of a value in the form of Gemma 4.
type unquoted struct {
	text string // that was not read
	json strings.Builder
}

// past reads a mark behind blanks, if the mark is there.
func (v *unquoted) past(mark string) bool {
	rest, ok := strings.CutPrefix(strings.TrimLeft(v.text, blanks), mark)
	if ok {
		v.text = rest
	}
	return ok
}

// value reads a value, and reports whether there is one.
func (v *unquoted) value() bool {
	switch {
	case v.past("{"):
		return v.list("{", "}", func() bool { return v.name() && v.value() })
	case v.past("["):
		return v.list("[", "]", v.value)
	case v.past(gemmaQuote):
		return v.quoted(gemmaQuote)
	}
	end := strings.IndexAny(v.text, ",]}")
	if end < 0 {
		end = len(v.text)
	}
	scalar := strings.TrimSpace(v.text[:end])
	v.text = v.text[end:]
	v.json.WriteString(scalar)
	return json.Valid([]byte(scalar))
}

// list reads what stands between brackets, with commas between.
func (v *unquoted) list(open, end string, one func() bool) bool {
	v.json.WriteString(open)
	for first := true; !v.past(end); first = false {
		if !first {
			if !v.past(",") {
				return false
			}
			v.json.WriteByte(',')
		}
		if !one() {
			return false
		}
	}
	v.json.WriteString(end)
	return true
}

// name reads the name of a member and the colon behind it.
func (v *unquoted) name() bool {
	quote := ":"
	if v.past(gemmaQuote) {
		quote = gemmaQuote
	}
	v.text = strings.TrimLeft(v.text, blanks)
	ok := v.quoted(quote) && (quote == ":" || v.past(":"))
	v.json.WriteByte(':')
	return ok
}

// quoted reads a text up to a mark.
func (v *unquoted) quoted(end string) bool {
	text, rest, ok := strings.Cut(v.text, end)
	quoted, _ := json.Marshal(text)
	v.json.Write(quoted)
	v.text = rest
	return ok
}
