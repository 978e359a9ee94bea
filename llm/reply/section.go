package reply

import (
	"regexp"
	"strings"
)

// section is calls between special tokens, each of which is a name and arguments with a token between them.
type section struct {
	begin, end, call, callEnd, between string

	name func(text string) string // of what stands in front of the arguments
}

// deepSeek is a name and arguments (V3.1), or a kind, and a name and arguments between fences behind the token (V3,
// R1).
var deepSeek = section{"<｜tool▁calls▁begin｜>", "<｜tool▁calls▁end｜>", "<｜tool▁call▁begin｜>", "<｜tool▁call▁end｜>", "<｜tool▁sep｜>", strings.TrimSpace}.form()

// numbered is the identity of a call of Kimi: functions.NAME:NUMBER.
var numbered = regexp.MustCompile(`^(?:functions\.)?(.*?)(?::\d+)?$`)

// kimi is the identity of a call and arguments.
var kimi = section{"<|tool_calls_section_begin|>", "<|tool_calls_section_end|>", "<|tool_call_begin|>", "<|tool_call_end|>", "<|tool_call_argument_begin|>",
	func(text string) string { return numbered.FindStringSubmatch(strings.TrimSpace(text))[1] }}.form()

func (s section) form() form {
	return form{mark: s.begin, begin: []string{s.begin, s.call}, tokens: []string{s.end, s.callEnd, s.between}, ends: true, read: s.read}
}

func (s section) read(in *input) bool {
	at, calls := 0, 0
	if strings.HasPrefix(in.text, s.begin) {
		at = len(s.begin)
	}
	for {
		begin, mark, _ := in.find(at, s.call, s.end)
		if mark != s.call {
			if calls > 0 {
				in.take(begin + len(mark))
			}
			return calls > 0
		}
		if !s.readCall(in, begin+len(s.call)) {
			return calls > 0
		}
		at, calls = 0, calls+1
	}
}

// readCall reads one call from a place on.
func (s section) readCall(in *input, at int) bool {
	const fence = "```json"
	between, _, separated := in.find(at, s.between)
	name, behind := in.text[at:between], between+len(s.between)
	if !separated {
		return false
	}
	end, mark, found := in.find(behind, fence, "{", s.callEnd)
	if mark == fence {
		name = in.text[behind:end]
		end, mark, found = in.find(end, "{", s.callEnd)
	}
	if name = s.name(name); !found || mark != "{" || name == "" {
		return false
	}
	in.take(end)
	in.call(name, "")
	in.arguments()
	return true
}
