package reply

import (
	"encoding/json"
	"strings"
)

const channelMark, messageMark, messageStart = "<|channel|>", "<|message|>", "<|start|>"

// bodyEnds are the marks behind a body. The last mark begins the next message.
var bodyEnds = []string{"<|end|>", "<|call|>", messageStart}

// harmony is the form of GPT-OSS (https://github.com/openai/harmony): messages, each of a header, <|message|> and a
// body. Behind <|channel|> in a header is the name of a channel.
var harmony = form{mark: channelMark, begin: []string{" to=functions.", "<|start|>assistant to=functions.", "<|start|>assistant<|channel|>", channelMark},
	tokens: []string{messageStart, messageMark, "<|constrain|>", "<|end|>", "<|call|>"}, message: true, read: func(in *input) bool {
		end, _, begun := in.find(0, messageMark)
		if !begun {
			return false
		}
		header, body := in.text[:end], end+len(messageMark)
		if _, to, called := strings.Cut(header, "to=functions."); called {
			return in.calledBy(to, body)
		}
		hand, thought := in.say, strings.Contains(header, channelMark+"analysis")
		if thought && in.raw {
			in.say(in.text[:body])
		} else if thought {
			hand = in.reason
		}
		in.take(body)
		mark := in.until(hand, bodyEnds...)
		if mark != messageStart {
			in.take(len(mark))
			if thought && in.raw {
				in.say(mark)
			}
		}
		return true
	}}

// calledBy reads the arguments of a function that the header names, which begin at a place.
func (in *input) calledBy(to string, body int) bool {
	if end := strings.IndexAny(to, " <"); end >= 0 {
		to = to[:end]
	}
	if to == "" {
		return false
	}
	if at := in.blanks(body); strings.HasPrefix(in.text[at:], "{") {
		in.take(at)
		in.call(to, "")
		in.arguments()
	} else {
		end, _, _ := in.find(at, bodyEnds...)
		arguments := strings.TrimSpace(in.text[at:end])
		if !json.Valid([]byte(arguments)) {
			return false
		}
		in.take(end)
		in.call(to, arguments)
	}
	for _, mark := range bodyEnds[:2] {
		in.past(mark)
	}
	return true
}
