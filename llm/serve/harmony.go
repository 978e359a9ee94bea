package serve

import "strings"

// The form of GPT-OSS (https://github.com/openai/harmony): an answer is messages, each of a header, <|message|> and a body.
const (
	channelMark = "<|channel|>" // in front of the name of a channel in a header
	messageMark = "<|message|>"
)

// bodyEnds are the marks behind a body, of which <|start|> begins the next message.
var bodyEnds = []string{"<|end|>", "<|call|>", "<|start|>"}

// bodyEnd is where a body ends, and where the text goes on behind the end. ok is false where the text has no end.
func bodyEnd(text string) (end, next int, ok bool) {
	end = len(text)
	for _, mark := range bodyEnds {
		if at := strings.Index(text, mark); at >= 0 && at < end {
			if end, next, ok = at, at+len(mark), true; mark == "<|start|>" {
				next = at
			}
		}
	}
	if !ok {
		next = end
	}
	return end, next, ok
}

// function is the name of the function that a header names; it is empty in a header without one.
func function(header string) (name string, called bool) {
	_, to, called := strings.Cut(header, "to=functions.")
	if end := strings.IndexAny(to, " <"); end >= 0 {
		to = to[:end]
	}
	return to, called
}

// said is what stands in a body without a function: reasoning in the channel analysis, and text elsewhere.
func said(header, body string) found {
	if strings.Contains(header, channelMark+"analysis") {
		return found{reasoning: body}
	}
	return found{text: body}
}

// readHarmony takes a message. A function that the header names is called with the value that the body begins with.
func readHarmony(text string, _ argumentTypes) (f found, rest string, ok bool) {
	header, body, begun := strings.Cut(text, messageMark)
	if !begun {
		return f, text, false
	}
	if name, called := function(header); called {
		data, rest, valid := readValue(body)
		if name == "" || !valid {
			return f, text, false
		}
		for _, mark := range bodyEnds[:2] {
			rest = strings.TrimPrefix(rest, mark)
		}
		return one(name, string(data)), rest, true
	}
	end, next, _ := bodyEnd(body)
	return said(header, body[:end]), body[next:], true
}

// partOfHarmony takes a message whose body has ended, or of another one what the body has up to here: the rest then begins with the header. A call waits
// for the end of the arguments.
func partOfHarmony(text string) (f found, rest string, whole bool) {
	header, body, begun := strings.Cut(text, messageMark)
	if !begun {
		return f, text, false
	}
	if _, _, ended := bodyEnd(body); ended {
		return readHarmony(text, nil)
	}
	if _, called := function(header); called {
		return f, text, false
	}
	known := len(body) - mayEnd(body, bodyEnds)
	return said(header, body[:known]), header + messageMark + body[known:], false
}
